import TerminalTesting
import Testing

@testable import Terminal

/// Tests of the help for keys: the help bar, the key sheet and the palette.
@MainActor @Suite struct KeyHelpTests {
  private func bar(_ width: Int) -> String {
    FrameSnapshot.lines(
      of: VStack { HelpBar() }
        .command("c", "check in") {}
        .command("h", "history") {}
        .command("esc", "close") {}
        .command("q", "quit") {}
        .command("!", "alert", scope: .global) {}
        .command("?", "keys", scope: .global) {},
      size: Size(columns: width, rows: 1)
    )[0]
  }

  @Test(
    "If the help bar is too narrow, Esc and the global commands stay and the others are dropped")
  func room() {
    #expect(
      bar(80) == " c check in   h history   Esc close   q quit   ! alert   ? keys")
    #expect(bar(60) == " c check in  h history  Esc close  q quit  ! alert  ? keys")
    #expect(bar(50) == " c check in  Esc close  q quit  ! alert  ? keys")
    #expect(bar(30) == " Esc close  ! alert  ? keys")
  }

  private func bar(typing text: String, isSecure: Bool = false, isHidden: Bool = false) -> String {
    let field = TextField(
      "", input: TextInput(text, isSecure: isSecure), isFocused: true, onEdit: { _ in })
    let view = VStack {
      field
      HelpBar(explaining: "!")
    }
    .command("esc", "Cancel") {}
    .command("!", "×5 Alert", isHidden: isHidden, scope: .global) {}
    return FrameSnapshot.lines(of: view, size: Size(columns: 60, rows: 2))[1]
  }

  @Test("ALT-1: after ! is typed three times in a field, the help bar says to press Esc first")
  func emergencyKeyInAField() {
    let hint = " In a field ! is a letter: Esc leaves it, then ! ×5 Alert"
    #expect(bar(typing: "fell !!!") == hint)
    #expect(bar(typing: "!!!!") == hint)
    for text in ["", "!!", "!! !", "!!! x"] { #expect(bar(typing: text) == " Esc Cancel") }
    #expect(bar(typing: "!!!", isHidden: true) == " Esc Cancel")
    // The hint must reveal nothing about a secret.
    #expect(bar(typing: "hunter!!!", isSecure: true) == " Esc Cancel")
    #expect(bar(typing: "!!!", isSecure: true) == hint)
  }

  private func keys(_ count: Int, rows: Int) -> Frame {
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    let commands = letters.prefix(count).map { letter in
      Command(key: KeyPress(.character(letter)), title: "does \(letter)") {}
    }
    return FrameSnapshot.frame(
      of: VStack {
        Text("x").with(commands)
        Sheet("Keys", width: nil) { KeySheet() }
      }, size: Size(columns: 40, rows: rows))
  }

  @Test(
    "The sheet of keys shows every key, in several columns if a single column would be too high")
  func columns() {
    #expect(keys(2, rows: 8).lines.contains { $0.contains("│ a  does a │") })
    #expect(keys(6, rows: 8).lines.contains { $0.contains("a  does a   d  does d") })
    let many = keys(12, rows: 8).text
    let missing = "abcdefghijkl".filter { !many.contains("\($0)  does \($0)") }
    #expect(missing == "")
  }

  @Test("The help bar names the keys of a focused picker or switch")
  func focused() {
    let picker = Picker("every", choices: ["12h", "24h"], selected: 0, isFocused: true) { _ in }
    let toggle = Toggle("on", isOn: false, isFocused: true) { _ in }
    let size = Size(columns: 40, rows: 2)
    func help(_ view: some View) -> String {
      FrameSnapshot.lines(
        of: VStack {
          view; HelpBar()
        }, size: size)[1]
    }
    #expect(help(picker) == " → Next choice")
    #expect(help(toggle) == " Space Switch on")
  }

  @Test("A sheet changes the colours of the text beneath, but not of the help bar")
  func bright() {
    let size = Size(columns: 40, rows: 8)
    let view = VStack {
      Text("beneath")
      Spacer()
      HelpBar()
    }
    func colour(_ view: some View, _ column: Int, _ row: Int) -> Style {
      ViewHost().frame(view, size: size)[column, row].style
    }
    let open = view.overlay { Sheet("Sheet", width: 20) { Text("in it") }.command("c", "Close") {} }
    let closed = view.command("c", "Close") {}
    #expect(colour(open, 0, 0) != colour(closed, 0, 0))
    #expect(colour(open, 1, 7) == colour(closed, 1, 7))
    #expect(colour(open, 3, 7) == colour(closed, 3, 7))
  }
}
