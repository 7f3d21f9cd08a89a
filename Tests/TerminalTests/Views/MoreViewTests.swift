import TerminalTesting
import Testing

@testable import Terminal

@MainActor
struct MoreViewTests {
  private let host = ViewHost()

  private func show(_ view: some View, columns: Int = 40, rows: Int = 6) {
    _ = host.render(view, size: Size(columns: columns, rows: rows))
  }

  @Test func divider_joinsTheBorderAndCarriesATitle() {
    expectFrame(
      VStack {
        Text("a")
        Divider(title: "Two")
        Text("b")
      }
      .border(), size: Size(columns: 12, rows: 5),
      matches: """
        ╭──────────╮
        │a         │
        ├ Two ─────┤
        │b         │
        ╰──────────╯
        """)
  }

  @Test func progressBar_movesByHalfCells() {
    for (value, bar) in [
      (0.0, "──────────"), (0.05, "╾─────────"), (0.5, "━━━━━─────"), (1.0, "━━━━━━━━━━"),
      (7.0, "━━━━━━━━━━"), (.nan, "──────────"),
    ] {
      expectFrame(ProgressBar(value: value), size: Size(columns: 10, rows: 1), matches: bar)
    }
  }

  @Test func blockBar_isFilled() {
    expectFrame(
      ProgressBar(value: 0.6, form: .block), size: Size(columns: 5, rows: 1), matches: "███░░")
  }

  @Test func helpBar_leavesOutWhatWouldBeTyped() {
    expectFrame(
      VStack {
        TextField("", input: TextInput("a"), isFocused: true) { _ in }
        HelpBar()
      }
      .command("c", "check in") {}
      .command("tab", "next") {}
      .command("!", "alert", scope: .global) {},
      size: Size(columns: 40, rows: 2), matches: " a\n Tab next")
  }

  @Test func field_showsItsBeginningWithoutTheFocus() {
    func field(_ text: String, isFocused: Bool) -> some View {
      TextField("", input: TextInput(text), isFocused: isFocused) { _ in }
    }
    let size = Size(columns: 8, rows: 1)
    expectFrame(field("abcdefg", isFocused: false), size: size, matches: " abcdefg")
    expectFrame(field("abcdefgh", isFocused: false), size: size, matches: " abcdef…")
    expectFrame(field("abcdefgh", isFocused: true), size: size, matches: " cdefgh")
  }

  @Test func bigText_isLargeWhereItFits() {
    expectFrame(
      BigText("5h 23m"), size: Size(columns: 30, rows: 3),
      matches: """
        ▄▄▄     ▄▄▄ ▄▄▄
        █▄▄     ▄▄█ ▄▄█
        ▄▄█ h   █▄▄ ▄▄█ m
        """)
    expectFrame(BigText("5h 23m"), size: Size(columns: 30, rows: 2), matches: "5h 23m")
    expectFrame(BigText("5h 23m"), size: Size(columns: 8, rows: 3), matches: "5h 23m")
    expectFrame(
      BigText("5h 23m"), size: Size(columns: 30, rows: 3), theme: .dark.ascii, matches: "5h 23m")
  }

