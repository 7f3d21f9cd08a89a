import Clients
import Domain
import FoundationEssentials
import Testing

@testable import CommandLine

/// `lifesignal interval` and `lifesignal history`: INT-1, CHK-5.
struct IntervalCommandTests {
  let world = World()

  @Test("INT-1: interval shows or changes the interval; the deadline counts from the last check-in")
  func changes() async {
    await world.openAccount()
    await world.expect(
      "interval", .init(0, "You check in every day. The deadline is tomorrow 07:52.\n"))
    world.advance(by: .hours(1))
    await world.expect(
      "interval 36h", .init(0, "You now check in every 36 hours. The deadline is tomorrow 19:52.\n")
    )
    await world.expect(
      "interval 36h",
      .init(0, "You already check in every 36 hours. The deadline is tomorrow 19:52.\n")
    )
    #expect(await world.run("status").output.contains("every 36h"))
  }

  @Test("INT-1: an interval that would put the deadline in the past is refused, until a check-in")
  func wouldBePast() async {
    await world.openAccount()
    world.advance(by: .hours(3))
    let refused = await world.run("interval 2h")
    #expect(refused.exitCode == 1 && refused.output.isEmpty)
    #expect(refused.errorOutput.contains("your deadline would have been today 09:52"))
    #expect(refused.errorOutput.contains("Check in first"))
    #expect(await world.run("check-in").exitCode == 0)
    #expect(await world.run("interval 2h").exitCode == 0)
  }

  @Test(
    "INT-1: interval accepts only durations from 1 hour to 30 days",
    arguments: ["59m", "31d", "often"])
  func range(text: String) async {
    await world.openAccount()
    let outcome = await world.run("interval \(text)")
    #expect(outcome.exitCode == 2 && !outcome.errorOutput.isEmpty)
    #expect(await world.run("interval").output.contains("every day"))
  }

  @Test("CHK-3: behind a gate a longer interval needs the passphrase, a shorter one doesn't")
  func gate() async throws {
    await world.openAccount()
    try await world.values.authClient.updateGate(Gate(passphrase: Secret("tulip")))
    world[\.secret] = .success("turnip")
    #expect(await world.run("interval 2d").errorOutput.contains("The passphrase is wrong."))
    #expect(await world.run("interval").output.contains("every day"))
    world[\.secret] = .success("tulip")
    #expect(await world.run("interval 2d").exitCode == 0)
    #expect(world[\.prompts] == ["Passphrase: ", "Passphrase: "])
    #expect(await world.run("interval 12h").exitCode == 0)
    #expect(world[\.prompts].count == 2)
  }

  @Test("CHK-5: history lists the last check-ins, newest first, with the time left or late")
  func history() async {
    await world.openAccount()
    world.advance(by: .hours(23))
    _ = await world.run("check-in")
    world.advance(by: .hours(25))
    _ = await world.run("check-in")
    await world.expect(
      "history --limit 2",
      .init(
        0,
        """
        today 07:52      command line  1h late
        yesterday 06:52  command line  1h left

        """))
    let json = await world.run("history --json --limit 1")
    #expect(
      json.output
        == #"[{"date":"2026-11-23T07:52:00Z","source":"command_line","seconds_left":-3600,"#
        + #""early":false,"received_at":null}]"#
        + "\n"
    )
    #expect(await world.run("history --limit 0").exitCode == 2)
    #expect(await world.run("history --limit many").exitCode == 2)
  }
}
