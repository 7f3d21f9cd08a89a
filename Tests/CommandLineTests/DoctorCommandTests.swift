import Clients
import Domain
import Foundation
import Monitor
import Testing

@testable import CommandLine

/// `lifesignal doctor`.
struct DoctorCommandTests {
  let world = World()
  static let database = "/home/ada/.local/share/lifesignal/lifesignal.db"

  private func openWatchedAccount() async throws {
    await world.openAccount()
    try await world.watch()
    world[\.entries][Self.database] = .file(mode: 0o600, isOwn: true)
    world[\.programs] = [
      "timedatectl": .init(code: 0, output: "NTPSynchronized=yes\n"),
      "crontab -l": .init(code: 0, output: "@reboot lifesignal monitor --detach\n"),
    ]
    world[\.backups] = [
      StoreBackup(name: "lifesignal-2026-11-21.db", madeAt: World.start - 3_600, bytes: 1)
    ]
  }

  @Test func allIsWell() async throws {
    try await openWatchedAccount()
    await world.expect(
      "doctor",
      .init(
        0,
        """
        ✓ Only you can read your private files.
        ✓ The store opens and is undamaged (schema 2, 136 KiB).
        ✓ The account is Ada Lovelace's, every day.
        ✓ 2 responders have a channel.
        ✓ No message has been sent yet.
        ✓ Watched by 1 monitor, last seen 0s ago.
        ✓ The last backup was made 1h ago; 1 of at most 7 are kept.
        ✓ Mail is sent through localhost, port 587.
        ✓ Your crontab starts a monitor.
        ✓ The clock is synchronised.
        ✓ Not in a terminal. Commands work; the app needs a terminal.

        """))
  }

  @Test("If the first messages to responders fail, doctor reports a failure and status a problem")
  func failedNamingMessages() async throws {
    try await openWatchedAccount()
    world[\.deliveryService] = DeliveryService { _ in
      .retry(reason: "Couldn't resolve host name", after: nil)
    }
    try await world.letMonitorWork()
    let doctor = await world.run("doctor")
    #expect(doctor.exitCode == 1)
    #expect(
      doctor.output.contains(
        "✗ The last message to Alan Turing by e-mail and Grace Hopper by e-mail, planned today 07:52, was not sent:"
          + " Couldn't resolve host name."), "\(doctor.output)")
    let status = await world.run("status")
    #expect(
      status.errorOutput.contains(
        "Nobody would be notified: the last messages couldn't be sent. The last one to Alan Turing,"
          + " planned today 07:52: Couldn't resolve host name.\n"), "\(status)")
    #expect(
      await world.run("status --json").output.contains(
        #""problem":"the last messages couldn't be sent""#))
    world[\.lines] = ["status", "quit"].map(LineEvent.line)
    #expect(await world.run("--plain").output.contains("Nobody would be notified: the last"))
    // One responder gets messages again, so only doctor still reports the other.
    world[\.deliveryService] = DeliveryService {
      $0.recipientName == "Alan Turing" ? .sent : .retry(reason: "no", after: nil)
    }
    world.advance(by: .minutes(30))
    try await world.letMonitorWork()
    #expect(await world.run("status").errorOutput.isEmpty)
    #expect(
      await world.run("doctor").output.contains(
        "✗ The last message to Grace Hopper by e-mail, planned"))
  }

  @Test func json_saysTheSame() async throws {
    struct Answer: Decodable {
      struct Finding: Decodable {
        var check: String
        var mark: String
        var found: String
        var advice: String?
      }
      var ok: Bool
      var findings: [Finding]
    }
    try await openWatchedAccount()
    world[\.files][World.configuration] = nil
    let outcome = await world.run("doctor --json")
    #expect(outcome.exitCode == 1)
    let answer = try JSONDecoder().decode(Answer.self, from: Data(outcome.output.utf8))
    #expect(!answer.ok)
    let configuration = try #require(answer.findings.first { $0.check == "configuration" })
    #expect(configuration.mark == "failure" && configuration.advice != nil)
    #expect(
      Set(answer.findings.map(\.check)).isSubset(of: Finding.Check.allCases.map(\.rawValue)))
  }

  @Test func withoutStore_makesNone() async {
    let outcome = await world.run("doctor")
    #expect(world[\.storesOpened] == 0)
    #expect(
      outcome.output.contains("! There is no store yet. Run lifesignal to create an account."))
  }

  @Test(
    arguments: [
      (StorageError.corrupt(detail: "It is a letter."), "The store is damaged. It is a letter."),
      (.missing(path: database), "is missing or empty"),
      (.newerSchema(found: 9, known: 2), "newer lifesignal (schema 9"),
      (.permissionDenied("others can enter /x"), "others can enter /x"),
    ])
  func storeThatDoesNotOpen_isAFinding(error: StorageError, words: String) async {
    world[\.entries][Self.database] = .file(mode: 0o600, isOwn: true)
    world[\.storeFailure] = error
    let outcome = await world.run("doctor")
    #expect(outcome.exitCode == 1)
    #expect(outcome.output.contains("✗ ") && outcome.output.contains(words), "\(outcome.output)")
    // The other checks run anyway.
    #expect(outcome.output.contains("Mail is sent through localhost"))
  }

  @Test func withoutHome_isAFinding() async {
    world[\.variables] = [:]
    let outcome = await world.run("doctor")
    #expect(outcome.exitCode == 1)
    #expect(outcome.output.hasPrefix("✗ There is no home folder"))
  }

  @Test func sendTest_asksTheMonitor() async throws {
    try await openWatchedAccount()
    let command = "/usr/local/bin/lifesignal-monitor --test-delivery"
    world[\.programs][command] = .init(
      code: 0, output: "A test message was sent to ada@example.org.\n")
    var outcome = await world.run("doctor --send-test")
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.contains("✓ A test message was sent to ada@example.org.\n"))
    world[\.programs][command] = .init(code: 1, output: "lifesignal-monitor: 535 no.\n")
    outcome = await world.run("doctor --send-test")
    #expect(outcome.exitCode == 1)
    #expect(outcome.output.contains("✗ The test message wasn't sent. 535 no."))
    _ = await world.run("doctor")
    #expect(world[\.programsRun].count { $0 == command } == 2)
  }

  @Test func sendTest_whereNobodyUsesMail_saysSo() async throws {
    _ = await world.run(["init", "--name", "Ada Lovelace"])
    _ = await world.run(["contacts", "add", "Grace Hopper", "--ntfy", "grace"])
    try await world.watch()
    world[\.entries][Self.database] = .file(mode: 0o600, isOwn: true)
    world[\.files][World.configuration] = nil
    let outcome = await world.run("doctor --send-test")
    #expect(outcome.output.contains("✓ Mail isn't set up, and none of your channels needs it.\n"))
    #expect(
      outcome.output.contains(
        "! No test message was sent: none of your channels is e-mail. Send one to a channel with"
          + " lifesignal channels test CHANNEL.\n"), "\(outcome.output)")
    #expect(!outcome.output.contains("The test message wasn't sent"))
    #expect(world[\.programsRun].allSatisfy { !$0.contains("--test-delivery") })
  }

  @Test func withoutUTF8_theMarksAreASCII() async throws {
    try await openWatchedAccount()
    world[\.hasTerminal] = true
    world[\.variables]["TERM"] = "xterm"
    let outcome = await world.run("doctor")
    #expect(outcome.output.hasPrefix("+ Only you can read"))
  }
}
