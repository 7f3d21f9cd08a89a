public import FoundationEssentials

extension ContactOverview {
  /// Returns why a missed deadline would notify nobody now, as the end of a sentence, or `nil` if
  /// it would notify someone or that is not known. The app, the commands and the doctor all use it.
  /// - Parameters:
  ///   - responders: All responders, or `nil` while they are not known.
  ///   - watch: The state of the monitors, or `nil` while it is not known.
  ///   - alerts: The alerts, newest first.
  public func unreachableReason(
    of responders: (some Sequence<Contact>)?, watch: WatchStatus?, channels: ChannelOverview,
    alerts: [AlertReport]
  ) -> String? {
    if responderCount == 0 { return "you have no responders" }
    if let reason = watch?.failureReason(on: channelKinds) { return reason }
    if channelKinds.isEmpty, !linked.contains(where: \.isResponder) {
      return "no responder has a channel"
    }
    // One responder whose messages arrive is enough; no monitor sends any to those left out.
    let responders = responders?.filter { watch?.leavesOut($0) != true }
    guard let responders, !responders.isEmpty,
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
  /// Whether a contact's channels refuse messages: the last one on each of them failed for good.
  public func areRefused(by contact: Contact) -> Bool {
    !contact.channels.isEmpty
      && !contact.channels.contains { lastOutcome(on: $0)?.state != .failed }
  }

  /// Returns the last message about an alert on a channel that was sent or failed.
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
