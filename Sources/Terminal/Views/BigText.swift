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

  /// The strokes of a seven-segment digit, for the larger sizes.
  private struct Strokes: OptionSet {
    let rawValue: UInt8
    static let top = Strokes(rawValue: 1)
    static let middle = Strokes(rawValue: 2)
    static let bottom = Strokes(rawValue: 4)
    static let upperLeft = Strokes(rawValue: 8)
    static let lowerLeft = Strokes(rawValue: 16)
    static let upperRight = Strokes(rawValue: 32)
    static let lowerRight = Strokes(rawValue: 64)
    static let right: Strokes = [.upperRight, .lowerRight]
    static let left: Strokes = [.upperLeft, .lowerLeft]
    static let all: Strokes = [.top, .middle, .bottom, .left, .right]
  }

  private static let strokes: [Character: Strokes] = [
    "0": .all.subtracting(.middle),
    "2": .all.subtracting([.upperLeft, .lowerRight]), "3": .all.subtracting(.left),
    "4": [.upperLeft, .middle, .right], "5": .all.subtracting([.upperRight, .lowerLeft]),
    "6": .all.subtracting(.upperRight), "7": [.top, .right], "8": .all,
    "9": .all.subtracting(.lowerLeft), "-": .middle,
  ]

  /// Draws a digit with strokes two columns or one row thick, which look equally thick because a
  /// cell is twice as high as it is wide.
  private static func rows(of strokes: Strokes, height: Int) -> [String] {
    let middle = height / 2
    return (0..<height).map { row in
      let bar: Strokes =
        row == 0 ? .top : row == middle ? .middle : row == height - 1 ? .bottom : []
      if !strokes.isDisjoint(with: bar) { return String(repeating: "█", count: height + 1) }
      var sides: Strokes = row <= middle ? [.upperLeft, .upperRight] : []
      if row >= middle { sides.formUnion([.lowerLeft, .lowerRight]) }
      let lit = strokes.intersection(sides)
      return (lit.isDisjoint(with: .left) ? "  " : "██")
        + String(repeating: " ", count: height - 3) + (lit.isDisjoint(with: .right) ? "  " : "██")
    }
  }

  /// Returns the rows of one character.
  private func rows(of character: Character, height: Int) -> [String] {
    if height == 3, let digit = Self.smallDigits[character] { return digit }
    if height > 3, let strokes = Self.strokes[character] {
      return Self.rows(of: strokes, height: height)
    }
    // A 1 is one centred stroke: at the edge it would leave the digit lopsided.
    if character == "1", height > 3 {
      let side = String(repeating: " ", count: (height - 1) / 2)
      return Array(repeating: side + "██" + side, count: height)
    }
    if character == ":" {
      return (0..<height).map { abs($0 - height / 2) == 1 ? "██" : "  " }
    }
    let blank = String(repeating: " ", count: character.columns)
    return Array(repeating: blank, count: height - 1) + [String(character)]
  }

  private func lines(height: Int) -> [String] {
    var lines = Array(repeating: "", count: height)
    for character in text {
      let rows = rows(of: character, height: height)
      // Thick strokes need a wider gap.
      let gap = height > 3 && character.isNumber ? "  " : " "
      for index in lines.indices {
        if !lines[index].isEmpty { lines[index] += gap }
        lines[index] += rows[index]
      }
    }
    return lines
  }

  /// Returns the lines at the largest size that fits, or `nil` if none does.
  private func lines(in proposal: Proposal, _ theme: Theme) -> [String]? {
    for height in Self.sizes where height <= mostRows {
      // ASCII has no half blocks, which the small digits need.
      if height == 3, theme.glyphs == .ascii { return nil }
      guard proposal.rows == Proposal.ideal || proposal.rows >= height else { continue }
      let lines = lines(height: height)
      let fits = proposal.columns == Proposal.ideal || proposal.columns >= lines[0].columns
      if fits { return lines }
    }
    return nil
  }

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    if let lines = lines(in: proposal, tree.theme) {
      return Size(columns: lines[0].columns, rows: lines.count)
    }
    return Size(
      columns: min(text.columns, proposal.columns == Proposal.ideal ? .max : proposal.columns),
      rows: 1)
  }

  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    let rect = tree.rect(of: node)
    let style = tree.style(of: node)
    guard let lines = lines(in: Proposal(rect.size), tree.theme) else {
      var bold = style
      bold.attributes.insert(.bold)
      canvas.write(text.truncated(to: rect.columns), at: rect.origin, style: bold)
      return
    }
    for (row, line) in lines.enumerated() {
      canvas.write(line, at: rect.origin.offset(rows: row), style: style)
    }
  }
}
