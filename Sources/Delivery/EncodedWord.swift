import FoundationEssentials

/// Text in a mail header (RFC 2047): unchanged if that is safe, otherwise in encoded words.
enum EncodedWord {
  /// Encodes a subject or other free text, folding it if it needs several words.
  static func text(_ text: String) -> String {
    let isPlain =
      text.utf8.count <= 60 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
      && !text.contains("=?")
    return isPlain ? text : encoded(text)
  }

  /// Encodes a display name (RFC 5322 *phrase*).
  static func phrase(_ name: String) -> String {
    let atoms = Set("!#$%&'*+-/^_`{|}~ ".utf8)
    let isPlain =
      name.utf8.count <= 60
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"):
          true
        default: atoms.contains(byte)
        }
      }
    return isPlain ? name : encoded(name)
  }

  /// Returns encoded words of at most 75 characters, never splitting a character (RFC 2047 §2, §5).
  private static func encoded(_ text: String) -> String {
    // 39 bytes make 52 base64 characters. With 12 around them, the field's name still fits on the
    // line.
    let lengthLimit = 39
    var chunks: [[UInt8]] = [[]]
    for scalar in text.unicodeScalars {
      let bytes = Array(String(scalar).utf8)
      if chunks[chunks.count - 1].count + bytes.count > lengthLimit { chunks.append([]) }
      chunks[chunks.count - 1] += bytes
    }
    return chunks.map { "=?UTF-8?B?\(Data($0).base64EncodedString())?=" }
      .joined(separator: "\r\n ")
  }
}

extension EncodedWord {
  /// Encodes text for a header field that can't be folded.
  static func line(_ text: String) -> String { self.text(text).replacing("\r\n ", with: " ") }
}
