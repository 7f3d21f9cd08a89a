import Clients
import Domain
import Testing

@testable import CommandLine

/// `lifesignal export` and `lifesignal import`.
struct TransferCommandTests {
  private func bytes(_ world: World, _ path: String) throws -> [UInt8] {
    try #require(try world[\.files][path]?.get())
  }

  @Test("An export that is imported into a new store is exported again as the same bytes")
  func roundTrip() async throws {
    let world = World()
    await world.openAccount()
    await world.expect("export a.json", .init(0, "Exported Ada Lovelace to a.json.\n"))
    let exported = try bytes(world, "a.json")
    #expect(
      await world.run("export -").output == String(decoding: exported, as: UTF8.self))

    let other = World()
    other[\.files]["a.json"] = .success(exported)
    await other.expect(
      "import a.json",
      .init(
        0,
        "Welcome back, Ada Lovelace. Imported: 2 contacts, 1 check-in, 0 alerts, 0 notifications"
          + " and 0 settings.\n",
        error:
          "lifesignal: An export has no passphrases: one that you had, or one for duress, no longer counts."
          + " Set one under Profile › Security.\n"
          + "lifesignal: Where this account was before, stop its monitor: check-ins here don't move the"
          + " deadline there.\n"))
    #expect(await other.run("export b.json").exitCode == 0)
    #expect(try bytes(other, "b.json") == exported)
  }

  @Test("CHK-3: at a terminal, import asks for new passphrases and sets the gate again")
  func passphrases() async throws {
    let world = World()
    await world.openAccount()
    _ = await world.run("export a.json")
    let other = World()
    other[\.files]["a.json"] = .success(try bytes(world, "a.json"))
    other[\.typesSecrets] = true
    other[\.secrets] = ["blue kettle", "red kettle on fire"]
    let outcome = await other.run("import a.json")
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.hasPrefix("An export has no passphrases"))
    #expect(!outcome.errorOutput.contains("passphrase"))
    #expect(try await other.values.userClient.currentUser().locks.contains(.gate))
  }

  @Test("Export replaces an existing file only with --force")
  func existingFile() async throws {
    let world = World()
    await world.openAccount()
    world[\.files]["notes.txt"] = .success(Array("precious".utf8))
    let refused = await world.run("export notes.txt")
    #expect(refused.exitCode == 1)
    #expect(refused.errorOutput.contains("notes.txt already exists. Choose another name"))
    #expect(try bytes(world, "notes.txt") == Array("precious".utf8))
    #expect(await world.run("export notes.txt --force").exitCode == 0)
    #expect(try bytes(world, "notes.txt") != Array("precious".utf8))
  }

  @Test("Imported notifications count as read")
  func oldNotifications() async throws {
    let world = World()
    await world.openAccount()
    _ = try await world.values.notificationClient.addLocal(.pingReceived, "Bo", "")
    _ = await world.run("export a.json")
    let other = World()
    other[\.files]["a.json"] = .success(try bytes(world, "a.json"))
    #expect(await other.run("import a.json").exitCode == 0)
    let imported = try await other.values.notificationClient.notifications(10, .all)
    #expect(imported.map(\.kind) == [.pingReceived] && imported.allSatisfy(\.isRead))
  }

  @Test("CHK-2: importing an account after its deadline says to check in now")
  func overdue() async throws {
    let world = World()
    await world.openAccount()
    _ = await world.run("export a.json")
    let other = World()
    other[\.files]["a.json"] = .success(try bytes(world, "a.json"))
    other.advance(by: .days(3))
    let outcome = await other.run("import a.json")
    #expect(outcome.errorOutput.contains("Check in now, or your responders will be notified."))
  }

  @Test("Importing into an existing account asks first; the answer no changes nothing")
  func confirmation() async throws {
    let world = World()
    await world.openAccount()
    _ = await world.run("export a.json")
    world[\.lines] = [.line("no")]
    let refused = await world.run("import a.json")
    #expect(refused.exitCode == 1)
    #expect(refused.errorOutput == "lifesignal: Nothing was changed.\n")
    world[\.lines] = [.nothing, .line("yes")]
    #expect(await world.run("import a.json").output.contains("Added: 0 contacts"))
    #expect(await world.run("import a.json --yes").exitCode == 0)
  }

  @Test("Import refuses a missing file, a file that is too large and a file that isn't an export")
  func refused() async {
    let world = World()
    world[\.files]["large"] = .success(
      [UInt8](repeating: 32, count: AccountExport.sizeLimit + 1))
    world[\.files]["other"] = .success(Array("{}".utf8))
    for (path, words) in [
      ("nothing", "There is no file nothing."), ("large", "larger than any export"),
      ("other", "isn't a complete LifeSignal export"),
    ] {
      let outcome = await world.run("import \(path)")
      #expect(outcome.exitCode == 1)
      #expect(outcome.errorOutput.contains(words))
    }
    #expect(await world.run("status").exitCode == 1)
  }
}
