import Foundation
import Testing

@testable import Terminal

/// The default 16-colour palette of a terminal.
private struct Palette16 {
  let name: String
  let colors: [UInt32]
  /// Whether the terminal uses another palette with light backgrounds.
  var isForDarkGrounds = false

  static let all = [
    Palette16(
      name: "xterm",
      colors: [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5, 0x7F7F7F,
        0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
      ]),
    Palette16(
      name: "VTE",
      colors: [
        0x000000, 0xC00000, 0x00C000, 0xC0C000, 0x0000C0, 0xC000C0, 0x00C0C0, 0xC0C0C0, 0x3F3F3F,
        0xFF3F3F, 0x3FFF3F, 0xFFFF3F, 0x3F3FFF, 0xFF3FFF, 0x3FFFFF, 0xFFFFFF,
      ]),
    Palette16(
      name: "Linux console",
      colors: [
        0x000000, 0xAA0000, 0x00AA00, 0xAA5500, 0x0000AA, 0xAA00AA, 0x00AAAA, 0xAAAAAA, 0x555555,
        0xFF5555, 0x55FF55, 0xFFFF55, 0x5555FF, 0xFF55FF, 0x55FFFF, 0xFFFFFF,
      ]),
    Palette16(
      name: "urxvt",
      colors: [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000CD, 0xCD00CD, 0x00CDCD, 0xFAEBD7, 0x404040,
        0xFF0000, 0x00FF00, 0xFFFF00, 0x0000FF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
      ]),
    Palette16(
      name: "mlterm",
      colors: [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5, 0x7F7F7F,
        0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
      ]),
    Palette16(
      name: "kitty",
      colors: [
        0x000000, 0xCC0403, 0x19CB00, 0xCECB00, 0x0D73CC, 0xCB1ED1, 0x0DCDCD, 0xDDDDDD, 0x767676,
        0xF2201F, 0x23FD00, 0xFFFD00, 0x1A8FFF, 0xFD28FF, 0x14FFFF, 0xFFFFFF,
      ]),
    Palette16(
      name: "foot",
      colors: [
        0x242424, 0xF62B5A, 0x47B413, 0xE3C401, 0x24ACD4, 0xF2AFFD, 0x13C299, 0xE6E6E6, 0x616161,
        0xFF4D51, 0x35D450, 0xE9E836, 0x5DC5F8, 0xFEABF2, 0x24DFC4, 0xFFFFFF,
      ], isForDarkGrounds: true),
    Palette16(
      name: "foot to 1.13",
      colors: [
        0x222222, 0xCC9393, 0x7F9F7F, 0xD0BF8F, 0x6CA0A3, 0xDC8CC3, 0x93E0E3, 0xDCDCCC, 0x666666,
        0xDCA3A3, 0xBFEBBF, 0xF0DFAF, 0x8CD0D3, 0xFCACE3, 0xB3FFFF, 0xFFFFFF,
      ], isForDarkGrounds: true),
  ]

  var isConsole: Bool { name == "Linux console" }

  /// Returns the contrast that the user sees.
  /// - Parameter isBoldBright: Whether bold text gets the bright variant of its colour.
  func contrast(of style: Style, on theme: Theme, isBoldBright: Bool) -> Double {
    var text = color(style.foreground, or: theme.canvas.text)
    let ground = color(style.background, or: theme.canvas.background)
    let index = style.foreground.paletteIndex
    if isBoldBright, style.attributes.contains(.bold), style.foreground.kind == .palette, index < 8
    {
      text = .hex(colors[Int(index) + 8])
    }
    return text.contrast(to: ground) ?? 0
  }

  private func color(_ color: Color, or standard: Color) -> Color {
    let shown = color == .standard ? standard : color
    return .hex(colors[Int(shown.paletteIndex)])
  }
}

extension Style {
  /// The style that determines the background, including the text's colour if it is reversed.
  fileprivate var ground: Style {
    guard attributes.contains(.reverse) else { return Style(background: background) }
    return Style(background: foreground, attributes: attributes.intersection(.dim))
  }
}

/// With 16 colours, whose values depend on the terminal: WCAG 2.2 requires 4.5 for text and 3 for
/// lines, on black and on white, with bold text and in terminals that brighten it.
@MainActor
struct FewColoursContrastTests {
  private nonisolated static let grounds: [(name: String, theme: Theme)] = [
    ("black", .dark), ("white", .light),
  ]

  /// The roles for text and lines on a background.
  private nonisolated static let inks = ThemeRole.allCases.filter {
    ![.alarm, .selection, .inactiveSelection, .field].contains($0)
  }

  /// Returns the style of text in one role on an area filled with another.
  private func style(
    _ role: ThemeRole?, on ground: ThemeRole?, bold: Bool, _ theme: Theme, isConsole: Bool = false
  ) -> Style {
    var content = AnyView(Text("x"))
    if bold { content = AnyView(content.bold()) }
    if let role { content = AnyView(content.foreground(role)) }
    if let ground { content = AnyView(content.background(ground)) }
    let host = ViewHost(theme: theme, colorDepth: .ansi16)
    host.isConsole = isConsole
    let frame = host.frame(content, size: Size(columns: 1, rows: 1))
    return frame[0, 0].style.reduced(to: .ansi16, features: [])
  }

