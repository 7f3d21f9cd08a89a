/// The quoted-printable transfer encoding of RFC 2045 §6.7.
enum QuotedPrintable {
  /// The maximum line length without the line break.
  static let lineLimit = 76

  /// Encodes UTF-8 text; line breaks become CRLF.
  static func encode(_ text: String) -> [UInt8] {
    var output: [UInt8] = []
    var line: [UInt8] = []
    func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    func endLine() {
      // Trailing white space may be lost in transit.
      if let last = line.last, isWhitespace(last) {
        line.removeLast()
        append(escape(last))
      }
      output += line + [0x0D, 0x0A]
      line = []
    }
    func append(_ token: [UInt8]) {
      if line.count + token.count > lineLimit - 1 {
        output += line + [UInt8(ascii: "="), 0x0D, 0x0A]
        line = []
      }
      line += token
    }
    for byte in text.utf8 where byte != 0x0D {
      switch byte {
      case 0x0A: endLine()
      case UInt8(ascii: "="): append(escape(byte))
      case 0x20...0x7E, 0x09: append([byte])
      default: append(escape(byte))
      }
    }
    if !line.isEmpty { endLine() }
    return output
  }

  private static func escape(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }
}
