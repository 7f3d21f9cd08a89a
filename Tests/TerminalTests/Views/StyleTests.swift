import TerminalTesting
import Testing

@testable import Terminal

@MainActor
struct StyleTests {
  private let host = ViewHost()
  private let everything: ScreenFeatures = [.hyperlinks, .styledUnderlines, .cursorShapes]

  private func show(
    _ view: some View, features: ScreenFeatures? = nil, columns: Int = 24
  ) -> InMemoryTerminal {
    let size = Size(columns: columns, rows: 2)
    host.features = features ?? everything
    host.invalidate()
    var terminal = InMemoryTerminal(size: size)
    terminal.feed(host.render(view, size: size))
    #expect(terminal.unknown.isEmpty)
    return terminal
  }

  @Test(arguments: [
    (UnderlineStyle.single, CellStyle.Underline.single), (.double, .double), (.curly, .curly),
    (.dotted, .dotted), (.dashed, .dashed),
  ])
  func underline_hasItsShape(_ style: UnderlineStyle, _ shown: CellStyle.Underline) {
    let terminal = show(Text("wrong").underline(style, color: .danger))
    #expect(terminal[column: 0, row: 0].style.underline == shown)
    #expect(terminal[column: 0, row: 0].style.underlineColor == .palette(210))
  }

  @Test func underline_isPlainWhereTheTerminalKnowsNoShapes() {
    let terminal = show(Text("wrong").underline(.curly, color: .danger), features: [])
    #expect(terminal[column: 0, row: 0].style.underline == .single)
    #expect(terminal[column: 0, row: 0].style.underlineColor == .standard)
  }

  @Test func underlineColor_isLeftOutWithoutColours() {
    host.colorDepth = .none
    let terminal = show(Text("wrong").underline(.curly, color: .danger))
    #expect(terminal[column: 0, row: 0].style.underline == .curly)
    #expect(terminal[column: 0, row: 0].style.underlineColor == .standard)
  }

  @Test func link_coversItsTextAndNothingElse() {
    let terminal = show(
      Text("see ") + Text("the page").link(Hyperlink("https://example.org/a")) + Text(" now"))
    let links = (0..<16).map { terminal[column: $0, row: 0].style.hyperlink != nil }
    #expect(links == (0..<16).map { (4..<12).contains($0) })
    #expect(terminal[column: 4, row: 0].style.hyperlink == "https://example.org/a")
    #expect(terminal[column: 4, row: 0].style.underline == .single)
    #expect(terminal.style.hyperlink == nil, "A link is left open.")
  }

  @Test func link_beneathASheetLeadsNowhere() {
    let terminal = show(
      ZStack {
        Text("page").link(Hyperlink("https://example.org")).frame(
          maxWidth: .max, alignment: .leading)
        Sheet("S", width: 8) { Text("x") }
      }.frame(height: 2), columns: 40)
    #expect(terminal.contains("page"))
    #expect(terminal[column: 0, row: terminal.find("page")!.row].style.hyperlink == nil)
  }

  @Test(arguments: [
    "javascript:alert(1)", "file:///etc/passwd", "https", "https:", "no address", "",
    "https://" + String(repeating: "a", count: 3_000),
  ])
  func link_isTakenOnlyWhereItIsSafe(_ address: String) {
    #expect(Hyperlink(address) == nil)
  }

  @Test func link_isCleaned() {
    let link = Hyperlink("HTTPS://example.org/\u{1B}]8;;evil\u{7}ä b\u{202E}\"")
    #expect(link?.address == "HTTPS://example.org/]8;;evil%C3%A4%20b%22")
  }

  @Test func manyLinks_areForgottenInTime() {
    for round in 0..<3 {
      for number in 0..<2_000 {
        let link = Hyperlink("https://example.org/\(round)/\(number)")
        _ = host.frame(Text("x").link(link), size: Size(columns: 1, rows: 1))
      }
    }
    let terminal = show(Text("x").link(Hyperlink("https://example.org/last")))
    #expect(terminal[column: 0, row: 0].style.hyperlink == "https://example.org/last")
  }

  @Test func field_hasACursorLikeABar() {
    let field = TextField("", input: TextInput("a"), isFocused: true) { _ in }
    #expect(show(field).cursorShape == .bar)
    #expect(show(field, features: []).cursorShape == .standard)
  }

  @Test func blinking_isLeftOutWhereMotionIsReduced() {
    #expect(show(Text("!").blink())[column: 0, row: 0].style.isBlinking)
    #expect(!show(Text("!").blink().reducedMotion())[column: 0, row: 0].style.isBlinking)
    host.reducesMotion = true
    #expect(!show(Text("!").blink())[column: 0, row: 0].style.isBlinking)
    #expect(show(Text("!").blink().reducedMotion(false))[column: 0, row: 0].style.isBlinking)
  }
}
