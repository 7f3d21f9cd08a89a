import Terminal
import Testing

@Suite("Text form of key presses")
struct KeyPressTests {
  @Test(arguments: [
    ("c", KeyPress.character("c")),
    ("C", .character("C")),
    ("?", .character("?")),
    ("+", .character("+")),
    ("ctrl++", .character("+", .control)),
    ("ctrl+p", .character("p", .control)),
    ("ctrl+alt+x", .character("x", [.control, .alt])),
    ("space", .character(" ")),
    ("enter", KeyPress(.enter)),
    ("esc", KeyPress(.escape)),
    ("shift+tab", KeyPress(.tab, modifiers: .shift)),
    ("f12", KeyPress(.function(12))),
    ("pagedown", KeyPress(.pageDown)),
  ])
  func readsItsWrittenForm(text: String, press: KeyPress) {
    #expect(KeyPress(text) == press)
    #expect(KeyPress(press.description) == press)
  }

  @Test(arguments: ["", "ctrl+", "hyper+x", "f0", "f99", "entr"])
  func namesNoKey(text: String) {
    #expect(KeyPress(text) == nil)
  }

  @Test(arguments: [
    ("c", "c"), ("enter", "Enter"), ("esc", "Esc"), ("ctrl+p", "^P"), ("up", "↑"),
    ("shift+tab", "Shift-Tab"), ("alt+b", "Alt-b"), ("ctrl+up", "Ctrl-↑"), ("space", "Space"),
  ])
  func hasAShortNameForTheHelpBar(text: String, name: String) throws {
    #expect(try #require(KeyPress(text)).displayName == name)
  }

  @Test func textIsWhatAFieldTakes() {
    #expect(KeyPress("a").text == "a")
    #expect(KeyPress("ctrl+a").text == nil)
    #expect(KeyPress("alt+a").text == nil)
    #expect(KeyPress("enter").text == nil)
  }
}
