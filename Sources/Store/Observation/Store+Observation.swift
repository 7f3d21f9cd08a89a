import Clients
import Domain
import FoundationEssentials
import Synchronization

/// The observers of changes, and what was known at the last one.
struct Observers {
  /// The readers that read again when anything may have changed.
  fileprivate var readers: [Int: Reader] = [:]
  /// The streams of the monitors' loops.
  fileprivate var monitors: [Int: (changes: AsyncStream<Void>.Continuation, store: Store)] =
    [:]
  fileprivate var timer: StoreTimer?
  fileprivate var hearsHints = false
  fileprivate var othersVersion: Int?
  fileprivate var openings = 0
  /// Whether the store's file isn't where it was.
  fileprivate var isGone = false
  fileprivate var lastWake: Date?
  /// The signatures of the folders with armed alerts, as of the last check.
  fileprivate var spool: [Int] = []
  /// When the first of the living monitors' leases ends, as last read.
  var leaseEnd: Date?
  /// The wait for that end where no timer polls.
  fileprivate var leaseTimer: (end: Date, task: Task<Void, Never>)?

  fileprivate struct Reader {
    let show: () -> Void
    var isScheduled = false
  }

  private static let lastID = Atomic(0)
  static func nextID() -> Int { lastID.add(1, ordering: .relaxed).newValue }
}

extension Store {
  /// Returns a stream of a value, now and after every change by anyone, without repeating an equal
  /// one.
  nonisolated func observe<Value: Equatable & Sendable>(
    _ read: @escaping @Sendable (isolated Store) throws -> Value
  ) -> AsyncThrowingStream<Value, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let id = Observers.nextID()
      continuation.onTermination = { [lane] _ in
        lane.executor.perform(.ordinary) { lane.removeReader(id) }
      }
      lane.executor.perform(.ordinary) { [self] in
        var last: Value?
        lane.addReader(id) {
          do {
            let value = try self.assumeIsolated { try read($0) }
            if value != last { continuation.yield(value) }
            last = value
          } catch {
            continuation.finish(throwing: error)
          }
        }
      }
    }
  }

  /// Returns a stream of a value of the signed-in account, read again only when something of the
  /// account has changed.
  nonisolated func observeAccount<Value: Equatable & Sendable>(
    _ read: @escaping @Sendable (isolated Store) throws -> Value
  ) -> AsyncThrowingStream<Value, any Error> {
    let cache = AccountCache<Value>()
    return observe { store in
      do {
        let (account, lane) = (try store.requireCurrentKey(), store.lane)
        let (last, openings) = (try lane.lastChange(), lane.openings)
        let isOld =
          try cache.account != account || cache.openings != openings
          || cache.change != last && lane.hasChanged(account, since: cache.change)
        if isOld || cache.value == nil { cache.value = try read(store) }
        // What has changed after the position was read is read again with the next change.
        (cache.account, cache.openings, cache.change) = (account, openings, last)
        return cache.value!
      } catch {
        throw ClientError.wrapping(error)
      }
    }
  }

  /// Returns a stream with an element whenever anyone may have written what a monitor acts on.
  nonisolated func changes() -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let id = Observers.nextID()
      continuation.onTermination = { [lane] _ in
        lane.executor.perform(.ordinary) { lane.removeMonitor(id) }
      }
      lane.executor.perform(.ordinary) { [self] in lane.addMonitor(id, continuation, of: self) }
    }
  }
}

extension Lane {
  /// Notifies every observer of a write by this process.
  func signal(_ change: Change) {
    for id in observers.readers.keys.sorted() { show(to: id) }
    if change == .duties { wakeMonitors() }
  }

  private func wakeMonitors() {
    for monitor in observers.monitors.values { monitor.changes.yield() }
  }

  /// Makes a reader read again, once for everything that happens until then.
  private func show(to id: Int) {
    guard observers.readers[id]?.isScheduled == false else { return }
    observers.readers[id]?.isScheduled = true
    executor.perform(.idle) { [self] in
      observers.readers[id]?.isScheduled = false
      observers.readers[id]?.show()
      expectLeaseEnd()
    }
  }

  // MARK: Adding and removing

  func addReader(_ id: Int, show: @escaping () -> Void) {
    observers.readers[id] = Observers.Reader(show: show)
    startPolling()
    self.show(to: id)
  }

