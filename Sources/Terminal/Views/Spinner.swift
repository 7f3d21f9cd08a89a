/// A sign that something is going on.
public struct Spinner: PrimitiveView {
  private let frame: Int

  /// - Parameter frame: The picture to show, counted up by the program; any number.
  public init(frame: Int) {
    self.frame = frame
  }

  private static let unicode = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
  private static let ascii = ["|", "/", "-", "\\"]

  public func build(in tree: ViewTree) {
    let pictures = tree.theme.glyphs == .ascii ? Self.ascii : Self.unicode
    let index = ((frame % pictures.count) + pictures.count) % pictures.count
    Text(pictures[index]).foreground(.accent).build(in: tree)
  }
}
