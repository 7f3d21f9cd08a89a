import Testing

@testable import Terminal

/// Checks the contrast that WCAG 2.2 requires: 4.5 for text (1.4.3), 3 for lines and marks
/// (1.4.11).
struct ThemeContrastTests {
  struct Pairing: Sendable, CustomTestStringConvertible {
    var theme: String
    var text: String
    var ground: String
    var colors: (Color, Color)
    var least: Double
    var testDescription: String { "\(theme): \(text) on \(ground)" }
  }

  private static let themes: [(String, Theme)] = [
    ("dark", .dark), ("light", .light), ("highContrast", .highContrast),
  ]
  private static let grounds: [ThemeRole] = [.selection, .inactiveSelection, .field]
  private static let lines: [ThemeRole] = [.border, .focusedBorder, .track]

  /// Every role on the terminal's background and on each background role, and the text on filled
  /// areas.
  static let pairings: [Pairing] = themes.flatMap { name, theme in
    var pairings: [Pairing] = []
    for role in ThemeRole.allCases where !grounds.contains(role) && role != .alarm {
      let color =
        theme[role].foreground == .standard ? theme.canvas.text : theme[role].foreground
      let isLine = lines.contains(role)
      pairings.append(
        Pairing(
          theme: name, text: "\(role)", ground: "canvas",
          colors: (color, theme.canvas.background), least: isLine ? 3 : 4.5))
      guard !isLine else { continue }
      for ground in grounds {
        pairings.append(
          Pairing(
            theme: name, text: "\(role)", ground: "\(ground)",
            colors: (color, theme[ground].background), least: 4.5))
      }
    }
    for role in ThemeRole.allCases where !lines.contains(role) && role != .text {
      let filled = theme.filled(role)
      pairings.append(
        Pairing(
          theme: name, text: "ink", ground: "\(role)",
          colors: (filled.foreground, filled.background),
          least: 4.5))
    }
    return pairings
  }

  @Test(arguments: pairings) func pairing_meetsAA(_ pairing: Pairing) throws {
    let contrast = try #require(pairing.colors.0.contrast(to: pairing.colors.1))
    #expect(contrast >= pairing.least)
  }

  @Test(arguments: pairings) func pairing_meetsAAWith256Colours(_ pairing: Pairing) throws {
    let text = pairing.colors.0.reduced(to: .palette256)
    let ground = pairing.colors.1.reduced(to: .palette256)
    #expect(try #require(text.contrast(to: ground)) >= pairing.least)
  }

  @Test(arguments: themes.map(\.0)) func statusColors_areToldApartFromEachOther(name: String) {
    let theme = Self.themes.first { $0.0 == name }!.1
    let roles: [ThemeRole] = [.calm, .warning, .danger, .accent]
    #expect(Set(roles.map { theme[$0].foreground }).count == roles.count)
  }

  @Test("A chosen theme paints a background only if the terminal's is unsuitable or unknown")
  func chosenThemes_suitEveryGround() {
    for ground in [Color.hex(0xFFFFFF), .hex(0xFDF6E3), .hex(0x7F7F7F)] {
      #expect(Theme.dark.adapted(toBackground: ground).paintsCanvas)
      #expect(Theme.highContrast.adapted(toBackground: ground).paintsCanvas)
    }
    for ground in [Color.hex(0x000000), .hex(0x1E1E1E), .hex(0x002B36)] {
      #expect(!Theme.dark.adapted(toBackground: ground).paintsCanvas)
      #expect(!Theme.highContrast.adapted(toBackground: ground).paintsCanvas)
      #expect(Theme.light.adapted(toBackground: ground).paintsCanvas)
    }
    #expect(!Theme.light.adapted(toBackground: .hex(0xFFFFFF)).paintsCanvas)
    #expect(Theme.light.adapted(toBackground: nil).paintsCanvas, "Nobody knows the ground.")
    #expect(!Theme.mono.adapted(toBackground: nil).paintsCanvas)
  }

  @Test func mono_hasNoColour() {
    for role in ThemeRole.allCases {
      #expect(Theme.mono[role].foreground == .standard)
      #expect(Theme.mono[role].background == .standard)
      #expect(Theme.mono.filled(role).background == .standard)
    }
    #expect(Theme.mono[.selection] != Theme.mono[.text])
    #expect(Theme.mono[.danger] != Theme.mono[.text])
  }

  @Test func fewColours_getAThemeOfTheirOwn() {
    #expect(Theme.dark.adapted(to: .none)[.selection].attributes.contains(.reverse))
    #expect(Theme.dark.adapted(to: .ansi16)[.danger].foreground == .palette(9))
    #expect(Theme.light.adapted(to: .ansi16)[.danger].foreground == .palette(1))
    #expect(Theme.mono.adapted(to: .ansi16)[.danger].foreground == .standard)
    #expect(Theme.dark.ascii.adapted(to: .none).glyphs == .ascii)
    for role in ThemeRole.allCases {
      #expect(Theme.dark.adapted(to: .palette256)[role] == Theme.dark[role])
    }
  }

  @Test func contrast_isThatOfTheStandard() throws {
    let black = Color.rgb(0, 0, 0)
    let white = Color.rgb(255, 255, 255)
    #expect(try #require(black.contrast(to: white)) == 21)
    #expect(try #require(white.contrast(to: white)) == 1)
    let grey = try #require(Color.hex(0x777777).contrast(to: white))
    #expect(abs(grey - 4.478) < 0.001)
    #expect(Color.standard.contrast(to: white) == nil)
  }
}
