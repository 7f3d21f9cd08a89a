import Clients
import Domain
import Testing

@testable import CommandLine

/// `lifesignal check-in`: CHK-1, CHK-6.
struct CheckInCommandTests {
  let world = World()

  @Test func checkIn_movesTheDeadline() async throws {
    await world.openAccount()
    world.advance(by: .hours(23))
    try await world.watch()
    await world.expect(
      "check-in", .init(0, "Checked in. The next deadline is tomorrow 06:52, in 1d.\n"))
    #expect(await world.run("status --json").output.contains(#""seconds_left":86400"#))
  }

  @Test func checkIn_isOfTheCommandLine() async throws {
    await world.openAccount()
    world.advance(by: .hours(1))
    _ = await world.run("check-in")
    #expect(try await world.values.checkInClient.history(1).map(\.source) == [.commandLine])
  }

  @Test func unwatchedDeadline_isAWarning() async {
    await world.openAccount()
    let outcome = await world.run("check-in")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.errorOutput
        == "lifesignal: Nobody watches the deadline. Start lifesignal monitor.\n")
  }

  @Test func manualAlert_staysOnAndIsTold() async throws {
    await world.openAccount()
    _ = await world.run("alert on")
    try await world.watch()
    let outcome = await world.run("check-in")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.errorOutput
        == "lifesignal: Your alert is still on. Cancel it with lifesignal alert off.\n")
    #expect(await world.run("status").exitCode == 30)
  }

  @Test func whatFailsAfterTheCheckIn_doesNotMakeItFail() async {
    await world.openAccount()
    world[\.overrides] = { values in
      values.alertClient.history = { (_: Int) async throws(AlertError) in
        throw .storage(.busy)
      }
      values.watchClient.status = { () async throws(StorageError) in throw .busy }
    }
    await world.expect(
      "check-in", .init(0, "Checked in. The next deadline is tomorrow 07:52, in 1d.\n"))
  }

  @Test func fullDisk_saysThatNothingWasChanged() async {
    await world.openAccount()
    world[\.overrides] = { values in
      values.checkInClient.checkIn = { (_: CheckIn.Source) async throws(CheckInError) in
        throw .storage(.full)
      }
    }
    await world.expect(
      "check-in",
      .init(
        1,
        error: "lifesignal: The disk is full; nothing was changed. "
          + "Free some space and try again.\n"))
  }

  @Test func withoutAccount_fails() async {
    await world.expect(
      "check-in",
      .init(
        1,
        error: "lifesignal: There is no account here yet. Start lifesignal, or run "
          + "lifesignal init.\n"))
  }
}
