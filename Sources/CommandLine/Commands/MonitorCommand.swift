import Clients
import Domain

/// `lifesignal monitor`: becomes the program `lifesignal-monitor`, starts it in the background, or
/// puts it under systemd's care.
///
/// The monitor is a program of its own, so that the app need not load what sending needs.
struct MonitorCommand: PlainCommand {
  var action: Action

  enum Action: Equatable, Sendable {
    case watch
    case once
    case detach
    case install
    case uninstall
    case status
    case printSystemUnit
    case explainSystemUninstall
  }

  enum ServiceAction: String, CaseIterable, Sendable { case install, uninstall, status }

  static let service = Argument(
    ArgumentDeclaration(
      placeholder: "install|uninstall|status", help: "What to do about the service",
      isRequired: false,
      choices: [
        .init(name: "install", help: "Let your systemd run the monitor, now and at every login"),
        .init(name: "uninstall", help: "Stop it, and remove what install wrote"),
        .init(name: "status", help: "Say how the service fares; 0 when it runs, else 1"),
      ]),
    read: byName(ServiceAction.self))
  static let once = Flag("once", help: "Deliver what is due now, and end")
  static let detach = Flag(
    "detach", help: "Start one that outlives the terminal, unless one is alive")
  static let system = Flag(
    "system",
    help: "With install: print a unit for the machine's systemd, which runs it without a login")

  static let declaration = CommandDeclaration(
    name: "monitor", summary: "Watch the deadlines and tell the responders",
    discussion: [
      "It runs until it is stopped, and should run on a machine that is always on. The app starts one"
        + " by itself where none is running. Any number may run: no message is sent twice, but for one whose"
        + " monitor is killed just after the mail server took it.",
      "lifesignal monitor install writes a unit for your own systemd and starts it: systemd starts it"
        + " anew whenever it ends or hangs. A unit that somebody has changed is never overwritten.",
      "How to hand in mail stands in ~/.config/lifesignal/config.json5, for example"
        + " { smtp: { host: \"mail.example.org\", username: \"ada\", from: \"ada@example.org\" } }."
        + " The password comes from LIFESIGNAL_SMTP_PASSWORD or from lifesignal keychain. A monitor"
        + " reads the file again when it changes; while it is broken, what it said before holds.",
    ],
    arguments: [service.declaration],
    options: [once.declaration, detach.declaration, system.declaration],
    takesAccount: false, exitCodes: [.locked],
    make: { (arguments: ParsedArguments) throws(UsageError) in
      MonitorCommand(action: try action(arguments))
    })

  private static func action(_ arguments: ParsedArguments) throws(UsageError) -> Action {
    let isSystem = arguments.isSet(system)
    guard let service = try arguments.argument(service) else {
      if isSystem { throw .needless(system.declaration, without: "install or uninstall") }
      switch (arguments.isSet(once), arguments.isSet(detach)) {
      case (true, true): throw .conflict(once.declaration, with: detach.declaration)
      case (true, false): return .once
      case (false, true): return .detach
      case (false, false): return .watch
      }
    }
    for flag in [once, detach] where arguments.isSet(flag) {
      throw .needless(flag.declaration, with: service.rawValue)
    }
    switch service {
    case .install: return isSystem ? .printSystemUnit : .install
    case .uninstall: return isSystem ? .explainSystemUninstall : .uninstall
    case .status:
      if isSystem { throw .needless(system.declaration, with: service.rawValue) }
      return .status
    }
  }

  func run(_ invocation: Invocation) async throws(CommandFailure) -> Report {
    let installer = try ServiceInstaller(invocation)
    switch action {
    case .watch: throw become(invocation, [])
    case .once: throw become(invocation, ["--once"])
    case .detach: return try detach(invocation, installer.folders)
    case .install: return try await installer.install()
    case .uninstall:
      try await invocation.passingGate(of: .stopMonitor, installer.folders)
      return try await installer.uninstall()
    case .status: return try await installer.status()
    case .printSystemUnit: return try installer.printSystemUnit()
    case .explainSystemUninstall: return installer.explainSystemUninstall()
    }
  }

  private func detach(
    _ invocation: Invocation, _ folders: Folders
  ) throws(CommandFailure) -> Report {
    guard invocation.machine.entry(folders.state) != .nothing else {
      throw CommandFailure(
        "There is no account here yet.", advice: "Run lifesignal to open one.")
    }
    do { try invocation.machine.startMonitor(folders) } catch { throw CommandFailure(error) }
    return Report(["A monitor is started, unless one is alive; its log is \(folders.monitorLog)."])
  }

  /// Replaces this process.
  /// - Returns: why it could not.
  private func become(_ invocation: Invocation, _ arguments: [String]) -> CommandFailure {
    let failure = invocation.becomeMonitor(arguments)
    return CommandFailure(
      "lifesignal-monitor could not be started: \(failure).",
      advice: "It has to lie beside lifesignal.")
  }
}
