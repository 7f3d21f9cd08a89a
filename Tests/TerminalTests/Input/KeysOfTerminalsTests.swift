import Testing

@testable import Terminal

/// The keys that xterm, rxvt, PuTTY, konsole, VTE, the Linux console, foot and kitty send,
/// according to their documentation and terminfo entries.
@Suite("Keys and reports as terminals send them")
struct KeysOfTerminalsTests {
  private func decode(_ bytes: [UInt8]) -> [DecodedInput] {
    var decoder = InputDecoder()
    var output: [DecodedInput] = []
    decoder.feed(bytes, into: &output)
    decoder.timeout(into: &output)
    return output
  }

  private func names(_ text: String) -> [String] {
    decode(Array(text.utf8)).map { input in
      if case .event(.key(let press)) = input { press.description } else { "\(input)" }
    }
  }

  @Test(
    arguments: [
      // Control with digits and punctuation.
      ("\u{1D}", "ctrl+]"), ("\u{1E}", "ctrl+^"), ("\u{1B}\u{0}", "ctrl+alt+space"),
      ("\u{1B} ", "alt+space"), ("\u{1B}\t", "alt+tab"), ("\u{1B}\u{8}", "alt+backspace"),
      ("\u{1B}!", "alt+!"), ("\u{1B}/", "alt+/"), ("\u{1B}~", "alt+~"), ("\u{1B}\\", "alt+\\"),
      ("\u{1B}\u{1D}", "ctrl+alt+]"), ("\u{1B}😀", "alt+😀"),
      // Empty and zero parameters mean 1.
      ("\u{1B}[;5A", "ctrl+up"), ("\u{1B}[0A", "up"), ("\u{1B}[1;0A", "up"), ("\u{1B}[;A", "up"),
      ("\u{1B}[1;1A", "up"), ("\u{1B}[5A", "up"),
      // rxvt
      ("\u{1B}[7~", "home"), ("\u{1B}[8~", "end"), ("\u{1B}[7^", "ctrl+home"),
      ("\u{1B}[5$", "shift+pageup"), ("\u{1B}[6@", "ctrl+shift+pagedown"), ("\u{1B}[25~", "f13"),
      ("\u{1B}[24^", "ctrl+f12"), ("\u{1B}\u{1B}[24~", "alt+f12"),
      ("\u{1B}\u{1B}Oc", "ctrl+alt+right"),
      ("\u{1B}Ou", "5"), ("\u{1B}Ok", "+"), ("\u{1B}On", "."), ("\u{1B}OM", "enter"),
      // PuTTY, konsole, VTE, the Linux console
      ("\u{1B}\u{1B}OA", "alt+up"), ("\u{1B}O2P", "shift+f1"), ("\u{1B}O5S", "ctrl+f4"),
      ("\u{1B}[1;5P", "ctrl+f1"), ("\u{1B}[1;6S", "ctrl+shift+f4"), ("\u{1B}[15;5~", "ctrl+f5"),
      ("\u{1B}[[D", "f4"), ("\u{1B}[33~", "f19"), ("\u{1B}[13~", "f3"),
      // modifyOtherKeys
      ("\u{1B}[27;5;9~", "ctrl+tab"), ("\u{1B}[27;6;9~", "ctrl+shift+tab"),
      ("\u{1B}[27;2;9~", "shift+tab"),
      ("\u{1B}[27;5;13~", "ctrl+enter"), ("\u{1B}[27;5;27~", "ctrl+esc"),
      ("\u{1B}[27;5;127~", "ctrl+backspace"), ("\u{1B}[27;5;49~", "ctrl+1"),
      // Ctrl-[ is Escape in the traditional encoding.
      ("\u{1B}[27;5;91~", "esc"), ("\u{1B}[91;5u", "esc"), ("\u{1B}[91;7u", "ctrl+alt+["),
      ("\u{1B}[27;3;120~", "alt+x"), ("\u{1B}[27;2;32~", "space"), ("\u{1B}[27;5;46~", "ctrl+."),
      // kitty
      ("\u{1B}[97;2u", "A"), ("\u{1B}[97;1;97u", "a"), ("\u{1B}[97;129u", "a"),
      ("\u{1B}[1;129A", "up"), ("\u{1B}[9;2u", "shift+tab"), ("\u{1B}[32;2u", "space"),
      ("\u{1B}[27;3u", "alt+esc"), ("\u{1B}[57414;5u", "ctrl+enter"),
      ("\u{1B}[57424;2u", "shift+end"),
      ("\u{1B}[57398u", "f35"), ("\u{1B}[3;2:2~", "shift+delete"), ("\u{1B}[1;1:1H", "home"),
      ("\u{1B}[223;2u", "ß"), ("\u{1B}[127;5u", "ctrl+backspace"),
      // With Caps Lock and Num Lock on, and with more sub-parameters than are defined.
      ("\u{1B}[13;65u", "enter"), ("\u{1B}[27;193u", "esc"), ("\u{1B}[97;69u", "ctrl+a"),
      ("\u{1B}[57417;130u", "shift+left"), ("\u{1B}[1;1:1:1A", "up"),
      ("\u{1B}[6;5;5~", "ctrl+pagedown"),
    ] as [(String, String)])
  func keys(bytes: String, key: String) {
    #expect(names(bytes) == [key])
  }

