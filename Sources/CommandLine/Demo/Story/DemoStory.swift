import Clients
import Composable
import ComposableFoundation
import Domain
import SQLite
import FoundationEssentials
import Monitor

/// The past of the demo's user: defined relative to now, and played from the beginning.
struct DemoStory: Sendable {
  let now: Date
  let calendar: CivilCalendar
  let platform: EmbeddedPlatform
  let time: PastTime
  let makeUUID: @Sendable () -> UUID
  /// The clients of the demo's person.
  let ida: DependencyValues

  /// Something that a person in the story did.
  struct Event {
    var date: Date
    var happen: @Sendable () async throws -> Void
  }

  static let interval = try! CheckInInterval(.hours(36))
  static let grace = TimeSpan.minutes(15)
  /// The address whose server defers mail before it accepts it.
  static let slowMailbox = "practice@example.com"
  /// The identity of the monitor that watches when the story ends.
  static let monitor = UUIDGenerator.incrementing()

  init(
    now: Date, calendar: CivilCalendar, platform: EmbeddedPlatform, time: PastTime,
    makeUUID: @escaping @Sendable () -> UUID
  ) {
    self.now = now
    self.calendar = calendar
    self.platform = platform
    self.time = time
    self.makeUUID = makeUUID
    ida = platform.clients()
  }

  func happen() async throws {
    let events = life() + pastAlerts() + neighbours()
    // Events at the same time keep their order.
    for (_, event) in events.enumerated().sorted(by: {
      ($0.element.date, $0.offset) < ($1.element.date, $1.offset)
    }) {
      time.date = event.date
      try await event.happen()
    }
    time.date = now
    try await addNotifications()
    let now = now
    _ = try await ida.monitorClient.heartbeat(Self.monitor, now, .hours(3), nil)
    time.date = nil
  }

  /// Plans what an account needs and sends it, like a monitor that has always been watching.
  /// - Returns: The messages sent.
  @discardableResult
  func deliver(
    for clients: DependencyValues,
    _ outcome: (ClaimedDelivery) -> DeliveryOutcome = { _ in .sent }
  ) async throws -> [ClaimedDelivery] {
    let monitor = ida.monitorClient
    let id = try await clients.userClient.currentUser().id
    let now = time.date ?? now
    var sent: [ClaimedDelivery] = []
    while true {
      for var account in try await monitor.due(now, 100) where account.user.id == id {
        account.watchedSince = .distantPast
        let plan = Planner.plan(account, now: now, makeID: makeUUID)
        _ = try await monitor.apply(plan, id, account.revision, now)
      }
      let claimed = try await monitor.claim(now, .minutes(1), ClaimRequest(limit: 100))
      guard !claimed.isEmpty else { return sent }
      for delivery in claimed {
        let outcome = outcome(delivery)
        var retryAt: Date?
        if case .retry(_, let pause) = outcome { retryAt = now + (pause ?? .minutes(5)) }
        _ = try await monitor.record(
          delivery.id, delivery.token, outcome, retryAt, now)
      }
      sent += claimed
    }
  }
}

extension EmbeddedPlatform {
  /// Returns the clients of the account with this address, or of the first account.
  func clients(of address: String? = nil) -> DependencyValues {
    DependencyValues { with(account: address).install(in: &$0) }
  }
}
