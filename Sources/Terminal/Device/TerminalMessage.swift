/// Something for the terminal's window or desktop rather than for the screen.
enum TerminalMessage: Hashable, Sendable {
  /// Text for the clipboard (OSC 52).
  case copy(String)
  /// A notification of the desktop (OSC 777, 99 or 9, whichever the terminal is known for).
  case notify(title: String, body: String)
  /// The bell.
  case bell

  /// Terminals drop longer clipboard texts (xterm's limit, and kitty's by default is higher).
  static let clipboardLimit = 74_994

  /// The bytes for a terminal by its XTVERSION name; `nil` when it would not take them.
  func bytes(for terminal: String?) -> [UInt8]? {
    switch self {
    case .bell:
      return [0x07]
    case .copy(let text):
      let content = Array(text.utf8)
      guard content.count <= Self.clipboardLimit else { return nil }
      return Array("\u{1B}]52;c;\(Base64.encode(content))\u{1B}\\".utf8)
    case .notify(let title, let body):
      // What separates the parts must not be in them.
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
  /// The text with one character in place of another.
  fileprivate func replacing(_ old: Character, with new: Character) -> String {
    String(map { $0 == old ? new : $0 })
  }
}
