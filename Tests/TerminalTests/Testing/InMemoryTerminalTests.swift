import struct Composable.SplitMix64
import Terminal
import TerminalTesting
import Testing

@Suite("The terminal in memory")
struct InMemoryTerminalTests {
  private func terminal(
    _ text: String, columns: Int = 10, rows: Int = 4,
    clusterWidth: InMemoryTerminal.ClusterWidth = .whole
  ) -> InMemoryTerminal {
    var terminal = InMemoryTerminal(
      size: Size(columns: columns, rows: rows), clusterWidth: clusterWidth)
    terminal.feed(text)
    return terminal
  }

  @Test func printsAndWraps() {
    #expect(terminal("Hello").lines == ["Hello", "", "", ""])
    #expect(terminal("Hello\r\nWorld").text == "Hello\nWorld")
    #expect(terminal("0123456789ab").text == "0123456789\nab")
    #expect(terminal("a\tb").text == "a       b")
  }

  @Test func theLastColumnWrapsOnlyWithTheNextCharacter() {
    var screen = terminal("0123456789")
    #expect(screen.cursor == Point(column: 9, row: 0))
    screen.feed("\r\nx")
    #expect(screen.text == "0123456789\nx")
    #expect(terminal("\u{1B}[4;10HxX", rows: 4).text == "\n\n         x\nX")
    #expect(terminal("\u{1B}[?7l0123456789abc").text == "012345678c")
  }

  @Test func scrollsAtTheBottom() {
    let screen = terminal("1\r\n2\r\n3\r\n4\r\n5")
    #expect(screen.lines == ["2", "3", "4", "5"])
    #expect(screen.scrollback == ["1"])
  }

  @Test(arguments: [
    ("\u{1B}[2;3Hx", 2, 1), ("\u{1B}[99;99H", 9, 3), ("\u{1B}[H", 0, 0), ("\u{1B}[3G", 2, 0),
    ("\u{1B}[3d", 0, 2), ("\u{1B}[2;5H\u{1B}[A", 4, 0), ("\u{1B}[B\u{1B}[3C\u{1B}[D", 2, 1),
    ("\u{1B}[2E", 0, 2), ("\u{1B}[3;3H\u{1B}[F", 0, 1), ("\u{1B}[5C\u{8}", 4, 0),
    ("\u{1B}[2;2H\u{1B}7\u{1B}[H\u{1B}8", 1, 1), ("\u{1B}[2;2H\u{1B}[s\u{1B}[H\u{1B}[u", 1, 1),
  ])
  func movesTheCursor(text: String, column: Int, row: Int) {
    let cursor = terminal(text).cursor
    // The first case also prints a character, which moves the cursor one column further.
    #expect(cursor == Point(column: text.hasSuffix("x") ? column + 1 : column, row: row))
  }

  @Test func erases() {
    let filled = "aaaa\r\nbbbb\r\ncccc\u{1B}[2;3H"
    #expect(terminal(filled + "\u{1B}[K").text == "aaaa\nbb\ncccc")
    #expect(terminal(filled + "\u{1B}[1K").text == "aaaa\n   b\ncccc")
    #expect(terminal(filled + "\u{1B}[2K").text == "aaaa\n\ncccc")
    #expect(terminal(filled + "\u{1B}[J").text == "aaaa\nbb")
    #expect(terminal(filled + "\u{1B}[1J").text == "\n   b\ncccc")
    #expect(terminal(filled + "\u{1B}[2J").text == "")
    #expect(terminal(filled + "\u{1B}[1X").text == "aaaa\nbb b\ncccc")
  }

  @Test func erasingLeavesTheBackground() {
    let screen = terminal("\u{1B}[41mx\u{1B}[K")
    #expect(screen[column: 5, row: 0].style.background == .palette(1))
    #expect(screen[column: 5, row: 1].style.background == .standard)
  }

