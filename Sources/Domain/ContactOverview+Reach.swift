public import FoundationEssentials

extension ContactOverview {
  /// Why a missed deadline would notify nobody now, as the end of a sentence; `nil` when it would notify
  /// somebody, or when that is not known. The app, the commands and the doctor say the same.
  /// - Parameters:
  ///   - responders: All of them; `nil` while they are not known.
  ///   - watch: `nil` while it is not known.
  ///   - alerts: Newest first.
  public func muteReason(
    of responders: (some Sequence<Contact>)?, watch: WatchStatus?, channels: ChannelOverview,
    alerts: [AlertReport]
  ) -> String? {
    if responderCount == 0 { return "you have no responders" }
    if let reason = watch?.failureReason(on: channelKinds) { return reason }
    if channelKinds.isEmpty, !linked.contains(where: \.isResponder) {
      return "no responder has a channel"
    }
    // The first whose messages arrive ends the search.
    guard let responders,
      responders.allSatisfy({ alerts.areRefused(by: $0) || channels.isFailing($0) })
    else { return nil }
    return responders.allSatisfy(alerts.areRefused)
      ? "every message is refused" : "the last messages couldn't be sent"
  }
}

extension ChannelOverview {
  /// Whether the last message on each of a contact's channels was not accepted, whatever it was about.
  public func isFailing(_ contact: Contact) -> Bool {
    !contact.channels.isEmpty && contact.channels.allSatisfy { health(of: $0.id).isFailing }
  }

  /// The last messages on channels of these contacts that were not accepted, newest first.
  public func failures(of contacts: [Contact]) -> [DeliveryReport] {
    contacts.flatMap(\.channels).compactMap { last[$0.id] }
      .filter { ChannelHealth($0).isFailing }
      .sorted { ($1.plannedAt, $0.recipient) < ($0.plannedAt, $1.recipient) }
  }
}

extension [AlertReport] {
  /// Whether messages to a contact come back: the last one on each of their channels was refused for
  /// good.
  public func areRefused(by contact: Contact) -> Bool {
    !contact.channels.isEmpty
      && !contact.channels.contains { lastOutcome(on: $0)?.state != .failed }
  }

  /// The last message about an alert on a channel that has a result, good or bad.
  private func lastOutcome(on channel: Channel) -> DeliveryReport? {
    for report in self {
      let outcome = report.deliveries.last {
        $0.channel == channel.kind && $0.address.lowercased() == channel.address.lowercased()
          && ($0.state == .sent || $0.state == .failed)
      }
      if let outcome { return outcome }
    }
    return nil
  }
}
