import Clients

/// Installs the monitor as a systemd service, and removes it.
struct ServiceInstaller: Sendable {
  let invocation: Invocation
  let folders: Folders

  init(_ invocation: Invocation) throws(CommandFailure) {
    self.invocation = invocation
    folders = try invocation.folders()
  }

  private var machine: MachineAccess { invocation.machine }

  /// The path where the user's systemd looks for the unit (systemd.unit(5)).
  var unitPath: String {
    let configurations = folders.config.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    return "\(configurations)/systemd/user/\(ServiceUnit.name)"
  }

  // MARK: User service

  func install() async throws -> Report {
    let unit = try unit(for: .user)
    let manager = await manager()
    guard manager != .absent else { throw noSystemd }
    guard machine.entry(folders.database) != .nothing else {
      throw CommandFailure(
        "There is no account here yet.", advice: "Run lifesignal to create one, then install again."
      )
    }
    var report = Report()
    let origin = try origin(of: unit)
    switch origin {
    case .foreign: throw changedByHand
    case .current: report.lines.append("\(unitPath) already exists.")
    case .outdated, nil:
      do { try machine.writePublicFile(unitPath, Array(unit.text.utf8)) } catch {
        throw CommandFailure("\(unitPath) can't be written: \(error.reason).")
      }
      report.lines.append(
        origin == nil ? "Wrote \(unitPath)." : "Updated \(unitPath).")
    }
    if invocation.variables[Invocation.passwordVariable] != nil {
      report.warnings.append(
        "The service doesn't see \(Invocation.passwordVariable). Save the password with"
          + " lifesignal keychain set smtp-password.")
    }
    guard manager == .present else {
      report.warnings.append(
        "Can't talk to your systemd from here, as after su or sudo. In your own login"
          + " session, run systemctl --user enable --now \(ServiceUnit.name).")
      report.exitCode = .failure
      return report
    }
    try await start(isNew: origin == nil || origin == .current, &report)
    if await lingers() == false {
      report.warnings.append(
        "It stops when you log out. To keep it running, and start it with the machine, run"
          + " loginctl enable-linger.")
    }
    return report
  }

  private func start(isNew: Bool, _ report: inout Report) async throws {
    let start = isNew ? ["enable", "--now"] : ["reenable", "--now"]
    var steps = [["daemon-reload"], start + [ServiceUnit.name]]
    // A running monitor keeps the old unit's settings until it is restarted.
    if !isNew { steps.append(["restart", ServiceUnit.name]) }
    for step in steps {
      let outcome = await systemctl(step)
      guard outcome?.isSuccess == true else {
        let reason = outcome.map(\.output).map(Self.complaint) ?? ""
        throw CommandFailure(
          "The unit is in place, but systemctl --user \(step.joined(separator: " ")) failed\(reason).",
          advice: "See lifesignal monitor status, and journalctl --user -u \(ServiceUnit.name).")
      }
    }
    report.lines.append("It runs now, and starts with your session.")
  }

  func uninstall() async throws -> Report {
    guard let text = try installedText() else {
      return Report(["\(unitPath) doesn't exist. Nothing was done."])
    }
    guard ServiceUnit.isUnchanged(text) else { throw changedByHand }
    var report = Report()
    if await manager() == .present {
      let outcome = await systemctl(["disable", "--now", ServiceUnit.name])
      guard outcome?.isSuccess == true else {
        throw CommandFailure(
          "systemctl --user disable --now failed\(outcome.map(\.output).map(Self.complaint) ?? "").",
          advice: "Nothing was removed.")
      }
      report.lines.append("Stopped the service; it won't start again.")
    } else {
      // The link that makes systemd start it. A manager that can't be reached can't remove it.
      let folder = unitPath.dropLast(ServiceUnit.name.utf8.count)
      let link = "\(folder)default.target.wants/\(ServiceUnit.name)"
      if machine.entry(link) == .link { try remove(link, &report) }
      report.warnings.append(
        "Can't talk to your systemd from here; a monitor that it started runs until your"
          + " session ends.")
    }
    try remove(unitPath, &report)
    _ = await systemctl(["daemon-reload"])
    return report
  }

  private func remove(_ path: String, _ report: inout Report) throws {
    do {
      if try machine.removeFile(path) { report.lines.append("Removed \(path).") }
    } catch { throw CommandFailure("\(path) cannot be removed: \(error.reason).") }
  }