  @Test func insertsAndDeletes() {
    let filled = "aaaa\r\nbcde\r\nffff\r\ngggg\u{1B}[2;2H"
    #expect(terminal(filled + "\u{1B}[2@").line(1) == "b  cde")
    #expect(terminal(filled + "\u{1B}[2P").line(1) == "be")
    #expect(terminal(filled + "\u{1B}[L").lines == ["aaaa", "", "bcde", "ffff"])
    #expect(terminal(filled + "\u{1B}[M").lines == ["aaaa", "ffff", "gggg", ""])
  }

  @Test func scrollsARegion() {
    let filled = "1\r\n2\r\n3\r\n4\u{1B}[2;3r"
    #expect(terminal(filled + "\u{1B}[S").lines == ["1", "3", "", "4"])
    #expect(terminal(filled + "\u{1B}[T").lines == ["1", "", "2", "4"])
    #expect(terminal(filled + "\u{1B}[3;1H\n").lines == ["1", "3", "", "4"])
    #expect(terminal(filled + "\u{1B}[2;1H\u{1B}M").lines == ["1", "", "2", "4"])
    #expect(terminal(filled + "\u{1B}[2;1H\u{1B}[M").lines == ["1", "3", "", "4"])
  }

  @Test func repeats() {
    #expect(terminal("x\u{1B}[4b").text == "xxxxx")
    #expect(terminal("日\u{1B}[2b").text == "日日日")
  }

  @Test func rendition() {
    let screen = terminal(
      "\u{1B}[1;3;4:3;38;5;200;48;2;1;2;3;58:2::4:5:6;9ma\u{1B}[22;24;39mb\u{1B}[mc")
    let a = screen[column: 0, row: 0].style
    #expect(a.isBold && a.isItalic && a.isStruck)
    #expect(a.underline == .curly)
    #expect(a.foreground == .palette(200))
    #expect(a.background == .rgb(1, 2, 3))
    #expect(a.underlineColor == .rgb(4, 5, 6))
    let b = screen[column: 1, row: 0].style
    #expect(!b.isBold && b.isItalic)
    #expect(b.underline == .none)
    #expect(b.foreground == .standard)
    #expect(screen[column: 2, row: 0].style == CellStyle())
    #expect(terminal("\u{1B}[94;101mx")[column: 0, row: 0].style.foreground == .palette(12))
  }

  @Test func wideCharacters() {
    var screen = terminal("日本")
    #expect(screen[column: 0, row: 0].columns == 2)
    #expect(screen[column: 1, row: 0].columns == 0)
    screen.feed("\u{1B}[2Gx")
    #expect(screen.line(0) == " x本")
    screen.feed("\u{1B}[3Gy")
    #expect(screen.line(0) == " xy")
    #expect(terminal("123456789日").text == "123456789\n日")
  }

  @Test func clusters() {
    let family = "👨‍👩‍👧‍👦"
    #expect(terminal(family + "x").cursor.column == 3)
    #expect(terminal(family + "x", clusterWidth: .sumOfScalars).cursor.column == 9)
    #expect(terminal("e\u{301}x").cursor.column == 2)
    #expect(terminal("e\u{301}x").line(0) == "e\u{301}x")
    #expect(terminal("❤\u{FE0F}x").cursor.column == 3)
    #expect(terminal("❤\u{FE0F}x", clusterWidth: .sumOfScalars).cursor.column == 2)
    #expect(terminal("🇩🇪x").cursor.column == 3)
    // A mark after a cursor movement has no character to combine with.
    #expect(terminal("e\u{1B}[2G\u{301}x").line(0) == "ex")
  }

  @Test func theAlternateScreen() {
    var screen = terminal("shell\u{1B}[?1049h")
    #expect(screen.isAlternateScreen)
    #expect(screen.text == "")
    screen.feed("\u{1B}[Happ\u{1B}[>1u")
    #expect(screen.text == "app")
    #expect(screen.keyboardFlags == 1)
    screen.feed("\u{1B}[?1049l")
    #expect(screen.text == "shell")
    #expect(screen.cursor == Point(column: 5, row: 0))
    #expect(screen.keyboardFlags == 0)
  }

