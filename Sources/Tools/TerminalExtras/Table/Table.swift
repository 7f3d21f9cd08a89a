public import Terminal

/// A ``List`` whose rows have cells under column headings. The program does the sorting: the table
/// shows how its data are sorted, and reports which heading was clicked. While the table has the
/// focus, `s` reverses the sorting of the current column, then moves on to the next.
public struct Table<Data: RandomAccessCollection, Empty: View>: View {
  private let data: Data
  private let columns: [TableColumn<Data.Element>]
  private let position: ListPosition
  private let sort: TableSort?
  private let isFocused: Bool
  private let onSort: (@MainActor (Int) -> Void)?
  private let onMove: @MainActor (ListPosition) -> Void
  private let onOpen: (@MainActor (Data.Element) -> Void)?
  private let empty: Empty

  /// - Parameters:
  ///   - data: The elements, one per row.
  ///   - columns: The columns from left to right.
  ///   - position: The position of the list.
  ///   - sort: How `data` are sorted, for the mark in the headings.
  ///   - isFocused: Whether the table gets key presses.
  ///   - onSort: Receives the index of the column whose heading was clicked.
  ///   - onMove: Receives the position requested by a key or the mouse.
  ///   - onOpen: Receives the element opened with Enter or by clicking the selected row.
  ///   - empty: The view to show if there are no rows.
  public init(
    _ data: Data, columns: [TableColumn<Data.Element>], position: ListPosition,
    sort: TableSort? = nil, isFocused: Bool = true,
    onSort: (@MainActor (Int) -> Void)? = nil,
    onMove: @escaping @MainActor (ListPosition) -> Void,
    onOpen: (@MainActor (Data.Element) -> Void)? = nil,
    @ViewBuilder empty: () -> Empty
  ) {
    self.data = data
    self.columns = columns
    self.position = position
    self.sort = sort
    self.isFocused = isFocused
    self.onSort = onSort
    self.onMove = onMove
    self.onOpen = onOpen
    self.empty = empty()
  }

  /// The content of the view.
  public var body: some View {
    rows.with(sortCommands)
  }

  private var sortCommands: [Command] {
    guard let onSort, isFocused, !columns.isEmpty else { return [] }
    return [
      Command(key: "s", title: "Sort") {
        guard let sort else { return onSort(0) }
        onSort(sort.isAscending ? sort.column : (sort.column + 1) % columns.count)
      }
    ]
  }

  private var rows: some View {
    SizeReader { size in
      // A list uses one column for the mark, and one for a scrollbar if it needs one.
      let hasScrollbar = data.count > size.rows - 1
      let widths = widths(in: size.columns - 1 - (hasScrollbar ? 1 : 0))
      VStack {
        HStack(spacing: 1) {
          ForEach(columns.indices) { index in
            head(index).frame(width: widths[index], alignment: alignment(index))
              .onTap { onSort?(index) }
          }
        }
        .padding(.leading, 1)
        List(
          data, position: position, isFocused: isFocused, onMove: onMove, onOpen: onOpen,
          row: { element, _ in
            HStack(spacing: 1) {
              ForEach(columns.indices) { index in
                columns[index].content(element)
                  .frame(width: widths[index], alignment: alignment(index))
              }
            }
          }, empty: { empty })
      }
      .lineLimit(1)
    }
  }

  private func head(_ index: Int) -> Text {
    let title = Text(columns[index].title).bold().foreground(.dim)
    guard let sort, sort.column == index else { return title }
    return title + Text(sort.isAscending ? " ▴" : " ▾").foreground(.accent)
  }

  private func alignment(_ index: Int) -> Alignment {
    Alignment(horizontal: columns[index].alignment, vertical: .top)
  }

  /// Returns the width of each column. Columns that fill share the remaining width; the first ones
  /// get the remainder of the division.
  private func widths(in available: Int) -> [Int] {
    var rest = available - max(0, columns.count - 1)
    var fills = 0
    for column in columns {
      if case .fixed(let width) = column.width { rest -= width } else { fills += 1 }
    }
    return columns.map { column in
      if case .fixed(let width) = column.width { return max(0, width) }
      let share = (max(0, rest) + fills - 1) / fills
      rest -= share
      fills -= 1
      return share
    }
  }
}
