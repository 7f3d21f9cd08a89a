import Clients
import Domain
import FoundationEssentials
import Testing

@testable import CommandLine

/// Text from outside never reaches the terminal unescaped.
struct HostileInputTests {
  let world = World()

  /// A colour, a title, a terminal reset, an 8-bit CSI, a bidirectional override and a line break.
  static let attack = "A\u{1B}[31m\u{1B}]0;x\u{7}\u{1B}c\u{9B}2J\u{202E}b\nc"

  private func isHarmless(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      scalar == "\n"
        || ![.control, .format].contains(scalar.properties.generalCategory)
    }
  }

  private func hostile(in world: World) {
    let id = UUID()
    let contact = Contact(
      id: id, name: Self.attack, phone: Self.attack, note: Self.attack, roles: .responder,
      channels: [Channel(id: id, kind: .email, address: Self.attack)], addedAt: World.start)
    world[\.overrides] = { values in
      values.contactsClient.contacts = { () async throws(ClientError) in [contact] }
      values.userClient.currentUser = { () async throws(ClientError) in
        User(
          id: id, profile: Profile(name: Self.attack), lastCheckIn: World.start,
          createdAt: World.start)
      }
      values.alertClient.history = { (_: Int) async throws(ClientError) in
        [
          AlertReport(
            alert: Alert(id: id, kind: .manual, message: Self.attack, raisedAt: World.start))
        ]
      }
      values.watchClient.status = { () async throws(StorageError) in
        WatchStatus(monitors: 1, lastSeen: World.start, problem: Self.attack)
      }
    }
  }

  @Test(arguments: ["status", "contacts", "check-in", "alert on"])
  func storedText_isCleaned(words: String) async {
    await world.openAccount()
    hostile(in: world)
    let outcome = await world.run(words)
    #expect(isHarmless(outcome.output), "\(outcome.output.debugDescription)")
    #expect(isHarmless(outcome.errorOutput), "\(outcome.errorOutput.debugDescription)")
  }

  @Test func storedText_cannotForgeALine() async {
    await world.openAccount()
    hostile(in: world)
    let outcome = await world.run("contacts")
    #expect(outcome.output.split(separator: "\n").count == 1)
  }

  @Test(arguments: ["status --json", "contacts --json"])
  func json_losesNothing(words: String) async throws {
    await world.openAccount()
    hostile(in: world)
    let outcome = await world.run(words)
    #expect(isHarmless(outcome.output))
    struct Named: Decodable { var name: String }
    let data = Data(outcome.output.utf8)
    let name =
      words.hasPrefix("status")
      ? try JSONDecoder().decode(Named.self, from: data).name
      : try JSONDecoder().decode([Named].self, from: data)[0].name
    #expect(name == Self.attack)
  }

  @Test(
    arguments: [
      [attack], ["--\(attack)"], ["status", attack], ["init", "--name", attack],
      ["init", "--name", "Ada", "--interval", attack],
      ["init", "--name", "Ada", "--responder", attack], ["demo", "--frame", attack],
      ["keychain", "set", attack], ["help", attack],
    ])
  func argument_isCleanedInItsMessage(arguments: [String]) async {
    let outcome = await world.run(arguments)
    #expect(outcome.exitCode == 2)
    #expect(isHarmless(outcome.errorOutput), "\(outcome.errorOutput.debugDescription)")
    #expect(outcome.errorOutput.split(separator: "\n").count == 1)
  }

  @Test func errorFromTheStore_isCleaned() async {
    world[\.storeFailure] = .unknown(Self.attack)
    let outcome = await world.run("status")
    #expect(outcome.exitCode == 1)
    #expect(isHarmless(outcome.errorOutput))
  }
}

struct JSONTextTests {
  @Test(
    arguments: [
      ("", #""""#), (#"a"b\c"#, #""a\"b\\c""#), ("\n\r\t", #""\n\r\t""#),
      ("\u{0}\u{1B}\u{7F}\u{9B}", #""\u0000\u001b\u007f\u009b""#),
      ("é 小 👩‍🚒", #""é 小 👩\u200d🚒""#), ("\u{2028}\u{202E}\u{E0001}", #""\u2028\u202e\udb40\udc01""#),
    ])
  func string_isEscaped(text: String, json: String) {
    #expect(JSONText.string(text).text == json)
  }

  @Test func members_keepTheirOrder() {
    let value = JSONText.object([
      .init(name: "z", value: .integer(-1)),
      .init(name: "a", value: .array([.null, .string("b")])),
      .init(name: "m", value: .object([])), .init(name: "n", value: .array([])),
    ])
    #expect(value.text == #"{"z":-1,"a":[null,"b"],"m":{},"n":[]}"#)
  }
}
