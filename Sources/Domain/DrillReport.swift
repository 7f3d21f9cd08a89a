import FoundationEssentials

/// The messages of a drill to each responder, and how long they took (ALT-6).
public struct DrillReport: Equatable, Sendable {
  /// One message to a responder.
  public struct Line: Equatable, Sendable {
    public var recipientID: Recipient
    /// The recipient's name.
    public var recipient: String
    public var channel: Channel.Kind
    public var state: DeliveryState
    /// How long the message took; `nil` unless it was sent.
    public var duration: TimeSpan?
    public var error: String?
    /// Whether a server may have accepted it, although no answer said so (CHN-2).
    public var mayHaveBeenSent = false
  }

  /// The text for a drill that an alert ended (ALT-8).
  public static let endedByAlertText = "Drill: ended early, because an alert is on."

  /// How long after a drill an alert's messages say that it is not one.
  public static let followUpWindow = TimeSpan.hours(1)

  /// The messages, in the order in which they were planned.
  public var lines: [Line]

  /// - Parameter report: The report of a drill, active or over.
  public init(_ report: AlertReport) {
    lines = report.deliveries.filter { $0.stage == .alertOn }.map { delivery in
      let seconds = delivery.date.timeIntervalSince(delivery.plannedAt)
      return Line(
        recipientID: delivery.recipientID, recipient: delivery.recipient,
        channel: delivery.channel, state: delivery.state,
        duration: delivery.state == .sent
          ? .seconds(Int(bounded: max(0, seconds).rounded(.up))) : nil,
        error: delivery.error, mayHaveBeenSent: delivery.mayHaveBeenSent)
    }
  }

  /// All recipients of the drill.
  public var recipients: Set<Recipient> { Set(lines.map(\.recipientID)) }
  /// The recipients who were sent it on at least one channel.
  public var sentRecipients: Set<Recipient> {
    Set(lines.filter { $0.state == .sent }.map(\.recipientID))
  }
  /// Whether there were recipients, and all of them were sent it.
  public var isSentToAll: Bool { !lines.isEmpty && sentRecipients == recipients }

  /// Whether a message has no result yet, which keeps the drill on.
  public var isWaiting: Bool { lines.contains { $0.state == .pending } }

  /// The time until the last of these recipients was sent it, each on their fastest channel.
  public var slowest: TimeSpan? {
    var fastest: [Recipient: TimeSpan] = [:]
    for line in lines {
      guard let duration = line.duration else { continue }
      fastest[line.recipientID] = min(fastest[line.recipientID] ?? duration, duration)
    }
    return fastest.values.max()
  }

  /// The report as a sentence.
  public var summary: String {
    guard !lines.isEmpty else { return "Drill: there was nobody to notify." }
    let (sent, all) = (sentRecipients.count, recipients.count)
    guard let slowest else {
      return all == 1
        ? "Drill: not sent to your responder." : "Drill: not sent to any of \(all) responders."
    }
    let time = slowest < .seconds(2) ? "at once" : "within \(slowest.exactDescription)"
    let who =
      if sent < all {
        "\(sent) of \(all) responders"
      } else if all == 1 {
        "your responder"
      } else {
        "all \(all) responders"
      }
    return "Drill: sent to \(who), \(time)."
  }
}

extension DrillReport.Line {
  /// The result in words: `sent within 3s`, `not sent: 550 no such user`.
  public var outcome: String {
    switch state {
    case .sent:
      duration.map { $0 < .seconds(2) ? "sent at once" : "sent within \($0.exactDescription)" }
        ?? "sent"
    case .failed where mayHaveBeenSent: "may have been sent: \(error ?? "no answer")"
    case .pending: error.map { "not sent yet: \($0)" } ?? "not sent yet"
    case .failed: error.map { "not sent: \($0)" } ?? "not sent"
    case .cancelled: "not sent: the drill ended first"
    }
  }
}
