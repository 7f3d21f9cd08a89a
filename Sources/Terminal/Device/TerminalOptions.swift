/// Options for the terminal in full-screen mode.
public struct TerminalOptions: Hashable, Sendable {
  /// Whether to draw on the alternate screen, so that the shell's output reappears afterwards.
  public var usesAlternateScreen = true
  /// Whether to report mouse events. If not, the terminal's own text selection works as usual.
  public var usesMouse = true
  /// The window title while the program runs. The previous title is restored afterwards.
  public var title: String?

  /// Creates options, by default those of a typical full-screen program.
  public init(usesAlternateScreen: Bool = true, usesMouse: Bool = true, title: String? = nil) {
    self.usesAlternateScreen = usesAlternateScreen
    self.usesMouse = usesMouse
    self.title = title
  }
}
