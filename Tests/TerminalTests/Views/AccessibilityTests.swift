import TerminalTesting
import Testing

@testable import Terminal

@MainActor
struct AccessibilityTests {
  @Test func view_isReadOutInWordsWithoutBoxes() {
    let view = VStack {
      BigText("5h 23m")
      Gauge("margin", value: 0.52)
      Heatmap(rows: ["Mon"], cells: [.filled(.calm)]).accessibilityLabel("1 day, none missed")
      Text("●").accessibilityLabel("all is well")
      Spinner(frame: 0)
      Divider(title: "More")
      Divider()
      QRCode([[true]], label: "your code")
      Picture(PixelBuffer(width: 1, height: 1) { _, _ in (0, 0, 0) }, label: "a house")
    }
    .border(title: "Next check-in", footer: "1/3")
    #expect(
      ViewHost().spokenLines(of: view) == [
        "Next check-in", "5h 23m", "margin 52 %", "1 day, none missed",
        "all is well", "working", "More", "your code", "a house", "1/3",
      ])
  }

  @Test func sheet_isReadInPlaceOfWhatIsBeneath() {
    let view = ZStack {
      Text("beneath")
      Sheet("Details") { Text("inside") }
      Toast("saved")
    }
    let lines = ViewHost().spokenLines(of: view, columns: 60, rows: 20)
    #expect(lines.contains("Details") && lines.contains("inside"))
    #expect(lines.contains { $0.contains("saved") })
    #expect(!lines.contains("beneath"))
  }

  @Test func label_isNotShownOnTheScreen() {
    expectFrame(
      Text("●").accessibilityLabel("all is well"), size: Size(columns: 12, rows: 1), matches: "●")
  }

  @Test func focusedView_hasTheCursor() {
    let host = ViewHost()
    var terminal = InMemoryTerminal(size: Size(columns: 10, rows: 2))
    terminal.feed(
      host.render(
        VStack {
          Text("a")
          Text("b").focused()
        }, size: terminal.size))
    #expect(terminal.cursor == Point(column: 0, row: 1))
    #expect(!terminal.isCursorVisible)
  }
}
