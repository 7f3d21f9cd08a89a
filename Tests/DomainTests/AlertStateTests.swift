import Domain
import FoundationEssentials
import Testing

@Suite struct AlertStateTests {
  private static let raised = Date(timeIntervalSince1970: 1_800_000_000)
  private static let words = [
    Acknowledgement(responder: UUID(), name: "Ben", date: raised + 60),
    Acknowledgement(responder: UUID(), name: "Clara", date: raised + 90),
  ]

  @Test("ALT-5: an alert is on until it is resolved, and the first to answer is responding")
  func states() {
    var alert = Alert(id: UUID(), kind: .manual, raisedAt: Self.raised)
    #expect(alert.state == .active)

    alert.acknowledgements = Self.words
    #expect(alert.state == .acknowledged(Self.words[0]))

    alert.resolvedAt = Self.raised + 300
    #expect(alert.state == .resolved(by: .cancelled, at: Self.raised + 300))
    #expect(alert.acknowledgements == Self.words)
  }

  @Test(
    "ALT-5: what ended it follows from its type",
    arguments: zip(
      Alert.Kind.allCases, [Alert.Ending.cancelled, .checkIn, .cancelled, .finished]))
  func endings(kind: Alert.Kind, ending: Alert.Ending) {
    let alert = Alert(
      id: UUID(), kind: kind, raisedAt: Self.raised, resolvedAt: Self.raised + 300)
    #expect(alert.state == .resolved(by: ending, at: Self.raised + 300))
  }
}
