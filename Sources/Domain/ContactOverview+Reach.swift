public import FoundationEssentials

extension ContactOverview {
  /// Returns why a missed deadline would notify nobody now, as the end of a sentence, or `nil` if
  /// it would notify someone or that is not known. The app, the commands and the doctor all use it.
  /// - Parameters:
  ///   - responders: All responders, or `nil` while they are not known.
  ///   - watch: The state of the monitors, or `nil` while it is not known.
  ///   - refusals: The channels on which messages about alerts are refused.
  public func unreachableReason(
    of responders: (some Sequence<Contact>)?, watch: WatchStatus?, channels: ChannelOverview,
    refusals: Refusals
  ) -> String? {
    if responderCount == 0 { return "you have no responders" }
    if let reason = watch?.failureReason(on: channelKinds) { return reason }
    if channelKinds.isEmpty, !linked.contains(where: \.isResponder) {
      return "no responder has a channel"
    }
    guard let responders else { return nil }
    var isAnyoneTried = false
    var areAllRefused = true
    // One responder whose messages arrive is enough; no monitor sends any to those left out.
    for responder in responders where watch?.leavesOut(responder) != true {
      isAnyoneTried = true
      guard !refusals.areOn(allChannelsOf: responder) else { continue }
      guard channels.isFailing(responder) else { return nil }
      areAllRefused = false
    }
    guard isAnyoneTried else { return nil }
    return areAllRefused ? "every message is refused" : "the last messages couldn't be sent"
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

/// The channels that refuse messages: the last one about an alert failed for good. Found once for
/// all contacts, because an alert can have thousands of messages.
public struct Refusals: Equatable, Sendable {
  private struct Place: Hashable {
    var kind: Channel.Kind
    var address: String

    init(_ kind: Channel.Kind, _ address: String) {
      self.kind = kind
      self.address = address.lowercased()
    }
  }

  private let places: Set<Place>

  /// - Parameter alerts: The alerts, newest first.
  /// - Complexity: O(messages).
  public init(in alerts: [AlertReport]) {
    guard alerts.contains(where: { $0.deliveries.contains { $0.state == .failed } }) else {
      places = []
      return
    }
    var isRefused: [Place: Bool] = [:]
    for report in alerts {
      for message in report.deliveries.reversed() {
        guard message.state == .sent || message.state == .failed else { continue }
        let place = Place(message.channel, message.address)
        if isRefused[place] == nil { isRefused[place] = message.state == .failed }
      }
    }
    places = Set(isRefused.lazy.filter(\.value).map(\.key))
  }

  /// Whether no channel refuses messages.
  public var isEmpty: Bool { places.isEmpty }

  /// Whether each of a contact's channels refuses messages.
  public func areOn(allChannelsOf contact: Contact) -> Bool {
    !places.isEmpty && !contact.channels.isEmpty
      && contact.channels.allSatisfy { places.contains(Place($0.kind, $0.address)) }
  }
}
