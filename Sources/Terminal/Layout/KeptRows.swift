/// What the visible rows of a list drew, kept between frames: a row whose view is the same is neither
/// built nor measured nor drawn again.
@MainActor
class KeptRows {
  /// A row in the last frame, without its view.
  @exclusivity(unchecked) fileprivate(set) var rows: [KeptRow] = []
  /// The index of the first visible row.
  @exclusivity(unchecked) fileprivate(set) var first = 0

  /// What is kept of a visible row.
  subscript(row: Int) -> KeptRow { rows[row - first] }

  func keep(_ cells: KeptCells, of row: Int) {
    rows[row - first].cells = cells
  }
}

/// The views of the rows, too. Everything that needs to know their type is done in one pass over them,
/// because looking up generic types takes longer than comparing the views.
final class KeptViews<Row: View>: KeptRows {
  // Access is exempt from exclusivity checks, as in `KeptRows`; see `ViewTree.building`.
  @exclusivity(unchecked) private var views: [Row] = []
  @exclusivity(unchecked) private var look: RowLook?
  private let isSame: (Row, Row) -> Bool

  init(comparedBy isSame: @escaping (Row, Row) -> Bool) {
    self.isSame = isSame
  }

  /// Compares the views of the rows that are visible now with those of the last frame.
  func update(
    _ visible: Range<Int>, selected: Int, look newLook: RowLook, view: (Int, Bool) -> Row
  ) {
    var newRows: [KeptRow] = []
    var newViews: [Row] = []
    newRows.reserveCapacity(visible.count)
    newViews.reserveCapacity(visible.count)
    let hasSameLook = look == newLook
    for number in visible {
      let isSelected = number == selected
      let new = view(number, isSelected)
      var row = KeptRow(isSelected: isSelected)
      let index = number - first
      if rows.indices.contains(index) {
        let old = rows[index]
        if hasSameLook, old.isSelected == isSelected, isSame(views[index], new) {
          row.cells = old.cells
        } else {
          row.changes = min(KeptRow.manyChanges, old.changes + 1)
        }
      }
      newRows.append(row)
      newViews.append(new)
    }
    (rows, views, look, first) = (newRows, newViews, newLook, visible.lowerBound)
  }

  func build(_ row: Int, in tree: ViewTree) {
    views[row - first].build(in: tree)
  }
}

/// What is kept of a visible row.
struct KeptRow {
  let isSelected: Bool
  /// What it drew, if that was nothing but cells.
  var cells: KeptCells?
  /// In how many frames in a row it was different.
  var changes = 0

  /// A row that is different in every frame isn't worth keeping.
  static let manyChanges = 2
  var isWorthKeeping: Bool { changes < Self.manyChanges }
}

/// The cells that a row drew, line by line.
struct KeptCells {
  /// The cell that was everywhere beneath it.
  let ground: Cell
  let cells: [Cell]
}

/// Everything that decides how the rows of a list are drawn, apart from their views.
struct RowLook: Equatable {
  let environment: ViewEnvironment
  let size: Size
  let isFocused: Bool
  /// Changes with the theme and whatever cells refer to.
  let generation: Int
}

/// A row of a list in the frame that is being drawn.
struct ShownRow {
  let row: Int
  let isSelected: Bool
  let place: Rect
  /// Its node, if it was built.
  var node: NodeID = -1
  /// Whether what it draws can be kept: no command, gesture or layer belongs to it.
  var canBeKept = false
}
