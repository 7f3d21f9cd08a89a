import Clients
import Domain
import Testing

@testable import CommandLine

/// `lifesignal init`: ONB-2, ONB-3, INT-1, REM-1, ESC-1.
struct InitCommandTests {
  let world = World()

  private func user() async throws -> User {
    return try await world.values.userClient.currentUser()
  }

  @Test func everyOption_reachesTheAccount() async throws {
    let outcome = await world.run([
      "init", "--name", "Ada Lovelace", "--interval=2d 12h", "--phone", "+44 20 7183 8750",
      "--note", "Penicillin allergy", "--email", "ada@example.org", "--reminder", "30m",
      "--reminder=2h", "--grace", "5m", "--responder", "Grace Hopper <grace@example.org>",
    ])
    #expect(
      outcome
        == .init(
          0,
          """
          Welcome, Ada Lovelace. Check in by Mon 19:52, then every 2 days 12 hours.
          Grace Hopper would be notified 5 minutes after a missed deadline.

          """,
          error: """
            lifesignal: No monitor is running. Start one with lifesignal monitor.

            """))
    let user = try await user()
    #expect(
      user.profile
        == Profile(
          name: "Ada Lovelace", phone: "+442071838750", note: "Penicillin allergy",
          email: "ada@example.org"))
    #expect(user.interval.span == .hours(60))
    #expect(user.reminders == [.hours(2), .minutes(30)])
    #expect(user.grace == .minutes(5))
    #expect(user.lastCheckIn == World.start)
  }

  @Test func nameAlone_takesTheDefaults() async throws {
    let outcome = await world.run("init --name Ada")
    #expect(
      outcome
        == .init(
          0, "Welcome, Ada. Check in by tomorrow 07:52, then every day.\n",
          error: """
            lifesignal: Nobody would be notified: you have no responders. Add one with lifesignal contacts add.
            lifesignal: No monitor is running. Start one with lifesignal monitor.

            """))
    let user = try await user()
    #expect(user.interval == .standard)
    #expect(user.reminders == [.minutes(30)])
    #expect(user.grace == .minutes(15))
  }

  @Test func withoutMail_saysSo() async throws {
    world[\.files] = [:]
    let outcome = await world.run([
      "init", "--name", "Ada", "--responder", "Grace <grace@example.org>",
    ])
    #expect(
      outcome.errorOutput == """
        lifesignal: Mail isn't set up, so nobody is notified by e-mail. Run lifesignal mail setup.
        lifesignal: No monitor is running. Start one with lifesignal monitor.

        """)
    #expect(await world.run("status").errorOutput.hasPrefix("lifesignal: Mail isn't set up"))
    #expect(await world.run("check-in").errorOutput.hasPrefix("lifesignal: Mail isn't set up"))
  }

  @Test func oneAddressForTwo_isRefused() async throws {
    await world.expect(
      [
        "init", "--name", "Ada", "--responder", "Grace <grace@example.org>", "--responder",
        "Alan <GRACE@example.org>",
      ],
      .init(
        2,
        error: "lifesignal: --responder: GRACE@example.org is given twice. "
          + "Name each person once.\n"))
  }

  @Test func secondAccount_isRefused() async {
    await world.openAccount()
    await world.expect(
      "init --name Grace",
      .init(
        1,
        error:
          "lifesignal: There is already an account here. Open it with lifesignal, or sign up"
          + " for another one with a password.\n"
      ))
  }

  @Test(
    arguments: [
      ([], "--name is missing. Write lifesignal init --name NAME."),
      (["--name", ""], "--name: A name can't be empty. Try lifesignal init --help."),
      (
        ["--name", String(repeating: "x", count: 10_000)],
        "--name: A name has at most 50 characters; this one has 10000. "
          + "Try lifesignal init --help."
      ),
      (
        ["--name", "Ada\u{1B}[31m"],
        "--name: A name can't contain “U+1B”. "
          + "Use letters, digits, spaces, emoji and - ' . , ( ) & / +"
      ),
      (
        ["--name", "Ada", "--interval", "banana"],
        "--interval: “banana” isn't a duration. Write it like 36h, 90m or 2d 12h."
      ),
      (
        ["--name", "Ada", "--interval", "0"],
        "--interval: “0” isn't a duration. Write it like 36h, 90m or 2d 12h."
      ),
      (
        ["--name", "Ada", "--interval", "0h"],
        "--interval: The interval must be between 1 hour and 30 days. Try 24h."
      ),
      (
        ["--name", "Ada", "--interval", "31d"],
        "--interval: The interval must be between 1 hour and 30 days. Try 24h."
      ),
      (
        ["--name", "Ada", "--phone", "12345"],
        "--phone: This isn't a phone number with a country code. Write it like +44 20 7183 8750."
      ),
      (
        ["--name", "Ada", "--email", "ada@"],
        "--email: This isn't an e-mail address. Write it like name@example.org."
      ),
      (
        ["--name", "Ada", "--note", String(repeating: "é", count: 2_001)],
        "--note: A note has at most 2,000 characters; this one has 2001. "
          + "Try lifesignal init --help."
      ),
      (
        ["--name", "Ada", "--grace", "25h"],
        "--grace: The grace time must be between 0 and 24 hours. Try 15m."
      ),
      (
        ["--name", "Ada", "--interval", "1h", "--reminder", "60m"],
        "--reminder: A reminder must come before the deadline. "
          + "Choose a time shorter than the interval."
      ),
      (
        ["--name", "Ada", "--responder", "grace@example.org"],
        "--responder: A responder needs a name and an address. Write it like \"Grace Hopper"
          + " <grace@example.org>\"."
      ),
    ])
  func badValue_namesTheOptionAndTheReason(arguments: [String], message: String) async {
    await world.expect(["init"] + arguments, .init(2, error: "lifesignal: \(message)\n"))
    #expect(world[\.storesOpened] == 0)
  }
}
