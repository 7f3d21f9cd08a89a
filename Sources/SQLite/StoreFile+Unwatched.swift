public import Clients
import Cryptography
import Domain
import FoundationEssentials
import Glibc
import Store

extension EmbeddedPlatform {
  /// Returns the client that reads what is left of a damaged store, whether it opens or not.
  public static func damagedStoreClient(folders: Folders) -> DamagedStoreClient {
    let file = StoreFile(folders)
    let lock = OwnerLock(path: folders.unwatched)
    return DamagedStoreClient(
      messages: { now in
        await Task.detached { file.unwatchedMessages(now: now) }.value
      },
      calls: { now in await Task.detached { file.calls(now: now) }.value },
      hasReadablePeople: {
        await Task.detached { file.damaged.map { !file.people($0).isEmpty } ?? false }.value
      },
      claimCalls: { lock.take(else: true) },
      noteSent: { id in file.noteUnwatched("\(id.uuidString)\n") },
      markRepaired: { unlink(folders.unwatched) })
  }
}

/// Reading what is left of a damaged store, from the tables alone.
extension StoreFile {
  /// The largest number of rows that are read from a table.
  private static let limit = 100_000

  fileprivate func unwatchedMessages(now: Date) -> [ClaimedDelivery] {
    guard let database = damaged else { return [] }
    let (since, sent) = notedUnwatched(database, now: now)
    return inOrder(people(database)).flatMap { $0.messages(since: since) }
      .filter { !sent.contains($0.id) }
  }

  /// Returns the calls of alerts that wait in files, and of those that are on in the store. An alert
  /// without an account belongs to the first one. Where there is no store, the newest backup names
  /// the people to call.
  fileprivate func calls(now: Date) -> [ClaimedDelivery] {
    let spool = AlertSpool(folders)
    let due = spool.alerts().compactMap { spooled -> (alert: Alert, account: User.ID?)? in
      guard let armed = spooled.armed else { return spooled.silent.map { ($0, spooled.account) } }
      guard armed.isDue(at: now), !spool.isStopped(armed) else { return nil }
      return (armed.raised(at: now), spooled.account)
    }
    let store = damaged
    guard let database = store ?? (due.isEmpty ? nil : lastBackup(now: now)) else { return [] }
    let on = store.map(alertsOn) ?? [:]
    guard !due.isEmpty || !on.isEmpty else { return [] }
    var (_, sent) = notedUnwatched(database, now: now)
    if store != nil { sent.formUnion(sentCalls(database)) }
    let known = people(database)
    let first = known.min { $0.key < $1.key }?.value
    // The newest backup still has the addresses that can't be read.
    var backedUp: [Int: UnwatchedPerson] = [:]
    if store != nil, let backup = lastBackup(now: now) { backedUp = people(backup) }
    func calls(of alert: Alert, _ person: UnwatchedPerson?, else key: Int?) -> [ClaimedDelivery] {
      let calls = person?.calls(of: alert) ?? []
      guard calls.isEmpty else { return calls }
      let earlier = backedUp.first { $0.key == key || $0.value.user.id == person?.user.id }
      return earlier?.value.calls(of: alert) ?? []
    }
    let fromFiles = due.flatMap { alert, account in
      let person = account.map { id in known.values.first { $0.user.id == id } } ?? first
      let key = account.flatMap { id in backedUp.first { $0.value.user.id == id }?.key }
      return calls(of: alert, person, else: key ?? (account == nil ? backedUp.keys.min() : nil))
    }
    let files = Set(due.map(\.alert.id))
    let fromStore = on.sorted { $0.key < $1.key }.filter { !files.contains($0.value.alert.id) }
      .flatMap { calls(of: $0.value.alert, known[$0.value.account], else: $0.value.account) }
    return (fromFiles + fromStore).filter { !sent.contains($0.id) }
  }

  /// Returns the alerts that are on, as far as they can be read, with the keys of their accounts.
  private func alertsOn(_ database: Database) -> [Int: (account: Int, alert: Alert)] {
    read(
      database, "alert", "account, id, kind, message, raised_at, sequence",
      where: "resolved_at IS NULL AND kind <> 'drill'"
    ) { row in
      let account: Int = try row.read()
      return (
        account,
        Alert(
          id: try row.read(), kind: try row.read(), message: (try? row.read()) ?? "",
          raisedAt: try row.read(), sequence: try row.read())
      )
    }
  }

