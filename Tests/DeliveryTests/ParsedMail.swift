import FoundationEssentials

/// A message as a mail program would show it, parsed independently of the code that wrote it.
struct ParsedMail {
  var headers: [String: String] = [:]
  /// The plain-text part, or the whole body if there are no parts.
  var body: String
  /// The HTML part.
  var html: String?

  struct Malformed: Error { var line: String }

  init(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
    guard let end = text.firstRange(of: "\n\n") else { throw Malformed(line: "no body") }
    headers = try Self.headers(text[..<end.lowerBound])
    let content = String(text[end.upperBound...])
    let mark = "multipart/alternative; boundary=\""
    guard let type = headers["Content-Type"], type.hasPrefix(mark) else {
      body = Self.decodeQuotedPrintable(Array(content.utf8))
      return
    }
    let boundary = String(type.dropFirst(mark.count).dropLast())
    guard content.hasPrefix("--\(boundary)\n"), content.hasSuffix("--\(boundary)--\n") else {
      throw Malformed(line: "boundary")
    }
    // The line break before a boundary belongs to the boundary (RFC 2046 §5.1.1). Every text here
    // ends with its own line break, which is kept.
    let inside = content.dropFirst(boundary.count + 3).dropLast(boundary.count + 5)
    let parts = try String(inside).split(separator: "--\(boundary)\n").map { part in
      guard let end = part.firstRange(of: "\n\n") else { throw Malformed(line: "part") }
      let headers = try Self.headers(part[..<end.lowerBound])
      guard headers["Content-Transfer-Encoding"] == "quoted-printable" else {
        throw Malformed(line: "encoding")
      }
      return (
        type: headers["Content-Type"],
        text: Self.decodeQuotedPrintable(Array(part[end.upperBound...].utf8))
      )
    }
    guard parts.map(\.type) == ["text/plain; charset=UTF-8", "text/html; charset=UTF-8"] else {
      throw Malformed(line: "parts")
    }
    body = parts[0].text
    html = parts[1].text
  }

  private static func headers(_ text: Substring) throws -> [String: String] {
    var headers: [String: String] = [:]
    for line in text.replacing("\n ", with: " ").split(separator: "\n") {
      guard let colon = line.firstRange(of: ": ") else { throw Malformed(line: String(line)) }
      let name = String(line[..<colon.lowerBound])
      guard headers[name] == nil else { throw Malformed(line: String(line)) }
      headers[name] = decodeWords(line[colon.upperBound...])
    }
    return headers
  }

  /// Decodes encoded words, dropping white space between two of them (RFC 2047).
  static func decodeWords(_ text: Substring) -> String {
    var result: [UInt8] = []
    var wasEncoded = false
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let isEncoded = word.hasPrefix("=?UTF-8?B?") && word.hasSuffix("?=")
      if !result.isEmpty, !(isEncoded && wasEncoded) { result.append(0x20) }
      if isEncoded, let data = Data(base64Encoded: String(word.dropFirst(10).dropLast(2))) {
        result += data
      } else {
        result += word.utf8
      }
      wasEncoded = isEncoded
    }
    return String(decoding: result, as: UTF8.self)
  }

  static func decodeQuotedPrintable(_ bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    let text = bytes.filter { $0 != 0x0D }
    var index = 0
    while index < text.count {
      if text[index] == UInt8(ascii: "=") {
        if text[index + 1] == 0x0A {
          index += 2
        } else {
          let digits = String(decoding: text[index + 1...index + 2], as: UTF8.self)
          result.append(UInt8(digits, radix: 16)!)
          index += 3
        }
      } else {
        result.append(text[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
