import Testing

@testable import Terminal

/// Checks the exact output of single changes, so that a change that makes frames longer is noticed.
struct WriterBytesTests {
  private let screen = Screen()
  private let size = Size(columns: 20, rows: 4)

  private func present(_ draw: (Canvas) -> Void) -> String { present(on: screen, draw) }

  private func present(on screen: Screen, _ draw: (Canvas) -> Void) -> String {
    screen.begin(size: size)
    draw(Canvas(screen: screen, glyphs: .unicode))
    return String(decoding: screen.present(cursor: nil, isCursorVisible: false), as: UTF8.self)
      .split(separator: "\u{1B}", omittingEmptySubsequences: false).joined(separator: "ESC")
  }

  @Test func firstFrame_clearsAndHidesTheCursor() {
    let bytes = present { $0.write("Hi", at: .zero, style: .plain) }
    #expect(bytes == "ESC[?25lESC[mESC[?7lESC[HESC[2JHi")
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

  @Test("If a line at the edge of a cell goes away, the neighbouring cell is written again")
  func linesAtEdges_leaveNoGhost() {
    let point = Point(column: 3, row: 1)
    _ = present { $0.write("a▏bcdefgh▕i", at: point, style: .plain) }
    let bytes = present { $0.write("a bcdefgh i", at: point, style: .plain) }
    #expect(bytes.contains("a ") && bytes.hasSuffix(" i"))
    _ = present { $0.write("a▏b▕c", at: point, style: .plain) }
    #expect(present { $0.write("a▏b▕x", at: point, style: .plain) } == "\u{8}x")
  }

  @Test("If a block character goes away, the cells on both sides are written again")
  func blocks_leaveNoGhost() {
    for block in ["█", "▌", "▐", "▄", "▀"] {
      _ = present { $0.write("abc\(block)def", at: .zero, style: .plain) }
      let bytes = present { $0.write("abcxdef", at: .zero, style: .plain) }
      #expect(bytes.hasSuffix("cxd"), "\(block): \(bytes)")
    }
  }

  @Test("If a block or a line in the last column goes away, the cell to its left is written again")
  func blockInTheLastColumn() {
    for edge in ["█", "│"] as [Unicode.Scalar] {
      _ = present { $0.put(edge, at: Point(column: 19, row: 1), style: .plain) }
      let bytes = present { $0.write("x", at: Point(column: 19, row: 1), style: .plain) }
      #expect(bytes.hasSuffix(" x"), "\(bytes)")
    }
  }

  @Test("If a box line goes away, both neighbours are written again, but not if its colour changes")
  func lines_leaveNoGhost() {
    let red = Style(foreground: .palette(1))
    for line in ["─", "│", "╭", "╯", "━", "╸", "╾", "║"] {
      _ = present { $0.write("a \(line) d", at: .zero, style: .plain) }
      let coloured = present {
        $0.write("a ", at: .zero, style: .plain)
        $0.write(line, at: Point(column: 2, row: 0), style: red)
        $0.write(" d", at: Point(column: 3, row: 0), style: .plain)
      }
      #expect(coloured.hasSuffix("ESC[31m\(line)ESC[m"), "\(line): \(coloured)")
      let gone = present { $0.write("a x d", at: .zero, style: .plain) }
      #expect(gone.hasSuffix(" x "), "\(line): \(gone)")
    }
  }

  @Test func restOfARow_isErased() {
    _ = present { $0.write("abcdefghij", at: .zero, style: .plain) }
    #expect(present { $0.write("ab", at: .zero, style: .plain) }.hasSuffix("ESC[K"))
  }

  @Test func restOfTheScreen_isErasedAtOnce() {
    _ = present { canvas in
      for row in 0..<4 { canvas.write("abcdefghij", at: Point(column: 0, row: row), style: .plain) }
    }
    #expect(present { $0.write("abcd", at: .zero, style: .plain) } == "ESC[1;5HESC[K\r\nESC[J")
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

  @Test func theFirstSixteenColours_haveShortCodes_andAreAllWhereThereAreNoMore() {
    let colors: [UInt8] = [7, 8, 15, 16]
    func bytes(_ depth: ColorDepth) -> String {
      let screen = Screen(depth: depth)
      _ = present(on: screen) { _ in }
      return present(on: screen) { canvas in
        for (column, color) in colors.enumerated() {
          let style = Style(foreground: .palette(color))
          canvas.write("x", at: Point(column: column, row: 0), style: style)
        }
      }
    }
    #expect(bytes(.trueColor).hasSuffix("ESC[37mxESC[90mxESC[97mxESC[38;5;16mxESC[m"))
    #expect(bytes(.ansi16).hasSuffix("ESC[37mxESC[90mxESC[97mxESC[30mxESC[m"))
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

  @Test func blanks_needNoColourOfTheirOwn() {
    let red = Style(foreground: .palette(1))
    _ = present { $0.write("abcdef", at: .zero, style: red) }
    let bytes = present { canvas in
      canvas.write("X", at: .zero, style: red)
      canvas.write("  ", at: Point(column: 1, row: 0), style: Style(attributes: .bold))
      canvas.write("Yef", at: Point(column: 3, row: 0), style: red)
    }
    #expect(bytes == "\rESC[31mX  YESC[m")
    // A blank with another text colour looks the same.
    #expect(
      present { canvas in
        canvas.write("X", at: .zero, style: red)
        canvas.write("Yef", at: Point(column: 3, row: 0), style: red)
      } == "")
  }

  @Test func blanksUpToUnchangedText_areErased() {
    let bar = Style(background: .palette(4))
    screen.features = [.backgroundErase]
    func draw(_ style: Style) -> String {
      present { canvas in
        canvas.fill(Rect(column: 0, row: 0, columns: 19, rows: 1), style: style)
        canvas.put("|", at: Point(column: 19, row: 0), style: .plain)
      }
    }
    _ = draw(.plain)
    #expect(draw(bar) == "\rESC[44mESC[19XESC[m")
    // Where erasing gives the terminal's default background, spaces are written.
    screen.features = []
    _ = draw(.plain)
    #expect(draw(bar).hasSuffix("ESC[44m" + String(repeating: " ", count: 19) + "ESC[m"))
  }

  @Test func synchronizedUpdate_surroundsAFrameOfSeveralPieces() {
    screen.features = [.synchronizedUpdate]
    #expect(present { _ in }.hasPrefix("ESC[?2026h"))
    let many = (0..<80).map { Style(foreground: .rgb(UInt8($0), 0, 0)) }
    let bytes = present { canvas in
      for (number, style) in many.enumerated() {
        canvas.put("x", at: Point(column: number % 20, row: number / 20), style: style)
      }
    }
    #expect(bytes.hasPrefix("ESC[?2026h") && bytes.hasSuffix("ESC[?2026l"))
    #expect(present { $0.write("z", at: .zero, style: .plain) } == "ESC[HzESC[K\r\nESC[J")
  }

  /// The cursor is visible after the typed character.
  @Test func typing_isACharacter() {
    var typed = "a"
    func enter(_ character: String) -> String {
      typed += character
      screen.begin(size: size)
      Canvas(screen: screen, glyphs: .unicode).write(typed, at: .zero, style: .plain)
      let cursor = Point(column: typed.count, row: 0)
      return String(decoding: screen.present(cursor: cursor, isCursorVisible: true), as: UTF8.self)
    }
    _ = enter("b")
    #expect(enter("c") == "c")
    #expect(enter("d") == "d")
  }

  @Test func lastColumn_doesNotWrap() {
    _ = present { _ in }
    let bytes = present { canvas in
      canvas.put("x", at: Point(column: 19, row: 0), style: .plain)
      canvas.put("y", at: Point(column: 0, row: 1), style: .plain)
      canvas.put("z", at: Point(column: 19, row: 3), style: .plain)
    }
    #expect(bytes == "ESC[19Cx\r\nyESC[4;20Hz")
  }

  @Test func clusterOfDisputedWidth_isFollowedByItsColumn() {
    _ = present { _ in }
    let bytes = present { canvas in
      canvas.write("👍🏽ab", at: Point(column: 3, row: 2), style: .plain)
    }
    #expect(bytes.hasSuffix("👍🏽ESC[6Gab"))
  }

  /// The average output for the keys of a list on a screen of 160×48 cells, in bytes. A C program
  /// that knows what has changed and writes only that needs 179, 205 and 183.
  @Test func commonKeys_costFewBytes() {
    let screen = Screen()
    screen.features = [.synchronizedUpdate, .repeatGlyph, .backgroundErase, .insertLines]
    var contacts = ContactScreen()
    func frame() -> Int {
      screen.begin(size: ContactScreen.size)
      contacts.draw(on: Canvas(screen: screen, glyphs: .unicode))
      return screen.present(cursor: nil, isCursorVisible: false).count
    }
    func mean(_ change: () -> Void) -> Int {
      var sum = 0
      for _ in 0..<20 {
        change()
        sum += frame()
      }
      return sum / 20
    }
    _ = frame()
    #expect(mean { contacts.move(by: 1) } <= 170)
    contacts.selected = 43
    _ = frame()
    #expect(mean { contacts.move(by: 1) } <= 170)
    #expect(mean { contacts.time += 1 } <= 183)
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

  @MainActor @Test func tables_areEmptiedBeforeTheyGrowForEver() {
    let host = ViewHost()
    for number in 0..<20_000 {
      _ = host.render(Text("x").foreground(.hex(UInt32(number))), size: size)
    }
    #expect(host.styleCount < 10_000)
  }
}
