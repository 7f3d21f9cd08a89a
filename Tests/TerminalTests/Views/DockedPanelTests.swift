import Terminal
import TerminalTesting
import Testing

@MainActor
struct DockedPanelTests {
  private let host = ViewHost()
  private let size = Size(columns: 20, rows: 5)

  private func screen(takesKeys: Bool, press: @escaping @MainActor (String) -> Void) -> some View {
    VStack(spacing: 0) {
      Text("beneath").onTap { press("tap") }
      Spacer()
      HelpBar()
    }
    .frame(maxHeight: .max)
    .command("a", "App") { press("app") }
    .command("g", "Global", scope: .global) { press("global") }
    .overlay {
      DockedPanel(height: 2, rowsBelow: 1, takesKeys: takesKeys) {
        Text("panel")
          .command("a", "Panel") { press("panel") }
          .command("g", "Mine") { press("mine") }
      }
    }
  }

  @Test func panel_liesAlongTheBottomAndGreysNothing() {
    expectFrame(
      screen(takesKeys: true) { _ in }, size: size,
      matches: """
        beneath

        panel

         g Mine   a Panel
        """)
    let frame = host.frame(screen(takesKeys: true) { _ in }, size: size)
    let plain = host.frame(Text("beneath"), size: size)
    #expect(frame[0, 0].style == plain[0, 0].style)
  }

  @Test func panel_takesKeysAndMouse() {
    var pressed: [String] = []
    _ = host.render(screen(takesKeys: true) { pressed.append($0) }, size: size)
    host.dispatch(.key("a"))
    host.dispatch(.key("g"))
    host.dispatch(.mouse(MouseEvent(.press(.left), at: .zero)))
    #expect(pressed == ["panel", "mine"])
  }

  @Test func panelThatTakesNoKeys_leavesThemToWhatIsBeneath() {
    var pressed: [String] = []
    _ = host.render(screen(takesKeys: false) { pressed.append($0) }, size: size)
    host.dispatch(.key("a"))
    host.dispatch(.key("g"))
    host.dispatch(.mouse(MouseEvent(.press(.left), at: .zero)))
    #expect(pressed == ["app", "global", "tap"])
  }

  @Test func aSheetBeneath_stillGreysTheBase() {
    let view = Text("base").overlay {
      Sheet("Sheet", width: 12) { Text("x") }
      DockedPanel(height: 1) { Text("panel") }
    }
    let frame = host.frame(view, size: Size(columns: 20, rows: 6))
    let plain = host.frame(Text("base"), size: Size(columns: 20, rows: 6))
    #expect(frame[0, 0].text == plain[0, 0].text)
    #expect(frame[0, 0].style != plain[0, 0].style)
    #expect(frame.lines.last == "panel")
  }
}
