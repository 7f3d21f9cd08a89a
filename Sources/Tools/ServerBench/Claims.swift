import Clients
import struct Composable.DependencyValues
import Cryptography
import Domain
import FoundationEssentials
import Monitor
import Server
import Store

extension BenchStore {
  /// How many of the messages that are due so many monitors take and record in a second. Nothing is sent; each takes
  /// as many at a time as the program does, and records them as they would end.
  func claims(_ monitors: Int) async throws -> Double {
    // Each has the store open by itself, as processes have.
    let clients = try (0..<monitors).map { _ in
      var values = DependencyValues()
      StoreClients(
        try monitorLane(), session: RemoteSession(token: nil, device: ""),
        makeUUID: ServerStore.randomUUID, hashing: .minimal,
        startMonitor: { (_: Bool) async throws(StorageError) in }
      ).install(in: &values)
      return values.monitorClient
    }
    // Nothing is sent for an account before its plan.
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
