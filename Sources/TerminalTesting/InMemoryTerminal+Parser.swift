import Terminal

extension InMemoryTerminal {
  /// The state of an unfinished sequence.
  struct Parser: Sendable {
    enum State: Sendable {
      case ground, escape, escapeIntermediate, control, string, stringEscape
    }

    var state = State.ground
    /// The bytes of the sequence after its introducer.
    var bytes: [UInt8] = []
    /// The introducer of the string: `]`, `P`, `_`, `^` or `X`.
    var stringKind: UInt8 = 0
    /// The bytes of an incomplete character.
    var character: [UInt8] = []
  }

  /// Feeds the terminal output of a program.
  public mutating func feed(_ text: String) {
    feed(Array(text.utf8))
  }

  /// Feeds the terminal output of a program. Sequences and characters may be split between calls.
  public mutating func feed(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { feed(byte) }
  }

  private mutating func feed(_ byte: UInt8) {
    switch parser.state {
    case .ground: ground(byte)
    case .escape: escape(byte)
    case .escapeIntermediate:
      parser.bytes.append(byte)
      if byte >= 0x30 {
        parser.state = .ground
        // Character sets: only ASCII is supported.
        if parser.bytes != Array("(B".utf8) { noteUnknown("\u{1B}") }
      }
    case .control: control(byte)
    case .string: inString(byte)
    case .stringEscape:
      parser.state = .ground
      if byte == 0x5C {
        perform(string: parser.bytes, kind: parser.stringKind)
      } else {
        escape(byte)
      }
    }
  }

  private mutating func ground(_ byte: UInt8) {
    if !parser.character.isEmpty || byte >= 0x80 {
      character(byte)
      return
    }
    switch byte {
    case 0x1B: parser.state = .escape
    case 0x07: bells += 1
    case 0x08: moveCursor(toColumn: page.cursor.column - 1)
    case 0x09: moveCursor(toColumn: (page.cursor.column / 8 + 1) * 8)
    case 0x0A, 0x0B, 0x0C: lineFeed()
    case 0x0D: moveCursor(toColumn: 0)
    case 0x00..<0x20, 0x7F: break
    default: put(Unicode.Scalar(byte))
    }
  }

  private mutating func character(_ byte: UInt8) {
    let length: Int
    switch parser.character.first ?? byte {
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF: length = 3
    case 0xF0...0xF4: length = 4
    default: length = 1
    }
    if !parser.character.isEmpty && byte & 0xC0 != 0x80 {
      parser.character.removeAll()
      put("\u{FFFD}")
      feed(byte)
      return
    }
    parser.character.append(byte)
    guard parser.character.count == length else { return }
    let text = String(decoding: parser.character, as: UTF8.self)
    parser.character.removeAll()
    for scalar in text.unicodeScalars { put(scalar) }
  }

  private mutating func escape(_ byte: UInt8) {
    parser.bytes.removeAll()
    parser.state = .ground
    switch byte {
    case 0x5B: parser.state = .control
    case 0x5D, 0x50, 0x5F, 0x5E, 0x58:
      parser.stringKind = byte
      parser.state = .string
    case 0x1B: parser.state = .escape
    case 0x20...0x2F:
      parser.bytes.append(byte)
      parser.state = .escapeIntermediate
    case 0x37: saveCursor()
    case 0x38: restoreCursor()
    case 0x44: lineFeed()
    case 0x45:
      moveCursor(toColumn: 0)
      lineFeed()
    case 0x4D: reverseLineFeed()
    case 0x5C: break
    case 0x63:
      self = InMemoryTerminal(
        size: size, clusterWidth: clusterWidth, answersGraphics: answersGraphics)
    default:
      parser.bytes.append(byte)
      noteUnknown("\u{1B}")
    }
  }

  private mutating func control(_ byte: UInt8) {
    switch byte {
    case 0x18, 0x1A: parser.state = .ground
    case 0x1B: parser.state = .escape
    case 0x20...0x3F: parser.bytes.append(byte)
    case 0x40...0x7E:
      parser.state = .ground
      let sequence = ControlCode(bytes: parser.bytes, final: byte)
      if !perform(sequence) {
        parser.bytes.append(byte)
        noteUnknown("\u{1B}[")
      }
    // Other control characters take effect immediately, even within a sequence.
    case 0x00..<0x20: ground(byte)
    default: break
    }
  }

  private mutating func inString(_ byte: UInt8) {
    switch byte {
    case 0x1B: parser.state = .stringEscape
    case 0x07 where parser.stringKind == 0x5D:
      parser.state = .ground
      perform(string: parser.bytes, kind: parser.stringKind)
    case 0x18, 0x1A: parser.state = .ground
    default: parser.bytes.append(byte)
    }
  }

  func isString(_ kind: Character) -> Bool { parser.stringKind == kind.asciiValue }

  mutating func noteUnknown(_ introducer: String) {
    unknown.append(introducer + String(decoding: parser.bytes, as: UTF8.self))
  }

  /// A parsed control sequence.
  struct ControlCode {
    /// The parameters, each with its sub-parameters, which are `nil` if empty.
    var parameters: [[Int?]]
    /// The prefix, intermediates and final byte, such as `?$p`.
    var name: String

    init(bytes: [UInt8], final: UInt8) {
      var prefix = ""
      var middle = ""
      var digits = ""
      for byte in bytes {
        let character = Character(Unicode.Scalar(byte))
        switch byte {
        case 0x3C...0x3F: prefix.append(character)
        case 0x20...0x2F: middle.append(character)
        default: digits.append(character)
        }
      }
      parameters =
        digits.isEmpty
        ? []
        : digits.split(separator: ";", omittingEmptySubsequences: false).map { parameter in
          parameter.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        }
      name = prefix + middle + String(Character(Unicode.Scalar(final)))
    }

    /// Returns a parameter, or the default if it is missing, empty, or 0 where 0 is invalid.
    func value(_ index: Int, or standard: Int = 1) -> Int {
      guard index < parameters.count, let value = parameters[index][0] else { return standard }
      return value == 0 && standard == 1 ? 1 : value
    }
  }
}
