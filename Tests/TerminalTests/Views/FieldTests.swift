import Terminal
import TerminalTesting
import Testing

@MainActor
struct FieldTests {
  private let host = ViewHost()

  private func frame(_ view: some View, columns: Int = 20, rows: Int = 3) -> Frame {
    host.frame(view, size: Size(columns: columns, rows: rows))
  }

  private func field(
    _ input: TextInput, isFocused: Bool = true, error: String? = nil
  ) -> some View {
    TextField(
      "Name", input: input, isFocused: isFocused, placeholder: "Ada", error: error
    ) { _ in }
  }

  @Test func field_showsLabelTextAndCursor() {
    let frame = frame(field(TextInput("Grace")))
    #expect(frame.lines[0] == "Name  Grace")
    #expect(frame.cursor == Point(column: 11, row: 0))
  }

  @Test func emptyField_showsItsPlaceholder() {
    #expect(frame(field(TextInput())).lines[0] == "Name  Ada")
    #expect(frame(field(TextInput())).cursor == Point(column: 6, row: 0))
  }

  @Test func unfocusedField_hasNoCursor() {
    #expect(frame(field(TextInput("x"), isFocused: false)).cursor == nil)
  }

  @Test func error_standsUnderTheField() {
    #expect(
      frame(field(TextInput("x"), error: "too short")).lines == ["Name  x", "     ! too short", ""])
  }

  @Test func cutText_isSaidUnderTheField_unlessItIsWrong() {
    var input = TextInput(limit: 3)
    input.apply(.insert("abcdef"))
    #expect(
      frame(field(input), columns: 30).lines
        == ["Name  abc", "     ! Cut to 3 characters.", ""])
    #expect(frame(field(input, error: "too short")).lines[1] == "     ! too short")
  }

  @Test func longText_scrollsSoThatTheCursorIsSeen() {
    var input = TextInput("abcdefghijklmnopqrstuvwxyz")
    #expect(frame(field(input)).lines[0] == "Name  nopqrstuvwxyz")
    #expect(frame(field(input)).cursor == Point(column: 19, row: 0))
    input.apply(.move(.textStart))
    #expect(frame(field(input)).lines[0] == "Name  abcdefghijklmn")
  }

  @Test func labelWidth_putsFieldsInLine() {
    let form = VStack {
      TextField("A", input: TextInput("1"), isFocused: false) { _ in }
      TextField("Phone", input: TextInput("2"), isFocused: false) { _ in }
    }
    .labelWidth(6)
    #expect(frame(form).lines == ["A       1", "Phone   2", ""])
  }

  @Test func secureField_showsDots() {
    let field = TextField("PIN", input: TextInput("1234", isSecure: true), isFocused: true) { _ in
    }
    #expect(frame(field).lines[0] == "PIN  ••••")
  }

  @Test("A field of several lines can leave Enter to commands; Alt+Enter then starts a new line")
  func leavingEnter() {
    var edits: [TextEdit] = []
    var sent = 0
    let field = TextField(
      "Text", input: TextInput("a\nb", isMultiline: true), isFocused: true, rows: 1...4,
      leavesEnter: true
    ) { edits.append($0) }
    .command("enter", "Send") { sent += 1 }
    #expect(
      host.frame(field, size: Size(columns: 20, rows: 4)).lines == ["Text  a", "      b", "", ""])
    host.dispatch(.key("enter"))
    host.dispatch(.key("alt+enter"))
    host.dispatch(.key("shift+enter"))
    #expect(sent == 1)
    #expect(edits == [.insert("\n"), .insert("\n")])
  }

  @Test func secureField_reportsSecureEditsAlone() {
    var edits: [TextEdit] = []
    let field = TextField("PIN", input: TextInput(isSecure: true), isFocused: true) {
      edits.append($0)
    }
    _ = host.render(field, size: Size(columns: 20, rows: 1))
    host.dispatch(.key("s"))
    host.dispatch(.paste("esame"))
    host.dispatch(.key("backspace"))
    #expect(
      edits == [
        .insertSecurely(SecureText("s")), .insertSecurely(SecureText("esame")), .delete(.left),
      ])
  }

  @Test(arguments: [(1, 3), (5, 5), (9, 6)])
  func editor_growsWithItsTextAndThenScrolls(lines: Int, rows: Int) {
    let text = (0..<lines).map { "\($0)" }.joined(separator: "\n")
    let field = VStack {
      TextField("", input: TextInput(text, isMultiline: true), isFocused: true, rows: 3...6) { _ in
      }
      Text("below")
    }
    #expect(frame(field, columns: 12, rows: 12).lines.firstIndex(of: "below") == rows)
  }

  @Test func selection_isReversed() {
    var input = TextInput("abc")
    input.apply(.select(.left))
    let frame = frame(field(input))
    #expect(frame[8, 0].style.attributes.contains(.reverse))
    #expect(!frame[7, 0].style.attributes.contains(.reverse))
  }

  @Test func click_focusesAndPlacesTheCursor() {
    var edits: [TextEdit] = []
    var focused = false
    let field = TextField(
      "Name", input: TextInput("日本x"), isFocused: false, onFocus: { focused = true },
      onEdit: { edits.append($0) })
    _ = host.render(field, size: Size(columns: 20, rows: 1))
    for column in [6, 7, 8, 9, 10, 15] {
      host.dispatch(.mouse(MouseEvent(.press(.left), at: Point(column: column, row: 0))))
    }
    #expect(focused)
    #expect(edits == [.place(0), .place(0), .place(1), .place(1), .place(2), .place(3)])
  }

  @Test func drag_selects() {
    var input = TextInput("abcdef")
    for event in [
      MouseEvent(.press(.left), at: Point(column: 7, row: 0)),
      MouseEvent(.drag(.left), at: Point(column: 9, row: 2)),
    ] {
      let field = TextField("Name", input: input, isFocused: true) { input.apply($0) }
      _ = host.render(field, size: Size(columns: 20, rows: 1))
      host.dispatch(.mouse(event))
    }
    #expect(input.selectedText == "bc")
  }

  @Test func editor_wrapsAndPutsTheCursorOnItsLine() {
    let input = TextInput("the quick brown\nfox", isMultiline: true)
    let frame = frame(
      TextField("", input: input, isFocused: true) { _ in }, columns: 12, rows: 5)
    #expect(frame.lines == [" the quick", " brown", " fox", "", ""])
    #expect(frame.cursor == Point(column: 4, row: 2))
  }

  @Test func editor_takesEnter() {
    var edits: [TextEdit] = []
    let editor = TextField("", input: TextInput(isMultiline: true), isFocused: true) {
      edits.append($0)
    }
    _ = host.render(editor, size: Size(columns: 12, rows: 5))
    host.dispatch(.key("enter"))
    #expect(edits == [.insert("\n")])
  }
}
