import TerminalTesting
import Testing

@testable import Terminal

@MainActor @Suite("Copying what is in a box") struct PanelCopyTests {
  private func copies(_ view: some View, _ count: Int) -> [String?] {
    let host = ViewHost()
    let size = Size(columns: 24, rows: 8)
    _ = host.render(view, size: size)
    return (0..<count).map { _ in
      host.copyNextPanel()
      _ = host.render(view, size: size)
      return host.copiedText
    }
  }

  @Test("Boxes follow one another from the top left, and then begin again")
  func order() {
    let view = VStack {
      HStack {
        Text("a").border()
        Text("b").border()
      }
      Text("c").border()
    }
    #expect(copies(view, 4) == ["a", "b", "c", "a"])
  }

  @Test("Nothing is copied where there is no box")
  func none() { #expect(copies(Text("a"), 1) == [nil]) }

  @Test("The text has no padding, but keeps its lines and what is indented")
  func text() {
    let view = VStack(alignment: .leading) {
      Text("first")
      Text("")
      Text("  second 日本 e\u{301}")
    }.padding(1).border()
    #expect(copies(view, 1) == ["first\n\n  second 日本 e\u{301}"])
  }

  @Test("If a box is inside another, each of them can be copied")
  func nested() {
    let view = VStack(alignment: .leading) {
      Text("outer")
      Text("inner").border()
    }.border()
    #expect(copies(view, 2) == ["outer\n╭─────╮\n│inner│\n╰─────╯", "inner"])
  }

  @Test("Below a sheet nothing is copied, and what a list scrolled away neither")
  func sheet() {
    let view = Text("below").border().overlay { Sheet("S") { Text("above") } }
    #expect(copies(view, 2) == ["above", "above"])
    let list = List(0..<50, position: ListPosition(), onMove: { _ in }) { row, _ in
      Text("row \(row)")
    }.scrollIndicators(false).border()
    #expect(copies(list, 1)[0]?.split(separator: "\n").count == 6)
  }
}
