import Clients
import Domain
import FoundationEssentials
import SQLite
import SharedPlatform
import Testing

@testable import CommandLine

@Suite struct JoinCommandTests {
  private static let link = "lifesignal://join/127.0.0.1:8738/abc?http"
  private static let path = "/home/ada/.local/share/lifesignal/joined-server.json"
  private static let server = JoinedServer(url: "http://127.0.0.1:8738")

  /// A world with a server that is a store in memory, and takes one invitation.
  private func world() -> World {
    let world = World()
    world[\.servers].open = { (_, server, invite, _) throws(StorageError) in
      guard server == Self.server, invite == "abc" else { throw .busy }
      return { world.platform.install(in: &$0) }
    }
    return world
  }

  @Test("A new account is opened with a password from standard input, and the server is kept")
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

  @Test("A sign-in that fails keeps nothing")
  func signIn() async {
    let world = world()
    world[\.secrets] = ["four random words"]
    let outcome = await world.run("join \(Self.link) --email ada@example.org")
    #expect(outcome.exitCode == 1 && outcome.errorOutput.contains("add --name"))
    #expect(world[\.files][Self.path] == nil)
  }

  @Test("What is no invitation is refused before anything is asked")
  func malformed() async {
    let world = world()
    let outcome = await world.run("join lifesignal://join/h --email ada@example.org")
    #expect(outcome.exitCode == 2 && outcome.errorOutput.contains("cut off"))
    #expect(world[\.prompts].isEmpty)
  }

  @Test("A key without a fingerprint in the link is shown, and only yes joins")
  func unknownKey() async {
    let world = world()
    world[\.servers].identify = { (_) async throws(NetworkError) in throw .notTrusted }
    world[\.lines] = [.line("no")]
    let outcome = await world.run("join lifesignal://join/h/abc --email ada@example.org")
    #expect(outcome.exitCode == 1 && outcome.errorOutput.contains("certificate"))
  }

  @Test(
    "What a machine does that keeps its accounts itself is the server's part",
    arguments: [
      "doctor", "restore", "monitor", "mail", "init --name Ada",
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

  @Test("An account of this machine is not left without its person")
  func ownAccount() async {
    let world = world()
    _ = await world.run("init --name Ada")
    world[\.entries]["/home/ada/.local/share/lifesignal/lifesignal.db"] =
      .file(mode: 0o600, isOwn: true)
    let outcome = await world.run("join \(Self.link) --email ada@example.org")
    #expect(outcome.exitCode == 1 && outcome.errorOutput.contains("an account on this machine"))
  }
}
