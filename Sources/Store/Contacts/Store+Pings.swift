import Clients
import Domain
import FoundationEssentials

extension Store {
  func sendPing(_ contact: Contact.ID) throws(ClientError) -> Ping {
    try write { key in
      let side = try relation(contact, of: key, or: ClientError.pingNotAllowed)
      guard side.state == .active, side.roles.contains(.dependent) else {
        throw ClientError.pingNotAllowed
      }
      try expirePings(at: now())
      let isOpen = try database.value(
        Int.self,
        "SELECT 1 FROM ping WHERE relation = ?1 AND sender = ?2 AND state = 'open'", side.key, key)
      let name = try name(of: side.peer)
      guard isOpen == nil else { throw ClientError.pingAlreadyOpen(name: name) }
      let ping = Ping(id: makeUUID(), sentAt: now().stored)
      try database.run(
        "INSERT INTO ping (id, relation, sender, sent_at, state) VALUES (?1, ?2, ?3, ?4, ?5)",
        ping.id, side.key, key, ping.sentAt, ping.state)
      try notify(key, .pingSent, about: name)
      try notify(side.peer, .pingReceived, about: self.name(of: key))
      return ping
    }
  }

  func withdrawPing(_ id: Ping.ID) throws(ClientError) -> Ping {
    try write { key in
      let found = try database.row(
        """
        SELECT ping.key, ping.sent_at, iif(requester = ?2, addressee, requester)
        FROM ping JOIN relation ON relation.key = ping.relation
        WHERE ping.id = ?1 AND ping.sender = ?2 AND ping.state = 'open' AND ping.sent_at > ?3
        """, id, key, now() - Ping.lifetime
      ) { row throws(StorageError) -> (key: Int, sentAt: Date, peer: Int) in
        (try row.read(), try row.read(), try row.read())
      }
      guard let found else { throw ClientError.pingNotOpen }
      let ping = Ping(id: id, sentAt: found.sentAt, state: .withdrawn, endedAt: now().stored)
      try end(found.key, ping.state)
      try notify(found.peer, .pingWithdrawn, about: name(of: key))
      try noteChange(of: key)
      return ping
    }
  }

  /// Answers one ping, or all with `nil`, and checks in.
  func answerPing(_ id: Ping.ID?) throws(ClientError) -> User {
    try write { key in
      let open = try database.rows(
        """
        SELECT ping.key, ping.sender FROM ping JOIN relation ON relation.key = ping.relation
        WHERE (requester = ?1 OR addressee = ?1) AND ping.sender <> ?1 AND ping.state = 'open'
          AND ping.sent_at > ?2 AND (?3 IS NULL OR ping.id = ?3)
          -- A late answer says nothing to who asked since it was made.
          AND ping.sent_at <= ?4
        """, key, now() - Ping.lifetime, id,
        (session.made?.earliest(now: now()) ?? now()) + RequestTime.tolerance
      ) { row throws(StorageError) -> (key: Int, sender: Int) in (try row.read(), try row.read()) }
      guard !open.isEmpty else { throw ClientError.pingNotOpen }
      let name = try name(of: key)
      // An early answer moves no deadline, which their responders should know (SCH-4).
      let isEarly = try user(key).deadline.isEarly(at: now())
      for ping in open {
        try end(ping.key, .answered)
        try notify(
          ping.sender, .pingAnswered, about: name,
          detail: isEarly ? "before the set time opened, so they are still due" : "")
      }
      return try moveDeadline(of: key, .pingAnswer)
    }
  }

  /// Ends the open ping of a side that must not send one any more (CON-4).
  func clearPing(of sender: Int, in relation: Int) throws(StorageError) {
    try database.run(
      """
      UPDATE ping SET state = 'withdrawn', ended_at = ?3
      WHERE relation = ?1 AND sender = ?2 AND state = 'open'
      """, relation, sender, now())
  }

  /// Returns whether there is an expired ping that isn't recorded as expired.
  func hasExpiredPings(at now: Date) throws(StorageError) -> Bool {
    try database.value(
      Int.self, "SELECT 1 FROM ping WHERE state = 'open' AND sent_at <= ?1 LIMIT 1",
      now - Ping.lifetime) != nil
  }

  /// Records which pings have expired, and notifies both sides. On screen they expire before that
  /// (``Ping/asOf(_:)``).
  func expirePings(at now: Date) throws {
    let expired = try database.rows(
      """
      SELECT ping.key, ping.sender, iif(requester = ping.sender, addressee, requester)
      FROM ping JOIN relation ON relation.key = ping.relation
      WHERE ping.state = 'open' AND ping.sent_at <= ?1
      """, now - Ping.lifetime
    ) { row throws(StorageError) -> (key: Int, sender: Int, receiver: Int) in
      (try row.read(), try row.read(), try row.read())
    }
    for ping in expired {
      try database.run(
        "UPDATE ping SET state = 'expired', ended_at = sent_at + ?2 WHERE key = ?1", ping.key,
        Ping.lifetime.seconds * 1_000)
      for (side, other) in [(ping.sender, ping.receiver), (ping.receiver, ping.sender)] {
        do { try notify(side, .pingExpired, about: name(of: other)) } catch {
          // A name that can't be read is reported with its account; the others are notified
          // (ESC-6).
          guard case StorageError.serialization = error else { throw error }
        }
      }
    }
  }

  private func end(_ ping: Int, _ state: Ping.State) throws(StorageError) {
    try database.run(
      "UPDATE ping SET state = ?2, ended_at = ?3 WHERE key = ?1", ping, state, now())
  }

  /// Returns the last ping of each side of an account's relations.
  func lastPings(
    of key: Int
  ) throws(StorageError) -> [(relation: Contact.ID, isSent: Bool, ping: Ping)] {
    let now = now()
    return try database.rows(
      """
      SELECT relation.id, ping.sender = ?1, ping.id, ping.sent_at, ping.state, ping.ended_at
      FROM ping JOIN relation ON relation.key = ping.relation
      WHERE ping.key IN (
        SELECT max(ping.key) FROM relation JOIN ping ON ping.relation = relation.key
        WHERE (requester = ?1 OR addressee = ?1) AND relation.state = 'active'
        GROUP BY ping.relation, ping.sender)
      """, key
    ) { row throws(StorageError) in
      (
        try row.read(), try row.read(),
        Ping(
          id: try row.read(), sentAt: try row.read(), state: try row.read(),
          endedAt: try row.read()
        ).asOf(now)
      )
    }
  }
}

extension Ping.State: SQLBindable, SQLReadable {}