  func status() async throws -> Report {
    let text = try installedText()
    let unit =
      switch text.map(ServiceUnit.isUnchanged) {
      case nil: "not installed. Run lifesignal monitor install."
      case true?: unitPath
      case false?: "\(unitPath), changed by hand"
      }
    var lines = ["Unit:     \(unit)"]
    switch await manager() {
    case .present: break
    case .absent where text == nil: return Report(["systemd:  none here"], exitCode: .failure)
    case .absent, .unreachable:
      return Report(lines + ["systemd:  can't be asked from here"], exitCode: .failure)
    }
    let state = await state()
    lines.append("systemd:  \(state.text)")
    switch await lingers() {
    case true?: lines.append("Linger:   yes, it keeps running when you log out")
    case false?: lines.append("Linger:   no, it stops when you log out: loginctl enable-linger")
    case nil: break
    }
    return Report(lines, exitCode: state.isActive ? .ok : .failure)
  }

  // MARK: System service

  /// Prints the unit and says what an administrator must do with it. This program never needs their
  /// rights.
  func printSystemUnit() throws -> Report {
    guard let user = machine.userName() else {
      throw CommandFailure("Your user name is not known.")
    }
    let place = "/etc/systemd/system/\(ServiceUnit.name)"
    return Report(
      warnings: [
        "An administrator puts this into \(place), and runs systemctl daemon-reload and systemctl"
          + " enable --now \(ServiceUnit.name)."
      ], verbatim: String(try unit(for: .system(user: user)).text.dropLast()))
  }

  func explainSystemUninstall() -> Report {
    Report([
      "As an administrator, run systemctl disable --now \(ServiceUnit.name), delete"
        + " /etc/systemd/system/\(ServiceUnit.name), and run systemctl daemon-reload."
    ])
  }

  // MARK: State

  /// Whether the user's systemd can be queried.
  enum Manager: Equatable, Sendable { case present, unreachable, absent }

  func manager() async -> Manager {
    guard case .folder = machine.entry("/run/systemd/system"),
      let outcome = await systemctl(["show", "--property=Version"])
    else { return .absent }
    return outcome.isSuccess ? .present : .unreachable
  }

  func state() async -> SystemdState {
    let properties = SystemdState.properties.joined(separator: ",")
    let outcome = await systemctl(["show", ServiceUnit.name, "--property=\(properties)"])
    return SystemdState(properties: outcome?.output ?? "")
  }

  /// Returns whether the user's services keep running after logout; `nil` if unknown.
  func lingers() async -> Bool? {
    guard let user = machine.userName(),
      let outcome = await machine.run(["loginctl", "show-user", user, "--property=Linger"]),
      outcome.isSuccess
    else { return nil }
    return outcome.output.contains("Linger=yes")
  }

  /// Returns the installed unit's text; `nil` if there is none.
  func installedText() throws -> String? {
    if machine.entry(unitPath) == .link { throw changedByHand }
    do {
      return try invocation.readFile(unitPath, 65_536).map { String(decoding: $0, as: UTF8.self) }
    } catch { throw CommandFailure("\(unitPath) can't be read: \(error.reason).") }
  }

  private func origin(of unit: ServiceUnit) throws -> ServiceUnit.Origin? {
    try installedText().map { unit.origin(of: $0) }
  }

  private func unit(for manager: ServiceUnit.Manager) throws -> ServiceUnit {
    try refuseBuildFolder()
    let program = try machine.monitorProgram()
    guard case .file = machine.entry(program) else {
      throw CommandFailure(
        "There is no \(program).", advice: "lifesignal-monitor must be beside lifesignal.")
    }
    do {
      return try ServiceUnit(
        for: manager, program: program, folders: folders, variables: invocation.variables)
    } catch { throw CommandFailure("No unit can hold \(quoted(error.text)).") }
  }

  /// A build takes its programs away at any time, so nothing that outlives it may rely on them.
  private func refuseBuildFolder() throws(CommandFailure) {
    guard machine.isInBuildFolder() else { return }
    throw CommandFailure(
      "This program was built here but not installed, so no service can rely on it.",
      advice: "Run make install, then use the installed lifesignal.")
  }

  private func systemctl(_ words: [String]) async -> ProgramOutcome? {
    await machine.run(["systemctl", "--user", "--no-pager"] + words)
  }

  private var changedByHand: CommandFailure {
    CommandFailure(
      "\(unitPath) was edited by hand, so it wasn't changed.",
      advice:
        "Put changes into a drop-in with systemctl --user edit \(ServiceUnit.name); then delete"
        + " the file and install again.")
  }

  private var noSystemd: CommandFailure {
    CommandFailure(
      "This machine doesn't use systemd.",
      advice:
        "Run lifesignal monitor --detach, which outlives the terminal, and let cron start it with"
        + " the machine: \(machine.crontabLine)")
  }

  /// Formats what systemctl complains about, such as `: Unit is masked`, without its actions and
  /// hints; empty if there is nothing.
  private static func complaint(_ output: String) -> String {
    let line = output.split(separator: "\n").first {
      !$0.hasPrefix("Created symlink") && !$0.hasPrefix("See ")
    }
    guard let line else { return "" }
    return ": \(line.hasSuffix(".") ? line.dropLast() : line)"
  }
}
