import Clients
import Cryptography
import Domain
import FoundationEssentials

extension StoreClients {
  var channelsClient: ChannelsClient {
    ChannelsClient {
      $0.overview = { () async throws(ClientError) in try await store.channelOverview() }
      $0.add = { draft, contact async throws(ClientError) in
        try await store.addChannel(draft, contact)
      }
      $0.newTopic = { () async throws(ClientError) in
        NtfyTopic(random: SecureRandom.bytes(NtfyTopic.randomCount))
      }
      $0.remove = { id async throws(ClientError) in
        try await pass(.removeChannel) { store, account in
          try !store.isUnproven(store.heldChannel(id, of: account), of: account)
        }
        return try await store.removeChannel(id)
      }
      $0.setMuted = { topic, id, isMuted async throws(ClientError) in
        try await pass(.muteChannel) { _, _ in isMuted }
        return try await store.setMuted(topic, id, isMuted)
      }
      $0.secret = { id async throws(ClientError) in
        try await pass(.showSecret)
        return try await store.secret(of: id)
      }
      $0.replaceSecret = { id, secret async throws(ClientError) in
        let opened = try await pass(.replaceSecret)
        return try await store.replaceSecret(of: id, with: secret, alsoKept: opened == .open)
      }
      $0.sendTest = { id async throws(ClientError) in try await store.sendTest(id) }
      $0.log = { id async throws(ClientError) in try await store.channelLog(id) }
      $0.observe = { store.observeAccount { try $0.channelOverview() } }
      $0.observeLog = { id in store.observeAccount { try $0.channelLog(id) } }
    }
  }
}

/// A channel and its owner.
private struct HeldChannel {
  var channel: Channel
  /// The outside contact that it belongs to, or `nil` for the person themselves.
  var contact: Contact?

  var recipient: Recipient { contact.map { .contact($0.id) } ?? .owner }
}

extension Store {
  // MARK: Reading

  /// Returns the channels that a person added besides the address of their account.
  func ownChannels(of account: Int) throws(StorageError) -> [Channel] {
    try database.rows(
      """
      SELECT id, kind, address FROM channel WHERE account = ?1 AND contact IS NULL ORDER BY key
      """, account, read: Channel.init(reading:))
  }

  func channelOverview() throws(ClientError) -> ChannelOverview {
    try read { key in
      // Of the messages that aren't about an alert, only the last on each channel.
      let others = try database.rows(
        """
        SELECT \(DeliveryReport.columns) FROM delivery WHERE key IN (
          SELECT max(key) FROM delivery
          WHERE account = ?1 AND alert IS NULL AND state <> 'cancelled' GROUP BY channel, address)
        """, key, read: DeliveryReport.init(reading:))
      let messages = try others + alertMessages(of: key)
      return ChannelOverview(
        own: try user(key).ownChannels(besides: ownChannels(of: key)),
        others: messages.isEmpty ? [] : try contactsChannels(of: key), messages: messages,
        muted: try mutedTopics(of: key))
    }
  }

  /// Returns the channels of all outside contacts of an account, in any order.
  private func contactsChannels(of account: Int) throws(StorageError) -> [Channel] {
    try database.rows(
      "SELECT id, kind, address FROM channel WHERE account = ?1 AND contact IS NOT NULL", account,
      read: Channel.init(reading:))
  }

  func channelLog(_ id: Channel.ID) throws(ClientError) -> [DeliveryReport] {
    try read { key in
      let channel = try heldChannel(id, of: key).channel
      let others = try database.rows(
        """
        SELECT \(DeliveryReport.columns) FROM delivery
        WHERE account = ?1 AND alert IS NULL AND channel = ?2 AND address = ?3
        ORDER BY key DESC LIMIT ?4
        """, key, channel.kind, channel.address, Channel.logLength,
        read: DeliveryReport.init(reading:))
      return try (others.reversed() + alertMessages(of: key)).log(of: channel)
    }
  }

  /// Returns the messages about the latest alerts as their person sees them: without a trace of a
  /// silent one (CHK-3).
  private func alertMessages(of key: Int) throws(StorageError) -> [DeliveryReport] {
    try reports(of: key, limit: 2 * Channel.logLength).reversed().flatMap(\.deliveries)
  }

