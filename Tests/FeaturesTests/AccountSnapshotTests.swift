import Domain
import FoundationEssentials
import Testing

@testable import Features

struct AccountSnapshotTests {
  private func delivery(
    _ state: DeliveryState, to address: String = "Grace@Navy.example", stage: Stage = .alertOn
  ) -> DeliveryReport {
    DeliveryReport(
      id: Sample.id(70), stage: stage, recipientID: .contact(Sample.grace.id), recipient: "Grace",
      channel: .email, address: address,
      state: state, date: Sample.now)
  }

  private func snapshot(_ deliveries: [DeliveryReport]...) -> AccountSnapshot {
    Sample.snapshot(alerts: deliveries.map { AlertReport(alert: Sample.alert, deliveries: $0) })
  }

  @Test("CON-5: a contact's address counts as refused while the last finished message to it failed")
  func refusal() {
    func isRefused(_ contact: Contact, _ snapshot: AccountSnapshot) -> Bool {
      snapshot.situation.reach(of: contact, snapshot.channels) == .refused
    }
    #expect(!isRefused(Sample.grace, snapshot()))
    #expect(isRefused(Sample.grace, snapshot([delivery(.failed)])))
    #expect(!isRefused(Sample.alan, snapshot([delivery(.failed)])))
    #expect(isRefused(Sample.grace, snapshot([delivery(.failed), delivery(.pending)])))
    #expect(!isRefused(Sample.grace, snapshot([delivery(.failed), delivery(.sent)])))
    #expect(!isRefused(Sample.grace, snapshot([delivery(.sent)], [delivery(.failed)])))
    #expect(isRefused(Sample.grace, snapshot([], [delivery(.failed)])))
    // A refusal by an old address doesn't count for the new one.
    #expect(!isRefused(Sample.grace, snapshot([delivery(.failed, to: "old@navy.example")])))
  }

  @Test(
    "WCH-1: a monitor silent for 12 s or longer is reported as late, before its lease expires",
    arguments: [(0, nil), (11, nil), (12, 12), (29, 29)] as [(Int, Int?)])
  func silence(age: Int, said: Int?) {
    let watch = WatchStatus(monitors: 1, lastSeen: Sample.now - .seconds(age))
    #expect(watch.silence(at: Sample.now)?.seconds == said)
    #expect(WatchStatus(monitors: 0, lastSeen: watch.lastSeen).silence(at: Sample.now) == nil)
    #expect(WatchStatus(monitors: 1).silence(at: Sample.now) == nil)
  }

  @Test("WCH-1: the screen next changes when a monitor has been silent for 12 s, then every second")
  func nextVisibleChange() {
    var snapshot = Sample.snapshot()
    // The countdown's text doesn't change within this minute.
    snapshot.now = Sample.now + .seconds(1)
    snapshot.watch = WatchStatus(monitors: 1, lastSeen: Sample.now)
    #expect(snapshot.nextVisibleChange == Sample.now + .seconds(12))
    snapshot.now = Sample.now + .seconds(12)
    #expect(snapshot.nextVisibleChange == Sample.now + .seconds(13))
    snapshot.watch?.monitors = 0
    #expect(snapshot.nextVisibleChange == Sample.now + .seconds(61))
  }

  @Test(
    "ORD-2: after the interval is lengthened the status is OK again and a missed alert stays on")
  func longerInterval() {
    var snapshot = Sample.snapshot()
    snapshot.user.lastCheckIn = Sample.now - .hours(3)
    snapshot.alerts = [
      AlertReport(alert: Alert(id: Sample.id(7), kind: .missed, raisedAt: Sample.now, sequence: 0))
    ]
    #expect(snapshot.status == .ok)
    #expect(snapshot.deadlineStatus == .ok)
    #expect(snapshot.alerts.missed != nil)
  }

  @Test("WCH-1: the app says nobody can be notified only if every channel to responders is blocked")
  func failureReason() {
    var snapshot = Sample.snapshot()
    func contact(_ number: UInt8, _ kinds: Channel.Kind..., roles: Roles = .responder) -> Contact {
      Contact(
        id: Sample.id(number), name: "Bo", roles: roles,
        channels: kinds.map { Channel(id: Sample.id(100 + number), kind: $0, address: "bo") },
        addedAt: Sample.now)
    }
    let mail = "mail is not set up"
    snapshot.watch = WatchStatus(monitors: 1, problem: mail, failingKinds: [.email])
    snapshot.contacts = [contact(1, .webhook), contact(2, .webhook)]
    #expect(snapshot.failureReason == nil)
    snapshot.contacts = [contact(1, .email), contact(2, .email, .ntfy)]
    #expect(snapshot.failureReason == nil)
    snapshot.contacts = [contact(1, .email), contact(2, .webhook, roles: .dependent)]
    #expect(snapshot.failureReason == mail)
    snapshot.contacts = []
    #expect(snapshot.failureReason == mail)
    snapshot.contacts = [contact(1, .webhook)]
    snapshot.watch = WatchStatus(monitors: 1, problem: "Your account cannot be watched")
    #expect(snapshot.failureReason == "Your account cannot be watched", "it concerns every channel")
    snapshot.watch = WatchStatus(monitors: 0, problem: mail, failingKinds: [.email])
    #expect(snapshot.failureReason == "no monitor is running")
  }
}
