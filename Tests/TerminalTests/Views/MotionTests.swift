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

  private static func line(_ host: ViewHost, _ time: Int?, _ text: String = "Reading") -> String {
    host.time = time.map { .milliseconds($0) }
    return host.frame(ProgressView(text), size: Size(columns: 12, rows: 1)).lines[0]
  }

  @Test(
    "After 150 ms the ellipsis of work in progress becomes a spinner that turns every 100 ms")
  func progress() {
    let host = ViewHost()
    #expect(Self.line(host, 1_000) == "Reading …")
    #expect(host.nextFrameTime == .milliseconds(1_150))
    #expect(Self.line(host, 1_149) == "Reading …")
    #expect(Self.line(host, 1_150) == "Reading ⠋")
    #expect(host.nextFrameTime == .milliseconds(1_250))
    #expect(Self.line(host, 1_249) == "Reading ⠋")
    #expect(Self.line(host, 1_250) == "Reading ⠙")
    #expect(Self.line(host, 2_150) == "Reading ⠋")
  }

  @Test(
    "After 10 s the spinner of work in progress turns only once a second")
  func slowProgress() {
    let host = ViewHost()
    _ = Self.line(host, 0)
    _ = Self.line(host, 10_149)
    #expect(host.nextFrameTime == .milliseconds(10_150))
    let first = Self.line(host, 10_151)
    #expect(host.nextFrameTime == .milliseconds(11_150))
    #expect(Self.line(host, 11_149) == first)
    #expect(Self.line(host, 11_150) != first)
    #expect(host.nextFrameTime == .milliseconds(12_150))
  }

  @Test("Other work, or work that is shown again after a break, begins with the ellipsis")
  func progressBeginsAgain() {
    let host = ViewHost()
    _ = Self.line(host, 0)
    #expect(Self.line(host, 500, "Saving") == "Saving …")
    #expect(Self.line(host, 600) == "Reading …")
    host.time = .milliseconds(700)
    _ = host.frame(Text("a list"), size: Size(columns: 12, rows: 1))
    #expect(host.nextFrameTime == nil)
  }

  @Test("Without a time or with reduced motion, the ellipsis of work in progress stays")
  func progressStandsStill() {
    #expect(Self.line(ViewHost(), nil) == "Reading …")
    let host = ViewHost()
    host.reducesMotion = true
    for time in [0, 500] { #expect(Self.line(host, time) == "Reading …") }
    #expect(host.nextFrameTime == nil)
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