  @Test(
    "A sequence that isn't a key produces no key, and the next key counts",
    arguments: [
      // Keypad 5 without a digit, keys of the desktop, key releases.
      "\u{1B}[E", "\u{1B}[1;5E", "\u{1B}OE", "\u{1B}[57427u", "\u{1B}[57444;9u", "\u{1B}[57450u",
      "\u{1B}[27;1:3u", "\u{1B}[1;5:3H", "\u{1B}[15;1:3~", "\u{1B}[1;9H",
      // Unsolicited answers.
      "\u{1B}[0n", "\u{1B}[?13n", "\u{1B}[>41;354;0c", "\u{1B}P!|00000000\u{1B}\\",
      "\u{1B}P1$r0;1m\u{1B}\\", "\u{1B}P0$r\u{1B}\\", "\u{1B}P0+r\u{1B}\\",
      "\u{1B}P1!~ABCD\u{1B}\\",
      "\u{1B}]lwindow\u{1B}\\", "\u{1B}]Licon\u{1B}\\", "\u{1B}[8;24;80t", "\u{1B}[3;0;0t",
      "\u{1B}[1t",
      "\u{1B}]12;rgb:ffff/ffff/ffff\u{7}", "\u{1B}[?1;0;256S", "\u{1B}[2;1y", "\u{1B}[?1;2;3;4~",
      "\u{1B}[2026;2$y", "\u{1B}[?2026$y", "\u{1B}[@", "\u{1B}[~",
      "\u{1B}]11;rgb:ffff/ffff\u{1B}\\", "\u{1B}]11;rgb:12345/1/1\u{7}",
      "\u{1B}[1;1;1;1;0;0&w", "\u{1B}[201~", "\u{1B}[M !!", "\u{1B}[32;5;6M", "\u{1B}[1;2;3;4;5;6T",
      // Mouse reports with nonexistent buttons, wheel releases, and positions left of the window.
      "\u{1B}[<32;-3;5M", "\u{1B}[<128;1;1M", "\u{1B}[<64;1;1m", "\u{1B}[<3;1;1m", "\u{1B}[<0M",
      // Control characters and other kinds of strings in between.
      "\u{1B}[1\u{1B}[", "\u{1B}P1;2|q\u{7}q\u{1B}\\", "\u{1B}_\n\r\u{1B}\\", "\u{1B}^é日\u{1B}\\",
      "\u{1B}[\u{7F}\u{0}99z", "\u{1B}[1;2\u{1A}", "\u{1B}]2;\u{1B}[z",
    ])
  func noKeys(bytes: String) {
    // Two of them end with the start of another sequence.
    let next = bytes.hasSuffix("\u{1B}[") ? "99zq" : "q"
    #expect(names(bytes + next).filter { !$0.contains("answer") } == ["q"])
  }

