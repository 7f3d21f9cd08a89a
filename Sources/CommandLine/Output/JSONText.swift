/// JSON on one line, with members in the given order (RFC 8259).
///
/// `JSONEncoder` uses an arbitrary or alphabetical order; scripts and people read ours as
/// documented.
indirect enum JSONText: Equatable, Sendable, ExpressibleByDictionaryLiteral {
  case null
  case boolean(Bool)
  case integer(Int)
  case string(String)
  case array([JSONText])
  case object([Member])

  struct Member: Equatable, Sendable {
    var name: String
    var value: JSONText
  }

  init(dictionaryLiteral members: (String, JSONText)...) {
    self = .object(members.map { Member(name: $0, value: $1) })
  }

  /// Returns the object with another member at its end.
  func adding(_ name: String, _ value: JSONText?) -> JSONText {
    guard case .object(let members) = self, let value else { return self }
    return .object(members + [Member(name: name, value: value)])
  }

  static func optional(_ text: String?) -> JSONText { text.map(JSONText.string) ?? .null }

  var text: String {
    switch self {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .integer(let number): "\(number)"
    case .string(let string): Self.quote(string)
    case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { "\(Self.quote($0.name)):\($0.value.text)" }.joined(separator: ",") + "}"
    }
  }

  /// Quotes a string. Invisible characters and those that could affect a terminal are escaped even
  /// where JSON doesn't require it, so that a line can be shown as it is without losing anything.
  private static func quote(_ string: String) -> String {
    var result = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        if scalar.isSeen {
          result.unicodeScalars.append(scalar)
        } else {
          for unit in String(scalar).utf16 {
            let digits = String(unit, radix: 16)
            result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
          }
        }
      }
    }
    return result + "\""
  }
}

extension Unicode.Scalar {
  fileprivate var isSeen: Bool {
    if properties.isDefaultIgnorableCodePoint { return false }
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      return false
    default: return true
    }
  }
}
