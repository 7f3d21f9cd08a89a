/// What the terminal has reported about itself. Everything is unknown until it answers, and some
/// terminals never do.
public struct Capabilities: Equatable, Sendable {
  /// A text or background colour as reported by the terminal.
  public struct RGB: Hashable, Sendable {
    /// The red component, 0 to 255.
    public var red: UInt8
    /// The green component, 0 to 255.
    public var green: UInt8
    /// The blue component, 0 to 255.
    public var blue: UInt8

    /// Whether the colour needs light text on it (ITU-R BT.601 luma below one half).
    public var isDark: Bool {
      299 * Int(red) + 587 * Int(green) + 114 * Int(blue) < 127_500
    }
  }

  /// The terminal's name and version (XTVERSION), sanitized.
  public internal(set) var name: String?
  /// The terminal's background colour (OSC 11).
  public internal(set) var background: RGB?
  /// The background colour for use in views; if the terminal hasn't reported it, the one promised
  /// by the environment.
  public var backgroundColor: Color? {
    background.map { .rgb($0.red, $0.green, $0.blue) } ?? environmentBackground.map { .palette($0) }
  }
  /// The palette index of the background according to the environment.
  private let environmentBackground: UInt8?
  /// Whether the environment says that the terminal runs in a multiplexer.
  private let isInMultiplexer: Bool
  /// The terminal's text colour (OSC 10).
  public internal(set) var foreground: RGB?
  /// Whether the user prefers dark colours, as reported by the terminal when this changes (mode
  /// 2031).
  public internal(set) var prefersDark: Bool?
  /// The size of a cell in pixels.
  public internal(set) var cellPixels: Size?
  /// Whether the terminal supports synchronized updates (mode 2026).
  public internal(set) var hasSynchronizedUpdate = false
  /// Whether the terminal measures grapheme clusters as a whole (mode 2027), either by default or
  /// on request.
  public internal(set) var hasGraphemeClusters = false
  /// Whether mode 2027 is supported but not set yet.
  private(set) var canSetGraphemeClusters = false
  /// Whether the terminal supports in-band size reports (mode 2048).
  public internal(set) var hasResizeReports = false
  /// Whether the terminal can report the mouse position in pixels (mode 1016).
  public internal(set) var hasPixelMouse = false
  /// Whether the terminal supports the kitty keyboard protocol, which makes keys unambiguous.
  public internal(set) var hasKeyboardProtocol = false
  /// Whether the terminal shows 24-bit colours, as reported (XTGETTCAP) or known from its name.
  public internal(set) var hasTrueColor = false
  /// Whether the palette has 256 colours, because the terminal reported the last one (OSC 4).
  public internal(set) var hasPalette256 = false
  /// The colour depth reported by the terminal; at least 16 colours, which are taken for granted.
  var colorDepth: ColorDepth { hasTrueColor ? .trueColor : hasPalette256 ? .palette256 : .ansi16 }
  /// Whether underlines have shapes and colours, as reported (XTGETTCAP) or known from the
  /// terminal's name.
  public internal(set) var hasStyledUnderlines = false
  /// Whether the terminal supports the kitty graphics protocol.
  public internal(set) var hasKittyGraphics = false
  /// Whether the terminal supports sixels (DA1 lists 4).
  public internal(set) var hasSixel = false
  /// Whether the terminal answers mode queries (DECRQM) at all.
  private(set) var answersModeQueries = false
  /// Whether all queries have been answered. Never true for a terminal that doesn't answer.
  public internal(set) var isComplete = false

  /// Creates the capabilities promised by the environment, which apply until the terminal answers.
  /// rxvt, konsole and mlterm set `COLORFGBG` to the palette indices of text and background; the
  /// Linux console is black.
  init(environment: [String: String] = [:]) {
    let term = environment["TERM"] ?? ""
    let colors = (environment["COLORFGBG"] ?? "").split(separator: ";")
    environmentBackground =
      colors.count > 1 ? colors.last.flatMap { UInt8($0) } : term == "linux" ? 0 : nil
    isInMultiplexer =
      ["tmux", "screen"].contains(where: term.hasPrefix)
      || ["TMUX", "STY"].contains { environment[$0]?.isEmpty == false }
  }

  /// Whether the background is dark, according to the latest report; `nil` if unknown.
  public var isDark: Bool? {
    prefersDark ?? background?.isDark
      ?? environmentBackground.map { $0 == 8 || (Color.palette($0).luminance ?? 0) < 0.18 }
  }

