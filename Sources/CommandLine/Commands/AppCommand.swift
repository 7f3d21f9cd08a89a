import Clients
import Features
import SharedPlatform

/// `lifesignal` without a command: the app.
struct AppCommand: ScreenCommand {
  var appearance: AppearanceOptions
  var debugging: DebugOptions
  var replacesDamaged: Bool
  /// The place to open first.
  var link: DeepLink?

  static let declaration = CommandDeclaration(
    "", "Check in regularly; if you don't, your people are notified",
    discussion: [
      "You promise to check in at least once per interval. If you miss the deadline, or raise"
        + " an alert, the people you named as responders are notified.",
      "Opens the app if you give no command. LifeSignal is no substitute for emergency services.",
    ]
  ) { syntax in
    let plain = syntax.flag(
      "plain", "Use plain lines of text, for screen readers: no colours, boxes or moving cursor")
    let appearance = AppearanceOptions.declare(in: &syntax)
    let setAside = syntax.setAside()
    let debugging = DebugOptions.declare(in: &syntax)
    return { arguments in
      let (look, debug) = (try appearance(arguments), try debugging.read(arguments))
      guard arguments.isSet(plain) else {
        return AppCommand(
          appearance: look, debugging: debug, replacesDamaged: arguments.isSet(setAside))
      }
      if debug.showsOverlay {
        throw UsageError.conflict(debugging.debug.declaration, with: plain.declaration)
      }
      if debug.recording != nil {
        throw UsageError.conflict(debugging.record.declaration, with: plain.declaration)
      }
      return ConversationCommand(replacesDamaged: arguments.isSet(setAside))
    }
  }

  func show(_ invocation: Invocation) throws -> Report {
    let root = CompositionRoot(invocation)
    // Whatever state the store is in, someone who needs help must get a screen with the emergency
    // key.
    let store = try root.openStore(
      replacingDamaged: replacesDamaged, waiting: invocation.machine.hasTerminal())
    let warnings = try AppRunner(
      appearance: appearance, debugging: debugging, folders: try invocation.folders(),
      provide: store.provide, server: { try invocation.joinedServer()?.name }
    ).run(invocation.recordingAccess, at: link)
    return Report(store.lines, warnings: warnings)
  }
}

extension CommandSyntax {
  mutating func setAside() -> Flag {
    flag(
      "set-aside",
      "Start with a new store if this one is damaged or missing; the old one is kept beside it")
  }
}
