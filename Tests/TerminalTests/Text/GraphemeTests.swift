import struct Composable.SplitMix64
import Terminal
import TerminalTesting
import Testing

@Suite("Graphemes and their widths")
struct GraphemeTests {
  @Test("A zero-width non-joiner stays after an Arabic-script letter and is removed elsewhere")
  func nonJoiner() {
    #expect("علی\u{200C}رضا".sanitized == "علی\u{200C}رضا")
    #expect("علی\u{200C}رضا".columns == 6)
    #expect("ی\u{200C}\u{200C}ر".sanitized == "ی\u{200C}ر")
    #expect("A\u{200C}da \u{200C}".sanitized == "Ada ")
  }

  @Test(
    arguments: [
      ("Ada", 3), ("", 0), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("ｱ", 1), ("Ａ", 2),
      ("한국", 4), ("\u{1112}\u{1161}\u{11AB}", 2), ("😀", 2), ("❤", 1), ("❤\u{FE0F}", 2),
      ("⌚\u{FE0E}", 1), ("👨‍👩‍👧‍👦", 2), ("👍🏽", 2), ("🇩🇪", 2), ("1\u{FE0F}\u{20E3}", 2),
      ("±α§", 3), ("─│╭█▪", 5), ("\u{1FAE9}", 2), ("नि", 2), ("\u{E000}", 1), ("€ﬁ", 2), ("䷀", 2),
      ("\u{18D80}", 2),
    ] as [(String, Int)])
  func columns(text: String, columns: Int) {
    #expect(text.columns == columns)
    #expect(text.graphemes.reduce(0) { $0 + $1.columns } == columns)
  }

  /// Terminals that advance by scalar draw each part in separate cells, and those that measure
  /// clusters place the parts side by side too.
  @Test(
    "Each scalar with a width has its own cells, except within emoji and Hangul",
    arguments: [
      ("ｶﾞ", ["ｶ", "ﾞ"]), ("ﾊﾟｰ", ["ﾊ", "ﾟ", "ｰ"]), ("क्ष", ["क्", "ष"]),
      ("हिन्दी", ["ह", "ि", "न्", "द", "ी"]), ("กำ", ["ก", "ำ"]), ("தமிழ்", ["த", "ம", "ி", "ழ்"]),
      ("क्\u{200D}ष", ["क्", "ष"]), ("\u{600}1", ["\u{600}", "1"]),
      ("👨‍👩‍👧", ["👨‍👩‍👧"]), ("👍🏽", ["👍🏽"]), ("🇩🇪", ["🇩🇪"]), ("\u{1112}\u{1161}\u{11AB}", ["한"]),
      ("1\u{FE0F}\u{20E3}", ["1\u{FE0F}\u{20E3}"]), ("e\u{301}", ["é"]), ("❤️‍🔥", ["❤️‍🔥"]),
      ("กี่", ["กี่"]),
    ])
  func cellsOfClusters(text: String, cells: [String]) {
    #expect(text.graphemes.map(\.text) == cells)
  }

  @Test("Every letter of a text is shown, whether the terminal advances by scalar or by cluster")
  @MainActor func nothingIsLostWhereScalarsAdvance() {
    for text in ["ｶﾞｷﾞｸﾞ end", "हिन्दी क्षमा end", "กำลัง end", "தமிழ் end", "ﾊﾟﾊﾟ|"] {
      for width in [InMemoryTerminal.ClusterWidth.sumOfScalars, .whole] {
        var terminal = InMemoryTerminal(size: Size(columns: 20, rows: 1), clusterWidth: width)
        let host = ViewHost()
        terminal.feed(host.render(Text(text), size: terminal.size))
        let shown = terminal.cells.map(\.text).joined()
        #expect(shown.trimmed.unicodeScalars.elementsEqual(text.unicodeScalars), "\(shown)")
        #expect(terminal.unknown.isEmpty)
      }
    }
  }

  @Test(arguments: [
    ("\u{1B}[31mred\u{7}", "␛[31mred␇"),
    ("a\u{0}b\u{7F}", "a␀b␡"),
    ("c1\u{9B}31m", "c1\u{FFFD}31m"),
    ("two\nlines\r\nand\ttabs", "two lines and tabs"),
    ("line\u{2028}para\u{2029}next\u{85}.", "line para next ."),
    ("user\u{202E}txt.exe", "usertxt.exe"),
    ("\u{2066}a\u{2069}\u{200E}b\u{200F}\u{61C}c", "abc"),
    ("zero\u{200B}width\u{FEFF}", "zerowidth"),
    ("soft\u{AD}hyphen\u{2060}\u{FFF9}x\u{FFFB}", "softhyphenx"),
    ("\u{3164}\u{115F}\u{FFA0}", ""),
    ("\u{E0041}\u{E007F}", ""),
    ("\u{301}", "\u{25CC}\u{301}"),
    ("\u{FE0F}x", "x"),
    ("👩\u{200D}", "👩"),
    ("🇩", "🄳"),
    ("🇩\u{200B}🇪", "🄳🄴"),
  ])
  func nothingThatActsOnATerminalIsWritten(text: String, shown: String) {
    #expect(text.sanitized.unicodeScalars.elementsEqual(shown.unicodeScalars))
  }

