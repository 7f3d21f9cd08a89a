import Clients

extension Service.Markup {
  /// Returns a text that the service shows as it was written.
  func escaped(_ text: String) -> String {
    switch self {
    // The request switches off the rest of Slack's markup.
    case .slack:
      text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    case .markdown:
      text.split(separator: "\n", omittingEmptySubsequences: false).map(Self.escapedLine)
        .joined(separator: "\n")
    }
  }

  /// Escapes only characters that could be markup where they stand: some readers show the backslash
  /// of others.
  private static func escapedLine(_ line: Substring) -> String {
    // Four spaces would begin a block of code.
    let indentation = line.prefix { $0 == " " || $0 == "\t" }
    var rest = line[indentation.endIndex...]
    var output = indentation.isEmpty ? "" : String(repeating: " ", count: min(2, indentation.count))
    output += escapedStart(&rest)
    let linkTitleEnd = rest.ranges(of: "](").last?.lowerBound
    while let character = rest.first {
      if rest.hasPrefix("http://") || rest.hasPrefix("https://") {
        // Readers take an address as it is, and a backslash in it would lead elsewhere.
        let address = rest.prefix { !$0.isWhitespace }
        output += address
        rest = rest[address.endIndex...]
        continue
      }
      switch character {
      case "\\", "*", "_", "~", "`", "|": output += "\\"
      case "[" where linkTitleEnd.map { rest.startIndex < $0 } ?? false: output += "\\"
      default: break
      }
      output.append(character)
      rest = rest.dropFirst()
    }
    return output
  }

  /// Escapes the beginning of a line that would make it a heading, a quotation, an item of a list,
  /// which are numbered from 1, or a rule.
  private static func escapedStart(_ rest: inout Substring) -> String {
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    let behind = rest[digits.endIndex...]
    if !digits.isEmpty, let sign = behind.first, sign == "." || sign == ")",
      behind.dropFirst().first == " "
    {
      rest = behind.dropFirst()
      return digits + "\\\(sign)"
    }
    guard let first = rest.first else { return "" }
    let isStart =
      switch first {
      case ">": true
      case "#": rest.drop { $0 == "#" }.first == " "
      case "-", "+": rest.dropFirst().first == " " || rest.allSatisfy { $0 == first }
      default: false
      }
    guard isStart else { return "" }
    rest = rest.dropFirst()
    return "\\\(first)"
  }
}
