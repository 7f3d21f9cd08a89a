import Clients
import Domain
import Testing

@testable import CommandLine

/// `lifesignal monitor install`, `uninstall`, `status` and `--detach`.
struct ServiceCommandTests {
  let world = World()
  static let unit = "/home/ada/.config/systemd/user/lifesignal-monitor.service"
  static let systemctl = "systemctl --user --no-pager "

  init() {
    world[\.entries] = [
      "/run/systemd/system": .folder(mode: 0o755, isOwn: false),
      "/usr/local/bin/lifesignal-monitor": .file(mode: 0o755, isOwn: false),
      "/home/ada/.local/share/lifesignal/lifesignal.db": .file(mode: 0o600, isOwn: true),
      "/home/ada/.local/state/lifesignal": .folder(mode: 0o700, isOwn: true),
    ]
    world[\.programs] = [
      "systemctl": ProgramOutcome(code: 0),
      "loginctl show-user ada": ProgramOutcome(code: 0, output: "Linger=yes\n"),
    ]
  }

  private var text: String? {
    (try? world[\.files][Self.unit]?.get()).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The commands to systemctl, without queries.
  private var deeds: [String] {
    world[\.programsRun].filter { $0.hasPrefix(Self.systemctl) && !$0.contains(" show ") }
      .map { String($0.dropFirst(Self.systemctl.count)) }
  }

  @Test func install_writesTheUnitAndStartsIt() async throws {
    await world.expect(
      "monitor install",
      .init(0, "Wrote \(Self.unit).\nIt runs now, and starts with your session.\n"))
    #expect(text?.contains("ExecStart=\"/usr/local/bin/lifesignal-monitor\"") == true)
    #expect(deeds == ["daemon-reload", "enable --now lifesignal-monitor.service"])
  }

  @Test(
    "A monitor in a build folder is not installed or detached; the error says to run make install",
    arguments: ["monitor install", "monitor install --system", "monitor --detach"])
  func build(words: String) async {
    world[\.isInBuildFolder] = true
    let outcome = await world.run(words)
    #expect(outcome.exitCode == 1)
    #expect(outcome.errorOutput.contains("was built here but not installed"))
    #expect(outcome.errorOutput.contains("Run make install"))
    #expect(text == nil && deeds.isEmpty && world[\.monitorsStarted] == 0)
  }

  @Test func install_again_changesNothing() async {
    _ = await world.run("monitor install")
    let first = text
    await world.expect(
      "monitor install",
      .init(0, "\(Self.unit) already exists.\nIt runs now, and starts with your session.\n"))
    #expect(text == first)
  }

  @Test func install_replacesWhatAnEarlierOneWrote() async throws {
    world[\.variables] = ["HOME": "/home/ada", "XDG_STATE_HOME": "/var/ada"]
    _ = await world.run("monitor install")
    world[\.variables] = ["HOME": "/home/ada"]
    let outcome = await world.run("monitor install")
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.hasPrefix("Updated \(Self.unit).\n"))
    #expect(deeds.suffix(1) == ["restart lifesignal-monitor.service"])
    #expect(text?.contains("/var/ada") == false)
  }

  @Test(arguments: ["install", "uninstall"])
  func changedUnit_isLeftAsItIs(action: String) async {
    _ = await world.run("monitor install")
    let edited = (text ?? "") + "Environment=TZ=UTC\n"
    world[\.files][Self.unit] = .success(Array(edited.utf8))
    world[\.programsRun] = []
    let outcome = await world.run("monitor \(action)")
    #expect(outcome.exitCode == 1)
    #expect(outcome.errorOutput.contains("was edited by hand"))
    #expect(outcome.errorOutput.contains("systemctl --user edit"))
    #expect(text == edited)
    #expect(deeds.isEmpty)
  }

  @Test func linkInItsPlace_isLeftAsItIs() async {
    world[\.entries][Self.unit] = .link
    #expect(await world.run("monitor install").exitCode == 1)
    #expect(text == nil)
  }

