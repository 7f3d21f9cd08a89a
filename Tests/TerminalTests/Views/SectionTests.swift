import struct Composable.SplitMix64
import TerminalTesting
import Testing

@testable import Terminal

@MainActor
struct SectionTests {
  private let host = ViewHost()

  @MainActor
  private final class Log {
    var moves: [ListPosition] = []
    var built = 0
    var actions: [ListFilter.Action] = []
  }
  private let log = Log()
  private let sections = [
    ListSection("Today", rows: ["a", "b"]), ListSection("Empty", rows: []),
    ListSection("Before", rows: ["c", "d", "e"]),
  ]

  private func list(_ position: ListPosition) -> some View {
    List(sections: sections, position: position, onMove: { log.moves.append($0) }) { name, _ in
      Text(name)
    } empty: {
      Text("nothing")
    }
  }

  @Test func titles_standAboveTheirRows() {
    expectFrame(
      list(ListPosition(selected: 2)), size: Size(columns: 12, rows: 7),
      matches: """
         Today ─────
         a
         b
         Before ────
        ▌c
         d
         e
        """)
  }

  @Test func firstRow_comesIntoSightWithItsTitle() {
    expectFrame(
      list(ListPosition(selected: 2, offset: 5)), size: Size(columns: 12, rows: 3),
      matches: """
         Before ───│
        ▌c         ┃
         d         │
        """)
  }

  @Test func noRows_showsWhatIsEmpty() {
    let empty = [ListSection("Today", rows: [Int]())]
    expectFrame(
      List(sections: empty, position: ListPosition(), onMove: { _ in }) {
        Text("\($0) \($1)")
      } empty: {
        Text("nothing")
      }, size: Size(columns: 7, rows: 1), matches: "nothing")
  }

  @Test func keys_moveFromRowToRow() {
    _ = host.render(list(ListPosition(selected: 1)), size: Size(columns: 12, rows: 7))
    host.dispatch(.key("down"))
    host.dispatch(.key("end"))
    #expect(log.moves.map(\.selected) == [2, 4])
  }

  @Test func click_onATitleSelectsNothing() {
    _ = host.render(list(ListPosition()), size: Size(columns: 12, rows: 7))
    for row in [0, 3, 4] {
      host.dispatch(
        .mouse(MouseEvent(.press(.left), at: Point(column: 3, row: row))))
    }
    #expect(log.moves.map(\.selected) == [2])
  }

  @Test func lines_knowTheirRowsBothWays() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<50 {
      let counts = (0..<Int.random(in: 0..<6, using: &random)).map { _ in
        Int.random(in: 1..<5, using: &random)
      }
      let total = counts.reduce(0, +)
      let lines = ListLines(rowCount: total, sectionCounts: counts)
      #expect(lines.count == total + counts.count)
      var rows: [Int] = []
      for line in 0..<lines.count {
        guard case .row(let row) = lines[line] else { continue }
        rows.append(row)
        #expect(lines.line(ofRow: row) == line)
      }
      #expect(rows == Array(0..<total))
      let visible = Int.random(in: 1..<6, using: &random)
      let start = ListPosition(
        selected: Int.random(in: 0...total, using: &random),
        offset: Int.random(in: -2...lines.count, using: &random))
      for moved in [
        lines.normalized(start, visible: visible), lines.moved(start, by: 2, visible: visible),
        lines.scrolled(start, by: -3, visible: visible),
        lines.scrolled(start, by: 3, visible: visible),
      ] where total > 0 {
        let line = lines.line(ofRow: moved.selected)
        #expect((moved.offset..<moved.offset + visible).contains(line))
      }
    }
  }

  /// The wheel must never get stuck at a line, whether it is a row or a title.
  @Test(arguments: 1...9) func scrollingByOne_reachesEveryLine(visible: Int) {
    let lines = ListLines(rowCount: 8, sectionCounts: [1, 1, 4, 2])
    var position = lines.normalized(ListPosition(), visible: visible)
    for (step, end) in [(1, lines.count - visible), (-1, visible == 1 ? 1 : 0)] {
      while position.offset != end {
        var offset = position.offset + step
        // If only one line is visible, it is a row.
        if visible == 1, case .title = lines[offset] { offset += step }
        position = lines.scrolled(position, by: step, visible: visible)
        #expect(position.offset == offset)
        guard position.offset == offset else { return }
        #expect(lines.normalized(position, visible: visible) == position)
      }
    }
  }

  @Test func goingUpToTheFirstRow_showsItsTitle() {
    let lines = ListLines(rowCount: 5, sectionCounts: [2, 3])
    let up = lines.moved(ListPosition(selected: 3, offset: 4), by: -1, visible: 3)
    #expect(up == ListPosition(selected: 2, offset: 3))
  }

  @Test func millionRows_buildAsManyViewsAsTen() {
    func built(_ count: Int, selected: Int) -> (rows: Int, nodes: Int) {
      log.built = 0
      let host = ViewHost()
      _ = host.render(
        List(
          sections: [ListSection("All", rows: 0..<count)],
          position: ListPosition(selected: selected), onMove: { _ in }
        ) { number, _ in
          let _ = log.built += 1
          Text("\(number)")
        } empty: {
          EmptyView()
        }, size: Size(columns: 12, rows: 8))
      return (log.built, host.nodeCount)
    }
    let few = built(10, selected: 5)
    #expect(few.rows == 8 || few.rows == 7)
    for selected in [5, 500_000, 999_990] {
      let many = built(1_000_000, selected: selected)
      #expect(abs(many.rows - few.rows) <= 1)
      #expect(abs(many.nodes - few.nodes) <= 3)
    }
  }

  // MARK: Typing to filter

  @Test func filter_opensEditsAcceptsAndCloses() {
    var filter = ListFilter()
    #expect(!filter.isShown && filter.matches("anything"))
    filter.apply(.begin)
    #expect(filter.isShown && filter.isEditing)
    filter.apply(.edit(.insert("LOVE ad")))
    #expect(filter.matches("Ada Lovelace") && !filter.matches("Alan Turing"))
    filter.apply(.accept)
    #expect(filter.isShown && !filter.isEditing && !filter.matches("Alan Turing"))
    filter.apply(.close)
    #expect(filter == ListFilter())
    filter.apply(.begin)
    filter.apply(.accept)
    #expect(!filter.isShown, "An empty filter stays on the screen.")
  }

  @Test func filterLine_isDrivenByKeys() {
    var filter = ListFilter()
    func show() {
      _ = host.render(
        list(ListPosition()).filterable(by: filter) { log.actions.append($0) },
        size: Size(columns: 30, rows: 6))
    }
    show()
    host.dispatch(.key("/"))
    #expect(log.actions == [.begin])
    filter.apply(.begin)
    show()
    host.dispatch(.key("b"))
    host.dispatch(.key("enter"))
    host.dispatch(.key("esc"))
    #expect(log.actions == [.begin, .edit(.insert("b")), .accept, .close])
    expectFrame(
      list(ListPosition()).filterable(by: filter) { _ in }, size: Size(columns: 24, rows: 3),
      matches: " /  part of a name\n Today ────────────────┃\n▌a                     │")
  }
}
