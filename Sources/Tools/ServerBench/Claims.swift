import Clients
import struct Composable.DependencyValues
import Cryptography
import Domain
import FoundationEssentials
import Monitor
import Server
import Store

extension BenchStore {
  /// Returns how many due messages this many monitors claim and record per second. Nothing is sent.
  /// Each monitor claims as many at a time as in production.
  func claims(_ monitors: Int) async throws -> Double {
    // Each opens the store separately, as processes do.
    let clients = try (0..<monitors).map { _ in
      var values = DependencyValues()
      StoreClients(
        try monitorLane(), session: RemoteSession(token: nil, device: ""),
        makeUUID: ServerStore.randomUUID, hashing: .minimal,
        startMonitor: { (_: Bool) async throws(StorageError) in }
      ).install(in: &values)
      return values.monitorClient
    }
    // An account's messages exist only once it is planned.
    while true {
      let due = try await clients[0].due(Date(), 100)
      if due.isEmpty { break }
      let now = Date()
      let plans = due.map {
        AccountPlan(
          account: $0.user.id, revision: $0.revision,
          plan: Planner.plan($0, now: now, makeID: ServerStore.randomUUID))
      }
      _ = try await clients[0].apply(plans, now)
    }
    let clock = ContinuousClock()
    let start = clock.now
    let sent = try await withThrowingTaskGroup(of: Int.self) { group in
      for monitor in clients {
        group.addTask {
          var sent = 0
          while true {
            let claimed = try await monitor.claim(
              Date(), .seconds(90),
              ClaimRequest(limit: MonitorLoop<ContinuousClock>.Pace().concurrency))
            if claimed.isEmpty { return sent }
            try await withThrowingTaskGroup(of: Void.self) { group in
              for delivery in claimed {
                group.addTask {
                  _ = try await monitor.record(delivery.id, delivery.token, .sent, nil, Date())
                }
              }
              try await group.waitForAll()
            }
            sent += claimed.count
          }
        }
      }
      return try await group.reduce(0, +)
    }
    return Double(sent) / (start.duration(to: clock.now) / .seconds(1))
  }
}