  /// Returns whether one of the person's own channels was added here a moment ago and no message
  /// was ever sent on it, not even its test. It may be a mistyped address: removing it takes
  /// nothing away.
  fileprivate func isUnproven(_ held: HeldChannel, of account: Int) throws(StorageError) -> Bool {
    guard held.contact == nil, addedChannels.contains(held.channel.id) else { return false }
    let sent = try database.column(
      Bool.self,
      """
      SELECT delivery.state = 'sent' FROM delivery
      WHERE account = ?1 AND recipient = ?2 AND channel = ?3 AND address = ?4
      """, account, held.recipient, held.channel.kind, held.channel.address)
    return !sent.isEmpty && !sent.contains(true)
  }

  fileprivate func heldChannel(_ id: Channel.ID, of key: Int) throws -> HeldChannel {
    let own = try user(key).ownChannels(besides: ownChannels(of: key))
    if let channel = own.first(where: { $0.id == id }) { return HeldChannel(channel: channel) }
    let contact = try database.value(
      UUID.self,
      """
      SELECT contact.id FROM channel JOIN contact ON contact.key = channel.contact
      WHERE channel.account = ?1 AND channel.id = ?2
      """, key, id
    ).map { try self.contact($0, of: key) }
    guard let contact, let channel = contact.channels.first(where: { $0.id == id }) else {
      throw ClientError.channelNotFound
    }
    return HeldChannel(channel: channel, contact: contact)
  }

  // MARK: Changing

  func addChannel(
    _ draft: ChannelDraft, _ contact: Contact.ID?
  ) throws(ClientError) -> NewChannel {
    let new = try write {
      let draft = try draft.checked()
      let key = try requireKeyHere()
      let new: NewChannel
      if let contact {
        guard let before = try? self.contact(contact, of: key) else {
          throw ClientError.channelNotFound
        }
        if let other = try self.contact(of: key, reachedBy: [draft]) {
          throw ClientError.channelExists(name: other.name)
        }
        try requireRoom(.channels, for: before.channels.count + 1, of: key)
        new = try insertChannel(draft, contact: contact, account: key)
        try welcome(self.contact(contact, of: key), before: before, account: key)
      } else {
        let user = try user(key)
        let own = user.ownChannels(besides: try ownChannels(of: key))
        let isKnown = own.contains {
          draft.hasSameAddress(as: ChannelDraft($0.kind, $0.address))
        }
        guard !isKnown else { throw ClientError.channelExists(name: user.profile.name) }
        try requireRoom(.ownChannels, for: 1, of: key)
        new = try insertChannel(draft, contact: nil, account: key)
        try requestAttention(forDependentsOf: key)
      }
      try touch(key)
      return new
    }
    // Only a local app removes a channel again whose first test failed.
    if contact == nil, !session.isRemote { addedChannels.insert(new.channel.id) }
    return new
  }

  func removeChannel(_ id: Channel.ID) throws(ClientError) {
    try writeHere { key in
      let held = try heldChannel(id, of: key)
      guard try id != user(key).id else { throw ClientError.isProfileAddress }
      if let contact = held.contact, contact.roles.contains(.responder),
        contact.channels.count == 1
      {
        throw ValidationError.channelRequired
      }
      let isUnproven = try isUnproven(held, of: key)
      try database.run("DELETE FROM channel WHERE account = ?1 AND id = ?2", key, id)
      try cancelMessages(to: held.recipient, on: held.channel, account: key)
      if held.contact == nil { try requestAttention(forDependentsOf: key) }
      if !isUnproven {
        try noticeResponders(
          of: key, ResponderNotice.removedChannel(held.channel.kind, of: held.contact?.name))
      }
      try touch(key)
    }
  }

  /// Adds a channel, and makes the secret that signs a webhook.
  @discardableResult
  func insertChannel(
    _ draft: ChannelDraft, contact: Contact.ID?, account: Int
  ) throws(StorageError) -> NewChannel {
    try insert(
      Channel(id: makeUUID(), kind: draft.kind, address: draft.address), token: draft.token,
      contact: contact, account: account)
  }

