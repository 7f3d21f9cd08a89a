import Clients
import Composable
import ComposableFoundation
import ComposableTesting
import Domain
import FoundationEssentials
import Monitor
import SQLite
import SharedPlatform
import Testing

@testable import CommandLine

@Suite struct JoinCommandTests {
  private static let code = "0123456789abcdef0123456789abcdef"
  private static let link = "lifesignal://join/127.0.0.1:8738/\(code)?http"
  private static let path = "/home/ada/.local/share/lifesignal/joined-server.json"
  private static let server = JoinedServer(url: "http://127.0.0.1:8738")

  /// A world whose server is a store in memory that accepts one invitation.
  private func world() -> World {
    let world = World()
    world[\.servers].open = { (_, server, invite, _) throws(StorageError) in
      guard server == Self.server, invite == Self.code else { throw .busy }
      return { world.platform.install(in: &$0) }
    }
    return world
  }

  @Test("Joining with --name creates an account, saves the server and never prints the password")
  func signUp() async {
    let world = world()
    world[\.secrets] = [Self.link, "four random words", "four random words"]
    let outcome = await world.run("join - --name Ada --email ada@example.org")
    #expect(outcome.exitCode == 0 && outcome.output.hasPrefix("Welcome, Ada."))
    guard case .success(let bytes) = world[\.files][Self.path] else {
      Issue.record("nothing was kept")
      return
    }
    #expect(JoinedServer(bytes: bytes) == Self.server)
    #expect(!outcome.output.contains("four random") && !outcome.errorOutput.contains("four random"))
  }