  @Test func bigText_isAsLargeAsItMayBeAndThereIsRoom() {
    let five = """
      ██████
          ██
      ██████     ██
      ██
      ██████ h
      """
    func shown(_ text: BigText, _ columns: Int, _ rows: Int, _ theme: Theme = .dark) -> [String] {
      FrameSnapshot.lines(of: text, size: Size(columns: columns, rows: rows), theme: theme)
    }
    let five2 = shown(BigText("2h", rows: 5), 20, 9).filter { !$0.isEmpty }
    #expect(
      five2 == five.replacing("     ██\n", with: "\n").split(separator: "\n").map(String.init))
    for digit in 0...9 {
      let seven = shown(BigText("\(digit)", rows: 7), 8, 7)
      #expect(seven.count { $0.contains("██") } == 7, "\(seven)")
      let others = (0...9).filter { $0 != digit }.map { shown(BigText("\($0)", rows: 7), 8, 7) }
      #expect(!others.contains(seven), "Each looks different.")
      #expect(shown(BigText("\(digit)", rows: 7), 8, 6).count { $0.contains("██") } == 5)
    }
    // ASCII has no half blocks; `#` stands for a full block.
    #expect(shown(BigText("8", rows: 5), 8, 5, .dark.ascii)[0] == "######")
    #expect(shown(BigText("8", rows: 5), 8, 4, .dark.ascii)[0].trimmingPrefix(" ") == "8")
  }

  @Test func primaryButton_isFilledAlwaysAndMarkedWithTheFocus() {
    func frame(isFocused: Bool, _ theme: Theme = .dark) -> Frame {
      ViewHost(theme: theme).frame(
        Button("Go", key: "g", role: .danger, isFocused: isFocused, primaryRows: 3) {},
        size: Size(columns: 14, rows: 3))
    }
    for theme in [Theme.dark, .mono] {
      let (plain, focused) = (frame(isFocused: false, theme), frame(isFocused: true, theme))
      #expect(plain.lines[1].contains("g  Go") && focused.lines[1].contains("▶ g  Go ◀"))
      let ground = theme.filled(.danger)
      for row in 0..<3 {
        for frame in [plain, focused] {
          #expect(frame[1, row].style.background == ground.background)
          #expect(
            frame[1, row].style.attributes.contains(.reverse)
              == (ground.attributes.contains(.reverse)))
        }
      }
    }
  }

  @Test func gauge_showsLabelBarAndNumber() {
    expectFrame(
      Gauge("margin", value: 0.5), size: Size(columns: 24, rows: 1),
      matches: "margin ━━━━━╾─────  50 %")
  }

  @Test func heatmap_tellsMissedDaysByShape() {
    expectFrame(
      Heatmap(rows: ["Mon", ""], cells: [.none, .filled(.calm), .hollow(.danger), .none]),
      size: Size(columns: 8, rows: 2), matches: "Mon  ▫\n    ▪")
    // The oldest columns give way.
    expectFrame(
      Heatmap(rows: ["Mon", ""], cells: [.none, .filled(.calm), .hollow(.danger), .none]),
      size: Size(columns: 5, rows: 2), matches: "Mon ▫\n")
  }

  @Test func spinner_turns() {
    #expect(
      FrameSnapshot.lines(of: Spinner(frame: 0), size: Size(columns: 1, rows: 1))
        != FrameSnapshot.lines(of: Spinner(frame: 1), size: Size(columns: 1, rows: 1)))
    expectFrame(
      Spinner(frame: -1), size: Size(columns: 1, rows: 1), theme: .dark.ascii, matches: "\\")
  }

  @Test func toggle_isSwitchedBySpaceAndClick() {
    var asked: [Bool] = []
    let toggle = Toggle("Reduced motion", isOn: false, isFocused: true) { asked.append($0) }
    expectFrame(toggle, size: Size(columns: 24, rows: 1), matches: " [ ] Reduced motion")
    show(toggle)
    host.dispatch(.key("space"))
    host.dispatch(.mouse(MouseEvent(.press(.left), at: Point(column: 2, row: 0))))
    #expect(asked == [true, true])
  }

  @Test func picker_stopsAtItsEnds() {
    var asked: [Int] = []
    let picker = Picker("every", choices: ["12 h", "24 h"], selected: 1, isFocused: true) {
      asked.append($0)
    }
    expectFrame(picker, size: Size(columns: 20, rows: 1), matches: "every  ‹ 24 h ›")
    show(picker)
    host.dispatch(.key("right"))
    host.dispatch(.key("left"))
    host.dispatch(.key("space"))
    #expect(asked == [0, 0])
  }

  @Test func scrollView_showsAPartAndScrolls() {
    var asked: [Int] = []
    let view = ScrollView(offset: 1, isFocused: true, onScroll: { asked.append($0) }) {
      ForEach(0..<6) { Text("line \($0)") }
    }
    expectFrame(
      view, size: Size(columns: 8, rows: 3), matches: "line 1 │\nline 2 ┃\nline 3 │")
    show(view, columns: 8, rows: 3)
    for key in ["down", "end", "up"] as [KeyPress] { host.dispatch(.key(key)) }
    #expect(asked == [2, 3, 2])
  }

  @Test func huggingScrollView_isAsHighAsItsContentWhereThereIsRoom() {
    func view(_ lines: Int) -> some View {
      Sheet("s", width: 10, rowsAround: 1) {
        ScrollView(offset: 0, hugsContent: true, onScroll: { _ in }) {
          ForEach(0..<lines) { Text("l\($0)") }
        }
      }
    }
    expectFrame(
      view(1), size: Size(columns: 10, rows: 7),
      matches: "\n\n╭ s ─────╮\n│ l0     │\n╰────────╯\n\n")
    expectFrame(
      view(9), size: Size(columns: 10, rows: 7),
      matches: "\n╭ s ─────╮\n│ l0   ┃ │\n│ l1   │ │\n│ l2   │ │\n╰────────╯\n")
  }

  @Test func error_hangsBesideItsMark() {
    expectFrame(
      TextField(
        "Name", input: TextInput("A"), isFocused: false, error: "Two characters or more, please.",
        onEdit: { _ in }),
      size: Size(columns: 24, rows: 3),
      matches: "Name  A\n     ! Two characters or\n       more, please.")
  }

  @Test func scrolledAwayView_isNotClicked() {
    var clicked: [Int] = []
    show(
      VStack {
        ScrollView(offset: 2, onScroll: { _ in }) {
          ForEach(0..<6) { number in Text("line \(number)").onTap { clicked.append(number) } }
        }
        .frame(height: 2)
        Text("below")
      }, columns: 8, rows: 3)
    for row in 0..<3 {
      host.dispatch(.mouse(MouseEvent(.press(.left), at: Point(column: 1, row: row))))
    }
    #expect(clicked == [2, 3])
  }

  @Test func focusedToggle_hasTheUnseenCursor() {
    var terminal = InMemoryTerminal(size: Size(columns: 20, rows: 2))
    let view = VStack {
      Toggle("one", isOn: false) { _ in }
      Toggle("two", isOn: false, isFocused: true) { _ in }
    }
    terminal.feed(host.render(view, size: Size(columns: 20, rows: 2)))
    #expect(terminal.cursor == Point(column: 0, row: 1))
    #expect(!terminal.isCursorVisible)
  }

  @Test func scrollView_doesNotScrollWhatFits() {
    var asked: [Int] = []
    show(ScrollView(offset: 5, isFocused: true, onScroll: { asked.append($0) }) { Text("a") })
    host.dispatch(.key("down"))
    #expect(asked.isEmpty)
  }

  @Test func toast_standsAtTheBottomRightOverASheet() {
    let frame = host.frame(
      VStack {
        Text("base")
        Toast("Saved")
        Sheet("s", width: 39, height: 8) { Text("x") }
      }, size: Size(columns: 40, rows: 8))
    #expect(frame.lines[4].contains("Saved"))
  }

  @Test func helpBar_leavesOutWhatDoesNotFit() {
    expectFrame(
      VStack { HelpBar() }
        .command("c", "check in") {}
        .command("i", "a very long description") {}
        .command("h", "hidden", isHidden: true) {}
        .command("q", "quit") {},
      size: Size(columns: 24, rows: 1), matches: " c check in  q quit")
  }

  @Test func tabBar_losesNamesWhereItIsNarrow() {
    let bar = TabBar(
      tabs: [
        TabItem("Check-In", key: "1"), TabItem("Dependents", badge: "▲2", key: "2"),
        TabItem("Profile", key: "3"),
      ], selected: 1, title: "LifeSignal", onSelect: { _ in })
    expectFrame(
      bar, size: Size(columns: 60, rows: 1),
      matches: " LifeSignal  1 Check-In ▏2 Dependents ▲2▕ 3 Profile")
    expectFrame(
      bar, size: Size(columns: 44, rows: 1), matches: " 1 Check-In ▏2 Dependents ▲2▕ 3 Profile")
    expectFrame(bar, size: Size(columns: 30, rows: 1), matches: " 1  ▏2 Dependents ▲2▕ 3")
  }

  @Test func tabBar_shortensAllNamesBeforeItDropsThem() {
    let bar = TabBar(
      tabs: [
        TabItem("Check-In", short: "Check", key: "1"),
        TabItem("Dependents", short: "Dep", badge: "▲2", key: "2"),
        TabItem("Profile", short: "Prof", key: "3"),
      ], selected: 1, onSelect: { _ in }
    ) { Text("seen") }
    func line(_ columns: Int) -> String {
      host.frame(bar, size: Size(columns: columns, rows: 1)).lines[0]
    }
    #expect(line(42) == " 1 Check ▏2 Dependents ▲2▕ 3 Prof    seen")
    #expect(line(36) == " 1 Check ▏2 Dep ▲2▕ 3 Prof     seen")
    #expect(line(31) == " 1  ▏2 Dependents ▲2▕ 3   seen")
  }

  @Test func helpBar_namesAnActionOnce() {
    expectFrame(
      VStack { HelpBar() }.command("q", "Quit") {}.command("ctrl+c", "Quit") {},
      size: Size(columns: 24, rows: 1), matches: " q Quit")
  }

  @Test func windowTitle_isCleaned() {
    show(Text("x").windowTitle("Life\u{1B}]0;Signal"))
    #expect(host.windowTitle?.unicodeScalars.contains("\u{1B}") == false)
  }

  // MARK: The palette

  private func screen(
    query: String, edits: @escaping @MainActor (TextEdit) -> Void = { _ in },
    done: @escaping @MainActor (String) -> Void = { _ in }
  ) -> some View {
    VStack {
      Text("x")
        .command("c", "check in") { done("check in") }
        .command("p", "pause") { done("pause") }
        .command("q", "quit") { done("quit") }
      CommandPalette(
        query: TextInput(query), position: ListPosition(), onEdit: edits, onMove: { _ in },
        onClose: { done("close") })
    }
  }

  @Test func palette_findsCommandsBeneathAndRunsThem() {
    var done: [String] = []
    let view = screen(query: "p", done: { done.append($0) })
    let text = host.frame(view, size: Size(columns: 70, rows: 20)).text
    #expect(text.contains("pause") && !text.contains("quit"))
    show(view, columns: 70, rows: 20)
    host.dispatch(.key("enter"))
    #expect(done == ["close", "pause"])
  }

  @Test func palette_typesIntoItsQuery() {
    var edits: [TextEdit] = []
    show(screen(query: "", edits: { edits.append($0) }), columns: 70, rows: 20)
    host.dispatch(.key("q"))
    #expect(edits == [.insert("q")])
  }

  @Test(arguments: [
    ("", 1), ("che", 1), ("checkin", 0), ("in", 2), ("ckn", 4), ("x", nil), ("CH", 1),
  ])
  func search_ranksTitles(query: String, rank: Int?) {
    #expect(CommandSearch(query).rank(of: Command(key: nil, title: "check in") {}) == rank)
  }

  @Test(
    "A command with needsKeyword is found only by a whole keyword, not by its title",
    arguments: [("", nil), ("sil", nil), ("check", nil), ("silent", 3), ("Silent alert", 3)])
  func search_needsKeyword(query: String, rank: Int?) {
    let command = Command(
      key: nil, title: "Check for a silent alert", keywords: ["silent alert", "silent"],
      needsKeyword: true
    ) {}
    #expect(CommandSearch(query).rank(of: command) == rank)
  }
}
