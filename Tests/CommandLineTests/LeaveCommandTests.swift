import Clients
import Composable
import Domain
import FoundationEssentials
import SQLite
import SharedPlatform
import Testing

@testable import CommandLine

@Suite struct LeaveCommandTests {
  private static let server = JoinedServer(url: "http://127.0.0.1:8738")
  private static let path = "/home/ada/.local/share/lifesignal/joined-server.json"
  private static let database = "/home/ada/.local/share/lifesignal/lifesignal.db"
  private static let code = "0123456789abcdef0123456789abcdef"
  private static let moved =
    "Your account has moved to 127.0.0.1:8738, which watches your deadline."

  /// A machine that has joined a server, with the server's reaction to signing out.
  private func joined(
    signOut: @escaping @Sendable () async throws(ClientError) -> Void
  ) -> World {
    let world = World()
    world[\.files][Self.path] = .success(Self.server.bytes)
    world[\.servers].joined = { (_: Folders) throws(StorageError) in
      world[\.files][Self.path] == nil ? nil : Self.server
    }
    world[\.servers].open = { (_, _, _, _) throws(StorageError) in
      { values in
        world.platform.install(in: &values)
        values.authClient.signOut = signOut
        values.keychainClient.delete = { (name: String) async throws(KeychainError) in
          world[\.secrets].removeAll { $0 == name }
        }
      }
    }
    world[\.servers].openHere = { (_) throws(StorageError) in { world.platform.install(in: &$0) } }
    return world
  }

  @Test(
    "If the server can't be reached, leave needs --force, which warns that an account stays there")
  func force() async {
    let world = joined { () async throws(ClientError) in
      throw .storage(.network(.serverUnreachable("127.0.0.1:8738")))
    }
    let token = "session@http://127.0.0.1:8738"
    world[\.secrets] = [token]
    let first = await world.run("leave")
    #expect(first.exitCode == 1 && first.errorOutput.contains("run lifesignal leave --force"))
    #expect(world[\.files][Self.path] != nil && world[\.secrets] == [token])
    let forced = await world.run("leave --force")
    #expect(forced.exitCode == 0)
    #expect(forced.output == "Forgot the server 127.0.0.1:8738, which can't be reached.\n")
    #expect(forced.errorOutput.contains("an account that you have there is watched"))
    #expect(forced.errorOutput.contains("The session of this machine wasn't ended"))
    #expect(world[\.files][Self.path] == nil && world[\.secrets].isEmpty)
    #expect(await world.run("leave --force").errorOutput.contains("hasn't joined"))
  }

