import Domain

/// A text with `{placeholders}`. The first line is the message's subject, the rest its body.
///
/// Filling scans the template once, so a value that looks like a placeholder is left alone. A line
/// is left out if it has placeholders and all of them are empty, so that a message doesn't mention
/// a missing phone number or note. A line that begins with `{?name}` is left out if that value is
/// empty, and one that begins with `{!name}` if it isn't. A value of several lines is indented like
/// its line.
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

  /// Returns the line with its values, or `nil` if it is left out.
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

  /// Collapses the blank lines that left-out lines leave behind.
  private static func squeezingBlankLines(_ text: String) -> String {
    text.replacing(/\n{3,}/, with: "\n\n")
  }
}
