import Domain
import FoundationEssentials

/// Another account of the demo, and how it is related to the demo's person.
struct DemoPeer {
  var account: Account
  var relation: StoredRelation
}

extension DemoStory {
  /// Those who named the person as their responder, one for each way of standing, and one who asks
  /// for it.
  func peers(of person: User) -> [DemoPeer] {
    var tove = peer("Tove Berg", "+46705551010", "Diabetes. Insulin in the fridge.", hours: 3)
    tove.alerts = [
      StoredAlert(
        alert: Alert(
          id: makeUUID(), kind: .manual, message: "Fell on the stairs, cannot get up.",
          raisedAt: now - .minutes(5)))
    ]
    var maja = peer("Maja Lind", "+46705551011", "Works alone in the workshop.", hours: 26)
    maja.alerts = [
      StoredAlert(
        alert: Alert(
          id: makeUUID(), kind: .missed, raisedAt: now - .hours(1) - .minutes(45), sequence: 0))
    ]
    let sven = peer("Sven Åkerman", "+46705551012", "Hunts alone; no signal in the hut.", hours: 21)
    let henrik = peer("Henrik Sand", "+46705551013", "", hours: 7)
    let noor = peer("Noor Haddad", "+46705551014", "", hours: 1)
    return [tove, maja, sven, henrik, noor].map { peer in
      var relation = StoredRelation(
        id: makeUUID(), requester: peer.user.id, addressee: person.id, roles: .responder,
        createdAt: now - .days(12))
      relation.state = peer.user.id == noor.user.id ? .requested : .active
      if peer.user.id == sven.user.id {
        relation.pings = [(person.id, Ping(id: makeUUID(), sentAt: now - .minutes(12)))]
      }
      return DemoPeer(account: peer, relation: relation)
    }
  }

  private func peer(
    _ name: String, _ phone: String, _ note: String, hours: Int
  ) -> Account {
    let user = User(
      id: makeUUID(), profile: Profile(name: name, phone: phone, note: note),
      interval: .standard, reminders: [.minutes(30)], grace: .minutes(15),
      lastCheckIn: now - .hours(hours), createdAt: now - .days(30), code: AccountCode(makeUUID()))
    return Account(user: user, attentionAt: nil)
  }
}
