import Clients
import Domain
import FoundationEssentials

/// Two accounts that know each other: one value, seen from two sides (CON-1).
struct StoredRelation: Sendable {
  let id: UUID
  let requester: User.ID
  let addressee: User.ID
  /// As the requester sees them.
  var roles: Roles
  var state = AccountLink.State.requested
  let createdAt: Date
  /// Oldest first.
  var pings: [(sender: User.ID, ping: Ping)] = []

  func isBetween(_ one: User.ID, _ other: User.ID) -> Bool {
    (requester, addressee) == (one, other) || (requester, addressee) == (other, one)
  }

  /// The relation as an account sees it; what it declined is not there for it.
  func side(of account: User.ID) -> RelationSide? {
    if requester == account {
      return RelationSide(peer: addressee, roles: roles, state: state)
    }
    guard addressee == account, state != .declined else { return nil }
    return RelationSide(
      peer: requester, roles: roles.swapped, state: state == .requested ? .offered : state)
  }

  func lastPing(from sender: User.ID, at now: Date) -> Ping? {
    pings.last { $0.sender == sender }?.ping.asOf(now)
  }

  /// Ends the ping that one side may not send any more (CON-4).
  mutating func clearPing(of sender: User.ID, at now: Date) {
    for index in pings.indices where pings[index].sender == sender {
      pings[index].ping.end(.withdrawn, at: now)
    }
  }
}

struct RelationSide: Sendable {
  var peer: User.ID
  var roles: Roles
  var state: AccountLink.State
}

extension Ping {
  /// Ends an open ping; another stays as it is.
  mutating func end(_ state: State, at now: Date) {
    guard self.state == .open else { return }
    self.state = state
    endedAt = now
  }
}

extension InMemoryStore.Contents {
  // MARK: Reading

  /// Everybody whom an account knows, each as far as it may see them (CON-7).
  func contacts(of account: Account, at now: Date) -> [Contact] {
    let linked = relations.compactMap { contact($0, of: account.user.id, at: now) }
    return (account.contacts + linked).byName
  }

  private func contact(_ relation: StoredRelation, of account: User.ID, at now: Date) -> Contact? {
    guard let side = relation.side(of: account), let peer = accounts[side.peer] else { return nil }
    var contact = Contact(
      id: relation.id, name: peer.user.profile.name, roles: side.roles,
      addedAt: relation.createdAt, link: AccountLink(user: side.peer, state: side.state))
    guard contact.isActive else { return contact }
    contact.phone = peer.user.profile.phone
    contact.link?.picture = peer.user.picture
    contact.link?.sentPing = relation.lastPing(from: account, at: now)
    contact.link?.receivedPing = relation.lastPing(from: side.peer, at: now)
    guard side.roles.contains(.dependent) else { return contact }
    contact.note = peer.user.profile.note
    contact.link?.dependentStatus = peer.dependentStatus
    return contact
  }

  /// Accounts that respond for one, with the channels that they gave themselves.
  func linkedResponders(of account: User.ID) -> [Contact] {
    relations.compactMap { relation in
      guard let side = relation.side(of: account), side.state == .active,
        side.roles.contains(.responder), let peer = accounts[side.peer]
      else { return nil }
      return Contact(
        id: relation.id, name: peer.user.profile.name, phone: peer.user.profile.phone,
        roles: side.roles,
        channels: peer.user.ownChannels(besides: peer.channels), addedAt: relation.createdAt,
        link: AccountLink(user: side.peer, state: .active))
    }
  }

  // MARK: Telling

  mutating func notify(
    _ account: User.ID?, _ kind: NotificationItem.Kind, about subject: User.ID? = nil,
    detail: String = "", at now: Date, makeUUID: () -> UUID
  ) {
    guard let account else { return }
    let name = subject.flatMap { accounts[$0]?.user.profile.name } ?? ""
    accounts[account]?.notify(kind, about: name, detail: detail, at: now, makeUUID: makeUUID)
  }

