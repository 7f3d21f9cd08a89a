import Clients
import Domain
import FoundationEssentials

extension InMemoryPlatform {
  var channelsClient: ChannelsClient {
    ChannelsClient {
      $0.overview = { [store] () async throws(ChannelError) in
        try store.readChannels { $0.channelOverview }
      }
      $0.add = { [store] (draft: ChannelDraft, contact: Contact.ID?) async throws(ChannelError) in
        try store.addChannel(draft, contact)
      }
      $0.remove = {
        [store] (id: Channel.ID, passphrase: Secret<String>?) async throws(ChannelError) in
        try store.pass(
          .removeChannel, passphrase, notAuthenticated: ChannelError.notAuthenticated,
          ChannelError.gate)
        return try store.removeChannel(id)
      }
      $0.setMuted = {
        [store] (topic: Topic, id: Channel.ID, isMuted: Bool, passphrase: Secret<String>?)
          async throws(ChannelError) in
        try store.pass(
          .muteChannel, passphrase, notAuthenticated: ChannelError.notAuthenticated,
          ChannelError.gate
        ) { _, _ throws(ChannelError) in isMuted }
        return try store.setMuted(topic, id, isMuted)
      }
      $0.secret = {
        [store] (id: Channel.ID, passphrase: Secret<String>?) async throws(ChannelError) in
        try store.pass(
          .showSecret, passphrase, notAuthenticated: ChannelError.notAuthenticated,
          ChannelError.gate)
        return try store.secret(of: id)
      }
      $0.sendTest = { [store] (id: Channel.ID) async throws(ChannelError) in
        try store.sendTest(id)
      }
      $0.log = { [store] (id: Channel.ID) async throws(ChannelError) in
        try store.readChannels { account throws(ChannelError) in try account.channelLog(id) }
      }
      $0.observe = { [store] in
        store.observe { try $0.account(or: ChannelError.notAuthenticated).channelOverview }
      }
      $0.observeLog = { [store] id in
        store.observe { try $0.account(or: ChannelError.notAuthenticated).channelLog(id) }
      }
    }
  }
}

/// A channel with whose it is.
private struct HeldChannel {
  var channel: Channel
  /// The place of the outside contact in the list, or `nil` for the person themselves.
  var contact: Int?
}

extension InMemoryStore {
  fileprivate func readChannels<Value: Sendable>(
    _ body: (Account) throws(ChannelError) -> Value
  ) throws(ChannelError) -> Value {
    try read { contents throws(ChannelError) in
      try body(try contents.account(or: ChannelError.notAuthenticated))
    }
  }

  /// Changes the account, and what reaches those whose responder it is.
  private func changeChannels<Value: Sendable>(
    _ body: (inout Account) throws(ChannelError) -> Value
  ) throws(ChannelError) -> Value {
    try write { contents throws(ChannelError) in
      let value = try contents.changeAccount(
        or: ChannelError.notAuthenticated, at: now(), makeUUID: makeUUID
      ) { account throws(ChannelError) in
        let value = try body(&account)
        account.touch()
        return value
      }
      if let own = contents.signedIn {
        for peer in contents.relations.compactMap({ $0.side(of: own)?.peer }) {
          contents.accounts[peer]?.touch()
        }
      }
      return value
    }
  }

  fileprivate func addChannel(
    _ draft: ChannelDraft, _ id: Contact.ID?
  ) throws(ChannelError) -> NewChannel {
    let checked: ChannelDraft
    do { checked = try draft.checked() } catch { throw .invalid(error) }
    return try changeChannels { account throws(ChannelError) in
      guard let id else {
        let isKnown = account.ownChannels.contains {
          checked.leadsToSamePlace(as: ChannelDraft($0.kind, $0.address))
        }
        guard !isKnown else { throw .alreadyExists(name: account.user.profile.name) }
        let new = account.makeChannel(checked, makeUUID: makeUUID)
        account.channels.append(new.channel)
        return new
      }
      guard let index = account.contacts.firstIndex(where: { $0.id == id }) else {
        throw .notFound
      }
      if let other = account.contact(reachedBy: [checked]) {
        throw .alreadyExists(name: other.name)
      }
      let before = account.contacts[index]
      let new = account.makeChannel(checked, makeUUID: makeUUID)
      account.contacts[index].channels.append(new.channel)
      account.welcome(account.contacts[index], before: before, at: now(), makeUUID: makeUUID)
      return new
    }
  }

  fileprivate func removeChannel(_ id: Channel.ID) throws(ChannelError) {
    let notice = try changeChannels { account throws(ChannelError) -> String in
      let held = try account.heldChannel(id)
      guard id != account.user.id else { throw .isProfileAddress }
      if let index = held.contact {
        let contact = account.contacts[index]
        if contact.roles.contains(.responder), contact.channels.count == 1 {
          throw .invalid(.channelRequired)
        }
        account.contacts[index].channels.removeAll { $0.id == id }
      } else {
        account.channels.removeAll { $0.id == id }
        account.mutedTopics[id] = []
      }
      account.secrets[id] = nil
      account.cancelWords(to: account.recipient(of: held), on: held.channel, at: now())
      return ResponderNotice.removedChannel(
        held.channel.kind, of: held.contact.map { account.contacts[$0].name })
    }
    write { contents in
      contents.noticeResponders(
        of: contents.signedIn, notice, at: now(), makeUUID: makeUUID)
    }
  }

