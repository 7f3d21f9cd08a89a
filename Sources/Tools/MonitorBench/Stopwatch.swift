import Clients
import Domain
import FoundationEssentials
import Glibc
import Synchronization

/// A point in time, on the clock and in the processor time of this process.
struct Moment {
  var clock: ContinuousClock.Instant
  var work: Duration

  static var now: Moment {
    var work = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &work)
    return Moment(
      clock: .now, work: .seconds(work.tv_sec) + .nanoseconds(work.tv_nsec))
  }
}

/// Measures how long each call to a store takes.
final class Stopwatch: Sendable {
  struct Times {
    var count = 0
    var total = Duration.zero
    var longest = Duration.zero
    /// When the first call ended.
    var firstEnd: Moment?
    var mean: Duration { total / max(1, count) }
  }

  private let times = Mutex<[String: Times]>([:])

  subscript(name: String) -> Times { times.withLock { $0[name] ?? Times() } }

  private func measure<Value>(
    _ name: String, _ body: () async throws(StorageError) -> Value
  ) async throws(StorageError) -> Value {
    let start = ContinuousClock.now
    let value = try await body()
    let time = ContinuousClock.now - start
    times.withLock {
      $0[name, default: Times()].count += 1
      $0[name, default: Times()].total += time
      $0[name, default: Times()].longest = max(time, $0[name]?.longest ?? .zero)
      if $0[name]?.firstEnd == nil { $0[name]?.firstEnd = .now }
    }
    return value
  }

  func store(_ store: MonitorClient) -> MonitorClient {
    var measured = store
    measured.heartbeat = { [self] (id, now, lease, problem) async throws(StorageError) in
      try await measure("heartbeat") { () async throws(StorageError) in
        try await store.heartbeat(id, now, lease, problem)
      }
    }
    measured.due = { [self] (now, limit) async throws(StorageError) in
      try await measure("due") { () async throws(StorageError) in try await store.due(now, limit) }
    }
    measured.apply = { [self] (plans, now) async throws(StorageError) in
      try await measure("apply") { () async throws(StorageError) in
        try await store.apply(plans, now)
      }
    }
    measured.claim = { [self] (now, lease, request) async throws(StorageError) in
      try await measure("claim") { () async throws(StorageError) in
        try await store.claim(now, lease, request)
      }
    }
    measured.record = { [self] (id, token, outcome, retryAt, now) async throws(StorageError) in
      try await measure("record") { () async throws(StorageError) in
        try await store.record(id, token, outcome, retryAt, now)
      }
    }
    measured.nextWake = { [self] () async throws(StorageError) in
      try await measure("nextWake") { () async throws(StorageError) in try await store.nextWake() }
    }
    return measured
  }
}
