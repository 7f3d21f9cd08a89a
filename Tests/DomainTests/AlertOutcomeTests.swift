import Domain
import FoundationEssentials
import Testing

/// The result of an alert, person by person (ALT-3).
@Suite("The outcome of an alert")
struct AlertOutcomeTests {
  private static let now = Date(timeIntervalSince1970: 1_795_000_000)

  private static func id(_ number: Int) -> UUID {
    UUID(
      uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number / 256), UInt8(number % 256)))
  }

  private static func contact(_ number: Int, phone: String? = nil, hasChannel: Bool = true)
    -> Contact
  {
    Contact(
      id: id(number), name: "Bo \(number)", phone: phone, roles: .responder,
      channels: hasChannel
        ? [Channel(id: id(1_000 + number), kind: .email, address: "\(number)@example.org")] : [],
      addedAt: now)
  }

  private static func message(
    _ number: Int, to contact: Contact, _ state: DeliveryState, stage: Stage = .alertOn,
    error: String? = nil
  ) -> DeliveryReport {
    DeliveryReport(
      id: id(number), stage: stage, recipientID: .contact(contact.id), recipient: contact.name,
      channel: .email, address: "\(contact.name)@example.org", state: state, date: now,
      error: error)
  }

  private static func outcome(
    _ contacts: [Contact], _ messages: [DeliveryReport], answers: [Contact] = [],
    withdrawn: [Contact] = [], watch: WatchStatus? = WatchStatus(monitors: 1)
  ) -> AlertOutcome {
    var alert = Alert(id: id(2_000), kind: .manual, raisedAt: now)
    alert.acknowledgements = answers.map {
      Acknowledgement(responder: $0.id, name: $0.name, date: now + 60)
    }
    let report = AlertReport(
      alert: alert, deliveries: messages,
      withdrawals: withdrawn.map {
        Withdrawal(responder: $0.id, name: $0.name, date: now + 90)
      })
    let facts = AccountFacts(contacts: contacts, alerts: [report], watch: watch, now: now)
    return Situation(of: facts).outcome(of: report, facts)
  }

  @Test("ALT-3: each person shows what was sent, what failed, and whether they respond")
  func people() {
    let sent = Self.contact(1, phone: "1")
    let failed = Self.contact(2)
    let answered = Self.contact(3, phone: "3")
    let withdrew = Self.contact(4)
    let silent = Self.contact(5, hasChannel: false)
    let outcome = Self.outcome(
      [sent, failed, answered, withdrew, silent],
      [
        Self.message(1, to: sent, .sent), Self.message(2, to: failed, .failed, error: "550 no."),
        Self.message(3, to: withdrew, .sent),
        Self.message(4, to: sent, .cancelled, stage: .alertNote(Self.id(9))),
        Self.message(5, to: sent, .failed, stage: .alertNote(Self.id(8)), error: "x"),
      ], answers: [answered], withdrawn: [withdrew])
    // Who responds comes first.
    #expect(outcome.people.map(\.name) == ["Bo 3", "Bo 1", "Bo 2", "Bo 4", "Bo 5"])
    #expect(outcome.people.map(\.isSent) == [false, true, false, true, false])
    #expect(outcome.people.map(\.isResponding) == [true, false, false, false, false])
    #expect(outcome.people.map(\.hasWithdrawn) == [false, false, false, true, false])
    #expect(outcome.people.map(\.isMissing) == [false, false, true, false, true])
    #expect(outcome.people.map(\.isFailing) == [false, false, true, false, true])
    #expect(outcome.people.map(\.hasNoChannel) == [false, false, false, false, true])
    #expect(outcome.people.map(\.isUnplanned) == [false, false, false, false, true])
    #expect(outcome.people[1].note?.id == Self.id(5) && outcome.people[2].note == nil)
    #expect(outcome.peopleCount == 5 && outcome.sentCount == 2 && outcome.respondingCount == 1)
    #expect(outcome.hasWithdrawn && outcome.hasErrors)
    #expect(outcome.sentMessageCount == 2 && outcome.messageCount == outcome.messages.count)
    // Of those who can be called, one who responds comes first.
    #expect(outcome.callable?.name == "Bo 3" && outcome.unsentReason == nil)
    #expect(
      Self.outcome([failed, sent], [Self.message(1, to: sent, .sent)]).callable?.name == "Bo 1")
    let calm = Self.outcome([sent], [Self.message(1, to: sent, .sent)])
    #expect(!calm.hasWithdrawn && !calm.hasErrors)
  }

  @Test("ALT-3: the newest text counts as sent to a person if one of its messages was")
  func notes() {
    let person = Self.contact(1)
    let (first, second) = (Stage.alertNote(Self.id(8)), Stage.alertNote(Self.id(9)))
    let outcome = Self.outcome(
      [person],
      [
        Self.message(1, to: person, .sent), Self.message(2, to: person, .sent, stage: first),
        Self.message(3, to: person, .sent, stage: second),
        Self.message(4, to: person, .failed, stage: second, error: "x"),
      ])
    #expect(outcome.people[0].note?.id == Self.id(3))
    let failed = Self.outcome(
      [person],
      [
        Self.message(1, to: person, .sent), Self.message(2, to: person, .sent, stage: first),
        Self.message(4, to: person, .failed, stage: second, error: "x"),
      ])
    #expect(failed.people[0].note?.id == Self.id(4))
  }

  @Test("ALT-3: of 250 people as many are listed as a screen shows, and all are counted")
  func many() {
    let contacts = (1...250).map { Self.contact($0) }
    let messages = contacts.map { Self.message(3_000 + Int($0.name.dropFirst(3))!, to: $0, .sent) }
    let outcome = Self.outcome(contacts, messages, answers: Array(contacts.suffix(130)))
    #expect(outcome.people.count == 100 && outcome.people.allSatisfy(\.isResponding))
    #expect(outcome.peopleCount == 250 && outcome.sentCount == 250)
    #expect(outcome.respondingCount == 130)
    #expect(outcome.messages.count == 100 && outcome.messageCount == 250)
    let few = Self.outcome(contacts, messages, answers: Array(contacts.suffix(40)))
    #expect(few.people.count == 100 && few.people.count(where: \.isResponding) == 40)
    #expect(few.people[40].name == "Bo 1")
  }

  @Test("NOT-3: why nobody has a message, once no attempt is under way")
  func unsent() {
    let (one, two) = (Self.contact(1), Self.contact(2))
    func reason(_ contacts: [Contact], _ messages: DeliveryReport..., monitors: Int = 1) -> String?
    {
      Self.outcome(contacts, messages, watch: WatchStatus(monitors: monitors)).unsentReason
    }
    let failed = Self.message(1, to: one, .failed, error: "550 no such user.")
    #expect(reason([]) == "you have no responders")
    #expect(reason([one], monitors: 0) == "no monitor is running")
    #expect(reason([one], failed) == "550 no such user")
    #expect(reason([Self.contact(3, hasChannel: false)]) == "no responder has a channel")
    // The first attempt is running.
    #expect(reason([one], Self.message(1, to: one, .pending)) == nil)
    #expect(reason([one, two], failed, Self.message(2, to: two, .pending)) == nil)
    #expect(reason([one, two], failed, Self.message(2, to: two, .sent)) == nil)
    #expect(reason([one], Self.message(1, to: one, .pending, error: "no route")) == "no route")
  }
}
