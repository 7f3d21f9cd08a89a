import Domain
import FoundationEssentials

/// Another account of the demo, and how it is related to the demo's person.
struct DemoPeer {
  var account: Account
  var relation: StoredRelation
}

extension DemoStory {
  /// The other accounts: one for each way of standing, and one for each answer to a request.
  func peers(of person: User) -> [DemoPeer] {
    dependents(of: person) + requests(of: person)
  }

  // MARK: Those for whom the person responds

  private func dependents(of person: User) -> [DemoPeer] {
    var tove = peer("Tove Berg", "+46705551010", "Diabetes. Insulin in the fridge.", hours: 3)
    tove.raise(.manual, "Fell on the stairs, cannot get up.", at: now - .minutes(5), makeUUID())
    var ulrik = peer("Ulrik Dahl", "+4791234567", "Hikes off the trails; red tent.", hours: 8)
    ulrik.raise(.manual, "Lost the trail, battery at 9 %.", at: now - .minutes(52), makeUUID())
    ulrik.alerts[0].alert.acknowledgements = [
      Acknowledgement(responder: makeUUID(), name: "Karin Dahl", date: now - .minutes(41))
    ]
    var maja = peer("Maja Lind", "+46705551011", "Works alone in the workshop.", hours: 26)
    maja.raise(.missed, at: now - .minutes(105), makeUUID())
    maja.alerts[0].alert.sequence = 0
    var asa = peer("Åsa Holm", "+46705551015", "Night shifts; sleeps until two.", hours: 24)
    asa.user.lastCheckIn = now - .hours(24) - .minutes(6)
    let sven = peer("Sven Åkerman", "+46705551012", "Hunts alone; no signal in the hut.", hours: 21)
    let henrik = peer("Henrik Sand", "+46705551013", "", hours: 7)
    var pedro = peer("Pedro Álvarez", "+34612345678", "Sails to Madeira.", hours: 30)
    pedro.user.pausedAt = now - .hours(29)
    pedro.user.pausedUntil = now + .days(3)

    var peers = [tove, ulrik, maja, asa, sven, henrik, pedro].map {
      DemoPeer(account: $0, relation: relation(from: $0.user, to: person, .responder, .active))
    }
    let liv = peer("Liv Solberg", "+4798765432", "Trail runner.", hours: 5)
    peers.append(
      DemoPeer(
        account: liv,
        relation: relation(from: liv.user, to: person, [.responder, .dependent], .active)))
    peers.ping(sven, from: person.id, Ping(id: makeUUID(), sentAt: now - .minutes(12)))
    peers.ping(liv, from: liv.user.id, Ping(id: makeUUID(), sentAt: now - .minutes(20)))
    return peers
  }

  // MARK: Those who asked, and those who were asked

  private func requests(of person: User) -> [DemoPeer] {
    let noor = peer("Noor Haddad", "+46705551014", "", hours: 1)
    let tomasz = peer("Tomasz Nowak", "+48501234567", "", hours: 4)
    let greta = peer("Greta Falk", "+46705551016", "", hours: 2)
    return [
      DemoPeer(account: noor, relation: relation(from: noor.user, to: person, .responder)),
      DemoPeer(account: tomasz, relation: relation(from: person, to: tomasz.user, .responder)),
      DemoPeer(
        account: greta, relation: relation(from: person, to: greta.user, .responder, .declined)),
    ]
  }

  private func relation(
    from requester: User, to addressee: User, _ roles: Roles,
    _ state: AccountLink.State = .requested
  ) -> StoredRelation {
    StoredRelation(
      id: makeUUID(), requester: requester.id, addressee: addressee.id, roles: roles, state: state,
      createdAt: now - .days(12))
  }

  private func peer(
    _ name: String, _ phone: String, _ note: String, hours: Int
  ) -> Account {
    let mailbox = name.lowercased().split(separator: " ")[0].replacing("å", with: "a")
    let user = User(
      id: makeUUID(),
      profile: Profile(
        name: name, phone: phone, note: note, email: "\(mailbox)@neighbours.example"),
      interval: .standard, reminders: [.minutes(30)], grace: .minutes(15),
      lastCheckIn: now - .hours(hours), createdAt: now - .days(30), code: AccountCode(makeUUID()))
    return Account(user: user)
  }
}

extension Account {
  fileprivate mutating func raise(
    _ kind: Alert.Kind, _ message: String = "", at date: Date, _ id: UUID
  ) {
    alerts.append(StoredAlert(alert: Alert(id: id, kind: kind, message: message, raisedAt: date)))
  }
}

extension [DemoPeer] {
  fileprivate mutating func ping(_ peer: Account, from sender: User.ID, _ ping: Ping) {
    guard let index = firstIndex(where: { $0.account.user.id == peer.user.id }) else { return }
    self[index].relation.pings = [(sender, ping)]
  }
}
