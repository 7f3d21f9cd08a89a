/// A part of the screen: a value that describes what it shows and which commands it offers.
///
/// A view is composed of other views in its ``body``:
///
///     struct Greeting: View {
///       let name: String
///       var body: some View {
///         VStack {
///           Text("Hello, \(name)").bold()
///           Text("Press q to leave").foreground(.dim)
///         }
///         .command("q", "Quit") { quit() }
///       }
///     }
///
/// Views are rebuilt for every frame and keep nothing; whatever changes is kept in the program's
/// state.
@MainActor
public protocol View {
  /// The type of the view's content.
  associatedtype Body: View

  /// The view's content.
  @ViewBuilder var body: Body { get }

  /// Adds the view to the tree of the current frame. Views get this from their `body`; only this
  /// module's primitive views implement it.
  func build(in tree: ViewTree)
}

extension View {
  /// Adds the view's content.
  public func build(in tree: ViewTree) {
    body.build(in: tree)
  }
}

extension Never: View {
  /// Unavailable: `Never` has no body.
  public var body: Never { fatalError("Never has no body.") }
}

/// A view that adds itself to the tree instead of being composed of others.
public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
  /// Unavailable: a primitive view has no body.
  public var body: Never { fatalError("\(Self.self) is drawn by itself and has no body.") }
}

/// A view that lays out or decorates another one: the result of most modifiers.
struct ElementView<Kind: Element, Content: View>: PrimitiveView {
  let element: Kind
  let content: Content

  // Inlined so that the type is known statically; otherwise its metadata is looked up at run time.
  @inline(__always)
  func build(in tree: ViewTree) {
    tree.addWrapping(element) { content.build(in: tree) }
  }
}

/// A view that changes the environment inherited by its content.
struct EnvironmentView<Content: View>: PrimitiveView {
  let content: Content
  let change: @MainActor (inout ViewEnvironment) -> Void

  func build(in tree: ViewTree) {
    tree.withEnvironment(change) { content.build(in: tree) }
  }
}

/// Passes everything through to its child.
struct TransparentElement: Element {}
