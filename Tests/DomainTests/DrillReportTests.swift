import Domain
import FoundationEssentials
import Testing

/// ALT-6: the messages of a drill to each responder, and how long they took.
@Suite struct DrillReportTests {
  let start = Date(timeIntervalSince1970: 1_795_000_000)

  /// - Parameter number: A number to distinguish people with the same name.
  func delivery(
    _ name: String, _ state: DeliveryState, after seconds: Double = 0, error: String? = nil,
    number: UInt8 = 0
  ) -> DeliveryReport {
    DeliveryReport(
      id: UUID(), stage: .alertOn,
      recipientID: .contact(
        UUID(uuid: (name.utf8.first!, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number))),
      recipient: name, channel: .email, address: "x@example.org",
      state: state, date: start.addingTimeInterval(seconds), plannedAt: start, error: error)
  }

  func report(_ deliveries: DeliveryReport...) -> DrillReport {
    DrillReport(
      AlertReport(
        alert: Alert(id: UUID(), kind: .drill, raisedAt: start), deliveries: deliveries))
  }

  @Test("ALT-6: a drill counts as sent to all once one message to each responder was sent")
  func told() {
    let report = report(
      delivery("Bo", .failed, error: "550"), delivery("Bo", .sent, after: 2.2),
      delivery("Cem", .sent, after: 0.4))
    #expect(report.isSentToAll)
    #expect(report.summary == "Drill: sent to all 2 responders, within 3s.")
    #expect(report.lines.map(\.outcome) == ["not sent: 550", "sent within 3s", "sent at once"])
  }

  @Test("ALT-6: a responder without a sent message makes the drill report incomplete")
  func missed() {
    let partly = report(
      delivery("Bo", .sent, after: 200), delivery("Cem", .pending, error: "451 later"))
    #expect(!partly.isSentToAll)
    #expect(partly.summary == "Drill: sent to 1 of 2 responders, within 3m 20s.")
    #expect(partly.lines[1].outcome == "not sent yet: 451 later")
    let one = report(delivery("Bo", .cancelled))
    #expect(one.summary == "Drill: not sent to your responder.")
    #expect(one.lines[0].outcome == "not sent: the drill ended first")
    #expect(report(delivery("Bo", .sent)).summary == "Drill: sent to your responder, at once.")
    #expect(report().summary == "Drill: there was nobody to notify.")
    #expect(!report().isSentToAll)
  }

  @Test("ALT-6: two responders with the same name are counted as two")
  func namesakes() {
    let report = report(
      delivery("Bo", .sent, after: 1, number: 1),
      delivery("Bo", .failed, error: "550", number: 2))
    #expect(report.summary == "Drill: sent to 1 of 2 responders, at once.")
  }

  @Test("The message that a drill is over is not part of the drill report")
  func finalMessage() {
    var over = delivery("Bo", .pending)
    over.stage = .alertOff
    #expect(report(delivery("Bo", .sent), over).lines.count == 1)
  }
}
