extension TerminalApplication {
  /// Copies text to the clipboard through the terminal (OSC 52). The terminal doesn't report
  /// whether it allows this.
  /// - Returns: `false` if the text is longer than terminals accept (about 75 kB), in which case
  ///   nothing is sent.
  @discardableResult
  public func copy(_ text: String) -> Bool {
    send(.copy(text))
  }

  /// Copies what is in the next box on the screen, from the top left, without its border and the space
  /// in it, and marks it until another key is pressed: for the action of a command.
  ///
  ///     .command("y", "Copy") { application.copyNextPanel() }
  ///
  /// Nothing is copied if there is no box, or if its text is too long; see ``copy(_:)``.
  public func copyNextPanel() {
    host.copyNextPanel()
    setNeedsDisplay()
  }

  /// Shows a desktop notification through the terminal, if it supports that.
  public func notify(title: String, body: String) {
    send(.notify(title: title, body: body))
  }

  /// Rings the terminal's bell.
  public func ringBell() {
    send(.bell)
  }
}
