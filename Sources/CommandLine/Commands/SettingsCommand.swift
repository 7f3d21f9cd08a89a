import Clients
import Composable
import Features
import Synchronization

/// `lifesignal settings`: shows and changes how the app looks on this terminal.
struct SettingsCommand: PlainCommand, VerbCommand {
  let verb: Verb<Self>

  init(verb: Verb<Self>) { self.verb = verb }

  private enum Switch: String, NamedValue { case on, off }

  static let declaration = CommandDeclaration(
    "settings", "Show or change how the app looks on this terminal",
    discussion: [
      "Without a word, shows all settings; with one but no value, shows that one. An app that is running"
        + " takes a change over at once.",
      "The settings belong to this terminal, not to an account. To start the app with another look once,"
        + " use lifesignal --theme or --reduced-motion.",
      "The JSON has theme and reduced_motion (true or false).",
    ],
    takesAccount: false
  ) { syntax in
    let value = syntax.argument(
      "VALUE", "The new value", isRequired: false,
      choices: ThemeName.allCases.map { .init(name: $0.rawValue, help: "With theme: \($0.help)") }
        + [
          .init(name: "on", help: "With reduced-motion: nothing spins, slides, fills or blinks"),
          .init(name: "off", help: "With reduced-motion: screens may move"),
        ]
    ) { $0 }
    let json = syntax.flag("json", "Print one line of JSON, with all settings")
    syntax.withoutVerb(json, run: Self.list)
    syntax.verb(
      "theme", "The colours of the screens", value.reading(ThemeName.init(word:)).optional, json,
      run: Self.theme)
    syntax.verb(
      "reduced-motion", "Whether nothing moves by itself",
      value.reading(Switch.init(word:)).optional, json,
      run: Self.reducedMotion)
    return syntax.chosenVerb
  }

  private func list(_ invocation: Invocation, asJSON: Bool) async throws -> Report {
    try await report(invocation, asJSON) { [$0.themeLine, $0.motionLine] }
  }

  private func theme(
    _ invocation: Invocation, _ theme: ThemeName?, asJSON: Bool
  ) async throws -> Report {
    try await report(invocation, asJSON) {
      $0.theme = theme ?? $0.theme
      return [$0.themeLine]
    }
  }

  private func reducedMotion(
    _ invocation: Invocation, _ choice: Switch?, asJSON: Bool
  ) async throws -> Report {
    try await report(invocation, asJSON) {
      $0.reducesMotion = choice.map { $0 == .on } ?? $0.reducesMotion
      return [$0.motionLine]
    }
  }

  /// - Parameter change: Changes the settings, and returns the lines that show them.
  private func report(
    _ invocation: Invocation, _ asJSON: Bool,
    change: @Sendable (inout Appearance) -> [String]
  ) async throws -> Report {
    let file = try invocation.folders().terminalSettings
    let failure = Mutex<SharedFileError?>(nil)
    return try await withDependencies {
      $0.terminalSettingsFile = file
      $0.sharedValueFailed = { _, error, _ in failure.withLock { $0 = error as? SharedFileError } }
    } operation: {
      @Shared(.terminalSettings) var settings = TerminalSettings()
      let unread = failure.withLock { $0.take() }
      if let unread, !unread.isSetAside {
        throw CommandFailure("The settings of this terminal can't be read: \(unread.reason).")
      }
      var appearance = settings.appearance
      let lines = change(&appearance)
      if appearance != settings.appearance {
        do throws(FileError) { try invocation.machine.makeFoldersAbove(file) } catch {
          throw CommandFailure(SharedFileError(path: file, reason: error.reason).settingsText)
        }
        $settings.withLock { [appearance] in $0.appearance = appearance }
        await flushSharedValues()
        if let unkept = failure.withLock({ $0 }) {
          throw CommandFailure(unkept.settingsText)
        }
      }
      let warnings = [unread?.settingsText].compactMap(\.self)
      return asJSON
        ? Report(warnings: warnings, verbatim: appearance.json.text)
        : Report(lines, warnings: warnings)
    }
  }
}

extension ThemeName {
  fileprivate var help: String {
    switch self {
    case .auto: "light or dark, as the terminal's background"
    case .dark: "for a dark background"
    case .light: "for a light background"
    case .highContrast: "the strongest contrast"
    case .mono: "no colours"
    case .ascii: "like auto, but with ASCII characters only"
    }
  }
}

extension Appearance {
  fileprivate var themeLine: String { "Theme: \(theme.rawValue)" }
  fileprivate var motionLine: String { "Reduced motion: \(reducesMotion ? "on" : "off")" }
  fileprivate var json: JSONText {
    ["theme": .string(theme.rawValue), "reduced_motion": .boolean(reducesMotion)]
  }
}
