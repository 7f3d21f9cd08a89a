import Clients
import Domain
import FoundationEssentials

/// Telling somebody outside that they were named, and taking their no (CON-3).
extension InMemoryStore {
  func declineByCode(_ typed: Secret<String>) throws(ContactsError) -> Contact {
    let code = DeclineCode.normalized(typed.value)
    return try changeAccount(or: ContactsError.notAuthenticated) {
      account throws(ContactsError) in
      guard let id = account.declineCodes.first(where: { $0.value == code })?.key,
        let index = account.contacts.firstIndex(where: { $0.id == id })
      else { throw .declineCodeUnknown }
      guard account.contacts[index].declinedAt == nil else { return account.contacts[index] }
      account.contacts[index].declinedAt = now()
      account.cancelWords(to: .contact(id), at: now())
      account.notify(
        .contactDeclined, about: account.contacts[index].name, at: now(), makeUUID: makeUUID)
      account.touch()
      return account.contacts[index]
    }
  }
}

extension Account {
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
    if declineCodes[contact.id] == nil {
      declineCodes[contact.id] = String(makeUUID().uuidString.suffix(8))
    }
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
    declineCodes = [:]
    deliveries.removeAll { $0.planned.stage.isWordToOne }
  }
}

extension Stage {
  /// Whether it is a word to one, which no planner decides about.
  var isWordToOne: Bool {
    switch self {
    case .contactAdded, .channelTest: true
    default: false
    }
  }
}
