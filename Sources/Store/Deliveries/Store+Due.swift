import Clients
import Domain
import FoundationEssentials

/// Reading what the planner needs.
///
/// Many accounts are read at once: with one query for each kind of thing, a hundred accounts cost
/// little more than one. The keys come as a JSON list, which stands first in every query – `CROSS
/// JOIN` keeps it there – so that each query looks up the rows of these accounts in an index.
extension Store {
  /// Returns the accounts that need attention, longest waiting first. One that can't be read is
  /// postponed by an hour and reported, and the others are served (ESC-6).
  func due(at now: Date, limit: Int) throws(StorageError) -> [MonitoredAccount] {
    while true {
      let (accounts, faults) = try read(StorageError.self) {
        let keys = try dueKeys(at: now, limit: max(0, limit))
        var accounts: [MonitoredAccount] = []
        var faults: [(key: Int, reason: String)] = []
        for (key, result) in zip(keys, try sparingOthers(keys, monitoredAccounts)) {
          switch result {
          case .success(let account): accounts.append(account)
          case .failure(.serialization(let reason)), .failure(.corrupt(let reason)):
            faults.append((key, reason))
          case .failure(let error): throw error
          }
        }
        return (accounts, faults)
      }
      if faults.isEmpty {
        // If no more are due, every account that wasn't looked at since a gap becomes due.
        guard accounts.count < limit, try sweep(at: now) else { return accounts }
        continue
      }
      try write(StorageError.self, .other) {
        for fault in faults {
          try database.run(
            "UPDATE account SET fault = ?2, attention_at = ?3 WHERE key = ?1",
            fault.key, fault.reason, now + .hours(1))
          try endAttention(of: fault.key)
        }
      }
      // The accounts after them must still be served.
      if !accounts.isEmpty { return accounts }
    }
  }

  /// Returns the keys of the accounts that are due. Those that another account's change concerns
  /// come first, like those that changed themselves.
  private func dueKeys(at now: Date, limit: Int) throws(StorageError) -> [Int] {
    let asked = try database.column(
      Int.self, "SELECT account FROM attention ORDER BY number LIMIT ?1", limit)
    let waiting = try database.column(
      Int.self,
      """
      SELECT key FROM account WHERE attention_at <= ?1
      ORDER BY attention_at, last_check_in LIMIT ?2
      """, now, limit)
    guard !asked.isEmpty else { return waiting }
    var keys: [Int] = []
    for key in asked + waiting where !keys.contains(key) { keys.append(key) }
    return Array(keys.prefix(limit))
  }

  /// Runs the body for several items at once. If one makes it fail, runs it for each half, and so
  /// on until it fails for that item alone (ESC-6).
  func sparingOthers<Item, Value>(
    _ items: [Item], _ body: ([Item]) throws -> [Value]
  ) throws(StorageError) -> [Result<Value, StorageError>] {
    guard !items.isEmpty else { return [] }
    do {
      return try body(items).map(Result.success)
    } catch {
      let error = StorageError.wrapping(error)
      switch error {
      case .serialization, .corrupt: break
      default: throw error
      }
      guard items.count > 1 else { return [.failure(error)] }
      let half = items.count / 2
      return try sparingOthers(Array(items[..<half]), body)
        + sparingOthers(Array(items[half...]), body)
    }
  }

  func monitoredAccount(_ key: Int) throws -> MonitoredAccount { try monitoredAccounts([key])[0] }

  // MARK: Several accounts

  private func monitoredAccounts(_ keys: [Int]) throws -> [MonitoredAccount] {
    let list = keys.json
    let accounts = try database.grouped(
      """
      SELECT account.key, \(Self.revision), account.watched_elsewhere, \(User.columns)
      FROM json_each(?1) AS listed CROSS JOIN account ON account.key = listed.value
      """, list
    ) { row throws(StorageError) -> (revision: Int, isWatchedElsewhere: Bool, user: User) in
      (try row.read(), try row.read(), try User(reading: &row))
    }
    let alerts = try unsettledAlerts(of: list)
    let deliveries = try relevantDeliveries(of: list)
    let contacts = try outsideResponders(of: list)
    let linked = try linkedResponders(of: list)
    let kept = try keptResponders(of: list)
    let ownChannels = try channels(of: list)
    let muted = try mutedTopics(of: list)
    let notices = try database.grouped(
      """
      SELECT account.key, notice.stage
      FROM json_each(?1) AS listed CROSS JOIN account ON account.key = listed.value
        CROSS JOIN notice
          ON notice.account = account.key
            AND notice.sequence IN (account.check_in_sequence, \(Self.outingNotices))
      """, list
    ) { row throws(StorageError) in try row.read(Stage.self) }
    let armed = try armedAlerts(of: list)
    let since = try watchedSince()
    let waits = try waits(of: list)
    return try keys.map { key in
      guard let account = accounts[key]?.first else { throw NoAccount() }
      // Everyone who is notified, by name, without those who declined (CON-3).
      var responders = (contacts[key] ?? []) + (linked[key] ?? [])
      responders.add(waits[key] ?? [])
      return MonitoredAccount(
        user: account.user, revision: account.revision,
        responders: responders.byName.withUniqueAddresses, alerts: alerts[key] ?? [],
        deliveries: deliveries[key] ?? [], shownStages: Set(notices[key] ?? []),
        watchedSince: since, furtherChannels: ownChannels[key] ?? [],
        mutedTopics: muted[key] ?? MutedTopics(),
        armed: armed[key]?.first, respondersKeptUnderDuress: kept[key] ?? [],
        isWatchedElsewhere: account.isWatchedElsewhere)
    }
  }

