public import Terminal

/// A terminal without a window: feed it the bytes that a program writes and read what a person
/// would see.
///
/// It is written from the terminals' documentation (ECMA-48, the VT510 manual, xterm's control
/// sequences) and shares nothing with the writer whose output it checks. What it does not know it
/// notes in `unknown`, so that a test can insist that there is nothing.
///
///     var terminal = InMemoryTerminal(size: Size(columns: 20, rows: 2))
///     terminal.feed("\u{1B}[1mHello\r\n日本")
///     terminal.lines                      // ["Hello", "日本"]
///     terminal[column: 0, row: 0].style.isBold
public struct InMemoryTerminal: Sendable {
  /// How wide a cluster of several scalars is. Terminals of today disagree.
  public enum ClusterWidth: Hashable, Sendable {
    /// The cluster is one unit, as in terminals with mode 2027.
    case whole
    /// Every scalar takes its own width, as where only `wcwidth` is known.
    case sumOfScalars
  }

  /// The shape of the cursor (`DECSCUSR`).
  public enum CursorShape: Int, Hashable, Sendable {
    case standard, blinkingBlock, block, blinkingUnderline, underline, blinkingBar, bar
  }

  /// One of the two screens, with its cursor and what is saved with it.
  struct Page: Sendable {
    var rows: [[ScreenCell]]
    var cursor = Point.zero
    /// Whether the cursor is past a character in the last column, so that the next one wraps.
    var isWrapPending = false
    var savedCursor = Point.zero
    var savedStyle = CellStyle()
    var savedOriginMode = false
    /// The keyboard flags that were pushed.
    var keyboard: [Int] = []

    init(size: Size) {
      rows = Array(
        repeating: Array(repeating: ScreenCell(), count: size.columns), count: size.rows)
    }
  }

  /// The size in cells.
  public private(set) var size: Size
  /// How clusters of several scalars are measured.
  public let clusterWidth: ClusterWidth
  /// The window's title.
  public internal(set) var title = ""
  /// The titles that were pushed.
  public internal(set) var titleStack: [String] = []
  /// The private modes that are set (`CSI ? n h`), apart from those of the alternate screen.
  public internal(set) var modes: Set<Int> = InMemoryTerminal.initialModes
  /// Whether right-to-left text would be reordered (BDSM, ECMA-48 mode 8). It never is here.
  public internal(set) var reordersText = true
  /// The cursor's shape.
  public internal(set) var cursorShape = CursorShape.standard
  /// The attributes that the next character gets.
  public internal(set) var style = CellStyle()
  /// Whether the alternate screen is shown.
  public internal(set) var isAlternateScreen = false
  /// The rows that scroll, first to last.
  public internal(set) var scrollRegion: ClosedRange<Int>
  /// The rows that scrolled out at the top of the main screen.
  public internal(set) var scrollback: [String] = []
  /// What the terminal answers to queries, until it is taken.
  public internal(set) var answers: [UInt8] = []
  /// The sequences that are not known here, as they came.
  public internal(set) var unknown: [String] = []
  /// The texts that were put on the clipboard (OSC 52), still in base 64.
  public internal(set) var clipboard: [String] = []
  /// How often the bell rang.
  public internal(set) var bells = 0
  /// The number of synchronized updates (mode 2026) that ended.
  public internal(set) var synchronizedUpdates = 0

  /// Autowrap is on and the cursor is shown before a program says otherwise.
  static let initialModes: Set<Int> = [7, 25]

  /// Whether questions about the kitty graphics protocol are answered.
  public let answersGraphics: Bool
  /// The pictures that were handed over by the kitty graphics protocol, by their numbers.
  var images: [Int: PixelBuffer] = [:]
  /// The picture that is being handed over.
  var upload: Upload?
  /// Where pictures of the kitty graphics protocol are shown.
  var placements: [Int: ShownPicture] = [:]
  var sixels: [Int: ShownPicture] = [:]
  var lastSixel = 0

  var page: Page
  /// The screen that is not shown.
  var otherPage: Page
  var parser = Parser()
  /// The last character, for `REP`.
  var lastCharacter: String?
  /// Where the last character was put, so that a mark can join it.
  var lastPlace: Point?

