import Composable
import Monitor
import Testing

@Suite struct RoundComplaintTests {
  @Test(
    "--once joins its problems into sentences that end with one period each",
    arguments: [
      ([], nil),
      (["550 no such user"], "Not everything could be sent: 550 no such user."),
      (
        ["550 no such user", "connection refused"],
        "Not everything could be sent: 550 no such user; connection refused."
      ),
      (["550 no such user."], "Not everything could be sent. 550 no such user."),
      (
        ["The disk is full. Free some space.", "550 no", "Your account cannot be watched: x."],
        "Not everything could be sent: 550 no. The disk is full. Free some space."
          + " Your account cannot be watched: x."
      ),
      (["Is it on?", "busy!"], "Not everything could be sent. Is it on? busy!"),
    ] as [([String], String?)])
  func complaint(problems: [String], sentence: String?) {
    #expect(MonitorLoop<ContinuousClock>.Round(problems: problems).complaint == sentence)
  }
}
