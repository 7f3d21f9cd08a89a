import Clients
import Domain
import Testing

@testable import CommandLine

/// `lifesignal keychain`.
struct KeychainCommandTests {
  let world = World()

  private func secret() async throws -> String? {
    return try await world.values.keychainClient.get("smtp-password")
  }

  @Test func set_keepsWhatWasTyped() async throws {
    world[\.secret] = .success("hunter2")
    let outcome = await world.run("keychain set smtp-password")
    #expect(outcome == .init(0, "Saved smtp-password.\n"))
    #expect(world[\.prompts] == ["smtp-password: "])
    #expect(try await secret() == "hunter2")
  }

  @Test(
    "CHK-3: keychain set and delete need the passphrase and run lifesignal-monitor --once")
  func gate() async throws {
    await world.openAccount()
    try await world.values.authClient.updateGate(
      Gate(passphrase: Secret("blue kettle"), duress: Secret("green kettle")))
    world[\.entries]["/home/ada/.local/share/lifesignal/lifesignal.db"] = .file(
      mode: 0o600, isOwn: true)
    world[\.secret] = .success("red kettle")
    #expect(await world.run("keychain set smtp-password").exitCode == 40)
    #expect(try await secret() == nil)
    for passphrase in ["blue kettle", "green kettle"] {
      world[\.secrets] = [passphrase, "hunter2", passphrase]
      world[\.programsRun] = []
      await world.expect(
        "keychain set smtp-password", .init(0, "Saved smtp-password.\n"))
      #expect(try await secret() == "hunter2")
      await world.expect(
        "keychain delete smtp-password", .init(0, "Deleted smtp-password.\n"))
      #expect(
        world[\.programsRun]
          == Array(repeating: "/usr/local/bin/lifesignal-monitor --once", count: 2)
      )
    }
    #expect(try await world.values.authClient.$silentAlert(typing: Secret("blue kettle")) != nil)
  }

  @Test func keyring_keepsIt() async throws {
    world[\.secret] = .success("hunter2")
    world[\.overrides] = { values in
      values.keychainClient.keepInKeyring = { (name: String, secret: String) in
        #expect(name == "smtp-password" && secret == "hunter2")
      }
      values.keychainClient.source = { (_: String) in .keyring }
    }
    await world.expect(
      "keychain set smtp-password --keyring", .init(0, "Saved smtp-password.\n"))
    #expect(try await secret() == nil)
  }

  @Test func withoutAKeyring_nothingIsKept() async throws {
    world[\.secret] = .success("hunter2")
    let outcome = await world.run("keychain set smtp-password --keyring")
    #expect(outcome.exitCode == 1)
    #expect(!outcome.errorOutput.contains("hunter2"))
    #expect(try await secret() == nil)
  }

  @Test func whatComesBefore_isTold() async throws {
    world[\.secret] = .success("hunter2")
    world[\.overrides] = { values in
      values.keychainClient.source = { (_: String) in .command(program: "pass") }
    }
    await world.expect(
      "keychain set smtp-password",
      .init(
        0, "Saved smtp-password.\n",
        error: "lifesignal: It isn't used as long as the command pass comes first.\n"))
    await world.expect(
      "keychain delete smtp-password",
      .init(
        0, "Deleted smtp-password.\n",
        error: "lifesignal: There is still one from the command pass.\n"))
  }

  @Test func delete_forgetsIt() async throws {
    world[\.secret] = .success("hunter2")
    _ = await world.run("keychain set smtp-password")
    await world.expect(
      "keychain delete smtp-password", .init(0, "Deleted smtp-password.\n"))
    await world.expect(
      "keychain delete smtp-password", .init(0, "There is no secret smtp-password.\n"))
    #expect(try await secret() == nil)
  }

  @Test(
    arguments: [
      (SecretError.empty, "No password or secret was typed. Nothing was changed."),
      (.tooLong, "The secret is longer than 4096 bytes. Nothing was changed."),
      (.cancelled, "Cancelled. Nothing was changed."),
      (
        .unreadable(reason: "Input/output error"),
        "The secret could not be read: Input/output error."
      ),
    ])
  func unreadSecret_changesNothing(error: SecretError, message: String) async throws {
    world[\.secret] = .failure(error)
    await world.expect("keychain set smtp-password", .init(1, error: "lifesignal: \(message)\n"))
    #expect(try await secret() == nil)
  }

  @Test func secretAsAnArgument_isRefused() async {
    await world.expect(
      "keychain set smtp-password hunter2",
      .init(
        2,
        error: "lifesignal: “hunter2” is one word too many. Write lifesignal keychain set|delete"
          + " NAME [OPTION]…; put quotation marks around a text with spaces.\n"))
  }

  @Test(arguments: [
    ("../etc", "Write smtp-password or error-log-token."),
    (
      "smtp_password",
      "Did you mean “smtp-password”? Write smtp-password or error-log-token."
    ),
  ])
  func otherName_isRefused(name: String, advice: String) async {
    await world.expect(
      ["keychain", "set", name],
      .init(2, error: "lifesignal: “\(name)” isn't possible here. \(advice)\n"))
  }
}
