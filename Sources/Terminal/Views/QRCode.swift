/// A QR code, black on white, including the quiet zone that scanners need. A module is two spaces
/// wide if there is enough space, and always in ASCII; otherwise it is half a cell, which leaves
/// seams in some terminals.
///
/// The code is never clipped: if it doesn't fit, a note says how much space it needs.
public struct QRCode: PrimitiveView {
  private let modules: [[Bool]]
  private let label: String

  /// The width of the light margin around the code, in modules (ISO/IEC 18004, 9.1).
  static let quietZone = 4

  /// - Parameters:
  ///   - modules: The rows of the code from top to bottom, `true` for dark. Each row has as many
  ///     modules as there are rows.
  ///   - label: A description of what the code holds, for users who can't see it.
  /// - Precondition: The code is square.
  public init(_ modules: [[Bool]], label: String) {
    precondition(modules.allSatisfy { $0.count == modules.count }, "A QR code is a square.")
    self.modules = modules
    self.label = label
  }

  /// Returns the smallest size at which a code can be drawn, with two modules per cell.
  public static func smallestSize(of modules: [[Bool]]) -> Size {
    QRCodeElement(modules: modules, isASCII: false).size
  }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    if tree.environment.isSpoken { return Text(label).build(in: tree) }
    tree.add(QRCodeElement(modules: modules, isASCII: tree.theme.glyphs == .ascii))
  }
}

struct QRCodeElement: Element {
  let modules: [[Bool]]
  let isASCII: Bool

  /// The number of modules on each side, including the quiet zone.
  private var side: Int { modules.count + 2 * QRCode.quietZone }

  /// The size with one module per two cells.
  private var largeSize: Size { Size(columns: 2 * side, rows: side) }

  /// The smallest size.
  fileprivate var size: Size {
    isASCII ? largeSize : Size(columns: side, rows: (side + 1) / 2)
  }

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    let offered = proposal.resolved(size)
    if offered.holds(largeSize) { return largeSize }
    if offered.holds(size) { return size }
    return tooSmall.measured(in: proposal)
  }

  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    let rect = tree.rect(of: node)
    let style = tree.style(of: node)
    guard rect.size.holds(size) else {
      for (row, line) in tooSmall.lines(in: rect.size).enumerated() {
        canvas.write(line, at: rect.origin.offset(rows: row), style: style)
      }
      return
    }
    // Without colours, draw in the terminal's own. On a dark background its text colour is the
    // light one, so the light modules are drawn.
    let paint = tree.theme.isMono || canvas.screen.depth == .none ? nil : style
    if rect.size.holds(largeSize) {
      drawCells(rect, paint: paint, isGroundDark: tree.theme.isDark, on: canvas)
    } else {
      drawHalves(rect, paint: paint, isGroundDark: tree.theme.isDark, on: canvas)
    }
  }

  /// Draws two modules per cell.
  private func drawHalves(_ rect: Rect, paint: Style?, isGroundDark: Bool, on canvas: Canvas) {
    let isInked: (Int, Int) -> Bool = { x, y in
      // The row that completes the last cell belongs to the quiet zone.
      paint != nil || !isGroundDark ? isDark(x, y) : !isDark(x, y)
    }
    let style = paint.map { _ in Self.blackOnWhite } ?? .plain
    for row in 0..<size.rows {
      for column in 0..<size.columns {
        let scalar: Unicode.Scalar =
          switch (isInked(column, 2 * row), isInked(column, 2 * row + 1)) {
          case (true, true): "█"
          case (true, false): "▀"
          case (false, true): "▄"
          case (false, false): " "
          }
        canvas.put(scalar, at: rect.origin.offset(columns: column, rows: row), style: style)
      }
    }
  }

  /// Draws one module per two cells, in colour if possible, otherwise with reverse video.
  private func drawCells(_ rect: Rect, paint: Style?, isGroundDark: Bool, on canvas: Canvas) {
    let exchanged = Style(attributes: .reverse)
    let light = paint != nil ? Self.blackOnWhite : isGroundDark ? exchanged : .plain
    // A dark module is a black block on black: invisible as a character, but it survives where only
    // the text is copied.
    let dark =
      paint != nil
      ? Style(foreground: Self.black, background: Self.black) : isGroundDark ? .plain : exchanged
    for row in 0..<largeSize.rows {
      for column in 0..<largeSize.columns {
        let isDark = isDark(column / 2, row)
        canvas.put(
          isDark && paint != nil ? "█" : " ",
          at: rect.origin.offset(columns: column, rows: row), style: isDark ? dark : light)
      }
    }
  }

  private static let black = Color.palette(16)
  private static let blackOnWhite = Style(foreground: black, background: .palette(231))

  private func isDark(_ x: Int, _ y: Int) -> Bool {
    let (column, row) = (x - QRCode.quietZone, y - QRCode.quietZone)
    guard modules.indices.contains(row), modules.indices.contains(column) else { return false }
    return modules[row][column]
  }

  /// The note shown if the code would be clipped.
  private var tooSmall: Notice {
    Notice(text: "No room for the code: it needs \(size.columns) columns and \(size.rows) lines.")
  }

  /// A text that wraps to the width offered.
  private struct Notice {
    let text: String

    func lines(in size: Size) -> [String] {
      Array(text.wrapped(to: max(1, size.columns)).prefix(max(0, size.rows)))
    }

    func measured(in proposal: Proposal) -> Size {
      let columns = min(text.columns, proposal.columns == Proposal.ideal ? .max : proposal.columns)
      let rows = text.wrapped(to: max(1, columns)).count
      return Size(
        columns: columns, rows: min(rows, proposal.rows == Proposal.ideal ? .max : proposal.rows))
    }
  }
}

extension Size {
  /// Whether another size fits into this one.
  fileprivate func holds(_ other: Size) -> Bool {
    columns >= other.columns && rows >= other.rows
  }
}