  private func unsettledAlerts(
    of list: String
  ) throws(StorageError) -> [Int: [Alert]] {
    let found = try database.grouped(
      """
      SELECT alert.account, alert.key, \(Alert.columns)
      FROM json_each(?1) AS listed
        CROSS JOIN alert ON alert.account = listed.value AND alert.settled = 0
      ORDER BY alert.key
      """, list
    ) { row throws(StorageError) -> (key: Int, alert: Alert) in
      (try row.read(), try Alert(reading: &row))
    }
    guard !found.isEmpty else { return [:] }
    let acknowledgements = try database.grouped(
      """
      SELECT alert, responder, name, at, nullif(withdrawals, 0)
      FROM json_each(?1) AS listed CROSS JOIN acknowledgement ON alert = listed.value
        AND withdrawn_at IS NULL
      ORDER BY at, responder
      """, found.values.joined().map(\.key).json
    ) { row throws(StorageError) in
      Acknowledgement(
        responder: try row.read(), name: try row.read(), date: try row.read(),
        withdrawals: try row.read())
    }
    return found.mapValues { alerts in
      alerts.map { found in
        var alert = found.alert
        alert.acknowledgements = acknowledgements[found.key] ?? []
        return alert
      }
    }
  }

  /// Returns the deliveries about the current deadline, unsettled alerts and the account, and all
  /// that are pending.
  private func relevantDeliveries(
    of list: String
  ) throws(StorageError) -> [Int: [DeliveryRecord]] {
    try database.grouped(
      """
      SELECT delivery.account, \(DeliveryRecord.columns)
      FROM delivery LEFT JOIN alert ON alert.key = delivery.alert
      WHERE delivery.key IN (
        SELECT delivery.key FROM json_each(?1) AS listed
          CROSS JOIN delivery ON delivery.account = listed.value AND delivery.state = 'pending'
        UNION SELECT delivery.key FROM json_each(?1) AS listed
          CROSS JOIN account ON account.key = listed.value
          CROSS JOIN delivery ON delivery.account = account.key AND delivery.alert IS NULL
            AND delivery.sequence IN (account.check_in_sequence, -1)
        UNION SELECT delivery.key FROM json_each(?1) AS listed
          CROSS JOIN alert ON alert.account = listed.value AND alert.settled = 0
          CROSS JOIN delivery ON delivery.alert = alert.key)
        AND NOT \(Stage.isWordToOne)
      ORDER BY delivery.key
      """, list, read: DeliveryRecord.init(reading:))
  }

  // MARK: Responders

  private func outsideResponders(of list: String) throws(StorageError) -> [Int: [Contact]] {
    let contacts = try database.grouped(
      """
      SELECT contact.account, contact.key, \(Contact.columns)
      FROM json_each(?1) AS listed CROSS JOIN contact ON contact.account = listed.value
      WHERE contact.roles & 1 <> 0
      """, list
    ) { row throws(StorageError) -> (key: Int, contact: Contact) in
      (try row.read(), try Contact(reading: &row))
    }
    let channels = try database.grouped(
      """
      SELECT channel.contact, channel.id, channel.kind, channel.address
      FROM json_each(?1) AS listed CROSS JOIN channel ON channel.account = listed.value
      WHERE channel.contact IS NOT NULL ORDER BY channel.key
      """, list, read: Channel.init(reading:))
    return contacts.mapValues { contacts in
      contacts.filter(\.contact.isResponder).map { found in
        var contact = found.contact
        contact.channels = channels[found.key] ?? []
        return contact
      }
    }
  }

  /// Returns everyone who responds for an account.
  func responders(of key: Int) throws(StorageError) -> [Contact] {
    (try outsideResponders(of: [key].json)[key] ?? []) + (try linkedResponders(of: key))
  }

