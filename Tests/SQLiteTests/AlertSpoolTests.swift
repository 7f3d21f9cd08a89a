import Clients
import Dispatch
import Domain
import FoundationEssentials
import Glibc
import Monitor
import Testing

@testable import SQLite
@testable import Store

/// ALT-7: an armed alert outlives a store that can't be written.
@Suite("The spool of armed alerts", .timeLimit(.minutes(1)))
struct AlertSpoolTests {
  let id = UUID()

  func path(_ place: Place) -> String {
    place.folders.state + "/alerts/alert-\(id.uuidString.lowercased()).json"
  }

  /// Makes a store read-only, as on a full disk, or writable again.
  func refusing(_ store: Opened, _ isRefusing: Bool) async throws {
    _ = try await store.value(Int.self, "PRAGMA query_only = \(isRefusing ? 1 : 0)")
  }

  /// Occupies the store's thread, as waiting for a lock does.
  /// - Returns: Ends that.
  func holdStore(_ store: Opened) async -> () async -> Void {
    let (held, holding) = AsyncStream.makeStream(of: Void.self)
    let release = DispatchSemaphore(value: 0)
    let hold = Task {
      await store.platform.store.perform {
        holding.finish()
        release.wait()
      }
    }
    for await _ in held {}
    return {
      release.signal()
      await hold.value
    }
  }

