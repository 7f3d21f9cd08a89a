import Terminal
import TerminalTesting
import Testing

@MainActor
struct StackTests {
  @Test func hstack_spacerTakesWhatIsLeft() {
    expectFrame(
      HStack {
        Text("ab")
        Spacer()
        Text("cd")
      },
      size: Size(columns: 10, rows: 1), matches: "ab      cd")
  }

  @Test func hstack_textKeepsItsWidthBesideFlexibleViews() {
    expectFrame(
      HStack(spacing: 0) {
        Text("name").lineLimit(1)
        Text("x").frame(maxWidth: .max, alignment: .trailing)
        Text("right")
      },
      size: Size(columns: 12, rows: 1), matches: "name  xright")
  }

  @Test func hstack_longTextGivesWayWithAnEllipsis() {
    expectFrame(
      HStack {
        Text("a very long name").lineLimit(1)
        Text("41m")
      },
      size: Size(columns: 12, rows: 1), matches: "a very … 41m")
  }

  @Test func hstack_higherPriorityIsServedFirst() {
    expectFrame(
      HStack {
        Text("first text").lineLimit(1)
        Text("second text").lineLimit(1).layoutPriority(1)
      },
      size: Size(columns: 15, rows: 1), matches: "fi… second text")
  }

  @Test func hstack_infinitePriorityIsServedFirst() {
    expectFrame(
      HStack {
        Text("first text").lineLimit(1)
        Text("second text").lineLimit(1).layoutPriority(.infinity)
        Text("a")
      },
      size: Size(columns: 17, rows: 1), matches: "fi… second text a")
  }

  @Test func hstack_equalFlexibleViewsShareTheWidth() {
    expectFrame(
      HStack(spacing: 0) {
        Text("a").frame(maxWidth: .max).border()
        Text("b").frame(maxWidth: .max).border()
      },
      size: Size(columns: 11, rows: 3),
      matches: """
        ╭───╮╭────╮
        │ a ││ b  │
        ╰───╯╰────╯
        """)
  }

  @Test func hstack_alignsByHeight() {
    expectFrame(
      HStack(alignment: .bottom) {
        VStack {
          Text("1")
          Text("2")
        }
        Text("x")
      },
      size: Size(columns: 5, rows: 2), matches: "1\n2 x")
  }

  @Test func vstack_alignsByWidth() {
    expectFrame(
      VStack(alignment: .trailing) {
        Text("longer")
        Text("x")
      },
      size: Size(columns: 8, rows: 2), matches: "longer\n     x")
  }

  @Test func vstack_spacingSkipsViewsThatAreNotThere() {
    let isShown = false
    expectFrame(
      VStack(spacing: 1) {
        Text("a")
        if isShown { Text("b") }
        EmptyView()
        Text("c")
      },
      size: Size(columns: 3, rows: 4), matches: "a\n\nc\n")
  }

  @Test func vstack_barKeepsItsRowWhereThePanelShrinks() {
    expectFrame(
      VStack {
        Text("top")
        Text("panel").frame(maxWidth: .max, maxHeight: .max).border()
        Text("bottom")
      },
      size: Size(columns: 9, rows: 5),
      matches: """
        top
        ╭───────╮
        │ panel │
        ╰───────╯
        bottom
        """)
  }

  @Test func zstack_laterViewsLieAbove() {
    expectFrame(
      ZStack(alignment: .topLeading) {
        Text("aaaa")
        Text("b")
      },
      size: Size(columns: 4, rows: 1), matches: "baaa")
  }

  @Test func divider_runsAcrossItsStack() {
    expectFrame(
      VStack {
        Text("a")
        Divider()
        HStack(spacing: 0) {
          Text("b")
          Divider()
          Text("c")
        }
        .frame(height: 1)
      },
      size: Size(columns: 4, rows: 3), matches: "a\n────\nb│c")
  }

  @Test func forEach_showsEachElement() {
    expectFrame(
      VStack { ForEach(["x", "y"], id: \.self) { Text("- \($0)") } },
      size: Size(columns: 4, rows: 2), matches: "- x\n- y")
  }

  @Test("A layout of thousands of views keeps every view's place, also after a small layout")
  func manyNodes_keepTheirPlaces() {
    let host = ViewHost()
    for count in [3_000, 2, 5_000] {
      let frame = host.frame(
        VStack { ForEach(0..<count) { Text("\($0)").frame(width: 6, alignment: .leading) } },
        size: Size(columns: 6, rows: count))
      #expect(frame.lines == (0..<count).map { "\($0)" })
    }
  }
}
