import Domain
import FoundationEssentials
import Testing

/// CHK-3: what a person is shown of an alert while a silent one is on.
@Suite struct DuressReportTests {
  let start = Date(timeIntervalSince1970: 1_795_000_000)

  func delivery(
    _ number: UInt8, _ state: DeliveryState, at date: Date, plannedAt: Date
  ) -> DeliveryReport {
    DeliveryReport(
      id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number)), stage: .alertOn,
      recipientID: .contact(UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number))),
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

  @Test("CHK-3: an alert that ended under duress looks as if everybody had heard so at its end")
  func withoutTrace() {
    let end = start + .minutes(5)
    func call(
      _ number: UInt8, _ stage: Stage, _ state: DeliveryState, at date: Date, to name: String
    ) -> DeliveryReport {
      var call = delivery(number, state, at: date, plannedAt: start)
      call.stage = stage
      call.recipient = name
      call.recipientID = .contact(
        UUID(uuid: (2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, name.utf8.first!)))
      return call
    }
    let report = AlertReport(
      alert: Alert(id: UUID(), kind: .missed, raisedAt: start, sequence: 7, resolvedAt: end),
      deliveries: [
        call(1, .nonResponsive, .sent, at: start, to: "Bo"),
        call(2, .nonResponsiveAgain(1), .sent, at: start + .minutes(2), to: "Bo"),
        call(3, .nonResponsive, .sent, at: end + .minutes(1), to: "Cem"),
        call(4, .nonResponsive, .pending, at: end + .minutes(1), to: "Dilek"),
        call(5, .nonResponsive, .failed, at: start, to: "Emre"),
        call(6, .nonResponsive, .sent, at: start, to: "Fatma"),
        call(7, .allClear, .sent, at: end, to: "Fatma"),
        call(8, .allClear, .pending, at: end, to: "Bo"),
      ])
    let shown = report.withoutTraceOfDuress.deliveries
    #expect(
      shown.map { "\($0.recipient) \($0.stage.storageKey) \($0.state)" } == [
        "Bo non_responsive sent", "Bo non_responsive_again:1 sent",
        "Cem non_responsive cancelled", "Dilek non_responsive cancelled",
        "Emre non_responsive failed", "Fatma non_responsive sent", "Fatma all_clear sent",
        "Bo all_clear sent",
      ])
    #expect(shown.last?.date == end)
    #expect(Set(shown.map(\.id)).count == shown.count)
  }
}
