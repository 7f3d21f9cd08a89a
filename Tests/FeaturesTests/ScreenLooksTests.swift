import Composable
import TerminalTesting
import Testing

@testable import Features
@testable import Terminal

/// Snapshots of every screen in every look: dark, light, without colour, and in ASCII.
///
/// The snapshots of `ScreenTests` hold the characters of every screen. These hold the styles of the
/// cells in the dark theme, and checksums of larger or derived data. One table for all screens
/// lists the style that each theme uses in place of a dark one. Six screens are kept in full in
/// each look, for reading.
@MainActor @Suite struct ScreenLooksTests {
  static let sizes = [Size(columns: 80, rows: 24), Size(columns: 120, rows: 40)]
  static let themes: [(name: String, theme: Theme)] = [
    ("dark", .dark), ("light", .light), ("mono", .mono),
  ]
  nonisolated static let whole: Set = [
    "check-in", "responders", "contact-details", "alerts", "emergency-countdown", "picture",
  ]

  private func frame(of screen: Screen, _ size: Size, _ theme: Theme) -> Frame {
    let store = Store(initialState: screen.state()) { AppFeature() }
    return FrameSnapshot.frame(of: AppView(store: store), size: size, theme: theme)
  }

  @Test(arguments: Screen.all.filter { !whole.contains($0.name) })
  func look(_ screen: Screen) {
    let maps = Self.sizes.map { StyleMap(frame(of: screen, $0, .dark)).lines }
    let ascii = Self.sizes.map { frame(of: screen, $0, .dark.ascii).lines }
    expectLines(
      maps[0] + [
        "120x40 checksum: \(checksum(of: maps[1]))",
        "ASCII checksums: \(checksum(of: ascii[0])) \(checksum(of: ascii[1]))",
      ], named: "looks/\(screen.name)")
  }

  @Test(arguments: Screen.all.filter { whole.contains($0.name) })
  func everyLook(_ screen: Screen) {
    var lines: [String] = []
    for size in Self.sizes {
      let dark = frame(of: screen, size, .dark).lines
      var lastRows: [String] = []
      for (name, theme) in Self.themes {
        let frame = frame(of: screen, size, theme)
        let map = StyleMap(frame)
        lines += ["\(size.columns)x\(size.rows) \(name):"] + map.legend
        // Themes that distinguish the same styles have the same map.
        if map.rows != lastRows { lines += map.rows }
        lastRows = map.rows
        if frame.lines != dark { lines += frame.lines }
      }
      lines += ["\(size.columns)x\(size.rows) ASCII:"] + frame(of: screen, size, .dark.ascii).lines
    }
    expectLines(lines, named: "looks/\(screen.name)")
  }

  @Test("Each style of the dark theme has the recorded style in the light and mono themes")
  func themes() {
    var table: Set<String> = []
    for screen in Screen.all {
      for size in Self.sizes {
        let frames = Self.themes.map { frame(of: screen, size, $0.theme) }
        // Skip a cell that looks like the one before, as most do.
        var last: [Frame.Cell] = []
        for index in frames[0].cells.indices where !frames[0].cells[index].text.isPixel {
          let cells = frames.map { $0.cells[index] }
          if cells == last { continue }
          last = cells
          // Pictures use other characters in themes without colours.
          guard cells.allSatisfy({ $0.text == cells[0].text }) else { continue }
          table.insert(cells.map(StyleMap.description).joined(separator: " | "))
        }
      }
    }
    expectLines(["dark | light | mono"] + table.sorted(), named: "looks/themes")
  }

  @Test(
    "In the ASCII theme every character is ASCII, and no mark turns into a question mark",
    arguments: Screen.all)
  func ascii(_ screen: Screen) {
    for size in Self.sizes {
      let ascii = frame(of: screen, size, .dark.ascii).text
      let isASCII = ascii.utf8.allSatisfy { $0 < 0x80 }
      #expect(isASCII, "\(ascii)")
      guard !screen.hasForeignLetters else { continue }
      // A character without an ASCII form would become a question mark.
      let unicode = frame(of: screen, size, .dark).text
      #expect(ascii.count { $0 == "?" } == unicode.count { $0 == "?" }, "\(ascii)")
    }
  }

  @Test(
    "WCAG AA: text has a contrast of at least 4.5, lines and inactive text of 3, in every theme",
    arguments: Screen.all)
  func contrast(_ screen: Screen) {
    for theme in [Theme.dark, .light, .highContrast, .ansi16Dark, .ansi16Light] {
      var contrasts: [Style: Double] = [:]
      for size in Self.sizes {
        let faint = frame(of: screen, size, theme).cells.filter { cell in
          // Half blocks are the pixels of pictures, which have their own colours.
          if cell.text.isEmpty || cell.text == " " || cell.text.isPixel { return false }
          let contrast = contrasts[cell.style] ?? theme.contrast(of: cell.style) ?? 0
          contrasts[cell.style] = contrast
          // Controls beneath a sheet are inactive: WCAG requires nothing of them, we require 3.
          let isBeneath = cell.style.foreground == theme[.track].foreground
          return contrast < (cell.text.isDrawn || isBeneath ? 3 : 4.5)
        }
        #expect(faint.map { "\($0.text) \($0.style)" } == [])
      }
    }
  }

  @Test("In the mono theme no text or background has a colour")
  func mono() {
    for screen in Screen.all {
      for size in Self.sizes {
        let frame = frame(of: screen, size, .mono)
        let colored = frame.cells.filter { cell in
          // A picture, such as a QR code, is black on white everywhere.
          !cell.text.isDrawn
            && (cell.style.foreground != .standard || cell.style.background != .standard)
        }
        #expect(colored.map(\.text) == [], "\(screen.name)")
      }
    }
  }

  @Test("The focused field is underlined, reversed or bold in the mono theme")
  func focus() {
    for screen in Screen.all {
      let store = Store(initialState: screen.state()) { AppFeature() }
      for size in Self.sizes {
        let frame = ViewHost(theme: .mono.ascii).frame(AppView(store: store), size: size)
        guard let cursor = frame.cursor else { continue }
        let row = cursor.row
        let cells = frame.cells[row * size.columns..<(row + 1) * size.columns]
        #expect(
          cells.contains { !$0.style.attributes.isDisjoint(with: [.underline, .reverse, .bold]) },
          "\(screen.name)")
      }
    }
  }
}

extension Screen {
  /// Whether the screen has names in letters that ASCII lacks.
  fileprivate var hasForeignLetters: Bool { name.hasPrefix("names-") }
}

extension Theme {
  /// The contrast between a style's text and its background, as WCAG defines it.
  fileprivate func contrast(of style: Style) -> Double? {
    var text = style.foreground == .standard ? canvas.text : style.foreground
    var ground = style.background == .standard ? canvas.background : style.background
    if style.attributes.contains(.reverse) { swap(&text, &ground) }
    return text.contrast(to: ground)
  }
}

extension String {
  /// Whether the character may be two pixels of a picture, which has its own colours and
  /// characters.
  fileprivate var isPixel: Bool { self == "▀" || self == "▄" }

  /// Whether it is a line, block or mark rather than text.
  fileprivate var isDrawn: Bool {
    unicodeScalars.allSatisfy { (0x2500..<0x2600).contains($0.value) }
  }
}
