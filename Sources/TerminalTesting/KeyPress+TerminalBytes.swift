public import Terminal

extension KeyPress {
  /// The bytes that a terminal without a keyboard protocol sends for the key. Keys and modifiers
  /// that such a terminal can't distinguish send the same bytes as the key they are confused with.
  public var terminalBytes: [UInt8] {
    let parameter =
      1 + (modifiers.contains(.shift) ? 1 : 0) + (modifiers.contains(.alt) ? 2 : 0)
      + (modifiers.contains(.control) ? 4 : 0)
    let text: String
    switch key {
    case .character(let character): text = encode(character)
    case .enter: text = alt("\r")
    case .tab: text = modifiers.contains(.shift) ? "\u{1B}[Z" : alt("\t")
    case .escape: text = alt("\u{1B}")
    case .backspace: text = alt("\u{7F}")
    case .up: text = arrow("A", parameter)
    case .down: text = arrow("B", parameter)
    case .right: text = arrow("C", parameter)
    case .left: text = arrow("D", parameter)
    case .home: text = arrow("H", parameter)
    case .end: text = arrow("F", parameter)
    case .insert: text = tilde(2, parameter)
    case .delete: text = tilde(3, parameter)
    case .pageUp: text = tilde(5, parameter)
    case .pageDown: text = tilde(6, parameter)
    case .function(let number):
      let codes = [11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24, 25, 26, 28, 29, 31, 32, 33, 34]
      text = (1...codes.count).contains(number) ? tilde(codes[number - 1], parameter) : ""
    }
    return Array(text.utf8)
  }

  private func encode(_ character: Character) -> String {
    guard modifiers.contains(.control), let ascii = character.asciiValue else {
      return alt(String(character))
    }
    return alt(String(Character(Unicode.Scalar(ascii & 0x1F))))
  }

  private func alt(_ text: String) -> String {
    modifiers.contains(.alt) ? "\u{1B}" + text : text
  }

  private func arrow(_ letter: String, _ parameter: Int) -> String {
    parameter == 1 ? "\u{1B}[\(letter)" : "\u{1B}[1;\(parameter)\(letter)"
  }

  private func tilde(_ number: Int, _ parameter: Int) -> String {
    parameter == 1 ? "\u{1B}[\(number)~" : "\u{1B}[\(number);\(parameter)~"
  }
}
