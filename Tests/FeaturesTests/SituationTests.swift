import Clients
import Composable
import Domain
import FoundationEssentials
import TestSupport
import Testing

@testable import Features

/// The situation is judged when the data that it depends on change. It must never be stale.
struct SituationTests {
  /// A change of an input that changes the situation.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (inout AccountSnapshot) -> Void

    init(_ name: String, _ apply: @escaping @Sendable (inout AccountSnapshot) -> Void) {
      (testDescription, self.apply) = (name, apply)
    }
  }

  private static let contacts =
    [Sample.alan, Sample.grace, Sample.reachable, Sample.charles, Sample.pinged, Sample.dueSoon]
    + [Sample.hedy, Sample.katherine]

  private static func delivery(
    _ number: UInt8, to contact: Contact = Sample.grace, _ state: DeliveryState,
    stage: Stage = .alertOn
  ) -> DeliveryReport {
    DeliveryReport(
      id: Sample.id(number), stage: stage, recipientID: .contact(contact.id),
      recipient: contact.name, channel: .email, address: contact.channels.first?.address ?? "",
      state: state, date: Sample.now, error: state == .failed ? "550 no such user" : nil)
  }

  private static func base() -> AccountSnapshot {
    var snapshot = Sample.snapshot(
      contacts: contacts,
      alerts: [
        AlertReport(
          alert: Sample.alert,
          deliveries: [delivery(90, .pending), delivery(91, to: Sample.alan, .sent)])
      ])
    snapshot.watch = WatchStatus(monitors: 1, lastSeen: Sample.now)
    return snapshot
  }

  private static func failing(_ contacts: [Contact]) -> ChannelOverview {
    let last = contacts.flatMap(\.channels).map { channel in
      (
        channel.id,
        DeliveryReport(
          id: Sample.id(92), stage: .channelTest(Sample.id(93)), recipientID: .owner, recipient: "",
          channel: channel.kind, address: channel.address, state: .failed, date: Sample.now)
      )
    }
    return ChannelOverview(last: Dictionary(uniqueKeysWithValues: last))
  }

  private static let changes: [Change] = [
    Change("a contact is added") { $0.contacts.append(Sample.mary) },
    Change("all contacts are gone") { $0.contacts = [] },
    Change("a responder's only channel is removed") { $0.contacts[1].channels = [] },
    Change("a responder declines") { $0.contacts[1].declinedAt = Sample.now },
    Change("a responder gets a phone") { $0.contacts[1].phone = "+442071838751" },
    Change("a dependent's alert ends") { $0.contacts[3].link?.dependentStatus?.alert = nil },
    Change("a request is accepted") { $0.contacts[7].link?.state = .active },
    Change("a message is refused") { $0.alerts[0].deliveries[0].state = .failed },
    Change("a message is sent") { $0.alerts[0].deliveries[0].state = .sent },
    Change("a responder acknowledges") {
      $0.alerts[0].alert.acknowledgements = [
        Acknowledgement(responder: Sample.grace.id, name: "Grace Hopper", date: Sample.now)
      ]
    },
    Change("a responder withdraws") {
      $0.alerts[0].withdrawals = [
        Withdrawal(responder: Sample.grace.id, name: "Grace Hopper", date: Sample.now)
      ]
    },
    Change("the alert ends") { $0.alerts[0].alert.resolvedAt = Sample.now },
    Change("the all-clear isn't sent to someone") {
      $0.alerts[0].alert.resolvedAt = Sample.now
      $0.alerts[0].deliveries.append(delivery(94, .failed, stage: .alertOff))
    },
    Change("there are no alerts") { $0.alerts = [] },
    Change("no monitor runs") { $0.watch?.monitors = 0 },
    Change("mail can't be sent") {
      $0.watch = WatchStatus(monitors: 1, problem: "mail is not set up", failingKinds: [.email])
    },
    Change("nothing can be sent") { $0.watch?.problem = "Your account cannot be watched" },
    Change("the watch status isn't known any more") {
      $0.watch = WatchStatus(monitors: 0)
      $0.note(StorageError.busy.text, of: .watch, at: Sample.now)
    },
    Change("the watch status is known again") {
      $0.note(StorageError.busy.text, of: .watch, at: Sample.now)
      $0.watch = WatchStatus(monitors: 0)
      $0.stalls[.watch] = nil
    },
    Change("the server is away") {
      $0.watch = WatchStatus(monitors: 0)
      $0.connection = .offline(since: Sample.now, asOf: nil)
    },
    Change("every channel fails") {
      $0.contacts = [Sample.alan, Sample.grace]
      $0.alerts = []
      $0.channels = failing($0.contacts)
    },
    Change("a dependent's deadline is missed") { $0.now = Sample.now + .hours(2) },
    Change("a ping expires") { $0.now = Sample.now + .hours(25) },
    Change("the clock is set back to before a deadline") {
      $0.now = Sample.now + .hours(30)
      $0.contacts[3].link?.dependentStatus?.alert = nil
      $0.now = Sample.now
    },
  ]

  @Test(
    "A change of contacts, alerts, monitors or clock updates the account's situation at once",
    arguments: changes)
  func change(_ change: Change) {
    var snapshot = Self.base()
    let before = snapshot.situation
    change.apply(&snapshot)
    #expect(snapshot.situation != before)
    #expect(snapshot.situation == Situation(of: snapshot.facts))
    check(snapshot)
  }

  @Test("Before the contacts are loaded, the account's situation is derived from an overview")
  func overview() {
    var snapshot = AccountSnapshot(user: Sample.user, now: Sample.now, calendar: .utc)
    snapshot.watch = WatchStatus(monitors: 1)
    snapshot.expect(ContactOverview(Self.contacts, naming: 2))
    #expect(snapshot.situation.reach.firstReachable.map(\.name) == ["Alan Turing", "Grace Hopper"])
    #expect(snapshot.situation.calls.inAlert == [Sample.charles])
    #expect(snapshot.situation == Situation(of: snapshot.facts))
    snapshot.contacts = Self.contacts
    #expect(snapshot.situation == Situation(of: snapshot.facts))
    check(snapshot)
  }

  @Test(
    "After any sequence of changes the account's situation equals one computed from scratch",
    arguments: 1...40 as ClosedRange<UInt64>)
  func sequences(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var snapshot = Self.base()
    for _ in 0..<40 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        snapshot.now = Sample.now + .minutes(Int.random(in: -300...3_000, using: &random))
      case 1:
        snapshot.contacts = Self.contacts.filter { _ in Bool.random(using: &random) }
      case 2:
        snapshot.alerts = (0..<Int.random(in: 0...3, using: &random)).map {
          Self.report(UInt8($0), &random)
        }
      default: Self.changes.randomElement(using: &random)!.applyIfPossible(to: &snapshot)
      }
      #expect(snapshot.situation == Situation(of: snapshot.facts))
      check(snapshot)
    }
  }

  private static func report(_ number: UInt8, _ random: inout SplitMix64) -> AlertReport {
    let states: [DeliveryState] = [.sent, .failed, .pending, .cancelled]
    var report = AlertReport(
      alert: Alert(
        id: Sample.id(100 + number), kind: number == 0 ? .manual : .missed, raisedAt: Sample.now,
        resolvedAt: number == 0 ? nil : Sample.now))
    for index in UInt8(110)..<116 {
      let contact = contacts.randomElement(using: &random) ?? Sample.grace
      let state = states.randomElement(using: &random) ?? .sent
      report.deliveries.append(delivery(index, to: contact, state))
    }
    return report
  }

  /// Compares the situation with its definition, written without regard for cost.
  private func check(_ snapshot: AccountSnapshot) {
    let (reach, calls) = (snapshot.situation.reach, snapshot.situation.calls)
    let responders = snapshot.contacts.filter(\.isResponder)
    let refused = responders.filter { contact in
      snapshot.knownWatch?.leavesOut(contact) == true
        || !contact.channels.isEmpty
          && contact.channels.allSatisfy { last(on: $0, in: snapshot.alerts)?.state == .failed }
    }
    #expect(reach.firstRefused == refused && reach.refusedCount == refused.count)
    #expect(reach.firstReachable == responders.filter { !refused.contains($0) })
    #expect(reach.firstWithPhone == responders.filter { $0.phone != nil })
    let statuses = snapshot.contacts.compactMap { contact in
      contact.link?.dependentStatus.map { (contact, $0.status(at: snapshot.now)) }
    }
    #expect(calls.inAlert == statuses.filter { $0.1 == .alert }.map(\.0))
    #expect(calls.nonResponsive == statuses.filter { $0.1 == .nonResponsive }.map(\.0))
    #expect(
      calls.pingSenders == snapshot.contacts.filter { $0.openReceivedPing(at: snapshot.now) != nil }
    )
    let offers = snapshot.contacts.filter { $0.link?.state == .offered }
    for role in [Roles.responder, .dependent] {
      #expect(calls.offers(of: role) == offers.count { $0.roles.contains(role) })
    }
    #expect(Set(snapshot.situation.outcomes.keys) == Set(snapshot.activeAlerts.map(\.id)))
  }

  private func last(on channel: Channel, in alerts: [AlertReport]) -> DeliveryReport? {
    alerts.lazy.compactMap { report in
      report.deliveries.last {
        $0.channel == channel.kind && $0.address == channel.address
          && [.sent, .failed].contains($0.state)
      }
    }.first
  }
}

extension SituationTests.Change {
  /// Applies the change if the snapshot has all of the contacts and the alert that it names.
  fileprivate func applyIfPossible(to snapshot: inout AccountSnapshot) {
    guard snapshot.contacts.count >= 8, snapshot.alerts.first?.deliveries.isEmpty == false else {
      return
    }
    apply(&snapshot)
  }
}
