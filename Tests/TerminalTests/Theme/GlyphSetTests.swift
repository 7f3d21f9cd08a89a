import TerminalTesting
import Testing

@testable import Terminal

@MainActor
struct GlyphSetTests {
  @Test func asciiTheme_drawsNothingElse() {
    let view = ZStack {
      Gallery(input: TextInput("Zoë 日本 👨‍👩‍👧 ❤️"))
      Sheet("Tasten · Übersicht") {
        VStack {
          KeySheet()
          Sparkline([1, 2, 3, 4])
          Heatmap(rows: ["Mo"], columns: [[.filled(.calm)], [.hollow(.danger)]])
          Gauge("Füllung", value: 0.4)
          ProgressBar(value: 0.3, form: .block)
          Picker("‹›", choices: ["ä"], selected: 0) { _ in }
          Divider(title: "Ω")
        }
      }
      Toast("✓ saved …")
    }
    for size in [Size(columns: 100, rows: 30), Size(columns: 30, rows: 12)] {
      let frame = FrameSnapshot.frame(of: view, size: size, theme: .dark.ascii)
      for cell in frame.cells {
        #expect(cell.text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F })
      }
    }
  }

  @Test(arguments: [
    ("●", "*"), ("◐", "~"), ("▲", "^"), ("‖", "="), ("◌", "o"), ("╭", "+"), ("│", "|"),
    ("━", "="), ("─", "-"), ("✓", "v"), ("✗", "x"), ("é", "e"), ("Ω", "?"), ("a", "a"),
  ])
  func form_isTheNearest(unicode: Unicode.Scalar, ascii: Unicode.Scalar) {
    #expect(GlyphSet.ascii.shown(unicode) == ascii)
    #expect(GlyphSet.unicode.shown(unicode) == unicode)
  }
}
