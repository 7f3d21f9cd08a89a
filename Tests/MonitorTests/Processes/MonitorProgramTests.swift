import DeliveryTesting
import Clients
import Domain
import Foundation
import Testing

/// The built program with a store and a mail server, as on a person's machine.
@Suite(.timeLimit(.minutes(2))) struct MonitorProgramTests {
  @Test("--once sends what is due and exits with 0; a second run sends nothing")
  func once() async throws {
    let home = try Home()
    try await home.openOverdueAccount()
    let server = try SMTPServer()
    try home.configure(server)
    #expect(try await home.run("--once").code == 0)
    #expect(
      Set(server.accepted.flatMap(\.recipients)) == ["<bob@example.org>", "<cyd@example.org>"])
    let second = try await home.run("--once")
    #expect(second.code == 0)
    #expect(server.accepted.count == 2)
    #expect(!second.output.contains("Ada") && !second.output.contains("@"))
  }

  @Test("--once that can't send everything exits with 1 and says why")
  func onceWithFailure() async throws {
    let home = try Home()
    try await home.openOverdueAccount()
    let server = try SMTPServer { step, _ in
      step == .recipient("<bob@example.org>") ? .reply("550 no such user") : nil
    }
    try home.configure(server)
    let (code, output) = try await home.run("--once")
    #expect(code == 1)
    #expect(output.contains("Not everything could be sent: "))
    #expect(output.contains("550 no such user"))
    #expect(!output.contains(".."))
    #expect(server.accepted.flatMap(\.recipients) == ["<cyd@example.org>"])
  }

  @Test("ESC-6: --once reports an account that can't be watched until its row is repaired")
  func onceWithDamagedAccount() async throws {
    let home = try Home()
    try await home.openAccount()
    try home.change("UPDATE account SET reminders = '[\"soon\"]'")
    // Another monitor's problem doesn't hide this one.
    let clients = try home.clients()
    let problem = MonitorProblem("mail is not set up", kinds: [.email])
    _ = try await clients.monitorClient.heartbeat(UUID(), Date(), .minutes(5), problem)
    for _ in 1...2 {
      let (code, output) = try await home.run("--once")
      #expect(code == 1)
      #expect(
        output.contains("Not everything could be sent. Your account cannot be watched: "))
      #expect(!output.contains("..") && !output.contains(problem.text), "\(output)")
    }
    try home.change("UPDATE account SET reminders = '[]', attention_at = 0")
    #expect(try await home.run("--once").code == 0)
  }

  @Test(
    "--data takes a relative folder, also in a session of its own (setsid)"
  )
  func relativeFolder() async throws {
    let home = try Home()
    try await home.openOverdueAccount()
    let folder = URL(filePath: home.folders.data)
    let output = Pipe()
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/setsid")
    process.arguments = [
      "--wait", MonitorProcess.path, "--once", "--data", folder.lastPathComponent,
    ]
    process.currentDirectoryURL = folder.deletingLastPathComponent()
    process.environment = home.environment
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 1)
    #expect(text.contains("mail is not set up on the server"), "\(text)")
  }

  @Test("A monitor outlives its terminal (SIGHUP) and watches until SIGTERM")
  func watch() async throws {
    let home = try Home()
    try await home.openAccount()
    let server = try SMTPServer()
    try home.configure(server)
    let clients = try home.clients()
    let process = try home.start()
    for try await status in clients.watchClient.observe() where status.monitors == 1 { break }
    process.send(SIGHUP)
    _ = try await clients.alertClient.raise("Stuck")
    await server.waitForMessages(2)
    _ = try await clients.alertClient.cancel()
    await server.waitForMessages(4)
    let replies = server.accepted.suffix(2).map(\.text)
    #expect(replies.allSatisfy { $0.contains("\nIn-Reply-To: <") })
    #expect(try await home.run("--if-none") == (0, ""))
    process.send(SIGTERM)
    #expect(await process.exitCode() == 0)
    #expect(try await clients.watchClient.status().monitors == 0)
    #expect(server.accepted.count == 4)
    #expect(!process.output.contains("Ada") && !process.output.contains("Stuck"))
  }

  @Test("On SIGINT a monitor finishes and records the message that it is sending")
  func endWhileSending() async throws {
    let home = try Home()
    try await home.openOverdueAccount(responders: ["Bob"])
    let gate = Gate()
    let server = try SMTPServer { step, _ in
      if case .message = step { .wait(gate) } else { nil }
    }
    try home.configure(server)
    let process = try home.start("--if-none")
    await server.waitForStep { if case .message = $0 { true } else { false } }
    process.send(SIGINT)
    gate.open()
    #expect(await process.exitCode() == 0)
    let clients = try home.clients()
    #expect(try await clients.alertClient.history(1)[0].deliveries.map(\.state) == [.sent])
    #expect(server.accepted.count == 1)
  }

  @Test(
    "Without mail the app shows the problem; once mail is set up, all is sent, no restart needed")
  func configuredLater() async throws {
    let home = try Home()
    try await home.openOverdueAccount()
    let clients = try home.clients()
    let process = try home.start()
    for try await status in clients.watchClient.observe()
    where status.problem == "mail is not set up; run lifesignal mail setup" { break }
    let (code, output) = try await home.run("--once")
    #expect(code == 1)
    #expect(output.contains("mail is not set up; run lifesignal mail setup"))
    let server = try SMTPServer()
    try home.configure(server)
    await server.waitForMessages(2)
    // The settings from before the file was broken stay in force.
    try home.configure("{smtp: {")
    _ = try await clients.checkInClient.checkIn(.manual)
    await server.waitForMessages(4)
    for try await status in clients.watchClient.observe()
    where status.notice?.contains("The last good settings stay in use") == true {
      #expect(status.problem == nil)
      break
    }
    await process.kill()
  }

  @Test(
    "A monitor started with a broken config.json5 shows the problem and sends after the fix")
  func brokenAtStart() async throws {
    let home = try Home()
    try await home.openOverdueAccount()
    try home.configure("{\n  smtp: {host: 7}\n}")
    let clients = try home.clients()
    let process = try home.start("--if-none")
    for try await status in clients.watchClient.observe()
    where status.problem?.hasPrefix("config.json5, line 2: ") == true { break }
    let server = try SMTPServer()
    try home.configure(server)
    await server.waitForMessages(2)
    await process.kill()
  }

  @Test("Without an account or HOME, or with a newer store, the monitor exits and says why")
  func errors() async throws {
    let home = try Home()
    let noAccount = try await home.run()
    #expect(noAccount.code == 1)
    #expect(noAccount.output.contains("There is no account here yet."))
    #expect(!FileManager.default.fileExists(atPath: home.folders.database))
    let misuse = try await home.run("--twice")
    #expect(misuse.code == 2)
    #expect(misuse.output.contains("“--twice” isn't an option"))
    #expect(try await home.run("--once", "--if-none").code == 2)
    try await home.openAccount()
    try home.configure("{\n  smtp: {host: 7}\n}")
    let broken = try await home.run("--once")
    #expect(broken.code == 1)
    #expect(broken.output.contains("config.json5, line 2: "))
    try home.configure("")
    try home.change("PRAGMA user_version = 9000")
    let newer = try await home.run()
    #expect(newer.code == 1)
    #expect(newer.output.contains("newer lifesignal (schema 9000"))
    let process = try MonitorProcess([], environment: [:])
    #expect(await process.exitCode() == 1)
    #expect(process.output.contains("Set HOME."))
  }
}
