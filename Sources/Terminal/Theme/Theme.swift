/// The look of each role, and the characters to draw with.
public struct Theme: Sendable {
  /// The styles of the roles, in the order of `ThemeRole`.
  private var styles: [Style]
  /// The styles of areas filled with a role, if its colour isn't suitable as a background.
  private var fills: [Style?]

  /// The colours that represent the terminal's defaults where actual colours are needed: in
  /// exported frames and in contrast calculations.
  public var canvas: (text: Color, background: Color)

  /// Whether the canvas colours are painted in place of the terminal's defaults.
  public var paintsCanvas = false

  /// The colour of text on an area filled with the colour of a role.
  public var fillTextColor: Color

  /// The characters that the terminal can show.
  public var glyphs: GlyphSet = .unicode

  init(
    canvas: (text: Color, background: Color), fillTextColor: Color, style: (ThemeRole) -> Style,
    fill: (ThemeRole) -> Style? = { _ in nil }
  ) {
    self.canvas = canvas
    self.fillTextColor = fillTextColor
    styles = ThemeRole.allCases.map(style)
    fills = ThemeRole.allCases.map(fill)
  }

  /// The style of text or lines in a role. For the background roles `alarm`, `selection`,
  /// `inactiveSelection` and `field`, the style of everything on that background.
  public subscript(role: ThemeRole) -> Style {
    get { styles[role.rawValue] }
    set { styles[role.rawValue] = newValue }
  }

  /// Returns the style of an area filled with a role: the role's own style if it has a background,
  /// reverse or underline, otherwise its colour with ink on it.
  public func filled(_ role: ThemeRole) -> Style {
    if let fill = fills[role.rawValue] { return fill }
    let style = self[role]
    if style.background != .standard || !style.attributes.isDisjoint(with: [.reverse, .underline]) {
      return style
    }
    if style.foreground == .standard {
      return Style(attributes: style.attributes.union(.reverse))
    }
    return Style(
      foreground: fillTextColor, background: style.foreground,
      attributes: style.attributes.subtracting(.dim))
  }

  /// Whether text on a filled area always has that area's ink: with few colours, those of the roles
  /// would be illegible on it.
  var usesFillTextColor: Bool { fills.contains { $0 != nil } }

  /// Replaces bright backgrounds, which the Linux console shows as the dark variant of the same
  /// colour: black text on it is illegible.
  private mutating func useDarkBackgrounds() {
    let (red, magenta) = (
      Self.background16(1, fillTextColor: 15), Self.background16(5, fillTextColor: 15)
    )
    self[.alarm] = red
    for (role, style) in [(ThemeRole.alarm, red), (.danger, red), (.warning, magenta)] {
      fills[role.rawValue] = style
    }
  }

  /// Whether text on a background has that background's ink, regardless of its role.
  func usesFillTextColor(on ground: Color) -> Bool {
    ground != .standard && (usesFillTextColor || ground == self[.alarm].background)
  }

  /// Returns the style of something below a sheet: legible, but no more prominent than a line. If
  /// the theme has no separate colour for lines, the terminal's dim attribute is used.
  func faded(_ style: Style) -> Style {
    var faded = self[.track]
    if faded == self[.dim] { faded.attributes.insert(.dim) }
    faded.attributes.formUnion(style.attributes.intersection([.italic, .strike]))
    return faded
  }

  /// Returns the theme for a terminal with fewer colours: for the 16 named ones, or for none.
  /// - Parameters:
  ///   - depth: The colours of the terminal.
  ///   - isConsole: Whether the terminal is the Linux console.
  public func adapted(to depth: ColorDepth, isConsole: Bool = false) -> Theme {
    var theme: Theme =
      switch depth {
      case .trueColor, .palette256: self
      case .ansi16: isMono ? self : isDark ? .ansi16Dark : .ansi16Light
      case .none: .mono
      }
    if isConsole, theme.usesFillTextColor { theme.useDarkBackgrounds() }
    theme.glyphs = glyphs
    theme.paintsCanvas = paintsCanvas && !theme.isMono
    return theme
  }

  /// Returns the theme as chosen by the user, for any terminal background: it paints its own
  /// background if its colours would be hard to read on the terminal's.
  /// - Parameter ground: The terminal's background; `nil` if unknown.
  public func adapted(toBackground ground: Color?) -> Theme {
    var theme = self
    theme.paintsCanvas = !isMono && !(ground.map(isReadable(on:)) ?? false)
    return theme
  }

