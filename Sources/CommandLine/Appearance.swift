import Domain
import Terminal

/// The colours that `--theme` chooses from.
enum ThemeChoice: String, CaseIterable {
  /// What suits the terminal's ground, which it tells.
  case auto
  case dark, light
  case highContrast = "high-contrast"
  case mono

  /// The theme, or `nil` where the terminal is asked.
  var theme: Theme? {
    switch self {
    case .auto: nil
    case .dark: .dark
    case .light: .light
    case .highContrast: .highContrast
    case .mono: .mono
    }
  }
}

/// How the app looks and what it uses of the terminal, as the command line asks for it.
struct Appearance {
  var themeChoice: ThemeChoice
  /// `nil` for what the environment promises.
  var colorDepth: ColorDepth?
  var isASCII: Bool
  var options: TerminalOptions

  init(_ arguments: ParsedArguments) {
    themeChoice = arguments.value("theme").flatMap(ThemeChoice.init) ?? .auto
    colorDepth =
      switch arguments.value("color") {
      case "never": ColorDepth.none
      case "16": .ansi16
      case "256": .palette256
      case "true": .trueColor
      default: nil
      }
    isASCII = arguments.has("ascii")
    options = TerminalOptions(
      usesAlternateScreen: !arguments.has("no-alt-screen"),
      usesMouse: !arguments.has("no-mouse"), title: "LifeSignal")
  }

  /// The theme for a terminal whose ground is dark or light, or has not said.
  func theme(isDark: Bool?, depth: ColorDepth) -> Theme {
    let theme: Theme
    if let chosen = themeChoice.theme {
      theme = chosen
    } else {
      switch depth {
      case .none: theme = .mono
      case .ansi16: theme = .ansi16
      default: theme = isDark == false ? .light : .dark
      }
    }
    return isASCII ? theme.ascii : theme
  }
}
