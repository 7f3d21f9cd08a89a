import Domain
import FoundationEssentials
import Testing

@Suite struct AlertStateTests {
  private static let raised = Date(timeIntervalSince1970: 1_800_000_000)
  private static let acknowledgements = [
    Acknowledgement(responder: UUID(), name: "Ben", date: raised + 60),
    Acknowledgement(responder: UUID(), name: "Clara", date: raised + 90),
  ]

  @Test(
    "ALT-5: an alert is active, then acknowledged by the first responder to answer, then resolved")
  func states() {
    var alert = Alert(id: UUID(), kind: .manual, raisedAt: Self.raised)
    #expect(alert.state == .active)

    alert.acknowledgements = Self.acknowledgements
    #expect(alert.state == .acknowledged(Self.acknowledgements[0]))

    alert.resolvedAt = Self.raised + 300
    #expect(alert.state == .resolved(by: .cancelled, at: Self.raised + 300))
    #expect(alert.acknowledgements == Self.acknowledgements)
  }

  @Test("ESC-2: messages repeat every interval after the alert was raised, for 48 hours")
  func repeats() {
    func next(_ seconds: Int, every interval: TimeSpan = .hours(1)) -> Int? {
      EscalationRules.nextRepeat(
        since: Self.raised, every: interval, after: Self.raised + .seconds(seconds)
      ).map { Int($0.timeIntervalSince(Self.raised)) }
    }
    #expect(next(0) == 3_600 && next(3_599) == 3_600 && next(3_600) == 7_200)
    #expect(next(-60) == 3_600, "a clock that was set back")
    #expect(next(47 * 3_600 - 1) == 47 * 3_600 && next(47 * 3_600) == nil)
    #expect(next(0, every: .zero) == nil)
  }

  @Test("PAGE-1: a report from an older server, without withdrawals or isDrill, is decoded")
  func olderReport() throws {
    let alert = Alert(id: UUID(), kind: .manual, raisedAt: Self.raised)
    let report = AlertReport(
      alert: alert,
      withdrawals: [Withdrawal(responder: UUID(), name: "Ben", date: Self.raised + 90)])
    let data = try JSONEncoder().encode(report)
    #expect(try JSONDecoder().decode(AlertReport.self, from: data) == report)
    struct Older: Encodable {
      var alert: Alert
      var deliveries: [DeliveryReport] = []
    }
    let older = try JSONEncoder().encode(Older(alert: alert))
    #expect(try JSONDecoder().decode(AlertReport.self, from: older) == AlertReport(alert: alert))
    // Nor whether a message was a drill's.
    struct OlderMessage: Encodable {
      var id = UUID(), stage = Stage.alertOn, recipientID = Recipient.owner, recipient = "Bo"
      var channel = Channel.Kind.email, address = "bo@example.org", state = DeliveryState.sent
      var date = Date(timeIntervalSince1970: 0), plannedAt = Date(timeIntervalSince1970: 0)
    }
    let message = try JSONEncoder().encode(OlderMessage())
    #expect(try JSONDecoder().decode(DeliveryReport.self, from: message).isDrill == false)
  }

  @Test(
    "ALT-5: the type of an alert decides whether it was cancelled, ended by check-in or finished",
    arguments: zip(
      Alert.Kind.allCases, [Alert.Ending.cancelled, .checkIn, .checkIn, .cancelled, .finished]))
  func endings(kind: Alert.Kind, ending: Alert.Ending) {
    let alert = Alert(
      id: UUID(), kind: kind, raisedAt: Self.raised, resolvedAt: Self.raised + 300)
    #expect(alert.state == .resolved(by: ending, at: Self.raised + 300))
  }
}
