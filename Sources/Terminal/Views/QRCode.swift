/// A QR code, black on white with the quiet zone around it that scanners need: a module takes two
/// blanks where there is room, and in ASCII; elsewhere half a cell, between which some terminals leave
/// seams.
///
/// It is drawn whole or not at all: where there is no room, it says how much it needs.
public struct QRCode: PrimitiveView {
  private let modules: [[Bool]]
  private let label: String

  /// The light modules around the code (ISO/IEC 18004, 9.1).
  static let quietZone = 4

  /// - Parameters:
  ///   - modules: The rows of the code from top to bottom, `true` for dark; all as long as there
  ///     are rows.
  ///   - label: What the code holds, for those who do not see it.
  /// - Precondition: The code is a square.
  public init(_ modules: [[Bool]], label: String) {
    precondition(modules.allSatisfy { $0.count == modules.count }, "A QR code is a square.")
    self.modules = modules
    self.label = label
  }

  /// The least size in which a code is drawn, where two modules have room in a cell.
  public static func smallestSize(of modules: [[Bool]]) -> Size {
    QRCodeElement(modules: modules, isASCII: false).size
  }

  /// Adds the view to the tree of the frame.
  public func build(in tree: ViewTree) {
    if tree.environment.isSpoken { return Text(label).build(in: tree) }
    tree.add(QRCodeElement(modules: modules, isASCII: tree.theme.glyphs == .ascii))
  }
}

struct QRCodeElement: Element {
  let modules: [[Bool]]
  let isASCII: Bool

  /// The modules from side to side, quiet zone included.
  private var side: Int { modules.count + 2 * QRCode.quietZone }

  /// The size with a module in two cells.
  private var largeSize: Size { Size(columns: 2 * side, rows: side) }

  /// The least size.
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
    // Without colours the code takes those of the terminal, light modules being ink on a dark ground.
    let paint = tree.theme.isMono || canvas.screen.depth == .none ? nil : style
    if rect.size.holds(largeSize) {
      drawCells(rect, paint: paint, isGroundDark: tree.theme.isDark, on: canvas)
    } else {
      drawHalves(rect, paint: paint, isGroundDark: tree.theme.isDark, on: canvas)
    }
  }

  /// Two modules in a cell.
  private func drawHalves(_ rect: Rect, paint: Style?, isGroundDark: Bool, on canvas: Canvas) {
    let isInked: (Int, Int) -> Bool = { x, y in
      // The row that fills up the last cell belongs to the quiet zone.
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

  /// One module in two cells: coloured where there are colours, else with colours exchanged.
  private func drawCells(_ rect: Rect, paint: Style?, isGroundDark: Bool, on canvas: Canvas) {
    let exchanged = Style(attributes: .reverse)
    let light = paint != nil ? Self.blackOnWhite : isGroundDark ? exchanged : .plain
    // Black on black where it is seen, a sign where only the text is kept.
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

  /// What is shown in place of a code that would be cut.
  private var tooSmall: Notice {
    Notice(text: "No room for the code: it needs \(size.columns) columns and \(size.rows) lines.")
  }

  /// A few lines of text.
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
  /// Whether something of another size has room.
  fileprivate func holds(_ other: Size) -> Bool {
    columns >= other.columns && rows >= other.rows
  }
}