  /// Whether the contrast of every role meets WCAG level AA on a background.
  private func isReadable(on ground: Color) -> Bool {
    for role in ThemeRole.allCases where self[role].background == .standard {
      let color = self[role].foreground == .standard ? canvas.text : self[role].foreground
      guard let contrast = color.contrast(to: ground), contrast >= role.leastContrast else {
        return false
      }
    }
    return true
  }

  /// Whether no role has a colour.
  var isMono: Bool {
    for style in styles where style.foreground != .standard || style.background != .standard {
      return false
    }
    return true
  }

  /// Whether the theme is for a dark background.
  var isDark: Bool { (canvas.background.luminance ?? 0) < 0.18 }

  /// The theme, drawn with ASCII characters only.
  public var ascii: Theme {
    var theme = self
    theme.glyphs = .ascii
    return theme
  }
}

// Colours from the fixed part of the palette look the same with 256 colours and with 24 bits, and
// take fewer bytes.
extension Theme {
  /// Light text on the terminal's dark background.
  public static let dark = Theme(
    canvas: (text: .hex(0xD7DAE0), background: .hex(0x16181D)), fillTextColor: .hex(0x16181D)
  ) { role in
    switch role {
    case .text: .plain
    case .dim: Style(foreground: .palette(248))
    case .accent: Style(foreground: .palette(111))
    case .calm: Style(foreground: .palette(114))
    case .warning: Style(foreground: .palette(221))
    case .danger: Style(foreground: .palette(210))
    case .alarm: Style(foreground: .palette(231), background: .palette(124))
    case .border, .track: Style(foreground: .palette(243))
    case .focusedBorder: Style(foreground: .palette(111))
    case .selection: Style(foreground: .palette(255), background: .hex(0x2A3A57))
    case .inactiveSelection: Style(foreground: .palette(253), background: .palette(236))
    case .field: Style(foreground: .palette(254), background: .palette(235))
    }
  }

  /// Dark text on the terminal's light background.
  public static let light = Theme(
    canvas: (text: .hex(0x1F2328), background: .hex(0xFFFFFF)), fillTextColor: .hex(0xFFFFFF)
  ) { role in
    switch role {
    case .text: .plain
    case .dim: Style(foreground: .palette(240))
    case .accent: Style(foreground: .palette(25))
    case .calm: Style(foreground: .palette(22))
    case .warning: Style(foreground: .palette(58))
    case .danger: Style(foreground: .palette(124))
    case .alarm: Style(foreground: .palette(231), background: .palette(124))
    case .border, .track: Style(foreground: .palette(244))
    case .focusedBorder: Style(foreground: .palette(25))
    case .selection: Style(foreground: .palette(16), background: .hex(0xCFE4FF))
    case .inactiveSelection: Style(foreground: .palette(234), background: .palette(254))
    case .field: Style(foreground: .palette(234), background: .palette(255))
    }
  }

  /// Few, clearly distinct colours for a black background.
  public static let highContrast = Theme(
    canvas: (text: .hex(0xFFFFFF), background: .hex(0x000000)), fillTextColor: .hex(0x000000)
  ) { role in
    switch role {
    case .text: .plain
    case .dim: Style(foreground: .hex(0xE0E0E0))
    case .accent: Style(foreground: .hex(0x66D9FF), attributes: .bold)
    case .calm: Style(foreground: .hex(0x5CFF8A), attributes: .bold)
    case .warning: Style(foreground: .hex(0xFFE14D), attributes: .bold)
    case .danger: Style(foreground: .hex(0xFF9C9C), attributes: .bold)
    case .alarm: Style(foreground: .palette(231), background: .palette(88))
    case .border: Style(foreground: .hex(0xC8C8C8))
    case .focusedBorder: Style(foreground: .hex(0x66D9FF), attributes: .bold)
    case .selection: Style(foreground: .hex(0xFFFFFF), background: .palette(18))
    case .inactiveSelection: Style(foreground: .hex(0xFFFFFF), background: .hex(0x303030))
    case .field: Style(foreground: .hex(0xFFFFFF), background: .hex(0x262626))
    case .track: Style(foreground: .hex(0xA0A0A0))
    }
  }

