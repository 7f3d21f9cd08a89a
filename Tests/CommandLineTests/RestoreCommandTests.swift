import Clients
import Domain
import FoundationEssentials
import Synchronization
import Testing

@testable import CommandLine

/// `lifesignal restore`.
struct RestoreCommandTests {
  let world = World()

  init() {
    world[\.backups] = ["20", "19"].map {
      StoreBackup(name: "lifesignal-2026-11-\($0).db", madeAt: World.start, bytes: 139_264)
    }
  }

  @Test func list_showsThem() async {
    await world.expect(
      "restore --list",
      .init(0, "lifesignal-2026-11-20.db  136 KiB\nlifesignal-2026-11-19.db  136 KiB\n"))
    world[\.backups] = []
    await world.expect(
      "restore --list",
      .init(0, "There are no backups in /home/ada/.local/share/lifesignal/backups.\n"))
  }

  @Test func damagedStore_isReplacedWithoutAsking() async {
    world[\.entries]["/home/ada/.local/share/lifesignal/lifesignal.db"] = .file(
      mode: 0o600, isOwn: true)
    world[\.storeFailure] = .corrupt(detail: "x")
    await world.expect(
      "restore",
      .init(
        0,
        """
        Restored lifesignal-2026-11-20.db.
        The previous store is kept as /home/ada/.local/share/lifesignal/lifesignal.db.set-aside.

        """,
        error:
          "lifesignal: Check in now: what happened since the backup is lost. Start your monitor"
          + " again.\n"))
    #expect(world[\.restored] == [nil])
  }

  @Test(
    "CHK-3: restore needs no passphrase if the account is damaged, but fails if the disk is full")
  func unreadableAccount() async {
    world[\.entries]["/home/ada/.local/share/lifesignal/lifesignal.db"] = .file(
      mode: 0o600, isOwn: true)
    world[\.overrides] = { values in
      values.authClient.passGate = { (_) async throws(ClientError) in
        throw .storage(.corrupt(detail: "x"))
      }
    }
    #expect(await world.run("restore --yes").exitCode == 0)
    #expect(world[\.restored] == [nil])
    world[\.overrides] = { values in
      values.authClient.passGate = { (_) async throws(ClientError) in throw .storage(.full) }
    }
    #expect(await world.run("restore --yes").exitCode == 1)
  }

  @Test func anOlderOne_isChosenByName() async {
    #expect(await world.run("restore lifesignal-2026-11-19.db").exitCode == 0)
    #expect(world[\.restored] == ["lifesignal-2026-11-19.db"])
    #expect(await world.run("restore lifesignal-1999-01-01.db").exitCode == 1)
  }

  @Test(arguments: [("yes", true), ("no", false), ("", false)])
  func wellStore_isReplacedOnlyOnRequest(answer: String, isRestored: Bool) async {
    await world.openAccount()
    world[\.entries]["/home/ada/.local/share/lifesignal/lifesignal.db"] = .file(
      mode: 0o600, isOwn: true)
    world[\.lines] = [.nothing, .line(answer)]
    #expect(await world.run("restore").exitCode == (isRestored ? 0 : 1))
    #expect(world[\.restored].isEmpty != isRestored)
    #expect(await world.run("restore --yes").exitCode == 0)
  }

  @Test(
    "ALT-7: restore starts a monitor for a waiting alert, and doesn't mention a silent one")
  func waitingAlert() async {
    await world.openAccount()
    let said = "The alert that was raised in the meantime is sent now"
    let armed = ArmedAlert(id: .init(), message: "", armedAt: World.start, firesAt: World.start)
    for (alert, isSaid) in [
      (SpooledAlert.armed(armed, account: nil), true),
      (.silent(armed.id, at: World.start, account: nil), false),
    ] {
      let starts = Mutex(0)
      world[\.overrides] = { values in
        values.monitorClient.spooled = { [alert] }
        values.watchClient.start = { () async throws(StorageError) in starts.withLock { $0 += 1 } }
      }
      let outcome = await world.run("restore --yes")
      #expect(outcome.output.contains(said) == isSaid, "\(outcome.output)")
      #expect(starts.withLock { $0 } == 1)
    }
  }

  @Test func storeInUse_saysWhatToStop() async {
    world[\.restoreFailure] = .busy
    let outcome = await world.run("restore")
    #expect(outcome.exitCode == 1)
    #expect(outcome.errorOutput.contains("systemctl --user stop lifesignal-monitor.service"))
  }

  @Test func withoutBackup_saysSo() async {
    world[\.backups] = []
    await world.expect(
      "restore",
      .init(
        1,
        error: "lifesignal: There is no usable backup in "
          + "/home/ada/.local/share/lifesignal/backups.\n"))
  }
}
