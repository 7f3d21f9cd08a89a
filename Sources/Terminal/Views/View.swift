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
