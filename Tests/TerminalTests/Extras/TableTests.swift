import Terminal
import TerminalExtras
import TerminalTesting
import Testing

@MainActor
struct TableTests {
  private let host = ViewHost()

  @Test func table_showsHeadsCellsAndTheSort() {
    var sorted: [Int] = []
    let table = Table(
      [("Ada Lovelace", 3), ("Alan", 12)],
      columns: [
        TableColumn("Name") { Text($0.0) },
        TableColumn("Days", width: .fixed(6), alignment: .trailing) { Text("\($0.1)") },
      ], position: ListPosition(selected: 1), sort: TableSort(column: 1, isAscending: false),
      onSort: { sorted.append($0) }, onMove: { _ in }
    ) {
      Text("none")
    }
    expectFrame(
      table, size: Size(columns: 16, rows: 4),
      matches: """
         Name     Days ▾
         Ada Lov…      3
        ▌Alan         12
        """)
    _ = host.render(table, size: Size(columns: 16, rows: 4))
    host.dispatch(.mouse(MouseEvent(.press(.left), at: Point(column: 12, row: 0))))
    #expect(sorted == [1])
    #expect(TableSort(column: 1).toggled(1) == TableSort(column: 1, isAscending: false))
    #expect(TableSort(column: 1, isAscending: false).toggled(0) == TableSort(column: 0))
  }

  @Test func table_isSortedByKey() {
    var asked: [Int] = []
    func show(_ sort: TableSort) {
      let columns = [
        TableColumn<Int>("A") { Text("\($0)") }, TableColumn<Int>("B") { Text("\($0)") },
      ]
      _ = host.render(
        Table(
          [1, 2], columns: columns, position: ListPosition(), sort: sort,
          onSort: { asked.append($0) }, onMove: { _ in }, empty: { EmptyView() }),
        size: Size(columns: 20, rows: 5))
      host.dispatch(.key("s"))
    }
    show(TableSort(column: 0))
    show(TableSort(column: 0, isAscending: false))
    show(TableSort(column: 1, isAscending: false))
    #expect(asked == [0, 1, 0])
  }
}