  /// No colours: bold, underline and reverse carry the meaning.
  public static let mono = Theme(
    canvas: (text: .hex(0xE6E6E6), background: .hex(0x101010)), fillTextColor: .standard
  ) { role in
    switch role {
    case .text, .border: .plain
    case .dim, .track: Style(attributes: .dim)
    case .accent, .warning, .danger, .focusedBorder: Style(attributes: .bold)
    case .calm: .plain
    case .alarm, .selection: Style(attributes: .reverse)
    case .inactiveSelection: Style(attributes: [.reverse, .dim])
    case .field: Style(attributes: .underline)
    }
  }

  /// The theme for a dark terminal with the 16 named colours, whose values the user can choose. It
  /// uses the bright ones, which are legible on black in every common palette. Bold is omitted
  /// where it would select another colour (``Style``).
  public static let ansi16Dark = Theme(
    canvas: (text: .palette(15), background: .palette(0)), fillTextColor: .palette(0),
    style: { role in
      switch role {
      case .text, .border: .plain
      case .dim, .track: Style(foreground: .palette(7))
      case .accent, .focusedBorder: Style(foreground: .palette(14), attributes: .bold)
      case .calm: Style(foreground: .palette(10))
      case .warning: Style(foreground: .palette(11), attributes: .bold)
      case .danger: Style(foreground: .palette(9), attributes: .bold)
      case .alarm: alarm16
      case .selection: selection16
      case .inactiveSelection: grey16
      case .field: Style(attributes: .underline)
      }
    }, fill: fillStyle16)

  /// The same for a light terminal, where no green, yellow or cyan is dark enough.
  public static let ansi16Light = Theme(
    canvas: (text: .palette(0), background: .palette(15)), fillTextColor: .palette(15),
    style: { role in
      switch role {
      case .text, .dim, .calm, .border: .plain
      case .track: Style(foreground: .palette(8))
      case .accent, .focusedBorder: Style(foreground: .palette(4))
      case .warning: Style(foreground: .palette(5))
      case .danger: Style(foreground: .palette(1))
      case .alarm: alarm16
      case .selection: selection16
      case .inactiveSelection: grey16
      case .field: Style(attributes: .underline)
      }
    }, fill: fillStyle16)

  private static let alarm16 = background16(9)
  private static let selection16 = background16(6)
  private static let grey16 = background16(7)

  private static func background16(_ color: UInt8, fillTextColor: UInt8 = 0) -> Style {
    Style(foreground: .palette(fillTextColor), background: .palette(color))
  }

  /// Returns the style of areas filled with a role in 16 colours. Black is legible on every bright
  /// colour, on cyan and on green in every common palette; white isn't legible on any red, blue or
  /// magenta in foot's palette.
  private static func fillStyle16(_ role: ThemeRole) -> Style? {
    switch role {
    case .danger, .alarm: alarm16
    case .warning: background16(11)
    case .accent: background16(14)
    case .calm: background16(2)
    case .selection: selection16
    case .text, .dim, .track, .border, .focusedBorder, .inactiveSelection: grey16
    case .field: nil
    }
  }
}

/// The meaning of a colour. Views name roles; the theme defines how a role looks.
public enum ThemeRole: Int, CaseIterable, Sendable {
  /// Ordinary text.
  case text
  /// Secondary text: hints, units, labels.
  case dim
  /// Anything that can be acted on, and the current location.
  case accent
  /// Everything is well.
  case calm
  /// Something is due soon.
  case warning
  /// Something is overdue, or an alert is active.
  case danger
  /// The background of a view that must not be overlooked, and everything on it.
  case alarm
  /// Thin lines around panels.
  case border
  /// The lines around the panel that has the focus.
  case focusedBorder
  /// The selected row of the list that has the focus.
  case selection
  /// The selected row of any other list.
  case inactiveSelection
  /// The background of a text field.
  case field
  /// The empty part of bars and scrollbars.
  case track

  /// The minimum contrast for WCAG 2.2 level AA: 4.5 for text (1.4.3), 3 for lines and marks
  /// (1.4.11).
  var leastContrast: Double {
    switch self {
    case .border, .focusedBorder, .track: 3
    default: 4.5
    }
  }
}
