import Testing

@testable import Terminal

@Suite("Decoding of terminal input")
struct InputDecoderTests {
  private func decode(_ bytes: [UInt8], quiet: Bool = true) -> [DecodedInput] {
    var decoder = InputDecoder()
    var output: [DecodedInput] = []
    decoder.feed(bytes, into: &output)
    if quiet { decoder.timeout(into: &output) }
    return output
  }

  private func decode(_ text: String) -> [DecodedInput] { decode(Array(text.utf8)) }

  private func keys(_ text: String) -> [String] {
    decode(text).map { input in
      if case .event(.key(let press)) = input { press.description } else { "\(input)" }
    }
  }

  @Test(
    arguments: [
      ("a", "a"), ("A", "A"), (" ", "space"), ("é", "é"), ("日", "日"), ("😀", "😀"),
      ("\r", "enter"), ("\n", "ctrl+j"), ("\t", "tab"), ("\u{7F}", "backspace"),
      ("\u{8}", "backspace"), ("\u{0}", "ctrl+space"), ("\u{1}", "ctrl+a"), ("\u{1A}", "ctrl+z"),
      ("\u{1C}", "ctrl+\\"), ("\u{1F}", "ctrl+_"), ("\u{1B}", "esc"),
      ("\u{1B}a", "alt+a"), ("\u{1B}A", "alt+A"), ("\u{1B}é", "alt+é"), ("\u{1B}\r", "alt+enter"),
      ("\u{1B}\u{7F}", "alt+backspace"), ("\u{1B}\u{1}", "ctrl+alt+a"),
    ] as [(String, String)])
  func oldKeys(bytes: String, key: String) {
    #expect(keys(bytes) == [key])
  }

  @Test(
    arguments: [
      ("A", "up"), ("B", "down"), ("C", "right"), ("D", "left"), ("H", "home"), ("F", "end"),
      ("1;2A", "shift+up"), ("1;3B", "alt+down"), ("1;5C", "ctrl+right"),
      ("1;8D", "ctrl+alt+shift+left"),
      ("P", "f1"), ("1;5S", "ctrl+f4"), ("1;2R", "shift+f3"), ("Z", "shift+tab"),
      ("1~", "home"), ("2~", "insert"), ("3~", "delete"), ("4~", "end"), ("5~", "pageup"),
      ("6~", "pagedown"), ("3;5~", "ctrl+delete"), ("11~", "f1"), ("15~", "f5"), ("17~", "f6"),
      ("24~", "f12"), ("34~", "f20"), ("[A", "f1"), ("[E", "f5"), ("a", "shift+up"),
      ("3^", "ctrl+delete"), ("3$", "shift+delete"), ("7$", "shift+home"), ("23$", "shift+f11"),
      ("3@", "ctrl+shift+delete"), ("d", "shift+left"),
      ("27;5;105~", "ctrl+i"), ("27;2;13~", "shift+enter"), ("27;6;80~", "ctrl+shift+p"),
      ("27;6;33~", "ctrl+shift+!"),
    ] as [(String, String)])
  func controlSequenceKeys(sequence: String, key: String) {
    #expect(keys("\u{1B}[" + sequence) == [key])
  }

  @Test(
    arguments: [
      ("99;5u", "ctrl+c"), ("27u", "esc"), ("13;2u", "shift+enter"), ("9;5u", "ctrl+tab"),
      ("105;5u", "ctrl+i"), ("127;3u", "alt+backspace"), ("102;4u", "alt+F"),
      ("112;6u", "ctrl+shift+p"),
      ("49:33;2u", "!"), ("97;69u", "ctrl+a"), ("57399u", "0"), ("57414u", "enter"),
      ("57419u", "up"),
      ("57376u", "f13"), ("32;5u", "ctrl+space"), ("97;5:1u", "ctrl+a"), ("97;5:2u", "ctrl+a"),
      ("1;5:2A", "ctrl+up"), ("246;5u", "ctrl+ö"), ("46:62;4u", "alt+>"), ("47:63;6u", "ctrl+?"),
      ("112:80;6u", "ctrl+shift+p"), ("1089::99;5u", "ctrl+c"),
      ("1079:1047:112;6u", "ctrl+shift+p"),
      ("1089::99u", "с"),
    ] as [(String, String)])
  func kittyKeys(sequence: String, key: String) {
    #expect(keys("\u{1B}[" + sequence) == [key])
  }

