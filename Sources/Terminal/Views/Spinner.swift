/// A sign that something is going on. Where motion is reduced it stands still.
public struct Spinner: PrimitiveView {
  /// What turns.
  public enum Form: Hashable, Sendable, CaseIterable {
    /// `⠋⠙⠹`: dots that run around.
    case dots
    /// `|/-\`: a line that turns.
    case line
    /// `◜◝◞◟`: an arc that turns.
    case arc
    /// `▁▃▅▇`: a bar that rises and falls.
    case bar
    /// `◐◓◑◒`: half a disc that turns.
    case disc

    /// The pictures, all of one column.
    var pictures: [String] {
      switch self {
      case .dots: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
      case .line: ["|", "/", "-", "\\"]
      case .arc: ["◜", "◝", "◞", "◟"]
      case .bar: ["▁", "▃", "▅", "▇", "▅", "▃"]
      case .disc: ["◐", "◓", "◑", "◒"]
      }
    }
  }

  private let frame: Int
  private let form: Form

  /// - Parameters:
  ///   - frame: The picture to show, counted up by the program; any number.
  ///   - form: What turns; in ASCII always a line.
  public init(frame: Int, form: Form = .dots) {
    self.frame = frame
    self.form = form
  }

  /// Adds the view to the tree of the frame.
  public func build(in tree: ViewTree) {
    if tree.environment.isSpoken { return Text("working").build(in: tree) }
    text(in: tree).foreground(.accent).build(in: tree)
  }

  private func text(in tree: ViewTree) -> Text {
    if tree.environment.reducesMotion { return Text("…") }
    let pictures = (tree.theme.glyphs != .unicode ? Form.line : form).pictures
    return Text(pictures[((frame % pictures.count) + pictures.count) % pictures.count])
  }
}