  fileprivate func removeReader(_ id: Int) {
    observers.readers[id] = nil
    stopPollingIfAlone()
  }

  fileprivate func addMonitor(
    _ id: Int, _ changes: AsyncStream<Void>.Continuation, of store: Store
  ) {
    observers.monitors[id] = (changes, store)
    observers.lastWake = nextWake
    startPolling()
    // Another program may have written since the stream was requested.
    changes.yield()
  }

  fileprivate func removeMonitor(_ id: Int) {
    observers.monitors[id] = nil
    stopPollingIfAlone()
  }

  private var nextWake: Date? {
    guard let store = observers.monitors.values.first?.store else { return nil }
    return (try? store.assumeIsolated { try $0.nextWake() }) ?? nil
  }

  // MARK: Other processes

  /// Whether there are observers.
  var isPolling: Bool { observers.timer != nil }

  /// Polls for writes by other processes, as long as there are observers: SQLite answers from
  /// shared memory within microseconds.
  private func startPolling() {
    guard observers.timer == nil else { return }
    observers.othersVersion = try? database.othersVersion()
    observers.openings = openings
    observers.spool = spoolSignature
    observers.timer = executor.makeTimer { [weak self] in self?.poll() }
    guard let hints = place.hints, !observers.hearsHints else { return }
    observers.hearsHints = true
    hints.receive { [weak self] in self?.pollSoon() }
  }

  /// Polls because of a hint, once for all that come until then.
  private func pollSoon() {
    guard !isHinted.exchange(true, ordering: .acquiring) else { return }
    executor.perform(.ordinary) { [weak self] in
      guard let self else { return }
      isHinted.store(false, ordering: .releasing)
      if !observers.readers.isEmpty || !observers.monitors.isEmpty { poll() }
    }
  }

  private func stopPollingIfAlone() {
    guard observers.readers.isEmpty, observers.monitors.isEmpty else { return }
    observers.timer = nil
    observers.leaseTimer?.task.cancel()
    observers.leaseTimer = nil
  }

  /// Waits for the end of a monitor's lease where no timer polls: nobody writes then.
  private func expectLeaseEnd() {
    guard let clock, let end = observers.leaseEnd, end != observers.leaseTimer?.end else { return }
    observers.leaseTimer?.task.cancel()
    let wait = Duration.seconds(max(0, end.timeIntervalSince(now())))
    let task = Task { [weak self] in
      guard (try? await clock.sleep(for: wait)) != nil, let self else { return }
      self.executor.perform(.ordinary) { self.noticeLeaseEnd() }
    }
    observers.leaseTimer = (end, task)
  }

  private func noticeLeaseEnd() {
    guard let end = observers.leaseEnd, end <= now() else { return }
    observers.leaseEnd = nil
    signal(.other)
  }

  /// Notices files that this process has written itself.
  func pollSpool() {
    let files = spoolSignature
    guard files != observers.spool else { return }
    observers.spool = files
    signal(.duties)
  }

  private var spoolSignature: [Int] { place.spools.map(\.signature) }

  private func poll() {
    noticeLeaseEnd()
    pollFile()
    pollSpool()
    guard let version = try? database.othersVersion(), version != observers.othersVersion else {
      return
    }
    observers.othersVersion = version
    signal(.other)
    guard !observers.monitors.isEmpty else { return }
    // Heartbeats of other monitors make nothing due, and aren't worth waking for.
    let wake = nextWake
    if wake != observers.lastWake || wake.map({ $0 <= now() }) ?? false { wakeMonitors() }
    observers.lastWake = wake
  }

  /// Notices that another file was put in the store's place, or that it was taken away: the old
  /// file doesn't show that.
  private func pollFile() {
    if database.hasMoved { try? reopenIfNeeded() }
    let isGone = database.hasMoved
    guard isGone != observers.isGone || openings != observers.openings else { return }
    observers.isGone = isGone
    observers.openings = openings
    signal(.duties)
  }
}

/// The value that an observation of an account read last.
///
/// `@unchecked Sendable`: it is used only on its store's executor, by the closure that
/// ``Store/observeAccount(_:)`` runs there.
private final class AccountCache<Value: Sendable>: @unchecked Sendable {
  var value: Value?
  var account = 0
  var openings = 0
  /// The position of the last change before it was read.
  var change = ""
}
