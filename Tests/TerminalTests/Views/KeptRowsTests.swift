import Testing

@testable import Terminal

/// Lists that draw a row again only if its view has changed.
@MainActor
struct KeptRowsTests {
  private let host = ViewHost()
  private let log = Log()

  @MainActor
  private final class Log {
    var built: [String] = []
  }

  private struct Row: View, Equatable {
    let text: String
    var log: Log?
    var action: (@MainActor () -> Void)?

    var body: some View {
      let _ = log?.built.append(text)
      if let action {
        Text(text).onTap(perform: action)
      } else {
        HStack(spacing: 1) {
          Text(text).lineLimit(1)
          Spacer()
          Text("·").foreground(.dim)
        }
      }
    }

    nonisolated static func == (one: Row, other: Row) -> Bool { one.text == other.text }
  }

  private func list(
    _ rows: [String], selected: Int = 0, offset: Int = 0, isFocused: Bool = true,
    action: (@MainActor () -> Void)? = nil
  ) -> List<[String], Row, EmptyView> {
    List(
      rows, position: ListPosition(selected: selected, offset: offset), isFocused: isFocused,
      onMove: { _ in }
    ) { text, _ in
      Row(text: text, log: log, action: action)
    }
  }

  /// Returns the rows that were built for a frame.
  private func built(_ view: some View, rows: Int = 4) -> [String] {
    log.built = []
    _ = host.render(view, size: Size(columns: 14, rows: rows))
    return log.built
  }

  private let letters = "abcdefghij".map(String.init)

  @Test("A row is built again only if its view, its selection or its place in the theme changes")
  func changes() {
    #expect(built(list(letters).keepingRows()) == ["a", "b", "c", "d"])
    #expect(built(list(letters).keepingRows()) == [])
    #expect(built(list(letters, selected: 1).keepingRows()) == ["a", "b"])
    // Scrolled by a row, one comes into view.
    #expect(built(list(letters, selected: 1, offset: 1).keepingRows()) == ["e"])
    var changed = letters
    changed[2] = "z"
    #expect(built(list(changed, selected: 1, offset: 1).keepingRows()) == ["z"])
    #expect(built(list(changed, selected: 1, offset: 1, isFocused: false).keepingRows()).count == 4)
    host.theme = .light
    #expect(built(list(changed, selected: 1, offset: 1, isFocused: false).keepingRows()).count == 4)
    #expect(built(list(changed, selected: 1, offset: 1, isFocused: false).keepingRows()).count == 4)
    #expect(built(list(changed, selected: 1, offset: 1, isFocused: false).keepingRows()) == [])
    host.colorDepth = .ansi16
    #expect(built(list(changed, selected: 1, offset: 1, isFocused: false).keepingRows()).count == 4)
  }

  @Test("Without keepingRows every row is built for each frame")
  func plain() {
    #expect(built(list(letters)).count == 4)
    #expect(built(list(letters)).count == 4)
  }

  @Test("In sections, titles are drawn for each frame and rows are kept, wherever the list begins")
  func sections() {
    func list(_ offset: Int) -> some View {
      List(
        sections: [
          ListSection("One", rows: ["a", "b"]), ListSection("None", rows: []),
          ListSection("Two", rows: ["c", "d", "e"]),
        ], position: ListPosition(selected: 2, offset: offset), onMove: { _ in }
      ) { text, _ in
        Row(text: text, log: log)
      } empty: {
        EmptyView()
      }
      .keepingRows()
    }
    // Seven lines, of which five are visible: the last offset is 2.
    for (offset, rows) in [(0, ["a", "b", "c"]), (1, ["d"]), (2, ["e"]), (3, []), (0, ["a"])] {
      #expect(built(list(offset), rows: 5) == rows, "\(offset)")
      let size = Size(columns: 14, rows: 5)
      #expect(host.frame(list(offset), size: size) == ViewHost().frame(list(offset), size: size))
    }
  }

  @Test("A row that handles the mouse is built for each frame, and works")
  func effects() {
    var taps = 0
    for _ in 0..<3 {
      #expect(built(list(letters, action: { taps += 1 }).keepingRows()).count == 4)
    }
    host.dispatch(.mouse(MouseEvent(.press(.left), at: Point(column: 1, row: 1))))
    #expect(taps == 1)
  }

  @Test("A row that is laid out and not drawn is drawn in the next frame")
  func layOut() {
    host.layOut(list(letters).keepingRows(), size: Size(columns: 14, rows: 4))
    let frame = host.frame(list(letters).keepingRows(), size: Size(columns: 14, rows: 4))
    #expect(frame.text.contains("d"))
  }

  @Test("With rows kept, 2,000 random frames are the same as without, cell by cell")
  func sameFrames() {
    var random = SystemRandomNumberGenerator()
    let words = ["Ada", "グレース", "Zoë", "👩‍👩‍👧", "e\u{301}\u{302}", "\u{1B}[31m", "日本", ""]
    func name() -> String {
      "\(words.randomElement(using: &random)!) \(words.randomElement(using: &random)!)"
    }
    var rows = (0..<30).map { _ in name() }
    var (selected, offset, isFocused, size) = (0, 0, true, Size(columns: 14, rows: 6))
    var ground: ThemeRole?
    var isCovered = false
    for _ in 0..<2_000 {
      switch Int.random(in: 0...11, using: &random) {
      case 0: rows[Int.random(in: 0..<30, using: &random)] = name()
      case 1: size.columns = Int.random(in: 1...30, using: &random)
      case 2: size.rows = Int.random(in: 1...9, using: &random)
      case 3: isFocused.toggle()
      case 4: host.theme = [.dark, .light, .mono].randomElement(using: &random)!
      case 5: ground = [nil, .selection, .accent].randomElement(using: &random)!
      case 6: isCovered.toggle()
      case 7: rows.shuffle(using: &random)
      case 8...9: offset = Int.random(in: 0..<30, using: &random)
      default: selected = min(29, max(0, selected + Int.random(in: -2...2, using: &random)))
      }
      func view(_ list: some View) -> some View {
        ZStack {
          if let ground { Text(String(repeating: "+", count: 200)).foreground(ground) }
          list.border()
          if isCovered { Text("cover").bold() }
        }
      }
      let plain = list(rows, selected: selected, offset: offset, isFocused: isFocused)
      let fresh = ViewHost(theme: host.theme)
      let expected = fresh.frame(view(plain), size: size)
      let kept = host.frame(view(plain.keepingRows()), size: size)
      guard kept == expected else {
        Issue.record("\(kept.text)\nis not\n\(expected.text)")
        return
      }
    }
  }

  @Test("With assertions, a row that shows something besides its view is reported")
  func difference() {
    let outer = ViewTree.onKeptDifference
    defer { ViewTree.onKeptDifference = outer }
    var reports: [String] = []
    ViewTree.onKeptDifference = { reports.append($0) }
    struct Clock: View, Equatable {
      let time: () -> Int
      var body: some View { Text("\(time())") }
      nonisolated static func == (one: Clock, other: Clock) -> Bool { true }
    }
    var time = 0
    for _ in 0..<100 {
      time += 1
      let list = List(0..<4, position: ListPosition(), onMove: { _ in }) { _, _ in
        Clock { time }
      }
      _ = host.render(list.keepingRows(), size: Size(columns: 14, rows: 4))
    }
    #expect(reports.first?.hasPrefix("Row ") == true)
  }
}
