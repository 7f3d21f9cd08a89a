import Clients
import Composable
import Domain
import Synchronization
import Testing

@testable import CommandLine

/// Several accounts in one store, and passwords and gates, on the command line.
struct AccountTests {
  let world = World()

  /// Creates Ada's account without a password and Bo's with one.
  private func openTwo() async {
    await world.openAccount()
    world[\.secrets] = ["four random words", "four random words"]
    let outcome = await world.run("--as bo@example.org init --name Bo")
    #expect(outcome.exitCode == 0, "\(outcome.errorOutput)")
  }

  private func setGate(_ world: World) async throws {
    try await world.values.authClient.updateGate(
      Gate(passphrase: Secret("blue kettle"), duress: Secret("green kettle")))
  }

  @Test("AUTH-1: init --as EMAIL creates a second account, and later --as EMAIL commands use it")
  func furtherAccount() async {
    await openTwo()
    #expect(world[\.prompts] == ["New password: ", "Repeat it: "])
    #expect(await world.run("status --as bo@example.org").output.hasPrefix("Bo: ok"))
    #expect(await world.run("status").output.hasPrefix("Ada Lovelace: ok"))
    #expect(await world.run("--as BO@example.org check-in").exitCode == 0)
  }

  @Test("AUTH-1: a new password under 8 characters or repeated differently is refused")
  func newPassword() async {
    await world.openAccount()
    world[\.secrets] = ["four random words", "four random word"]
    await world.expect(
      "init --name Bo --as bo@example.org",
      .init(1, error: "lifesignal: The two don't match. Type it again.\n"))
    world[\.secrets] = ["short"]
    #expect(
      await world.run("init --name Bo --as bo@example.org").errorOutput
        .contains("A password needs at least 8 characters."))
  }

  @Test(
    "AUTH-1: a piped new password needs no second line; at a terminal an empty repeat is refused")
  func pipedPassword() async {
    await world.openAccount()
    world[\.secrets] = ["four random words"]
    world[\.secret] = .failure(.ended)
    #expect(await world.run("init --name Bo --as bo@example.org").exitCode == 0)
    // At a terminal, an empty line doesn't count as the repetition.
    world[\.secrets] = ["four random words"]
    world[\.secret] = .failure(.empty)
    await world.expect(
      "init --name Cy --as cy@example.org",
      .init(1, error: "lifesignal: No password or secret was typed. Nothing was changed.\n"))
  }

  @Test("AUTH-1: --as refuses what isn't an e-mail address before the store is opened")
  func wrongAddress() async {
    await world.expect(
      "status --as bo",
      .init(
        2,
        error: "lifesignal: --as: This isn't an e-mail address. Write it like name@example.org.\n")
    )
    #expect(world[\.storesOpened] == 0)
    #expect(await world.run("help --as bo@example.org").exitCode == 2)
  }

  @Test("AUTH-2: after sign-out, check-in says how to sign in, and works again after sign-in")
  func signOutAndIn() async {
    await openTwo()
    await world.expect("sign-out --as bo@example.org", .init(0, "Signed out Bo.\n"))
    await world.expect(
      "check-in --as bo@example.org",
      .init(
        1,
        error: "lifesignal: You are NOT checked in: No account is open on this machine."
          + " Sign in with lifesignal sign-in, or create one with lifesignal init.\n"))
    world[\.secret] = .success("wrong")
    await world.expect(
      "sign-in --as bo@example.org",
      .init(
        1,
        error: "lifesignal: The e-mail address or the password is wrong. Try again.\n"))
    world[\.secret] = .success("four random words")
    await world.expect("sign-in --as bo@example.org", .init(0, "Signed in as Bo.\n"))
    #expect(await world.run("check-in --as bo@example.org").exitCode == 0)
    // A session made without --as is used by every later command.
    await world.expect("sign-in Bo@example.org", .init(0, "Signed in as Bo.\n"))
    #expect(await world.run("status").output.hasPrefix("Bo: ok"))
  }

  @Test("AUTH-1: an account without a password can't be signed out of, and sign-in needs an EMAIL")
  func withoutPassword() async {
    await world.openAccount()
    await world.expect(
      "sign-out",
      .init(
        1,
        error:
          "lifesignal: This account has no password, so there is nothing to sign out of. Set"
          + " one in the app, under Profile, Security.\n"))
    await world.expect(
      "sign-in",
      .init(2, error: "lifesignal: EMAIL is missing. Write lifesignal sign-in [EMAIL].\n")
    )
  }

  @Test("CHK-3: with a gate set, check-in asks for the passphrase and starts a monitor")
  func checkIn() async throws {
    await world.openAccount()
    try await setGate(world)
    world[\.secret] = .success("blue kettle")
    let outcome = await world.run("check-in")
    #expect(outcome.exitCode == 0 && outcome.output.hasPrefix("Checked in."))
    #expect(world[\.prompts] == ["Passphrase: "])
    // There may be a silent alert to send.
    #expect(world[\.monitorsStarted] == 1)
  }

  @Test("CHK-3: check-in without the passphrase, or with a wrong one, exits with 40 and says why")
  func checkInWithoutPassphrase() async throws {
    await world.openAccount()
    try await setGate(world)
    await world.expect(
      "check-in",
      .init(
        40,
        error:
          "lifesignal: You are NOT checked in: This needs the passphrase. Type it in a terminal, or pipe it into"
          + " standard input.\n"))
    world[\.secret] = .success("red kettle")
    await world.expect(
      "check-in",
      .init(
        40,
        error: """
          lifesignal: You are NOT checked in: The passphrase is wrong. Type it again. Five wrong ones \
          lock it for a minute, and your responders are notified.

          """))
    for _ in 1...4 { _ = await world.run("check-in") }
    world[\.secret] = .success("blue kettle")
    let outcome = await world.run("check-in")
    #expect(outcome.exitCode == 40)
    #expect(outcome.errorOutput.contains("Too many wrong passphrases"))
  }

  @Test(
    "CHK-3: without the passphrase, removing or muting a channel or ending standby exits with 40",
    arguments: [
      "channels remove https://hooks.example.org/x",
      "channels mute https://hooks.example.org/x reminders", "standby --ntfy none",
    ])
  func weakening(_ command: String) async throws {
    await world.openAccount()
    for setup in ["channels add https://hooks.example.org/x", "standby --ntfy ida-7Qm2"] {
      #expect(await world.run(setup).exitCode == 0)
    }
    try await setGate(world)
    #expect(await world.run(command).exitCode == 40)
    world[\.secret] = .success("red kettle")
    #expect(await world.run(command).exitCode == 40)
    world[\.secret] = .success("blue kettle")
    #expect(await world.run(command).exitCode == 0)
  }

  @Test("AUTH-5: confirm says if no e-mail address waits for a code, and refuses a wrong code")
  func confirm() async throws {
    await world.openAccount()
    await world.expect("confirm", .init(0, "There is no e-mail address to confirm.\n"))
    #expect(await world.run("confirm WRONG123").exitCode == 1)
    #expect(await world.run("confirm --not-me WRONG123").exitCode == 1)
    #expect(await world.run("confirm --not-me").exitCode == 2)
  }

  @Test(
    "CHK-3: check-in and alert off print the same with the duress passphrase as with the true one")
  func duress() async throws {
    var outcomes: [[World.Outcome]] = []
    for passphrase in ["blue kettle", "green kettle"] {
      let world = World()
      await world.openAccount()
      try await setGate(world)
      _ = await world.run("alert on")
      world[\.secret] = .success(passphrase)
      let said = [
        await world.run("check-in"), await world.run("alert off"), await world.run("status --json"),
      ]
      #expect(said[1].output.contains(": the alert is over"))
      outcomes.append([said[0], said[1]])
      #expect(said[2].exitCode == 0)
      // Once late, after everyone was notified, and then again.
      try await world.advanceWatched(by: .hours(25))
      try await world.letMonitorWork()
      outcomes[outcomes.count - 1].append(await world.run("check-in"))
    }
    #expect(outcomes[0] == outcomes[1])
    #expect(
      outcomes[0][2].output.contains(": you checked in"), "\(outcomes[0][2])")
  }

  // MARK: Plain

  private func talk(_ arguments: String, _ lines: String...) async -> String {
    world[\.lines] = lines.map(LineEvent.line)
    let outcome = await world.run(arguments)
    #expect(outcome.exitCode == 0)
    return outcome.output
  }

  @Test("AUTH-1: --plain asks for e-mail and password until they are right, then signs in")
  func plainSignIn() async {
    await openTwo()
    _ = await world.run("sign-out --as bo@example.org")
    world[\.secrets] = ["wrong", "four random words"]
    let said = await talk("--plain --as bo@example.org", "", "bo@example.org", "quit")
    #expect(
      said.contains(
        """
        Your e-mail, or Enter for bo@example.org:\u{20}
        The e-mail address or the password is wrong. Try again.
        Your e-mail, or Enter for bo@example.org: bo@example.org
        Bo: ok
        """), "\(said)")
  }

  @Test("AUTH-1: typing new at the --plain sign-in creates another account")
  func plainSignUp() async throws {
    await openTwo()
    _ = await world.run("sign-out --as bo@example.org")
    world[\.secrets] = ["battery staple", "battery staple"]
    let said = await talk(
      "--plain --as bo@example.org", "new", "cy@example.org", "Cy Young", "", "", "", "", "", "quit"
    )
    #expect(said.contains("Welcome, Cy Young.\n"), "\(said)")
    #expect(!said.contains("reminders, optional"))
  }

  @Test("CON-2: --plain takes an invitation and names the inviter before asking for a password")
  func plainInvited() async throws {
    await openTwo()
    _ = await world.run("sign-out --as bo@example.org")
    let shown = Mutex("")
    let prompts = world[\.prompts].count
    world[\.overrides] = { [world] values in
      values.accountHost = .server(name: "family.example")
      values.invitationClient.setInvitation = { (typed: String) async throws(ClientError) in
        shown.withLock { $0 = typed }
      }
      values.invitationClient.offer = { () async throws(ClientError) in
        guard shown.withLock(\.self) == "abc" else { throw .inviteRequired }
        #expect(world[\.prompts].count == prompts)
        return InvitationOffer(name: "Ida", roles: .dependent)
      }
    }
    world[\.secrets] = ["battery staple", "battery staple"]
    let said = await talk(
      "--plain --as bo@example.org", "new", "", "new", "abc", "cy@example.org", "Cy Young", "", "",
      "", "", "", "quit")
    #expect(said.contains("needs an invitation"), "\(said)")
    #expect(said.contains("Ida invites you: you become Ida's responder.\n"), "\(said)")
    #expect(said.contains("Welcome, Cy Young.\n"), "\(said)")
  }

  @Test("AUTH-5: typing not me and a code in --plain undoes a change of the account before sign-in")
  func plainNotMe() async throws {
    await openTwo()
    _ = await world.run("sign-out --as bo@example.org")
    world[\.overrides] = {
      $0.authClient.takeBack = { (code: String) async throws(ClientError) in
        guard code == "K7QX2M9P" else { throw .resetCodeInvalid }
      }
    }
    world[\.secrets] = ["four random words"]
    let said = await talk(
      "--plain --as bo@example.org", "not me", "WRONG123", "not me", "K7QX2M9P", "bo@example.org",
      "quit")
    #expect(said.contains("This code is wrong or has expired."), "\(said)")
    #expect(said.contains("The change is undone and all sessions have ended."), "\(said)")
    #expect(said.contains("Bo: ok"), "\(said)")
  }

  @Test("CHK-3: with a gate set, checking in with --plain needs the passphrase each time")
  func plainGate() async throws {
    await world.openAccount()
    try await setGate(world)
    world[\.secrets] = ["blue kettle"]
    let said = await talk("--plain", "check in", "check in", "quit")
    #expect(said.contains("> check in\nChecked in."), "\(said)")
    #expect(
      said.contains("> check in\nYou are NOT checked in: This needs the passphrase."), "\(said)")
  }
}
