import Clients
import Domain
import Synchronization

/// Makes a store refuse every write but allow reads, like a full disk.
final class Refusal: Sendable {
  private let error = Mutex<StorageError?>(nil)

  func begin(_ error: StorageError = .full) { self.error.withLock { $0 = error } }
  func end() { error.withLock { $0 = nil } }

  private func pass() throws(StorageError) {
    if let error = error.withLock({ $0 }) { throw error }
  }

  func store(_ store: MonitorClient) -> MonitorClient {
    MonitorClient {
      $0.heartbeat = { [self] (id, now, lease, problem) async throws(StorageError) in
        try pass()
        return try await store.heartbeat(id, now, lease, problem)
      }
      $0.resign = store.resign
      $0.due = store.due
      $0.apply = { [self] (plans, now) async throws(StorageError) in
        try pass()
        return try await store.apply(plans, now)
      }
      $0.claim = { [self] (now, lease, request) async throws(StorageError) in
        try pass()
        return try await store.claim(now, lease, request)
      }
      $0.renew = { [self] (id, token, end) async throws(StorageError) in
        try pass()
        return try await store.renew(id, token, end)
      }
      $0.record = { [self] (id, token, outcome, retryAt, now) async throws(StorageError) in
        try pass()
        return try await store.record(id, token, outcome, retryAt, now)
      }
      $0.nextWake = store.nextWake
      $0.spooled = store.spooled
      $0.takeSpooled = { [self] (alert) async throws(StorageError) in
        try pass()
        try await store.takeSpooled(alert)
      }
      $0.changes = store.changes
    }
  }

  func fallback(_ fallback: FallbackClient) -> FallbackClient {
    var refusing = fallback
    refusing.adopt = { [self] (memory) async throws(StorageError) in
      try pass()
      try await fallback.adopt(memory)
    }
    return refusing
  }
}
