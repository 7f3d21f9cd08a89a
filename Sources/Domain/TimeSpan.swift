/// A length of time in whole seconds, written and read the way the product shows it.
///
/// Deadlines, intervals, lead and grace times are whole seconds everywhere: on screen, on the
/// command line and in the store.
public struct TimeSpan: Hashable, Comparable, Codable, Sendable {
  /// The length in seconds; negative for a time that has passed.
  public var seconds: Int

  public init(seconds: Int) { self.seconds = seconds }

  public static let zero = TimeSpan(seconds: 0)
  /// The longest span that a file or an answer can contain, some eleven thousand years: no sum or
  /// difference of a few of them overflows.
  public static let longest = TimeSpan.days(4_000_000)
  public static func seconds(_ count: Int) -> Self { Self(seconds: count) }
  public static func minutes(_ count: Int) -> Self { Self(seconds: count * 60) }
  public static func hours(_ count: Int) -> Self { Self(seconds: count * 3_600) }
  public static func days(_ count: Int) -> Self { Self(seconds: count * 86_400) }

  /// Whether it is no longer than ``longest`` in either direction.
  public var isSensible: Bool { (-Self.longest.seconds...Self.longest.seconds).contains(seconds) }

  public static func < (left: Self, right: Self) -> Bool { left.seconds < right.seconds }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    seconds = try container.decode(Int.self)
    guard isSensible else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "This is too long.")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(seconds)
  }
}

extension TimeSpan {
  /// Reads a duration as a person types it: `36h`, `2d 12h`, `90 min`, `1h30m`.
  ///
  /// Units are weeks, days, hours, minutes and seconds, by their first letter or in full, each at most
  /// once and from large to small. A bare number is refused, since its unit is not known.
  /// - Throws: ``ValidationError/duration(_:)`` with the text as an error repeats it.
  public init(parsing text: String) throws(ValidationError) {
    let failure = ValidationError.duration(text.quotable)
    guard text.utf8.count <= 64 else { throw failure }
    var rest = Substring(text.lowercased())
    var total = 0
    var smallestUnit = Int.max
    func skipSpaces() { rest = rest.drop(while: { $0 == " " || $0 == "\t" }) }
    skipSpaces()
    guard !rest.isEmpty else { throw failure }
    while !rest.isEmpty {
      let digits = rest.prefix(while: { $0.isASCII && $0.isNumber })
      guard let count = Int(digits) else { throw failure }
      rest = rest.dropFirst(digits.count)
      skipSpaces()
      let name = rest.prefix(while: \.isLetter)
      rest = rest.dropFirst(name.count)
      guard let unit = Self.unit(named: name), unit < smallestUnit else { throw failure }
      smallestUnit = unit
      let (product, productOverflow) = count.multipliedReportingOverflow(by: unit)
      let (sum, sumOverflow) = total.addingReportingOverflow(product)
      guard !productOverflow, !sumOverflow else { throw failure }
      total = sum
      skipSpaces()
    }
    seconds = total
  }

  private static func unit(named name: Substring) -> Int? {
    switch name {
    case "w", "wk", "wks", "week", "weeks": 604_800
    case "d", "day", "days": 86_400
    case "h", "hr", "hrs", "hour", "hours": 3_600
    case "m", "min", "mins", "minute", "minutes": 60
    case "s", "sec", "secs", "second", "seconds": 1
    default: nil
    }
  }

  /// The span in every unit it needs, such as `2d 12h`; ``init(parsing:)`` reads it back.
  public var exactDescription: String {
    guard seconds != 0 else { return "0m" }
    return Self.parts(of: abs(seconds)).map { "\($0)\($1)" }.joined(separator: " ")
  }

  /// The span as a sentence says it, in every unit it needs: `15 minutes`, `36 hours`,
  /// `2 days 12 hours`. Below two days it is given in hours, as people say it.
  public var inWords: String {
    let magnitude = abs(seconds)
    let days = magnitude < 172_800 ? 0 : magnitude / 86_400
    let rest = magnitude - days * 86_400
    let parts = [
      (days, "day"), (rest / 3_600, "hour"), (rest % 3_600 / 60, "minute"), (rest % 60, "second"),
    ]
    .filter { $0.0 > 0 }
    guard !parts.isEmpty else { return "0 seconds" }
    return parts.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: " ")
  }

  /// How long ago something was: `6s ago`, `5m ago`, `2h 5m ago`.
  public var ageDescription: String {
    (abs(seconds) < 60 ? "\(abs(seconds))s" : shortDescription) + " ago"
  }

  /// The two largest units without seconds – `2d 5h`, `5h 23m`, `23m` –, as lists show it (ORD-4).
  ///
  /// Rounded towards zero; less than a minute is `0m`, and the sign is dropped.
  public var shortDescription: String {
    let magnitude = abs(seconds)
    switch magnitude {
    case 86_400...:
      let (days, hours) = (magnitude / 86_400, magnitude % 86_400 / 3_600)
      return hours == 0 ? "\(days)d" : "\(days)d \(hours)h"
    case 3_600...:
      let (hours, minutes) = (magnitude / 3_600, magnitude % 3_600 / 60)
      return minutes == 0 ? "\(hours)h" : "\(hours)h \(minutes)m"
    default:
      return "\(magnitude / 60)m"
    }
  }

  /// The two largest units, with seconds in the last hour – `23m 05s` –, as the countdown shows it
  /// (CHK-4). Both units are always shown, so that nothing jumps when one of them becomes zero.
  public var countdownDescription: String {
    let magnitude = abs(seconds)
    switch magnitude {
    case 86_400...: return "\(magnitude / 86_400)d \(magnitude % 86_400 / 3_600)h"
    case 3_600...: return "\(magnitude / 3_600)h \(Self.twoDigits(magnitude % 3_600 / 60))m"
    default: return "\(magnitude / 60)m \(Self.twoDigits(magnitude % 60))s"
    }
  }

  private static func parts(of magnitude: Int) -> [(Int, String)] {
    [
      (magnitude / 86_400, "d"), (magnitude % 86_400 / 3_600, "h"),
      (magnitude % 3_600 / 60, "m"), (magnitude % 60, "s"),
    ].filter { $0.0 > 0 }
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
