import Clients
import Domain
import FoundationEssentials
import Glibc
import Testing

@testable import EmbeddedPlatform

/// ALT-7: an armed alert outlives a store that can't be written.
@Suite("The spool of armed alerts", .timeLimit(.minutes(1)))
struct AlertSpoolTests {
  let id = UUID()

  func path(_ place: Place) -> String {
    place.folders.state + "/alert-\(id.uuidString.lowercased()).json"
  }

  /// A store that can be read and not written, as on a full disk.
  func refusing(_ store: Opened, _ isRefusing: Bool) async throws {
    _ = try await store.value(Int.self, "PRAGMA query_only = \(isRefusing ? 1 : 0)")
  }

  @Test("ALT-7: a file that was read before the store heard of more takes nothing back")
  func staleFile() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    let armed = try await store.alerts.spool(id, "fell", .seconds(5))
    let user = try await store.user.currentUser().id
    place.advance(.seconds(1))
    _ = try await store.alerts.arm(id, "fell down", .seconds(20))
    try await store.monitor.takeSpooled(SpooledAlert(account: user, armed: armed))
    let due = try await store.monitor.due(place.now, 9).map(\.armed)
    #expect(due.map(\.?.message) == ["fell down"])
    #expect(await store.monitor.spooled() == [])
  }

  @Test("ALT-7: without a store to write, a file keeps the alert until a monitor takes it")
  func spool() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    try await refusing(store, true)
    do throws(AlertError) {
      _ = try await store.alerts.arm(id, "fell", .seconds(5))
      Issue.record("It was written.")
    } catch {
      guard case .storage = error else { throw error }
    }
    let armed = try await store.alerts.spool(id, "fell", .seconds(5))
    #expect(
      armed
        == ArmedAlert(
          id: id, message: "fell", armedAt: place.now, firesAt: place.now + .seconds(5)))
    var information = stat()
    #expect(lstat(path(place), &information) == 0)
    #expect(information.st_mode == S_IFREG | 0o600)

    // Its text postpones it, and it keeps the time when it was armed.
    place.advance(.seconds(50))
    let postponed = try await store.alerts.spool(id, "fell down", .seconds(20))
    #expect(postponed.armedAt == armed.armedAt)
    #expect(postponed.firesAt == armed.armedAt + .seconds(60))

    // Another process's monitor: what the store refuses stays in its file.
    let user = try await store.user.currentUser().id
    let waiting = await store.monitor.spooled()
    #expect(waiting == [SpooledAlert(account: user, armed: postponed)])
    await #expect(throws: StorageError.self) { try await store.monitor.takeSpooled(waiting[0]) }
    #expect(await store.monitor.spooled() == waiting)

    try await refusing(store, false)
    try await store.monitor.takeSpooled(waiting[0])
    #expect(await store.monitor.spooled() == [])
    #expect(try await store.monitor.due(place.now, 9).map(\.armed) == [postponed])
    // A monitor that was killed before the file was removed takes it again.
    place.advance(.seconds(10))
    for _ in 1...2 { try await store.monitor.takeSpooled(waiting[0]) }
    #expect(try await store.alerts.history(9).map(\.id) == [id])
    #expect(try await store.alerts.history(9).map(\.alert.message) == ["fell down"])
  }

  @Test("ALT-7: what waits in a file is stopped before its instant, and not after it")
  func stop() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    try await refusing(store, true)
    _ = try await store.alerts.spool(id, "", .seconds(5))
    try await store.alerts.disarm(id)
    #expect(await store.monitor.spooled() == [])

    _ = try await store.alerts.spool(id, "", .seconds(5))
    place.advance(.seconds(5))
    do throws(AlertError) {
      try await store.alerts.disarm(id)
      Issue.record("It was stopped.")
    } catch {
      #expect(error == .alreadyOn)
    }
    #expect(await store.monitor.spooled().count == 1)
  }

  @Test("ALT-7: a file that isn't ours is neither followed nor believed, nor in the way of others")
  func hostile() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    _ = try await store.alerts.spool(id, "", .seconds(5))
    let state = place.folders.state
    try Data("{".utf8).write(to: URL(fileURLWithPath: state + "/alert-1.json"))
    chmod(state + "/alert-1.json", 0o600)
    symlink("/etc/passwd", state + "/alert-2.json")
    #expect(await store.monitor.spooled().map(\.armed.id) == [id])
    // Nothing is written through a link.
    let other = UUID()
    let link = state + "/alert-\(other.uuidString.lowercased()).json"
    symlink(state + "/elsewhere", link)
    _ = try await store.alerts.spool(other, "", .seconds(5))
    #expect(access(state + "/elsewhere", F_OK) != 0)
    #expect(await store.monitor.spooled().count == 2)
  }
}
