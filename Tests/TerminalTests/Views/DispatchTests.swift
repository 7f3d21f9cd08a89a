import Terminal
import Testing

/// The calls made, in order.
@MainActor
final class Calls {
  var names: [String] = []
  func callAsFunction(_ name: String) { names.append(name) }
}

@MainActor
struct DispatchTests {
  private let calls = Calls()
  private let host = ViewHost()

  private func show(_ view: some View, columns: Int = 40, rows: Int = 12) {
    _ = host.render(view, size: Size(columns: columns, rows: rows))
  }

  private func click(_ column: Int, _ row: Int) -> Bool {
    host.dispatch(.mouse(MouseEvent(.press(.left), at: Point(column: column, row: row))))
  }

  // MARK: Commands

  @Test func command_actsOnItsKey() {
    show(Text("x").command("c", "check in") { calls("c") })
    #expect(host.dispatch(.key("c")))
    #expect(!host.dispatch(.key("x")))
    #expect(calls.names == ["c"])
  }

  @Test func command_innermostActs() {
    show(
      VStack { Text("x").command("c", "inner") { calls("inner") } }
        .command("c", "outer") { calls("outer") })
    host.dispatch(.key("c"))
    #expect(calls.names == ["inner"])
    #expect(host.commands.map(\.title) == ["inner"])
  }

  @Test func command_innermostActsAlsoWhereItIsBuiltLate() {
    show(
      SizeReader { _ in Text("x").command("c", "inner") { calls("inner") } }
        .command("c", "outer") { calls("outer") })
    host.dispatch(.key("c"))
    #expect(calls.names == ["inner"])
  }

  @Test func commands_comeInTheOrderOfDeclarationFromTheInsideOut() {
    show(
      VStack {
        Text("x").command("1", "one") {}.command("2", "two") {}
        SizeReader { _ in Text("y").command("3", "three") {} }
        Text("z").command("4", "four") {}
      }
      .command("5", "five") {})
    #expect(host.commands.map(\.title) == ["one", "two", "three", "four", "five"])
  }

  @Test func disabledCommand_doesNotAct() {
    show(
      Text("x").command("c", "inner", isEnabled: false) { calls("inner") }
        .command("c", "outer") { calls("outer") })
    host.dispatch(.key("c"))
    #expect(calls.names == ["outer"])
  }

  @Test func hiddenView_doesNotAct() {
    show(Text("x").command("c", "c") { calls("c") }.onTap { calls("tap") }.hidden())
    #expect(!host.dispatch(.key("c")))
    #expect(!click(0, 0))
  }

  @Test func viewThatDoesNotFit_doesNotAct() {
    show(
      ViewThatFits {
        Text("far too long").command("a", "long") { calls("long") }
        Text("short").command("b", "short") { calls("short") }
      }, columns: 6)
    #expect(!host.dispatch(.key("a")))
    #expect(host.dispatch(.key("b")))
  }

  // MARK: Layers

  private func screenWithSheet() -> some View {
    VStack {
      Text("base").onTap { calls("tap base") }
      Sheet("Sheet", width: 20) { Text("content").onTap { calls("tap sheet") } }
        .command("esc", "close") { calls("close") }
    }
    .command("c", "check in") { calls("c") }
    .command("!", "alert", scope: .global) { calls("alert") }
  }

  @Test func sheet_makesWhatIsBeneathInert() {
    show(screenWithSheet())
    #expect(!host.dispatch(.key("c")))
    #expect(!click(0, 0))
    #expect(calls.names.isEmpty)
  }

  @Test func sheet_answersToItsOwnCommands() {
    show(screenWithSheet())
    #expect(host.dispatch(.key("esc")))
    #expect(calls.names == ["close"])
    #expect(host.commands.map(\.title) == ["close", "alert"])
  }

  @Test func globalCommand_actsThroughASheet() {
    show(screenWithSheet())
    #expect(host.dispatch(.key("!")))
    #expect(calls.names == ["alert"])
  }

  @Test func sheet_greysWhatIsBeneath() {
    let frame = host.frame(screenWithSheet(), size: Size(columns: 40, rows: 12))
    #expect(frame[0, 0].style == Theme.dark[.track])
    let row = frame.lines.firstIndex { $0.contains("content") }!
    let column = (0..<40).first { frame[$0, row].text == "c" }!
    #expect(frame[column, row].style == Theme.dark[.text])
  }

  @Test func sheet_takesClicksOnItsContent() {
    show(screenWithSheet())
    let frame = host.frame(screenWithSheet(), size: Size(columns: 40, rows: 12))
    let row = frame.lines.firstIndex { $0.contains("content") }!
    let column = frame.lines[row].distance(
      from: frame.lines[row].startIndex, to: frame.lines[row].firstIndex(of: "c")!)
    #expect(click(column, row))
    #expect(calls.names == ["tap sheet"])
  }

