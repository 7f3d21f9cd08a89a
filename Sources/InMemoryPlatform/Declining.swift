import Clients
import Domain
import FoundationEssentials

/// Telling somebody outside that they were named, and taking their no (CON-3).
extension Account {
  /// They are told nothing more (CON-3); said twice, it counts once.
  mutating func decline(_ index: Int, at now: Date, makeUUID: () -> UUID) {
    kept.removeAll { $0.responder == contacts[index].id }
    guard contacts[index].declinedAt == nil else { return }
    contacts[index].declinedAt = now
    cancelWords(to: .contact(contacts[index].id), at: now)
    notify(.contactDeclined, about: contacts[index].name, at: now, makeUUID: makeUUID)
    touch()
  }

  /// Tells who has become a responder so, once on each channel, with a code to decline.
  /// - Parameter old: The contact before the change; `nil` for a new one.
  mutating func welcome(
    _ contact: Contact, before old: Contact?, at now: Date, makeUUID: () -> UUID
  ) {
    guard contact.isResponder else {
      if old?.isResponder == true { cancelWords(to: .contact(contact.id), at: now) }
      return
    }
    let known = old.map { $0.isResponder ? $0.channels : [] } ?? []
    let channels = contact.channels.filter { !known.contains($0) }
    guard !channels.isEmpty else { return }
    for channel in channels {
      enqueue(
        PlannedDelivery(
          occasion: .account, stage: .contactAdded, recipient: .contact(contact.id),
          recipientName: contact.name, channel: channel.kind, address: channel.address),
        at: now, makeUUID: makeUUID)
    }
  }

  /// Stops what is still to be sent to somebody about neither a deadline nor an alert.
  mutating func cancelWords(to recipient: Recipient, on channel: Channel? = nil, at now: Date) {
    for index in deliveries.indices {
      let planned = deliveries[index].planned
      guard planned.stage.isWordToOne, planned.recipient == recipient,
        channel.map({ $0.kind == planned.channel && $0.address == planned.address }) ?? true
      else { continue }
      deliveries[index].cancel(at: now)
    }
  }

  /// Forgets, of an account that is being deleted, its own channels and what was to be sent to one of
  /// them or of its contacts (AUTH-4).
  mutating func forgetWords() {
    channels = []
    mutedTopics = MutedTopics()
    codes.removeAll { $0.alert == nil }
    deliveries.removeAll { $0.planned.stage.isWordToOne }
  }
}

extension Stage {
  /// Whether it is a word to one, which no planner decides about.
  var isWordToOne: Bool {
    switch self {
    case .contactAdded, .channelTest, .responderNotice, .passwordWasReset, .addressCode,
      .addressReplaced, .addressTakenBack, .requestWaits:
      true
    default: false
    }
  }
}
