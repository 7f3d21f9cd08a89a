import Clients
import Domain
import Monitor
import Synchronization
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

  @Test("CHK-7: a check-in during a pause leaves the pause on and says how to end it")
  func checkIn_whilePaused() async throws {
    await world.openAccount()
    try await world.watch()
    _ = await world.run("pause 2d")
    await world.expect(
      "check-in",
      .init(
        0, "Checked in. You are still paused until Mon 07:52: lifesignal resume ends it.\n"))
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
        == "lifesignal: No monitor is running. Start one with lifesignal monitor.\n")
  }

  @Test func missedDeadline_sendsTheAllClearAndSaysSo() async throws {
    await world.openAccount()
    try await world.watch()
    try await world.advanceWatched(by: .hours(25))
    try await world.letMonitorWork()
    #expect(await world.run("status").output.contains("Sent to:        "))
    // A longer interval doesn't change that: the people who were notified are still looking.
    _ = try await world.values.checkInClient.updateInterval(CheckInInterval(.days(7)))
    #expect(await world.run("status").exitCode == 20)
    world[\.isWatched] = false
    world.advance(by: .minutes(5))
    await world.expect(
      "check-in",
      .init(
        0,
        """
        Checked in. The next deadline is 2026-11-29 08:57, in 7d.
        Sent to Alan Turing and Grace Hopper: you checked in.

        """))
    #expect(world[\.monitorsStarted] == 1)
    #expect(await world.run("status").exitCode == 0)
  }

  @Test func allClear_thatCannotBeSent_isSaid() async throws {
    await world.openAccount()
    try await world.watch()
    try await world.advanceWatched(by: .hours(25))
    try await world.letMonitorWork()
    world[\.deliveryService] = DeliveryService { _ in .retry(reason: "no route", after: nil) }
    let outcome = await world.run("check-in")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.errorOutput == """
        lifesignal: Alan Turing and Grace Hopper have not been notified that you checked in: no route.
        lifesignal: The monitor keeps trying; lifesignal status shows the result. Call them yourself.

        """)
    let status = await world.run("status")
    #expect(status.exitCode == 0)
    #expect(status.output.contains("Not sent to:    Alan Turing that it is over: no route\n"))
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

  @Test("CHK-1: a check-in whose new deadline has passed fails and says why")
  func tooLate() async {
    await world.openAccount()
    let now = world[\.now]
    world[\.overrides] = {
      let checkIn = $0.checkInClient.checkIn
      $0.checkInClient.checkIn = { (source) async throws(ClientError) in
        var user = try await checkIn(source)
        user.lastCheckIn = now - user.interval.span
        return user
      }
    }
    let outcome = await world.run("check-in")
    #expect(outcome.exitCode != 0 && outcome.output.isEmpty)
    #expect(
      outcome.errorOutput.hasPrefix(
        "lifesignal: You are NOT checked in: Your check-in arrived too late to count"
      ))
  }

  @Test func whatFailsAfterTheCheckIn_doesNotMakeItFail() async {
    await world.openAccount()
    world[\.overrides] = { values in
      values.alertClient.history = { (_: Int) async throws(ClientError) in
        throw .storage(.busy)
      }
      values.watchClient.status = { () async throws(StorageError) in throw .busy }
    }
    await world.expect(
      "check-in", .init(0, "Checked in. The next deadline is tomorrow 07:52, in 1d.\n"))
  }

  @Test(
    "CHK-1: the check-in command sends the check-in first and loads alerts only afterwards")
  func nothingBefore() async {
    await world.openAccount()
    let asked = Mutex<[String]>([])
    world[\.overrides] = { values in
      let (checkIn, history) = (values.checkInClient, values.alertClient)
      values.checkInClient.checkIn = {
        (source: CheckIn.Source) async throws(ClientError) in
        asked.withLock { $0.append("check-in") }
        return try await checkIn.checkIn(source)
      }
      values.alertClient.history = { (limit: Int) async throws(ClientError) in
        asked.withLock { $0.append("alerts") }
        return try await history.history(limit)
      }
    }
    #expect(await world.run("check-in").exitCode == 0)
    #expect(asked.withLock { $0 } == ["check-in", "alerts"])
  }

  @Test(
    "AUTH-2: the check-in of a disabled, signed-out or moved account says NOT checked in, and why",
    arguments: [ClientError.accountDisabled, .sessionExpired, .accountMoved(to: "family.example")])
  func refused(error: ClientError) async {
    await world.openAccount()
    world[\.overrides] = { values in
      values.checkInClient.checkIn = {
        (_: CheckIn.Source) async throws(ClientError) in throw error
      }
    }
    await world.expect(
      "check-in",
      .init(1, error: "lifesignal: You are NOT checked in: \(error.text.sentence)\n"))
  }

  @Test func fullDisk_saysThatNothingWasChanged() async {
    await world.openAccount()
    world[\.overrides] = { values in
      values.checkInClient.checkIn = {
        (_: CheckIn.Source) async throws(ClientError) in
        throw .storage(.full)
      }
    }
    await world.expect(
      "check-in",
      .init(
        1,
        error: "lifesignal: You are NOT checked in: The disk is full; nothing was changed. "
          + "Free some space and try again.\n"))
  }

  @Test func withoutAccount_fails() async {
    await world.expect(
      "check-in",
      .init(
        1,
        error: "lifesignal: You are NOT checked in: No account is open on this machine."
          + " Sign in with lifesignal sign-in, or create one with lifesignal init.\n"))
  }
}