  @Test func dialogOverSheet_isTheOneThatAnswers() {
    show(
      VStack {
        Sheet("Sheet") {
          VStack {
            Text("content")
            Dialog(
              title: "Sure?", message: "Discard?",
              buttons: [DialogButton("Discard", key: "y") { calls("yes") }])
          }
        }
        .command("esc", "close sheet") { calls("close") }
      })
    #expect(!host.dispatch(.key("esc")))
    host.dispatch(.key("y"))
    host.dispatch(.key("enter"))
    #expect(calls.names == ["yes", "yes"])
  }

  @Test func dialog_movesAmongItsButtons() {
    var asked: [Int] = []
    show(
      Dialog(
        title: "t", message: "m",
        buttons: [DialogButton("a") {}, DialogButton("b") { calls("b") }], selected: 1,
        onSelect: { asked.append($0) }))
    host.dispatch(.key("right"))
    host.dispatch(.key("left"))
    host.dispatch(.key("enter"))
    #expect(asked == [0, 0])
    #expect(calls.names == ["b"])
  }

  @Test func keySheet_showsTheCommandsBeneath() {
    let view = VStack {
      Text("x").command("c", "check in") {}
      Sheet("Keys") { KeySheet() }.command("esc", "close") {}
    }
    let text = host.frame(view, size: Size(columns: 40, rows: 9)).text
    #expect(text.contains("c  check in"))
    #expect(!text.contains("close"))
  }

  // MARK: Fields

  private func form(_ edits: @escaping @MainActor (TextEdit) -> Void) -> some View {
    VStack { TextField("Name", input: TextInput("Ada"), isFocused: true, onEdit: edits) }
      .command("c", "check in") { calls("c") }
      .command("tab", "next") { calls("tab") }
      .command("enter", "save") { calls("enter") }
      .command("ctrl+p", "palette") { calls("palette") }
      .command("!", "alert", scope: .global) { calls("alert") }
  }

  @Test func field_takesTypingBeforeCommands() {
    var edits: [TextEdit] = []
    show(form { edits.append($0) })
    for key in ["c", "ctrl+w", "left"] as [KeyPress] { #expect(host.dispatch(.key(key))) }
    #expect(edits == [.insert("c"), .kill(.blankLeft), .move(.left)])
    #expect(calls.names.isEmpty)
  }

  @Test func field_leavesOtherKeysToCommands() {
    var edits: [TextEdit] = []
    show(form { edits.append($0) })
    for key in ["tab", "enter", "ctrl+p"] as [KeyPress] { #expect(host.dispatch(.key(key))) }
    #expect(edits.isEmpty)
    #expect(calls.names == ["tab", "enter", "palette"])
  }

  @Test func field_takesAPasteAsOneEdit() {
    var edits: [TextEdit] = []
    show(form { edits.append($0) })
    #expect(host.dispatch(.paste("c\nq")))
    #expect(edits == [.insert("c\nq")])
  }

  @Test func pasteWithoutAField_doesNothing() {
    show(Text("x").command("c", "c") { calls("c") })
    #expect(!host.dispatch(.paste("c")))
    #expect(calls.names.isEmpty)
  }

  @Test func field_takesTypingBeforeGlobalCommands() {
    var edits: [TextEdit] = []
    show(form { edits.append($0) })
    host.dispatch(.key("!"))
    #expect(edits == [.insert("!")])
    #expect(calls.names.isEmpty)
  }

  @Test func fieldBeneathASheet_getsNoKeys() {
    var edits: [TextEdit] = []
    show(
      VStack {
        form { edits.append($0) }
        Sheet("s") { Text("x") }
      })
    host.dispatch(.key("a"))
    #expect(edits.isEmpty)
  }

  // MARK: Mouse

  @Test func tap_goesToTheInnermostView() {
    show(
      VStack {
        Text("inner").onTap { calls("inner") }
        Text("other")
      }
      .onTap { calls("outer") })
    #expect(click(0, 0))
    #expect(click(0, 1))
    #expect(!click(20, 5))
    #expect(calls.names == ["inner", "outer"])
  }

  @Test func helpBar_canBeClicked() {
    let view = VStack { HelpBar() }.command("c", "check in") { calls("c") }
    show(view)
    #expect(click(4, 0))
    #expect(calls.names == ["c"])
  }

  @Test func tabBar_selectsByKeyAndClick() {
    var selected: [Int] = []
    show(
      TabBar(
        tabs: [TabItem("One", key: "1"), TabItem("Two", key: "2")], selected: 0,
        onSelect: { selected.append($0) }))
    host.dispatch(.key("2"))
    #expect(click(9, 0))
    #expect(selected == [1, 1])
  }

  @Test func button_isPressedByKeyEnterAndClick() {
    show(Button("Go", key: "g", isFocused: true) { calls("go") })
    host.dispatch(.key("g"))
    host.dispatch(.key("enter"))
    host.dispatch(.key("space"))
    #expect(click(3, 0))
    #expect(calls.names == ["go", "go", "go", "go"])
  }
}
