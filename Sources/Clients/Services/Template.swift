/// A text in which `{name}` stands for a value.
package struct Template: Equatable, Sendable {
  package enum Part: Equatable, Sendable {
    case text(String)
    case value(String)
  }

  package let parts: [Part]

  package init(_ text: String) {
    var parts: [Part] = []
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
      parts.append(.value(String(rest[rest.index(after: open)..<close])))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    self.parts = parts
  }

  package init(parts: [Part]) { self.parts = parts }

  /// Returns the text with every value filled in, after `encode` has made it safe for its place.
  package func filled(
    with values: [String: String], encode: (String) -> String = { $0 }
  ) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .value(let name): encode(values[name] ?? "")
      }
    }.joined()
  }
}

extension String {
  /// The text with every byte except unreserved ones and colons written as `%XX` (RFC 3986), for
  /// one segment of a path or one value of a form or query.
  package var percentEncoded: String {
    var text = ""
    for byte in utf8 {
      switch byte {
      case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
        text.unicodeScalars.append(UnicodeScalar(byte))
      default:
        text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return text
  }

  package var percentDecoded: String {
    var bytes: [UInt8] = []
    var rest = Array(utf8)[...]
    while let byte = rest.first {
      if byte == UInt8(ascii: "%"), rest.count > 2,
        let code = UInt8(String(decoding: rest.dropFirst().prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
