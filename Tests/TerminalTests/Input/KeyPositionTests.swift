import Testing

@testable import Terminal

@Suite("Keys of other keyboard layouts") struct KeyPositionTests {
  @Test(
    "A character of another keyboard layout stands for the key at its position",
    arguments: [
      // c and x in Russian, Ukrainian, Serbian, Greek, Hebrew, Persian, Arabic, Korean, Bopomofo,
      // Georgian, Thai, Hindi.
      ("с", "c"), ("С", "c"), ("ч", "x"), ("і", "s"), ("џ", "x"), ("ψ", "c"), ("χ", "x"),
      ("ב", "c"), ("ס", "x"), ("ز", "c"), ("ط", "x"), ("ؤ", "c"), ("ء", "x"), ("ㅊ", "c"),
      ("ㅋ", "z"), ("ㅃ", "q"), ("ㄏ", "c"), ("ც", "c"), ("แ", "c"), ("म", "c"),
      // Input methods, Caps Lock, dead keys, digit rows.
      ("ｃ", "c"), ("Ｃ", "C"), ("！", "!"), ("¡", "!"), ("ऍ", "!"), ("C", "c"), ("ç", "9"),
      ("ć", "c"), ("ά", "a"), ("２", "2"), ("٢", "2"), ("۲", "2"), ("२", "2"), ("é", "2"),
      ("ě", "2"), ("&", "1"), ("Ж", ":"), ("：", ":"), ("、", "/"), ("？", "?"),
    ] as [(Character, Character)])
  func meaning(character: Character, key: Character) {
    #expect(KeyPress.character(character).alternatives.first == .character(key))
  }

  @Test(
    "A Latin letter, a sign or a character that no key types stands for no other key",
    arguments: ["c", "!", "1", ";", "/", "-", "你", "あ", "👍"] as [Character])
  func nothingElse(character: Character) {
    #expect(KeyPress.character(character).alternatives.isEmpty)
  }

  @Test(
    "If the terminal reports a key's position, the position counts before the layout tables",
    arguments: [
      // Bulgarian has ъ where c is; Russian has it elsewhere.
      ("\u{1B}[1098::99u", "ъ", "c"), ("\u{1B}[1095::120u", "ч", "x"),
      // Shift-1 in a layout whose sign there isn't the exclamation mark.
      ("\u{1B}[3653:43:49;2u", "+", "!"),
      // French: the digit row without Shift.
      ("\u{1B}[224::48u", "à", "0"), ("\u{1B}[38::49u", "&", "1"),
      // Text that an input method makes, with the key told.
      ("\u{1B}[99::99;1;65347u", "ｃ", "c"),
    ] as [(String, Character, Character)])
  func told(bytes: String, character: Character, key: Character) {
    var decoder = InputDecoder()
    var output: [DecodedInput] = []
    decoder.feed(Array(bytes.utf8), into: &output)
    guard case .event(.key(let press)) = output.first else {
      Issue.record("\(output)")
      return
    }
    #expect(press == .character(character))
    #expect(press.alternatives.first == .character(key))
  }

  @Test("On Dvorak the letter of a key counts, not its position")
  func dvorak() {
    var decoder = InputDecoder()
    var output: [DecodedInput] = []
    decoder.feed(Array("\u{1B}[99::105u".utf8), into: &output)
    guard case .event(.key(let press)) = output.first else { return }
    #expect(press == "c" && press.position == nil && press.alternatives.isEmpty)
  }

  @Test("A repeated key is marked as a repeat and keeps its name")
  func repeats() {
    var decoder = InputDecoder()
    var output: [DecodedInput] = []
    decoder.feed(Array("\u{1B}[120;1:1u\u{1B}[120;1:2u\u{1B}[120;1:3u".utf8), into: &output)
    let presses = output.compactMap { if case .event(.key(let press)) = $0 { press } else { nil } }
    #expect(presses == ["x", "x"])
    #expect(presses.map(\.isRepeat) == [false, true])
  }
}
