extension TerminalApplication {
  /// Puts text on the clipboard, through the terminal (OSC 52). Whether the terminal allows it is
  /// not known.
  /// - Returns: False when the text is longer than terminals take (about 75 kB); nothing is sent.
  @discardableResult
  public func copy(_ text: String) -> Bool {
    send(.copy(text))
  }

  /// Shows a notification of the desktop, through the terminal, when it can.
  public func notify(title: String, body: String) {
    send(.notify(title: title, body: body))
  }

  /// Rings the terminal's bell.
  public func ringBell() {
    send(.bell)
  }
}
