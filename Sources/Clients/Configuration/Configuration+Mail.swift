import Domain
import FoundationEssentials

extension Configuration {
  /// Returns the text of a `config.json5` with another mail account. Everything else stays as it is
  /// written, including comments.
  /// - Throws: ``ConfigurationError`` for a text that can't be read.
  public static func json5(
    _ text: String, withMail smtp: SMTPSettings
  ) throws(ConfigurationError) -> String {
    // An empty file has nothing to preserve.
    let text = text.trimmingWhitespace().isEmpty ? "{\n}\n" : text
    let old = try Configuration(json5: Data(text.utf8))
    var bytes = Array(text.utf8)
    guard let (members, start) = JSON5Fault.members(of: String(decoding: bytes, as: UTF8.self))
    else { throw ConfigurationError(reason: "this is not JSON5") }
    // At most one of the two is set.
    if let member = members.first(where: { ["smtp", "sendmail"].contains($0.key) }) {
      bytes.replaceSubrange(member.range, with: smtp.json5.utf8)
    } else {
      bytes.insert(contentsOf: "\n  \(smtp.json5),".utf8, at: start)
    }
    var expected = old
    expected.smtp = smtp
    expected.sendmail = nil
    let result = String(decoding: bytes, as: UTF8.self)
    guard try Configuration(json5: Data(result.utf8)) == expected else {
      throw ConfigurationError(reason: "the mail server can't be added to it")
    }
    return result
  }
}

extension SMTPSettings {
  /// `smtp: {…}` as a person would write it.
  fileprivate var json5: String {
    var lines = [
      "host: \(host.json5Quoted)", "port: \(port)", "security: \"\(security.rawValue)\"",
    ]
    if let username { lines.append("username: \(username.json5Quoted)") }
    lines.append("from: \(from.json5Quoted)")
    for (key, command) in [("password_command", passwordCommand), ("token_command", tokenCommand)] {
      guard let arguments = command?.arguments else { continue }
      lines.append("\(key): [\(arguments.map(\.json5Quoted).joined(separator: ", "))]")
    }
    for (key, value) in [
      ("ehlo", ehlo), ("ca_file", certificateAuthority), ("fingerprint", fingerprint),
    ] {
      if let value { lines.append("\(key): \(value.json5Quoted)") }
    }
    return "smtp: {\n" + lines.map { "    \($0),\n" }.joined() + "  }"
  }
}

extension String {
  fileprivate var json5Quoted: String {
    let escaped = unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case _ where scalar.properties.generalCategory == .control:
        "\\u" + String(repeating: "0", count: 4 - String(scalar.value, radix: 16).count)
          + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }
}
