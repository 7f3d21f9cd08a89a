import FoundationEssentials

/// A message as a mail program would show it, read independently of what wrote it.
struct ParsedMail {
  var headers: [String: String] = [:]
  var body: String

  struct Malformed: Error { var line: String }

  init(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
    guard let end = text.firstRange(of: "\n\n") else { throw Malformed(line: "no body") }
    let header = text[..<end.lowerBound].replacing("\n ", with: " ")
    for line in header.split(separator: "\n") {
      guard let colon = line.firstRange(of: ": ") else { throw Malformed(line: String(line)) }
      let name = String(line[..<colon.lowerBound])
      guard headers[name] == nil else { throw Malformed(line: String(line)) }
      headers[name] = Self.decodeWords(line[colon.upperBound...])
    }
    body = Self.decodeQuotedPrintable(Array(text[end.upperBound...].utf8))
  }

  /// RFC 2047: white space between two encoded words vanishes.
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