  /// Returns the kinds of channels on which the responders of accounts are notified.
  func responderKinds(of keys: [Int]) throws(StorageError) -> [Int: Set<Channel.Kind>] {
    try outsideResponders(of: keys.json).merging(linkedResponders(of: keys.json)) { $0 + $1 }
      .mapValues { Set($0.flatMap(\.channels).map(\.kind)) }
  }

  /// Returns the accounts that respond for one, with the channels that they entered themselves.
  func linkedResponders(of key: Int) throws(StorageError) -> [Contact] {
    try linkedResponders(of: [key].json)[key] ?? []
  }

  private func linkedResponders(of list: String) throws(StorageError) -> [Int: [Contact]] {
    let found = try database.grouped(
      """
      SELECT responsible.account, responsible.peer, responsible.id, responsible.roles,
        responsible.created_at, peer.id, peer.name, peer.phone, peer.email
      FROM (
        SELECT requester AS account, addressee AS peer, relation.id, relation.roles, created_at
        FROM json_each(?1) AS listed CROSS JOIN relation ON requester = listed.value
        WHERE relation.roles & 1 <> 0 AND relation.state = 'active'
        UNION ALL
        SELECT addressee, requester, relation.id,
          (relation.roles & 1) * 2 + (relation.roles & 2) / 2, created_at
        FROM json_each(?1) AS listed CROSS JOIN relation ON addressee = listed.value
        WHERE relation.roles & 2 <> 0 AND relation.state = 'active'
      ) AS responsible CROSS JOIN account AS peer ON peer.key = responsible.peer
      """, list
    ) { row throws(StorageError) -> (peer: Int, email: String?, contact: Contact)? in
      let peer: Int = try row.read()
      let id: UUID = try row.read()
      let roles: Roles = try row.read()
      let addedAt: Date = try row.read()
      // A fault in the other account is reported with that one. It must not keep this account from
      // being watched, nor the other from being notified if it still has a channel (ESC-6).
      guard let user = try? row.read(UUID.self) else { return nil }
      let name = try? row.read(String.self)
      let phone = try? row.read(String?.self)
      let email = try? row.read(String?.self)
      let contact = Contact(
        id: id, name: name ?? email ?? "?", phone: phone, roles: roles, addedAt: addedAt,
        link: AccountLink(user: user, state: .active))
      return (peer, email, contact)
    }
    guard !found.isEmpty else { return [:] }
    let further = try channels(of: Set(found.values.joined().map(\.peer)).sorted().json) {
      try? Channel(reading: &$0)
    }
    return found.mapValues { responders in
      responders.map { found in
        var contact = found.contact
        contact.channels = Channel.own(
          of: contact.link!.user, email: found.email, besides: further[found.peer] ?? [])
        return contact
      }
    }
  }

  /// Returns the channels that accounts have added to the addresses that they sign in with.
  private func channels(
    of list: String,
    read: (inout RowReader) throws(StorageError) -> Channel? = Channel.init(reading:)
  ) throws(StorageError) -> [Int: [Channel]] {
    try database.grouped(
      """
      SELECT channel.account, channel.id, channel.kind, channel.address
      FROM json_each(?1) AS listed CROSS JOIN channel ON channel.account = listed.value
      WHERE channel.contact IS NULL ORDER BY channel.key
      """, list, read: read)
  }
}

extension [Int] {
  /// The numbers as a list for SQLite's `json_each`.
  var json: String { "[" + map(String.init).joined(separator: ",") + "]" }
}

extension DeliveryRecord {
  /// The columns that ``init(reading:)`` reads, in its order.
  fileprivate static let columns = """
    delivery.id, alert.id, delivery.sequence, delivery.stage, delivery.recipient,
    delivery.channel, delivery.address, delivery.state, delivery.attempts,
    delivery.recorded = 1 AND delivery.doubtful = 0, delivery.leased_until, delivery.finished_at,
    delivery.planned_at
    """

  fileprivate init(reading row: inout RowReader) throws(StorageError) {
    let id: UUID = try row.read()
    let alert: UUID? = try row.read()
    let sequence: Int? = try row.read()
    let occasion: Occasion
    switch (alert, sequence) {
    case (let alert?, nil): occasion = .alert(alert)
    case (nil, -1): occasion = .account
    case (nil, let sequence?): occasion = .deadline(sequence: sequence)
    default: throw .serialization("a delivery belongs to nothing")
    }
    self.init(
      id: id, occasion: occasion, stage: try row.read(), recipient: try row.read(),
      channel: try row.read(), address: try row.read(), state: try row.read(),
      attempts: try row.read(), lastAttemptIsRecorded: try row.read(),
      leasedUntil: try row.read(), finishedAt: try row.read())
    plannedAt = try row.read()
  }
}
