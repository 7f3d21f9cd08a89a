import Clients
import Features

/// `lifesignal` without a command: the app.
struct AppCommand: ScreenCommand {
  var appearance: AppearanceOptions
  var debugging: DebugOptions
  var replacesDamaged: Bool
  /// Where to begin.
  var link: DeepLink?

  /// Also an option of `init`.
  static let setAside = Flag(
    "set-aside",
    help: "Begin anew when the store is damaged or gone; what is left of it is kept beside the new"
      + " one")

  static let plain = Flag(
    "plain",
    help: "Talk in lines of text, for screen readers: no colours, no boxes, no moving cursor")

  static let declaration = CommandDeclaration(
    name: "", summary: "Check in, or somebody is told",
    discussion: [
      "You promise to check in at least once per interval. If the deadline passes, or if you raise"
        + " an alert, the people you named as responders are told.",
      "Without a command, the app opens. LifeSignal is no substitute for emergency services.",
    ],
    options: [plain.declaration] + AppearanceOptions.declarations + [setAside.declaration]
      + DebugOptions.declarations,
    make: { (arguments: ParsedArguments) throws(UsageError) in
      let appearance = try AppearanceOptions(arguments)
      let debugging = try DebugOptions(arguments)
      let replacesDamaged = arguments.isSet(setAside)
      guard arguments.isSet(plain) else {
        return AppCommand(
          appearance: appearance, debugging: debugging, replacesDamaged: replacesDamaged)
      }
      if debugging.showsOverlay {
        throw .conflict(DebugOptions.debug.declaration, with: plain.declaration)
      }
      if debugging.recording != nil {
        throw .conflict(DebugOptions.record.declaration, with: plain.declaration)
      }
      return ConversationCommand(replacesDamaged: replacesDamaged)
    })

  func show(_ invocation: Invocation) throws(CommandFailure) -> Report {
    let root = CompositionRoot(invocation)
    // A person who starts it to call for help sees a screen with the emergency key, whatever the store is.
    let store = try root.openStore(
      replacingDamaged: replacesDamaged, waiting: invocation.machine.hasTerminal())
    let warnings = try AppRunner(
      appearance: appearance, debugging: debugging, stateFolder: try invocation.folders().state,
      provide: store.provide
    ).run(invocation.recordingAccess, at: link)
    return Report(store.lines, warnings: warnings)
  }
}