  @Test func noncharactersAreReplaced() throws {
    let text = String(Character(try #require(Unicode.Scalar(0xFFFF as UInt32))))
    #expect(text.sanitized == "\u{FFFD}")
  }

  @Test func aClusterKeepsEightMarks() throws {
    let zalgo = "a" + String(repeating: "\u{301}", count: 10_000)
    let grapheme = try #require(Array(zalgo.graphemes).first)
    #expect(grapheme.text.unicodeScalars.count == 9)
    #expect(grapheme.columns == 1)
    #expect(zalgo.columns == 1)
  }

  @Test func aClusterKeeps64Bytes() throws {
    let joined = Array(repeating: "👩", count: 1000).joined(separator: "\u{200D}")
    #expect(joined.count == 1)
    let grapheme = try #require(Array(joined.graphemes).first)
    #expect(grapheme.text.utf8.count <= 64)
    #expect(grapheme.text.unicodeScalars.last == "👩")
    #expect(grapheme.columns == 2)
    let marks = String(repeating: "\u{1D167}", count: 100)
    let standing = try #require(Array(marks.graphemes).first).text
    #expect(standing.unicodeScalars.first == "\u{25CC}" && standing.utf8.count <= 64)
  }

  @Test func everyScalarIsSafeToShow() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), let grapheme = Grapheme(scalar) else {
        continue
      }
      if !(1...2).contains(grapheme.columns) { Issue.record("U+\(value) has no width") }
      for shown in grapheme.text.unicodeScalars {
        let isUnsafe =
          shown.properties.generalCategory == .control
          || shown.properties.isDefaultIgnorableCodePoint
          || shown.properties.isBidiControl
          || shown.value == 0x2028 || shown.value == 0x2029
        if isUnsafe { Issue.record("U+\(String(value, radix: 16)) is shown as U+\(shown.value)") }
      }
    }
  }

  /// The fast path through a text finds the same clusters as the slow one.
  @Test func quickClustersAreClusters() {
    var random = SplitMix64(seed: 3)
    let pieces: [Unicode.Scalar] = [
      "a", "é", "日", "한", "\u{1112}", "\u{1161}", "\u{11A8}", "\u{301}", "\u{FE0F}", "\u{200D}",
      "❤",
      "👩", "🏽", "🇩", "🇪", "\u{600}", "\u{6DD}", "क", "\u{94D}", "ष", "ि", "\u{E33}", "\n", "\r",
      "\u{AD}",
      "™", "↔", "│", "ｱ", "ﾞ", "\u{3099}", "か", "\u{20E3}", "1", "\u{200B}", "\u{202E}", "α", "ж",
      "\u{483}",
      "〰", "㊗", "⌚", "\u{D4E}", "\u{110BD}", "က", "ြ", "\u{E0041}",
    ]
    for _ in 0..<20_000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        text.append(pieces.randomElement(using: &random)!)
      }
      let string = String(text)
      let slow = string.flatMap { Array(String($0).graphemes) }
      let quick = Array(string.graphemes)
      if quick != slow { Issue.record("\(string.debugDescription)") }
    }
  }

  @Test func everyPairOfQuickScalarsIsTwoClusters() {
    let scalars: [Unicode.Scalar] = (UInt32(0x20)...0xFFFF).compactMap(Unicode.Scalar.init)
    let quick = scalars.filter { scalar in
      let alone: Grapheme? = Array("\(scalar)".graphemes).first
      let followed = "\(scalar)a"
      return alone == Array(followed.graphemes).first && followed.count == 2
    }
    for scalar in quick {
      let pair = "\(scalar)\(scalar)"
      if Array(pair.graphemes) != pair.flatMap({ Array(String($0).graphemes) }) {
        Issue.record("U+\(String(scalar.value, radix: 16))")
      }
    }
  }

  @Test(arguments: [
    ("日", false), ("e\u{301}", false), ("😀", false), ("👨‍👩‍👧‍👦", true), ("❤\u{FE0F}", true),
    ("👍🏽", true), ("🇩🇪", true), ("1\u{FE0F}\u{20E3}", true), ("\u{1112}\u{1161}", true),
    ("䷀", true), ("\u{1FAE9}", true), ("ｶﾞ", true), ("हि", true), ("กำ", true), ("กี่", false),
  ])
  func knowsWhereTerminalsDisagree(text: String, isDisputed: Bool) throws {
    #expect(try #require(Array(text.graphemes).first).isWidthDisputed == isDisputed)
  }

  @Test func aSingleScalarNeedsNoCluster() throws {
    let grapheme = try #require(Grapheme("日"))
    #expect(grapheme.cluster == nil)
    #expect(grapheme.scalar == "日")
    #expect(grapheme.text == "日")
  }
}

extension String {
  /// The text without trailing blanks.
  fileprivate var trimmed: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
