/// Rows of which one is selected. Only visible rows are built, so the number of rows costs nothing.
///
///     List(contacts, position: state.position, isFocused: true) { store.send(.moved($0)) }
///       onOpen: { store.send(.opened($0.id)) }
///       row: { contact, isSelected in ContactRow(contact) }
///       empty: { Text("Nobody yet. Press a to add somebody.") }
///
/// Rows can be grouped under titles:
/// ``init(sections:position:isFocused:rowHeight:onMove:onOpen:row:empty:)``. To let the user filter
/// the rows, see ``View/filterable(by:prompt:onAction:)``.
///
/// The list takes all the space offered. While it has the focus it handles the arrow keys, Page Up
/// and Down, Home, End and Enter, and j, k, g and G unless a command uses them. A click selects a
/// row, a click on the selected row opens it, and the wheel scrolls.
public struct List<Data: RandomAccessCollection, Row: View, Empty: View>: PrimitiveView {
  private let count: Int
  /// The titles and row counts of the sections that have rows.
  private let sections: [(title: String, count: Int)]
  private let position: ListPosition
  private let isFocused: Bool
  private let rowHeight: Int
  private let onMove: @MainActor (ListPosition) -> Void
  private let onOpen: (@MainActor (Int) -> Void)?
  private let row: @MainActor (Int, Bool) -> Row
  private let empty: Empty
  /// Whether two rows are drawn the same; `nil` if every row is drawn for each frame.
  private var isSame: ((Row, Row) -> Bool)?

  /// - Parameters:
  ///   - data: The elements, one for each row.
  ///   - position: The selection and scroll position.
  ///   - isFocused: Whether keys go to the list.
  ///   - rowHeight: The height of a row in cells, at least 1.
  ///   - onMove: Receives the new position after a key press or mouse event.
  ///   - onOpen: Receives the element opened with Enter or a click on the selected row.
  ///   - row: Builds the view of an element; the second argument says whether it is selected.
  ///   - empty: The view shown if there are no rows: say what to do next.
  @inlinable
  public init(
    _ data: Data, position: ListPosition, isFocused: Bool = true, rowHeight: Int = 1,
    onMove: @escaping @MainActor (ListPosition) -> Void,
    onOpen: (@MainActor (Data.Element) -> Void)? = nil,
    @ViewBuilder row: @escaping @MainActor (Data.Element, Bool) -> Row,
    @ViewBuilder empty: () -> Empty
  ) {
    self.init(
      data, sections: [], position: position, isFocused: isFocused, rowHeight: rowHeight,
      onMove: onMove, onOpen: onOpen, row: row, empty: empty())
  }

  // Inlined where the types are known: finding an element of an unknown collection takes longer than
  // comparing its row.
  @inlinable
  init(
    _ data: Data, sections: [(title: String, count: Int)], position: ListPosition,
    isFocused: Bool, rowHeight: Int, onMove: @escaping @MainActor (ListPosition) -> Void,
    onOpen: (@MainActor (Data.Element) -> Void)?,
    row: @escaping @MainActor (Data.Element, Bool) -> Row, empty: Empty
  ) {
    var open: (@MainActor (Int) -> Void)?
    if let onOpen { open = { onOpen(data[offset: $0]) } }
    self.init(
      count: data.count, sections: sections, position: position, isFocused: isFocused,
      rowHeight: rowHeight, onMove: onMove,
      onOpen: open, row: { row(data[offset: $0], $1) }, empty: empty)
  }

  @usableFromInline
  init(
    count: Int, sections: [(title: String, count: Int)], position: ListPosition, isFocused: Bool,
    rowHeight: Int, onMove: @escaping @MainActor (ListPosition) -> Void,
    onOpen: (@MainActor (Int) -> Void)?, row: @escaping @MainActor (Int, Bool) -> Row, empty: Empty
  ) {
    self.count = count
    self.sections = sections
    self.position = position
    self.isFocused = isFocused
    self.rowHeight = max(1, rowHeight)
    self.onMove = onMove
    self.onOpen = onOpen
    self.row = row
    self.empty = empty
  }

  /// Creates a list of rows grouped under titles. Positions count the rows of all sections; titles
  /// can't be selected.
  /// - Parameters:
  ///   - sections: The sections from top to bottom.
  ///   - position: The selection and scroll position.
  ///   - isFocused: Whether keys go to the list.
  ///   - rowHeight: The height of a row in cells, at least 1.
  ///   - onMove: Receives the new position after a key press or mouse event.
  ///   - onOpen: Receives the element opened with Enter or a click on the selected row.
  ///   - row: Builds the view of an element; the second argument says whether it is selected.
  ///   - empty: The view shown if there are no rows.
  public init<Rows>(
    sections: [ListSection<Rows>], position: ListPosition, isFocused: Bool = true,
    rowHeight: Int = 1, onMove: @escaping @MainActor (ListPosition) -> Void,
    onOpen: (@MainActor (Rows.Element) -> Void)? = nil,
    @ViewBuilder row: @escaping @MainActor (Rows.Element, Bool) -> Row,
    @ViewBuilder empty: () -> Empty
  ) where Data == SectionedRows<Rows> {
    let data = SectionedRows(sections)
    self.init(
      data, sections: data.sections.map { ($0.title, $0.rows.count) }, position: position,
      isFocused: isFocused, rowHeight: rowHeight, onMove: onMove, onOpen: onOpen, row: row,
      empty: empty())
  }