  @Test("A wrong password while joining is asked for again at a terminal; a pipe gets one attempt")
  func slip() async throws {
    let world = world()
    world[\.secrets] = ["four random words", "four random words"]
    _ = await world.run("join \(Self.link) --name Ada --email ada@example.org")
    world[\.files][Self.path] = nil
    let words = "join \(Self.link) --email ada@example.org"
    world[\.secrets] = ["four random wrods", "four random words"]
    #expect(await world.run(words).exitCode == 1)
    #expect(world[\.secrets] == ["four random words"])
    world[\.typesSecrets] = true
    world[\.secrets] = ["four random wrods", "four random words"]
    let outcome = await world.run(words)
    #expect(outcome.exitCode == 0 && outcome.output.contains("Signed in as Ada."))
    #expect(
      outcome.errorOutput.hasPrefix("The e-mail address or the password is wrong. Try again.\n"))
    // Cancelling ends it, as does an error that another attempt can't fix.
    world[\.files][Self.path] = nil
    world[\.secrets] = ["four random wrods"]
    world[\.secret] = .failure(.cancelled)
    #expect(await world.run(words).errorOutput.hasSuffix("Cancelled. Nothing was changed.\n"))
  }

  @Test("At a terminal, join asks again for a new password that is too short or repeated wrongly")
  func newPasswordSlip() async {
    let world = world()
    world[\.typesSecrets] = true
    world[\.secrets] = ["short", "four random words", "four random", "three words", "three words"]
    let outcome = await world.run("join \(Self.link) --name Ada --email ada@example.org")
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(world[\.secrets].isEmpty)
  }

  @Test("Joining a server without a monitor warns that nobody would be notified")
  func unwatchedServer() async throws {
    let world = world()
    world[\.secrets] = ["four random words", "four random words"]
    _ = await world.run("join \(Self.link) --name Ada --email ada@example.org")
    world[\.files][Self.path] = nil
    world[\.secrets] = ["four random words"]
    let outcome = await world.run("join \(Self.link) --email ada@example.org")
    #expect(
      outcome.errorOutput == "lifesignal: Nobody would be notified: no monitor is running."
        + " Tell the person who runs the server.\n")
    try await world.watch()
    world[\.files][Self.path] = nil
    world[\.secrets] = ["four random words"]
    #expect(await world.run("join \(Self.link) --email ada@example.org").errorOutput.isEmpty)
  }

  @Test("A failed sign-in while joining doesn't save the server")
  func signIn() async {
    let world = world()
    world[\.secrets] = ["four random words"]
    let outcome = await world.run("join \(Self.link) --email ada@example.org")
    #expect(outcome.exitCode == 1 && outcome.errorOutput.contains("add --name"))
    #expect(world[\.files][Self.path] == nil)
  }

  @Test("A malformed join link is refused before any prompt")
  func malformed() async {
    let world = world()
    let outcome = await world.run("join lifesignal://join/h --email ada@example.org")
    #expect(outcome.exitCode == 2 && outcome.errorOutput.contains("cut off"))
    #expect(world[\.prompts].isEmpty)
  }

  @Test(
    "A join link with a code of 31 instead of 32 characters is refused before any prompt",
    arguments: ["--name Ada", "--bring-account"])
  func cutOff(words: String) async {
    let world = World()
    let link = "lifesignal://join/127.0.0.1:8738/\(Self.code.dropLast())?http"
    let outcome = await world.run("join \(link) --email ada@example.org \(words)")
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.errorOutput.contains("The code in this link has 31 characters instead of 32"),
      "\(outcome)")
    #expect(world[\.prompts].isEmpty)
  }

  @Test("Joining without --name takes a link with any code and asks for the password")
  func anyCode() async {
    let world = World()
    world[\.servers].open = { (_, _, _, _) throws(StorageError) in
      { world.platform.install(in: &$0) }
    }
    world[\.secrets] = ["four random words"]
    let outcome = await world.run(
      "join lifesignal://join/127.0.0.1:8738/x?http --email ada@example.org")
    #expect(outcome.errorOutput.contains("add --name") && world[\.prompts].count == 1)
  }

  @Test(
    "AUTH-2: signed out on a joined machine, commands say to sign in, not to create an account",
    arguments: ["check-in", "status", "contacts", "alert off", "pause 2d"])
  func signedOut(words: String) async {
    let world = World()
    world[\.servers].joined = { (_: Folders) throws(StorageError) in Self.server }
    let outcome = await world.run(words)
    #expect(outcome.exitCode != 0)
    #expect(
      outcome.errorOutput.hasSuffix(
        "No account is open on this machine. Sign in with lifesignal sign-in EMAIL.\n"),
      "\(outcome)")
    #expect(outcome.errorOutput.contains("You are NOT checked in: ") == (words == "check-in"))
  }

  @Test(
    "A server invitation given to open or contacts add is refused with advice to use join",
    arguments: ["open \(link)", "contacts add \(link)", "open LIFESIGNAL://join/h/x"])
  func serverLink(words: String) async {
    let outcome = await World().run(words)
    #expect(outcome.exitCode == 2)
    #expect(outcome.errorOutput.contains("That is an invitation to a server"), "\(outcome)")
    #expect(outcome.errorOutput.contains("lifesignal join LINK"), "\(outcome)")
  }

  @Test("Joining a server whose certificate isn't trusted fails and mentions the certificate")
  func unknownKey() async {
    let world = world()
    world[\.servers].identify = { (_) async throws(NetworkError) in throw .notTrusted }
    world[\.lines] = [.line("no")]
    let outcome = await world.run("join lifesignal://join/h/abc --email ada@example.org")
    #expect(outcome.exitCode == 1 && outcome.errorOutput.contains("certificate"))
  }

  @Test(
    "On a machine that has joined a server, restore, monitor, mail, init and join are refused",
    arguments: [
      "restore", "monitor", "mail", "init --name Ada",
      "join \(link) --email ada@example.org",
    ])
  func joined(words: String) async {
    let world = world()
    world[\.servers].joined = { (_: Folders) throws(StorageError) in Self.server }
    let outcome = await world.run(words)
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.errorOutput.hasPrefix(
        "lifesignal: This machine has joined the server 127.0.0.1:8738"))
    #expect(world[\.monitorArguments].isEmpty && world[\.storesOpened] == 0)
  }

  @Test("With an account on a server, keychain refuses smtp-password but saves error-log-token")
  func keychain() async {
    let world = World()
    _ = await world.run("init --name Ada")
    world[\.overrides] = { $0.accountHost = .server(name: "family.example") }
    world[\.secret] = .success("a secret")
    let password = await world.run("keychain set smtp-password")
    #expect(
      password.exitCode == 1
        && password.errorOutput.contains("family.example, which sends the mail"))
    #expect(await world.run("keychain set error-log-token").exitCode == 0)
    #expect(
      await world.run("standby").output.hasPrefix("Nobody watches while family.example is off."))
  }

  @Test("Bringing an account fails if the e-mail has an account there with another password")
  func wrongPassword() async throws {
    let (here, server) = (World(), World())
    _ = await here.run("init --name Ada")
    _ = try await server.values.authClient.createAccount(
      NewAccount(
        profile: Profile(name: "Ada", email: "ada@example.org"),
        credentials: Credentials(email: "ada@example.org", password: Secret("four random words"))))
    try await server.watch()
    let there = server.platform.with(account: "other@example.org")
    here[\.servers].openHere = { (_) throws(StorageError) in { here.platform.install(in: &$0) } }
    here[\.servers].open = { (_, _, _, _) throws(StorageError) in { there.install(in: &$0) } }
    here[\.secrets] = ["another password", "another password"]
    let outcome = await here.run("join \(Self.link) --bring-account --email ada@example.org")
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.errorOutput.contains(
        "ada@example.org has an account there already, and this isn't its password."), "\(outcome)")
    #expect(here[\.files][Self.path] == nil)
  }

  @Test("A contact's code of another server is refused by name; a code of this server is looked up")
  func foreignCode() async {
    let world = World()
    _ = await world.run("init --name Ada")
    world[\.overrides] = { $0.accountHost = .server(name: "family.example") }
    let code = "6f1c2d80-0000-4000-8000-00000000beef"
    let foreign = await world.run("contacts add lifesignal://add/example.org/\(code)")
    #expect(foreign.exitCode == 1)
    #expect(
      foreign.errorOutput
        == "lifesignal: That code belongs to example.org; you are on family.example."
        + " Both of you need to be on the same server.\n")
    let own = await world.run("contacts add lifesignal://add/Family.Example/\(code)")
    #expect(own.errorOutput.contains("No account here has this code."))
    #expect(await world.run("contacts add lifesignal://add/a\u{1B}b/\(code)").exitCode == 2)
  }

  @Test(
    "CHK-3: join --bring-account needs the passphrase, and moves only to a server that can notify")
  func bringAccount() async throws {
    let world = World()
    let server = EmbeddedPlatform.inMemory(now: { world[\.now] })
    var there = DependencyValues()
    server.install(in: &there)
    let monitor = there.monitorClient
    world[\.servers].openHere = { (_) throws(StorageError) in { world.platform.install(in: &$0) } }
    world[\.servers].open = { (_, _, invite, _) throws(StorageError) in
      guard invite == Self.code else { throw .busy }
      return { values in
        server.install(in: &values)
        // The server's monitor works between two requests.
        let arrive = values.transferClient.arrive
        values.transferClient.arrive = { () async throws(ClientError) in
          let isWatched = try await arrive()
          let due = (try? await monitor.due(world[\.now], 9)) ?? []
          _ = try? await monitor.apply(
            due.map {
              AccountPlan(
                account: $0.user.id, revision: $0.revision,
                plan: Planner.plan($0, now: world[\.now], makeID: { UUID() }))
            }, world[\.now])
          return isWatched
        }
        values.continuousClock = ImmediateClock()
      }
    }
    _ = await world.run(["init", "--name", "Ada", "--responder", "Bo <bo@example.org>"])
    try await world.values.authClient.updateGate(Gate(passphrase: Secret("blue kettle")))
    let words = "join \(Self.link) --bring-account --email ada@example.org"
    world[\.secrets] = ["blue kettle"]
    let unwatched = await world.run(words)
    #expect(
      unwatched.errorOutput.contains(
        "Nobody would be notified by 127.0.0.1:8738: no monitor is running. Nothing was moved, and no account was"
          + " opened there."), "\(unwatched)")
    let mute = MonitorProblem("mail is not set up at mail.example.org", kinds: [.email])
    _ = try await monitor.heartbeat(UUID(7), { world[\.now] }, .minutes(1), mute)
    world[\.secrets] = ["blue kettle"]
    #expect(await world.run(words).errorOutput.contains("nothing can be sent by email."))
    #expect(try await there.authClient.state() == .newcomer)
    _ = try await monitor.heartbeat(UUID(7), { world[\.now] }, .minutes(1), nil)
    world[\.secrets] = ["blue kettle", "four random words", "four random words"]
    let outcome = await world.run(words)
    #expect(outcome.output.contains("1 check-in, 1 contact and 0 documents"), "\(outcome)")
    #expect(outcome.exitCode == 0)
    let late = await world.run("check-in")
    #expect(late.exitCode != 0)
    let status = await world.run("status")
    #expect(status.exitCode == 1 && status.output.isEmpty)
    #expect(
      status.errorOutput.contains(
        "Your account has moved to 127.0.0.1:8738, which watches your deadline."))
    #expect(world[\.files][Self.path] != nil)
    #expect(try await there.userClient.currentUser().locks.contains(.gate))
  }

  @Test("On a joined machine, doctor checks the server and advises no monitor, mail setup or init")
  func doctor() async {
    let world = World()
    let print = String(repeating: "ab", count: 32)
    let server = JoinedServer(url: "https://ls.example.org", fingerprint: print)
    world[\.servers].joined = { (_: Folders) throws(StorageError) in server }
    world[\.servers].identify = { (_) async throws(NetworkError) in
      ServerConnection.Identity(fingerprint: print, isTrusted: false)
    }
    world[\.servers].statement = { (_) async throws(NetworkError) in
      ServerConnection.Statement(version: Version.current, clockLead: .seconds(-29))
    }
    let outcome = await world.run("doctor")
    #expect(outcome.output.contains("✓ The server ls.example.org answers"))
    #expect(
      outcome.output.contains(
        "✓ The server ls.example.org runs this app's version, \(Version.current).\n"
          + "✓ This machine's clock agrees with the server's.\n"), "\(outcome)")
    #expect(outcome.exitCode == 1 && !outcome.output.contains("lifesignal monitor"))
    #expect(!outcome.output.contains("mail setup"))
    // Nobody is signed in, and `init` is for accounts of the machine.
    #expect(
      outcome.output.contains("Sign in with lifesignal sign-in EMAIL.")
        && !outcome.output.contains("lifesignal init"), "\(outcome)")
    #expect(outcome.output.contains("✓ Nothing waits for the server."))
    world[\.isVirtual] = true
    #expect(
      await world.run("doctor").output.contains("! This is a virtual machine: if it is stopped,"))
    world[\.servers].identify = { (_) async throws(NetworkError) in
      ServerConnection.Identity(fingerprint: "cd", isTrusted: true)
    }
    #expect(
      await world.run("doctor").output.contains("✗ The server ls.example.org has a different key"))
    world[\.servers].identify = { (_) async throws(NetworkError) in throw .libraryMissing }
    #expect(await world.run("doctor").output.contains("libcurl"))
  }

  @Test(
    "Doctor names the server's version if it differs, and warns of clocks 30 s or more apart",
    arguments: [
      (30, "This machine's clock is 30s behind the server's, by which your deadline counts."),
      (
        -3_725,
        "This machine's clock is 1h 2m 5s ahead of the server's, by which your deadline counts."
      ),
    ])
  func otherClock(lead: Int, text: String) async throws {
    let world = World()
    world[\.servers].joined = { (_: Folders) throws(StorageError) in Self.server }
    world[\.servers].statement = { (_) async throws(NetworkError) in
      ServerConnection.Statement(version: "9.1\u{1B}", clockLead: .seconds(lead))
    }
    let outcome = await world.run("doctor --json")
    #expect(
      outcome.output.contains(#""check":"server_clock","mark":"warning","found":"\#(text)""#),
      "\(outcome)")
    let version =
      "The server 127.0.0.1:8738 runs version 9.1␛; this app is \(Version.current)."
    #expect(outcome.output.contains(#""check":"server_version","mark":"ok","found":"\#(version)""#))
    world[\.servers].statement = { (_) async throws(NetworkError) in throw .connectionFailed }
    #expect(
      await world.run("doctor").output.hasPrefix(
        "✗ \(NetworkError.connectionFailed.errorDescription)"))
  }

  @Test("Joining on a machine with its own account is refused and suggests --bring-account")
  func ownAccount() async {
    let world = world()
    _ = await world.run("init --name Ada")
    world[\.entries]["/home/ada/.local/share/lifesignal/lifesignal.db"] =
      .file(mode: 0o600, isOwn: true)
    let outcome = await world.run("join \(Self.link) --email ada@example.org")
    #expect(outcome.exitCode == 1 && outcome.errorOutput.contains("--bring-account"))
  }
}
