import Testing

@testable import Terminal

/// The bytes of single steps, so that a change that makes frames longer is seen.
struct WriterBytesTests {
  private let screen = Screen()
  private let size = Size(columns: 20, rows: 4)

  private func present(_ draw: (Canvas) -> Void) -> String {
    screen.begin(size: size)
    draw(Canvas(screen: screen, glyphs: .unicode))
    return String(decoding: screen.present(cursor: nil, isCursorVisible: false), as: UTF8.self)
      .split(separator: "\u{1B}", omittingEmptySubsequences: false).joined(separator: "ESC")
  }

  @Test func firstFrame_clearsAndHidesTheCursor() {
    let bytes = present { $0.write("Hi", at: .zero, style: .plain) }
    #expect(bytes == "ESC[?25lESC[mESC[HESC[2JHi")
  }

  @Test func oneCell_isAMoveAndACharacter() {
    _ = present { $0.write("abc", at: Point(column: 3, row: 1), style: .plain) }
    #expect(present { $0.write("abd", at: Point(column: 3, row: 1), style: .plain) } == "\u{8}d")
    #expect(
      present { $0.write("Abd", at: Point(column: 3, row: 1), style: .plain) } == "\u{8}\u{8}\u{8}A"
    )
  }

  @Test func shortGap_isWrittenAgainRatherThanSkipped() {
    _ = present { $0.write("abcdef", at: .zero, style: .plain) }
    let bytes = present { $0.write("XbcYef", at: .zero, style: .plain) }
    #expect(bytes.hasSuffix("XbcY"))
  }

  @Test func restOfARow_isErased() {
    _ = present { $0.write("abcdefghij", at: .zero, style: .plain) }
    #expect(present { $0.write("ab", at: .zero, style: .plain) }.hasSuffix("ESC[K"))
  }

  @Test func styles_changeByWhatDiffers() {
    let red = Style(foreground: .palette(1))
    let boldRed = Style(foreground: .palette(1), attributes: .bold)
    _ = present { _ in }
    let bytes = present { canvas in
      canvas.write("a", at: .zero, style: red)
      canvas.write("b", at: Point(column: 1, row: 0), style: boldRed)
      canvas.write("c", at: Point(column: 2, row: 0), style: red)
      canvas.write("d", at: Point(column: 3, row: 0), style: .plain)
    }
    #expect(bytes.hasSuffix("ESC[31maESC[1mbESC[22mcESC[md"))
  }

  @Test func repeatedGlyph_isSentOnceWhereTheTerminalRepeats() {
    screen.features = [.repeatGlyph]
    _ = present { _ in }
    let bytes = present {
      $0.fill(Rect(column: 0, row: 0, columns: 10, rows: 1), with: "=", style: .plain)
    }
    #expect(bytes.hasSuffix("=ESC[9b"))
  }

  @Test func repeatedGlyph_isDrawnWhereItIsNotASCII() {
    screen.features = [.repeatGlyph]
    _ = present { _ in }
    let bytes = present {
      $0.fill(Rect(column: 0, row: 0, columns: 10, rows: 1), with: "─", style: .plain)
    }
    #expect(bytes.hasSuffix("──────────"))
  }

  @Test func synchronizedUpdate_surroundsTheFrame() {
    screen.features = [.synchronizedUpdate]
    let bytes = present { $0.write("x", at: .zero, style: .plain) }
    #expect(bytes.hasPrefix("ESC[?2026h") && bytes.hasSuffix("ESC[?2026l"))
  }

  @Test(arguments: [
    (ColorDepth.trueColor, "38;2;215;0;0"), (.palette256, "38;5;160"), (.ansi16, "31"),
    (.none, ""),
  ])
  func colours_degradeByDepth(depth: ColorDepth, expected: String) {
    let screen = Screen(depth: depth)
    screen.begin(size: size)
    Canvas(screen: screen, glyphs: .unicode).write(
      "x", at: .zero, style: Style(foreground: .rgb(215, 0, 0)))
    let bytes = String(
      decoding: screen.present(cursor: nil, isCursorVisible: false), as: UTF8.self)
    if expected.isEmpty {
      #expect(!bytes.contains("38;") && !bytes.contains("[3"))
    } else {
      #expect(bytes.contains("\u{1B}[\(expected)m"))
    }
  }

  @Test func tables_areEmptiedBeforeTheyGrowForEver() {
    for number in 0..<20_000 {
      screen.begin(size: size)
      let color = Color.hex(UInt32(number))
      Canvas(screen: screen, glyphs: .unicode).write(
        "x", at: .zero, style: Style(foreground: color))
      _ = screen.present(cursor: nil, isCursorVisible: false)
    }
    #expect(screen.styles.count < 10_000)
  }
}
