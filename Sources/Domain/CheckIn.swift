public import FoundationEssentials

/// A check-in in the history (CHK-5).
public struct CheckIn: Identifiable, Equatable, Codable, Sendable {
  public let id: UUID
  /// When it happened, by the store's clock.
  public var date: Date
  public var source: Source
  /// The sequence that this check-in began, see ``User/checkInSequence``; a later number of its own if
  /// it was early.
  public var sequence: Int
  /// How much of the interval was left; negative for a late check-in, `nil` for the first one.
  public var margin: TimeSpan?
  /// When it reached the store, if that was later than it was made; `nil` otherwise (OFF-3).
  public var receivedAt: Date?
  /// Whether it came before the next set time opened, and so moved no deadline (SCH-2).
  public var isEarly: Bool

  public init(
    id: UUID, date: Date, source: Source, sequence: Int, margin: TimeSpan?, receivedAt: Date? = nil,
    isEarly: Bool = false
  ) {
    self.id = id
    self.date = date
    self.source = source
    self.sequence = sequence
    self.margin = margin
    self.receivedAt = receivedAt
    self.isEarly = isEarly
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try values.decode(UUID.self, forKey: .id),
      date: try values.decode(Date.self, forKey: .date),
      source: try values.decode(Source.self, forKey: .source),
      sequence: try values.decode(Int.self, forKey: .sequence),
      margin: try values.decodeIfPresent(TimeSpan.self, forKey: .margin),
      receivedAt: try values.decodeIfPresent(Date.self, forKey: .receivedAt),
      // Older servers leave it out.
      isEarly: try values.decodeIfPresent(Bool.self, forKey: .isEarly) ?? false)
  }

  private enum CodingKeys: String, CodingKey {
    case id, date, source, sequence, margin, receivedAt, isEarly
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try values.encode(date, forKey: .date)
    try values.encode(source, forKey: .source)
    try values.encode(sequence, forKey: .sequence)
    try values.encodeIfPresent(margin, forKey: .margin)
    try values.encodeIfPresent(receivedAt, forKey: .receivedAt)
    try values.encodeIfPresent(isEarly ? true : nil, forKey: .isEarly)
  }

  /// How close it was, such as `1h 7m left`, `50m late` or `early`.
  public var marginText: String {
    guard let margin else { return "first" }
    if isEarly { return "early" }
    let length = abs(margin.seconds) < 60 ? "less than 1m" : margin.shortDescription
    return "\(length) \(margin < .zero ? "late" : "left")"
  }

  /// Where a check-in came from.
  public enum Source: String, Equatable, Codable, CaseIterable, Sendable {
    case manual
    case pingAnswer = "ping_answer"
    case commandLine = "command_line"
    /// By a command that was typed in a shell (CHK-10).
    case automatic
    /// By the link in a message (CHK-8).
    case link
    /// By *I'm back*, which ended an outing (OUT-2).
    case outing

    /// Whether the person did it on purpose, where they proved who they are: neither a sign of life
    /// nor a link (CHK-8, CHK-10).
    public var isTrue: Bool {
      switch self {
      case .automatic, .link: false
      case .manual, .pingAnswer, .commandLine, .outing: true
      }
    }

    /// The source as it is shown on screen.
    public var displayText: String {
      switch self {
      case .manual: "manual"
      case .pingAnswer: "ping answer"
      case .commandLine: "command line"
      case .automatic: "automatic"
      case .link: "link"
      case .outing: "back from an outing"
      }
    }
  }

  /// A second check-in within this time moves the timestamp but adds no history row (CHK-1).
  public static let repeatWindow = TimeSpan.seconds(60)
  /// How far ahead the last check-in can be stamped for a difference between clocks; further ahead,
  /// its clock was wrong and the next check-in counts from now (decision 72).
  public static let maximumClockLead = TimeSpan.hours(6)
}
