import struct Composable.SplitMix64
import Testing

@testable import Terminal

/// Views that are drawn again only if they differ.
@MainActor
struct KeptViewTests {
  private let host = ViewHost()
  private let log = Log()

  @MainActor
  private final class Log {
    var built: [String] = []
  }

  /// What a card shows besides its text.
  private enum Extra: CaseIterable {
    case none, border, wide, tap, command, title, spinner, divider, inner, list
  }

  private struct Card: View, Equatable {
    var text = "card"
    var extra = Extra.none
    var keeps = true
    var log: Log?

    var body: some View {
      let _ = log?.built.append(text)
      VStack(alignment: .leading) {
        switch extra {
        case .none: Text(text)
        case .border: Text(text).border(title: "Title")
        case .wide:
          HStack {
            Text(text)
            Spacer()
            Text("日本").bold()
          }
        case .tap: Text(text).onTap {}
        case .command: Text(text).command("x", "Do") {}
        case .title: Text(text).windowTitle(text)
        case .spinner: ProgressView(text)
        case .divider: Divider()
        case .inner: Card(text: text, extra: .border, keeps: keeps, log: log).kept(keeps)
        case .list:
          List(0..<9, position: ListPosition(), onMove: { _ in }) { row, _ in Text("\(row)") }
        }
      }
    }

    @ViewBuilder func kept(_ keeps: Bool) -> some View {
      if keeps { keeping() } else { self }
    }

    nonisolated static func == (one: Card, other: Card) -> Bool {
      one.text == other.text && one.extra == other.extra
    }
  }

  private func built(_ view: some View, columns: Int = 20, rows: Int = 6) -> [String] {
    log.built = []
    _ = host.render(view, size: Size(columns: columns, rows: rows))
    return log.built
  }

  private func card(_ text: String, _ extra: Extra = .none) -> some View {
    Card(text: text, extra: extra, log: log).keeping()
  }

