import Domain

/// A text with `{placeholders}`: the first line is a message's subject, the rest its body.
///
/// Filling walks the template once, so a value that looks like a placeholder stays what it is. A
/// line with placeholders of which every one is empty is left out, so that a message says nothing of
/// a phone or a note that there is not. So is a line that begins with `{?name}` where that value is
/// empty, and one that begins with `{!name}` where it is not. A value of several lines is indented
/// like the line on which it stands.
struct MessageTemplate: Sendable {
  let text: String

  init(utf8 bytes: [UInt8]) { text = String(decoding: bytes, as: UTF8.self) }
  init(_ text: String) { self.text = text }

  struct Filled: Equatable {
    var subject: String
    var body: String
  }

  func filled(with values: [String: String]) -> Filled {
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let line = Self.fill(line, with: values) { lines.append(line) }
    }
    var body = lines.dropFirst().joined(separator: "\n")
    while body.hasSuffix("\n") { body.removeLast() }
    let subject = (lines.first ?? "").replacing(/\s+/, with: " ")
    return Filled(subject: subject, body: Self.squeezingBlankLines(body) + "\n")
  }

  /// The line with its values, or `nil` when it is to be left out.
  private static func fill(_ line: Substring, with values: [String: String]) -> String? {
    var line = line
    while line.hasPrefix("{?") || line.hasPrefix("{!"), let close = line.firstIndex(of: "}") {
      let name = String(line[..<close].dropFirst(2))
      guard (values[name] ?? "").isEmpty == line.hasPrefix("{!") else { return nil }
      line = line[line.index(after: close)...]
    }
    let indentation = line.prefix { $0 == " " }
    var result = ""
    var rest = line
    var hasPlaceholder = false
    var hasValue = false
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      result += rest[..<open]
      let name = String(rest[rest.index(after: open)..<close])
      if let value = values[name] {
        hasPlaceholder = true
        hasValue = hasValue || !value.isEmpty
        result += value.outgoing.replacing("\n", with: "\n" + indentation)
      } else {
        result += rest[open...close]
      }
      rest = rest[rest.index(after: close)...]
    }
    return hasPlaceholder && !hasValue ? nil : result + rest
  }

  /// Lines that were left out must not leave two blank ones behind.
  private static func squeezingBlankLines(_ text: String) -> String {
    text.replacing(/\n{3,}/, with: "\n\n")
  }
}
