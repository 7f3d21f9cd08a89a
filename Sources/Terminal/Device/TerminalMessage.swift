/// A message for the terminal's window or the desktop, not part of the screen.
enum TerminalMessage: Hashable, Sendable {
  /// Copies text to the clipboard (OSC 52).
  case copy(String)
  /// Shows a desktop notification (OSC 777, 99 or 9, depending on the terminal).
  case notify(title: String, body: String)
  /// Rings the bell.
  case bell

  /// The maximum length of clipboard text in bytes. Terminals ignore longer texts: this is xterm's
  /// limit, and kitty's default is higher.
  static let clipboardLimit = 74_994

  /// Returns the bytes for a terminal with the given XTVERSION name, or `nil` if it wouldn't accept
  /// them.
  func bytes(for terminal: String?) -> [UInt8]? {
    switch self {
    case .bell:
      return [0x07]
    case .copy(let text):
      let content = Array(text.utf8)
      guard content.count <= Self.clipboardLimit else { return nil }
      return Array("\u{1B}]52;c;\(Base64.encode(content))\u{1B}\\".utf8)
    case .notify(let title, let body):
      // The separator of the fields must not occur in them.
      let title = title.sanitized.replacing(";", with: ",")
      let body = body.sanitized
      let name = terminal?.lowercased() ?? ""
      if name.hasPrefix("kitty") {
        return Array(
          ("\u{1B}]99;i=1:d=0;\(title)\u{1B}\\\u{1B}]99;i=1:p=body;\(body)\u{1B}\\").utf8)
      }
      if name.hasPrefix("iterm") {
        return Array("\u{1B}]9;\(title): \(body)\u{1B}\\".utf8)
      }
      return Array("\u{1B}]777;notify;\(title);\(body)\u{1B}\\".utf8)
    }
  }
}

extension String {
  /// Returns the text with one character replaced by another.
  fileprivate func replacing(_ old: Character, with new: Character) -> String {
    String(map { $0 == old ? new : $0 })
  }
}
