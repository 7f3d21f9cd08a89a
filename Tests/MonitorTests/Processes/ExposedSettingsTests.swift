import Clients
import DeliveryTesting
import Domain
import Foundation
import Glibc
import Testing

/// The built program with settings that others can write: programs named there aren't run, and
/// servers named there get no secret.
@Suite(.timeLimit(.minutes(2))) struct ExposedSettingsTests {
  private static let problem =
    "others can change config.json5, so sendmail is not run; chmod go-w fixes it, as"
    + " lifesignal doctor says"

  /// Configures a sendmail program that leaves a note when it runs.
  /// - Returns: The path of the note.
  private func configureSendmail(_ home: Home) throws -> String {
    let program = home.folders.config + "/sendmail"
    let note = home.folders.config + "/was-run"
    try Data("#!/bin/sh\ncat > /dev/null\necho run >> \(note)\n".utf8)
      .write(to: URL(filePath: program))
    chmod(program, 0o700)
    try home.configure("{sendmail: {path: '\(program)', from: 'a@example.org'}}")
    return note
  }

  @Test("A config.json5 that others can write runs no sendmail, shows why, and works after chmod")
  func sendmail() async throws {
    let home = try Home()
    try await home.openOverdueAccount()
    let note = try configureSendmail(home)
    chmod(home.folders.configuration, 0o660)
    let clients = try home.clients()
    let process = try home.start()
    for try await status in clients.watchClient.observe() where status.problem == Self.problem {
      #expect(status.failingKinds == [.email])
      break
    }
    let once = try await home.run("--once")
    #expect(once.code == 1)
    #expect(once.output.contains(Self.problem), "\(once.output)")
    #expect(!FileManager.default.fileExists(atPath: note))
    chmod(home.folders.configuration, 0o640)
    for try await status in clients.watchClient.observe() where status.problem == nil { break }
    // It finishes what it has begun and leaves the rest to another monitor.
    process.send(SIGTERM)
    #expect(await process.exitCode() == 0)
    #expect(try await home.run("--once").code == 0)
    #expect(process.output.contains("warning cannot send: \(Self.problem)\n"))
    #expect(process.output.contains("info can send again\n"))
    #expect(!process.output.contains(home.folders.config))
    #expect(try String(contentsOfFile: note, encoding: .utf8) == "run\nrun\n")
  }

  @Test("A monitor started with SIGCHLD ignored still knows that sendmail succeeded")
  func ignoredChildren() async throws {
    let home = try Home()
    try await home.openOverdueAccount()
    let note = try configureSendmail(home)
    let monitor = Process()
    monitor.executableURL = URL(filePath: "/usr/bin/env")
    monitor.arguments = ["--ignore-signal=CHLD", MonitorProcess.path, "--once"]
    monitor.environment = home.environment
    try monitor.run()
    monitor.waitUntilExit()
    #expect(monitor.terminationStatus == 0)
    #expect(FileManager.default.fileExists(atPath: note))
  }

  @Test(
    "A mail server without a password is used even if others can write config.json5")
  func server() async throws {
    let home = try Home()
    try await home.openOverdueAccount()
    let server = try SMTPServer()
    try home.configure(server)
    chmod(home.folders.configuration, 0o666)
    #expect(try await home.run("--once").code == 0)
    #expect(server.accepted.count == 2)
  }

  @Test("--test-delivery says why sendmail isn't run, and which chmod fixes the problem")
  func testDelivery() async throws {
    let home = try Home()
    try await home.openAccount()
    let note = try configureSendmail(home)
    chmod(home.folders.config, 0o770)
    let (code, output) = try await home.run("--test-delivery")
    #expect(code == 1)
    #expect(
      output == """
        lifesignal-monitor: Others can change \(home.folders.config), so sendmail is not run.
          Run chmod go-w \(home.folders.config).

        """)
    #expect(!FileManager.default.fileExists(atPath: note))
  }

  /// A password can come from four sources. A server that others may have set gets it from none of
  /// them.
  @Test(
    "If others can write config.json5, no password goes to the server named there",
    arguments: ["variable", "command", "credentials", "file"], [0o620, 0o602])
  func password(source: String, mode: mode_t) async throws {
    let home = try Home()
    try await home.openOverdueAccount()
    let server = try SMTPServer()
    let note = home.folders.config + "/was-run"
    try home.configure(
      """
      {smtp: {host: "127.0.0.1", port: \(server.port), security: "none", from: "a@example.org",
              username: "ada"\(source == "command" ? ", password_command: ['touch', '\(note)']" : "")}}
      """)
    chmod(home.folders.configuration, mode)
    var variables: [String: String] = [:]
    switch source {
    case "variable": variables["LIFESIGNAL_SMTP_PASSWORD"] = "hunter2"
    case "credentials":
      let folder = home.folders.state + "/credentials"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      try Data("hunter2".utf8).write(to: URL(filePath: folder + "/smtp-password"))
      variables["CREDENTIALS_DIRECTORY"] = folder
    default: try await home.clients().keychainClient.set(KeychainClient.smtpPassword, "hunter2")
    }
    let (code, output) = try await home.run("--once", variables: variables)
    #expect(code == 1)
    #expect(output.contains("so no mail is sent with your password; chmod"), "\(output)")
    #expect(!FileManager.default.fileExists(atPath: note))
    #expect(server.connections == 0)
  }

  @Test(
    "A named pipe in place of config.json5 is reported and doesn't hang the program",
    arguments: ["--once", "--test-delivery"])
  func pipe(option: String) async throws {
    let home = try Home()
    try await home.openAccount()
    #expect(mkfifo(home.folders.configuration, 0o600) == 0)
    let (code, output) = try await home.run(option)
    #expect(code == 1)
    #expect(output.contains("config.json5: it can't be read: it isn't a regular file."))
  }
}
