import Clients
import Domain
import FoundationEssentials
import Synchronization
import Testing

@testable import CommandLine

/// `lifesignal pause` and `lifesignal resume`: CHK-7.
struct PauseCommandTests {
  let world = World()

  @Test("CHK-7: during a pause, status and status --json show its end and exit with 0")
  func pauses() async {
    await world.openAccount()
    await world.expect(
      "pause 2d",
      .init(
        0, "Paused until Mon 07:52. The first deadline after it is Tue 07:52.\n"))
    let status = await world.run("status")
    #expect(status.exitCode == 0)
    #expect(status.output.hasPrefix("Ada Lovelace: paused until Mon 07:52\n"))
    let json = await world.run("status --json")
    #expect(json.exitCode == 0)
    #expect(json.output.contains(#""status":"paused""#))
    #expect(json.output.contains(#""paused_until":"2026-11-23T07:52:00Z""#))
    world.advance(by: .days(2))
    #expect(await world.run("status --json").output.contains(#""paused_until":null"#))
  }

  @Test(
    "CHK-7: if this computer's clock is days off, pause counts by the server's clock and says so",
    arguments: [(TimeSpan.days(-10), "10d ahead of"), (.days(10), "10d behind")])
  func wrongClock(lead: TimeSpan, words: String) async {
    await world.openAccount()
    let ends = Mutex<[Date]>([])
    let now = world[\.now]
    world[\.overrides] = {
      $0.connectionClient.clockLead = { lead }
      $0.dateClient.now = { now + lead }
      let pause = $0.checkInClient.pause
      $0.checkInClient.pause = { (end) async throws(ClientError) in
        ends.withLock { $0.append(end) }
        return try await pause(now + .days(1))
      }
    }
    let outcome = await world.run("pause 1d")
    #expect(ends.withLock { $0 } == [now + lead + .days(1)])
    #expect(
      outcome.output.hasSuffix(
        "This computer's clock is \(words) the server's, by which the pause counts.\n"))
  }

  @Test(
    "CHK-7: pause takes words such as 2 weeks, tomorrow or until 18:00",
    arguments: [
      ("pause 2 weeks", "2026-12-05 07:52"), ("pause until 18:00", "today 18:00"),
      ("pause tomorrow", "tomorrow 00:00"), ("pause until tomorrow 9:30", "tomorrow 09:30"),
    ])
  func words(command: String, end: String) async {
    await world.openAccount()
    let outcome = await world.run(command)
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.hasPrefix("Paused until \(end)"), "\(outcome)")
  }

  @Test("CHK-7: pause --until takes a date and a time")
  func until() async {
    await world.openAccount()
    await world.expect(
      ["pause", "--until", "2026-11-23 18:00"],
      .init(0, "Paused until Mon 18:00. The first deadline after it is Tue 18:00.\n"))
  }

  @Test(
    "CHK-7: pause refuses an unreadable end, and an end that isn't in the next 30 days",
    arguments: [
      ("pause banana", "“banana” says neither how long nor until when."),
      ("pause 31d", "A pause must end in the next 30 days."),
      ("pause 0h", "A pause must end in the next 30 days."),
      ("pause --until 2026-11-01", "A pause must end in the next 30 days."),
    ])
  func refused(words: String, sentence: String) async {
    await world.openAccount()
    let outcome = await world.run(words)
    #expect(outcome.exitCode == 2)
    #expect(outcome.errorOutput.contains(sentence))
  }

  @Test("CHK-7: pause needs a duration or --until, and refuses both together")
  func oneEnd() async {
    #expect(await world.run("pause").exitCode == 2)
    #expect(await world.run("pause 2d --until 2026-11-25").exitCode == 2)
  }

  @Test("CHK-7: pause is refused while overdue, with advice to check in first")
  func overdue() async {
    await world.openAccount()
    world.advance(by: .hours(24))
    await world.expect(
      "pause 2d",
      .init(
        45, error: "lifesignal: Your deadline has passed. Check in first, then do it again.\n"))
  }

  @Test("CHK-7: resume ends the pause and is a check-in")
  func resumes() async throws {
    await world.openAccount()
    await world.expect("resume", .init(1, error: "lifesignal: Check-ins aren't paused.\n"))
    _ = await world.run("pause 2d")
    world.advance(by: .hours(5))
    await world.expect(
      "resume", .init(0, "The pause is over. The next deadline is tomorrow 12:52.\n"))
    #expect(try await world.values.checkInClient.history(1).map(\.source) == [.commandLine])
  }

  @Test("CHK-3: pause and resume ask for the passphrase, and a wrong passphrase is refused")
  func gate() async throws {
    await world.openAccount()
    try await world.values.authClient.updateGate(Gate(passphrase: Secret("tulip")))
    world[\.secret] = .success("turnip")
    #expect(await world.run("pause 2d").errorOutput.contains("The passphrase is wrong."))
    world[\.secret] = .success("tulip")
    #expect(await world.run("pause 2d").exitCode == 0)
    #expect(await world.run("resume").exitCode == 0)
    #expect(world[\.prompts] == Array(repeating: "Passphrase: ", count: 3))
  }

  @Test("CHK-7: --plain asks before starting a pause, and resumes")
  func conversation() async {
    await world.openAccount()
    world[\.lines] = ["pause", "2d", "no", "pause", "2d", "yes", "resume"].map { .line($0) }
    let output = await world.run("--plain").output
    #expect(output.contains("Nothing was changed."))
    #expect(output.contains("Paused until Mon 07:52."))
    #expect(output.contains("The pause is over."))
  }
}
