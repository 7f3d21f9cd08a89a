import Clients
import Domain
import FoundationEssentials
import Glibc
import Testing

@testable import SQLite
@testable import Store

@Suite("kill -9 and file size limits during check-ins", .serialized, .timeLimit(.minutes(2)))
struct CrashTests {
  @Test("kill -9 during 200 check-ins loses no confirmed check-in")
  func killed() async throws {
    let place = try Place()
    try await place.open().openAccount()
    var confirmed = 0
    for _ in 1...8 {
      let before = try await place.open().user.currentUser().checkInSequence
      let child = try ChildProcess(.checkInUntilKilled, root: place.root)
      let reports = await child.reports(killingAfter: 25)
      #expect(reports.count >= 25)
      confirmed += reports.count
      // One more may have been stored but not confirmed.
      let stored = try await place.open().user.currentUser().checkInSequence - before
      #expect((reports.count...reports.count + 1).contains(stored))
    }
    #expect(confirmed >= 200)
    let store = try place.open()
    #expect(try await store.value(String.self, "PRAGMA integrity_check") == "ok")
  }

  @Test("A file size limit makes check-ins fail but loses none; without the limit they work again")
  func fileSizeLimit() async throws {
    let place = try Place()
    try await place.open().openAccount()
    let child = try ChildProcess(.checkInWithinFileSizeLimit, root: place.root)
    let reports = await child.reports()
    #expect(reports.contains("e"))
    #expect(reports.hasSuffix("eo"))
    let store = try place.open()
    #expect(
      try await store.user.currentUser().checkInSequence == reports.count { $0 == "o" })
    #expect(try await store.value(String.self, "PRAGMA integrity_check") == "ok")
  }
}

/// The tasks of the child processes in ``CrashTests``.
@Suite(.timeLimit(.minutes(2)))
struct ChildTasks {
  @Test(.enabled(if: ChildProcess.root(for: .checkInUntilKilled) != nil))
  func checkInUntilKilled() async throws {
    let store = try open(.checkInUntilKilled)
    while true {
      _ = try await store.checkIn.checkIn(.manual)
      ChildProcess.report("o")
    }
  }

  @Test(.enabled(if: ChildProcess.root(for: .checkInWithinFileSizeLimit) != nil))
  func checkInWithinFileSizeLimit() async throws {
    let store = try open(.checkInWithinFileSizeLimit)
    // Ignore the signal, which would kill the process, so that the write fails instead.
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    limit.rlim_cur = 256 * 1_024
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    while await checkIn(store) {}
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    _ = await checkIn(store)
  }

  private func checkIn(_ store: Opened) async -> Bool {
    do {
      _ = try await store.checkIn.checkIn(.manual)
      ChildProcess.report("o")
      return true
    } catch {
      ChildProcess.report("e")
      return false
    }
  }

  private func open(_ task: ChildProcess.Task) throws -> Opened {
    let root = try #require(ChildProcess.root(for: task))
    return try Place(reopening: root).open()
  }
}
