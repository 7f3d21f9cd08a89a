import Clients
import Domain
import Testing

@testable import CommandLine

/// `lifesignal alert`: ALT-1, ALT-2, ALT-3.
struct AlertCommandTests {
  let world = World()

  @Test func on_startsAMonitorWhereNoneIs() async {
    await world.openAccount()
    await world.expect(
      "alert on",
      .init(
        0,
        """
        The alert is on since today 07:52.
        Alan Turing and Grace Hopper are told at once.
        No monitor was running; one has been started to send the messages.

        """))
    #expect(world[\.monitorsStarted] == 1)
  }

  @Test func on_leavesTheMonitorThatIs() async throws {
    await world.openAccount()
    try await world.watch()
    #expect(
      await world.run("alert on").output
        == """
        The alert is on since today 07:52.
        Alan Turing and Grace Hopper are told at once.

        """)
    #expect(world[\.monitorsStarted] == 0)
  }

  @Test func on_failsWhenNobodyCanSend() async {
    await world.openAccount()
    world[\.monitorFailure] = .unknown("no such program")
    let outcome = await world.run("alert on")
    #expect(
      outcome
        == .init(
          1,
          error: "lifesignal: The alert is on, but nobody sends the messages: "
            + "The store failed: no such program. "
            + "Start lifesignal monitor, and call your responders.\n"))
    #expect(await world.run("status").exitCode == 30)
  }

  @Test func on_warnsOfAMonitorThatCannotDeliver() async throws {
    await world.openAccount()
    try await world.watch(problem: "mail is not set up")
    let outcome = await world.run("alert on")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.errorOutput == "lifesignal: The monitor cannot deliver: mail is not set up.\n")
  }

  @Test func on_twice_keepsTheFirst() async throws {
    await world.openAccount()
    try await world.watch()
    _ = await world.run(["alert", "on", "--message", "Fell"])
    world.advance(by: .minutes(1))
    await world.expect(
      ["alert", "on", "--message", "Still lying here"],
      .init(
        0,
        """
        The alert is on already, since today 07:52.
        Alan Turing and Grace Hopper are told at once.

        """,
        error: "lifesignal: Its message was not changed. Cancel it first to send another.\n"))
  }

  @Test func on_withoutResponders_warns() async throws {
    _ = await world.run("init --name Ada")
    try await world.watch()
    let outcome = await world.run("alert on")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.errorOutput
        == "lifesignal: Nobody is told: there are no responders. Start lifesignal to add one.\n")
  }

  @Test func off_tellsThoseWhoWereTold() async {
    await world.openAccount()
    _ = await world.run("alert on")
    world.advance(by: .minutes(5))
    await world.expect(
      "alert off",
      .init(
        0,
        """
        The alert is off since today 07:57. Every responder who had been told is told so.
        No monitor was running; one has been started to send the messages.

        """))
  }

  @Test func off_withoutAlert_fails() async {
    await world.openAccount()
    await world.expect("alert off", .init(1, error: "lifesignal: There is no active alert.\n"))
    #expect(world[\.monitorsStarted] == 0)
  }

  @Test(
    arguments: [
      (["alert"], "on|off is missing. Write lifesignal alert on|off."),
      (
        ["alert", "onn"], "on|off: “onn” is none of its values. Did you mean “on”? Write on or off."
      ),
      (
        ["alert", "off", "--message", "x"],
        "--message: This goes only with on. Write lifesignal alert off."
      ),
      (
        ["alert", "on", "--message", String(repeating: "x", count: 501)],
        "--message: A message has at most 500 characters; this one has 501. "
          + "Try lifesignal alert --help."
      ),
      (
        ["alert", "on", "now"],
        "“now” is one word too many. Write lifesignal alert on|off [OPTION]…; "
          + "put quotation marks around a text with spaces."
      ),
    ])
  func wrongWords_areRefused(arguments: [String], message: String) async {
    await world.expect(arguments, .init(2, error: "lifesignal: \(message)\n"))
  }
}
