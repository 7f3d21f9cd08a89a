/// How often a person promises to check in: 1 hour to 30 days (INT-1).
public struct CheckInInterval: Hashable, Codable, Sendable {
  public let span: TimeSpan

  /// - Throws: ``ValidationError/intervalRange`` outside 1 h – 30 d.
  public init(_ span: TimeSpan) throws(ValidationError) {
    guard Self.range.contains(span) else { throw .intervalRange }
    self.span = span
  }

  /// Reads an interval such as `36h` or `2d 12h`.
  /// - Throws: ``ValidationError/duration(_:)`` or ``ValidationError/intervalRange``.
  public init(parsing text: String) throws(ValidationError) {
    try self.init(TimeSpan(parsing: text))
  }

  private init(unchecked span: TimeSpan) { self.span = span }

  public static let range: ClosedRange<TimeSpan> = .hours(1) ... .days(30)

  /// 24 hours.
  public static let standard = CheckInInterval(unchecked: .hours(24))

  /// 30 days.
  public static let longest = CheckInInterval(unchecked: .days(30))

  /// The intervals that the picker offers: 8, 12, 16, 24, 32, 48, 72 h and 4 – 7 days.
  public static let presets: [CheckInInterval] =
    ([8, 12, 16, 24, 32, 48, 72].map { TimeSpan.hours($0) } + [4, 5, 6, 7].map { .days($0) })
    .map(CheckInInterval.init(unchecked:))

  /// The interval as it is shown everywhere: `8h`, `24h`, `7d`. Up to 72 hours it is given in
  /// hours, as people choose it (INT-1).
  public var displayText: String {
    span <= .hours(72) && span.seconds % 3_600 == 0
      ? "\(span.seconds / 3_600)h" : span.exactDescription
  }

  /// The interval as it follows "every" in prose: `day`, `36 hours`, `2 days 12 hours`.
  public var inWords: String {
    switch span {
    case .hours(1): "hour"
    case .hours(24): "day"
    default: span.inWords
    }
  }

  public init(from decoder: any Decoder) throws {
    try self.init(TimeSpan(from: decoder))
  }

  public func encode(to encoder: any Encoder) throws { try span.encode(to: encoder) }
}