  @Test(
    "If the server answers, leave --force does the same as leave",
    arguments: ["", " --force"])
  func leave(force: String) async {
    let world = joined { () async throws(ClientError) in }
    let outcome = await world.run("leave" + force)
    #expect(
      outcome.exitCode == 0
        && outcome.output.hasPrefix("Left the server 127.0.0.1:8738. Your account stays there"))
    #expect(outcome.errorOutput.isEmpty)
  }

  @Test(
    "If nobody is signed in, leave says only that an account there, if any, is still watched",
    arguments: [ClientError.sessionExpired, .notAuthenticated, .accountDisabled], ["", " --force"])
  func ended(error: ClientError, force: String) async {
    let world = joined { () async throws(ClientError) in throw error }
    let outcome = await world.run("leave" + force)
    #expect(outcome.exitCode == 0 && outcome.errorOutput.isEmpty)
    #expect(
      outcome.output == "Left the server 127.0.0.1:8738. Nobody was signed in here. If you have an"
        + " account there, it is still watched.\n")
    #expect(world[\.files][Self.path] == nil)
  }

  /// A machine whose account moved to the server and that has left the server since.
  private func moved() async throws -> World {
    let world = joined { () async throws(ClientError) in }
    world[\.files][Self.path] = nil
    _ = await world.run(["init", "--name", "Ada", "--responder", "Bo <bo@example.org>"])
    world[\.files][Self.path] = .success(Self.server.bytes)
    world[\.entries][Self.database] = .file(mode: 0o600, isOwn: true)
    let transfer = world.values.transferClient
    let move = try await transfer.prepareMove()
    #expect(try await transfer.completeMove(move, Self.server.name))
    try await transfer.stopWatching()
    return world
  }

  @Test(
    "After leaving, status, check-in, pause and doctor say that the account moved to the server")
  func copy() async throws {
    let world = try await moved()
    world[\.files][Self.path] = nil
    world.advance(by: .hours(2))
    for words in ["status", "status --json", "check-in", "pause 2d"] {
      let outcome = await world.run(words)
      #expect(outcome.exitCode != 0 && outcome.output.isEmpty, "\(words)")
      #expect(outcome.errorOutput.contains(Self.moved), "\(words): \(outcome)")
      #expect(outcome.errorOutput.contains("lifesignal leave --use-copy"), "\(words)")
    }
    let alert = await world.run("alert on")
    #expect(
      alert.errorOutput.contains("\(Self.moved) This alert comes from the copy on this computer"))
    #expect(await world.run("alert off").exitCode == 0)
    world[\.entries]["/home/ada/.local/share/lifesignal"] = .folder(mode: 0o700, isOwn: true)
    let doctor = await world.run("doctor")
    #expect(doctor.output.contains("✗ \(Self.moved)"), "\(doctor)")
    #expect(!doctor.output.contains("lifesignal monitor"), "\(doctor)")
  }

  @Test("After the account has moved, joining the same server signs in without moving again")
  func rejoin() async throws {
    let world = try await moved()
    world[\.files][Self.path] = nil
    let server = World()
    _ = try await server.values.authClient.createAccount(
      NewAccount(
        profile: Profile(name: "Ada", email: "ada@example.org"),
        credentials: Credentials(email: "ada@example.org", password: Secret("four random words"))))
    world[\.servers].open = { (_, _, _, _) throws(StorageError) in
      { server.platform.install(in: &$0) }
    }
    world[\.secrets] = ["four random words"]
    let outcome = await world.run(
      "join lifesignal://join/127.0.0.1:8738/abc?http --email ada@example.org")
    #expect(outcome.exitCode == 0 && outcome.output.contains("Signed in as Ada."), "\(outcome)")
  }

  @Test("An account that has moved isn't moved again, to the same server or to another")
  func noSecondAccount() async throws {
    let world = try await moved()
    world[\.files][Self.path] = nil
    let server = World()
    let there = server.platform.with(account: "other@example.org")
    world[\.servers].open = { (_, _, _, _) throws(StorageError) in { there.install(in: &$0) } }
    world[\.secrets] = ["four random words"]
    let outcome = await world.run(
      "join lifesignal://join/127.0.0.1:8738/\(Self.code)?http --bring-account --email ada@example.org"
    )
    #expect(outcome.exitCode == 1 && outcome.errorOutput.contains(Self.moved), "\(outcome)")
    #expect(try await server.values.authClient.state() == .newcomer)
    let elsewhere = await world.run(
      "join lifesignal://join/127.0.0.1:9?http --bring-account --email ada@example.org")
    #expect(elsewhere.exitCode == 2)
    let other = await world.run(
      "join lifesignal://join/127.0.0.1:9/\(Self.code)?http --bring-account --email ada@example.org"
    )
    #expect(
      other.errorOutput.contains("This account has moved to 127.0.0.1:8738."), "\(other)")
  }

  @Test(
    "CHK-1, CHK-3: leave --use-copy needs the passphrase, reopens the local copy and checks in",
    arguments: [true, false])
  func useCopy(hasLeft: Bool) async throws {
    let world = try await moved()
    if hasLeft { world[\.files][Self.path] = nil }
    try await world.values.authClient.updateGate(
      Gate(passphrase: Secret("blue kettle"), duress: Secret("green kettle")))
    world.advance(by: .days(3))
    world[\.secrets] = ["red kettle"]
    let refused = await world.run("leave --use-copy")
    #expect(refused.exitCode == 40 && refused.errorOutput.contains("passphrase"), "\(refused)")
    #expect(try await world.values.transferClient.movedTo() == Self.server.name)
    world[\.secrets] = ["green kettle"]
    let outcome = await world.run("leave --use-copy")
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(
      outcome.output.contains("Ada's account is on this computer again, as it was when it moved."))
    #expect(outcome.errorOutput.contains("The account on 127.0.0.1:8738 stays there"))
    #expect(world[\.files][Self.path] == nil && world[\.monitorsStarted] > 0)
    #expect(await world.run("status").output.contains("Ada: ok"))
    #expect(
      try await world.values.authClient.$silentAlert(typing: Secret("blue kettle")) != nil,
      "under duress it looks the same")
    world[\.secrets] = ["blue kettle"]
    #expect(await world.run("leave --use-copy").errorOutput.contains("No account has moved"))
  }

  @Test("Without a local store, leave --use-copy fails and doesn't leave the server")
  func noCopy() async {
    let world = joined { () async throws(ClientError) in }
    let outcome = await world.run("leave --use-copy")
    #expect(outcome.exitCode == 1 && outcome.errorOutput.contains("No account has moved"))
    #expect(world[\.files][Self.path] != nil, "the server isn't left")
  }
}
