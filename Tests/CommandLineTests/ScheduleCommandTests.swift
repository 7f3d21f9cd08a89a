import Clients
import Domain
import FoundationEssentials
import Testing

@testable import CommandLine

/// `lifesignal schedule`: SCH-1 … SCH-4.
struct ScheduleCommandTests {
  let world = World()

  @Test("SCH-1: schedule shows and sets times, and interval goes back")
  func changes() async {
    await world.openAccount()
    await world.expect(
      "schedule", .init(0, "You check in every day.\nThe deadline is tomorrow 07:52.\n"))
    await world.expect(
      "schedule daily 09:00 --zone UTC",
      .init(
        0,
        """
        You now check in by 09:00 every day.
        The next deadlines are tomorrow 09:00, Mon 09:00 and Tue 09:00, in the zone UTC.
        A check-in counts from tomorrow 03:00. The longest time you can be silent is 1d 6h.
        The deadline was tomorrow 07:52.

        """))
    #expect(await world.run("schedule 9am").output.hasPrefix("You already check in by 09:00"))
    #expect(await world.run("interval").output.hasPrefix("You check in by 09:00 every day."))
    // Longer than two check-ins that are one.
    world.advance(by: .minutes(2))
    #expect(
      await world.run("check-in").output
        == "Early: still due by tomorrow 09:00, in 1d 1h. A check-in counts from tomorrow 03:00.\n")
    let status = await world.run("status --json").output
    #expect(
      status.contains(
        #""schedule":{"times":"daily 09:00","zone":"UTC","opens":"2026-11-22T03:00:00Z","#
          + #""next":"2026-11-22T09:00:00Z","early":true}"#), "\(status)")
    #expect(await world.run("status").output.contains("early for daily 09:00"))
    world.advance(by: .hours(21))
    #expect(
      await world.run("check-in").output
        == "Checked in for today 09:00. The next deadline is tomorrow 09:00, in 1d 4h.\n")
    #expect(await world.run("history --json").output.contains(#""early":true"#))
    #expect(await world.run("interval 24h").output.hasPrefix("You now check in every day."))
    #expect(await world.run("status --json").output.contains(#""schedule":null"#))
  }

  @Test("SCH-3: where two clocks differ, both are shown")
  func clocks() async {
    await world.openAccount()
    let outcome = await world.run("schedule daily 09:00 --zone Europe/Berlin")
    #expect(outcome.output.contains("tomorrow 08:00, Mon 08:00 and Tue 08:00 (09:00 Berlin time)"))
    #expect(await world.run("status").output.contains("tomorrow 08:00 (09:00 Berlin time)"))
    let typed = await world.run("schedule 9:00 Europe/Berlin")
    #expect(typed.exitCode == 2 && typed.errorOutput.contains("--zone Europe/Berlin"), "\(typed)")
    // The zone stays until another is given.
    #expect(await world.run("schedule 10:00").output.contains("in the zone Europe/Berlin"))
    #expect(await world.run("schedule --zone UTC").output.contains("in the zone UTC"))
    #expect(await world.run("schedule --opens 2h").output.contains("from today 08:00"))
  }

  @Test("SCH-4: while overdue, set times are refused with exit code 45")
  func overdue() async {
    await world.openAccount()
    world.advance(by: .hours(24))
    await world.expect(
      "schedule 9:00",
      .init(
        45, error: "lifesignal: Your deadline has passed. Check in first, then do it again.\n"))
  }

  @Test(
    "SCH-1: what isn't a list of times or a zone is refused with what to write",
    arguments: [
      ("schedule often", 1, "“often” isn't a list of times. Write it like daily 09:00"),
      ("schedule 9:00 --zone Mars/Base", 1, "“Mars/Base” isn't a time zone that is known here."),
      ("schedule 9:00 --opens 20h", 1, "A set time opens 1 to 12 hours before it."),
      ("schedule 1:00 2:00 3:00 4:00 5:00 6:00 7:00", 1, "one to six times of day"),
      ("schedule --zone UTC", 2, "The times are missing."),
      ("schedule 9:00 --opens soon", 2, "soon"),
    ])
  func refused(_ command: String, _ code: Int32, _ text: String) async {
    await world.openAccount()
    let outcome = await world.run(command)
    #expect(outcome.exitCode == code && outcome.errorOutput.contains(text), "\(outcome)")
    #expect(await world.run("interval").output.contains("every day"))
  }

  @Test("CHK-3: behind a gate, later times need the passphrase, earlier ones don't")
  func gate() async throws {
    await world.openAccount()
    _ = await world.run("schedule daily 09:00 --zone UTC")
    try await world.values.authClient.updateGate(Gate(passphrase: Secret("tulip")))
    world[\.secret] = .success("turnip")
    #expect(await world.run("schedule daily 10:00").exitCode == 40)
    #expect(await world.run("schedule daily 08:00").exitCode == 0)
    world[\.secret] = .success("tulip")
    #expect(await world.run("schedule daily 10:00").exitCode == 0)
  }
}
