public import Terminal

/// A terminal without a window: feed it the bytes that a program writes, and read what the user
/// would see.
///
/// It is written from the documentation of terminals (ECMA-48, the VT510 manual, xterm's control
/// sequences) and shares no code with the writer whose output it checks. Unknown sequences are
/// listed in `unknown`, so that a test can check that there are none.
///
///     var terminal = InMemoryTerminal(size: Size(columns: 20, rows: 2))
///     terminal.feed("\u{1B}[1mHello\r\n日本")
///     terminal.lines                      // ["Hello", "日本"]
///     terminal[column: 0, row: 0].style.isBold
public struct InMemoryTerminal: Sendable {
  /// How the width of a cluster of several scalars is determined. Current terminals disagree.
  public enum ClusterWidth: Hashable, Sendable {
    /// The cluster is measured as a whole, as in terminals with mode 2027.
    case whole
    /// The widths of its scalars are added up, as in terminals that only use `wcwidth`.
    case sumOfScalars
  }

  /// The shape of the cursor (`DECSCUSR`).
  public enum CursorShape: Int, Hashable, Sendable {
    case standard, blinkingBlock, block, blinkingUnderline, underline, blinkingBar, bar
  }

  /// One of the two screens, with its cursor and saved state.
  struct Page: Sendable {
    var rows: [[ScreenCell]]
    var cursor = Point.zero
    /// Whether the cursor is past a character in the last column, so that the next character wraps.
    var isWrapPending = false
    var savedCursor = Point.zero
    var savedStyle = CellStyle()
    var savedOriginMode = false
    /// The stack of keyboard flags.
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
  /// The window title.
  public internal(set) var title = ""
  /// The stack of window titles.
  public internal(set) var titleStack: [String] = []
  /// The private modes that are set (`CSI ? n h`), except those for the alternate screen.
  public internal(set) var modes: Set<Int> = InMemoryTerminal.initialModes
  /// Whether right-to-left text would be reordered (BDSM, ECMA-48 mode 8). Reordering isn't
  /// implemented.
  public internal(set) var reordersText = true
  /// The shape of the cursor.
  public internal(set) var cursorShape = CursorShape.standard
  /// The attributes of the next character.
  public internal(set) var style = CellStyle()
  /// Whether the alternate screen is shown.
  public internal(set) var isAlternateScreen = false
  /// The scroll region, from its first to its last row.
  public internal(set) var scrollRegion: ClosedRange<Int>
  /// The rows that scrolled off the top of the main screen.
  public internal(set) var scrollback: [String] = []
  /// The answers to queries that haven't been taken yet.
  public internal(set) var answers: [UInt8] = []
  /// The unknown sequences, as received.
  public internal(set) var unknown: [String] = []
  /// The texts copied to the clipboard (OSC 52), still in Base64.
  public internal(set) var clipboard: [String] = []
  /// The number of times the bell rang.
  public internal(set) var bells = 0
  /// The number of completed synchronized updates (mode 2026).
  public internal(set) var synchronizedUpdates = 0

  /// Initially, autowrap is on and the cursor is visible.
  static let initialModes: Set<Int> = [7, 25]

  /// Whether queries about the kitty graphics protocol are answered.
  public let answersGraphics: Bool
  /// The pictures transmitted by the kitty graphics protocol, by their identifiers.
  var images: [Int: PixelBuffer] = [:]
  /// The picture being transmitted.
  var upload: Upload?
  /// The kitty graphics pictures on the screen.
  var placements: [Int: ShownPicture] = [:]
  var sixels: [Int: ShownPicture] = [:]
  var lastSixel = 0

  var page: Page
  /// The hidden screen.
  var otherPage: Page
  var parser = Parser()
  /// The last character written, for `REP`.
  var lastCharacter: String?
  /// The position of the last character written, for marks that combine with it.
  var lastPlace: Point?

  /// Creates an empty terminal.
  /// - Parameters:
  ///   - size: The size, at least 1×1.
  ///   - clusterWidth: How clusters of several scalars are measured.
  ///   - answersGraphics: Whether queries about the kitty graphics protocol are answered. Its
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

  /// The position of the cursor.
  public var cursor: Point { page.cursor }

  /// Whether the cursor is visible.
  public var isCursorVisible: Bool { modes.contains(25) }

  /// The current kitty keyboard protocol flags of the visible screen.
  public var keyboardFlags: Int { page.keyboard.last ?? 0 }

  /// The cells, row by row.
  public var cells: [ScreenCell] { page.rows.flatMap { $0 } }

  /// The cell at a position.
  /// - Precondition: The position is on the screen.
  public subscript(column column: Int, row row: Int) -> ScreenCell {
    page.rows[row][column]
  }

  /// Returns a row as the user reads it, without trailing blanks.
  public func line(_ row: Int) -> String {
    var text = page.rows[row].map(\.text).joined()
    while text.last == " " { text.removeLast() }
    return text
  }

  /// The rows as the user reads them, without trailing blanks.
  public var lines: [String] { (0..<size.rows).map(line) }

  /// The screen as the user reads it, without empty rows at the bottom.
  public var text: String {
    var lines = lines
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  /// Whether the text is visible within a single row.
  public func contains(_ text: String) -> Bool {
    lines.contains { $0.contains(text) }
  }

  /// Returns the position of the first character of the first occurrence of the text on the screen.
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

  /// Removes and returns the answers to queries, for the program to read.
  public mutating func takeAnswers() -> [UInt8] {
    defer { answers.removeAll() }
    return answers
  }

  /// Changes the size as most terminals do: rows are removed or added at the bottom and columns at
  /// the right.
  public mutating func resize(to size: Size) {
    self.size = Size(columns: max(1, size.columns), rows: max(1, size.rows))
    page.resize(to: self.size)
    otherPage.resize(to: self.size)
    scrollRegion = 0...(self.size.rows - 1)
    lastPlace = nil
    if modes.contains(2048) { reportSize() }
  }

  /// Reports the size in band (mode 2048), with cells of 10 by 20 pixels.
  mutating func reportSize() {
    let report = "\u{1B}[48;\(size.rows);\(size.columns);\(size.rows * 20);\(size.columns * 10)t"
    answers += Array(report.utf8)
  }
}

extension InMemoryTerminal: CustomStringConvertible {
  /// The screen as the user sees it, to be shown by a failing test.
  public var description: String { text }
}

extension InMemoryTerminal.Page {
  fileprivate mutating func resize(to size: Size) {
    // If the cursor would be cut off, remove rows at the top instead.
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
