import Terminal
import TerminalTesting
import Testing

/// Small changes that have left remnants on the screen in other programs. After each, the screen
/// must look as if only the last frame had been drawn.
@MainActor
@Suite("Redrawing after small changes")
struct DrawingCasesTests {
  private static let size = Size(columns: 12, rows: 3)

  @Test(
    arguments: [
      ("日本語", "a本語"), ("日本語", " 日本"), ("a日", "日a"), ("日本語日本語", "日本語日本x"),
      ("0123456789日", "0123456789ab"), ("0123456789ab", "0123456789日"), ("❤️x", "❤x"), ("❤x", "❤️x"),
      ("👨‍👩‍👧x", "👨x"), ("👍🏽👍", "👍👍🏽"), ("🇩🇪🇫🇷", "🇫🇷🇩🇪"), ("e\u{301}e", "ee\u{301}"), ("क्षx", "कx"),
      ("ｶﾞｷﾞ", "ｶｷ"), ("हिन्दी", "हिंदी"), ("กำx", "กx"), ("한x", "\u{1112}\u{1161}\u{11AB}x"), ("───", "─ ─"),
      ("aaaaaaaaaaaa", "aaaaaaaaaaab"), ("            ", "           x"), ("a\nb\nc", "b\nc\nd"),
      ("a\nb\nc", "x\na\nb"),
      ("日\n日\n日", "a日\n日\na日"), ("abc def ghi", "abc     ghi"), ("1\u{FE0F}\u{20E3}2", "12"),
      ("\u{301}a", "a"),
      ("ab\u{200B}c", "a\u{200B}bc"), ("x", ""), ("", "日"), ("━━━━━━━━", "━━━─────"),
    ] as [(String, String)])
  func change(before: String, after: String) {
    for width in [InMemoryTerminal.ClusterWidth.whole, .sumOfScalars] {
      let host = ViewHost()
      host.features = [.insertLines, .repeatGlyph, .backgroundErase]
      var terminal = InMemoryTerminal(size: Self.size, clusterWidth: width)
      var fresh = terminal
      for text in [before, after] {
        terminal.feed(host.render(view(text), size: Self.size))
      }
      fresh.feed(ViewHost().render(view(after), size: Self.size))
      #expect(terminal.text == fresh.text, "\(width)")
      #expect(terminal.cells == fresh.cells, "\(width)")
      #expect(terminal.unknown.isEmpty)
    }
  }

  private func view(_ text: String) -> some View {
    Text(text).frame(maxWidth: .max, maxHeight: .max, alignment: .topLeading)
  }
}