  @discardableResult
  func insert(
    _ channel: Channel, token: Secret<String>? = nil, contact: Contact.ID?, account: Int
  ) throws(StorageError) -> NewChannel {
    let secret = channel.kind == .webhook ? Secret(SecureToken.webhookSecret) : token
    try database.run(
      """
      INSERT INTO channel (account, contact, id, kind, address, secret)
      VALUES (?1, (SELECT key FROM contact WHERE account = ?1 AND id = ?2), ?3, ?4, ?5, ?6)
      """, account, contact, channel.id, channel.kind, channel.address, secret?.value)
    return NewChannel(channel: channel, secret: secret)
  }

  // MARK: Secrets

  func secret(of id: Channel.ID) throws(ClientError) -> Secret<String>? {
    try read { key in
      _ = try heldChannel(id, of: key)
      return try database.optionalValue(
        String.self, "SELECT secret FROM channel WHERE account = ?1 AND id = ?2", key, id
      ).map(Secret.init)
    }
  }

  /// Replaces the access token of a channel. This fails for a kind without one; a webhook's secret
  /// is made by the store alone.
  /// - Parameter alsoKept: Whether a silent alert that is on uses the new token, too, because
  ///   nobody forced the person to replace it.
  func replaceSecret(
    of id: Channel.ID, with secret: Secret<String>, alsoKept: Bool
  ) throws(ClientError) {
    try writeHere { key in
      let channel = try heldChannel(id, of: key).channel
      let draft = try ChannelDraft(channel.kind, channel.address, token: secret).checked()
      guard let token = draft.token else { throw ValidationError.accessToken }
      try database.run(
        """
        UPDATE channel SET secret = ?3, may_be_private = iif(kind = 'service', 0, may_be_private)
        WHERE account = ?1 AND id = ?2
        """, key, id, token.value)
      if alsoKept {
        try database.run("UPDATE kept_channel SET secret = ?2 WHERE id = ?1", id, token.value)
      }
      try retry(channel, account: key, at: now())
      try touch(key)
    }
  }

  /// Returns whether a channel of the account, or of a person related to it, was there before
  /// servers kept private addresses from being reached.
  func mayReachPrivate(
    _ delivery: ClaimedDelivery, of account: Int
  ) throws(StorageError) -> Bool {
    guard [.webhook, .ntfy, .service].contains(delivery.channel) else { return false }
    return try database.value(
      Int.self,
      """
      SELECT 1 FROM channel WHERE kind = ?2 AND address = ?3 AND may_be_private = 1
        AND (account = ?1 OR account IN (
          SELECT addressee FROM relation WHERE requester = ?1
          UNION SELECT requester FROM relation WHERE addressee = ?1))
      UNION ALL SELECT 1 FROM kept_channel
        WHERE account = ?1 AND kind = ?2 AND address = ?3 AND may_be_private = 1
      LIMIT 1
      """, account, delivery.channel, delivery.address) != nil
  }

  /// Returns what signs a message or opens its topic, or `nil`. For a silent alert, returns the one
  /// that was kept: the person may have been forced to replace it (CHK-3).
  func secret(
    for delivery: ClaimedDelivery, account: Int
  ) throws(StorageError) -> Secret<String>? {
    guard [.webhook, .ntfy, .service].contains(delivery.channel) else { return nil }
    let place = "channel.kind = ?3 AND channel.address = ?4"
    if delivery.isSilent,
      let kept = try database.row(
        """
        SELECT secret FROM kept_channel
        WHERE account = ?1 AND responder = ?2 AND kind = ?3 AND address = ?4
        """, account, delivery.recipient, delivery.channel, delivery.address,
        read: { row throws(StorageError) in try row.read(String?.self) })
    {
      return kept.map(Secret.init)
    }
    return try database.optionalValue(
      String.self,
      """
      SELECT secret FROM channel
        WHERE ?2 = 'owner' AND account = ?1 AND contact IS NULL AND \(place)
      UNION ALL SELECT secret FROM contact JOIN channel ON channel.contact = contact.key
        WHERE contact.id = ?2 AND contact.account = ?1 AND \(place)
      UNION ALL SELECT secret FROM relation
        JOIN channel ON channel.account = iif(requester = ?1, addressee, requester)
        WHERE relation.id = ?2 AND channel.contact IS NULL AND \(place)
      """, account, delivery.recipient, delivery.channel, delivery.address
    ).map(Secret.init)
  }

