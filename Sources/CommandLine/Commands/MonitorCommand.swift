import Clients
import Composable
import Domain
import FoundationEssentials

/// `lifesignal monitor`: replaces itself with `lifesignal-monitor`, starts one in the background,
/// or installs it as a systemd service.
///
/// The monitor is a separate program, so that the app doesn't load the code for sending.
struct MonitorCommand: PlainCommand, LocalCommand {
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
    "monitor", "Watch the deadlines and notify the responders",
    discussion: [
      "Runs until you stop it, best on a machine that is always on. The app starts a monitor"
        + " if none is running. Any number can run at once: no message is sent twice, unless a"
        + " monitor is killed just after the mail server accepted it.",
      "lifesignal monitor install writes a systemd user unit and starts it; systemd restarts"
        + " it whenever it exits or hangs. A unit that was edited by hand is never overwritten.",
      "Set up mail with lifesignal mail setup. It writes ~/.config/lifesignal/config.json5,"
        + " which you can also edit. A running monitor reads the file again when it changes; if"
        + " the new file has a mistake, the last good settings stay in use.",
    ],
    takesAccount: false, exitCodes: [.locked]
  ) { words in
    let service: Argument<ServiceAction> = words.choice(
      [
        .install: "Run the monitor under systemd, now and at every login",
        .uninstall: "Stop it and remove the unit",
        .status: "Show the state of the service; exits with 1 if it isn't running",
      ], "What to do about the service", isRequired: false)
    let once = words.flag("once", "Send what is due now, then exit")
    let detach = words.flag(
      "detach", "Start a monitor in the background, unless one is running")
    let system = words.flag(
      "system",
      "Print a systemd unit for the whole machine, which runs without a login (with install)")
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
    case .detach: return try await detach(invocation, installer.folders)
    case .install: return try await installer.install()
    case .uninstall:
      try await invocation.passingGate(of: .stopMonitor, installer.folders)
      return try await installer.uninstall()
    case .status:
      var report = try await installer.status()
      guard let (watch, now) = await watch(invocation, installer.folders) else { return report }
      report.lines.append("Watched:  by \(watch.words(now: now))")
      // Without systemd, what counts is whether a monitor is running.
      if watch.isRunning, await installer.manager() == .absent { report.exitCode = .ok }
      return report
    case .printSystemUnit: return try installer.printSystemUnit()
    case .explainSystemUninstall: return installer.explainSystemUninstall()
    }
  }

  /// Returns who watches, as a service or not; `nil` if there is no store to ask.
  private func watch(
    _ invocation: Invocation, _ folders: Folders
  ) async -> (watch: Situation.Watch, now: Date)? {
    guard invocation.machine.entry(folders.database) != .nothing,
      let provide = try? invocation.storeAccess.open(folders, invocation.account, false)
    else { return nil }
    return await withDependencies {
      provide(&$0)
    } operation: {
      @Dependency(\.watchClient) var watchClient
      @Dependency(\.dateClient) var dateClient
      return (await Situation.Watch(watchClient), dateClient.now())
    }
  }

  private func detach(
    _ invocation: Invocation, _ folders: Folders
  ) async throws -> Report {
    guard !invocation.machine.endsMonitors() else {
      throw CommandFailure(
        "This program was built here but not installed: its monitors end with it.",
        advice: "Run make install, then use the installed lifesignal; or run lifesignal monitor,"
          + " which watches until you stop it.")
    }
    let hasPlace = invocation.machine.entry(folders.state) != .nothing
    // Where the disk isn't mounted yet, opening the store must make nothing.
    let running = hasPlace ? await watch(invocation, folders) : nil
    let code = try await invocation.machine.startMonitor(folders)
    let log = "Its log is \(folders.monitorLog)."
    if let code, code != 0 {
      throw CommandFailure("The monitor ended at once, with \(code).", advice: log)
    }
    if let running, running.watch.isRunning {
      return Report(["Already watched by \(running.watch.words(now: running.now))."])
    }
    if code == 0 { return Report(["Another monitor is running already. \(log)"]) }
    guard hasPlace else {
      return Report(
        ["Started a monitor, which waits for the store."],
        warnings: ["There is no account here yet. Run lifesignal to create one."])
    }
    guard running != nil else {
      return Report(["Started a monitor, which waits for the store. \(log)"])
    }
    return Report(["Started a monitor. \(log)"])
  }

  /// Replaces this process.
  /// - Returns: Why that failed.
  private func become(_ invocation: Invocation, _ arguments: [String]) -> CommandFailure {
    let failure = invocation.execMonitor(arguments)
    return CommandFailure(
      "lifesignal-monitor can't be started: \(failure).",
      advice: "Install it in the folder of lifesignal.")
  }
}
