import Clients
import Domain
import FoundationEssentials

@testable import Features

/// The people and times used in the tests.
enum Sample {
  /// Saturday, 2026-11-21 08:00:00 UTC.
  static let now = Date(timeIntervalSince1970: 1_795_248_000)

  static let user = User(
    id: id(1),
    profile: Profile(
      name: "Ada Lovelace", phone: "+442071838750", note: "Penicillin allergy.",
      email: "ada@example.org", address: "12 St James's Square\nLondon",
      access: "Key with the porter."),
    lastCheckIn: now - .hours(2), createdAt: now - .days(30))

  static let grace = Contact(
    id: id(2), name: "Grace Hopper", roles: .responder,
    channels: [Channel(id: id(3), kind: .email, address: "grace@navy.example")],
    addedAt: now - .days(20))

  static let alan = Contact(
    id: id(4), name: "Alan Turing", phone: "+441632960961", roles: [.responder, .dependent],
    channels: [Channel(id: id(5), kind: .email, address: "alan@example.org")],
    addedAt: now - .days(10))

  /// A contact with more than one channel.
  static let reachable = Contact(
    id: id(40), name: "Hedy Lamarr", roles: .responder,
    channels: [
      Channel(id: id(41), kind: .email, address: "hedy@example.org"),
      Channel(id: id(42), kind: .webhook, address: "https://hook.example.org/hedy"),
      Channel(id: id(43), kind: .ntfy, address: "https://ntfy.sh/hedy-2f1c"),
    ], addedAt: now - .days(5))

  static let outing = Outing(
    id: id(50), text: "Ben Nevis by the CMD arête, red tent", until: now + .hours(4),
    startedAt: now - .minutes(30))

  /// The snapshot of a person who is out.
  static var out: AccountSnapshot {
    var user = user
    user.outing = outing
    return snapshot(user: user)
  }

  static let alert = Alert(id: id(6), kind: .manual, message: "fell", raisedAt: now)

  static func snapshot(
    user: User = user, contacts: [Contact] = [alan, grace], alerts: [AlertReport] = []
  ) -> AccountSnapshot {
    AccountSnapshot(
      user: user, contacts: contacts, history: [], alerts: alerts, now: now, calendar: .utc)
  }

  static func id(_ number: UInt8) -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number))
  }
}