  /// Tells those who respond for an account which of its alerts have begun or ended.
  /// - Parameter before: The account's ``Account/activeAlerts`` before the change.
  mutating func tellResponders(
    of id: User.ID, alertsBefore before: [Alert], at now: Date, makeUUID: () -> UUID
  ) {
    guard let after = accounts[id]?.activeAlerts else { return }
    let begun = after.filter { alert in !before.contains { $0.id == alert.id } }
    let ended = before.filter { alert in !after.contains { $0.id == alert.id } }
    guard !begun.isEmpty || !ended.isEmpty else { return }
    // Under duress nobody is told that all is well (CHK-3).
    let isForced = after.contains { $0.kind == .duress }
    for responder in linkedResponders(of: id).compactMap(\.link?.user) {
      for alert in begun {
        notify(
          responder, alert.kind == .missed ? .dependentNonResponsive : .dependentAlert, about: id,
          detail: alert.message, at: now, makeUUID: makeUUID)
      }
      guard !isForced else { continue }
      if ended.contains(where: { $0.kind != .missed }) {
        notify(responder, .dependentAlertEnded, about: id, at: now, makeUUID: makeUUID)
      }
      if ended.contains(where: { $0.kind == .missed }) {
        notify(responder, .allClear, about: id, at: now, makeUUID: makeUUID)
      }
    }
  }

  /// Takes an account out of every relation (AUTH-4).
  mutating func endRelations(of id: User.ID, at now: Date, makeUUID: () -> UUID) {
    for relation in relations where relation.requester == id || relation.addressee == id {
      let peer = relation.requester == id ? relation.addressee : relation.requester
      notify(peer, .contactRemoved, about: id, at: now, makeUUID: makeUUID)
      accounts[peer]?.touch()
    }
    relations.removeAll { $0.requester == id || $0.addressee == id }
  }
}

extension Account {
  /// Alerts that others are told of.
  var activeAlerts: [Alert] {
    alerts.lazy.map(\.alert).filter { $0.isActive && $0.kind != .drill }
  }

  fileprivate var dependentStatus: DependentStatus {
    let active = activeAlerts
    return DependentStatus(
      interval: user.interval, lastCheckIn: user.lastCheckIn, grace: user.grace,
      pausedUntil: user.pausedUntil, graceFrom: user.graceFrom,
      alert: active.first { $0.kind != .missed } ?? active.first)
  }
}

extension InMemoryStore {
  // MARK: Codes

  func lookUp(_ code: AccountCode) throws(ContactsError) -> String {
    try read { contents throws(ContactsError) in try contents.stranger(code).profile.name }
  }

  func resetCode() throws(ContactsError) -> AccountCode {
    try changeAccount(or: ContactsError.notAuthenticated) { account throws(ContactsError) in
      account.user.code = AccountCode(makeUUID())
      account.touch()
      return account.user.code
    }
  }

  // MARK: Consent

  func requestRelation(_ code: AccountCode, _ roles: Roles) throws(ContactsError) -> Contact {
    guard !roles.isEmpty else { throw .invalid(.roleRequired) }
    return try write { contents throws(ContactsError) in
      let own = try contents.account(or: ContactsError.notAuthenticated).user.id
      let peer = try contents.stranger(code).id
      // What was declined may be asked again, by either side.
      contents.relations.removeAll { $0.isBetween(own, peer) }
      let relation = StoredRelation(
        id: makeUUID(), requester: own, addressee: peer, roles: roles, createdAt: now())
      contents.relations.append(relation)
      contents.notify(
        peer, .contactRequested, about: own, detail: roles.swapped.displayText, at: now(),
        makeUUID: makeUUID)
      contents.accounts[own]?.touch()
      return try contents.linkedContact(relation.id, at: now())
    }
  }

  func acceptRelation(_ id: Contact.ID) throws(ContactsError) -> Contact {
    try write { contents throws(ContactsError) in
      let side = try contents.answer(id, .active)
      let own = contents.signedIn
      contents.notify(side.peer, .contactAccepted, about: own, at: now(), makeUUID: makeUUID)
      contents.notify(
        own, .contactAdded, about: side.peer, detail: side.roles.displayText, at: now(),
        makeUUID: makeUUID)
      return try contents.linkedContact(id, at: now())
    }
  }

