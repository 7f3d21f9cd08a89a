import Clients
import Domain
import FoundationEssentials

/// A relation as one of its sides sees it (CON-1).
struct RelationSide {
  var key: Int
  var own: Int
  var peer: Int
  var roles: Roles
  var state: AccountLink.State
}

extension Store {
  // MARK: Codes

  func lookUp(_ code: AccountCode) throws(ClientError) -> String {
    try read { try stranger(code, to: requireCurrentKey()).name }
  }

  /// Returns the account with a code, if this account can send it a request.
  private func stranger(
    _ code: AccountCode, to key: Int
  ) throws -> (key: Int, name: String) {
    let found = try database.row(
      "SELECT key, name FROM account WHERE code = ?1 AND deleted_at IS NULL", code
    ) { row throws(StorageError) -> (key: Int, name: String) in (try row.read(), try row.read()) }
    guard let found else { throw ClientError.codeUnknown }
    guard found.key != key else { throw ClientError.cannotAddSelf }
    let related = try database.value(
      Int.self,
      """
      SELECT 1 FROM relation
      WHERE min(requester, addressee) = min(?1, ?2) AND max(requester, addressee) = max(?1, ?2)
        AND state <> 'declined'
      """, key, found.key)
    guard related == nil else { throw ClientError.relationExists(name: found.name) }
    return found
  }

  func resetCode() throws(ClientError) -> AccountCode {
    try writeHere { key in
      let code = AccountCode(makeUUID())
      try database.run("UPDATE account SET code = ?2 WHERE key = ?1", key, code)
      try touch(key)
      return code
    }
  }

  // MARK: Consent

  func requestRelation(_ code: AccountCode, _ roles: Roles) throws(ClientError) -> Contact {
    try write {
      guard !roles.isEmpty else { throw ValidationError.roleRequired }
      let key = try requireKeyHere()
      let peer = try stranger(code, to: key)
      // A declined request can be made again, by either side.
      try database.run(
        """
        DELETE FROM relation
        WHERE min(requester, addressee) = min(?1, ?2) AND max(requester, addressee) = max(?1, ?2)
        """, key, peer.key)
      let id = makeUUID()
      try database.run(
        """
        INSERT INTO relation (id, requester, addressee, roles, state, created_at)
        VALUES (?1, ?2, ?3, ?4, 'pending', ?5)
        """, id, key, peer.key, roles, now())
      try notify(
        peer.key, .contactRequested, about: name(of: key), detail: roles.swapped.displayText)
      try touch(key)
      return try linkedContact(id, of: key)
    }
  }

  func acceptRelation(_ id: Contact.ID) throws(ClientError) -> Contact {
    try write {
      let side = try answer(id, "active")
      try notify(side.peer, .contactAccepted, about: name(of: side.own))
      try notify(
        side.own, .contactAdded, about: name(of: side.peer), detail: side.roles.displayText)
      return try linkedContact(id, of: side.own)
    }
  }

  func declineRelation(_ id: Contact.ID) throws(ClientError) {
    try write {
      let side = try answer(id, "declined")
      try notify(side.peer, .contactDeclined, about: name(of: side.own))
    }
  }

  private func answer(_ id: Contact.ID, _ state: String) throws -> RelationSide {
    let side = try relation(id, of: requireCurrentKey(), or: ClientError.contactNotFound)
    guard side.state == .offered else { throw ClientError.contactNotFound }
    try database.run(
      "UPDATE relation SET state = ?2, answered_at = ?3 WHERE key = ?1", side.key, state, now())
    try touch(side.own)
    try requestAttention(for: side.peer)
    return side
  }

  /// Makes a new account the contact of the member whose invitation its person has used: both have
  /// consented (CON-2).
  /// - Parameters:
  ///   - roles: The roles of the new account, as the member sees them.
  ///   - id: The identifier of the invitation, and from now on of the relation: a member who
  ///     revokes the invitation too late learns who has used it.
  func relate(
    _ key: Int, toInviting member: Int, _ roles: Roles, by id: Invitation.ID
  ) throws {
    try database.run(
      """
      INSERT INTO relation (id, requester, addressee, roles, state, created_at, answered_at)
      SELECT ?1, ?2, key, ?4, 'active', created_at, created_at FROM account WHERE key = ?3
      """, id, member, key, roles)
    let name = try name(of: key)
    try notify(member, .invitationUsed, about: name, detail: roles.sentence(about: name))
    try notify(key, .contactAdded, about: self.name(of: member), detail: roles.swapped.displayText)
    try touch(key)
    try requestAttention(for: member)
  }

