/// Digits of three rows for the one number that matters; one row of plain text where there is no
/// room for them.
///
/// Digits, `h`, `m`, `s`, `d`, colon, minus and space have large forms; anything else stands small
/// in the lowest row.
public struct BigText: PrimitiveView {
  private let text: String

  /// Text to be seen from afar.
  public init(_ text: String) {
    self.text = text
  }

  /// Adds the view to the tree of the frame.
  public func build(in tree: ViewTree) {
    if tree.environment.isSpoken { return Text(text).build(in: tree) }
    let style = tree.environment.style
    tree.add(BigTextElement(text: text, style: style))
  }
}

struct BigTextElement: Element {
  let text: String
  let style: Style

  /// Three rows of three columns.
  private static let digits: [Character: [String]] = [
    "0": ["▄▄▄", "█ █", "█▄█"], "1": ["▄▄ ", " █ ", "▄█▄"], "2": ["▄▄▄", "▄▄█", "█▄▄"],
    "3": ["▄▄▄", "▄▄█", "▄▄█"], "4": ["▄ ▄", "█▄█", "  █"], "5": ["▄▄▄", "█▄▄", "▄▄█"],
    "6": ["▄▄▄", "█▄▄", "█▄█"], "7": ["▄▄▄", "  █", "  █"], "8": ["▄▄▄", "█▄█", "█▄█"],
    "9": ["▄▄▄", "█▄█", "▄▄█"], "-": ["   ", "▄▄▄", "   "], ":": [" ", "▀", "▀"],
  ]

  /// The rows of one character.
  private func rows(of character: Character) -> [String] {
    if let digit = Self.digits[character] { return digit }
    if character == " " { return [" ", " ", " "] }
    let blank = String(repeating: " ", count: character.columns)
    return [blank, blank, String(character)]
  }

  private var lines: [String] {
    var lines = ["", "", ""]
    for character in text {
      let rows = rows(of: character)
      for index in 0..<3 {
        if !lines[index].isEmpty { lines[index] += " " }
        lines[index] += rows[index]
      }
    }
    return lines
  }

  private func isLarge(_ proposal: Proposal) -> Bool {
    (proposal.rows == Proposal.ideal || proposal.rows >= 3)
      && (proposal.columns == Proposal.ideal || proposal.columns >= lines[0].columns)
  }

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    if isLarge(proposal), tree.theme.glyphs != .ascii {
      return Size(columns: lines[0].columns, rows: 3)
    }
    return Size(
      columns: min(text.columns, proposal.columns == Proposal.ideal ? .max : proposal.columns),
      rows: 1)
  }

  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    let rect = tree.rect(of: node)
    guard rect.rows >= 3 else {
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
