import Composable
import Terminal
import TerminalTesting
import Testing

@testable import gallery

/// Snapshots of each page in each theme, and once in a larger size. Themes that share text or the
/// map of styles store them once; the legends differ.
@MainActor
struct GalleryPageTests {
  nonisolated static let sizes = [Size(columns: 80, rows: 24), Size(columns: 120, rows: 40)]

  /// A scene with a snapshot: a page, or an overlay above one.
  struct Scene: Sendable, CustomTestStringConvertible {
    let name: String
    let state: GalleryFeature.State
    var testDescription: String { name }

    init(
      _ name: String, _ page: GalleryPage, _ change: (inout GalleryFeature.State) -> Void = { _ in }
    ) {
      self.name = name
      var state = GalleryFeature.State()
      state.page = page
      change(&state)
      self.state = state
    }
  }

  nonisolated static let scenes: [Scene] =
    GalleryPage.allCases.map { Scene("\($0)", $0) } + [
      Scene("lists-filter", .lists) {
        $0.lists.filter.apply(.begin)
        $0.lists.filter.apply(.edit(.insert("lang")))
      },
      Scene("lists-nothing-found", .lists) {
        $0.lists.filter.apply(.begin)
        $0.lists.filter.apply(.edit(.insert("nobody")))
        $0.lists.filter.apply(.accept)
      },
      Scene("lists-sections", .lists) {
        $0.lists.focus = .numbers
        $0.lists.numbers = ListPosition(selected: 10, offset: 6)
      },
      Scene("fields-errors", .fields) {
        $0.fields.focus = .note
        $0.fields.inputs[.name] = TextInput("")
      },
      Scene("dialog", .dialogs) { $0.overlay = .dialog(selected: 1) },
      Scene("sheet", .dialogs) { $0.overlay = .sheet(step: GalleryFeature.slideSteps) },
      Scene("palette", .dialogs) { $0.overlay = .palette },
      Scene("keys", .dialogs) { $0.overlay = .keys },
      Scene("toast", .dialogs) { $0.toast = "Saved. Nothing else changed." },
    ]

  private func frame(_ scene: Scene, _ size: Size, _ theme: GalleryTheme, isASCII: Bool) -> Frame {
    var state = scene.state
    state.theme = theme
    state.isASCII = isASCII
    let store = Store(initialState: state) { GalleryFeature() }
    return FrameSnapshot.frame(
      of: GalleryView(store: store), size: size, theme: theme.theme(isASCII: isASCII))
  }

  @Test(arguments: scenes) func page_looksAsRecorded(_ scene: Scene) {
    var lines: [String] = []
    var text: [String] = []
    var map: [String] = []
    for (name, theme, isASCII) in [
      ("dark", GalleryTheme.dark, false), ("light", .light, false), ("mono", .mono, false),
      ("ascii", .dark, true),
    ] {
      let frame = frame(scene, Self.sizes[0], theme, isASCII: isASCII)
      let styles = StyleMap(frame)
      lines.append("== \(name)")
      // The first line contains the theme's name.
      if frame.lines.dropFirst() != text.dropFirst() { lines += frame.lines }
      lines += styles.legend
      if styles.rows != map { lines += styles.rows }
      (text, map) = (frame.lines, styles.rows)
    }
    expectLines(lines, named: "\(scene.name)-80x24")
    expectLines(
      frame(scene, Self.sizes[1], .dark, isASCII: false).lines, named: "\(scene.name)-120x40")
  }

  @Test(arguments: scenes) func ascii_isNothingElse(_ scene: Scene) {
    for cell in frame(scene, Self.sizes[0], .dark, isASCII: true).cells {
      #expect(cell.text.unicodeScalars.allSatisfy { $0.isASCII })
    }
  }

  /// WCAG 2.2, 1.4.3: all visible text has enough contrast to its background.
  @Test(arguments: scenes, [GalleryTheme.dark, .light, .highContrast])
  func everyText_hasContrast(_ scene: Scene, _ theme: GalleryTheme) throws {
    guard scene.state.page != .pictures else { return }
    let look = theme.theme(isASCII: false)
    let lines: Set<Color> = [look[.border].foreground, look[.track].foreground]
    for cell in frame(scene, Self.sizes[1], theme, isASCII: false).cells {
      guard cell.text.unicodeScalars.first.map({ $0.properties.isAlphabetic }) == true else {
        continue
      }
      let ink = cell.style.foreground == .standard ? look.canvas.text : cell.style.foreground
      // Text beneath a sheet is inactive, so it needs only the contrast of lines.
      let least = lines.contains(ink) && scene.state.overlay != nil ? 3 : 4.5
      let ground =
        cell.style.background == .standard ? look.canvas.background : cell.style.background
      #expect(
        try #require(ink.contrast(to: ground)) >= least, "\(cell.text) in \(scene.name)")
    }
  }

  /// The same on actual terminals, whose default background differs from the one that the theme was
  /// designed for.
  @Test(arguments: scenes, [GalleryTheme.dark, .light, .highContrast])
  func everyText_hasContrastOnEveryTerminal(_ scene: Scene, _ theme: GalleryTheme) throws {
    guard scene.state.page != .pictures else { return }
    let (black, white) = (Color.hex(0x000000), Color.hex(0xFFFFFF))
    let store = Store(initialState: scene.state) { GalleryFeature() }
    for (ground, text) in [(black, white), (white, black)] {
      let isMeantFor = (theme == .light) == (ground == white)
      for depth in [ColorDepth.palette256, .trueColor] {
        let look = theme.theme(isASCII: false).adapted(toBackground: ground)
        let host = ViewHost(theme: look, colorDepth: depth)
        var terminal = InMemoryTerminal(size: Self.sizes[1])
        terminal.feed(host.render(GalleryView(store: store), size: Self.sizes[1]))
        #expect(terminal.cells.contains { $0.style.background == .standard } == isMeantFor)
        for cell in terminal.cells {
          guard let least = leastContrast(of: cell, in: scene) else { continue }
          var ink = Color(cell.style.foreground) ?? text
          var shownOn = Color(cell.style.background) ?? ground
          if cell.style.isReversed { swap(&ink, &shownOn) }
          #expect(
            try #require(ink.contrast(to: shownOn)) >= least,
            "\(cell.text) in \(scene.name) on \(isMeantFor ? "its" : "the other") ground")
        }
      }
    }
  }

  /// The contrast that WCAG requires of a cell, or `nil` if it requires none.
  private func leastContrast(of cell: ScreenCell, in scene: Scene) -> Double? {
    guard let scalar = cell.text.unicodeScalars.first else { return nil }
    if (0x2500..<0x2580).contains(scalar.value) { return 3 }
    guard scalar.properties.isAlphabetic else { return nil }
    // Text beneath a sheet is inactive, so it needs only the contrast of lines.
    return scene.state.overlay == nil ? 4.5 : 3
  }

  @Test(arguments: scenes) func everySize_isDrawn(_ scene: Scene) {
    for size in [(0, 0), (1, 1), (7, 3), (30, 10), (300, 90)] {
      let size = Size(columns: size.0, rows: size.1)
      #expect(frame(scene, size, .dark, isASCII: false).size == size)
    }
  }
}

extension Color {
  /// Converts a colour of a terminal's cell, or returns `nil` for the default colour.
  fileprivate init?(_ shown: CellStyle.Color) {
    switch shown {
    case .standard: return nil
    case .palette(let index): self = .palette(index)
    case .rgb(let red, let green, let blue): self = .rgb(red, green, blue)
    }
  }
}