  // MARK: Messages to one recipient

  func sendTest(_ id: Channel.ID) throws(ClientError) {
    try write { key in
      let held = try heldChannel(id, of: key)
      if let contact = held.contact, contact.declinedAt != nil {
        throw ClientError.declined(name: contact.name)
      }
      let name = try held.contact?.name ?? user(key).profile.name
      let test = PlannedDelivery(
        occasion: .account, stage: .channelTest(makeUUID()), recipient: held.recipient,
        recipientName: name, channel: held.channel.kind, address: held.channel.address)
      guard try heldBack(test, about: nil, account: key, at: now()) == nil else {
        throw ClientError.testTooSoon(name: name)
      }
      try insert(test, account: key, now: now())
      try touch(key)
    }
  }

  /// Cancels the pending messages to a recipient that are about neither a deadline nor an alert.
  func cancelMessages(
    to recipient: Recipient, on channel: Channel? = nil, account: Int
  ) throws(StorageError) {
    try database.run(
      """
      UPDATE delivery SET state = 'cancelled', finished_at = ?5
      WHERE account = ?1 AND recipient = ?2 AND state = 'pending' AND sequence = -1
        AND channel = coalesce(?3, channel) AND address = coalesce(?4, address)
        AND \(Stage.isWordToOne)
      """, account, recipient, channel?.kind, channel?.address, now())
  }

  /// Deletes, for an account that is being deleted, the person's own channels, the codes to decline
  /// with, and the messages to single recipients (AUTH-4).
  func forgetWords(of account: Int) throws(StorageError) {
    try database.run("DELETE FROM channel WHERE account = ?1 AND contact IS NULL", account)
    try database.run("DELETE FROM response_code WHERE account = ?1 AND alert IS NULL", account)
    try database.run(
      "DELETE FROM delivery WHERE account = ?1 AND \(Stage.isWordToOne)", account)
  }
}

extension Stage {
  /// An SQL condition for a message to one recipient, which no planner decides about.
  static let isWordToOne =
    """
    (delivery.stage IN ('contact_added', 'address_code', 'address_replaced')
      OR delivery.stage GLOB 'channel_test:*' OR delivery.stage GLOB 'responder_notice:*'
      OR delivery.stage GLOB 'password_was_reset:*' OR delivery.stage GLOB 'address_taken_back:*'
      OR delivery.stage GLOB 'server_restored:*' OR delivery.stage GLOB 'reassurance:*'
      OR delivery.stage GLOB 'checked_in:*')
    """
}

extension Channel {
  init(reading row: inout RowReader) throws(StorageError) {
    self.init(id: try row.read(), kind: try row.read(), address: try row.read())
  }
}

extension DeliveryReport {
  /// The columns that ``init(reading:)`` reads, in its order.
  static let columns = """
    delivery.id, delivery.stage, delivery.recipient, delivery.recipient_name, delivery.channel,
    delivery.address, delivery.state, coalesce(delivery.finished_at, max(delivery.not_before, coalesce(
      (SELECT held_until FROM route WHERE route.key = delivery.route AND works_at IS NULL), 0))),
    delivery.planned_at,
    delivery.last_error, delivery.ambiguous > 0 AND delivery.state IN ('pending', 'failed'),
    delivery.begun_at, delivery.server
    """

  init(reading row: inout RowReader) throws(StorageError) {
    self.init(
      id: try row.read(), stage: try row.read(), recipientID: try row.read(),
      recipient: try row.read(), channel: try row.read(), address: try row.read(),
      state: try row.read(),
      date: try row.read(), plannedAt: try row.read(Date.self), error: try row.read())
    mayHaveBeenSent = try row.read()
    begunAt = try row.read()
    server = try row.read()
  }
}
