import Clients
import Domain
import FoundationEssentials
import Testing

@testable import CommandLine

/// The doctor's checks, one by one, without side effects.
struct DoctorChecksTests {
  static let now = World.start
  static let folders = Folders(data: "/d", config: "/c", state: "/s")

  @Test("SCH-3: doctor reports zone data that is missing or has changed since")
  func zoneData() throws {
    var user = User(
      id: UUID(), profile: Profile(name: "Ada"), lastCheckIn: Self.now, createdAt: Self.now)
    #expect(WatchChecks.zoneData(of: user) == nil)
    user = try user.changing(to: Promise(parsing: "9:00", zone: "Europe/Berlin"), at: Self.now)
    #expect(WatchChecks.zoneData(of: user) == nil)
    var changed = user
    changed.schedule?.rule = "CET-1"
    #expect(WatchChecks.zoneData(of: changed)?.found.contains("have changed") == true)
    changed.schedule?.times = try SetTimes(parsing: "9:00", zone: "Atlantis/Capital")
    let missing = try #require(WatchChecks.zoneData(of: changed))
    #expect(missing.mark == .warning && missing.advice == "Install the package tzdata.")
  }

  // MARK: Mail

  @Test(
    "DUR-1: doctor warns if the user's own mailbox sends the mail and a responder has only e-mail")
  func mailbox() throws {
    func contact(_ channels: [Channel.Kind], _ roles: Roles = .responder) -> Contact {
      Contact(
        id: UUID(), name: "Bo", roles: roles,
        channels: channels.map { Channel(id: UUID(), kind: $0, address: "\($0)@example.org") },
        addedAt: Self.now)
    }
    func find(_ sender: String?, _ contacts: [Contact], email: String? = "ada@example.org")
      -> Finding?
    {
      let user = User(
        id: UUID(), profile: Profile(name: "Ada", email: email), lastCheckIn: Self.now,
        createdAt: Self.now)
      return WatchChecks.mailbox(sender, of: user, contacts)
    }
    let mailOnly = contact([.email])
    let found = try #require(find("Ada@Example.org", [contact([.email, .ntfy]), mailOnly]))
    #expect(found.mark == .warning)
    #expect(found.found.contains("a copy may appear in your Sent folder"))
    #expect(find("server@example.org", [mailOnly]) == nil)
    #expect(find(nil, [mailOnly]) == nil && find("ada@example.org", [mailOnly], email: nil) == nil)
    #expect(find("ada@example.org", [contact([.email, .ntfy])]) == nil)
    #expect(find("ada@example.org", [contact([.email], .dependent)]) == nil)
  }

  // MARK: Files

  private func files(_ entries: [String: PathEntry]) -> [Finding] {
    FileChecks.files(FileChecks.places(Self.folders) { entries[$0] ?? .nothing })
  }

  @Test func files_inOrder() {
    let found = files([
      "/d": .folder(mode: 0o700, isOwn: true), "/d/lifesignal.db": .file(mode: 0o600, isOwn: true),
    ])
    #expect(found.map(\.mark) == [.ok])
    #expect(files([:]).map(\.mark) == [.ok])
  }

  @Test(
    arguments: [
      ("/d", PathEntry.folder(mode: 0o755, isOwn: true), "chmod 700 /d"),
      ("/s", .folder(mode: 0o701, isOwn: true), "chmod 700 /s"),
      ("/d/backups", .folder(mode: 0o750, isOwn: true), "chmod 700 /d/backups"),
      ("/d/lifesignal.db", .file(mode: 0o640, isOwn: true), "chmod 600 /d/lifesignal.db"),
      ("/d/lifesignal.db-wal", .file(mode: 0o604, isOwn: true), "chmod 600 /d/lifesignal.db-wal"),
      ("/d/secrets.json", .file(mode: 0o602, isOwn: true), "chmod 600 /d/secrets.json"),
      ("/d/lifesignal.db-shm", .file(mode: 0o400, isOwn: true), "chmod 600 /d/lifesignal.db-shm"),
      ("/s", .link, "symbolic link"), ("/d/lifesignal.db", .link, "symbolic link"),
      ("/s/store-exists", .file(mode: 0o600, isOwn: false), "belongs to another user"),
      ("/d/lifesignal.db", .folder(mode: 0o700, isOwn: true), "is not a file"),
      ("/d", .file(mode: 0o600, isOwn: true), "is not a folder"),
      ("/s", .other, "is not a folder"), ("/d", .hidden("Permission denied"), "Permission denied"),
    ])
  func files_outOfOrder(path: String, entry: PathEntry, words: String) throws {
    let found = try #require(files([path: entry]).first)
    #expect(found.mark == .failure)
    #expect(found.line(usesASCII: false).contains(words), "\(found)")
    #expect(found.found.contains(path))
  }