  fileprivate func setMuted(
    _ topic: Topic, _ id: Channel.ID, _ isMuted: Bool
  ) throws(ChannelError) {
    try changeAccount(or: ChannelError.notAuthenticated) { account throws(ChannelError) in
      guard account.ownChannels.contains(where: { $0.id == id }) else { throw .notFound }
      account.mutedTopics.set(topic, id, isMuted: isMuted)
      account.touch()
    }
  }

  fileprivate func secret(of id: Channel.ID) throws(ChannelError) -> Secret<String>? {
    try changeAccount(or: ChannelError.notAuthenticated) { account throws(ChannelError) in
      _ = try account.heldChannel(id)
      return account.secrets[id]
    }
  }

  fileprivate func sendTest(_ id: Channel.ID) throws(ChannelError) {
    try changeAccount(or: ChannelError.notAuthenticated) { account throws(ChannelError) in
      let held = try account.heldChannel(id)
      let contact = held.contact.map { account.contacts[$0] }
      if let contact, contact.declinedAt != nil { throw .declined(name: contact.name) }
      account.enqueue(
        PlannedDelivery(
          occasion: .account, stage: .channelTest(makeUUID()),
          recipient: account.recipient(of: held),
          recipientName: contact?.name ?? account.user.profile.name,
          channel: held.channel.kind, address: held.channel.address),
        at: now(), makeUUID: makeUUID)
      account.touch()
    }
  }
}

extension Account {
  fileprivate var ownChannels: [Channel] { user.ownChannels(besides: channels) }

  fileprivate var channelOverview: ChannelOverview {
    ChannelOverview(
      own: ownChannels, others: contacts.flatMap(\.channels), messages: messages,
      muted: mutedTopics)
  }

  fileprivate func channelLog(_ id: Channel.ID) throws(ChannelError) -> [DeliveryReport] {
    messages.log(of: try heldChannel(id).channel)
  }

  /// What was sent to the person and their contacts, as they are shown it: without a trace of a
  /// silent alert (CHK-3).
  private var messages: [DeliveryReport] {
    let words = deliveries.filter { delivery in
      if case .alert = delivery.planned.occasion { false } else { true }
    }
    return words.map(\.report) + reports(2 * Channel.logLength).reversed().flatMap(\.deliveries)
  }

  fileprivate func heldChannel(_ id: Channel.ID) throws(ChannelError) -> HeldChannel {
    if let channel = ownChannels.first(where: { $0.id == id }) {
      return HeldChannel(channel: channel)
    }
    for (index, contact) in contacts.enumerated() {
      if let channel = contact.channels.first(where: { $0.id == id }) {
        return HeldChannel(channel: channel, contact: index)
      }
    }
    throw .notFound
  }

  fileprivate func recipient(of held: HeldChannel) -> Recipient {
    held.contact.map { .contact(contacts[$0].id) } ?? .owner
  }

  // MARK: Secrets

  /// A channel with its secret, which is kept.
  mutating func makeChannel(_ draft: ChannelDraft, makeUUID: () -> UUID) -> NewChannel {
    let channel = Channel(id: makeUUID(), kind: draft.kind, address: draft.address)
    secrets[channel.id] = draft.token
    giveSecret(to: channel, makeUUID: makeUUID)
    return NewChannel(channel: channel, secret: secrets[channel.id])
  }

  /// Gives a webhook a secret: 32 bytes that follow from the store's identities, so that a demo is the
  /// same each time.
  mutating func giveSecret(to channel: Channel, makeUUID: () -> UUID) {
    guard channel.kind == .webhook else { return }
    let bytes = [makeUUID(), makeUUID()].flatMap { withUnsafeBytes(of: $0.uuid, Array.init) }
    secrets[channel.id] = Secret("whsec_" + Data(bytes).base64EncodedString())
  }
}

extension InMemoryStore.Contents {
  /// Adds what signs a message or opens its topic.
  func addingSecret(to delivery: ClaimedDelivery, of id: User.ID) -> ClaimedDelivery {
    guard let account = accounts[id] else { return delivery }
    var delivery = delivery
    var held = account.channels
    var secrets = account.secrets
    if case .contact(let recipient) = delivery.recipient {
      if let relation = relations.first(where: { $0.id == recipient }),
        let peer = accounts[relation.requester == id ? relation.addressee : relation.requester]
      {
        held = peer.channels
        secrets = peer.secrets
      } else {
        held = account.contacts.first { $0.id == recipient }?.channels ?? []
      }
    }
    delivery.secret =
      held.first {
        $0.kind == delivery.channel && $0.address == delivery.address
      }.flatMap { secrets[$0.id] }
      ?? account.kept.first {
        .contact($0.responder) == delivery.recipient && $0.channel.kind == delivery.channel
          && $0.channel.address == delivery.address
      }?.secret
    return delivery
  }
}
