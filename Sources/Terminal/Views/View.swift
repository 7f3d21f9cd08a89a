/// A part of the screen: a value that says what is to be seen and what can be done there.
///
/// A view is made of other views by its ``body``:
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
/// Views are built again for every frame and keep nothing; what changes lives in the program's
/// state.
@MainActor
public protocol View {
  /// What the view is made of.
  associatedtype Body: View

  /// What the view is made of.
  @ViewBuilder var body: Body { get }

  /// Adds the view to the tree of the frame. Views get this from their `body`; only the views of
  /// this module have their own.
  func build(in tree: ViewTree)
}

extension View {
  /// Adds what the view is made of.
  public func build(in tree: ViewTree) {
    body.build(in: tree)
  }
}

extension Never: View {
  /// There is none.
  public var body: Never { fatalError("Never has no body.") }
}

/// A view that adds itself to the tree instead of being made of others.
public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
  /// There is none.
  public var body: Never { fatalError("\(Self.self) is drawn by itself and has no body.") }
}
