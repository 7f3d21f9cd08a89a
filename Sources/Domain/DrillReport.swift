import FoundationEssentials

/// What was sent to each person in a drill, and how fast (ALT-6).
public struct DrillReport: Equatable, Sendable {
  /// One message that was to tell a responder.
  public struct Line: Equatable, Sendable {
    public var recipientID: Recipient
    /// The recipient's name.
    public var recipient: String
    public var channel: Channel.Kind
    public var state: DeliveryState
    /// How long the message took; `nil` unless it was sent.
    public var duration: TimeSpan?
    public var error: String?
  }

  /// What its person reads of a drill that an alert ended (ALT-8).
  public static let overtaken = "Drill: over, because an alert is on."

  /// How long after a drill an alert says that it is none.
  public static let remembered = TimeSpan.hours(1)

  /// In the order in which the messages were planned.
  public var lines: [Line]

  /// - Parameter report: The report of a drill, on or over.
  public init(_ report: AlertReport) {
    lines = report.deliveries.filter { $0.stage == .alertOn }.map { delivery in
      let seconds = delivery.date.timeIntervalSince(delivery.plannedAt)
      return Line(
        recipientID: delivery.recipientID, recipient: delivery.recipient,
        channel: delivery.channel, state: delivery.state,
        duration: delivery.state == .sent
          ? .seconds(Int(bounded: max(0, seconds).rounded(.up))) : nil,
        error: delivery.error)
    }
  }

  /// Everybody who was to be notified.
  public var recipients: Set<Recipient> { Set(lines.map(\.recipientID)) }
  /// Those who were sent it on at least one channel.
  public var told: Set<Recipient> {
    Set(lines.filter { $0.state == .sent }.map(\.recipientID))
  }
  /// Whether there was somebody to tell, and nobody was missed.
  public var isEverybodyTold: Bool { !lines.isEmpty && told == recipients }

  /// How long it took until the last of those who were notified was notified.
  public var slowest: TimeSpan? {
    told.compactMap { recipient in
      lines.compactMap { $0.recipientID == recipient ? $0.duration : nil }.min()
    }.max()
  }

  /// The report in a sentence.
  public var summary: String {
    guard !lines.isEmpty else { return "Drill: there was nobody to notify." }
    let (told, all) = (told.count, recipients.count)
    guard let slowest else {
      return all == 1
        ? "Drill: your responder was not sent it." : "Drill: none of \(all) responders was sent it."
    }
    let time = slowest < .seconds(2) ? "at once" : "within \(slowest.exactDescription)"
    let who =
      if told < all {
        "\(told) of \(all) responders were"
      } else if all == 1 {
        "your responder was"
      } else {
        "all \(all) responders were"
      }
    return "Drill: \(who) sent it, \(time)."
  }
}

extension DrillReport.Line {
  /// How it went: `sent within 3s`, `not sent: 550 no such user`.
  public var outcome: String {
    switch state {
    case .sent:
      duration.map { $0 < .seconds(2) ? "sent at once" : "sent within \($0.exactDescription)" }
        ?? "sent"
    case .pending: error.map { "not sent yet: \($0)" } ?? "not sent yet"
    case .failed: error.map { "not sent: \($0)" } ?? "not sent"
    case .cancelled: "not sent: the drill ended first"
    }
  }
}
