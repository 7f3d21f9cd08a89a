/// JSON with its keys in the order given, which `JSONEncoder` does not promise.
enum JSONText {
  static func object(_ fields: [(String, String)]) -> String {
    "{" + fields.map { "\(string($0.0)):\($0.1)" }.joined(separator: ",") + "}"
  }

  static func array(_ elements: [String]) -> String {
    "[" + elements.joined(separator: ",") + "]"
  }

  /// A string literal (RFC 8259 §7); everything that could act on a terminal is escaped too.
  static func string(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\t": literal += "\\t"
      default:
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse:
          for unit in UTF16.encode(scalar)! {
            let hex = String(unit, radix: 16)
            literal += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
          }
        default: literal.unicodeScalars.append(scalar)
        }
      }
    }
    return literal + "\""
  }

  static func optional(_ text: String?) -> String { text.map(string) ?? "null" }
}
