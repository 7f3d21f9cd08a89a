import Clients
import Domain
import FoundationEssentials
import Testing

@testable import SQLite
@testable import Store

@Suite("Several programs on one store", .timeLimit(.minutes(1)))
struct SharingTests {
  @Test("Each program sees the other programs' check-ins, alerts and monitors")
  func observe() async throws {
    let place = try Place()
    let (app, monitor) = (try place.open(), try place.open())
    try await app.openAccount()
    var users = app.user.observeCurrentUser().makeAsyncIterator()
    var alerts = app.alerts.observe(5).makeAsyncIterator()
    var watch = app.watch.observe().makeAsyncIterator()
    _ = try await users.next()
    #expect(try await alerts.next() == [])
    #expect(try await watch.next()?.monitors == 0)

    place.advance(.hours(2))
    let user = try await monitor.checkIn.checkIn(.commandLine)
    #expect(try await users.next() == user)
    let alert = try await monitor.alerts.raise("")
    #expect(try await alerts.next()?.map(\.alert) == [alert])
    _ = try await monitor.monitor.heartbeat(UUID(), place.now, .seconds(30), nil)
    #expect(try await watch.next()?.monitors == 1)
  }

  @Test("A monitor wakes up when another program raises an alert")
  func changes() async throws {
    let place = try Place()
    let (app, monitor) = (try place.open(), try place.open())
    try await app.openAccount()
    let account = try await monitor.monitor.due(place.now, 1)[0]
    let applied = try await monitor.monitor.apply(
      Plan(nextPlanning: place.now + .hours(1)), account.user.id, account.revision, place.now)
    #expect(applied)
    var changes = monitor.monitor.changes().makeAsyncIterator()
    // The first element means that it listens now.
    #expect(await changes.next() != nil)
    _ = try await app.alerts.raise("")
    #expect(await changes.next() != nil)
    #expect(try await monitor.monitor.due(place.now, 1).count == 1)
  }

  @Test("Check-ins of several programs are all counted")
  func concurrentWrites() async throws {
    let place = try Place()
    let stores = [try place.open(), try place.open(), try place.open()]
    try await stores[0].openAccount()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for store in stores {
        group.addTask { for _ in 1...10 { _ = try await store.checkIn.checkIn(.manual) } }
      }
      try await group.waitForAll()
    }
    #expect(try await stores[2].user.currentUser().checkInSequence == 30)
  }

  @Test("ESC-3: no two monitors claim the same delivery")
  func concurrentClaims() async throws {
    let place = try Place()
    let stores = [try place.open(), try place.open(), try place.open()]
    let user = try await stores[0].openAccount()
    try await stores[0].forgetDeliveries()
    let account = try await stores[0].monitor.due(place.now, 1)[0]
    let deliveries = (1...40).map { minutes in
      PlannedDelivery(
        occasion: .deadline(sequence: 0), stage: .reminder(.minutes(minutes)), recipient: .owner,
        recipientName: "Ida", channel: .email, address: "ida@example.org")
    }
    _ = try await stores[0].monitor.apply(
      Plan(deliveries: deliveries), user.id, account.revision, place.now)
    let claimed = try await withThrowingTaskGroup(of: [UUID].self) { group in
      for store in stores {
        group.addTask {
          var claimed: [UUID] = []
          while true {
            let batch = try await store.monitor.claim(
              place.now, .seconds(60), ClaimRequest(limit: 3))
            if batch.isEmpty { return claimed }
            claimed += batch.map(\.id)
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(claimed.count == 40)
    #expect(Set(claimed).count == 40)
  }

  @Test("The store stops polling when its last observer is gone")
  func cleanUp() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    do {
      var users = store.user.observeCurrentUser().makeAsyncIterator()
      _ = try await users.next()
      #expect(await store.platform.store.isPolling)
    }
    while await store.platform.store.isPolling { await Task.yield() }
  }

  @Test("A store that is no longer used is closed, and its WAL file removed")
  func closing() async throws {
    let place = try Place()
    do {
      let store = try place.open()
      try await store.openAccount()
      var changes = store.monitor.changes().makeAsyncIterator()
      #expect(await changes.next() != nil)
      var users = store.user.observeCurrentUser().makeAsyncIterator()
      _ = try await users.next()
      #expect(try await !store.monitor.record(UUID(), UUID(), .sent, nil, place.now))
      #expect(place.exists(place.folders.database + "-wal"))
    }
    // The last connection deletes the log.
    while place.exists(place.folders.database + "-wal") { await Task.yield() }
  }

  @Test("A monitor notices when another monitor plans an account's next time")
  func putOff() async throws {
    let place = try Place()
    let (one, other) = (try place.open(), try place.open())
    let user = try await one.openAccount()
    try await one.forgetDeliveries()
    var changes = other.monitor.changes().makeAsyncIterator()
    _ = await changes.next()
    let account = try #require(try await one.monitor.due(place.now, 9).first)
    _ = try await one.monitor.apply(
      Plan(nextPlanning: place.now + .hours(1)), user.id, account.revision, place.now)
    #expect(await changes.next() != nil)
    #expect(try await other.monitor.nextWake() == place.now + .hours(1))
  }
}
