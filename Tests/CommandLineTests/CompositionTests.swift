import Clients
import Domain
import FoundationEssentials
import Testing

@testable import CommandLine

/// File locations, invalid settings, and stores that can't be opened.
struct CompositionTests {
  let world = World()

  static let configuration = "/home/ada/.config/lifesignal/config.json5"

  @Test(
    arguments: [
      "status", "check-in", "contacts", "alert on", "init --name Ada", "monitor", "restore",
    ])
  func withoutHome_saysWhatToSet(words: String) async {
    world[\.variables] = ["XDG_DATA_HOME": "relative/path"]
    await world.expect(
      words,
      .init(
        1,
        error:
          "lifesignal: \(words == "check-in" ? "You are NOT checked in: " : "")There is no home"
          + " folder: HOME is not set to an absolute path. Set HOME, or XDG_DATA_HOME, XDG_CONFIG_HOME and XDG_STATE_HOME.\n"
      ))
  }

  @Test(
    arguments: [
      (
        "{ smtp: {\n host: 'mail',\n from: 'nobody' } }",
        "config.json5, line 3: smtp.from is not an e-mail address."
      ),
      ("{ smpt: {} }", "config.json5, line 1: smpt is not a setting."),
    ])
  func brokenConfiguration_isAWarning(text: String, message: String) async {
    await world.openAccount()
    world[\.files][Self.configuration] = .success(Array(text.utf8))
    let outcome = await world.run("status --json")
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.hasPrefix("{\"name\":"))
    #expect(
      outcome.errorOutput
        == "lifesignal: \(message) A running monitor uses the last good settings; "
        + "a new one sends nothing until the file is fixed.\n")
    #expect(await world.run("check-in").exitCode == 0)
  }

  @Test func unreadableConfiguration_isAWarning() async {
    await world.openAccount()
    world[\.files][Self.configuration] = .failure(FileError(reason: "Permission denied"))
    let outcome = await world.run("status")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.errorOutput
        == "lifesignal: config.json5: it can't be read: Permission denied. "
        + "A running monitor uses the last good settings; "
        + "a new one sends nothing until the file is fixed.\n")
  }

  @Test func goodConfiguration_isSilent() async {
    await world.openAccount()
    world[\.files][Self.configuration] = .success(
      Array("{ smtp: { host: 'mail.example.org', from: 'ada@example.org' } }".utf8))
    #expect(await world.run("status").errorOutput.isEmpty)
  }

  @Test(
    arguments: [
      (
        StorageError.corrupt(detail: "Page 3 is malformed."),
        "The store is damaged. Page 3 is malformed."
      ),
      (
        .missing(path: "/data/lifesignal.db"),
        "The store /data/lifesignal.db is missing or empty."
      ),
    ])
  func damagedStore_isLeftUntilItIsSetAside(error: StorageError, message: String) async {
    world[\.storeFailure] = error
    for words in ["status", "check-in", "init --name Ada"] {
      await world.expect(
        words,
        .init(
          1,
          error: "lifesignal: \(words == "check-in" ? "You are NOT checked in: " : "")\(message)"
            + " There is no backup. You can start with a new one:"
            + " lifesignal --set-aside, which keeps the old one.\n"))
    }
    #expect(world[\.storesSetAside] == 0)
    world[\.backups] = [
      StoreBackup(name: "lifesignal-2026-11-20.db", madeAt: World.start, bytes: 1)
    ]
    let offer = await world.run("status").errorOutput
    #expect(
      offer.contains(
        "Restore the last backup, lifesignal-2026-11-20.db, with lifesignal restore"))
    let outcome = await world.run("init --name Ada --set-aside")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.output.hasPrefix(
        "The old store is kept as "
          + "/home/ada/.local/share/lifesignal/lifesignal.db.set-aside.\nWelcome, Ada."))
    #expect(world[\.storesSetAside] == 1)
  }

  @Test func wellStore_isNeverSetAside() async {
    await world.openAccount()
    await world.expect(
      "init --name Grace --set-aside",
      .init(
        1,
        error:
          "lifesignal: There is already an account here. Open it with lifesignal, or sign up"
          + " for another one with a password.\n"
      )
    )
    #expect(world[\.storesSetAside] == 0)
  }

  @Test(
    arguments: [
      StorageError.busy, .full, .permissionDenied("x"), .newerSchema(found: 9, known: 1),
      .unknown("x"),
    ])
  func otherTrouble_isNoReasonToSetAside(error: StorageError) async {
    world[\.storeFailure] = error
    #expect(await world.run("init --name Ada --set-aside").exitCode == 1)
    #expect(world[\.storesSetAside] == 0)
  }
}

struct ProgramArgumentsTests {
  @Test func kernelsList_isTakenApart() {
    let bytes = Array("lifesignal\0--name\0\0Ada Lovelace\0".utf8)
    #expect(
      ProgramArguments.words(ofCommandLine: bytes) == [
        "lifesignal", "--name", "", "Ada Lovelace",
      ])
    #expect(ProgramArguments.words(ofCommandLine: []) == [])
  }
}
