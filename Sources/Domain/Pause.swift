public import FoundationEssentials

/// A period in which no check-in is expected (CHK-7).
public struct Pause: Equatable, Codable, Sendable {
  public let start: Date
  public let end: Date

  /// Creates a pause that begins now.
  /// - Throws: ``ValidationError/pauseRange`` unless it ends within the next 30 days.
  public init(from now: Date, until end: Date) throws(ValidationError) {
    guard end > now, end <= now + Self.longest else { throw .pauseRange }
    self.init(start: now, end: end)
  }

  /// Creates a pause from its stored dates.
  public init(start: Date, end: Date) {
    self.start = start
    self.end = end
  }

  public static let longest = TimeSpan.days(30)

  /// The lengths that the picker offers.
  public static let presets: [TimeSpan] = [
    .hours(12), .days(1), .days(2), .days(3), .days(7), .days(14), .days(30),
  ]

  /// When the person is reminded that it is about to end: an hour before, or halfway through a
  /// pause shorter than two hours.
  public var reminderTime: Date {
    let half = end.timeIntervalSince(start) / 2
    return end.addingTimeInterval(-min(half, 3_600))
  }

  /// Reads the end of a pause as a person types it: a span from now such as `2d` or `2 weeks`, a
  /// time such as `18:00` (the next one), `tomorrow`, or a date with or without a time, such as
  /// `2026-11-25 18:00`. `until` may come first. A day alone means its midnight.
  /// - Throws: ``ValidationError/pauseEnd(_:)`` for any other text, or
  ///   ``ValidationError/pauseRange``.
  public static func end(
    parsing text: String, now: Date, calendar: CivilCalendar
  ) throws(ValidationError) -> Date {
    var words = text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    if words.first == "until" { words.removeFirst() }
    let end: Date
    if let date = date(words, now: now, calendar: calendar) {
      end = date
    } else {
      guard let span = try? TimeSpan(parsing: words.joined(separator: " ")) else {
        throw .pauseEnd(text.quotable)
      }
      guard span <= longest else { throw .pauseRange }
      end = now + span
    }
    return try Pause(from: now, until: end).end
  }

  private static func date(
    _ words: [String], now: Date, calendar: CivilCalendar
  ) -> Date? {
    func clock(_ text: String) -> String { text.utf8.count == 4 ? "0" + text : text }
    func date(on day: Date, _ clock: String) -> Date? {
      CivilTime(parsing: "\(calendar.time(of: day).dateText) \(clock)").flatMap(calendar.date(of:))
    }
    switch words.count {
    case 1 where words[0] == "tomorrow": return date(on: now + .days(1), "00:00")
    case 2 where ["today", "tomorrow"].contains(words[0]):
      return date(on: words[0] == "today" ? now : now + .days(1), clock(words[1]))
    case 1 where words[0].contains(":"):
      guard let today = date(on: now, clock(words[0])) else { return fallback() }
      return today > now ? today : date(on: now + .days(1), clock(words[0]))
    default: return fallback()
    }
    func fallback() -> Date? {
      CivilTime(parsing: words.joined(separator: " ").uppercased()).flatMap(calendar.date(of:))
    }
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
