import Features
import Terminal

/// The command-line options for the app's appearance and use of the terminal.
struct AppearanceOptions: Equatable, Sendable {
  /// The theme; `nil` for the one chosen in the app.
  var theme: ThemeName?
  var color: ColorChoice
  var usesASCII: Bool
  /// Whether to turn off movement, whatever was chosen in the app.
  var reducesMotion: Bool
  var usesMouse: Bool
  var usesAlternateScreen: Bool

  enum ColorChoice: String, NamedValue {
    case never
    case ansi16 = "16"
    case palette256 = "256"
    case trueColor = "true"
    case auto

    /// `nil` leaves the choice to the environment and the terminal.
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
    in syntax: inout CommandSyntax
  ) -> @Sendable (ParsedArguments) throws -> AppearanceOptions {
    let theme = syntax.option(
      "theme", "THEME",
      "The colours: dark, light, high-contrast, mono, ascii or auto (default: the one chosen in the app)",
      of: ThemeName.self)
    let color = syntax.option(
      "color", "DEPTH", "The number of colours: never, 16, 256, true or auto (default: auto)",
      of: ColorChoice.self)
    let ascii = syntax.flag("ascii", "Draw with ASCII characters only")
    let reducedMotion = syntax.flag(
      "reduced-motion", "Turn off movement: nothing spins, slides, fills or blinks")
    let noMouse = syntax.flag("no-mouse", "Leave the mouse to the terminal")
    let noAlternateScreen = syntax.flag(
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

  /// Returns a theme that is readable on the terminal, whatever its background.
  func theme(chosen: ThemeName, on terminal: Capabilities) -> Theme {
    let theme = theme(chosen: chosen, isDark: terminal.isDark)
    // Paint no background until the terminal has answered all queries.
    guard terminal.isComplete else { return theme }
    // A theme that follows the terminal keeps the terminal's background, if that is known.
    if [.auto, .ascii].contains(self.theme ?? chosen), terminal.isDark != nil { return theme }
    return theme.adapted(toBackground: terminal.backgroundColor)
  }

  /// Returns the theme for a terminal with a dark, light or unknown background. The host adapts it
  /// to the available colours.
  /// - Parameter chosen: The user's choice in the app; the command line overrides it.
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
