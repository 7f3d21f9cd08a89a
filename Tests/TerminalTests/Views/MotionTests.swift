import TerminalTesting
import Testing

@testable import Terminal

@MainActor
struct MotionTests {
  @Test(arguments: Spinner.Form.allCases) func spinner_turns(_ form: Spinner.Form) {
    let pictures = form.pictures
    #expect(pictures.allSatisfy { $0.columns == 1 })
    for frame in [-1, 0, 1, pictures.count] {
      let index = ((frame % pictures.count) + pictures.count) % pictures.count
      expectFrame(
        Spinner(frame: frame, form: form), size: Size(columns: 1, rows: 1),
        matches: pictures[index] == " " ? "" : pictures[index])
    }
  }

  @Test func spinner_standsStillWhereMotionIsReduced() {
    for frame in 0..<4 {
      expectFrame(
        Spinner(frame: frame).reducedMotion(), size: Size(columns: 1, rows: 1), matches: "…")
    }
  }

  @Test func sheet_slidesInFromBelow() {
    let host = ViewHost()
    func top(_ progress: Double) -> Int? {
      host.frame(
        Sheet("S", width: 10, progress: progress) { Text("x") }, size: Size(columns: 20, rows: 20)
      )
      .lines.firstIndex { $0.contains("╭") }
    }
    #expect(top(1) == 8 && top(.nan) == 8)
    #expect(top(0.5) == 11)
    #expect(top(0) == 14)
    host.reducesMotion = true
    #expect(top(0) == 8)
  }

  @Test func whatFillsByItself_isLeftOutWhereMotionIsReduced() {
    let view = VStack {
      Text("4 s")
      ProgressBar(value: 0.5).omittedWithReducedMotion()
      Text("left")
    }
    let size = Size(columns: 4, rows: 3)
    #expect(FrameSnapshot.frame(of: view, size: size).lines[2] == "left")
    expectFrame(view.reducedMotion(), size: size, matches: "4 s\nleft\n")
  }

  @Test(arguments: BorderStyle.allCases) func border_hasItsStyle(_ style: BorderStyle) {
    let expected =
      switch style {
      case .rounded: "╭─╮\n│x│\n├─┤\n╰─╯"
      case .square: "┌─┐\n│x│\n├─┤\n└─┘"
      case .double: "╔═╗\n║x║\n╟─╢\n╚═╝"
      case .ascii: "+-+\n|x|\n+─+\n+-+"
      }
    let view = VStack {
      Text("x")
      Divider()
    }
    .border(style: style)
    expectFrame(view, size: Size(columns: 3, rows: 4), matches: expected)
    let ascii = FrameSnapshot.frame(of: view, size: Size(columns: 3, rows: 4), theme: .dark.ascii)
    #expect(ascii.text.unicodeScalars.allSatisfy { $0.isASCII })
  }
}
