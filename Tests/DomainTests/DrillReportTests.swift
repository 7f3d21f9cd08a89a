import Domain
import FoundationEssentials
import Testing

/// ALT-6: what reached whom, and how fast.
@Suite struct DrillReportTests {
  let start = Date(timeIntervalSince1970: 1_795_000_000)

  func delivery(
    _ name: String, _ state: DeliveryState, after seconds: Double = 0, error: String? = nil
  ) -> DeliveryReport {
    DeliveryReport(
      id: UUID(), stage: .alertOn, recipient: name, channel: .email, address: "x@example.org",
      state: state, date: start.addingTimeInterval(seconds), plannedAt: start, error: error)
  }

  func report(_ deliveries: DeliveryReport...) -> DrillReport {
    DrillReport(
      AlertReport(
        alert: Alert(id: UUID(), kind: .drill, raisedAt: start), deliveries: deliveries))
  }

  @Test("ALT-6: everybody is told once each is reached on one channel")
  func told() {
    let report = report(
      delivery("Bo", .failed, error: "550"), delivery("Bo", .sent, after: 2.2),
      delivery("Cem", .sent, after: 0.4))
    #expect(report.isEverybodyTold)
    #expect(report.summary == "Drill: all 2 responders were told, within 3 s.")
    #expect(report.lines.map(\.outcome) == ["not told: 550", "told within 3 s", "told at once"])
  }

  @Test("ALT-6: whoever is missed makes it incomplete")
  func missed() {
    let partly = report(
      delivery("Bo", .sent, after: 200), delivery("Cem", .pending, error: "451 later"))
    #expect(!partly.isEverybodyTold)
    #expect(partly.summary == "Drill: 1 of 2 responders were told, within 3m 20s.")
    #expect(partly.lines[1].outcome == "not told yet: 451 later")
    let one = report(delivery("Bo", .cancelled))
    #expect(one.summary == "Drill: your responder was not told.")
    #expect(one.lines[0].outcome == "not told: the drill ended first")
    #expect(report(delivery("Bo", .sent)).summary == "Drill: your responder was told, at once.")
    #expect(report().summary == "Drill: there was nobody to tell.")
    #expect(!report().isEverybodyTold)
  }

  @Test("The words that it is over are no part of the report")
  func farewell() {
    var over = delivery("Bo", .pending)
    over.stage = .alertOff
    #expect(report(delivery("Bo", .sent), over).lines.count == 1)
  }
}

/// CHK-3: an alert that was cancelled under duress looks as if it had ended.
@Suite struct ConcealedAlertTests {
  let start = Date(timeIntervalSince1970: 1_795_000_000)

  func delivery(
    _ number: UInt8, _ state: DeliveryState, at date: Date, plannedAt: Date
  ) -> DeliveryReport {
    DeliveryReport(
      id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number)), stage: .alertOn,
      recipient: "\(number)", channel: .email, address: "x@example.org", state: state, date: date,
      plannedAt: plannedAt)
  }

  @Test("CHK-3: nothing that happens afterwards is in it, and who was told seems told the end")
  func seeming() {
    let end = start + .minutes(5)
    let acknowledged = Acknowledgement(responder: UUID(), name: "Bo", date: end + .seconds(1))
    let report = AlertReport(
      alert: Alert(
        id: UUID(), kind: .manual, raisedAt: start, acknowledgements: [acknowledged]),
      deliveries: [
        delivery(1, .sent, at: start + .minutes(1), plannedAt: start),
        delivery(2, .sent, at: end + .minutes(1), plannedAt: start),
        delivery(3, .pending, at: end + .minutes(9), plannedAt: start),
        delivery(4, .failed, at: start + .minutes(2), plannedAt: start),
        delivery(5, .sent, at: end + .minutes(2), plannedAt: end + .seconds(1)),
      ])
    let shown = report.seemingToEnd(at: end)
    #expect(shown.alert.resolvedAt == end)
    #expect(shown.alert.acknowledgements == [])
    #expect(shown.deliveries.map(\.recipient) == ["1", "2", "3", "4", "1"])
    #expect(shown.deliveries.map(\.state) == [.sent, .cancelled, .cancelled, .failed, .sent])
    #expect(shown.deliveries.last?.stage == .alertOff)
    #expect(shown.deliveries.last?.date == end)
    #expect(Set(shown.deliveries.map(\.id)).count == 5)
  }
}