  /// Creates a list that shows nothing when it is empty.
  @inlinable
  public init(
    _ data: Data, position: ListPosition, isFocused: Bool = true, rowHeight: Int = 1,
    onMove: @escaping @MainActor (ListPosition) -> Void,
    onOpen: (@MainActor (Data.Element) -> Void)? = nil,
    @ViewBuilder row: @escaping @MainActor (Data.Element, Bool) -> Row
  ) where Empty == EmptyView {
    self.init(
      data, position: position, isFocused: isFocused, rowHeight: rowHeight, onMove: onMove,
      onOpen: onOpen, row: row, empty: { EmptyView() })
  }

  /// Draws a row again only if its view has changed: for rows whose views are values, with everything
  /// that they show.
  ///
  ///     List(people, position: position, onMove: move) { person, _ in PersonRow(person) }
  ///       .keepingRows()
  ///
  /// A row with a command, a gesture, a text field, a picture or motion is built for each frame all the
  /// same. With assertions, rows are now and then drawn again and compared with what was kept.
  public func keepingRows() -> Self where Row: Equatable {
    var list = self
    list.isSame = { $0 == $1 }
    return list
  }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    guard count > 0 else {
      tree.add(FillingElement(alignment: .center)) { empty.build(in: tree) }
      return
    }
    let lines = ListLines(rowCount: count, sectionCounts: sections.map(\.count))
    let progress = ListKeyState(position: position)
    let context = tree.captureContext()
    // Capture only what is needed: capturing the list costs a lookup of its type metadata for each
    // call.
    let (row, sections, onOpen) = (row, sections, onOpen)
    let kept = isSame.map { isSame in tree.kept { KeptViews<Row>(comparedBy: isSame) } }
    let node = tree.add(
      ListElement(
        lines: lines, position: position, rowHeight: rowHeight, isFocused: isFocused,
        context: context, progress: progress,
        showsScrollIndicators: tree.environment.showsScrollIndicators, onMove: onMove,
        onOpen: { onOpen?($0) },
        kept: kept,
        update: { visible, selected, look in
          kept?.update(visible, selected: selected, look: look, view: row)
        },
        buildRow: { index, isSelected, tree in
          if let kept {
            kept.build(index, in: tree)
          } else {
            row(index, isSelected).build(in: tree)
          }
        },
        buildTitle: { Divider(title: sections[$0].title).build(in: $1) }))
    if isFocused { tree.addResponder(.keys(keys(progress, lines)), owner: node) }
  }

  private func keys(_ progress: ListKeyState, _ lines: ListLines) -> KeyResponder {
    let count = lines.rowCount
    return KeyResponder { press, rank in
      let position = progress.position
      let visible = progress.visibleRows
      let step: Int
      switch (rank, press.key, press.modifiers) {
      case (.primary, .up, []): step = -1
      case (.primary, .down, []): step = 1
      case (.primary, .pageUp, []): step = -max(1, visible - 1)
      case (.primary, .pageDown, []): step = max(1, visible - 1)
      case (.primary, .home, []): step = -count
      case (.primary, .end, []): step = count
      case (.primary, .enter, []):
        guard let onOpen else { return false }
        onOpen(lines.normalized(position, visible: visible).selected)
        return true
      case (.fallback, .character("k"), []), (.fallback, .character("p"), .control): step = -1
      case (.fallback, .character("j"), []), (.fallback, .character("n"), .control): step = 1
      case (.fallback, .character("u"), .control): step = -max(1, visible / 2)
      case (.fallback, .character("d"), .control): step = max(1, visible / 2)
      case (.fallback, .character("g"), []): step = -count
      case (.fallback, .character("G"), _): step = count
      default: return false
      }
      let moved = lines.moved(position, by: step, visible: visible)
      if moved != position {
        progress.position = moved
        onMove(moved)
      }
      return true
    }
  }
}

extension RandomAccessCollection {
  /// The element at an offset from the start.
  @inlinable
  subscript(offset offset: Int) -> Element {
    self[index(startIndex, offsetBy: offset)]
  }
}

