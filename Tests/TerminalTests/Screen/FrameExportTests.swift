import TerminalTesting
import Testing

@testable import Terminal

@MainActor
struct FrameExportTests {
  private let frame = FrameSnapshot.frame(
    of: VStack {
      Text("a<b").bold().foreground(.danger)
      Text("日").background(.selection)
    }
    .border(title: "T"), size: Size(columns: 9, rows: 5))

  @Test func text_hasNoBlanksAtTheEnds() {
    #expect(frame.text == "╭ T ╮\n│a<b│\n│日 │\n╰───╯\n")
  }

  @Test func ansi_showsTheFrameOnATerminal() {
    var terminal = InMemoryTerminal(size: Size(columns: 9, rows: 5))
    terminal.feed(frame.ansiText().split(separator: "\n").joined(separator: "\r\n"))
    #expect(terminal.lines == frame.lines)
    for row in 0..<5 {
      for column in 0..<9 {
        let shown = terminal[column: column, row: row]
        #expect(CellStyle(frame[column, row].style).looks(like: shown))
      }
    }
    #expect(terminal.unknown.isEmpty)
  }

  @Test func ansi_withoutColourHasNone() {
    let text = frame.ansiText(colorDepth: .none)
    #expect(!text.contains("38;"))
    #expect(text.contains("\u{1B}[1m"))
  }

  @Test func svg_escapesTextAndStatesTheLengthOfRuns() {
    let svg = frame.svg(title: "Life & Signal")
    #expect(svg.contains(">a&lt;b</text>"))
    #expect(svg.contains("Life &amp; Signal"))
    #expect(svg.contains("textLength=\"25.2\""))
    #expect(svg.hasPrefix("<svg") && svg.hasSuffix("</svg>\n"))
  }

  @Test func svg_saysInWordsWhatItShows() {
    let svg = frame.svg(description: ["a<b", "all\u{7} is well"])
    #expect(svg.contains("</title>\n<desc>a&lt;b\nall␇ is well</desc>\n"))
    #expect(!frame.svg().contains("<desc>"))
  }

  @Test func svg_drawsBoxesAsShapes() {
    let svg = frame.svg()
    #expect(!svg.contains("╭") && !svg.contains("─"))
  }

  @Test func svgNumbers_areShort() {
    #expect(svgNumber(1) == "1")
    #expect(svgNumber(8.4) == "8.4")
    #expect(svgNumber(8.05) == "8.05")
    #expect(svgNumber(0.333) == "0.33")
  }
}