  /// Returns the messages about alerts that were sent, as far as they can be read.
  private func sentCalls(_ database: Database) -> Set<UUID> {
    Set(
      read(database, "delivery", "id", where: "state = 'sent' AND alert IS NOT NULL") { row in
        try row.read(UUID.self)
      }.values)
  }

  /// The newest backup that can be opened.
  private func lastBackup(now: Date) -> Database? {
    let backups = BackupFolder(folders, schema: schema)
    for backup in (try? backups.all(asOf: now)) ?? [] {
      if let path = try? PrivateFiles.resolved(backups.path(of: backup)),
        let database = try? Database(path: path, access: .immutable)
      {
        return database
      }
    }
    return nil
  }

  private func inOrder(_ people: [Int: UnwatchedPerson]) -> [UnwatchedPerson] {
    people.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The store as it is, or `nil` if there is none.
  fileprivate var damaged: Database? {
    let database = try? Database(
      path: try PrivateFiles.resolved(folders.data) + "/lifesignal.db", access: .readWrite)
    database?.keepsLogOnClose = true
    return database
  }

  // MARK: Notes

  /// Whether a monitor has found the store damaged.
  var isUnwatched: Bool { access(folders.unwatched, F_OK) == 0 }

  /// Returns since when nobody has been watched, and which messages about it were sent.
  private func notedUnwatched(_ database: Database, now: Date) -> (since: Date, sent: Set<UUID>) {
    let bytes = (try? PrivateFiles.contents(of: folders.unwatched)) ?? nil
    let lines = bytes.map { String(decoding: $0, as: UTF8.self).split(separator: "\n") } ?? []
    if let first = lines.first, let since = Int(first) {
      let sent = lines.dropFirst().compactMap { UUID(uuidString: String($0)) }
      return (Date(milliseconds: since), Set(sent))
    }
    let lastSeen = try? database.optionalValue(Date.self, "SELECT last_seen FROM watch")
    let since = min(now, lastSeen ?? now)
    noteUnwatched("\(since.milliseconds)\n")
    return (since, [])
  }

  fileprivate func noteUnwatched(_ line: String) {
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC
    let descriptor = Glibc.open(folders.unwatched, flags, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    try? PrivateFiles.write(Array(line.utf8), to: descriptor, folders.unwatched)
  }

  // MARK: People

  /// Returns the people who can be read, by the keys of their accounts.
  fileprivate func people(_ database: Database) -> [Int: UnwatchedPerson] {
    var people = read(
      database, "account", "id, name, phone, email, last_check_in", where: "deleted_at IS NULL"
    ) { row in
      let id: UUID = try row.read()
      let profile = Profile(
        name: (try? row.read()) ?? "somebody", phone: (try? row.read()) ?? nil,
        email: (try? row.read()) ?? nil)
      return UnwatchedPerson(
        user: User(
          id: id, profile: profile, lastCheckIn: (try? row.read()) ?? .distantPast,
          createdAt: .distantPast))
    }
    // Read on its own: a store of an older program doesn't have it, and its people count all the same.
    let addresses = read(
      database, "account", "home_address", where: "home_address IS NOT NULL"
    ) { row in try row.read(String.self) }
    for (key, address) in addresses { people[key]?.user.profile.address = address }
    let outings = read(database, "account", "outing", where: "outing IS NOT NULL") { row in
      try row.read(Outing.self)
    }
    for (key, outing) in outings { people[key]?.user.outing = outing }
    let contacts = read(
      database, "contact", "account, id, name", where: "roles & 1 AND declined_at IS NULL"
    ) { row in
      (
        account: try row.read(Int.self), id: try row.read(UUID.self),
        name: try row.read(String.self)
      )
    }
    let channels = read(
      database, "channel", "account, contact, id, kind, address, secret", where: "true"
    ) { row in
      (
        account: try row.read(Int.self), contact: try row.read(Int?.self),
        place: UnwatchedPerson.Place(
          channel: Channel(id: try row.read(), kind: try row.read(), address: try row.read()),
          secret: try row.read(String?.self))
      )
    }
    let relations = read(
      database, "relation", "requester, addressee, id, roles", where: "state = 'active'"
    ) { row in
      (
        one: try row.read(Int.self), other: try row.read(Int.self), id: try row.read(UUID.self),
        roles: try row.read(Int.self)
      )
    }
    people = people.mapValues { person in
      var person = person
      person.places = person.user.ownChannels(besides: []).map { .init(channel: $0) }
      return person
    }
    var ofContacts: [Int: [UnwatchedPerson.Place]] = [:]
    for channel in channels.values {
      if let contact = channel.contact {
        ofContacts[contact, default: []].append(channel.place)
      } else {
        people[channel.account]?.places.append(channel.place)
      }
    }
    for (key, contact) in contacts {
      people[contact.account]?.responders.append((contact.id, contact.name, ofContacts[key] ?? []))
    }
    for relation in relations.values {
      for (person, responder, role) in [
        (relation.one, relation.other, 1), (relation.other, relation.one, 2),
      ] where relation.roles & role != 0 {
        guard let responder = people[responder] else { continue }
        people[person]?.responders.append(
          (relation.id, responder.user.profile.name, responder.places))
      }
    }
    return people
  }

  /// Returns the rows of a table that can be read, from both ends up to the damage. A table of an
  /// older program without one of the columns has none.
  private func read<Value>(
    _ database: Database, _ table: String, _ columns: String, where condition: String,
    _ read: (inout RowReader) throws -> Value
  ) -> [Int: Value] {
    var values: [Int: Value] = [:]
    for order in ["ASC", "DESC"] {
      try? database.visit(
        """
        SELECT key, \(columns) FROM \(table) NOT INDEXED WHERE \(condition)
        ORDER BY key \(order) LIMIT \(Self.limit)
        """
      ) { row throws(StorageError) in
        if let key = try? row.read(Int.self), values[key] == nil { values[key] = try? read(&row) }
        return true
      }
    }
    return values
  }
}

/// A person who isn't watched, and those who must be notified of it.
private struct UnwatchedPerson {
  struct Place {
    var channel: Channel
    var secret: String?
  }

  var user: User
  /// The person's own channels.
  var places: [Place] = []
  var responders: [(id: UUID, name: String, places: [Place])] = []

  /// Returns the messages that say so. The identifier of each is derived from its contents, so that
  /// it is one message even if two processes send it.
  func messages(since: Date) -> [ClaimedDelivery] {
    let time = CivilCalendar.utc.time(of: since)
    return
      (places.map { (Recipient.owner, user.profile.name, $0) } + placesOfResponders).map {
        recipient, name, place in
        message(
          .unwatched, to: recipient, name, place, plannedAt: since,
          id: UUID(
            derivedFrom: "unwatched \(since.milliseconds) \(user.id) \(recipient)"
              + " \(place.channel.kind) \(place.channel.address)"),
          detail: "\(time.dateText) \(time.clock) UTC")
      }
  }

  func calls(of alert: Alert) -> [ClaimedDelivery] {
    let stage = alert.kind.isMissedPromise ? Stage.nonResponsive : .alertOn
    let outing = user.outing
    return placesOfResponders.compactMap { recipient, name, place in
      if case .contact(let id) = recipient, alert.kind == .outing, outing?.concerns(id) == false {
        return nil
      }
      let planned = PlannedDelivery(
        occasion: .alert(alert.id), stage: stage, recipient: recipient, recipientName: name,
        channel: place.channel.kind, address: place.channel.address)
      return message(
        stage, to: recipient, name, place, plannedAt: alert.raisedAt,
        id: UUID(of: planned, about: alert.id), alert: alert)
    }
  }

  private var placesOfResponders: [(Recipient, String, Place)] {
    responders.flatMap { responder in
      responder.places.map { (.contact(responder.id), responder.name, $0) }
    }
  }

  private func message(
    _ stage: Stage, to recipient: Recipient, _ name: String, _ place: Place, plannedAt: Date,
    id: UUID, detail: String = "", alert: Alert? = nil
  ) -> ClaimedDelivery {
    var alert = alert
    if alert?.kind == .outing { alert?.dueBack = user.outing?.until }
    var delivery = ClaimedDelivery(
      id: id, token: UUID(), attempt: 1, stage: stage, recipient: recipient, recipientName: name,
      channel: place.channel.kind, address: place.channel.address, detail: detail,
      plannedAt: plannedAt, user: user, hasResponders: !responders.isEmpty, alert: alert,
      secret: place.secret.map { Secret($0) })
    delivery.tell(of: user.outing)
    return delivery
  }
}
