/// An indicator of work in progress. With reduced motion it stands still.
public struct Spinner: PrimitiveView {
  /// The shape of a spinner.
  public enum Form: Hashable, Sendable, CaseIterable {
    /// `⠋⠙⠹`: dots running in a circle.
    case dots
    /// `|/-\`: a rotating line.
    case line
    /// `◜◝◞◟`: a rotating arc.
    case arc
    /// `▁▃▅▇`: a rising and falling bar.
    case bar
    /// `◐◓◑◒`: a rotating half disc.
    case disc

    /// The frames of the animation, each one column wide.
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
  ///   - frame: The frame to show, counted up by the program; any integer.
  ///   - form: The shape; in ASCII it is always a line.
  public init(frame: Int, form: Form = .dots) {
    self.frame = frame
    self.form = form
  }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    if tree.environment.isSpoken { return Text("working").build(in: tree) }
    text(in: tree).foreground(.accent).build(in: tree)
  }

  private func text(in tree: ViewTree) -> Text {
    if tree.environment.reducesMotion { return Text("…") }
    return Text(Self.picture(of: frame, form: form, in: tree))
  }

  /// The picture of a frame, in characters that the terminal can show.
  static func picture(of frame: Int, form: Form = .dots, in tree: ViewTree) -> String {
    let pictures = (tree.theme.glyphs != .unicode ? Form.line : form).pictures
    return pictures[((frame % pictures.count) + pictures.count) % pictures.count]
  }
}