  /// The queries sent at startup. DA1 comes last: every terminal answers it, and answers arrive in
  /// order.
  static let queries =
    Array(
      ("\u{1B}[>q\u{1B}[?u\u{1B}[?2026$p\u{1B}[?2027$p\u{1B}[?2048$p\u{1B}[?1016$p"
        + "\u{1B}P+q524742\u{1B}\\\u{1B}P+q536D756C78\u{1B}\\\u{1B}]4;255;?\u{7}").utf8)
    + colorsQuery + cellPixelsQuery + Array("\u{1B}[c".utf8)

  /// Whether the terminal reflows its lines when its width changes. Those that say their names
  /// do, except xterm.
  var reflows: Bool { name != nil && !isKnown(in: ["xterm("]) }

  /// Queries support for the kitty graphics protocol with an invisible one-pixel picture.
  static let graphicsQuery = Array("\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\".utf8)

  /// Whether ``graphicsQuery`` is safe to send: only once the terminal has reported a name, as all
  /// terminals with this protocol do, and not in a multiplexer, which would take the query for a
  /// title (tmux) or a command (screen). Other terminals might display it.
  var mayAskForGraphics: Bool {
    isComplete && name != nil && !isInMultiplexer && !isKnown(in: ["tmux", "screen"])
  }

  /// Queries the text and background colours, which change when switching between dark and light.
  /// Ends with BEL, because rxvt omits the second byte of ST in its answers.
  static let colorsQuery = Array("\u{1B}]10;?\u{7}\u{1B}]11;?\u{7}".utf8)

  /// Queries the size of a cell, which changes with the font.
  static let cellPixelsQuery = Array("\u{1B}[16t".utf8)

  /// Records an answer.
  mutating func update(with answer: TerminalAnswer) {
    switch answer {
    case .deviceAttributes(let attributes):
      hasSixel = attributes.contains(4)
      isComplete = true
    case .version(let text):
      name = text
      if isModern { hasTrueColor = true }
      if isKnown(in: Self.styledUnderlineNames) { hasStyledUnderlines = true }
    case .trueColor: hasTrueColor = true
    case .palette256: hasPalette256 = true
    case .styledUnderlines: hasStyledUnderlines = true
    case .mode(let mode, let setting): update(mode: mode, setting: setting)
    case .keyboard: hasKeyboardProtocol = true
    case .foreground(let red, let green, let blue):
      foreground = RGB(red: red, green: green, blue: blue)
    case .background(let red, let green, let blue):
      background = RGB(red: red, green: green, blue: blue)
    case .appearance(let isDark): prefersDark = isDark
    case .cellPixels(let width, let height): cellPixels = Size(columns: width, rows: height)
    case .graphics(let answer):
      if answer.hasSuffix(";OK") { hasKittyGraphics = true }
    case .cursor, .pixels: break
    }
  }

  /// Names of terminals that have long supported 24-bit colours and everything in
  /// ``ScreenFeatures``. tmux reduces colours itself if the outer terminal has fewer.
  private static let modernNames = [
    "xterm", "kitty", "foot", "wezterm", "ghostty", "iterm2", "vte", "konsole", "contour", "tmux",
  ]

  /// Those among them that support styled underlines but don't answer the query for them.
  private static let styledUnderlineNames = [
    "kitty", "foot", "wezterm", "ghostty", "iterm2", "vte", "konsole", "contour", "tmux",
  ]

  /// Whether the terminal is one with all the usual modern features.
  private var isModern: Bool { isKnown(in: Self.modernNames) }

  private func isKnown(in names: [String]) -> Bool {
    let name = (name ?? "").lowercased()
    return names.contains { name.hasPrefix($0) }
  }

  /// The features that the renderer can use.
  var screenFeatures: ScreenFeatures {
    var features: ScreenFeatures = [.insertLines]
    if hasSynchronizedUpdate { features.insert(.synchronizedUpdate) }
    if isModern {
      features.formUnion([.repeatGlyph, .backgroundErase, .hyperlinks, .cursorShapes])
    }
    if hasStyledUnderlines { features.insert(.styledUnderlines) }
    if hasKittyGraphics {
      features.insert(.kittyGraphics)
    } else if hasSixel, cellPixels != nil {
      features.insert(.sixel)
    }
    return features
  }

  private mutating func update(mode: Int, setting: Int) {
    answersModeQueries = true
    // 1 means set and 2 reset; 3 and 4 mean permanently set and permanently reset.
    let isKnown = setting == 1 || setting == 2
    switch mode {
    case 2026: hasSynchronizedUpdate = isKnown
    case 2027:
      hasGraphemeClusters = isKnown || setting == 3
      canSetGraphemeClusters = setting == 2
    case 2048: hasResizeReports = isKnown
    case 1016: hasPixelMouse = isKnown || setting == 3
    default: break
    }
  }
}
