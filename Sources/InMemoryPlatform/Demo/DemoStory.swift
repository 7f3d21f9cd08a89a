import Domain
import FoundationEssentials

/// The past of the demo's person, told backwards from now.
struct DemoStory {
  let now: Date
  let calendar: CivilCalendar
  let makeUUID: () -> UUID

  static let interval = try! CheckInInterval(.hours(36))
  static let grace = TimeSpan.minutes(15)

  func account() -> Account {
    let checkIns = checkIns()
    let last = checkIns.last!
    var account = Account(
      user: User(
        id: makeUUID(),
        profile: Profile(
          name: "Ida Lindqvist", phone: "+46701740605",
          note: """
            Penicillin allergy. Asthma: inhaler in the blue jacket.
            Spare key with Bo, second floor. The dog is called Sot.
            """,
          email: "ida@example.org"),
        interval: Self.interval, reminders: [.hours(2), .minutes(30)], grace: Self.grace,
        checkInSequence: last.sequence, lastCheckIn: last.date, createdAt: checkIns[0].date))
    account.contacts = outsideContacts(addedAt: account.user.createdAt)
    account.checkIns = checkIns
    raisePastAlerts(in: &account)
    account.alerts.sort { $0.alert.raisedAt < $1.alert.raisedAt }
    account.notifications = notifications(of: account)
    return account
  }

  /// Those without an account of their own (CON-3).
  private func outsideContacts(addedAt start: Date) -> [Contact] {
    let cast: [(name: String, phone: String?, email: String?, note: String, roles: Roles)] = [
      ("Bo Nyström", "+46731230044", "bo@example.org", "Neighbour, has the key.", .responder),
      ("Aoife O’Neill", "+353861234567", "aoife@example.net", "Sister.", [.responder, .dependent]),
      ("Dr. Amara Okafor", "+442071838750", Self.slowMailbox, "", .responder),
      ("小林 さくら", "+81312345678", "sakura@example.jp", "Walks with me on Sundays.", .responder),
      ("Grandpa Erik", "+46812345678", nil, "Lives alone, hard of hearing.", .dependent),
      ("Zoë van Dijk", "+31612345678", "zoe@example.nl", "Sails single-handed.", .dependent),
    ]
    return cast.enumerated().map { index, person in
      Contact(
        id: makeUUID(), name: person.name, phone: person.phone, note: person.note,
        roles: person.roles,
        channels: person.email.map {
          [Channel(id: makeUUID(), kind: .email, address: $0)]
        } ?? [], addedAt: start + .hours(index * 20))
    }
  }

  /// The address whose server puts mail off before it takes it.
  static let slowMailbox = "practice@example.com"
}
