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

  /// Reads the end of a pause as a person types it, see ``TypedEnd``.
  /// - Throws: ``ValidationError/pauseEnd(_:)`` for a text that is none, or
  ///   ``ValidationError/pauseRange``.
  public static func end(
    parsing text: String, now: Date, calendar: CivilCalendar
  ) throws(ValidationError) -> Date {
    let end = try TypedEnd(text, now: now, clock: calendar)
    if end.isSpan, end.date > now + longest { throw .pauseRange }
    return try Pause(from: now, until: end.date).end
  }
}
