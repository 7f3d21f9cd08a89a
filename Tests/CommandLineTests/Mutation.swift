import Clients
import Composable
import FoundationEssentials

/// Mutates JSON at random places: makes numbers and texts extreme, changes types, removes fields
/// and duplicates elements.
struct Mutation {
  private let original: JSONValue
  private var random: SplitMix64

  init(of original: JSONValue, seed: UInt64) {
    self.original = original
    random = SplitMix64(seed: seed)
  }

  /// Returns the next mutation, with one to three changes.
  mutating func next() throws -> Data {
    var value = original
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      var place = Int.random(in: 0..<value.size, using: &random)
      value = change(value, at: &place) ?? .null
    }
    return try JSONEncoder().encode(value)
  }

  /// Changes the value at a place.
  /// - Returns: The new value, or `nil` to remove it.
  private mutating func change(_ value: JSONValue, at place: inout Int) -> JSONValue? {
    defer { place -= 1 }
    guard place != 0 else { return replacement(of: value) }
    place -= 1
    switch value {
    case .array(let elements):
      var changed: [JSONValue] = []
      for element in elements {
        if place >= 0, place < element.size {
          let isDoubled = Int.random(in: 0..<10, using: &random) == 0
          if isDoubled { changed.append(element) }
          change(element, at: &place).map { changed.append($0) }
          place = -1
        } else {
          place -= element.size
          changed.append(element)
        }
      }
      place = 1
      return .array(changed)
    case .object(let fields):
      var changed: [String: JSONValue] = [:]
      for (name, field) in fields.sorted(by: { $0.key < $1.key }) {
        if place >= 0, place < field.size {
          changed[name] = change(field, at: &place)
          place = -1
        } else {
          place -= field.size
          changed[name] = field
        }
      }
      place = 1
      return .object(changed)
    default: return value
    }
  }

  private mutating func replacement(of value: JSONValue) -> JSONValue? {
    let isOfOneKind = Int.random(in: 0..<4, using: &random) > 0
    switch value {
    case .integer where isOfOneKind, .number where isOfOneKind:
      return Self.numbers.randomElement(using: &random)
    case .string(let text) where isOfOneKind:
      // Replace times by times, or nothing would be accepted.
      let choice = text.hasSuffix("Z") ? Self.times : Self.texts
      return .string(choice.randomElement(using: &random)!)
    case .array(let elements) where isOfOneKind: return .array(elements.reversed())
    default:
      let others = Self.numbers + [.null, .bool(true), .array([]), .object([:]), .string("x")]
      return Bool.random(using: &random) ? nil : others.randomElement(using: &random)
    }
  }

  private static let numbers: [JSONValue] = [
    .integer(.max), .integer(.max - 1), .integer(.min), .integer(.min + 1), .integer(0),
    .integer(-1), .integer(1), .integer(1 << 53), .integer(1 << 31), .integer(1 << 32),
    .integer(999_999_999), .integer(1_000_000_000), .integer(86_400), .integer(2_592_000),
    .number(1e308), .number(-1e308), .number(1e19), .number(0.5), .number(-0.0),
    .integer(345_600_000_000), .integer(-345_600_000_000), .integer(9_223_372_036_854_775),
  ]
  private static let times = [
    "1970-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", "9999-12-31T23:59:60.999Z",
    "2262-04-11T23:47:16.854Z", "0000-00-00T00:00:00.000Z", "1969-12-31T23:59:59.999Z",
    "2026-02-30T00:00:00.000Z", "99999-01-01T00:00:00.000Z", "2038-01-19T03:14:08.000Z", "",
  ]
  private static let texts = [
    "", " ", "\u{0}", "\u{1B}]0;x\u{7}", "\u{202E}gro.elpmaxe", "'; DROP TABLE account; --",
    String(repeating: "é", count: 3_000), String(repeating: "👩‍👩‍👧", count: 60),
    "reminder:9223372036854775807",
    "-9223372036854775808", "00000000-0000-0000-0000-000000000000", "manual", "missed", "duress",
    "email", "desktop", "../../etc/passwd", "{\"a\":1e999}", "\r\nBcc: x@example.org",
  ]
}

extension JSONValue {
  /// The number of values it contains, including itself.
  fileprivate var size: Int {
    switch self {
    case .array(let elements): elements.reduce(1) { $0 + $1.size }
    case .object(let fields): fields.values.reduce(1) { $0 + $1.size }
    default: 1
    }
  }
}
