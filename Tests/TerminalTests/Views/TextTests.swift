import Terminal
import TerminalTesting
import Testing

@MainActor
struct TextTests {
  @Test func text_wrapsBetweenWords() {
    expectFrame(
      Text("the quick brown fox"), size: Size(columns: 10, rows: 3),
      matches: "the quick\nbrown fox")
  }

  @Test func lineLimit_endsWithAnEllipsis() {
    expectFrame(
      Text("the quick brown fox jumps").lineLimit(2), size: Size(columns: 10, rows: 3),
      matches: "the quick\nbrown fox…")
  }

  @Test(arguments: [
    (Truncation.tail, "abcd…"), (.head, "…ghij"), (.middle, "ab…ij"),
  ])
  func truncation_choosesTheEndThatGivesWay(truncation: Truncation, expected: String) {
    expectFrame(
      Text("abcdefghij").lineLimit(1).truncation(truncation), size: Size(columns: 5, rows: 1),
      matches: expected)
  }

  @Test func alignment_movesTheLines() {
    expectFrame(
      Text("long line\nx").multilineTextAlignment(.trailing), size: Size(columns: 12, rows: 2),
      matches: "long line\n        x")
  }

  @Test func runs_keepTheirStylesWhereTheTextWraps() {
    let frame = FrameSnapshot.frame(
      of: Text("one ") + Text("two three").bold() + Text(" four"), size: Size(columns: 8, rows: 3))
    #expect(frame.lines == ["one two", "three", "four"])
    #expect(frame[0, 0].style.attributes == [])
    #expect(frame[4, 0].style.attributes == .bold)
    #expect(frame[4, 1].style.attributes == .bold)
    #expect(frame[0, 2].style.attributes == [])
  }

  @Test func innerStyle_holdsAgainstOuterStyle() {
    let frame = FrameSnapshot.frame(
      of: VStack {
        Text("a").foreground(.danger)
        Text("b")
      }
      .foreground(.calm), size: Size(columns: 2, rows: 2))
    #expect(frame[0, 0].style.foreground == Theme.dark[.danger].foreground)
    #expect(frame[0, 1].style.foreground == Theme.dark[.calm].foreground)
  }

  @Test func controlsFromOutside_neverReachACell() {
    let hostile = "a\u{1B}]0;x\u{7}\u{9B}31m\u{202E}b\u{200B}\u{0}"
    let frame = FrameSnapshot.frame(of: Text(hostile), size: Size(columns: 30, rows: 1))
    for cell in frame.cells {
      for scalar in cell.text.unicodeScalars {
        #expect(scalar.properties.generalCategory != .control)
        #expect(scalar.properties.generalCategory != .format)
      }
    }
  }

  @Test func wideCharacter_isNotCutAtTheEdge() {
    let frame = FrameSnapshot.frame(
      of: Text("ab日本").fixedSizeForTest(), size: Size(columns: 5, rows: 1))
    #expect(frame.lines == ["ab日"])
    #expect(frame[4, 0].text == " ")
  }

  @Test func ascii_replacesWhatTheTerminalCannotShow() {
    expectFrame(
      Text("● é … 日").border(), size: Size(columns: 12, rows: 3), theme: .dark.ascii,
      matches: """
        +--------+
        |* e . ? |
        +--------+
        """)
  }
}

extension View {
  fileprivate func fixedSizeForTest() -> some View {
    frame(width: 6, alignment: .leading).frame(width: 5, alignment: .leading)
  }
}
