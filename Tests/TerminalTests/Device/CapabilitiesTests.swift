import TerminalTesting
import Testing

@testable import Terminal

@Suite("Terminal capabilities")
struct CapabilitiesTests {
  /// Returns the capabilities learned from a terminal's answers.
  private func capabilities(of answers: [UInt8]) -> Capabilities {
    var decoder = InputDecoder()
    var output: [DecodedInput] = []
    decoder.feed(answers, into: &output)
    var capabilities = Capabilities()
    for case .answer(let answer) in output { capabilities.update(with: answer) }
    return capabilities
  }

  @Test func everyQuestionIsAnsweredByATerminalOfToday() {
    var terminal = InMemoryTerminal(size: Size(columns: 80, rows: 24))
    terminal.feed(Capabilities.queries)
    #expect(terminal.unknown.isEmpty)
    #expect(terminal.text == "")
    let capabilities = capabilities(of: terminal.takeAnswers())
    #expect(capabilities.isComplete)
    #expect(capabilities.name == "XTerm(InMemoryTerminal)")
    #expect(capabilities.isDark == true)
    #expect(capabilities.foreground?.red == 0xE5)
    #expect(capabilities.cellPixels == Size(columns: 10, rows: 20))
    #expect(capabilities.hasSynchronizedUpdate && capabilities.hasGraphemeClusters)
    #expect(capabilities.hasKeyboardProtocol && capabilities.hasResizeReports)
    #expect(capabilities.hasPixelMouse)
    #expect(capabilities.hasTrueColor && capabilities.hasPalette256)
    #expect(
      capabilities.screenFeatures
        == [
          .insertLines, .synchronizedUpdate, .repeatGlyph, .backgroundErase, .hyperlinks,
          .cursorShapes, .styledUnderlines,
        ])
  }

  @Test(
    "The terminal type decides whether erasing fills with the background colour",
    arguments: [
      ("xterm-256color", true), ("tmux-256color", true), ("linux", true), ("foot", true),
      ("screen-256color", false), ("vt100", false), ("", false),
    ])
  func promises(type: String, erases: Bool) {
    #expect(ScreenFeatures(terminalType: type) == (erases ? .backgroundErase : []))
  }

  @Test func theColoursAreThoseThatTheTerminalTells() {
    func depth(_ answers: String) -> ColorDepth { capabilities(of: Array(answers.utf8)).colorDepth }
    let (last, trueColor) = ("\u{1B}]4;255;rgb:ee/ee/ee\u{7}", "\u{1B}P1+r524742=38\u{1B}\\")
    #expect(depth("\u{1B}[?6c") == .ansi16)
    #expect(depth("\u{1B}]4;15;rgb:ff/ff/ff\u{7}") == .ansi16, "Those come with every terminal.")
    #expect(depth(last) == .palette256)
    #expect(depth(last + trueColor) == .trueColor)
    #expect(depth(trueColor + last) == .trueColor)
  }

  @Test("Colour queries end with BEL, because rxvt answers ST with its first byte only")
  func colourQuestionsEndWithBell() {
    let queries = String(decoding: Capabilities.queries, as: UTF8.self)
    let questions = queries.split(separator: "\u{1B}]").dropFirst()
      .map { $0.prefix { $0 != "\u{1B}" } }
    #expect(questions == ["4;255;?\u{7}", "10;?\u{7}", "11;?\u{7}"])
  }

  @Test func anOldTerminalAnswersOnlyTheLastQuestion() {
    let capabilities = capabilities(of: Array("\u{1B}[?6c".utf8))
    #expect(capabilities.isComplete)
    #expect(!capabilities.answersModeQueries)
    #expect(capabilities.isDark == nil)
    #expect(!capabilities.hasTrueColor)
    #expect(capabilities.screenFeatures == [.insertLines])
  }

  @Test func picturesAreShownAsTheTerminalSaysItCan() {
    var terminal = InMemoryTerminal(size: Size(columns: 80, rows: 24), answersGraphics: true)
    terminal.feed(Capabilities.queries + Capabilities.graphicsQuery)
    #expect(capabilities(of: terminal.takeAnswers()).screenFeatures.contains(.kittyGraphics))
    let refused = capabilities(of: Array("\u{1B}_Gi=31;EINVAL:no\u{1B}\\".utf8))
    #expect(!refused.hasKittyGraphics)
    // Sixels require the size of a cell.
    let sixel = "\u{1B}[?62;4;22c"
    #expect(!capabilities(of: Array(sixel.utf8)).screenFeatures.contains(.sixel))
    let sized = capabilities(of: Array(("\u{1B}[6;20;10t" + sixel).utf8))
    #expect(sized.screenFeatures.contains(.sixel))
  }

  @Test func aModeThatIsNotKnownIsNotUsed() {
    #expect(!capabilities(of: Array("\u{1B}[?2026;0$y".utf8)).hasSynchronizedUpdate)
    #expect(!capabilities(of: Array("\u{1B}[?2026;4$y".utf8)).hasSynchronizedUpdate)
    #expect(capabilities(of: Array("\u{1B}[?2026;2$y".utf8)).hasSynchronizedUpdate)
  }

  @Test func clustersAreAskedForOnlyWhereTheyAreNotMeasuredWholeAlready() {
    let already = capabilities(of: Array("\u{1B}[?2027;1$y".utf8))
    #expect(already.hasGraphemeClusters && !already.canSetGraphemeClusters)
    let always = capabilities(of: Array("\u{1B}[?2027;3$y".utf8))
    #expect(always.hasGraphemeClusters && !always.canSetGraphemeClusters)
    let onRequest = capabilities(of: Array("\u{1B}[?2027;2$y".utf8))
    #expect(onRequest.hasGraphemeClusters && onRequest.canSetGraphemeClusters)
  }

  @Test func thePreferenceReportedLastCounts() {
    let light = "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\"
    #expect(capabilities(of: Array(light.utf8)).isDark == false)
    #expect(capabilities(of: Array((light + "\u{1B}[?997;1n").utf8)).isDark == true)
  }

  @Test("The graphics query is not sent to tmux, screen or a terminal that could show its text")
  func whoIsAskedForPictures() {
    func mayAsk(_ environment: [String: String], _ answers: String) -> Bool {
      var decoder = InputDecoder()
      var output: [DecodedInput] = []
      decoder.feed(Array(answers.utf8), into: &output)
      var capabilities = Capabilities(environment: environment)
      for case .answer(let answer) in output { capabilities.update(with: answer) }
      return capabilities.mayAskForGraphics
    }
    let (modes, fence) = ("\u{1B}[?2026;0$y", "\u{1B}[?62c")
    let tmux = "\u{1B}P>|tmux 3.3a\u{1B}\\"
    let xterm = "\u{1B}P>|XTerm(379)\u{1B}\\"
    #expect(mayAsk(["TERM": "xterm-256color"], xterm + modes + fence))
    #expect(mayAsk([:], xterm + fence))
    #expect(!mayAsk([:], xterm), "The answers are not complete.")
    #expect(!mayAsk([:], modes + fence), "rxvt answers about modes and shows the question.")
    #expect(!mayAsk(["TERM": "xterm-256color"], tmux + modes + fence), "tmux behind ssh")
    for environment in [
      ["TERM": "tmux-256color"], ["TERM": "screen.xterm-256color"], ["TMUX": "/tmp/tmux-0/default"],
      ["STY": "1.pts-0"],
    ] {
      #expect(!mayAsk(environment, xterm + fence), "\(environment)")
    }
  }

  @Test(
    "If the terminal doesn't report its background, COLORFGBG or TERM decides if it is dark",
    arguments: [
      (["COLORFGBG": "15;0"], true), (["COLORFGBG": "0;15"], false),
      (["COLORFGBG": "0;default;7"], false), (["COLORFGBG": "7;8"], true),
      (["COLORFGBG": "default;default"], nil), (["COLORFGBG": "15"], nil), (["COLORFGBG": ""], nil),
      (["COLORFGBG": "0;300"], nil), (["TERM": "linux"], true), ([:], nil),
    ] as [([String: String], Bool?)])
  func environmentBackground(environment: [String: String], isDark: Bool?) {
    var capabilities = Capabilities(environment: environment)
    #expect(capabilities.isDark == isDark)
    #expect((capabilities.backgroundColor != nil) == (isDark != nil))
    capabilities.update(with: .background(red: 255, green: 255, blue: 255))
    #expect(capabilities.isDark == false, "The terminal knows better.")
  }
}
