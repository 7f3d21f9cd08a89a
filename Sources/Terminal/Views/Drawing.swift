/// A view that draws its own cells: a widget that the others can't be composed to.
///
///     struct Meter: View {
///       let share: Double
///
///       var body: some View {
///         Drawing(ideal: Size(columns: 20, rows: 1)) { canvas, rect in
///           let full = Int(share * Double(rect.columns))
///           canvas.fill(rect, with: "░", style: canvas.style(.dim))
///           canvas.fill(Rect(column: 0, row: 0, columns: full, rows: rect.rows), with: "█")
///         }
///         .accessibilityLabel("\(Int(share * 100)) percent")
///       }
///     }
///
/// It takes the space that is offered; a frame around it restricts that. It is drawn for every frame,
/// so nothing but its values decides what it shows. A drawing can't be read aloud: give it an
/// ``View/accessibilityLabel(_:)``.
public struct Drawing: PrimitiveView {
  private let ideal: Size
  private let draw: @MainActor (DrawingCanvas, Rect) -> Void

  /// - Parameters:
  ///   - ideal: The size it takes where views take the space that they need.
  ///   - draw: Draws into a rectangle whose top left cell is (0, 0). What is outside isn't drawn.
  public init(ideal: Size, draw: @escaping @MainActor (DrawingCanvas, Rect) -> Void) {
    self.ideal = ideal
    self.draw = draw
  }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    guard !tree.environment.isSpoken else { return }
    tree.add(DrawingElement(ideal: ideal, style: tree.environment.style, drawing: draw))
  }
}

struct DrawingElement: Element {
  let ideal: Size
  let style: Style
  let drawing: @MainActor (DrawingCanvas, Rect) -> Void

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    proposal.filled(ideal: ideal)
  }

  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    let rect = tree.rect(of: node)
    drawing(
      DrawingCanvas(canvas: canvas, origin: rect.origin, style: style, theme: tree.theme),
      Rect(origin: .zero, size: rect.size))
  }
}

/// The cells that a ``Drawing`` can draw to. Positions count from its top left; whatever is drawn
/// outside is cut off.
///
/// Text from anywhere can be drawn: control characters and everything else that doesn't show never
/// reach the terminal.
@MainActor
public struct DrawingCanvas {
  let canvas: Canvas
  let origin: Point
  /// The style that the drawing inherits, which is used unless another one is given.
  public let style: Style
  let theme: Theme

  /// Returns the style of a role in the theme, on the drawing's background.
  public func style(_ role: ThemeRole) -> Style {
    var style = theme[role]
    style.background = self.style.background
    return style
  }

  /// Draws a line of text.
  /// - Returns: Its width in columns, including what is cut off.
  @discardableResult
  public func text(_ text: String, at point: Point, style: Style? = nil) -> Int {
    canvas.write(text, at: moved(point), style: style ?? self.style)
  }

  /// Fills a rectangle with a character one column wide, by default with blanks. Any other character
  /// leaves blanks.
  public func fill(_ rect: Rect, with character: Character = " ", style: Style? = nil) {
    canvas.fill(
      Rect(origin: moved(rect.origin), size: rect.size), with: Self.scalar(character),
      style: style ?? self.style)
  }

  /// Draws a character one column wide into a cell. Any other character leaves a blank; use
  /// ``text(_:at:style:)`` for it.
  public func cell(_ character: Character, at point: Point, style: Style? = nil) {
    canvas.put(Self.scalar(character), at: moved(point), style: style ?? self.style)
  }

  /// Draws a line between two cells in a row or column, both included. Between others nothing is drawn.
  public func line(from start: Point, to end: Point, style: Style? = nil) {
    guard start.column == end.column || start.row == end.row else { return }
    let rect = Rect(
      column: min(start.column, end.column), row: min(start.row, end.row),
      columns: abs(end.column - start.column) + 1, rows: abs(end.row - start.row) + 1)
    fill(rect, with: start.row == end.row ? "─" : "│", style: style)
  }

  /// Returns the canvas restricted to a rectangle. Positions still count from the drawing's top left.
  public func clipped(to rect: Rect) -> DrawingCanvas {
    DrawingCanvas(
      canvas: canvas.clipped(to: Rect(origin: moved(rect.origin), size: rect.size)),
      origin: origin, style: style, theme: theme)
  }

  private func moved(_ point: Point) -> Point {
    point.offset(columns: origin.column, rows: origin.row)
  }

  private static func scalar(_ character: Character) -> Unicode.Scalar {
    var graphemes = String(character).graphemes.makeIterator()
    guard let grapheme = graphemes.next(), graphemes.next() == nil, grapheme.columns == 1,
      grapheme.cluster == nil
    else { return " " }
    return grapheme.scalar
  }
}