  // MARK: Changes

  func setRoles(_ id: Contact.ID, _ roles: Roles) throws(ClientError) -> Contact {
    try write {
      guard !roles.isEmpty else { throw ValidationError.roleRequired }
      let side = try relation(id, of: requireCurrentKey(), or: ClientError.contactNotFound)
      guard side.state == .active else { throw ClientError.contactNotFound }
      guard roles != side.roles else { return try linkedContact(id, of: side.own) }
      guard side.roles.contains(.dependent) || !roles.contains(.dependent) else {
        throw ClientError.consentRequired(name: try name(of: side.peer))
      }
      let isRequester = try database.value(
        Int.self, "SELECT 1 FROM relation WHERE key = ?1 AND requester = ?2", side.key, side.own)
      try database.run(
        "UPDATE relation SET roles = ?2 WHERE key = ?1", side.key,
        isRequester == nil ? roles.swapped : roles)
      if !roles.contains(.dependent) { try clearPing(of: side.own, in: side.key) }
      if !roles.contains(.responder) { try clearPing(of: side.peer, in: side.key) }
      if !roles.contains(.dependent) {
        try forgetKept(id, of: side.peer)
        try stopNotifying(id, of: side.peer)
      }
      if !roles.contains(.responder) { try stopNotifying(id, of: side.own) }
      try notify(side.own, .rolesChanged, about: name(of: side.peer), detail: roles.displayText)
      try notify(
        side.peer, .rolesChanged, about: name(of: side.own), detail: roles.swapped.displayText)
      try touch(side.own)
      try requestAttention(for: side.peer)
      return try linkedContact(id, of: side.own)
    }
  }

  /// Ends a relation, and notifies the other side.
  /// - Returns: Whether there was one.
  func endRelation(_ id: Contact.ID, of key: Int) throws -> Bool {
    guard let side = try relation(id, of: key) else { return false }
    try database.run("DELETE FROM relation WHERE key = ?1", side.key)
    try forgetKept(id, of: side.peer)
    for person in [side.peer, key] { try stopNotifying(id, of: person) }
    if side.state != .declined {
      try notify(side.peer, .contactRemoved, about: name(of: key))
      if side.state == .active { try notify(key, .contactRemoved, about: name(of: side.peer)) }
    }
    try touch(key)
    try requestAttention(for: side.peer)
    return true
  }

  // MARK: Rows

  func name(of key: Int) throws -> String {
    let name = try database.value(String.self, "SELECT name FROM account WHERE key = ?1", key)
    guard let name else { throw NoAccount() }
    return name
  }

  func relation<Failure: Error>(
    _ id: Contact.ID, of key: Int, or failure: Failure
  ) throws -> RelationSide {
    guard let side = try relation(id, of: key) else { throw failure }
    return side
  }

  /// Returns a relation as an account sees it. One that it declined is hidden.
  func relation(_ id: Contact.ID, of key: Int) throws(StorageError) -> RelationSide? {
    try database.row(
      """
      SELECT key, requester, addressee, roles, state, requester = ?2 FROM relation
      WHERE id = ?1 AND (requester = ?2 OR (addressee = ?2 AND state <> 'declined'))
      """, id, key
    ) { row throws(StorageError) in
      let relation: Int = try row.read()
      let requester: Int = try row.read()
      let addressee: Int = try row.read()
      let roles: Roles = try row.read()
      let state: String = try row.read()
      let isRequester: Bool = try row.read()
      return RelationSide(
        key: relation, own: key, peer: isRequester ? addressee : requester,
        roles: isRequester ? roles : roles.swapped,
        state: try AccountLink.State(stored: state, isRequester: isRequester))
    }
  }

