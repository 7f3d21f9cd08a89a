import Clients
import Composable
import Domain
import FoundationEssentials

/// `lifesignal monitor`: replaces itself with `lifesignal-monitor`, starts one in the background,
/// or installs it as a systemd service.
///
/// The monitor is a separate program, so that the app doesn't load the code for sending.
struct MonitorCommand: PlainCommand, LocalCommand, VerbCommand {
  let verb: Verb<Self>

  init(verb: Verb<Self>) { self.verb = verb }

  private enum Way { case here, once, detached }

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
  ) { syntax in
    let once = syntax.flag("once", "Send what is due now, then exit")
    let detach = syntax.flag(
      "detach", "Start a monitor in the background, unless one is running")
    let system = syntax.flag(
      "system",
      "Print a systemd unit for the whole machine, which runs without a login (with install)")
    let way = Reading { arguments -> Way in
      if arguments.isSet(system) {
        throw UsageError.needless(system.declaration, without: "install or uninstall")
      }
      if arguments.isSet(once), arguments.isSet(detach) {
        throw UsageError.conflict(once.declaration, with: detach.declaration)
      }
      return arguments.isSet(once) ? .once : arguments.isSet(detach) ? .detached : .here
    }
    syntax.withoutVerb(way, run: Self.watch)
    syntax.verb(
      "install", "Run the monitor under systemd, now and at every login", refusing: [once, detach],
      system, run: Self.install)
    syntax.verb(
      "uninstall", "Stop it and remove the unit", refusing: [once, detach], system,
      run: Self.uninstall)
    syntax.verb(
      "status", "Show the state of the service; exits with 1 if it isn't running",
      refusing: [once, detach, system], run: Self.status)
    return syntax.chosenVerb
  }

  private func watch(_ invocation: Invocation, _ way: Way) async throws -> Report {
    let installer = try ServiceInstaller(invocation)
    switch way {
    case .here: throw become(invocation, [])
    case .once: throw become(invocation, ["--once"])
    case .detached: return try await detach(invocation, installer.folders)
    }
  }

  private func install(_ invocation: Invocation, forSystem: Bool) async throws -> Report {
    let installer = try ServiceInstaller(invocation)
    return forSystem ? try installer.printSystemUnit() : try await installer.install()
  }

  private func uninstall(_ invocation: Invocation, forSystem: Bool) async throws -> Report {
    let installer = try ServiceInstaller(invocation)
    if forSystem { return installer.explainSystemUninstall() }
    try await invocation.passingGate(of: .stopMonitor, installer.folders)
    return try await installer.uninstall()
  }

  private func status(_ invocation: Invocation) async throws -> Report {
    let installer = try ServiceInstaller(invocation)
    var report = try await installer.status()
    guard let (watch, now) = await watch(invocation, installer.folders) else { return report }
    report.lines.append("Watched:  by \(watch.text(now: now))")
    // Without systemd, what counts is whether a monitor is running.
    if watch.isRunning, await installer.manager() == .absent { report.exitCode = .ok }
    return report
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
      return Report(["Already watched by \(running.watch.text(now: running.now))."])
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
