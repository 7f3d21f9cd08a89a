/// What the program asks of the terminal while it shows full screens.
public struct TerminalOptions: Hashable, Sendable {
  /// Draw on the alternate screen, so that what the shell showed comes back afterwards.
  public var usesAlternateScreen = true
  /// Report the mouse. Without it, the terminal's own selection works as usual.
  public var usesMouse = true
  /// The window's title while the program runs; the title from before comes back.
  public var title: String?

  /// The usual way of a full-screen program, unless told otherwise.
  public init(usesAlternateScreen: Bool = true, usesMouse: Bool = true, title: String? = nil) {
    self.usesAlternateScreen = usesAlternateScreen
    self.usesMouse = usesMouse
    self.title = title
  }
}
