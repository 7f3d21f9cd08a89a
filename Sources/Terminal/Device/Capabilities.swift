/// What the terminal has said about itself. Nothing is known until it answers, and some never do.
public struct Capabilities: Equatable, Sendable {
  /// The colours of a ground or text as the terminal reports them.
  public struct RGB: Hashable, Sendable {
    /// The red component, 0 to 255.
    public var red: UInt8
    /// The green component, 0 to 255.
    public var green: UInt8
    /// The blue component, 0 to 255.
    public var blue: UInt8

    /// Whether light text reads better on it (ITU-R BT.601 luma below one half).
    public var isDark: Bool {
      299 * Int(red) + 587 * Int(green) + 114 * Int(blue) < 127_500
    }
  }

  /// The name and version (XTVERSION), cleaned.
  public internal(set) var name: String?
  /// The colour of the terminal's ground (OSC 11).
  public internal(set) var background: RGB?
  /// The same as views know colours; where the terminal does not tell, what the environment promises.
  public var ground: Color? {
    background.map { .rgb($0.red, $0.green, $0.blue) } ?? promisedGround.map { .palette($0) }
  }
  /// The ground by the environment, as an entry of the palette.
  private let promisedGround: UInt8?
  /// Whether the terminal is shown in another one, as the environment says.
  private let isInMultiplexer: Bool
  /// The colour of the terminal's text (OSC 10).
  public internal(set) var foreground: RGB?
  /// Whether the person prefers dark, as the terminal reports it when it changes (mode 2031).
  public internal(set) var prefersDark: Bool?
  /// The size of a cell in pixels.
  public internal(set) var cellPixels: Size?
  /// Whether frames can be shown at once (mode 2026).
  public internal(set) var hasSynchronizedUpdate = false
  /// Whether clusters are measured whole (mode 2027), at once or when asked to.
  public internal(set) var hasGraphemeClusters = false
  /// Whether mode 2027 can be asked for and is not set yet.
  private(set) var canSetGraphemeClusters = false
  /// Whether sizes are reported in band (mode 2048).
  public internal(set) var hasResizeReports = false
  /// Whether the mouse can be reported by pixels (mode 1016).
  public internal(set) var hasPixelMouse = false
  /// Whether the keyboard is unambiguous (the kitty keyboard protocol answers).
  public internal(set) var hasKeyboardProtocol = false
  /// Whether 24-bit colours are shown: the terminal says so (XTGETTCAP), or is known for it.
  public internal(set) var hasTrueColor = false
  /// Whether the palette has 256 colours: the terminal tells the last of them (OSC 4).
  public internal(set) var hasPalette256 = false
  /// The colours that the terminal has said it shows; 16, which need no saying, at least.
  var colorDepth: ColorDepth { hasTrueColor ? .trueColor : hasPalette256 ? .palette256 : .ansi16 }
  /// Whether lines under text have shapes and colours: the terminal says so (XTGETTCAP), or is
  /// known for it.
  public internal(set) var hasStyledUnderlines = false
  /// Whether pictures can be shown by the kitty graphics protocol.
  public internal(set) var hasKittyGraphics = false
  /// Whether pictures can be shown as sixels (DA1 lists 4).
  public internal(set) var hasSixel = false
  /// Whether the terminal answers questions about modes (DECRQM) at all.
  private(set) var answersModeQueries = false
  /// Whether all questions have been answered; a terminal that answers nothing never gets here.
  public internal(set) var isComplete = false

  /// What the environment promises, until the terminal answers: rxvt, konsole and mlterm say by
  /// `COLORFGBG` which entries of the palette are text and ground, and the Linux console is black.
  init(environment: [String: String] = [:]) {
    let term = environment["TERM"] ?? ""
    let colors = (environment["COLORFGBG"] ?? "").split(separator: ";")
    promisedGround =
      colors.count > 1 ? colors.last.flatMap { UInt8($0) } : term == "linux" ? 0 : nil
    isInMultiplexer =
      ["tmux", "screen"].contains(where: term.hasPrefix)
      || ["TMUX", "STY"].contains { environment[$0]?.isEmpty == false }
  }

  /// Whether the ground is dark, by what the terminal said last; `nil` when nobody knows.
  public var isDark: Bool? {
    prefersDark ?? background?.isDark
      ?? promisedGround.map { $0 == 8 || (Color.palette($0).luminance ?? 0) < 0.18 }
  }

  /// The questions, in one burst. DA1 comes last, because every terminal answers it, in order.
  static let queries =
    Array(
      ("\u{1B}[>q\u{1B}[?u\u{1B}[?2026$p\u{1B}[?2027$p\u{1B}[?2048$p\u{1B}[?1016$p"
        + "\u{1B}P+q524742\u{1B}\\\u{1B}P+q536D756C78\u{1B}\\\u{1B}]4;255;?\u{7}").utf8)
    + colorsQuery + cellPixelsQuery + Array("\u{1B}[c".utf8)

  /// Asks whether pictures can be shown, by one of one pixel that nobody sees.
  static let graphicsQuery = Array("\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\".utf8)

  /// Whether that may be asked: once the terminal has named itself, as all do that know the protocol,
  /// and is not one in another terminal, which takes the question for its title (tmux) or a command
  /// (screen). Others may show it.
  var mayAskForGraphics: Bool {
    isComplete && name != nil && !isInMultiplexer && !isKnown(in: ["tmux", "screen"])
  }

  /// Asks for the colours of text and ground, which change between dark and light. They end with BEL, as
  /// rxvt leaves out the second byte of ST in its answers.
  static let colorsQuery = Array("\u{1B}]10;?\u{7}\u{1B}]11;?\u{7}".utf8)

  /// Asks for the size of a cell, which changes with the font.
  static let cellPixelsQuery = Array("\u{1B}[16t".utf8)

  /// Takes an answer in.
  mutating func learn(_ answer: TerminalAnswer) {
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
    case .mode(let mode, let setting): learn(mode: mode, setting: setting)
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

  /// Terminals that have long done everything that ``ScreenFeatures`` lists, and 24-bit colours; tmux
  /// reduces colours itself where the terminal around it has fewer.
  private static let modernNames = [
    "xterm", "kitty", "foot", "wezterm", "ghostty", "iterm2", "vte", "konsole", "contour", "tmux",
  ]

  /// Those of them that draw all underlines but do not answer when they are asked for it.
  private static let styledUnderlineNames = [
    "kitty", "foot", "wezterm", "ghostty", "iterm2", "vte", "konsole", "contour", "tmux",
  ]

  /// Whether the terminal goes by one of the names of terminals that do what is usual today.
  private var isModern: Bool { isKnown(in: Self.modernNames) }

  private func isKnown(in names: [String]) -> Bool {
    let name = (name ?? "").lowercased()
    return names.contains { name.hasPrefix($0) }
  }

  /// What the writer may use.
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

  private mutating func learn(mode: Int, setting: Int) {
    answersModeQueries = true
    // 1 is set, 2 reset; 3 and 4 are set and reset for ever.
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
