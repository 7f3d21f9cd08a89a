import Terminal
import TerminalExtras
import TerminalTesting
import Testing

@MainActor
struct SparklineTests {
  @Test func sparkline_showsTheNewestAtTheRight() {
    expectFrame(Sparkline([9, 0, 1, 2, 4]), size: Size(columns: 4, rows: 1), matches: "▁▂▃▄")
  }

  @Test func everyBar_hasAnASCIIForm() {
    let frame = FrameSnapshot.frame(
      of: Sparkline([1, 2, 3, 4, 5, 6, 7, 8]), size: Size(columns: 8, rows: 1), theme: .dark.ascii)
    #expect(frame.text.unicodeScalars.allSatisfy { $0.isASCII })
  }

  @Test func numbers_areReadOut() {
    #expect(ViewHost().spokenLines(of: Sparkline([1, 4, 2.5])) == ["2.5, between 1 and 4"])
    #expect(ViewHost().spokenLines(of: Sparkline([.nan])) == ["no numbers"])
  }
}