  func declineRelation(_ id: Contact.ID) throws(ContactsError) {
    try write { contents throws(ContactsError) in
      let side = try contents.answer(id, .declined)
      contents.notify(
        side.peer, .contactDeclined, about: contents.signedIn, at: now(), makeUUID: makeUUID)
    }
  }

  // MARK: Changes

  func setRoles(_ id: Contact.ID, _ roles: Roles) throws(ContactsError) -> Contact {
    guard !roles.isEmpty else { throw .invalid(.roleRequired) }
    return try write { contents throws(ContactsError) in
      let (index, side) = try contents.relation(id)
      guard side.state == .active, let own = contents.signedIn else { throw .notFound }
      if roles != side.roles {
        guard side.roles.contains(.dependent) || !roles.contains(.dependent) else {
          throw .consentRequired(name: contents.accounts[side.peer]?.user.profile.name ?? "")
        }
        let isRequester = contents.relations[index].requester == own
        contents.relations[index].roles = isRequester ? roles : roles.swapped
        if !roles.contains(.dependent) { contents.relations[index].clearPing(of: own, at: now()) }
        if !roles.contains(.responder) {
          contents.relations[index].clearPing(of: side.peer, at: now())
        }
        if !roles.contains(.dependent) {
          contents.accounts[side.peer]?.kept.removeAll { $0.responder == id }
        }
        contents.notify(
          own, .rolesChanged, about: side.peer, detail: roles.displayText, at: now(),
          makeUUID: makeUUID)
        contents.notify(
          side.peer, .rolesChanged, about: own, detail: roles.swapped.displayText, at: now(),
          makeUUID: makeUUID)
        contents.accounts[own]?.touch()
        contents.accounts[side.peer]?.touch()
      }
      return try contents.linkedContact(id, at: now())
    }
  }

  func endRelation(_ id: Contact.ID) throws(ContactsError) {
    try write { contents throws(ContactsError) in
      let (index, side) = try contents.relation(id)
      let own = contents.signedIn
      contents.relations.remove(at: index)
      contents.accounts[side.peer]?.kept.removeAll { $0.responder == id }
      if side.state != .declined {
        contents.notify(side.peer, .contactRemoved, about: own, at: now(), makeUUID: makeUUID)
      }
      if side.state == .active {
        contents.notify(own, .contactRemoved, about: side.peer, at: now(), makeUUID: makeUUID)
      }
      if let own { contents.accounts[own]?.touch() }
      contents.accounts[side.peer]?.touch()
    }
  }
}

extension InMemoryStore.Contents {
  /// Whoever has a code, if the signed-in account could ask them.
  fileprivate func stranger(_ code: AccountCode) throws(ContactsError) -> User {
    let own = try account(or: ContactsError.notAuthenticated).user.id
    let found = accounts.values.first { $0.user.code == code && $0.user.deletedAt == nil }
    guard let user = found?.user else { throw .codeUnknown }
    guard user.id != own else { throw .cannotAddSelf }
    guard !relations.contains(where: { $0.isBetween(own, user.id) && $0.state != .declined }) else {
      throw .relationExists(name: user.profile.name)
    }
    return user
  }

  /// A relation as the signed-in account sees it.
  func relation(
    _ id: Contact.ID
  ) throws(ContactsError) -> (index: Int, side: RelationSide) {
    let own = try account(or: ContactsError.notAuthenticated).user.id
    guard let index = relations.firstIndex(where: { $0.id == id }),
      let side = relations[index].side(of: own)
    else { throw .notFound }
    return (index, side)
  }

  fileprivate mutating func answer(
    _ id: Contact.ID, _ state: AccountLink.State
  ) throws(ContactsError) -> RelationSide {
    let (index, side) = try relation(id)
    guard side.state == .offered else { throw .notFound }
    relations[index].state = state
    if let signedIn { accounts[signedIn]?.touch() }
    accounts[side.peer]?.touch()
    return side
  }

  fileprivate func linkedContact(
    _ id: Contact.ID, at now: Date
  ) throws(ContactsError) -> Contact {
    let own = try account(or: ContactsError.notAuthenticated).user.id
    guard let relation = relations.first(where: { $0.id == id }),
      let contact = contact(relation, of: own, at: now)
    else { throw .notFound }
    return contact
  }
}
