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

  private enum ServiceAction: String, NamedValue { case install, uninstall, status }

  static let declaration = CommandDeclaration(
    "monitor", "Watch the deadlines and tell the responders",
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
    takesAccount: false, exitCodes: [.locked]
  ) { words in
    let service: Argument<ServiceAction> = words.choice(
      [
        .install: "Let your systemd run the monitor, now and at every login",
        .uninstall: "Stop it, and remove what install wrote",
        .status: "Say how the service fares; 0 when it runs, else 1",
      ], "What to do about the service", isRequired: false)
    let once = words.flag("once", "Deliver what is due now, and end")
    let detach = words.flag(
      "detach", "Start one that outlives the terminal, unless one is alive")
    let system = words.flag(
      "system",
      "With install: print a unit for the machine's systemd, which runs it without a login")
    return { arguments in
      let isSystem = arguments.isSet(system)
      guard let service = try arguments.value(of: service) else {
        if isSystem {
          throw UsageError.needless(system.declaration, without: "install or uninstall")
        }
        if arguments.isSet(once), arguments.isSet(detach) {
          throw UsageError.conflict(once.declaration, with: detach.declaration)
        }
        return MonitorCommand(
          action: arguments.isSet(once) ? .once : arguments.isSet(detach) ? .detach : .watch)
      }
      let needless = [once, detach] + (service == .status ? [system] : [])
      if let flag = needless.first(where: arguments.isSet) {
        throw UsageError.needless(flag.declaration, with: service.rawValue)
      }
      switch service {
      case .install: return MonitorCommand(action: isSystem ? .printSystemUnit : .install)
      case .uninstall:
        return MonitorCommand(action: isSystem ? .explainSystemUninstall : .uninstall)
      case .status: return MonitorCommand(action: .status)
      }
    }
  }

  func run(_ invocation: Invocation) async throws -> Report {
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
  ) throws -> Report {
    guard invocation.machine.entry(folders.state) != .nothing else {
      throw CommandFailure(
        "There is no account here yet.", advice: "Run lifesignal to open one.")
    }
    try invocation.machine.startMonitor(folders)
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
