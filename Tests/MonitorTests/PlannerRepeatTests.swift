import Domain
import FoundationEssentials
import Monitor
import Testing

/// Repeated messages and acknowledgements (ESC-2).
@Suite struct PlannerRepeatTests {
  let raised = start + .hours(1)

  func plan(
    _ alerts: [Alert] = [.manual()], _ deliveries: [DeliveryRecord], at now: Date,
    responders: [Contact] = [.bob], email: String? = nil, every interval: TimeSpan = .hours(1),
    watchedSince: Date? = nil
  ) -> Plan {
    var user = User.ada(email: email, reminders: [], lastCheckIn: start + .days(20))
    user.repeatInterval = interval
    return Planner.plan(
      MonitoredAccount(
        user: user, revision: 1, responders: responders, alerts: alerts, deliveries: deliveries,
        watchedSince: watchedSince),
      now: now, makeID: { .cyd })
  }

  func told(
    _ contact: Contact = .bob, _ stage: Stage = .alertOn, number: UInt64 = 20,
    after span: TimeSpan = .seconds(2), alert: UUID = .alert
  ) -> DeliveryRecord {
    DeliveryRecord(
      number, .to(contact, stage, alert: alert), .sent, finishedAt: raised + span)
  }

  func again(_ count: Int, _ contact: Contact = .bob) -> PlannedDelivery {
    .to(contact, .alertOnAgain(count), inReplyTo: told(contact).messageID)
  }

  func word(_ contact: Contact, after span: TimeSpan = .minutes(5)) -> Acknowledgement {
    Acknowledgement(responder: contact.id, name: contact.name, date: raised + span)
  }

  @Test("ESC-2: an hour after the alert the responders are notified again, not a second before")
  func anHour() {
    let before = plan([.manual()], [told()], at: raised + .minutes(60) - .seconds(1))
    #expect(before.deliveries.isEmpty)
    #expect(before.nextPlanning == raised + .hours(1))
    let after = plan([.manual()], [told()], at: raised + .hours(1))
    #expect(after.deliveries == [again(1)])
    #expect(after.nextPlanning == raised + .hours(2))
  }

  @Test("ESC-2: a repeat interval of zero from a damaged store repeats nothing")
  func noInterval() {
    #expect(plan([.manual()], [told()], at: raised + .hours(1), every: .zero).deliveries == [])
  }