/// State of a list that is only known after it was built, for its key handler.
@MainActor
final class ListKeyState {
  /// The number of rows visible at once.
  var visibleRows = 1
  /// The position after the keys pressed since the last frame: keys can arrive faster than frames
  /// are drawn, and none must get lost.
  var position: ListPosition
  /// The rows of a list that keeps them, as they were laid out.
  @exclusivity(unchecked) var rows: [ShownRow] = []

  init(position: ListPosition) {
    self.position = position
  }
}

/// Rows of a ``List`` under a common title.
public struct ListSection<Rows: RandomAccessCollection> {
  /// The text above the rows.
  public let title: String
  /// The elements, one for each row. A section without rows isn't shown.
  public let rows: Rows

  /// Creates a section.
  public init(_ title: String, rows: Rows) {
    self.title = title
    self.rows = rows
  }
}

extension ListSection: Equatable where Rows: Equatable {}
extension ListSection: Sendable where Rows: Sendable {}

/// The rows of all sections in sequence.
public struct SectionedRows<Rows: RandomAccessCollection>: RandomAccessCollection {
  /// The sections that have rows.
  let sections: [ListSection<Rows>]
  /// The number of rows up to the end of each section.
  private let ends: [Int]

  /// - Complexity: O(sections).
  init(_ sections: [ListSection<Rows>]) {
    self.sections = sections.filter { !$0.rows.isEmpty }
    var ends: [Int] = []
    for section in self.sections { ends.append((ends.last ?? 0) + section.rows.count) }
    self.ends = ends
  }

  /// The index of the first row.
  public var startIndex: Int { 0 }
  /// The number of rows.
  public var endIndex: Int { ends.last ?? 0 }

  /// The element of a row.
  /// - Complexity: O(log sections).
  public subscript(position: Int) -> Rows.Element {
    var (low, high) = (0, ends.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] > position { high = middle } else { low = middle + 1 }
    }
    let rows = sections[low].rows
    let start = low == 0 ? 0 : ends[low - 1]
    return rows[rows.index(rows.startIndex, offsetBy: position - start)]
  }
}

/// The position of a list: which row is selected and which is the first visible. It is kept in the
/// state of a feature.
public struct ListPosition: Codable, Hashable, Sendable {
  /// The index of the selected row, from 0. An index out of range means the nearest row.
  public var selected: Int
  /// The index of the first visible line, which is the first visible row if the list has no
  /// sections. The list scrolls further if the selected row would be out of view.
  public var offset: Int

  /// Creates a position, by default at the start of the list.
  public init(selected: Int = 0, offset: Int = 0) {
    self.selected = selected
    self.offset = offset
  }

  /// Returns the position within the bounds of a list without sections, with the selected row
  /// visible.
  ///
  /// - Parameters:
  ///   - count: The number of rows.
  ///   - visible: The number of rows visible at once.
  public func normalized(count: Int, visible: Int) -> ListPosition {
    ListLines(rowCount: count).normalized(self, visible: visible)
  }
}

extension View {
  /// Sets whether lists in the view show a scrollbar if their rows don't all fit.
  public func scrollIndicators(_ areVisible: Bool) -> some View {
    EnvironmentView(content: self) { $0.showsScrollIndicators = areVisible }
  }

  /// Sets the mark of the selected row for lists in the view: a scalar one column wide.
  public func selectionMark(_ mark: Unicode.Scalar) -> some View {
    EnvironmentView(content: self) { $0.selectionMark = mark }
  }
}

/// One row: its background and, if it is selected, its mark.
struct ListRowElement: Element {
  let isSelected: Bool
  let isFocused: Bool
  let mark: Unicode.Scalar

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    guard let child = tree.firstChild(of: node) else { return }
    let inner = rect.inset(leading: 1)
    let offer = Proposal(inner.size)
    let size = tree.measure(child, offer)
    tree.place(child, in: Rect(origin: inner.origin, size: size), proposal: offer)
  }

  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    let rect = tree.rect(of: node)
    if isSelected {
      let style = tree.style(of: node)
      canvas.fill(rect, style: style)
      var markStyle = style
      if isFocused, tree.theme[.accent].foreground != .standard, !tree.theme.usesFillTextColor {
        markStyle.foreground = tree.theme[.accent].foreground
      }
      canvas.fill(
        Rect(column: rect.minColumn, row: rect.minRow, columns: 1, rows: rect.rows),
        with: tree.theme.glyphs != .unicode ? ">" : mark, style: markStyle)
    }
    tree.drawChildren(of: node, on: canvas)
  }
}

/// Takes all the space offered and aligns its child in it.
struct FillingElement: Element {
  let alignment: Alignment

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    let own = tree.measureChild(of: node, proposal)
    return proposal.filled(ideal: own)
  }

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    tree.forEachChild(of: node) { child in
      let offer = Proposal(rect.size)
      tree.place(
        child, in: alignment.place(tree.measure(child, offer), in: rect), proposal: offer)
    }
  }
}
