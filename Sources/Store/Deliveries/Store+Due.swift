import Clients
import Domain
import FoundationEssentials

/// Reading what the planner needs to know.
///
/// Of many accounts at once: a query for each kind of thing costs a hundred accounts little more than
/// one. The keys come as a JSON list, which stands first in every query – `CROSS JOIN` keeps it there –
/// so that each looks up what belongs to these accounts in an index.
extension Store {
  /// Accounts that need attention, longest waiting first. One that cannot be read is put aside for
  /// an hour and reported, and the others are served (ESC-6).
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
        // Those who are due come first; then everybody is looked at who was not since a gap.
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
      // Those who came after them are still to be served.
      if !accounts.isEmpty { return accounts }
    }
  }

  /// Those somebody else asked for come first, as those who wrote themselves do.
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

  /// Does for several at once what one of them may make fail. Where it does, it is done for each half,
  /// and so on until it fails for that one alone (ESC-6).
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
          ON notice.account = account.key AND notice.sequence = account.check_in_sequence
      """, list
    ) { row throws(StorageError) in try row.read(Stage.self) }
    let armed = try armedAlerts(of: list)
    let since = try watchedSince()
    return try keys.map { key in
      guard let account = accounts[key]?.first else { throw NoAccount() }
      // Everybody who is notified, by name, without those who declined (CON-3).
      let responders = (contacts[key] ?? []) + (linked[key] ?? [])
      return MonitoredAccount(
        user: account.user, revision: account.revision,
        responders: responders.byName.tellingEachPlaceOnce, alerts: alerts[key] ?? [],
        deliveries: deliveries[key] ?? [], noticed: Set(notices[key] ?? []),
        watchedSince: since, furtherChannels: ownChannels[key] ?? [],
        mutedTopics: muted[key] ?? MutedTopics(),
        armed: armed[key]?.first, kept: kept[key] ?? [],
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

  /// The deliveries of the running deadline, of alerts that are not settled and of the account, and
  /// whatever is pending.
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

  /// Everybody who responds for an account.
  func responders(of key: Int) throws(StorageError) -> [Contact] {
    (try outsideResponders(of: [key].json)[key] ?? []) + (try linkedResponders(of: key))
  }

  /// The kinds of channels by which the responders of accounts are notified.
  func responderKinds(of keys: [Int]) throws(StorageError) -> [Int: Set<Channel.Kind>] {
    try outsideResponders(of: keys.json).merging(linkedResponders(of: keys.json)) { $0 + $1 }
      .mapValues { Set($0.flatMap(\.channels).map(\.kind)) }
  }

  /// Accounts that respond for one, with the channels that they gave themselves.
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
      // What is wrong with the other account is reported with that one. It keeps nobody from being
      // watched, nor the other from being notified where there is a way (ESC-6).
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

  /// What accounts have added to the addresses that they sign in with.
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
  /// The numbers as SQLite's `json_each` takes them.
  var json: String { "[" + map(String.init).joined(separator: ",") + "]" }
}

extension DeliveryRecord {
  /// The columns that ``init(reading:)`` reads, in its order.
  fileprivate static let columns = """
    delivery.id, alert.id, delivery.sequence, delivery.stage, delivery.recipient,
    delivery.channel, delivery.address, delivery.state, delivery.attempts,
    delivery.recorded = 1 AND delivery.doubtful = 0, delivery.leased_until, delivery.finished_at
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
  }
}