  @Test("Doctor fails if others can change the settings, and prints the command that fixes it")
  func exposure() {
    let open = ConfigurationExposure(path: "/c/my config.json5", fault: .open)
    #expect(
      FileChecks.files([], exposure: open) == [
        .failure(
          .files, "Others can change /c/my config.json5.",
          "Run chmod go-w '/c/my config.json5'.")
      ])
    let foreign = ConfigurationExposure(path: "/c", fault: .foreign)
    #expect(
      FileChecks.files([], exposure: foreign) == [
        .failure(
          .files, "/c belongs to another user.", #"Run sudo chown "$USER" /c."#)
      ])
  }

  // MARK: Store and backups

  @Test func store() {
    let well = StoreExamination(schema: 2, bytes: 139_264)
    let broken = StoreExamination(schema: 2, bytes: 1, fault: "row 3 missing")
    #expect(FileChecks.store(opening: nil, examination: well, now: Self.now).mark == .ok)
    #expect(FileChecks.store(opening: nil, examination: nil, now: Self.now).mark == .warning)
    let damaged = FileChecks.store(opening: nil, examination: broken, now: Self.now)
    #expect(damaged.mark == .failure && damaged.found.contains("row 3 missing"))
    #expect(damaged.advice?.contains("lifesignal restore") == true)
    let full = StoreExamination(schema: 2, bytes: 139_264, isDiskFull: true)
    let cramped = FileChecks.store(opening: nil, examination: full, now: Self.now)
    #expect(cramped.mark == .failure && cramped.found.contains("The disk is full"))
    var rebuilt = well
    rebuilt.rebuiltAt = Self.now - .days(3)
    #expect(FileChecks.store(opening: nil, examination: rebuilt, now: Self.now).mark == .warning)
    rebuilt.rebuiltAt = Self.now - .days(31)
    #expect(FileChecks.store(opening: nil, examination: rebuilt, now: Self.now).mark == .ok)
    for error in [
      StorageError.missing(path: "/d"), .corrupt(detail: "It is a letter."),
      .newerSchema(found: 9, known: 2), .permissionDenied("others can enter /d"), .busy,
    ] {
      let found = FileChecks.store(opening: error, examination: nil, now: Self.now)
      #expect(found.mark == .failure && found.found == error.errorDescription)
    }
  }

  @Test(
    arguments: [
      (nil, nil, Finding.Mark.warning), (3_600, 0, .ok), (86_400 * 9, 86_400 * 8, .ok),
      (86_400 * 4, 3_600, .warning), (3_600, nil, .ok),
    ] as [(Int?, Int?, Finding.Mark)])
  func backup(age: Int?, changed: Int?, mark: Finding.Mark) {
    let backups = age.map {
      [StoreBackup(name: "b", madeAt: Self.now - .seconds($0), bytes: 1)]
    }
    let change = changed.map { Self.now - .seconds($0) }
    #expect(FileChecks.backup(backups ?? [], lastChange: change, now: Self.now).mark == mark)
  }

  // MARK: Watch and delivery

  private func check(
    _ configuration: Configuration, _ password: PasswordSource,
    exposure: ConfigurationExposure? = nil
  ) -> Finding {
    WatchChecks.configuration(
      .success(SavedConfiguration(configuration, exposure: exposure)), password: password)
  }

  @Test func configuration() {
    let smtp = SMTPSettings(
      host: "mail", port: 587, security: .starttls, username: "ada", from: "a@example.org")
    var open = smtp
    open.username = nil
    #expect(check(Configuration(smtp: smtp), .variable).mark == .ok)
    #expect(check(Configuration(smtp: open), .missing).mark == .ok)
    #expect(check(Configuration(smtp: nil), .variable).mark == .failure)
    #expect(
      check(Configuration(smtp: smtp), .missing).advice?.contains("keychain set smtp-password")
        == true)
    let error = ConfigurationError(line: 3, reason: "smtp.port must be 1 to 65535")
    let found = WatchChecks.configuration(.failure(error), password: .variable)
    #expect(found.mark == .failure && found.found.contains("line 3"))
    let sendmail = Configuration(sendmail: SendmailSettings(path: "/usr/sbin/sendmail"))
    #expect(
      check(sendmail, .missing)
        == .ok(.configuration, "Mail is sent by /usr/sbin/sendmail."))
  }

  @Test(
    "Doctor names the source of the mail password, or the reason why the password can't be read",
    arguments: [
      (PasswordSource.variable, "LIFESIGNAL_SMTP_PASSWORD"),
      (.kept(.credentials(folder: "/run/c")), "systemd's credentials (/run/c)"),
      (.kept(.command(program: "pass")), "the command pass"),
      (.kept(.keyring), "the desktop's keyring"), (.kept(.file(path: "/s.json")), "/s.json"),
    ])
  func password(source: PasswordSource, words: String) {
    let smtp = SMTPSettings(
      host: "mail", port: 587, security: .starttls, username: "ada", from: "a@example.org")
    #expect(
      check(Configuration(smtp: smtp), source)
        == .ok(
          .configuration,
          "Mail is sent through mail, port 587; the password comes from \(words)."))
    let unreadable = check(
      Configuration(smtp: smtp), .unreadable(.unavailable("the command failed")))
    #expect(
      unreadable
        == .failure(
          .configuration,
          "There is no password for mail: The saved secrets can't be read: the command failed.",
          nil))
  }

  @Test(
    "If others can change the settings, doctor says that mail with a login or sendmail isn't sent")
  func exposedCommands() {
    let exposure = ConfigurationExposure(path: "/c/config.json5", fault: .open)
    let smtp = SMTPSettings(
      host: "mail", port: 587, security: .starttls, username: "ada", from: "a@example.org",
      passwordCommand: SecretCommand(["pass"]))
    let refused = Finding.failure(
      .configuration, "Mail isn't sent, because others can change the mail settings.",
      "Run chmod go-w /c/config.json5.")
    let sendmail = Configuration(sendmail: SendmailSettings(path: "/usr/sbin/sendmail"))
    #expect(check(sendmail, .missing, exposure: exposure) == refused)
    #expect(check(Configuration(smtp: smtp), .missing, exposure: exposure) == refused)
    #expect(check(Configuration(smtp: smtp), .variable, exposure: exposure) == refused)
    var plain = smtp
    plain.username = nil
    #expect(check(Configuration(smtp: plain), .missing, exposure: exposure).mark == .ok)
  }

  @Test("Doctor names the host that the error log is sent to, without the URL's path and key")
  func errorLog() {
    let settings = ErrorLogSettings(url: "https://logs.example.org/in/7f3a?key=hunter2")
    #expect(
      WatchChecks.errorLog(settings)
        == .ok(
          .errorLog,
          "The error log is also sent to logs.example.org, as set in config.json5. It contains no names."
        ))
  }

  @Test func watch() {
    func check(_ status: WatchStatus?) -> Finding { WatchChecks.watch(status, now: Self.now) }
    let well = check(WatchStatus(monitors: 2, lastSeen: Self.now - .seconds(3), problem: nil))
    #expect(well == .ok(.watch, "Watched by 2 monitors, last seen 3s ago."))
    #expect(check(WatchStatus(monitors: 0, lastSeen: nil, problem: nil)).mark == .failure)
    #expect(check(nil).mark == .failure)
    let blocked = check(WatchStatus(monitors: 1, lastSeen: Self.now, problem: "no password"))
    #expect(blocked.mark == .failure && blocked.found.contains("no password"))
    let noticed = check(WatchStatus(monitors: 1, lastSeen: Self.now, notice: "It is refused."))
    #expect(noticed.mark == .warning && noticed.found == "It is refused.")
    let standby = StandbyStatus(
      Standby(heartbeat: "https://hc-ping.com/x"), heartbeatAnswer: "")
    #expect(
      check(WatchStatus(monitors: 0, standby: standby)).found
        == "No monitor is running, but hc-ping.com notices that the heartbeat stopped.")
  }

  private func contact(_ name: String, email: String?, roles: Roles = .responder) -> Contact {
    Contact(
      id: UUID(), name: name, roles: roles,
      channels: email.map { [Channel(id: UUID(), kind: .email, address: $0)] } ?? [],
      addedAt: Self.now)
  }

  @Test func responders() {
    let bo = contact("Bo", email: "bo@example.org")
    let dependent = contact("Erik", email: nil, roles: .dependent)
    #expect(WatchChecks.responders([bo, dependent]).found == "1 responder has a channel.")
    #expect(WatchChecks.responders([dependent]).mark == .failure)
    let found = WatchChecks.responders([bo, contact("Cy", email: nil), contact("Di", email: nil)])
    #expect(found.mark == .failure && found.found.hasPrefix("Cy and Di can't be notified"))
  }

  private func report(_ state: DeliveryState, error: String?, minutesAgo: Int) -> AlertReport {
    let date = Self.now - .minutes(minutesAgo)
    return AlertReport(
      alert: Alert(id: UUID(), kind: .manual, raisedAt: date),
      deliveries: [
        DeliveryReport(
          id: UUID(), stage: .alertOn, recipientID: .contact(UUID()), recipient: "Bo",
          channel: .email,
          address: "bo@example.org", state: state, date: date, error: error)
      ])
  }

  private func deliveries(_ alerts: [AlertReport], _ others: [DeliveryReport] = []) -> Finding {
    WatchChecks.deliveries(alerts, others, calendar: .utc, now: Self.now)
  }

  @Test func deliveries() {
    #expect(deliveries([]).mark == .ok)
    let failed = report(.failed, error: "550 no such user", minutesAgo: 5)
    let waiting = report(.pending, error: "connection refused", minutesAgo: 5)
    let sent = report(.sent, error: nil, minutesAgo: 1)
    let found = deliveries([failed])
    #expect(
      found.mark == .failure
        && found.found.hasPrefix("The last message to Bo by e-mail, planned today"))
    #expect(found.found.hasSuffix(", was not sent: 550 no such user."))
    #expect(deliveries([waiting]).mark == .failure)
    #expect(deliveries([failed, sent]).mark == .ok)
    #expect(deliveries([report(.failed, error: "x", minutesAgo: 0), sent]).mark == .failure)
    #expect(
      deliveries([report(.pending, error: nil, minutesAgo: 0)]).found
        == "No message has been sent yet.")
  }

  @Test("Doctor counts a failed message outside alerts as a failure until a later message is sent")
  func otherMessages() {
    var test = report(.pending, error: "no route", minutesAgo: 3).deliveries[0]
    #expect(deliveries([], [test]).mark == .failure)
    #expect(deliveries([report(.sent, error: nil, minutesAgo: 1)], [test]).mark == .ok)
    #expect(deliveries([report(.sent, error: nil, minutesAgo: 9)], [test]).mark == .failure)
    test.recipientID = .owner
    #expect(deliveries([], [test]).found.hasPrefix("The last message to you by "))
  }

  @Test func service() {
    var state = SystemdState(properties: "ActiveState=active\nSubState=running\n")
    func mark(_ installed: Bool, _ lingers: Bool?) -> Finding.Mark {
      WatchChecks.service(.present, isInstalled: installed, state: state, lingers: lingers).mark
    }
    #expect(mark(true, true) == .ok)
    #expect(mark(true, nil) == .ok)
    #expect(mark(true, false) == .warning)
    state = SystemdState(properties: "ActiveState=failed\nSubState=failed\n")
    #expect(mark(true, true) == .failure)
    #expect(mark(false, true) == .warning)
    #expect(
      WatchChecks.service(.unreachable, isInstalled: true, state: state, lingers: nil).mark
        == .warning)
  }

  @Test(
    "Without systemd, doctor accepts only a crontab line that starts the monitor",
    arguments: [
      ("@reboot lifesignal monitor --detach\n", .ok),
      ("MAILTO=ada\n  */5 * * * * /usr/local/bin/lifesignal-monitor --if-none\n", .ok),
      ("# @reboot lifesignal monitor --detach\n", .warning),
      ("@daily lifesignal check-in\n", .warning), ("no crontab for ada\n", .warning),
      (nil, .warning),
    ] as [(String?, Finding.Mark)])
  func crontab(_ text: String?, _ mark: Finding.Mark) {
    let found = WatchChecks.service(
      .absent, isInstalled: false, state: SystemdState(), lingers: nil, crontab: text)
    #expect(found.mark == mark)
  }

  @Test func testDelivery() {
    let sent = ProgramOutcome(code: 0, output: "A test message was sent to ada@example.org.\n")
    #expect(
      WatchChecks.testDelivery(sent)
        == .ok(.testDelivery, "A test message was sent to ada@example.org."))
    let refused = ProgramOutcome(code: 1, output: "lifesignal-monitor: 535 wrong password.\n")
    let found = WatchChecks.testDelivery(refused)
    #expect(found.mark == .failure)
    #expect(found.found == "The test message wasn't sent. 535 wrong password.")
    #expect(WatchChecks.testDelivery(nil).mark == .failure)
  }

  // MARK: Environment

  @Test(
    arguments: [
      (true, nil, Finding.Mark.ok), (false, nil, .warning), (nil, nil, .warning),
      (true, 60, .ok), (true, 3_600, .failure), (nil, 3_600, .failure),
    ] as [(Bool?, Int?, Finding.Mark)])
  func clock(isSynchronized: Bool?, ahead: Int?, mark: Finding.Mark) {
    let found = SurroundingsChecks.clock(
      isSynchronized: isSynchronized, lastSeen: ahead.map { Self.now + .seconds($0) },
      now: Self.now)
    #expect(found.mark == mark)
  }

  @Test(
    arguments: [
      (["TERM": "xterm-256color", "LANG": "C.UTF-8"], Finding.Mark.ok, "256 colours"),
      (["TERM": "xterm", "LC_ALL": "de_DE.utf8", "LANG": "C"], .ok, "16 colours"),
      (["TERM": "xterm", "COLORTERM": "truecolor", "LC_CTYPE": "en_GB.UTF-8"], .ok, "all colours"),
      (["TERM": "xterm", "NO_COLOR": "1", "LANG": "C.UTF-8"], .ok, "no colours"),
      (["LANG": "C.UTF-8"], .warning, "TERM is not set"),
      (["TERM": "dumb", "LANG": "C.UTF-8"], .warning, "lifesignal --plain"),
      (["TERM": "xterm"], .warning, "LANG"), (["TERM": "xterm", "LANG": "C"], .warning, "--ascii"),
    ])
  func terminal(variables: [String: String], mark: Finding.Mark, words: String) {
    let found = SurroundingsChecks.terminal(variables: variables, isTerminal: true)
    #expect(found.mark == mark)
    #expect(found.line(usesASCII: true).contains(words), "\(found)")
    #expect(SurroundingsChecks.terminal(variables: [:], isTerminal: false).mark == .ok)
  }

  @Test func marks_areNeverTheirColourAlone() {
    let findings = [
      Finding.ok(.clock, "A."), .warning(.clock, "B.", "Do."), .failure(.clock, "C.", nil),
    ]
    #expect(findings.map { $0.line(usesASCII: false) } == ["✓ A.", "! B. Do.", "✗ C."])
    #expect(findings.map { $0.line(usesASCII: true) } == ["+ A.", "! B. Do.", "x C."])
  }
}