  @Test(arguments: [
    "97;5:3u", "1;1:3A", "3;1:3~", "97;9u", "57441;2u", "57358u", "57428u", "0u", "55296u", "128u",
  ])
  func releasesAndKeysOfTheDesktopDoNotAct(sequence: String) {
    #expect(keys("\u{1B}[" + sequence + "x") == ["x"])
  }

  @Test(arguments: [
    ("A", "up"), ("P", "f1"), ("S", "f4"), ("H", "home"), ("M", "enter"), ("p", "0"), ("y", "9"),
    ("j", "*"), ("5C", "ctrl+right"), ("a", "ctrl+up"), ("b", "ctrl+down"), ("c", "ctrl+right"),
    ("d", "ctrl+left"),
  ])
  func applicationKeys(sequence: String, key: String) {
    #expect(keys("\u{1B}O" + sequence) == [key])
  }

  @Test func escapesInARow() {
    #expect(keys("\u{1B}\u{1B}") == ["esc", "esc"])
    #expect(keys("\u{1B}\u{1B}\u{1B}") == ["esc", "esc", "esc"])
    #expect(keys("\u{1B}\u{1B}a") == ["esc", "alt+a"])
    #expect(keys("\u{1B}\u{1B}\u{18}a") == ["esc", "a"])
    #expect(keys("\u{1B}\u{1B}[") == ["esc", "alt+["])
  }

