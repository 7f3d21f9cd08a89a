import Clients
import Domain
import FoundationEssentials
import Synchronization

@testable import Monitor

/// Simulates a process that dies at a chosen point: nothing that it does afterwards has an effect.
///
/// Each call of the store or the delivery service has two points: before and after it takes effect.
final class Crash: Sendable {
  private struct Contents {
    var points = 0
    var isDead = false
    var deathCall: String?
    var unrecorded: Set<UUID> = []
  }

  private let contents = Mutex(Contents())
  private let fatalPoint: Int

  init(at point: Int) { fatalPoint = point }

  /// Whether the process has died.
  var isDead: Bool { contents.withLock { $0.isDead } }
  /// The call in which it died, with whether that took effect.
  var deathCall: String? { contents.withLock { $0.deathCall } }

  /// The messages that were sent but not recorded, the only ones that may arrive twice.
  var unrecorded: Set<UUID> { contents.withLock { $0.unrecorded } }

  /// Passes a point.
  /// - Returns: Whether the process is still alive after it.
  private func pass(_ call: String) -> Bool {
    contents.withLock { contents in
      guard !contents.isDead else { return false }
      contents.points += 1
      guard contents.points == fatalPoint else { return true }
      contents.isDead = true
      contents.deathCall = call
      return false
    }
  }

  private func run<Value>(
    _ call: String, _ body: () async throws(StorageError) -> Value
  ) async throws(StorageError) -> Value {
    guard pass("before \(call)") else { throw .unknown("dead") }
    let value = try await body()
    guard pass("after \(call)") else { throw .unknown("dead") }
    return value
  }

  func store(_ store: MonitorClient) -> MonitorClient {
    MonitorClient {
      $0.heartbeat = { [self] (id, now, lease, problem) async throws(StorageError) in
        try await run("heartbeat") { () async throws(StorageError) in
          try await store.heartbeat(id, now, lease, problem)
        }
      }
      $0.resign = { [self] (id) async throws(StorageError) in
        try await run("resign") { () async throws(StorageError) in try await store.resign(id) }
      }
      $0.due = { [self] (now, limit) async throws(StorageError) in
        try await run("due") { () async throws(StorageError) in try await store.due(now, limit) }
      }
      $0.apply = { [self] (plans, now) async throws(StorageError) in
        try await run("apply") { () async throws(StorageError) in
          try await store.apply(plans, now)
        }
      }
      $0.claim = { [self] (now, lease, request) async throws(StorageError) in
        try await run("claim") { () async throws(StorageError) in
          try await store.claim(now, lease, request)
        }
      }
      // How often a claim is renewed depends on how fast the machine is.
      $0.renew = store.renew
      $0.record = { [self] (id, token, outcome, retryAt, now) async throws(StorageError) in
        try await run("record") { () async throws(StorageError) in
          defer { contents.withLock { _ = $0.unrecorded.remove(id) } }
          return try await store.record(id, token, outcome, retryAt, now)
        }
      }
      $0.nextWake = { [self] () async throws(StorageError) in
        try await run("nextWake") { () async throws(StorageError) in try await store.nextWake() }
      }
      $0.changes = store.changes
    }
  }

  func deliveryService(_ mailbox: Mailbox) -> DeliveryService {
    DeliveryService { [self] delivery in
      guard pass("before send") else { return .retry(reason: "dead", after: nil) }
      let outcome = await mailbox.deliver(delivery)
      contents.withLock { _ = $0.unrecorded.insert(delivery.id) }
      _ = pass("after send")
      return outcome
    }
  }
}