  private func linkedContact(_ id: Contact.ID, of key: Int) throws -> Contact {
    guard let contact = try linkedContacts(of: key).first(where: { $0.id == id }) else {
      throw ClientError.contactNotFound
    }
    return contact
  }

  /// Returns the other sides of an account's relations, each as far as the account can see it
  /// (CON-7): how to get in only while an alert is on.
  func linkedContacts(of key: Int) throws(StorageError) -> [Contact] {
    var contacts = try database.rows(
      """
      SELECT relation.id, relation.roles, relation.state, relation.requester = ?1,
        relation.created_at, peer.id, peer.name, peer.phone, peer.note, peer.interval,
        peer.last_check_in, peer.grace, peer.paused_until,
        iif(peer.grace_sequence = peer.check_in_sequence, peer.grace_from, NULL),
        \(CheckIn.lastSource(of: "peer.key")), peer.home_address,
        CASE WHEN peer.way_in IS NOT NULL AND EXISTS (
          SELECT 1 FROM alert
          WHERE alert.account = peer.key AND alert.resolved_at IS NULL AND alert.kind <> 'drill')
        THEN peer.way_in END, peer.picture, peer.outing,
        EXISTS (SELECT 1 FROM check_in_news AS news
          WHERE news.account = peer.key AND news.responder = relation.id),
        \(Schedule.columns(of: "peer"))
      FROM relation
        JOIN account AS peer ON peer.key = iif(requester = ?1, addressee, requester)
      WHERE requester = ?1 OR (addressee = ?1 AND state <> 'declined')
      """, key, read: Contact.init(readingLinked:))
    guard !contacts.isEmpty else { return [] }
    if contacts.contains(where: \.isResponder) {
      let channels = Dictionary(
        try linkedResponders(of: key).map { ($0.id, $0.channels) }, uniquingKeysWith: { $1 })
      for index in contacts.indices where contacts[index].isResponder {
        let own = channels[contacts[index].id, default: []]
        contacts[index].link?.channelKinds = Set(own.map(\.kind))
      }
    }
    try addWaits(to: &contacts, of: key)
    let (pings, alerts) = (try lastPings(of: key), try dependentsAlerts(of: key))
    guard !pings.isEmpty || !alerts.isEmpty else { return contacts }
    let positions = Dictionary(
      contacts.indices.map { (contacts[$0].id, $0) }, uniquingKeysWith: { $1 })
    for (relation, isSent, ping) in pings {
      guard let position = positions[relation] else { continue }
      if isSent {
        contacts[position].link?.sentPing = ping
      } else {
        contacts[position].link?.receivedPing = ping
      }
    }
    for (relation, alert) in alerts {
      guard let position = positions[relation] else { continue }
      if contacts[position].link?.dependentStatus?.alert == nil {
        contacts[position].link?.dependentStatus?.alert = alert
      }
    }
    return contacts
  }

  /// Returns the alerts that are on for people that an account responds for, with missed check-ins
  /// last.
  private func dependentsAlerts(
    of key: Int
  ) throws(StorageError) -> [(relation: Contact.ID, alert: Alert)] {
    let found = try database.rows(
      """
      SELECT relation.id, alert.key, iif(alert.kind = 'outing', account.outing, NULL),
        \(Alert.columns)
      FROM relation
        JOIN alert ON alert.account = iif(requester = ?1, addressee, requester)
        JOIN account ON account.key = alert.account
      WHERE (requester = ?1 AND roles & 2 <> 0 OR addressee = ?1 AND roles & 1 <> 0) AND state = 'active'
        AND alert.resolved_at IS NULL AND alert.kind <> 'drill'
      ORDER BY alert.kind = 'missed', alert.key
      """, key
    ) { row throws(StorageError) -> (Contact.ID, Int, Outing?, Alert) in
      (try row.read(), try row.read(), try row.read(), try Alert(reading: &row))
    }
    var alerts: [(Contact.ID, Alert)] = []
    for (relation, key, outing, alert) in found {
      // Only the outing's responders read of it (OUT-4).
      if let outing, !outing.concerns(relation) { continue }
      var alert = alert
      alert.acknowledgements = try acknowledgements(of: key)
      alerts.append((relation, alert))
    }
    return alerts
  }

