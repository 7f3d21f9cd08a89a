import Terminal
import TerminalTesting
import Testing

@MainActor
struct ListTests {
  private let host = ViewHost()

  @MainActor
  private final class Log {
    var moves: [ListPosition] = []
    var opened: [Int] = []
    var built: [Int] = []
  }
  private let log = Log()

  private func list(
    _ count: Int, _ position: ListPosition, isFocused: Bool = true
  ) -> some View {
    List(
      Array(0..<count), position: position, isFocused: isFocused,
      onMove: { log.moves.append($0) }, onOpen: { log.opened.append($0) }
    ) { number, isSelected in
      let _ = log.built.append(number)
      Text(isSelected ? "row \(number) *" : "row \(number)")
    } empty: {
      Text("nothing")
    }
  }

  private func show(_ view: some View, rows: Int = 4) {
    _ = host.render(view, size: Size(columns: 12, rows: rows))
  }

  @Test func rows_areShownFromTheOffsetWithSelectionAndScrollbar() {
    expectFrame(
      list(8, ListPosition(selected: 3, offset: 2)), size: Size(columns: 12, rows: 4),
      matches: """
         row 2     │
        ▌row 3 *   ┃
         row 4     ┃
         row 5     │
        """)
  }

  @Test func emptyList_saysWhatToDo() {
    expectFrame(list(0, ListPosition()), size: Size(columns: 11, rows: 3), matches: "\n  nothing\n")
  }

  @Test func onlyVisibleRows_areBuilt() {
    show(list(1_000_000, ListPosition(selected: 500_000)))
    #expect(log.built.count == 4)
    #expect(log.built.contains(500_000))
  }

  @Test func selectionOutOfSight_isScrolledTo() {
    expectFrame(
      list(9, ListPosition(selected: 8, offset: 0)).frame(height: 2),
      size: Size(columns: 12, rows: 2), matches: " row 7     │\n▌row 8 *   ┃")
  }

  @Test(arguments: [
    ("down", ListPosition(selected: 3, offset: 1)), ("up", ListPosition(selected: 1, offset: 1)),
    ("pagedown", ListPosition(selected: 5, offset: 2)), ("home", ListPosition()),
    ("end", ListPosition(selected: 9, offset: 6)), ("j", ListPosition(selected: 3, offset: 1)),
    ("k", ListPosition(selected: 1, offset: 1)), ("G", ListPosition(selected: 9, offset: 6)),
    ("ctrl+d", ListPosition(selected: 4, offset: 1)),
  ])
  func key_asksForAPosition(key: String, expected: ListPosition) throws {
    show(list(10, ListPosition(selected: 2, offset: 1)))
    #expect(host.dispatch(.key(try #require(KeyPress(key)))))
    #expect(log.moves == [expected])
  }

  @Test func keysBetweenTwoFrames_allCount() {
    show(list(10, ListPosition()))
    for _ in 0..<3 { host.dispatch(.key("down")) }
    #expect(log.moves.map(\.selected) == [1, 2, 3])
  }

  @Test func keyAtTheEnd_isTakenWithoutAMove() {
    show(list(3, ListPosition(selected: 2)))
    #expect(host.dispatch(.key("down")))
    #expect(log.moves.isEmpty)
  }

  @Test func enter_opensTheSelectedElement() {
    show(list(3, ListPosition(selected: 2)))
    host.dispatch(.key("enter"))
    #expect(log.opened == [2])
  }

  @Test func command_winsOverLetters_butNotOverArrows() {
    var called: [String] = []
    show(
      list(9, ListPosition())
        .command("j", "join") { called.append("j") }
        .command("down", "elsewhere") { called.append("down") })
    host.dispatch(.key("j"))
    host.dispatch(.key("down"))
    #expect(called == ["j"])
    #expect(log.moves == [ListPosition(selected: 1)])
  }

  @Test func unfocusedList_leavesKeysToOthers() {
    show(list(3, ListPosition(), isFocused: false))
    #expect(!host.dispatch(.key("down")))
  }

  @Test func click_selects_andOpensWhatIsSelected() {
    show(list(9, ListPosition(selected: 3, offset: 2)))
    host.dispatch(.mouse(MouseEvent(.press(.left), at: Point(column: 3, row: 2))))
    host.dispatch(.mouse(MouseEvent(.press(.left), at: Point(column: 3, row: 1))))
    #expect(log.moves == [ListPosition(selected: 4, offset: 2)])
    #expect(log.opened == [3])
  }

  @Test func clickBelowTheRows_doesNothing() {
    show(list(2, ListPosition()))
    host.dispatch(.mouse(MouseEvent(.press(.left), at: Point(column: 3, row: 3))))
    #expect(log.moves.isEmpty && log.opened.isEmpty)
  }

  @Test func scrollbar_isDragged() {
    show(list(41, ListPosition()), rows: 5)
    host.dispatch(.mouse(MouseEvent(.press(.left), at: Point(column: 11, row: 0))))
    host.dispatch(.mouse(MouseEvent(.drag(.left), at: Point(column: 4, row: 2))))
    host.dispatch(.mouse(MouseEvent(.drag(.left), at: Point(column: 4, row: 30))))
    host.dispatch(.mouse(MouseEvent(.release(.left), at: Point(column: 4, row: 4))))
    host.dispatch(.mouse(MouseEvent(.drag(.left), at: Point(column: 4, row: 3))))
    #expect(log.moves.map(\.offset) == [18, 36])
  }

  @Test func scrollbar_isDraggedByPixels() {
    show(list(41, ListPosition()), rows: 5)
    host.dispatch(.mouse(MouseEvent(.press(.left), at: Point(column: 11, row: 0))))
    for (row, fraction) in [(0, 0.75), (2, 0.25), (4, 0.9)] {
      host.dispatch(
        .mouse(MouseEvent(.drag(.left), at: Point(column: 11, row: row), rowFraction: fraction)))
    }
    #expect(log.moves.map(\.offset) == [2, 15, 36])
  }

  @Test func wheel_scrollsAndKeepsTheSelectionInSight() {
    show(list(20, ListPosition(selected: 0, offset: 0)))
    host.dispatch(.mouse(MouseEvent(.wheelDown, at: Point(column: 3, row: 1))))
    #expect(log.moves == [ListPosition(selected: 3, offset: 3)])
  }

  @Test func position_isBroughtIntoBounds() {
    #expect(
      ListPosition(selected: 99, offset: -5).normalized(count: 10, visible: 4)
        == ListPosition(selected: 9, offset: 6))
    #expect(
      ListPosition(selected: -1, offset: 3).normalized(count: 10, visible: 4) == ListPosition())
    #expect(
      ListPosition(selected: 5, offset: 9).normalized(count: 0, visible: 4) == ListPosition())
    #expect(
      ListPosition(selected: 1, offset: 9).normalized(count: 3, visible: 10)
        == ListPosition(selected: 1))
  }
}
