import Terminal
import TerminalTesting
import Testing

@MainActor @Suite struct LabeledContentTests {
  @Test("A long value wraps in its own column, and its label stands beside the first line")
  func wraps() {
    let frame = ViewHost().frame(
      VStack(alignment: .leading, spacing: 0) {
        LabeledContent("phone", value: "+44 20 7183 8750", labelWidth: 6)
        LabeledContent("note", value: "allergic to penicillin", labelWidth: 6)
      }, size: Size(columns: 24, rows: 4))
    #expect(
      frame.lines.map { $0.replacing(/\ +$/, with: "") } == [
        "phone   +44 20 7183 8750", "note    allergic to", "        penicillin", "",
      ])
  }
}
