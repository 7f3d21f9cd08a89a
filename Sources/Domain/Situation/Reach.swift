public import FoundationEssentials

extension Situation {
  /// Whether the responders would be notified. Only contacts who have consented are responders
  /// (CON-2).
  public struct Reach: Equatable, Sendable {
    /// The channels that refuse messages about alerts.
    public let refusals: Refusals
    /// Whether there are responders, or `nil` while that isn't known.
    public let hasResponders: Bool?
    /// Why a missed deadline would notify nobody, as the end of a sentence, or `nil` if it would
    /// notify someone or that is not known.
    public let unreachableReason: String?
    /// The same, apart from what the monitors report themselves.
    public let unreachableReasonBesidesWatch: String?
    /// The first responders who get no messages: the last one on each of their channels was refused,
    /// or the monitors can't send on any of them.
    public private(set) var firstRefused: [Contact] = []
    public private(set) var refusedCount = 0
    /// The first of the other responders.
    public private(set) var firstReachable: [Contact] = []
    /// The first responders with a phone number.
    public private(set) var firstWithPhone: [Contact] = []
    /// The newest message to a responder that wasn't accepted, if it was the last one on its channel.
    public private(set) var lastFailure: DeliveryReport?
    /// A test mail to the person that wasn't accepted.
    public let failedMailTest: DeliveryReport?

    /// - Complexity: O(responders).
    init(of facts: AccountFacts, _ watch: Watch, _ refusals: Refusals) {
      self.refusals = refusals
      failedMailTest = facts.channels.failedMailTest
      hasResponders = facts.overview.map { $0.responderCount > 0 }
      unreachableReasonBesidesWatch = facts.reasonBesidesWatch(watch, refusals)
      unreachableReason =
        hasResponders == false
        ? unreachableReasonBesidesWatch : watch.failureReason ?? unreachableReasonBesidesWatch
      for contact in facts.responders {
        if contact.phone != nil, firstWithPhone.count < Situation.rowLimit {
          firstWithPhone.append(contact)
        }
        noteFailures(of: contact, facts.channels)
        if facts.contacts != nil,
          refusals.areOn(allChannelsOf: contact) || watch.leavesOut(contact)
        {
          refusedCount += 1
          if firstRefused.count < Situation.rowLimit { firstRefused.append(contact) }
        } else if firstReachable.count < Situation.rowLimit {
          firstReachable.append(contact)
        }
      }
    }

    private mutating func noteFailures(of contact: Contact, _ channels: ChannelOverview) {
      guard !channels.last.isEmpty else { return }
      for channel in contact.channels {
        guard let message = channels.last[channel.id], ChannelHealth(message).isFailing,
          lastFailure.map({ $0.plannedAt < message.plannedAt }) ?? true
        else { continue }
        lastFailure = message
      }
    }
  }

  /// Returns whether a responder can be notified.
  public func reach(of contact: Contact, _ channels: ChannelOverview) -> ResponderReach {
    if contact.hasNoChannel { return .noChannel }
    guard contact.link == nil else { return .byAccount }
    if reach.refusals.areOn(allChannelsOf: contact) { return .refused }
    if watch.leavesOut(contact) { return .leftOut }
    let health = contact.channels.lazy.map { channels.health(of: $0.id) }
    let sent = health.compactMap { if case .sent(let date) = $0 { date } else { nil } }.max()
    if let sent { return .sent(sent) }
    if health.contains(where: \.isFailing) { return .failing }
    return health.contains(.waiting) ? .waiting : .untried
  }
}

/// Whether a responder can be notified, judging by their channels and the last messages.
public enum ResponderReach: Equatable, Sendable {
  /// They have an account, and choose their channels themselves.
  case byAccount
  /// There is no address.
  case noChannel
  /// The last message about an alert on each of their channels was refused.
  case refused
  /// The monitors can't send on any of their channels.
  case leftOut
  /// When the last message was sent on one of their channels.
  case sent(Date)
  case failing
  /// A message is on its way.
  case waiting
  case untried
}

extension Contact {
  /// Whether nothing can be sent to them, as far as is known of a contact with an account.
  public var hasNoChannel: Bool { link.map { $0.channelKinds == [] } ?? channels.isEmpty }
}

extension AccountFacts {
  /// Returns why nobody would be notified, judging by the contacts that the monitors send to and the
  /// last messages to them, as the end of a sentence; `nil` if someone would be, or that isn't known.
  fileprivate func reasonBesidesWatch(
    _ watch: Situation.Watch, _ refusals: Refusals
  ) -> String? {
    guard let overview else { return nil }
    if overview.responderCount == 0 { return "you have no responders" }
    if overview.channelKinds.isEmpty, !overview.linked.contains(where: \.isResponder) {
      return "no responder has a channel"
    }
    guard contacts != nil else { return nil }
    var isAnyoneTried = false
    var areAllRefused = true
    // One responder whose messages arrive is enough; no monitor sends any to those left out.
    for responder in responders where !watch.leavesOut(responder) {
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
  func isFailing(_ contact: Contact) -> Bool {
    !contact.channels.isEmpty && contact.channels.allSatisfy { health(of: $0.id).isFailing }
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