  @Test("ALT-7: an older spool file doesn't overwrite a newer armed alert in the store")
  func staleFile() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    let armed = try await store.alerts.spool(id, "fell", .seconds(5))
    let user = try await store.user.currentUser().id
    place.advance(.seconds(1))
    _ = try await store.alerts.arm(id, "fell down", .seconds(20))
    try await store.monitor.takeSpooled(SpooledAlert.armed(armed, account: user))
    let due = try await store.monitor.due(place.now, 9).map(\.armed)
    #expect(due.map(\.?.message) == ["fell down"])
    #expect(await store.monitor.spooled() == [])
  }

  @Test("ALT-7: if the store can't be written, a file keeps the alert until a monitor stores it")
  func spool() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    try await refusing(store, true)
    do throws(ClientError) {
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

    // Typing a message postpones the alert but keeps the time at which it was armed.
    for seconds in [4, 16, 16] {
      place.advance(.seconds(seconds))
      _ = try await store.alerts.spool(id, "fell", .seconds(20))
    }
    place.advance(.seconds(14))
    let postponed = try await store.alerts.spool(id, "fell down", .seconds(20))
    #expect(postponed.armedAt == armed.armedAt)
    #expect(postponed.firesAt == armed.armedAt + .seconds(60))

    // In another process's monitor, an alert that the store refuses stays in its file.
    let user = try await store.user.currentUser().id
    let waiting = await store.monitor.spooled()
    #expect(waiting == [SpooledAlert.armed(postponed, account: user)])
    await #expect(throws: StorageError.self) { try await store.monitor.takeSpooled(waiting[0]) }
    #expect(await store.monitor.spooled() == waiting)

    try await refusing(store, false)
    try await store.monitor.takeSpooled(waiting[0])
    #expect(await store.monitor.spooled() == [])
    #expect(try await store.monitor.due(place.now, 9).map(\.armed) == [postponed])
    // A monitor that was killed before it removed the file processes it again.
    place.advance(.minutes(3))
    for _ in 1...2 { try await store.monitor.takeSpooled(waiting[0]) }
    let alert = Alert(id: id, kind: .manual, message: "fell down", raisedAt: postponed.firesAt)
    #expect(try await store.alerts.history(9).map(\.alert) == [alert])
  }

  @Test("ALT-7: an armed alert in a file can be stopped before it is due, not after")
  func stop() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    try await refusing(store, true)
    _ = try await store.alerts.spool(id, "", .seconds(5))
    try await store.alerts.disarm(id)
    #expect(await store.monitor.spooled().map(\.armed) == [nil])

    let other = UUID()
    _ = try await store.alerts.spool(other, "", .seconds(5))
    place.advance(.seconds(5))
    do throws(ClientError) {
      try await store.alerts.disarm(other)
      Issue.record("It was stopped.")
    } catch {
      #expect(error == .alertAlreadyOn)
    }
    #expect(await store.monitor.spooled().compactMap(\.armed).map(\.id) == [other])
  }

  @Test("ALT-7: a stop in a file holds back the store's alert, also from a monitor's older plan")
  func stopBesideStore() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    let user = try await store.user.currentUser().id
    _ = try await store.alerts.arm(id, "", .seconds(5))
    let account = try #require(try await store.monitor.due(place.now, 9).first)
    let firesAt = place.now + .seconds(5)
    place.advance(.seconds(2))
    try await refusing(store, true)
    try await store.alerts.disarm(id)
    let stop = SpooledAlert.stopped(id, at: place.now, dueAt: firesAt, account: user)
    #expect(await store.monitor.spooled() == [stop])
    #expect(try await observed(store) == nil)

    // Neither an older plan of a monitor nor a late request raises it.
    place.advance(.seconds(4))
    try await refusing(store, false)
    let plan = Plan(raisedAlert: try #require(account.armed).raised(at: place.now))
    #expect(try await store.monitor.apply(plan, user, account.revision, place.now) == false)
    #expect(try await store.alerts.arm(id, "", .zero) == .stopped)
    for _ in 1...2 { try await store.monitor.takeSpooled(stop) }
    #expect(await store.monitor.spooled() == [])
    #expect(try await store.monitor.due(place.now, 9).compactMap(\.armed) == [])
    #expect(try await store.alerts.history(9) == [])
  }

  @Test(
    "ALT-7: a stopped alert isn't raised by a program that saves it again later",
    arguments: [true, false])
  func keptAfterStop(isRefusing: Bool) async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    try await refusing(store, true)
    let armed = try await store.alerts.spool(id, "", .seconds(5))
    try await refusing(store, isRefusing)
    place.advance(.seconds(3))
    try await store.alerts.disarm(id)
    // The request that armed it was refused only now, so its program writes the file.
    place.advance(.seconds(2))
    _ = try? await store.alerts.spool(id, "", .seconds(5))
    #expect(await store.monitor.spooled().compactMap(\.armed) == [])
    #expect(await store.fallback.present(armed) == nil)
    try await refusing(store, false)
    place.advance(.seconds(30))
    for alert in await store.monitor.spooled() { try await store.monitor.takeSpooled(alert) }
    #expect(try await store.monitor.due(place.now, 9).compactMap(\.armed) == [])
    #expect(await store.monitor.spooled() == [])
  }

  @Test("ALT-7: an alert postponed in its file isn't raised by what a monitor read before")
  func postponedMeanwhile() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    let user = try await store.user.currentUser().id
    _ = try await store.alerts.arm(id, "", .seconds(5))
    let account = try #require(try await store.monitor.due(place.now, 9).first)
    let read = try #require(account.armed)
    place.advance(.seconds(4))
    let postponed = try await store.alerts.spool(id, "fell", .seconds(20))
    #expect(await store.fallback.present(read) == postponed)
    place.advance(.seconds(2))
    let plan = Plan(raisedAlert: read.raised(at: place.now))
    #expect(try await store.monitor.apply(plan, user, account.revision, place.now) == false)
    try await store.monitor.takeSpooled(.armed(read, account: user))
    #expect(try await store.monitor.due(place.now, 9).compactMap(\.armed) == [postponed])
    // Stopped after the time that the monitor knows, but before the present one.
    try await refusing(store, true)
    try await store.alerts.disarm(id)
    #expect(await store.fallback.present(read) == nil)
  }

  @Test("ALT-7: of two stops of an alert, the earlier one counts")
  func stoppedTwice() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    guard case .armed(let armed) = try await store.alerts.arm(id, "", .seconds(5)) else {
      Issue.record("it counts down")
      return
    }
    try await refusing(store, true)
    place.advance(.seconds(2))
    try await store.alerts.disarm(id)
    // Another program shows the countdown, too.
    await #expect(throws: ClientError.self) { try await store.alerts.spool(id, "x", .seconds(20)) }
    place.advance(.seconds(6))
    try await store.alerts.disarm(id)
    #expect(await store.fallback.present(armed) == nil)
  }

  @Test("ALT-7: a message doesn't postpone an alert that is due", arguments: [true, false])
  func postponedTooLate(isRefusing: Bool) async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    try await refusing(store, isRefusing)
    _ = try? await store.alerts.arm(id, "", .seconds(5))
    place.advance(.seconds(8))
    if isRefusing {
      _ = try await store.alerts.spool(id, "fell", .seconds(20))
      await #expect(throws: ClientError.alertAlreadyOn) { try await store.alerts.disarm(id) }
      return
    }
    guard case .raised(let alert) = try await store.alerts.arm(id, "fell", .seconds(20)) else {
      Issue.record("it is due")
      return
    }
    #expect(alert.id == id && alert.message == "fell")
  }

  @Test("ALT-7: a stop that is late and then waits for the store is too late")
  func slowStopBesideALock() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    _ = try await store.alerts.spool(id, "", .seconds(5))
    let spool = AlertSpool(place.folders)
    let release = await holdStore(store)
    place.advanceAfterNextReading(by: .seconds(5))
    let stopping = Task { [id] in try await store.alerts.disarm(id) }
    while spool.alerts().count < 2 { await Task.yield() }
    // A monitor sends it from memory now.
    place.advance(.seconds(2))
    await release()
    await #expect(throws: ClientError.alertAlreadyOn) { try await stopping.value }
    #expect(await store.monitor.spooled().compactMap(\.armed).map(\.id) == [id])
  }

  @Test(
    "ALT-7: a stop whose file comes after the alert is due, while the store is busy, is too late")
  func slowStop() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    _ = try await store.alerts.spool(id, "", .seconds(5))
    try await refusing(store, true)
    place.advanceAfterNextReading(by: .seconds(5))
    await #expect(throws: ClientError.alertAlreadyOn) { try await store.alerts.disarm(id) }
    // It is on, as the person reads.
    #expect(await store.monitor.spooled().compactMap(\.armed).map(\.id) == [id])
  }

  @Test(
    "ALT-7: an alert armed after a stop that the store hasn't recorded is a separate alert",
    arguments: ["armed", "waiting in a file", "raised by a command"])
  func begunAfterStop(how: String) async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    let user = try await store.user.currentUser().id
    _ = try await store.alerts.arm(id, "the first", .seconds(5))
    place.advance(.seconds(2))
    try await refusing(store, true)
    try await store.alerts.disarm(id)
    place.advance(.seconds(60))
    let second = UUID()
    let armed = try await store.alerts.spool(second, "fell", .seconds(5))
    try await refusing(store, false)
    switch how {
    case "armed":
      #expect(try await store.alerts.arm(second, "fell", .seconds(5)) == .armed(armed))
    case "waiting in a file":
      try await store.monitor.takeSpooled(.armed(armed, account: user))
    default: #expect(try await store.alerts.raise("").message == "fell")
    }
    #expect(try await observed(store) == (how == "raised by a command" ? nil : armed))
    for alert in await store.monitor.spooled() { try await store.monitor.takeSpooled(alert) }
    #expect(await store.monitor.spooled() == [])
    place.advance(.seconds(5))
    if how != "raised by a command" {
      #expect(try await store.monitor.due(place.now, 9).compactMap(\.armed) == [armed])
    }
    let stops = try await store.notifications.notifications(99, .all).count {
      $0.detail == ArmedAlert.stoppedText
    }
    #expect(stops == 1)
  }

  @Test("ALT-2: cancelling ends an alert in a file, but only once that alert is due")
  func cancelled() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    _ = try await store.alerts.spool(id, "fell", .seconds(5))
    await #expect(throws: ClientError.alertNotActive) { try await store.alerts.cancel() }
    place.advance(.seconds(5))
    let alert = try await store.alerts.cancel()
    #expect(alert.message == "fell" && !alert.isActive)
    #expect(await store.monitor.spooled() == [])
    #expect(try await store.monitor.due(place.now, 9).compactMap(\.armed) == [])
  }

  @Test("ALT-7: a stop that comes after the alert is due is ignored")
  func lateStop() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    let user = try await store.user.currentUser().id
    _ = try await store.alerts.arm(id, "", .seconds(5))
    place.advance(.seconds(6))
    try await store.monitor.takeSpooled(.stopped(id, at: place.now, account: user))
    #expect(try await store.monitor.due(place.now, 9).compactMap(\.armed).map(\.id) == [id])
  }

  @Test("ALT-7: a stop is kept in a file at once while the store is busy")
  func stopIsNotBehind() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    let user = try await store.user.currentUser().id
    #expect(await store.monitor.spooled() == [])
    // The files themselves: this program's monitor would ask the store what it knows of them.
    let spool = AlertSpool(place.folders)
    let release = await holdStore(store)
    async let arming = store.alerts.arm(id, "", .seconds(5))
    while spool.alerts().isEmpty { await Task.yield() }
    async let stopping: Void = store.alerts.disarm(id)
    let stop = SpooledAlert.stopped(
      id, at: place.now, dueAt: place.now + .seconds(5), account: user)
    while spool.alerts() != [stop] { await Task.yield() }
    await release()
    #expect(try await arming == .stopped)
    try await stopping
    #expect(await store.monitor.spooled() == [])
  }

  @Test("ALT-7: while the store is missing, a file keeps the alert; once back, the store takes it")
  func unopened() async throws {
    let place = try Place()
    let whole = try place.open()
    let user = try await whole.openAccount()
    let away = place.folders.database + ".away"
    #expect(rename(place.folders.database, away) == 0)
    #expect(throws: StorageError.missing(path: place.folders.database)) { try place.open() }
    let store = try place.open(waits: true)
    await #expect(throws: ClientError.self) { try await store.auth.state() }
    await #expect(throws: ClientError.self) { try await store.alerts.arm(id, "fell", .seconds(5)) }
    let armed = try await store.alerts.spool(id, "fell", .seconds(5))
    #expect(await store.monitor.spooled() == [.armed(armed, account: nil)])
    #expect(rename(away, place.folders.database) == 0)
    #expect(try await store.auth.state() == .signedIn(user.id))
    let waiting = await store.monitor.spooled()
    #expect(waiting == [.armed(armed, account: user.id)])
    try await store.monitor.takeSpooled(waiting[0])
    #expect(try await store.monitor.due(place.now, 9).compactMap(\.armed) == [armed])
  }

  @Test("ALT-7: if one spool folder can't be written, another takes the file")
  func otherFolder() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    // A file blocks the path of the first folder.
    #expect(FileManager.default.createFile(atPath: place.folders.spools[0], contents: nil))
    let armed = try await store.alerts.spool(id, "", .seconds(5))
    #expect(
      access(place.folders.spools[1] + "/alert-\(id.uuidString.lowercased()).json", F_OK) == 0)
    #expect(await store.monitor.spooled().map(\.armed) == [armed])
    try await store.alerts.disarm(id)
    #expect(await store.monitor.spooled() == [])
  }

  @Test("ALT-7: if no disk takes the file, every spool folder in memory does")
  func memory() async throws {
    let place = try Place()
    let store = try place.open()
    let user = try await store.openAccount().id
    for folder in place.folders.spools {
      #expect(FileManager.default.createFile(atPath: folder, contents: nil))
    }
    for folder in [place.folders.runtime, place.folders.memory].compactMap(\.self) {
      #expect(mkdir(folder, 0o700) == 0)
    }
    let armed = try await store.alerts.spool(id, "fell", .seconds(5))
    let name = "/alert-\(id.uuidString.lowercased()).json"
    #expect(place.folders.volatileSpools.map { place.mode($0 + name) } == [0o600, 0o600])
    #expect(await store.monitor.spooled() == [.armed(armed, account: user)])
    try await store.alerts.disarm(id)
    #expect(await store.monitor.spooled() == [])
    // A folder that others can write holds no alerts of ours.
    _ = try await store.alerts.spool(id, "fell", .seconds(5))
    for folder in place.folders.volatileSpools { chmod(folder, 0o777) }
    #expect(await store.monitor.spooled() == [])
  }

  @Test("ALT-7: an alert keeps its file until it is over, so that a restored store gets the alert")
  func untilOver() async throws {
    let place = try Place()
    let store = try place.open()
    let user = try await store.openAccount().id
    let name = { (id: UUID) in
      place.folders.spools[0] + "/alert-\(id.uuidString.lowercased()).json"
    }
    let alert = try await store.alerts.raise("fell")
    #expect(place.mode(name(alert.id)) == 0o600)
    // The store knows it, so nothing waits.
    #expect(await store.monitor.spooled() == [])
    #expect(try await observed(store) == nil)
    // A restored store doesn't.
    try await store.sql("DELETE FROM alert")
    let waiting = await store.monitor.spooled()
    #expect(waiting.map(\.armed?.message) == ["fell"] && waiting.map(\.account) == [user])
    try await store.monitor.takeSpooled(waiting[0])
    #expect(try await store.alerts.history(9).map(\.id) == [alert.id])
    #expect(place.exists(name(alert.id)))
    #expect(await store.monitor.spooled() == [])
    _ = try await store.alerts.cancel()
    #expect(!place.exists(name(alert.id)))
    // The emergency key's alert, ended by another program that left the file.
    guard case .raised = try await store.alerts.arm(id, "", .zero) else {
      Issue.record("It was not raised.")
      return
    }
    #expect(place.exists(name(id)))
    try await store.sql("UPDATE alert SET resolved_at = raised_at")
    #expect(await store.monitor.spooled() == [])
    #expect(!place.exists(name(id)))
  }

  @Test("ALT-7: a monitor whose store is gone still knows whose alert an unnamed file holds")
  func goneStore() async throws {
    let place = try Place()
    let store = try place.open()
    let user = try await store.openAccount().id
    let watching = try place.open()
    #expect(await watching.monitor.spooled() == [])
    #expect(rename(place.folders.database, place.folders.database + ".away") == 0)
    let calling = try place.open(waits: true)
    let armed = try await calling.alerts.spool(id, "fell", .zero)
    #expect(await watching.monitor.spooled() == [.armed(armed, account: user)])
  }

  @Test("ALT-7: a monitor and a second app notice a spool file at once")
  func news() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    let other = try place.open()
    var shown = other.alerts.observeArmed().makeAsyncIterator()
    #expect(try await shown.next() == .some(nil))
    var changes = other.monitor.changes().makeAsyncIterator()
    _ = await changes.next()
    let armed = try await store.alerts.spool(id, "fell", .seconds(5))
    #expect(try await shown.next() == armed)
    _ = await changes.next()
    #expect(await other.monitor.spooled().map(\.armed) == [armed])
  }

  private func observed(_ store: Opened) async throws -> ArmedAlert? {
    for try await armed in store.alerts.observeArmed() { return armed }
    return nil
  }

  @Test("ALT-7: broken files and symbolic links in the spool are ignored, the others are read")
  func hostile() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    _ = try await store.alerts.spool(id, "", .seconds(5))
    let state = place.folders.spools[0]
    try Data("{".utf8).write(to: URL(fileURLWithPath: state + "/alert-1.json"))
    chmod(state + "/alert-1.json", 0o600)
    symlink("/etc/passwd", state + "/alert-2.json")
    #expect(await store.monitor.spooled().map(\.id) == [id])
    // Symbolic links aren't followed for writing.
    let other = UUID()
    let link = state + "/alert-\(other.uuidString.lowercased()).json"
    symlink(state + "/elsewhere", link)
    _ = try await store.alerts.spool(other, "", .seconds(5))
    #expect(access(state + "/elsewhere", F_OK) != 0)
    #expect(await store.monitor.spooled().count == 2)
  }

  @Test("ALT-7: 40 alerts and 40 stops in files don't keep another alert from being read")
  func amongMany() async throws {
    let place = try Place()
    let store = try place.open()
    let user = try await store.openAccount().id
    for _ in 1...40 {
      let on = ArmedAlert(id: UUID(), message: "", armedAt: place.now, firesAt: place.now)
      _ = try store.platform.store.spool.keep(on, of: UUID())
      try store.platform.store.spool.stop(UUID(), of: UUID(), at: place.now, dueAt: nil)
    }
    let armed = try await store.alerts.spool(id, "fell", .seconds(5))
    #expect(await store.monitor.spooled().contains(.armed(armed, account: user)))
  }

  @Test("ALT-7: of an alert's two files, the one with the later time counts")
  func twoFolders() async throws {
    let place = try Place()
    let store = try place.open()
    let user = try await store.openAccount().id
    let first = place.folders.spools[0]
    // A file blocks the path of the first folder.
    #expect(FileManager.default.createFile(atPath: first, contents: nil))
    _ = try await store.alerts.spool(id, "fell", .seconds(5))
    unlink(first)
    let postponed = try await store.alerts.spool(id, "fell down", .seconds(20))
    #expect(await store.monitor.spooled() == [.armed(postponed, account: user)])
    // Swap the two files.
    let files = place.folders.spools.map { $0 + "/alert-\(id.uuidString.lowercased()).json" }
    for (from, to) in [(files[0], "/kept"), (files[1], "/other")] {
      #expect(rename(from, place.root + to) == 0)
    }
    #expect(rename(place.root + "/kept", files[1]) == 0)
    #expect(rename(place.root + "/other", files[0]) == 0)
    #expect(await store.monitor.spooled() == [.armed(postponed, account: user)])
  }

  @Test(
    "ALT-7: if no stop can be written, only an alert unknown to the store can be stopped",
    arguments: [true, false])
  func stopWithoutPlace(isKnown: Bool) async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    if isKnown { _ = try await store.alerts.arm(id, "", .seconds(5)) }
    try await refusing(store, true)
    _ = try await store.alerts.spool(id, "", .seconds(5))
    // A folder blocks the path of the file that records the stop.
    for folder in place.folders.spools + place.folders.volatileSpools {
      try FileManager.default.createDirectory(
        atPath: folder + "/stopped-\(id.uuidString.lowercased()).json.new",
        withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      chmod(folder, 0o700)
    }
    do throws(ClientError) {
      try await store.alerts.disarm(id)
      #expect(!isKnown)
    } catch {
      guard case .storage = error else { throw error }
      #expect(isKnown)
    }
    #expect(await store.monitor.spooled() == [])
  }

  @Test("ALT-7: an alert of an unknown account stays in its file for a day, then is dropped")
  func ofAnotherStore() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    let armed = ArmedAlert(
      id: id, message: "", armedAt: place.now, firesAt: place.now + .seconds(5))
    _ = try store.platform.store.spool.keep(armed, of: UUID())
    let waiting = await store.monitor.spooled()
    #expect(waiting.map(\.id) == [id])
    for span in [TimeSpan.zero, .days(1)] {
      place.advance(span)
      try await store.monitor.takeSpooled(waiting[0])
      #expect(await store.monitor.spooled() == waiting)
    }
    place.advance(.seconds(1))
    try await store.monitor.takeSpooled(waiting[0])
    #expect(await store.monitor.spooled() == [])
    #expect(try await store.alerts.history(9) == [])
  }

  @Test("ALT-7: of two accounts in a store, the one that armed an alert has it raised and stopped")
  func ofTwo() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    let kim = try await store.platform.openFurtherAccount(
      NewAccount(
        profile: Profile(name: "Kim", email: "kim@example.org"),
        responders: [ContactDraft(name: "Lee", email: "lee@example.org", roles: .responder)]))
    let calling = Opened(store.platform.with(account: "kim@example.org"), place: place)
    guard case .armed(let armed) = try await calling.alerts.arm(id, "fell", .seconds(5)) else {
      Issue.record("It isn't armed.")
      return
    }
    #expect(store.platform.store.spool.alerts() == [.armed(armed, account: kim.id)])

    // Files of programs that didn't know it.
    place.advance(.seconds(6))
    try await store.monitor.takeSpooled(.armed(armed, account: nil))
    #expect(try await store.alerts.history(9) == [])
    #expect(try await calling.alerts.history(9).map(\.id) == [id])

    let next = UUID()
    _ = try await calling.alerts.cancel()
    _ = try await calling.alerts.arm(next, "", .seconds(5))
    try await store.monitor.takeSpooled(.stopped(next, at: place.now, account: nil))
    #expect(try await store.monitor.due(place.now, 9).allSatisfy { $0.armed == nil })
  }

  @Test("ALT-7: erasing an account removes its spool files")
  func goneAccount() async throws {
    let place = try Place()
    let store = try place.open()
    let user = try await store.auth.createAccount(
      NewAccount(profile: Profile(name: "Ida", email: "ida@example.org")))
    _ = try await store.alerts.arm(id, "fell", .seconds(5))
    try await store.auth.deleteAccount(nil)
    #expect(store.platform.store.spool.alerts().map(\.account) == [user.id])
    place.advance(.seconds(6))
    var turns = 0
    while let account = try await store.monitor.due(place.now, 9).first, turns < 9 {
      turns += 1
      let plan = Planner.plan(account, now: place.now, makeID: { UUID() })
      _ = try await store.monitor.apply(plan, account.user.id, account.revision, place.now)
    }
    #expect(store.platform.store.spool.alerts() == [])
  }

  @Test("ALT-7: arming names the account in the file even if the program hadn't read the account")
  func namedLater() async throws {
    let place = try Place()
    let user = try await place.open().openAccount()
    let calling = try place.open()
    _ = try await calling.alerts.arm(id, "", .seconds(5))
    #expect(calling.platform.store.spool.alerts().map(\.account) == [user.id])
  }
}