  @Test("A view is built again only if it, its size or its place in the theme changes")
  func changes() {
    func view(_ second: String) -> some View {
      VStack {
        card("one")
        card(second)
      }.border()
    }
    #expect(built(view("two")) == ["one", "two"])
    #expect(built(view("two")) == [])
    #expect(built(view("three")) == ["three"])
    #expect(built(view("three").bold()) == ["one", "three"])
    host.theme = .light
    #expect(built(view("three").bold()) == ["one", "three"])
    #expect(built(view("three").bold()) == [])
    _ = built(view("three").bold(), columns: 9)
    #expect(
      host.frame(view("three").bold(), size: Size(columns: 9, rows: 4)).text.contains("three"))
  }

  @Test("A view with anything but cells is built for each frame")
  func effects() {
    for extra in [Extra.tap, .command, .title, .spinner, .divider, .list] {
      host.time = .zero
      for _ in 0..<3 { #expect(!built(card("a", extra)).isEmpty, "\(extra)") }
    }
    for extra in [Extra.none, .border, .wide, .inner] {
      _ = built(card("a", extra))
      #expect(built(card("a", extra)).isEmpty, "\(extra)")
    }
  }

  @Test("What a kept view would do still works: a command in it, and the window's title")
  func works() {
    for _ in 0..<3 {
      _ = built(
        VStack {
          card("a", .command); card("b", .title)
        })
      #expect(host.commands.map(\.title) == ["Do"])
      #expect(host.windowTitle == "b")
    }
  }

  @Test("A picture in a kept view has another size once the terminal says how large its cells are")
  func picture() {
    struct Portrait: View, Equatable {
      let isCut: Bool

      var body: some View {
        let pixels = PixelBuffer(
          width: 8, height: 8, rgba: (0..<64).flatMap { [UInt8($0), 0, 0, 255] })
        let picture = Picture(pixels, label: "portrait")
        if isCut { picture.frame(width: 4, height: 4).frame(height: 1) } else { picture }
      }
    }
    let size = Size(columns: 20, rows: 6)
    for isCut in [false, true] {
      let view = HStack {
        Portrait(isCut: isCut).keeping()
        Text("Ada")
      }
      for cell in [Size(columns: 10, rows: 20), Size(columns: 20, rows: 20)] {
        let fresh = ViewHost()
        (host.cellPixels, fresh.cellPixels) = (cell, cell)
        #expect(host.frame(view, size: size) == fresh.frame(view, size: size), "\(isCut), \(cell)")
      }
    }
  }

  @Test("What is in a box of a kept view can be copied")
  func copies() {
    for _ in 0..<3 {
      host.copyNextPanel()
      _ = built(card("a", .border))
      #expect(host.copiedText == "a")
    }
  }

  @Test("Boxes of kept views are copied in turn, as far as they aren't scrolled out of view")
  func copiesVisible() {
    func view(_ offset: Int) -> some View {
      VStack {
        Text("bar")
        ScrollView(offset: offset, onScroll: { _ in }) {
          card("one", .border)
          card("two", .border)
        }
      }
    }
    for (offset, texts) in [(0, ["one"]), (1, ["one", "two", "one"]), (2, ["two", "two"])] {
      for text in texts {
        host.copyNextPanel()
        _ = built(view(offset), rows: 5)
        #expect(host.copiedText == text)
      }
      host.dispatch(.key("x"))
    }
  }

  @Test("A kept view of one column keeps no half of a wide character beneath it")
  func half() {
    struct Gap: View, Equatable {
      var body: some View { Spacer().frame(width: 1, height: 1) }
    }
    let view = ZStack(alignment: .topLeading) {
      Text("日")
      Gap().keeping()
      Text("|").padding(.leading, 1)
    }
    for _ in 0..<3 { #expect(host.frame(view, size: Size(columns: 3, rows: 1)).lines == [" |"]) }
  }

  @Test("With views kept, random frames are the same as without, cell by cell")
  func sameFrames() {
    for seed in UInt64(0)..<40 {
      var random = SplitMix64(seed: seed)
      let host = ViewHost()
      var cards = (0..<4).map { _ in Card(keeps: true) }
      var (size, isCovered, isBoxed, count) = (Size(columns: 24, rows: 14), false, false, 3)
      for step in 0..<60 {
        switch Int.random(in: 0...8, using: &random) {
        case 0:
          cards[Int.random(in: 0..<4, using: &random)].text =
            ["Ada", "グレース", "👩‍👩‍👧", "long words that wrap"].randomElement(using: &random)!
        case 1:
          cards[Int.random(in: 0..<4, using: &random)].extra =
            Extra.allCases.randomElement(using: &random)!
        case 2: size.columns = Int.random(in: 1...30, using: &random)
        case 3: size.rows = Int.random(in: 1...16, using: &random)
        case 4: host.theme = [.dark, .light, .mono].randomElement(using: &random)!
        case 5: isCovered.toggle()
        case 6: isBoxed.toggle()
        case 7: count = Int.random(in: 1...4, using: &random)
        default: break
        }
        @ViewBuilder func view(_ keeps: Bool) -> some View {
          ZStack {
            if isBoxed { Text(String(repeating: "+", count: 300)) }
            VStack(alignment: .leading) {
              ForEach(0..<count, id: \.self) { index in
                var card = cards[index]
                card.keeps = keeps
                return card.kept(keeps)
              }
            }
            .border()
            if isCovered { Sheet("S") { Card(text: "above").kept(keeps) } }
          }
        }
        let expected = ViewHost(theme: host.theme).frame(view(false), size: size)
        let kept = host.frame(view(true), size: size)
        guard kept == expected else {
          Issue.record("seed \(seed), step \(step): \(kept.text)\nis not\n\(expected.text)")
          return
        }
      }
    }
  }

  @Test("A host that is dropped keeps nothing of its views")
  func isFreed() {
    weak var log: Log?
    do {
      let held = Log()
      log = held
      let host = ViewHost()
      let view = VStack {
        Card(text: "a", log: held).keeping()
        SizeReader { _ in Card(text: "b", log: held) }
        List(0..<3, position: ListPosition(), onMove: { _ in }) { _, _ in
          Card(text: "c", log: held)
        }
        .keepingRows()
      }
      for _ in 0..<2 { _ = host.render(view, size: Size(columns: 20, rows: 9)) }
      #expect(held.built.contains("b"))
    }
    #expect(log == nil)
  }

  @Test("With assertions, a view that shows something besides its values is reported")
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
      _ = host.render(Clock { time }.keeping(), size: Size(columns: 14, rows: 4))
    }
    #expect(reports.first?.hasPrefix("A kept view") == true)
  }
}
