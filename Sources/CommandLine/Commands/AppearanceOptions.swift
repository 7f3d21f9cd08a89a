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

  enum ColorChoice: String, NamedValue {
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

  static func declare(
    in words: inout CommandWords
  ) -> @Sendable (ParsedArguments) throws -> AppearanceOptions {
    let theme = words.option(
      "theme", "THEME",
      "The colours: dark, light, high-contrast, mono, ascii or auto (default: the one chosen in the app)",
      of: ThemeName.self)
    let color = words.option(
      "color", "DEPTH", "The number of colours: never, 16, 256, true or auto (default: auto)",
      of: ColorChoice.self)
    let ascii = words.flag("ascii", "Draw with ASCII characters only")
    let reducedMotion = words.flag(
      "reduced-motion", "Turn off movement: nothing spins, slides, fills or blinks")
    let noMouse = words.flag("no-mouse", "Leave the mouse to the terminal")
    let noAlternateScreen = words.flag(
      "no-alt-screen", "Draw on the normal screen, so that the last frame stays")
    return { arguments in
      AppearanceOptions(
        theme: try arguments.value(of: theme), color: try arguments.value(of: color) ?? .auto,
        usesASCII: arguments.isSet(ascii), reducesMotion: arguments.isSet(reducedMotion),
        usesMouse: !arguments.isSet(noMouse),
        usesAlternateScreen: !arguments.isSet(noAlternateScreen))
    }
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
    if [.auto, .ascii].contains(self.theme ?? chosen), terminal.isDark != nil { return theme }
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
      case .auto, .ascii: isDark == false ? .light : .dark
      }
    return usesASCII || (self.theme ?? chosen) == .ascii ? theme.ascii : theme
  }
}

extension ThemeName: NamedValue {}