  @Test("ESC-2: after an outage one message makes up for all missed repeats")
  func outage() {
    #expect(
      plan([.manual()], [told()], at: raised + .hours(7) + .minutes(9)).deliveries == [again(7)])
    let seventh = told(.bob, .alertOnAgain(7), number: 21, after: .minutes(429))
    #expect(
      plan([.manual()], [told(), seventh], at: raised + .hours(7) + .minutes(59)).deliveries == [])
    #expect(plan([.manual()], [told(), seventh], at: raised + .hours(8)).deliveries == [again(8)])
  }

  @Test("ESC-2: 48 hours after the alert the repeats end")
  func end() {
    #expect(
      plan([.manual()], [told()], at: raised + .hours(48) - .seconds(1)).deliveries == [again(47)])
    let over = plan([.manual()], [told()], at: raised + .hours(48))
    #expect(over.deliveries.isEmpty)
    #expect(over.nextPlanning.map { $0 > raised + .days(10) } ?? false, "only the deadline is left")
  }

  @Test("ESC-2: while a message to a responder is pending, no repeat is planned")
  func pending() {
    let first = DeliveryRecord(20, .to(.bob, .alertOn), attempts: 9)
    #expect(plan([.manual()], [first], at: raised + .hours(3)).deliveries.isEmpty)
    let second = DeliveryRecord(21, .to(.bob, .alertOnAgain(2)), attempts: 3)
    #expect(plan([.manual()], [told(), second], at: raised + .hours(3)).deliveries.isEmpty)
  }

  @Test("ESC-2: a responder whose first message failed gets the next repeat")
  func refused() {
    let refused = DeliveryRecord(20, .to(.bob, .alertOn), .failed, finishedAt: raised)
    #expect(plan([.manual()], [refused], at: raised + .hours(1)).deliveries == [again(1)])
  }

  @Test("ESC-2: a responder added later gets the first message, then only the later repeats")
  func added() {
    let now = raised + .hours(2) + .minutes(30)
    let latest = told(.bob, .alertOnAgain(2), number: 21, after: .hours(2))
    let first = plan([.manual()], [told(), latest], at: now, responders: [.bob, .cyd])
    #expect(first.deliveries == [.to(.cyd, .alertOn)])
    let cyd = told(.cyd, .alertOn, number: 22, after: .minutes(151))
    #expect(
      plan([.manual()], [told(), latest, cyd], at: now + .minutes(5), responders: [.bob, .cyd])
        .deliveries == [])
    let third = plan(
      [.manual()], [told(), latest, cyd], at: raised + .hours(3), responders: [.bob, .cyd])
    #expect(
      third.deliveries == [again(3), .to(.cyd, .alertOnAgain(3), inReplyTo: cyd.messageID)])
  }

  @Test("ESC-2: a changed repeat interval counts at once, shorter or longer")
  func anotherInterval() {
    let fifth = told(.bob, .alertOnAgain(5), number: 21, after: .hours(5))
    let shorter = plan(
      [.manual()], [told(), fifth], at: raised + .minutes(310), every: .minutes(10))
    #expect(shorter.deliveries == [again(31)])
    let many = told(.bob, .alertOnAgain(31), number: 22, after: .minutes(310))
    let longer = plan([.manual()], [told(), fifth, many], at: raised + .hours(6), every: .hours(1))
    #expect(longer.deliveries == [again(32)])
  }

  @Test("ALT-6: a drill is not repeated")
  func drill() {
    let drill = Alert(id: .alert, kind: .drill, raisedAt: raised)
    let pending = DeliveryRecord(21, .to(.cyd, .alertOn))
    let plan = plan(
      [drill], [told(), pending], at: raised + .hours(5), responders: [.bob, .cyd])
    #expect(plan.deliveries.isEmpty)
  }

  @Test("ESC-5: after a clock is set back, an alert repeats an hour after that moment")
  func clockSetBack() {
    let set = raised - .hours(3)
    func at(_ now: Date) -> Plan { plan([.manual()], [told()], at: now, watchedSince: set) }
    #expect(at(set + .minutes(59)).deliveries.isEmpty)
    #expect(at(set + .minutes(59)).nextPlanning == set + .hours(1))
    #expect(at(set + .hours(1)).deliveries == [again(1)])
  }

  @Test(
    "ESC-2: a repeat recorded up to two minutes ahead of the clock counts as sent",
    arguments: [1, 120])
  func recordedSince(_ seconds: Int) {
    let now = raised + .hours(1)
    let repeated = told(
      .bob, .alertOnAgain(1), number: 21, after: .seconds(3_600 + seconds))
    #expect(
      plan([.manual()], [told(), repeated], at: now, watchedSince: raised).deliveries.isEmpty)
  }

  @Test("ESC-5: a message recorded over two minutes ahead of the clock doesn't hold back a repeat")
  func recordedByWrongClock() {
    let now = raised + .hours(1)
    let wrong = told(after: .seconds(3_600 + 121))
    #expect(plan([.manual()], [wrong], at: now, watchedSince: raised).deliveries == [again(1)])
  }

  @Test("ESC-2: an acknowledgement ends the repeats, and is sent to the others and the person")
  func acknowledged() {
    var alert = Alert.manual()
    alert.acknowledgements = [word(.bob)]
    let cyd = told(.cyd, number: 21)
    let repeated = DeliveryRecord(22, .to(.cyd, .alertOnAgain(1)))
    let plan = plan(
      [alert], [told(), cyd, repeated], at: raised + .hours(1), responders: [.bob, .cyd],
      email: "ada@example.org")
    #expect(plan.cancelled == [repeated.id])
    var toCyd = PlannedDelivery.to(.cyd, .acknowledged(.bob), inReplyTo: cyd.messageID)
    toCyd.detail = "Bob"
    var toAda = PlannedDelivery.toAda(.acknowledged(.bob))
    toAda.occasion = .alert(.alert)
    toAda.detail = "Bob"
    #expect(plan.deliveries == [toCyd, toAda])
  }

  @Test("PAGE-1: a withdrawn response isn't announced, and the repeats go out again")
  func withdrawn() {
    let (bob, cyd) = (told(), told(.cyd, number: 21))
    let word = DeliveryRecord(22, .to(.cyd, .acknowledged(.bob)))
    let plan = plan(
      [.manual()], [bob, cyd, word], at: raised + .hours(1), responders: [.bob, .cyd])
    #expect(plan.cancelled == [word.id])
    #expect(plan.deliveries.map(\.stage) == [.alertOnAgain(1), .alertOnAgain(1)])
    var again = Alert.manual()
    again.acknowledgements = [
      Acknowledgement(responder: .bob, name: "Bob", date: raised + .minutes(50), withdrawals: 1)
    ]
    let sent = DeliveryRecord(22, .to(.cyd, .acknowledged(.bob)), .sent)
    let second = self.plan(
      [again], [bob, cyd, sent], at: raised + .hours(1), responders: [.bob, .cyd])
    #expect(second.deliveries.map(\.stage) == [.acknowledged(again.acknowledgements[0].identity)])
    #expect(again.acknowledgements[0].identity != .bob)
  }

  @Test("ESC-2: a response is announced once for two alerts, and only to notified responders")
  func acknowledgedOnce() {
    var manual = Alert.manual()
    manual.acknowledgements = [word(.bob)]
    let missed = Alert(
      id: .cyd, kind: .missed, raisedAt: raised, sequence: 7, acknowledgements: [word(.bob)])
    let records = [
      told(), told(.cyd, number: 21), told(.bob, .nonResponsive, number: 22, alert: .cyd),
      told(.cyd, .nonResponsive, number: 23, alert: .cyd),
    ]
    let both = plan([manual, missed], records, at: raised + .hours(1), responders: [.bob, .cyd])
    #expect(both.deliveries.map(\.stage) == [.acknowledged(.bob)])
    let unknowing = plan([manual], [told()], at: raised + .hours(1), responders: [.bob, .cyd])
    #expect(unknowing.deliveries == [.to(.cyd, .alertOn)])
  }

  @Test("ESC-2: one response to two alerts is announced once; a later response is announced too")
  func wordsApart() {
    var (manual, silent) = (Alert.manual(), Alert.duress())
    (manual.acknowledgements, silent.acknowledgements) = ([word(.bob)], [word(.bob)])
    let calls = [told(.cyd, number: 21), told(.cyd, number: 22, alert: .silent)]
    func words(_ alerts: [Alert], _ records: [DeliveryRecord]) -> [Occasion] {
      plan(alerts, records, at: raised + .minutes(9), responders: [.bob, .cyd]).deliveries
        .filter { $0.stage == .acknowledged(.bob) }.map(\.occasion)
    }
    let waiting = DeliveryRecord(23, .to(.cyd, .acknowledged(.bob), alert: .silent))
    #expect(words([manual, silent], calls + [waiting]) == [])
    let later = Alert(
      id: .cyd, kind: .missed, raisedAt: raised, sequence: 7,
      acknowledgements: [word(.bob, after: .minutes(8))])
    let call = told(.cyd, .nonResponsive, number: 24, alert: .cyd)
    #expect(words([later, manual, silent], [call] + calls).count == 2)
  }

  @Test("CHK-3: a response to a silent alert isn't sent to the person")
  func hidden() {
    var silent = Alert.duress()
    silent.acknowledgements = [word(.bob)]
    let records = [
      told(.bob, number: 22, alert: .silent), told(.cyd, number: 23, alert: .silent),
    ]
    let plan = plan(
      [silent], records, at: raised + .hours(1), responders: [.bob, .cyd],
      email: "ada@example.org")
    #expect(plan.deliveries.map(\.recipient) == [.contact(.cyd)])
  }

  @Test("CHK-6: after repeats a responder gets the end once, as a reply to the first message")
  func oneEnd() {
    let records = [
      told(), told(.bob, .alertOnAgain(1), number: 21, after: .hours(1)),
      DeliveryRecord(22, .to(.bob, .alertOnAgain(2))),
    ]
    let over = Alert.manual(resolvedAt: raised + .hours(2))
    let plan = plan([over], records, at: raised + .hours(2))
    #expect(plan.deliveries == [.to(.bob, .alertOff, inReplyTo: told().messageID)])
    #expect(plan.cancelled == [records[2].id])
  }

  @Test("CHK-6: the end of an alert waits for a repeat that is being sent")
  func endWaits() {
    let now = raised + .hours(2)
    let sending = DeliveryRecord(
      22, .to(.bob, .alertOnAgain(2)), attempts: 1, isRecorded: false,
      leasedUntil: now + .seconds(60))
    let over = Alert.manual(resolvedAt: now)
    let plan = plan([over], [told(), sending], at: now)
    #expect(plan.deliveries.isEmpty && plan.settled.isEmpty)
    #expect(plan.nextPlanning == now + .seconds(60))
  }
}