  @Test func titlesModesAndStrings() {
    var screen = terminal("\u{1B}]2;one\u{7}\u{1B}[22;0t\u{1B}]2;two\u{1B}\\")
    #expect(screen.title == "two")
    screen.feed("\u{1B}[23;0t\u{1B}[?25l\u{1B}[?2026h\u{1B}[?2026l\u{7}\u{1B}]52;c;eA==\u{7}")
    #expect(screen.title == "one")
    #expect(!screen.isCursorVisible)
    #expect(screen.synchronizedUpdates == 1)
    #expect(screen.bells == 1)
    #expect(screen.clipboard == ["c;eA=="])
    screen.feed("\u{1B}]8;;https://example.org\u{1B}\\link\u{1B}]8;;\u{1B}\\ text")
    #expect(screen[column: 0, row: 0].style.hyperlink == "https://example.org")
    #expect(screen[column: 5, row: 0].style.hyperlink == nil)
    #expect(screen.unknown.isEmpty)
  }

  @Test func answersQueries() {
    var screen = terminal("\u{1B}[2;3H\u{1B}[6n\u{1B}[?6n\u{1B}[?2026$p\u{1B}[?9999$p\u{1B}[c")
    let answers = String(decoding: screen.takeAnswers(), as: UTF8.self)
    #expect(
      answers
        == "\u{1B}[2;3R\u{1B}[?2;3R\u{1B}[?2026;2$y\u{1B}[?9999;0$y\u{1B}[?62;22;52c")
    #expect(screen.answers.isEmpty)
  }

  @Test func notesWhatItDoesNotKnow() {
    #expect(terminal("\u{1B}[5z").unknown == ["\u{1B}[5z"])
    #expect(terminal("\u{1B}[?31337h").unknown == ["\u{1B}[?31337h"])
    #expect(terminal("\u{1B}[77m").unknown == ["SGR 77"])
  }

  @Test func splitsDoNotMatter() {
    let bytes = Array("\u{1B}[31m日e\u{301}\u{1B}]2;title\u{1B}\\\u{1B}[2;2H😀".utf8)
    let whole = terminal(String(decoding: bytes, as: UTF8.self))
    for split in 0...bytes.count {
      var screen = InMemoryTerminal(size: Size(columns: 10, rows: 4))
      screen.feed(bytes[..<split])
      screen.feed(bytes[split...])
      #expect(screen.lines == whole.lines)
      #expect(screen.title == "title")
    }
  }

  @Test func resizes() {
    var screen = terminal("12345678\r\nb\r\nc\r\nd")
    screen.resize(to: Size(columns: 4, rows: 2))
    #expect(screen.lines == ["c", "d"])
    screen.resize(to: Size(columns: 1, rows: 1))
    screen.resize(to: Size(columns: 10, rows: 3))
    #expect(screen.lines == ["d", "", ""])
  }

  @Test func findsText() {
    let screen = terminal("日本 abc\r\n  abc")
    #expect(screen.find("abc") == Point(column: 5, row: 0))
    #expect(screen.find("xyz") == nil)
    #expect(screen.contains("abc"))
  }

  @Test(arguments: 0..<10)
  func anyBytesAndSizesAreTaken(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    var screen = InMemoryTerminal(
      size: Size(columns: number(1...9), rows: number(1...5)),
      clusterWidth: seed % 2 == 0 ? .whole : .sumOfScalars)
    for _ in 0..<3000 {
      switch number(0...9) {
      case 0: screen.resize(to: Size(columns: number(0...9), rows: number(0...5)))
      case 1:
        screen.feed((0..<number(1...20)).map { _ in UInt8.random(in: 0...255, using: &random) })
      case 2:
        screen.feed(["日", "e\u{301}", "👨‍👩‍👧", "❤\u{FE0F}", "abcdefgh"].randomElement(using: &random)!)
      default:
        let final = "ABCDEFGHJKLMPSTXZ@`abdefghlmnqrstu".randomElement(using: &random)!
        let prefix = ["", "", "", "?", ">", "<"].randomElement(using: &random)!
        screen.feed("\u{1B}[\(prefix)\(number(0...60));\(number(0...9999))\(final)")
      }
      for row in 0..<screen.size.rows {
        let columns = (0..<screen.size.columns).map { screen[column: $0, row: row].columns }
        // Every wide character has its right half, and there is no right half without a left one.
        for (column, width) in columns.enumerated() {
          let next = column + 1 < columns.count ? columns[column + 1] : -1
          if (width == 2) != (next == 0) { Issue.record("row \(row): \(columns)") }
        }
      }
    }
  }

  @Test(
    "Origin mode counts rows from the top of the scroll region and keeps the cursor in the region")
  func originMode() {
    let region = "\u{1B}[2;3r\u{1B}[?6h"
    #expect(terminal(region).cursor == Point(column: 0, row: 1))
    #expect(terminal(region + "\u{1B}[1;4H").cursor == Point(column: 3, row: 1))
    #expect(terminal(region + "\u{1B}[9;1H").cursor == Point(column: 0, row: 2))
    #expect(terminal(region + "\u{1B}[2d").cursor == Point(column: 0, row: 2))
    #expect(terminal(region + "\u{1B}[9A\u{1B}[9B").cursor == Point(column: 0, row: 2))
    #expect(terminal(region + "\u{1B}[?6l").cursor == .zero)
    #expect(terminal(region + "\u{1B}[?6l\u{1B}[4;1Hx").text == "\n\n\nx")
    #expect(terminal(region + "\u{1B}[3;4r").cursor == Point(column: 0, row: 2))
    #expect(
      terminal(region + "\u{1B}7\u{1B}[?6l\u{1B}8\u{1B}[H").cursor == Point(column: 0, row: 1))
    var screen = terminal(region + "\u{1B}[2;1H\u{1B}[6n\u{1B}[?6n\u{1B}[?6$p")
    #expect(
      String(decoding: screen.takeAnswers(), as: UTF8.self)
        == "\u{1B}[2;1R\u{1B}[?2;1R\u{1B}[?6;1$y")
    #expect(screen.unknown.isEmpty)
  }

  /// Cases from the menus of vttest: where the cursor stops, scroll regions, the last column.
  @Test(arguments: [
    ("\u{1B}[4;10H\u{1B}[C\u{1B}[Bx", "\n\n\n         x"), ("\u{1B}[2;3r\u{1B}[1;1H\u{1B}[Ax", "x"),
    ("\u{1B}[2;3r\u{1B}[3;1Ha\nb", "\na\n b"), ("\u{1B}[2;3r\u{1B}[4;1Ha\nb", "\n\n\nab"),
    ("\u{1B}[2;3r\u{1B}[2;1Ha\u{1B}Mb", "\n b\na"), ("\u{1B}[1;1Ha\u{1B}[1;1H\u{1B}Mb", "b\na"),
    ("0123456789\u{8}x", "01234567x9"), ("0123456789\u{1B}[K", "012345678"),
    ("0123456789\rx", "x123456789"), ("012345678日", "012345678\n日"),
    ("日\u{1B}[1;2Hx", " x"), ("日本\u{1B}[1;2H\u{1B}[X", "  本"), ("日本\u{1B}[1;1H\u{1B}[P", " 本"),
    ("ab\u{1B}[1;1H\u{1B}[2@x", "x ab"), ("abc\u{1B}[1;2H\u{1B}[9P", "a"),
    ("a\r\nb\r\nc\u{1B}[1;1H\u{1B}[9M", ""), ("a\u{1B}[1;1H\u{1B}[2Lx", "x\n\na"),
    ("a\u{1B}[9Sb", " b"), ("a\u{1B}[Tb", " b\na"), ("\tx\ty", "        xy"),
    ("a\u{0}\u{7F}b", "ab"),
    ("a\u{1B}[\u{8}2Cb", "a b"), ("a\u{1B}[1\u{18}mb", "amb"),
    ("e\u{301}\u{301}", "e\u{301}\u{301}"),
  ])
  func actsAsVttestExpects(text: String, shown: String) {
    #expect(terminal(text).text == shown)
  }
}
