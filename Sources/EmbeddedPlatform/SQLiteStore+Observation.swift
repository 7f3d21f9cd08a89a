import Clients
import Dispatch
import Domain
import FoundationEssentials

/// Who wants to hear of changes, and what is known of the last one.
struct Observers {
  /// Those who read again when anything may have changed.
  fileprivate var readers: [Int: AsyncStream<Void>.Continuation] = [:]
  /// The monitors' loops.
  fileprivate var monitors: [Int: AsyncStream<Void>.Continuation] = [:]
  fileprivate var lastID = 0
  fileprivate var timer: (any DispatchSourceTimer)?
  fileprivate var dataVersion: Int?
  fileprivate var openings = 0
  /// Whether the store's file is not where it was.
  fileprivate var isGone = false
  fileprivate var lastWake: Date?
  /// What the files of armed alerts were when they were looked at last.
  fileprivate var spool: [Int] = []
  /// When the first of the living monitors' leases ends, as of the last reading.
  var leaseEnd: Date?
}

extension SQLiteStore {
  /// A value now and after every change by anyone, without repeating an equal one.
  nonisolated func observe<Value: Equatable & Sendable>(
    _ read: @escaping @Sendable (isolated SQLiteStore) throws -> Value
  ) -> AsyncThrowingStream<Value, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      // What is asked for by a person, an alert above all, does not wait for all who only look.
      let task = Task(priority: .utility) {
        let (id, signals) = await self.addReader()
        var last: Value?
        do {
          for await _ in signals {
            let value = try await self.evaluate(read)
            if value != last { continuation.yield(value) }
            last = value
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
        await self.removeReader(id)
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// What belongs to the signed-in account, read again only when its revision has changed.
  nonisolated func observeAccount<Value: Equatable & Sendable, Failure: AccountFailure>(
    _ failure: Failure.Type,
    _ read: @escaping @Sendable (isolated SQLiteStore) throws(Failure) -> Value
  ) -> AsyncThrowingStream<Value, any Error> {
    let cache = AccountCache<Value>()
    return observe { store in
      let revision = try store.currentRevision(failure)
      if let value = cache.value, cache.revision == revision, cache.openings == store.openings {
        return value
      }
      let value = try read(store)
      cache.value = value
      cache.revision = revision
      cache.openings = store.openings
      return value
    }
  }

  /// An element whenever somebody may have written what a monitor acts on.
  nonisolated func changes() -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task {
        let id = await self.addMonitor(continuation)
        return id
      }
      continuation.onTermination = { _ in
        Task { await self.removeMonitor(task.value) }
      }
    }
  }

  /// Tells everybody of a write by this process.
  func signal(_ change: Change) {
    for reader in observers.readers.values { reader.yield() }
    if change == .duties {
      for monitor in observers.monitors.values { monitor.yield() }
    }
  }

  private func evaluate<Value: Sendable>(
    _ read: @Sendable (isolated SQLiteStore) throws -> Value
  ) throws -> Value {
    try read(self)
  }

  // MARK: Coming and going

  private func addReader() -> (Int, AsyncStream<Void>) {
    let (signals, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    continuation.yield()
    observers.lastID += 1
    observers.readers[observers.lastID] = continuation
    startPolling()
    return (observers.lastID, signals)
  }

  private func removeReader(_ id: Int) {
    observers.readers[id] = nil
    stopPollingIfAlone()
  }

  private func addMonitor(_ continuation: AsyncStream<Void>.Continuation) -> Int {
    observers.lastID += 1
    observers.monitors[observers.lastID] = continuation
    observers.lastWake = try? nextWake()
    startPolling()
    // Somebody may have written since the stream was asked for.
    continuation.yield()
    return observers.lastID
  }

  private func removeMonitor(_ id: Int) {
    observers.monitors[id] = nil
    stopPollingIfAlone()
  }

  // MARK: Other processes

  /// Whether somebody observes.
  var isPolling: Bool { observers.timer != nil }

  /// Asks four times a second whether another process has written, as long as somebody observes:
  /// SQLite answers from shared memory within microseconds.
  private func startPolling() {
    guard observers.timer == nil else { return }
    observers.dataVersion = try? dataVersion()
    observers.openings = openings
    observers.spool = spool.signature
    let timer = DispatchSource.makeTimerSource(queue: queue.queue)
    timer.schedule(
      deadline: .now() + .milliseconds(250), repeating: .milliseconds(250),
      leeway: .milliseconds(50))
    timer.setEventHandler { [weak self] in
      self?.assumeIsolated { $0.poll() }
    }
    observers.timer = timer
    timer.activate()
  }

  private func stopPollingIfAlone() {
    guard observers.readers.isEmpty, observers.monitors.isEmpty else { return }
    observers.timer?.cancel()
    observers.timer = nil
  }

  private func poll() {
    if let end = observers.leaseEnd, end <= now() {
      observers.leaseEnd = nil
      signal(.other)
    }
    pollFile()
    let files = spool.signature
    if files != observers.spool {
      observers.spool = files
      signal(.duties)
    }
    guard let version = try? dataVersion(), version != observers.dataVersion else { return }
    observers.dataVersion = version
    signal(.other)
    guard !observers.monitors.isEmpty else { return }
    // Signs of life of other monitors move nothing that is due, and are not worth waking for.
    let wake = try? nextWake()
    if wake != observers.lastWake || wake.map({ $0 <= now() }) ?? false {
      for monitor in observers.monitors.values { monitor.yield() }
    }
    observers.lastWake = wake
  }

  /// Notices that somebody has put another file in the store's place, or taken it away: of that the
  /// old file says nothing.
  private func pollFile() {
    if database.hasMoved { try? reopenIfNeeded() }
    let isGone = database.hasMoved
    guard isGone != observers.isGone || openings != observers.openings else { return }
    observers.isGone = isGone
    observers.openings = openings
    signal(.duties)
  }

  /// Changes when another connection has committed a write.
  private func dataVersion() throws(StorageError) -> Int? {
    try database.value(Int.self, "PRAGMA data_version")
  }
}

/// What an observation of an account read last.
///
/// Only ever touched on its store's queue, by the closure that ``SQLiteStore/observeAccount(_:_:)``
/// runs there, which is why it may be sent to it.
private final class AccountCache<Value: Sendable>: @unchecked Sendable {
  var revision: Int?
  var openings = 0
  var value: Value?
}
