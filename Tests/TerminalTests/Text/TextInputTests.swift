import struct Composable.SplitMix64
import Terminal
import Testing

@Suite("Editing of text")
struct TextInputTests {
  /// Returns the text with `|` at the cursor and brackets around the selection.
  private func picture(_ input: TextInput) -> String {
    var characters = input.text.map(String.init)
    characters.append("")
    if let selection = input.selection {
      characters[selection.upperBound] = "]" + characters[selection.upperBound]
      characters[selection.lowerBound] = "[" + characters[selection.lowerBound]
    } else {
      characters[input.cursor] = "|" + characters[input.cursor]
    }
    return characters.joined()
  }

  private func edited(_ text: String, _ keys: KeyPress..., multiline: Bool = false) -> String {
    var input = TextInput(text, isMultiline: multiline)
    for key in keys {
      if let edit = TextEdit(key, multiline: multiline) { input.apply(edit) }
    }
    return picture(input)
  }

  @Test func typing() {
    #expect(edited("", "A", "d", "a") == "Ada|")
    #expect(edited("Ada", "left", "left", "x") == "Ax|da")
    #expect(edited("Ada", "home", "é") == "é|Ada")
  }

  @Test func readlineKeys() {
    #expect(edited("Ada King", "ctrl+a") == "|Ada King")
    #expect(edited("Ada King", "ctrl+a", "ctrl+e") == "Ada King|")
    #expect(edited("Ada King", "ctrl+b", "ctrl+b", "ctrl+f") == "Ada Kin|g")
    #expect(edited("Ada King", "alt+b") == "Ada |King")
    #expect(edited("Ada King", "home", "alt+f") == "Ada| King")
    #expect(edited("Ada King", "ctrl+w") == "Ada |")
    #expect(edited("Ada King", "alt+b", "ctrl+k") == "Ada |")
    #expect(edited("Ada King", "alt+b", "ctrl+u") == "|King")
    #expect(edited("Ada King", "home", "alt+d") == "| King")
    #expect(edited("Ada King", "home", "ctrl+d") == "|da King")
    #expect(edited("Ada King", "ctrl+h", "backspace") == "Ada Ki|")
    #expect(edited("Ada King", "ctrl+w", "home", "ctrl+y") == "King|Ada ")
    #expect(edited("Ada King", "ctrl+t") == "Ada Kign|")
    // Ctrl-W deletes back to white space, Alt-Backspace a word.
    #expect(edited("to ada@example.org ", "ctrl+w") == "to |")
    #expect(edited("to ada@example.org", "alt+backspace") == "to ada@example.|")
    #expect(edited("one\ntwo-three", "ctrl+w", multiline: true) == "one\n|")
    #expect(edited("Ada King", "ctrl+left", "delete") == "Ada |ing")
  }

  @Test func whatIsCutToTheLimit_isSaidUntilTheNextChange() {
    var input = TextInput("ab", limit: 4)
    input.apply(.insert("cd"))
    #expect(!input.isCut)
    input.apply(.insert("e"))
    #expect(input.isCut && input.text == "abcd")
    input.apply(.move(.left))
    #expect(input.isCut)
    input.apply(.delete(.left))
    #expect(!input.isCut && input.text == "abd")
    input.apply(.insert("xyz"))
    #expect(input.isCut && input.text == "abxd")
    input.apply(.undo)
    #expect(!input.isCut)
    input.apply(.selectAll)
    input.apply(.insert("12345"))
    #expect(input.isCut && input.text == "1234")
  }

  @Test func killsInARowAreOneYank() {
    #expect(edited("one two three", "ctrl+w", "ctrl+w", "ctrl+y") == "one two three|")
    #expect(edited("one two three", "ctrl+w", "left", "ctrl+w", "ctrl+y") == "one two| ")
  }

  @Test func selecting() {
    #expect(edited("Ada King", "shift+home") == "[Ada King]")
    #expect(edited("Ada King", "shift+left", "shift+left") == "Ada Ki[ng]")
    #expect(edited("Ada King", "shift+left", "shift+left", "x") == "Ada Kix|")
    #expect(edited("Ada King", "alt+a", "backspace") == "|")
    #expect(edited("Ada King", "alt+a", "left") == "|Ada King")
    #expect(edited("Ada King", "alt+a", "right") == "Ada King|")
    #expect(edited("Ada King", "shift+left", "shift+right") == "Ada King|")
    var input = TextInput("Ada King")
    input.apply(.place(1))
    input.apply(.selectTo(99))
    #expect(input.selectedText == "da King")
  }