  /// An empty terminal.
  /// - Parameters:
  ///   - size: At least 1×1.
  ///   - clusterWidth: How clusters of several scalars are measured.
  ///   - answersGraphics: Whether questions about the kitty graphics protocol are answered; its
  ///     commands are always carried out.
  public init(
    size: Size, clusterWidth: ClusterWidth = .whole, answersGraphics: Bool = false
  ) {
    let size = Size(columns: max(1, size.columns), rows: max(1, size.rows))
    self.size = size
    self.clusterWidth = clusterWidth
    self.answersGraphics = answersGraphics
    page = Page(size: size)
    otherPage = Page(size: size)
    scrollRegion = 0...(size.rows - 1)
  }

  /// The cursor's cell.
  public var cursor: Point { page.cursor }

  /// Whether the cursor is shown.
  public var isCursorVisible: Bool { modes.contains(25) }

  /// The kitty keyboard protocol's flags in force on the screen that is shown.
  public var keyboardFlags: Int { page.keyboard.last ?? 0 }

  /// The cells, row by row.
  public var cells: [ScreenCell] { page.rows.flatMap { $0 } }

  /// The cell at a place.
  /// - Precondition: The place is on the screen.
  public subscript(column column: Int, row row: Int) -> ScreenCell {
    page.rows[row][column]
  }

  /// The row as a person reads it, without the blanks at its end.
  public func line(_ row: Int) -> String {
    var text = page.rows[row].map(\.text).joined()
    while text.last == " " { text.removeLast() }
    return text
  }

  /// The rows as a person reads them, without the blanks at their ends.
  public var lines: [String] { (0..<size.rows).map(line) }

  /// The screen as a person reads it, without empty rows at the bottom.
  public var text: String {
    var lines = lines
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  /// Whether the text is to be seen, on one row.
  public func contains(_ text: String) -> Bool {
    lines.contains { $0.contains(text) }
  }

  /// The first place where the text is to be seen, by the cell of its first character.
  public func find(_ text: String) -> Point? {
    for (number, row) in page.rows.enumerated() {
      for start in row.indices where !row[start].isContinuation {
        if row[start...].lazy.map(\.text).joined().hasPrefix(text) {
          return Point(column: start, row: number)
        }
      }
    }
    return nil
  }

  /// Takes the answers to queries that wait to be read by the program.
  public mutating func takeAnswers() -> [UInt8] {
    defer { answers.removeAll() }
    return answers
  }

  /// Changes the size as most terminals do it: rows are cut or added at the bottom and at the right.
  public mutating func resize(to size: Size) {
    self.size = Size(columns: max(1, size.columns), rows: max(1, size.rows))
    page.resize(to: self.size)
    otherPage.resize(to: self.size)
    scrollRegion = 0...(self.size.rows - 1)
    lastPlace = nil
    if modes.contains(2048) { reportSize() }
  }

  /// Tells the size in band (mode 2048), with cells of 10 by 20 pixels.
  mutating func reportSize() {
    let report = "\u{1B}[48;\(size.rows);\(size.columns);\(size.rows * 20);\(size.columns * 10)t"
    answers += Array(report.utf8)
  }
}

extension InMemoryTerminal: CustomStringConvertible {
  /// What a person would see, which is what a failed test has to show.
  public var description: String { text }
}

extension InMemoryTerminal.Page {
  fileprivate mutating func resize(to size: Size) {
    // When the cursor would be cut off, rows go at the top instead.
    let excess = rows.count - size.rows
    if excess > 0 {
      let top = min(excess, max(0, cursor.row - size.rows + 1))
      rows.removeFirst(top)
      cursor.row -= top
      rows.removeLast(rows.count - size.rows)
    }
    for row in rows.indices {
      let count = rows[row].count
      if count > size.columns {
        rows[row].removeLast(count - size.columns)
        if let last = rows[row].last, last.columns == 2 {
          rows[row][size.columns - 1] = ScreenCell()
        }
      } else {
        rows[row] += Array(repeating: ScreenCell(), count: size.columns - count)
      }
    }
    while rows.count < size.rows {
      rows.append(Array(repeating: ScreenCell(), count: size.columns))
    }
    cursor.column = min(cursor.column, size.columns - 1)
    cursor.row = min(cursor.row, size.rows - 1)
    isWrapPending = false
  }
}
