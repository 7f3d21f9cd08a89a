import Terminal
import TerminalTesting
import Testing

@MainActor
struct FrameTests {
  @Test func fixedFrame_alignsItsView() {
    expectFrame(
      Text("x").frame(width: 5, height: 3, alignment: .bottomTrailing).border(),
      size: Size(columns: 7, rows: 5),
      matches: """
        ╭─────╮
        │     │
        │     │
        │    x│
        ╰─────╯
        """)
  }

  @Test func maximum_takesWhatIsOnOfferUpToIt() {
    expectFrame(
      Text("x").frame(maxWidth: 4).border(), size: Size(columns: 20, rows: 3),
      matches: """
        ╭────╮
        │ x  │
        ╰────╯
        """)
  }

  @Test func minimum_widensASmallView() {
    expectFrame(
      HStack(spacing: 0) {
        Text("x").frame(minWidth: 3, alignment: .leading)
        Text("|")
      },
      size: Size(columns: 8, rows: 1), matches: "x  |")
  }

  @Test func padding_keepsCellsFree() {
    expectFrame(
      Text("x").padding(.horizontal, 2).padding(.top, 1).border(),
      size: Size(columns: 7, rows: 4),
      matches: """
        ╭─────╮
        │     │
        │  x  │
        ╰─────╯
        """)
  }

  @Test func border_showsTitleAndFooterInItsEdges() {
    expectFrame(
      Text("body").frame(maxWidth: .max, alignment: .leading)
        .border(title: "Dependents", footer: "5/12"),
      size: Size(columns: 20, rows: 3),
      matches: """
        ╭ Dependents ──────╮
        │body              │
        ╰──────────── 5/12 ╯
        """)
  }

  @Test func border_cutsALongTitle() {
    expectFrame(
      Text("b").frame(maxWidth: .max).border(title: "Dependents"),
      size: Size(columns: 10, rows: 3),
      matches: """
        ╭ Depen… ╮
        │   b    │
        ╰────────╯
        """)
  }

  @Test func contentNeverLeavesItsBox() {
    expectFrame(
      Text("a long line of text").fixedWidth(30).border().frame(width: 8, alignment: .leading),
      size: Size(columns: 12, rows: 3),
      matches: """
        ╭──────╮
        │a long│
        ╰──────╯
        """)
  }

  @Test func overlay_standsInsideWithoutChangingTheSize() {
    expectFrame(
      HStack(spacing: 0) {
        Text("....").overlay(alignment: .trailing) { Text("x") }
        Text("|")
      },
      size: Size(columns: 6, rows: 1), matches: "...x|")
  }

  @Test func hidden_keepsItsRoom() {
    expectFrame(
      HStack(spacing: 0) {
        Text("abc").hidden()
        Text("|")
      },
      size: Size(columns: 6, rows: 1), matches: "   |")
  }

  @Test func sizeReader_buildsForItsSize() {
    let view = SizeReader { size in Text("\(size.columns)x\(size.rows)") }.border()
    expectFrame(
      view, size: Size(columns: 8, rows: 4),
      matches: """
        ╭──────╮
        │6x2   │
        │      │
        ╰──────╯
        """)
  }

  @Test(arguments: [(10, "a long one"), (9, "short")])
  func viewThatFits_takesTheFirstThatFits(columns: Int, expected: String) {
    expectFrame(
      ViewThatFits {
        Text("a long one")
        Text("short")
      },
      size: Size(columns: columns, rows: 1), matches: expected)
  }

  @Test(arguments: [(0, 0), (1, 1), (2, 1), (1, 5), (300, 2)])
  func anySize_isDrawnWithoutTrapping(columns: Int, rows: Int) {
    let frame = FrameSnapshot.frame(
      of: Gallery(), size: Size(columns: columns, rows: rows))
    #expect(frame.lines.count == rows)
  }
}

extension View {
  fileprivate func fixedWidth(_ columns: Int) -> some View {
    frame(width: columns, alignment: .leading)
  }
}