  @Test(
    arguments: [
      ("\u{1B}[<66;2;3M", MouseEvent.Kind.wheelLeft, []), ("\u{1B}[<67;2;3M", .wheelRight, []),
      ("\u{1B}[<68;2;3M", .wheelUp, .shift), ("\u{1B}[<81;2;3M", .wheelDown, .control),
      ("\u{1B}[<8;2;3M", .press(.left), .alt),
      ("\u{1B}[<28;2;3m", .release(.left), [.shift, .alt, .control]),
      ("\u{1B}[<32;2;3M", .drag(.left), []), ("\u{1B}[<34;2;3M", .drag(.right), []),
      ("\u{1B}[<39;2;3M", .move, .shift), ("\u{1B}[<1;2;3m", .release(.middle), []),
    ] as [(String, MouseEvent.Kind, Modifiers)])
  func mouse(bytes: String, kind: MouseEvent.Kind, modifiers: Modifiers) {
    let event = MouseEvent(kind, at: Point(column: 1, row: 2), modifiers: modifiers)
    #expect(decode(Array(bytes.utf8)) == [.event(.mouse(event))])
  }

  @Test(
    "Bytes that aren't valid UTF-8 become replacement characters",
    arguments: [
      ([0xF4, 0x8F, 0xBF, 0xBD], "\u{10FFFD}"),
      ([0xF4, 0x90, 0x80, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
      ([0xE0, 0x80, 0xAF], "\u{FFFD}\u{FFFD}\u{FFFD}"), ([0xF5, 0x61], "\u{FFFD}a"),
      ([0xF0, 0x80, 0x61], "\u{FFFD}\u{FFFD}a"), ([0xE6, 0x97, 0xE6, 0x97, 0xA5], "\u{FFFD}日"),
      ([0xC3, 0xC3, 0xA9], "\u{FFFD}é"), ([0xE2, 0x82, 0x1B, 0x4F, 0x41], "\u{FFFD}"),
    ] as [([UInt8], String)])
  func invalidBytes(bytes: [UInt8], text: String) {
    let typed = decode(bytes).compactMap { input -> Unicode.Scalar? in
      guard case .event(.key(let press)) = input, case .character(let character) = press.key else {
        return nil
      }
      return character.unicodeScalars.first
    }
    #expect(typed == Array(text.unicodeScalars))
  }

  @Test(arguments: [
    ("\u{1B}[?1;1;1R", TerminalAnswer.cursor(.zero)),
    ("\u{1B}]11;rgba:0000/0000/0000/ffff\u{1B}\\", .background(red: 0, green: 0, blue: 0)),
    ("\u{1B}]11;rgb:fff/fff/fff\u{7}", .background(red: 255, green: 255, blue: 255)),
    ("\u{1B}[?2026;0$y", .mode(2026, setting: 0)),
    ("\u{1B}[?64;1;2;4;6c", .deviceAttributes([64, 1, 2, 4, 6])),
    ("\u{1B}P>|tmux 3.3a\u{1B}\\", .version("tmux 3.3a")),
    ("\u{1B}P1+r524742=38\u{1B}\\", .trueColor),
    ("\u{1B}P1+r536d756c78=\u{1B}\\", .styledUnderlines), ("\u{1B}[?31u", .keyboard(flags: 31)),
    ("\u{1B}_Gi=31;EBADF:no\u{1B}\\", .graphics("i=31;EBADF:no")),
  ])
  func answers(bytes: String, answer: TerminalAnswer) {
    #expect(decode(Array(bytes.utf8)) == [.answer(answer)])
  }
}
