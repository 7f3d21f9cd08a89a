/// Digits three, five or seven rows high, whichever fits, for the one number that matters; one row
/// of plain text if none fits.
///
/// Digits, colons and minus signs have large forms; any other character is drawn small in the
/// bottom row.
public struct BigText: PrimitiveView {
  private let text: String
  private let rows: Int

  /// Creates text that can be read from a distance.
  /// - Parameters:
  ///   - text: The text.
  ///   - rows: The maximum height in rows.
  public init(_ text: String, rows: Int = 3) {
    self.text = text
    self.rows = rows
  }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    if tree.environment.isSpoken { return Text(text).build(in: tree) }
    let style = tree.environment.style
    tree.add(BigTextElement(text: text, mostRows: rows), style: style)
  }
}

struct BigTextElement: Element {
  let text: String
  let mostRows: Int

  private static let sizes = [7, 5, 3]

  /// Three rows by three columns.
  private static let smallDigits: [Character: [String]] = [
    "0": ["▄▄▄", "█ █", "█▄█"], "1": ["▄▄ ", " █ ", "▄█▄"], "2": ["▄▄▄", "▄▄█", "█▄▄"],
    "3": ["▄▄▄", "▄▄█", "▄▄█"], "4": ["▄ ▄", "█▄█", "  █"], "5": ["▄▄▄", "█▄▄", "▄▄█"],
    "6": ["▄▄▄", "█▄▄", "█▄█"], "7": ["▄▄▄", "  █", "  █"], "8": ["▄▄▄", "█▄█", "█▄█"],
    "9": ["▄▄▄", "█▄█", "▄▄█"], "-": ["   ", "▄▄▄", "   "], ":": [" ", "▀", "▀"],
  ]

  /// The strokes of a seven-segment digit, for the larger sizes: two columns or one row thick, which
  /// look equally thick because a cell is twice as high as it is wide.
  private struct Strokes: OptionSet {
    let rawValue: UInt16
    static let top = Strokes(rawValue: 1)
    static let middle = Strokes(rawValue: 2)
    static let bottom = Strokes(rawValue: 4)
    static let upperLeft = Strokes(rawValue: 8)
    static let lowerLeft = Strokes(rawValue: 16)
    static let upperRight = Strokes(rawValue: 32)
    static let lowerRight = Strokes(rawValue: 64)
    /// The one stroke of a 1. At the edge it would leave the digit lopsided.
    static let stem = Strokes(rawValue: 128)
    /// The dots of a colon.
    static let dots = Strokes(rawValue: 256)
    static let right: Strokes = [.upperRight, .lowerRight]
    static let left: Strokes = [.upperLeft, .lowerLeft]
    static let all: Strokes = [.top, .middle, .bottom, .left, .right]

    func columns(height: Int) -> Int { self == .dots ? 2 : height + 1 }

    func draw(at point: Point, height: Int, style: Style, on canvas: Canvas) {
      let (middle, last) = (height / 2, height - 1)
      func fill(_ stroke: Strokes, column: Int = 0, row: Int = 0, columns: Int = 2, rows: Int = 1) {
        guard contains(stroke) else { return }
        let origin = point.offset(columns: column, rows: row)
        canvas.fill(
          Rect(origin: origin, size: Size(columns: columns, rows: rows)), with: "█", style: style)
      }
      fill(.top, columns: height + 1)
      fill(.middle, row: middle, columns: height + 1)
      fill(.bottom, row: last, columns: height + 1)
      fill(.upperLeft, rows: middle + 1)
      fill(.lowerLeft, row: middle, rows: middle + 1)
      fill(.upperRight, column: last, rows: middle + 1)
      fill(.lowerRight, column: last, row: middle, rows: middle + 1)
      fill(.stem, column: middle, rows: height)
      fill(.dots, row: middle - 1)
      fill(.dots, row: middle + 1)
    }
  }

  private static let strokes: [Character: Strokes] = [
    "0": .all.subtracting(.middle), "1": .stem,
    "2": .all.subtracting([.upperLeft, .lowerRight]), "3": .all.subtracting(.left),
    "4": [.upperLeft, .middle, .right], "5": .all.subtracting([.upperRight, .lowerLeft]),
    "6": .all.subtracting(.upperRight), "7": [.top, .right], "8": .all,
    "9": .all.subtracting(.lowerLeft), "-": .middle, ":": .dots,
  ]

  /// Calls a function with each character and its place in the line.
  /// - Returns: The width of the line.
  @discardableResult
  private func forEachCharacter(
    height: Int, _ body: (Character, _ column: Int) -> Void = { _, _ in }
  ) -> Int {
    var column = 0
    for character in text {
      // Thick strokes need a wider gap.
      if column > 0 { column += height > 3 && character.isNumber ? 2 : 1 }
      body(character, column)
      column +=
        height > 3
        ? Self.strokes[character]?.columns(height: height) ?? character.columns
        : Self.smallDigits[character]?[0].columns ?? character.columns
    }
    return column
  }

  /// Returns the largest size in which the text fits, or `nil` if it fits in none.
  private func size(in proposal: Proposal, _ theme: Theme) -> Size? {
    for height in Self.sizes where height <= mostRows {
      // ASCII has no half blocks, which the small digits need.
      if height == 3, theme.glyphs == .ascii { return nil }
      guard proposal.rows == Proposal.ideal || proposal.rows >= height else { continue }
      let columns = forEachCharacter(height: height)
      if proposal.columns == Proposal.ideal || proposal.columns >= columns {
        return Size(columns: columns, rows: height)
      }
    }
    return nil
  }

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    size(in: proposal, tree.theme)
      ?? Size(
        columns: min(text.columns, proposal.columns == Proposal.ideal ? .max : proposal.columns),
        rows: 1)
  }

  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    let rect = tree.rect(of: node)
    let style = tree.style(of: node)
    guard let size = size(in: Proposal(rect.size), tree.theme) else {
      var bold = style
      bold.attributes.insert(.bold)
      canvas.write(text.truncated(to: rect.columns), at: rect.origin, style: bold)
      return
    }
    canvas.fill(Rect(origin: rect.origin, size: size), style: style)
    forEachCharacter(height: size.rows) { character, column in
      let point = rect.origin.offset(columns: column)
      if size.rows > 3, let strokes = Self.strokes[character] {
        strokes.draw(at: point, height: size.rows, style: style, on: canvas)
      } else if size.rows == 3, let rows = Self.smallDigits[character] {
        for (row, line) in rows.enumerated() {
          canvas.write(line, at: point.offset(rows: row), style: style)
        }
      } else {
        canvas.write(String(character), at: point.offset(rows: size.rows - 1), style: style)
      }
    }
  }
}