  @Test("Two ESC before a key sequence mean Alt; before any other sequence the first is Escape")
  func escapeBeforeASequence() {
    #expect(keys("\u{1B}\u{1B}[A") == ["alt+up"])
    #expect(keys("\u{1B}\u{1B}[3~") == ["alt+delete"])
    #expect(keys("\u{1B}\u{1B}[3$") == ["alt+shift+delete"])
    #expect(keys("\u{1B}\u{1B}Oa") == ["ctrl+alt+up"])
    #expect(keys("\u{1B}\u{1B}[a\u{1B}[a") == ["alt+shift+up", "shift+up"])
    #expect(decode("\u{1B}\u{1B}[I") == [.event(.key("esc")), .event(.focus(true))])
    #expect(
      decode("\u{1B}\u{1B}[200~x\u{1B}[201~") == [.event(.key("esc")), .event(.paste("x"))])
    #expect(
      decode("\u{1B}\u{1B}[<64;1;1M")
        == [.event(.key("esc")), .event(.mouse(MouseEvent(.wheelUp, at: .zero)))])
    #expect(decode("\u{1B}\u{1B}[?1u") == [.event(.key("esc")), .answer(.keyboard(flags: 1))])
    #expect(keys("\u{1B}\u{1B}]0;x\u{7}q") == ["esc", "q"])
    #expect(keys("\u{1B}\u{1B}[99zq") == ["esc", "q"])
    #expect(keys("\u{1B}\u{1B}[[A") == ["esc", "f1"])
  }

  @Test("ESC and an introducer, then silence, are Alt with that character; the next key counts")
  func introducersAlone() {
    for introducer in ["[", "O", "]", "P", "_", "^", "X"] {
      var decoder = InputDecoder()
      var output: [DecodedInput] = []
      decoder.feed([0x1B], into: &output)
      decoder.feed(Array(introducer.utf8), into: &output)
      #expect(decoder.isWaiting, "\(introducer)")
      decoder.timeout(into: &output)
      decoder.feed([UInt8(ascii: "c")], into: &output)
      #expect(
        output == [.event(.key(.character(Character(introducer), .alt))), .event(.key("c"))],
        "\(introducer)")
      #expect(!decoder.isWaiting)
    }
  }

  @Test func onlyWhatMayBeAKeyWaits() {
    for beginning in ["", "\u{1B}[1", "\u{1B}[<", "\u{1B}O5", "\u{1B}]1", "\u{1B}[M"] {
      var decoder = InputDecoder()
      var output: [DecodedInput] = []
      decoder.feed(Array(beginning.utf8), into: &output)
      #expect(!decoder.isWaiting, "\(beginning.debugDescription)")
      decoder.timeout(into: &output)
      #expect(output.isEmpty)
    }
  }

  @Test("Escape and a pause end an unfinished string, and the next key counts")
  func escapeEndsAString() {
    var decoder = InputDecoder()
    var output: [DecodedInput] = []
    decoder.feed(Array("\u{1B}]0;abc\u{1B}".utf8), into: &output)
    #expect(decoder.isWaiting)
    decoder.timeout(into: &output)
    decoder.feed([UInt8(ascii: "c")], into: &output)
    #expect(output == [.event(.key("c"))])
  }

  @Test(arguments: [
    ("0;1;1M", MouseEvent(.press(.left), at: Point(column: 0, row: 0))),
    ("2;80;24m", MouseEvent(.release(.right), at: Point(column: 79, row: 23))),
    ("33;5;6M", MouseEvent(.drag(.middle), at: Point(column: 4, row: 5))),
    ("35;5;6M", MouseEvent(.move, at: Point(column: 4, row: 5))),
    ("64;1;1M", MouseEvent(.wheelUp, at: .zero)),
    ("65;1;1M", MouseEvent(.wheelDown, at: .zero)),
    ("20;1;1M", MouseEvent(.press(.left), at: .zero, modifiers: [.shift, .control])),
    ("0;0;0M", MouseEvent(.press(.left), at: .zero)),
  ])
  func mouse(report: String, event: MouseEvent) {
    #expect(decode("\u{1B}[<" + report) == [.event(.mouse(event))])
  }

  @Test("Mouse positions count as pixels only while the terminal reports pixel mode")
  func pixels() {
    let cell = "\u{1B}[6;20;10t"
    let (pixels, cells) = ("\u{1B}[?1016;1$y", "\u{1B}[?1016;2$y")
    let report = "\u{1B}[<0;26;36M"
    func events(_ text: String) -> [MouseEvent] {
      decode(text).compactMap { if case .event(.mouse(let event)) = $0 { event } else { nil } }
    }
    let byCell = MouseEvent(.press(.left), at: Point(column: 25, row: 35))
    let byPixel = MouseEvent(.press(.left), at: Point(column: 2, row: 1), rowFraction: 0.75)
    #expect(events(cell + report + pixels + report) == [byCell, byPixel])
    #expect(events(cell + pixels + report + cells + report) == [byPixel, byCell])
    #expect(events(pixels + report).isEmpty, "Nobody knows which cell is meant.")
    // A larger font.
    #expect(
      events(cell + pixels + "\u{1B}[6;40;20t" + report)
        == [MouseEvent(.press(.left), at: Point(column: 1, row: 0), rowFraction: 0.875)])
  }

  @Test func aStormOfMouseReportsLosesNoKey() {
    let storm = (0..<2000).map { "\u{1B}[<35;\($0 % 200);3M" }.joined()
    let output = decode("a" + storm + "b")
    #expect(output.count == 2002)
    #expect(output.first == .event(.key("a")))
    #expect(output.last == .event(.key("b")))
  }

  @Test func focus() {
    #expect(decode("\u{1B}[I\u{1B}[O") == [.event(.focus(true)), .event(.focus(false))])
  }

  @Test func resizeInBand() {
    #expect(
      decode("\u{1B}[48;24;80;480;640t") == [.event(.resize(Size(columns: 80, rows: 24)))])
  }

  @Test(arguments: [
    ("\u{1B}[?62;22;52c", TerminalAnswer.deviceAttributes([62, 22, 52])),
    ("\u{1B}[?c", .deviceAttributes([])),
    ("\u{1B}P>|kitty(0.35.2)\u{1B}\\", .version("kitty(0.35.2)")),
    ("\u{1B}[?2026;2$y", .mode(2026, setting: 2)),
    ("\u{1B}[?1u", .keyboard(flags: 1)),
    ("\u{1B}]10;rgb:ffff/8080/0000\u{7}", .foreground(red: 255, green: 128, blue: 0)),
    ("\u{1B}]11;rgb:1/2/3\u{1B}\\", .background(red: 17, green: 34, blue: 51)),
    ("\u{1B}]11;#102030\u{1B}\\", .background(red: 16, green: 32, blue: 48)),
    ("\u{1B}[?24;80R", .cursor(Point(column: 79, row: 23))),
    ("\u{1B}[4;480;640t", .pixels(width: 640, height: 480)),
    ("\u{1B}[6;20;10t", .cellPixels(width: 10, height: 20)),
    ("\u{1B}[?997;1n", .appearance(isDark: true)),
    ("\u{1B}[?997;2n", .appearance(isDark: false)),
    ("\u{1B}_Gi=31;OK\u{1B}\\", .graphics("i=31;OK")),
  ])
  func answers(bytes: String, answer: TerminalAnswer) {
    #expect(decode(bytes) == [.answer(answer)])
  }

  @Test(arguments: [
    "\u{1B}[99z", "\u{1B}[>1;2;3c", "\u{1B}[=5u",
    "\u{1B}[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18;19;20;21;22;23;24;25;26;27;28;29;30;31;32;33;34;35m",
    "\u{1B}[99999999999999999999999z", "\u{1B}[Mabc", "\u{1B}]52;c;eA==\u{7}",
    "\u{1B}]4;1;rgb:0/0/0\u{1B}\\",
    "\u{1B}P1$r0m\u{1B}\\", "\u{1B}Xsos\u{1B}\\", "\u{1B}^pm\u{1B}\\", "\u{1B}OZ", "\u{1B}[24;80R",
    "\u{1B}[?25h", "\u{1B}[12;1$~", "\u{1B}[[x", "\u{1B}]11;nonsense\u{7}", "\u{1B}[1?A",
    "\u{1B}[\u{18}",
    "\u{1B}]0;title\u{1A}", "\u{1B}[<0;1M",
  ])
  func unknownSequencesAreSwallowedWhole(bytes: String) {
    let output = keys(bytes + "q")
    #expect(output == ["q"])
  }

  @Test(
    "A sequence of hundreds of numbers produces no keys, and the next key counts",
    arguments: [600, 40_000])
  func longSequencesAreSwallowedWhole(count: Int) {
    let numbers = String(repeating: "9;", count: count)
    for final in ["q", "c", "Z", "~"] {
      #expect(keys("\u{1B}[" + numbers + final + "x") == ["x"])
      #expect(keys("\u{1B}[?" + numbers + final + "x").last == "x")
    }
    #expect(keys("\u{1B}O" + numbers + "q" + "x").last == "x")
    for (start, end) in [
      ("]", "\u{7}"), ("]", "\u{1B}\\"), ("P", "\u{1B}\\"), ("_", "\u{1B}\\"), ("X", "\u{18}"),
    ] {
      #expect(keys("\u{1B}" + start + numbers + end + "x") == ["x"])
    }
  }

  @Test func aStringThatIsTooLongSaysNothing() {
    let name = String(repeating: "x", count: 5_000)
    #expect(decode("\u{1B}P>|\(name)\u{1B}\\").isEmpty)
  }

  @Test(
    arguments: [
      ([0x80], "\u{FFFD}"), ([0xC3, 0x28], "\u{FFFD}("), ([0xE2, 0x82, 0x41], "\u{FFFD}A"),
      ([0xF0, 0x9F, 0xC3, 0xA9], "\u{FFFD}é"), ([0xC0, 0xAF], "\u{FFFD}\u{FFFD}"),
      ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"), ([0xFF, 0x41], "\u{FFFD}A"),
      ([0xC2, 0x9B, 0x41], "A"),
    ] as [([UInt8], String)])
  func invalidUTF8(bytes: [UInt8], text: String) {
    let expected = text.unicodeScalars.map {
      DecodedInput.event(.key(.character(Character($0))))
    }
    #expect(decode(bytes) == expected)
  }

  @Test func anEscapeCutsACharacterShort() {
    #expect(
      decode([0xE2, 0x82, 0x1B, 0x5B, 0x41]) == [
        .event(.key(.character("\u{FFFD}"))), .event(.key("up")),
      ])
  }
}

extension InputDecoderTests {
  /// In the order of the protocol: the digits, the other characters, and the navigation keys.
  @Test func keypad() {
    let expected =
      (0...9).map { "\($0)" } + [".", "/", "*", "-", "+", "enter", "=", ","]
      + ["left", "right", "up", "down", "pageup", "pagedown", "home", "end", "insert", "delete"]
    #expect(expected.indices.map { keys("\u{1B}[\(57399 + $0)u") } == expected.map { [$0] })
  }
}
