/// A text that says what is in progress, such as `Reading …`. Once that takes a while, the ellipsis
/// turns into a spinner, in the same place.
///
/// The spinner turns by ``ViewHost/time``. Without it, as in a picture, and with reduced motion the
/// text stands still.
public struct ProgressView: PrimitiveView {
  /// The time after which the spinner appears: quicker work needs none.
  public static let delay = Duration.milliseconds(150)
  /// The time between two frames of the spinner.
  public static let step = Duration.milliseconds(100)

  private let text: String

  /// - Parameter text: What is in progress, without an ellipsis.
  public init(_ text: String) { self.text = text }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    Text("\(text) \(mark(in: tree))").foreground(.dim).build(in: tree)
  }

  private func mark(in tree: ViewTree) -> String {
    let environment = tree.environment
    guard !environment.reducesMotion, !environment.isSpoken,
      let elapsed = tree.progressTime(of: text)
    else { return "…" }
    guard elapsed >= Self.delay else {
      tree.redraw(after: Self.delay - elapsed)
      return "…"
    }
    let frame = Int((elapsed - Self.delay) / Self.step)
    tree.redraw(after: Self.delay + Self.step * (frame + 1) - elapsed)
    return Spinner.picture(of: frame, in: tree)
  }
}
