import Features
import Terminal

/// How the app looks and what it asks of the terminal, as far as the command line says.
struct AppearanceOptions: Equatable, Sendable {
  /// `nil` for the one chosen in the app.
  var theme: ThemeName?
  var color: ColorChoice
  var usesASCII: Bool
  /// Whether nothing moves, whatever was chosen in the app.
  var reducesMotion: Bool
  var usesMouse: Bool
  var usesAlternateScreen: Bool

  enum ColorChoice: String, CaseIterable, Sendable {
    case never
    case ansi16 = "16"
    case palette256 = "256"
    case trueColor = "true"
    case auto

    /// `nil` leaves it to what the environment and the terminal say.
    var depth: ColorDepth? {
      switch self {
      case .never: ColorDepth.none
      case .ansi16: .ansi16
      case .palette256: .palette256
      case .trueColor: .trueColor
      case .auto: nil
      }
    }
  }

  static let theme = Option(
    OptionDeclaration(
      name: "theme", placeholder: "THEME",
      help:
        "The colours: dark, light, high-contrast, mono or auto (default: the one chosen in the app)",
      choices: ThemeName.allCases.map(\.rawValue)),
    read: byName(ThemeName.self))
  static let color = Option(
    OptionDeclaration(
      name: "color", placeholder: "DEPTH",
      help: "How many colours: never, 16, 256, true or auto (default: auto)",
      choices: ColorChoice.allCases.map(\.rawValue)),
    read: byName(ColorChoice.self))
  static let ascii = Flag("ascii", help: "Draw with ASCII characters only")
  static let reducedMotion = Flag(
    "reduced-motion", help: "Nothing moves by itself: nothing turns, slides, fills or blinks")
  static let noMouse = Flag("no-mouse", help: "Leave the mouse to the terminal")
  static let noAlternateScreen = Flag(
    "no-alt-screen", help: "Draw on the normal screen, so that the last picture stays")

  static let declarations = [
    theme.declaration, color.declaration, ascii.declaration, reducedMotion.declaration,
    noMouse.declaration, noAlternateScreen.declaration,
  ]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    theme = try arguments.value(of: Self.theme)
    color = try arguments.value(of: Self.color) ?? .auto
    usesASCII = arguments.isSet(Self.ascii)
    reducesMotion = arguments.isSet(Self.reducedMotion)
    usesMouse = !arguments.isSet(Self.noMouse)
    usesAlternateScreen = !arguments.isSet(Self.noAlternateScreen)
  }

  var terminalOptions: TerminalOptions {
    TerminalOptions(
      usesAlternateScreen: usesAlternateScreen, usesMouse: usesMouse, title: "LifeSignal")
  }

  /// The theme for a terminal: readable on it, whatever its ground.
  func theme(chosen: ThemeName, on terminal: Capabilities) -> Theme {
    let theme = theme(chosen: chosen, isDark: terminal.isDark)
    // Until the terminal has said what it has to say, nothing is painted that may be in vain.
    guard terminal.isComplete else { return theme }
    // The theme that follows the terminal leaves its ground, where that is known.
    if (self.theme ?? chosen) == .auto, terminal.isDark != nil { return theme }
    return theme.suited(to: terminal.ground)
  }

  /// The theme for a terminal whose ground is dark or light, or that has not said. The host adapts it to
  /// the colours that there are.
  /// - Parameter chosen: The person's choice in the app; the command line goes before it.
  func theme(chosen: ThemeName = .auto, isDark: Bool?) -> Theme {
    let theme: Theme =
      switch self.theme ?? chosen {
      case .dark: .dark
      case .light: .light
      case .highContrast: .highContrast
      case .mono: .mono
      case .auto: isDark == false ? .light : .dark
      }
    return usesASCII ? theme.ascii : theme
  }
}