  // MARK: Linked responders

  /// Turns the linked responders of an account that is being deleted into outside contacts, so that
  /// they are notified like the others (AUTH-4).
  func keepLinkedResponders(of key: Int) throws(StorageError) {
    for responder in try linkedResponders(of: key) {
      try database.run(
        """
        INSERT INTO contact (account, id, name, note, roles, added_at) VALUES (?1, ?2, ?3, '', 1, ?4)
        """, key, responder.id, responder.name, responder.addedAt)
      for channel in responder.channels {
        try database.run(
          """
          INSERT INTO channel (account, contact, id, kind, address, secret)
            SELECT ?1, contact.key, ?3, ?4, ?5,
              (SELECT secret FROM channel WHERE channel.id = ?6)
            FROM contact WHERE account = ?1 AND id = ?2
          ON CONFLICT DO NOTHING
          """, key, responder.id, makeUUID(), channel.kind, channel.address, channel.id)
      }
    }
  }

  /// Notifies the linked responders of an account on screen.
  /// - Parameters:
  ///   - isInTurn: Whether those who wait are left out.
  ///   - chosen: Those who are notified; `nil` for all.
  func notifyResponders(
    of key: Int, _ kind: NotificationItem.Kind, detail: String = "", isInTurn: Bool = false,
    among chosen: [Contact]? = nil
  ) throws(StorageError) {
    let found = try database.rows(
      """
      SELECT iif(requester = ?1, addressee, requester), relation.id FROM relation
      WHERE (requester = ?1 AND roles & 1 <> 0 OR addressee = ?1 AND roles & 2 <> 0) AND state = 'active'
        AND (?2 = 0 OR NOT EXISTS (
          SELECT 1 FROM responder_wait WHERE account = ?1 AND responder = relation.id AND wait > 0))
      """, key, isInTurn
    ) { row throws(StorageError) -> (peer: Int, relation: Contact.ID) in
      (try row.read(), try row.read())
    }
    let responders = found.filter { found in
      chosen?.contains { $0.id == found.relation } ?? true
    }.map(\.peer)
    guard !responders.isEmpty else { return }
    let name = try database.value(String.self, "SELECT name FROM account WHERE key = ?1", key) ?? ""
    for responder in responders { try notify(responder, kind, about: name, detail: detail) }
  }
}

extension AccountLink.State {
  fileprivate init(stored: String, isRequester: Bool) throws(StorageError) {
    switch stored {
    case "pending": self = isRequester ? .requested : .offered
    case "active": self = .active
    case "declined": self = .declined
    default: throw .serialization("a relation is in no known state")
    }
  }
}

extension Contact {
  fileprivate init(readingLinked row: inout RowReader) throws(StorageError) {
    let id: UUID = try row.read()
    let stored: Roles = try row.read()
    let state: String = try row.read()
    let isRequester: Bool = try row.read()
    let addedAt: Date = try row.read()
    var link = AccountLink(
      user: try row.read(), state: try .init(stored: state, isRequester: isRequester))
    self.init(
      id: id, name: try row.read(), roles: isRequester ? stored : stored.swapped,
      addedAt: addedAt)
    let phone: String? = try row.read()
    let note: String = try row.read()
    var dependentStatus = DependentStatus(
      interval: try row.read(), lastCheckIn: try row.read(), grace: try row.read(),
      pausedUntil: try row.read(), graceFrom: try row.read(),
      lastSource: try row.read(), address: try row.read(), access: try row.read())
    let picture: UUID? = try row.read()
    let outing: Outing? = try row.read()
    let hearsCheckIns: Bool = try row.read()
    dependentStatus.deadlineHeldUntil = outing?.heldUntil
    dependentStatus.outing = outing.flatMap { $0.concerns(id) ? $0.forResponders : nil }
    dependentStatus.schedule = try Schedule.read(from: &row)
    if link.state == .active {
      self.phone = phone
      link.picture = picture
      if roles.contains(.dependent) {
        self.note = note
        if hearsCheckIns { self.hearsCheckIns = true }
        link.dependentStatus = dependentStatus
      }
    }
    // Set last, because every change of it is a copy.
    self.link = link
  }
}
