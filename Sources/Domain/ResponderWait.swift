public import FoundationEssentials

/// How long a responder waits before they are notified of a missed deadline, if nobody is responding
/// by then (ESC-8).
public struct ResponderWait: Hashable, Codable, Sendable {
  /// Counted from when the alert was raised; 15 min – 24 h.
  public var span: TimeSpan
  /// How long they waited before the last change; zero for not at all.
  public var earlier: TimeSpan
  public var changedAt: Date

  public init(span: TimeSpan, earlier: TimeSpan, changedAt: Date) {
    self.span = span
    self.earlier = earlier
    self.changedAt = changedAt
  }

  /// Returns how long they wait in an alert. A change makes nobody wait longer in one that is on.
  public func span(inAlertRaisedAt date: Date) -> TimeSpan {
    date < changedAt ? min(span, earlier) : span
  }

  public static let range: ClosedRange<TimeSpan> = .minutes(15) ... .hours(24)
  /// The waits that the picker offers besides none.
  public static let presets: [TimeSpan] = [
    .minutes(15), .minutes(30), .hours(1), .hours(2), .hours(4), .hours(12), .hours(24),
  ]
  /// When the next are notified although they would wait, because no message to those before was
  /// accepted.
  public static let silenceLimit = TimeSpan.minutes(2)
  /// For how long a response holds back those who wait.
  public static let longestHold = TimeSpan.hours(1)

  /// Returns a wait as a person chooses it: zero for none.
  /// - Throws: ``ValidationError/waitRange``.
  public static func checked(_ span: TimeSpan) throws(ValidationError) -> TimeSpan {
    guard span == .zero || range.contains(span) else { throw .waitRange }
    return span
  }
}

extension Contact {
  /// How long the responder waits, zero for not at all.
  public var waitSpan: TimeSpan { wait?.span ?? .zero }

  /// When they are notified, `30m later`; `nil` for at once.
  public var waitText: String? {
    waitSpan == .zero ? nil : "\(waitSpan.exactDescription) later"
  }
}