  /// Returns the minimum contrast of text and of lines for each palette on each background.
  private func leastContrasts(_ found: (String, Double, ThemeRole?) -> Void = { _, _, _ in })
    -> [[Double]]
  {
    let grounds = ThemeRole.allCases.map(Optional.some) + [nil]
    let roles = Self.inks.map(Optional.some) + [nil]
    return Palette16.all.map { palette in
      Self.grounds.flatMap { name, theme in
        var text = 21.0
        var lines = 21.0
        for role in roles {
          let isBare = theme.isDark || !palette.isForDarkGrounds
          for ground in grounds where isBare || ground != nil && ground != .field {
            for bold in [false, true] {
              let style = style(
                role, on: ground, bold: bold, theme, isConsole: palette.isConsole)
              for isBright in [false, true] {
                let contrast = palette.contrast(
                  of: style, on: theme.adapted(to: .ansi16), isBoldBright: isBright)
                let what =
                  "\(palette.name), \(name): \(role.map { "\($0)" } ?? "text") on "
                  + "\(ground.map { "\($0)" } ?? "nothing")\(bold ? ", bold" : "")"
                found(what, contrast, role)
                let isLine = role?.leastContrast == 3
                if isLine { lines = min(lines, contrast) } else { text = min(text, contrast) }
              }
            }
          }
        }
        return [text, lines]
      }
    }
  }

  @Test func everyRole_isReadInEveryPaletteOnBothGrounds() {
    _ = leastContrasts { what, contrast, role in
      if contrast < role?.leastContrast ?? 4.5 {
        Issue.record("\(what): \(contrast.formatted(.number.precision(.fractionLength(2))))")
      }
    }
  }

  @Test func everyGround_isOneColourUnderWhateverIsOnIt() {
    for (name, theme) in Self.grounds + [("any, without colours", .mono)] {
      for ground in ThemeRole.allCases {
        for bold in [false, true] {
          let styles = Self.inks.map { style($0, on: ground, bold: bold, theme) }
          #expect(Set(styles.map(\.ground)).count == 1, "\(ground) on \(name): \(styles)")
        }
      }
    }
  }

  @Test("The alarm's background is palette colour 9, or colour 1 on the Linux console")
  func theAlarm_isRed() {
    for (_, theme) in Self.grounds {
      #expect(style(nil, on: .alarm, bold: true, theme).background == .palette(9))
      #expect(
        style(nil, on: .alarm, bold: true, theme, isConsole: true).background == .palette(1))
    }
  }

  @Test("Text beneath a dialog changes its style at every colour depth")
  func whatIsBeneath_stepsBack() {
    for depth in ColorDepth.allCases {
      for (name, theme) in Self.grounds {
        let view = Text("x").foreground(.dim).overlay {
          Dialog(title: "A", message: "B", buttons: [])
        }
        let frame = ViewHost(theme: theme, colorDepth: depth)
          .frame(view, size: Size(columns: 40, rows: 12))
        let shown = theme.adapted(to: depth)
        let beneath = frame[0, 0].style
        #expect(frame[0, 0].text == "x")
        #expect(
          beneath != shown[.text] && (beneath != shown[.dim] || shown.isMono), "\(depth), \(name)")
      }
    }
  }

  @Test func fields_areLinesWithoutAGround_soThatWhatIsSelectedInThemIsSeen() {
    for theme in [Theme.ansi16Dark, .ansi16Light, .mono] {
      #expect(theme.filled(.field) == Style(attributes: .underline))
    }
  }

  @Test func statusColours_areToldApart() {
    for theme in [Theme.ansi16Dark, .ansi16Light] {
      let roles: [ThemeRole] = [.calm, .warning, .danger, .accent]
      #expect(Set(roles.map { theme[$0].foreground }).count == roles.count)
      #expect(Set(roles.map { theme.filled($0) }).count == roles.count)
    }
  }

  @Test func theTableInTheDocumentation_saysWhatIsMeasured() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(
      contentsOf: root.appendingPathComponent("docs/terminal.md"), encoding: .utf8)
    for (palette, least) in zip(Palette16.all, leastContrasts()) {
      let numbers = least.map { String(format: "%.1f", $0) }.joined(separator: " | ")
      let row = "| \(palette.name) | \(numbers) |"
      #expect(page.contains(row), "\(row)")
    }
  }

  @Test func fewColours_paintAGroundWhereNobodyKnowsIt() {
    #expect(Theme.dark.adapted(toBackground: nil).adapted(to: .ansi16).paintsCanvas)
    #expect(Theme.light.adapted(toBackground: .palette(0)).adapted(to: .ansi16).paintsCanvas)
    #expect(!Theme.dark.adapted(toBackground: .palette(0)).adapted(to: .ansi16).paintsCanvas)
    #expect(!Theme.dark.adapted(toBackground: nil).adapted(to: .none).paintsCanvas)
  }
}
