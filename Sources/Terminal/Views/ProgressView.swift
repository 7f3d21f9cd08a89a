/// A text that says what is in progress, such as `Reading …`. Once that takes a while, the ellipsis
/// turns into a spinner, in the same place.
///
/// The spinner turns by ``ViewHost/time``. Without it, as in a picture, and with reduced motion the
/// text stands still.
public struct ProgressView: PrimitiveView {
  /// The time after which the spinner appears: quicker work needs none.
  static let delay = Duration.milliseconds(150)
  /// The time between two frames of the spinner, and after ``patience``, when it only shows that
  /// the program is alive.
  static let step = Duration.milliseconds(100)
  static let slowStep = Duration.seconds(1)
  static let patience = Duration.seconds(10)

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
    let quick = min(Int((elapsed - Self.delay) / Self.step), Int(Self.patience / Self.step))
    let slow = max(.zero, elapsed - Self.delay - Self.patience)
    let step = slow == .zero ? Self.step : Self.slowStep
    let frame = quick + Int(slow / Self.slowStep)
    let next =
      slow == .zero
      ? Self.delay + step * (frame + 1)
      : Self.delay + Self.patience + step * (Int(slow / step) + 1)
    tree.redraw(after: next - elapsed)
    return Spinner.picture(of: frame, in: tree)
  }
}
