public import Clients
import Cryptography
import Domain
import FoundationEssentials
import Glibc

extension EmbeddedPlatform {
  /// What can still be read of a store that is damaged, whether it opens or not.
  public static func unwatchedClient(folders: Folders) -> UnwatchedClient {
    let file = StoreFile(folders)
    return UnwatchedClient(
      messages: { now in
        await Task.detached { file.unwatchedMessages(now: now) }.value
      },
      noteSent: { id in file.noteUnwatched("\(id.uuidString)\n") },
      end: { unlink(folders.unwatched) })
  }
}

/// Reading what is left of a damaged store, from the tables alone.
extension StoreFile {
  /// How many rows of a table are read at most.
  private static let limit = 100_000

  fileprivate func unwatchedMessages(now: Date) -> [ClaimedDelivery] {
    let database = try? Database(
      path: try PrivateFiles.resolved(folders.data) + "/lifesignal.db", access: .readWrite)
    guard let database else { return [] }
    database.keepsLogOnClose = true
    let (since, sent) = notedUnwatched(database, now: now)
    return people(database).flatMap { $0.messages(since: since, now: now) }
      .filter { !sent.contains($0.id) }
  }

  // MARK: What has been said

  /// Whether a monitor has found the store damaged.
  var isUnwatched: Bool { access(folders.unwatched, F_OK) == 0 }

  /// Since when nobody is watched, and the messages that have said so.
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

  // MARK: Whom to notify

  private func people(_ database: Database) -> [UnwatchedPerson] {
    var people = read(
      database, "account", "id, name, phone, email", where: "deleted_at IS NULL"
    ) { row in
      let id: UUID = try row.read()
      let profile = Profile(
        name: (try? row.read()) ?? "somebody", phone: (try? row.read()) ?? nil,
        email: (try? row.read()) ?? nil)
      return UnwatchedPerson(
        user: User(id: id, profile: profile, lastCheckIn: .distantPast, createdAt: .distantPast))
    }
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
    return people.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The rows of a table that can be read, from both ends up to what is damaged. A table that an older
  /// program made without one of the columns has none.
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

/// A person whom nobody watches, and whoever is to hear of it.
private struct UnwatchedPerson {
  struct Place {
    var channel: Channel
    var secret: String?
  }

  var user: User
  /// The person's own.
  var places: [Place] = []
  var responders: [(id: UUID, name: String, places: [Place])] = []

  func messages(since: Date, now: Date) -> [ClaimedDelivery] {
    let own = places.map { message(.owner, user.profile.name, $0, since: since, now: now) }
    return own
      + responders.flatMap { responder in
        responder.places.map {
          message(.contact(responder.id), responder.name, $0, since: since, now: now)
        }
      }
  }

  /// Its identity follows from what it is: sent by two processes it is one message.
  private func message(
    _ recipient: Recipient, _ name: String, _ place: Place, since: Date, now: Date
  ) -> ClaimedDelivery {
    let channel = place.channel
    let time = CivilCalendar.utc.time(of: since)
    return ClaimedDelivery(
      id: UUID(
        derivedFrom:
          "unwatched \(since.milliseconds) \(user.id) \(recipient) \(channel.kind) \(channel.address)"
      ),
      token: UUID(), attempt: 1, stage: .unwatched, recipient: recipient, recipientName: name,
      channel: channel.kind, address: channel.address,
      detail: "\(time.dateText) \(time.clock) UTC", plannedAt: since, user: user,
      hasResponders: !responders.isEmpty, secret: place.secret.map { Secret($0) })
  }
}