  @Test func undoGoesBackByRunsOfTyping() {
    var input = TextInput("Ada")
    for character in " King" { input.apply(.insert(String(character))) }
    input.apply(.kill(.wordLeft))
    input.apply(.undo)
    #expect(picture(input) == "Ada King|")
    input.apply(.undo)
    #expect(picture(input) == "Ada|")
    input.apply(.undo)
    #expect(picture(input) == "Ada|")
    input.apply(.redo)
    input.apply(.redo)
    #expect(picture(input) == "Ada |")
    input.apply(.insert("x"))
    input.apply(.redo)
    #expect(picture(input) == "Ada x|")
  }

  @Test func aPasteHasNoControlCharacters() {
    var input = TextInput()
    input.apply(.insert("a\u{1B}[31m\r\nb\u{7}\tc\u{202E}"))
    #expect(input.text == "a[31m b c")
    var note = TextInput(isMultiline: true)
    note.apply(.insert("a\r\nb\rc\u{2028}d\te\u{0}"))
    #expect(note.text == "a\nb\nc\nd\te")
  }

  @Test func theLimitCutsWhatIsTypedAndPasted() {
    var input = TextInput("Ada", limit: 5)
    input.apply(.insert("12345"))
    #expect(input.text == "Ada12")
    input.apply(.insert("x"))
    #expect(input.text == "Ada12")
    input.apply(.selectAll)
    input.apply(.insert("👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦"))
    #expect(input.text.count == 5)
    #expect(TextInput("Lovelace", limit: 4).text == "Love")
  }

  @Test func theCursorMovesByClusters() {
    #expect(edited("x👨‍👩‍👧‍👦", "left", "backspace") == "|👨‍👩‍👧‍👦")
    #expect(edited("x🇩🇪", "backspace") == "x|")
    var input = TextInput("e")
    input.apply(.insert("\u{301}"))
    #expect(input.cursor == 1)
    #expect(input.text == "é")
  }

  @Test func severalLines() {
    let note = "first\nsecond line\nthird"
    #expect(edited(note, "up", multiline: true) == "first\nsecon|d line\nthird")
    #expect(
      edited(note, "home", "up", "end", "up", multiline: true) == "first|\nsecond line\nthird")
    #expect(
      edited(note, "ctrl+home", "down", "down", multiline: true) == "first\nsecond line\n|third")
    #expect(edited("a", "enter", "b", multiline: true) == "a\nb|")
    #expect(edited("a", "enter", "up", "down") == "a|")
  }

  @Test func aTypedTextEqualsAGivenOne() {
    var typed = TextInput()
    for character in "Ada" { typed.apply(.insert(String(character))) }
    #expect(typed == TextInput("Ada"))
    typed.apply(.move(.left))
    #expect(typed != TextInput("Ada"))
  }

  @Test func keysThatDoNotEdit() {
    for key: KeyPress in ["esc", "tab", "f1", "pageup", "ctrl+p", "ctrl+c", "alt+x", "enter", "up"]
    {
      #expect(TextEdit(key) == nil)
    }
  }

  @Test func aHugeNameIsEdited() {
    var input = TextInput(String(repeating: "é", count: 10_000))
    for _ in 0..<50 {
      input.apply(.insert("x"))
      input.apply(.move(.wordLeft))
      input.apply(.move(.lineEnd))
      input.apply(.delete(.left))
    }
    #expect(input.text.count == 10_000)
  }

  @Test func randomEditsKeepTheCursorInside() {
    var random = SplitMix64(seed: 7)
    let movements: [TextMovement] = [
      .left, .right, .wordLeft, .wordRight, .lineStart, .lineEnd, .up, .down, .textStart, .textEnd,
    ]
    let pieces = ["a", " ", "\n", "👨‍👩‍👧‍👦", "\u{301}", "🇩", "🇪", "word two", "\r", "\u{200D}", "日"]
    var input = TextInput(limit: 40, isMultiline: true)
    for _ in 0..<5000 {
      let movement = movements.randomElement(using: &random)!
      switch Int.random(in: 0..<10, using: &random) {
      case 0...3: input.apply(.insert(pieces.randomElement(using: &random)!))
      case 4: input.apply(.move(movement))
      case 5: input.apply(.select(movement))
      case 6: input.apply(.delete(movement))
      case 7: input.apply(.kill(movement))
      case 8: input.apply(Bool.random(using: &random) ? .undo : .redo)
      default: input.apply(Bool.random(using: &random) ? .yank : .transpose)
      }
      #expect((0...input.text.count).contains(input.cursor))
      if let selection = input.selection { #expect(selection.upperBound <= input.text.count) }
      #expect(input.text.count <= 40)
    }
  }
}
