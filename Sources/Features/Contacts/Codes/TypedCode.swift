import Domain

/// Text that was typed, pasted or dropped to name another account: its code, or the path of a
/// picture of it.
enum TypedCode: Equatable {
  case code(SharedCode)
  /// A path as typed, which can begin with `~`.
  case picture(path: String)

  /// - Throws: ``ValidationError/code`` if the text is neither.
  init(parsing text: String) throws(ValidationError) {
    if let path = Self.picturePath(text) {
      self = .picture(path: path)
    } else {
      self = .code(try SharedCode(parsing: text))
    }
  }

  /// The path in the text that a terminal inserts when a file is dropped on it: plain, quoted, with
  /// backslashes or as a URL. Returns `nil` unless it has the extension of a picture.
  private static func picturePath(_ text: String) -> String? {
    var path = text.trimmingWhitespace()
    if let quote = path.first, path.count > 1, quote == "'" || quote == "\"", path.last == quote {
      path = String(path.dropFirst().dropLast())
    } else if path.hasPrefix("file://") {
      path = percentDecoded(path.dropFirst("file://".count))
    } else {
      path = withoutBackslashes(path)
    }
    let name = path.lowercased()
    return [".png", ".jpg", ".jpeg"].contains { name.hasSuffix($0) && name != $0 } ? path : nil
  }

  private static func withoutBackslashes(_ text: String) -> String {
    var result = ""
    var isEscaped = false
    for character in text {
      isEscaped = character == "\\" && !isEscaped
      if !isEscaped { result.append(character) }
    }
    return result
  }

  private static func percentDecoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
