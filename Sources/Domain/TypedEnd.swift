public import FoundationEssentials

/// When something ends, as a person types it: a span from now such as `2d` or `2 weeks`, a time such
/// as `18:00` (the next one), `tomorrow`, or a date with or without a time, such as
/// `2026-11-25 18:00`. `until` may come first. A day alone means its midnight.
public struct TypedEnd: Equatable, Sendable {
  public let date: Date
  /// Whether it was typed as a span from now.
  public let isSpan: Bool
  /// Whether it was typed as a day without a time.
  public let isDay: Bool

  /// - Throws: ``ValidationError/pauseEnd(_:)`` for any other text.
  public init(_ text: String, now: Date, clock: some WallClock) throws(ValidationError) {
    var words = text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    if words.first == "until" { words.removeFirst() }
    isDay = words.count == 1 && (words[0] == "tomorrow" || words[0].isDate)
    if let date = Self.date(words, now: now, clock: clock) {
      (self.date, isSpan) = (date, false)
    } else {
      guard let span = try? TimeSpan(parsing: words.joined(separator: " ")) else {
        throw .pauseEnd(text.quotable)
      }
      (date, isSpan) = (now + span, true)
    }
  }

  private static func date(_ words: [String], now: Date, clock: some WallClock) -> Date? {
    func padded(_ text: String) -> String { text.utf8.count == 4 ? "0" + text : text }
    func date(on day: Date, _ time: String) -> Date? {
      CivilTime(parsing: "\(clock.time(of: day).dateText) \(time)").flatMap(clock.date(of:))
    }
    // Days have 23 to 25 hours, so that only a day from noon is tomorrow.
    let tomorrow = (date(on: now, "12:00") ?? now) + .days(1)
    switch words.count {
    case 1 where words[0] == "tomorrow": return date(on: tomorrow, "00:00")
    case 2 where ["today", "tomorrow"].contains(words[0]):
      return date(on: words[0] == "today" ? now : tomorrow, padded(words[1]))
    case 1 where words[0].contains(":"):
      guard let today = date(on: now, padded(words[0])) else { return fallback() }
      return today > now ? today : date(on: tomorrow, padded(words[0]))
    default: return fallback()
    }
    func fallback() -> Date? {
      CivilTime(parsing: words.map(padded).joined(separator: " ").uppercased()).flatMap(
        clock.date(of:))
    }
  }
}

extension String {
  /// Whether this looks like a date: `2026-11-25`.
  public var isDate: Bool { wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil }
}

/// A conversion between instants and what a wall clock shows.
public protocol WallClock {
  /// Returns what the clock shows at an instant.
  func time(of date: Date) -> CivilTime
  /// Returns when the clock shows a time, ignoring its weekday, or `nil` for a date that doesn't
  /// exist.
  func date(of time: CivilTime) -> Date?
}

extension CivilCalendar: WallClock {}

extension ZoneRules: WallClock {
  public func time(of date: Date) -> CivilTime {
    let instant = Int(bounded: date.timeIntervalSince1970.rounded(.down))
    return CivilCalendar.fixed(secondsFromGMT: offset(at: instant)).time(of: date)
  }

  public func date(of time: CivilTime) -> Date? {
    guard let local = CivilCalendar.utc.date(of: time) else { return nil }
    return Date(
      timeIntervalSince1970: Double(instant(ofLocal: Int(bounded: local.timeIntervalSince1970))))
  }
}

extension CivilTime {
  /// Reads `2026-11-25`, `2026-11-25 18:00` or `2026-11-25T18:00`; a date alone means its midnight.
  public init?(parsing text: String) {
    let words = text.trimmingWhitespace().split(omittingEmptySubsequences: true) {
      $0 == " " || $0 == "T"
    }
    guard words.count == 1 || words.count == 2,
      let date = Self.numbers(words[0], separator: "-", digits: [4, 2, 2])
    else { return nil }
    var clock = [0, 0]
    if words.count == 2 {
      guard let read = Self.numbers(words[1], separator: ":", digits: [2, 2]) else { return nil }
      clock = read
    }
    guard (1...12).contains(date[1]), (1...31).contains(date[2]), (0...23).contains(clock[0]),
      (0...59).contains(clock[1])
    else { return nil }
    self.init(
      year: date[0], month: date[1], day: date[2], hour: clock[0], minute: clock[1], second: 0,
      weekday: 0)
  }

  private static func numbers(
    _ text: Substring, separator: Character, digits: [Int]
  ) -> [Int]? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == digits else { return nil }
    let numbers = parts.compactMap { part in
      part.allSatisfy { $0.isASCII && $0.isNumber } ? Int(part) : nil
    }
    return numbers.count == digits.count ? numbers : nil
  }
}