  @Test func withoutLinger_saysWhatRemains() async {
    world[\.programs]["loginctl show-user ada"] = .init(code: 0, output: "Linger=no\n")
    let outcome = await world.run("monitor install")
    #expect(outcome.exitCode == 0)
    #expect(outcome.errorOutput.contains("run loginctl enable-linger"))
  }

  @Test func unreachableSystemd_writesAndSaysWhatRemains() async {
    world[\.programs]["systemctl"] = .init(code: 1, output: "Failed to connect to bus\n")
    let outcome = await world.run("monitor install")
    #expect(outcome.exitCode == 1)
    #expect(outcome.output == "Wrote \(Self.unit).\n")
    #expect(
      outcome.errorOutput.contains("systemctl --user enable --now lifesignal-monitor.service"))
    #expect(deeds.isEmpty)
  }

  @Test(arguments: [true, false])
  func withoutSystemd_saysHowElse(hasTool: Bool) async {
    if hasTool {
      world[\.entries]["/run/systemd/system"] = nil
    } else {
      world[\.programs] = [:]
    }
    let outcome = await world.run("monitor install")
    #expect(outcome.exitCode == 1)
    #expect(outcome.errorOutput.contains("doesn't use systemd"))
    #expect(outcome.errorOutput.contains("lifesignal monitor --detach"))
    #expect(text == nil)
  }

  @Test func failingStart_isToldWithItsReason() async {
    world[\.programs][Self.systemctl + "enable"] = .init(
      code: 1,
      output:
        "Created symlink a → b.\nFailed to enable unit: Unit is masked.\nSee \"journalctl\".\n")
    let outcome = await world.run("monitor install")
    #expect(outcome.exitCode == 1)
    #expect(outcome.errorOutput.contains(" failed: Failed to enable unit: Unit is masked. See"))
  }

  @Test func withoutAccount_installsNothing() async {
    world[\.entries]["/home/ada/.local/share/lifesignal/lifesignal.db"] = nil
    let outcome = await world.run("monitor install")
    #expect(outcome.exitCode == 1)
    #expect(outcome.errorOutput.contains("There is no account here yet."))
    #expect(text == nil)
  }

  @Test func passwordInTheEnvironment_isNoted_notWritten() async {
    world[\.variables]["LIFESIGNAL_SMTP_PASSWORD"] = "…"
    let outcome = await world.run("monitor install")
    #expect(outcome.errorOutput.contains("lifesignal keychain set smtp-password"))
    #expect(text?.contains("PASSWORD") == false)
  }

  @Test func uninstall_removesWhatInstallWrote() async {
    _ = await world.run("monitor install")
    world[\.programsRun] = []
    await world.expect(
      "monitor uninstall",
      .init(0, "Stopped the service; it won't start again.\nRemoved \(Self.unit).\n"))
    #expect(text == nil)
    #expect(deeds == ["disable --now lifesignal-monitor.service", "daemon-reload"])
    await world.expect(
      "monitor uninstall", .init(0, "\(Self.unit) doesn't exist. Nothing was done.\n"))
  }

  @Test("CHK-3: monitor uninstall runs the monitor once first, and prints the same under duress")
  func uninstall_sendsFirst() async throws {
    await world.openAccount()
    try await world.values.authClient.updateGate(
      Gate(passphrase: Secret("blue kettle"), duress: Secret("green kettle")))
    var outcomes: [World.Outcome] = []
    for passphrase in ["blue kettle", "green kettle", "red kettle"] {
      _ = await world.run("monitor install")
      world[\.programsRun] = []
      world[\.secret] = .success(passphrase)
      outcomes.append(await world.run("monitor uninstall"))
      #expect(world[\.programsRun].first == "/usr/local/bin/lifesignal-monitor --once")
      #expect(deeds.isEmpty == (passphrase == "red kettle"))
    }
    #expect(outcomes[0] == outcomes[1] && outcomes[0].exitCode == 0)
    #expect(outcomes[2].exitCode == 40)
    #expect(try await world.values.authClient.$silentAlert(typing: Secret("blue kettle")) != nil)
  }

  @Test func uninstallWithoutSystemd_removesTheLinkToo() async {
    _ = await world.run("monitor install")
    let link =
      "/home/ada/.config/systemd/user/default.target.wants/lifesignal-monitor.service"
    world[\.entries][link] = .link
    world[\.programs]["systemctl"] = .init(code: 1)
    let outcome = await world.run("monitor uninstall")
    #expect(outcome.output == "Removed \(link).\nRemoved \(Self.unit).\n")
    #expect(outcome.errorOutput.contains("runs until your session ends"))
  }

  @Test func status_tellsHowItFares() async {
    _ = await world.run("monitor install")
    world[\.programs][Self.systemctl + "show lifesignal-monitor.service"] = .init(
      code: 0,
      output: """
        LoadState=loaded
        ActiveState=active
        SubState=running
        UnitFileState=enabled
        StatusText=watching 1 account, 0 waiting
        NRestarts=2

        """)
    await world.expect(
      "monitor status",
      .init(
        0,
        """
        Unit:     \(Self.unit)
        systemd:  active (running), enabled, restarted 2 times: watching 1 account, 0 waiting
        Linger:   yes, it keeps running when you log out
        Watched:  by nobody. Start one with lifesignal monitor.

        """))
  }

  @Test func statusWithoutService_failsAndSaysSo() async {
    let outcome = await world.run("monitor status")
    #expect(outcome.exitCode == 1)
    #expect(outcome.output.contains("not installed. Run lifesignal monitor install."))
  }

  @Test("Without systemd, monitor status shows a running monitor and exits with 0")
  func statusOfAnotherMonitor() async throws {
    await world.openAccount()
    try await world.watch()
    world[\.entries]["/home/ada/.local/share/lifesignal/lifesignal.db"] = .file(
      mode: 0o600, isOwn: true)
    #expect(await world.run("monitor status").exitCode == 1)
    world[\.entries]["/run/systemd/system"] = .nothing
    let outcome = await world.run("monitor status")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.output.hasSuffix("\nWatched:  by 1 monitor, last seen 0s ago\n"),
      "\(outcome.output)")
  }

  @Test func system_printsAUnitForThePerson_andTouchesNothing() async {
    let outcome = await world.run("monitor install --system")
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.contains("\nUser=ada\n"))
    #expect(outcome.errorOutput.contains("/etc/systemd/system/lifesignal-monitor.service"))
    #expect(world[\.programsRun].isEmpty)
    #expect(await world.run("monitor uninstall --system").output.contains("disable --now"))
  }

  @Test func detach_startsOne() async {
    let outcome = await world.run("monitor --detach")
    #expect(outcome.exitCode == 0 && outcome.output.hasPrefix("Started a monitor. Its log is "))
    #expect(world[\.monitorsStarted] == 1)
    world[\.monitorFailure] = .unknown("no such file")
    #expect(await world.run("monitor --detach").exitCode == 1)
  }

  @Test func detach_besideARunningMonitor() async throws {
    await world.openAccount()
    try await world.watch()
    await world.expect(
      "monitor --detach", .init(0, "Already watched by 1 monitor, last seen 0s ago.\n"))
  }

  @Test(
    arguments: [
      ("monitor --once --detach", "--once does not go with --detach."),
      ("monitor install --once", "--once does not go with install."),
      ("monitor status --system", "--system does not go with status."),
      ("monitor --system", "--system goes with install or uninstall only."),
      ("monitor instal", "“instal” isn't possible here."),
    ])
  func misuse(words: String, message: String) async {
    let outcome = await world.run(words)
    #expect(outcome.exitCode == 2)
    #expect(outcome.errorOutput.contains(message), "\(outcome.errorOutput)")
  }
}
