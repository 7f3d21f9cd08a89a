import Clients
import Composable
import ComposableFoundation
import ComposableTesting
import Domain
import FoundationEssentials
import Synchronization
import Testing

@testable import Monitor

/// The steps of a turn, one by one.
@MainActor @Suite struct MonitorStepsTests {
  let world = World()
  private let mail = Destination(kind: .email, address: "bob@example.org")

  /// Plans for a store whose accounts always need attention.
  /// - Returns: The result, the numbers of accounts requested, and the number planned.
  private func plan(
    _ accounts: Int, failing: User.ID? = nil
  ) async throws -> (result: MonitorLoop<TestClock>.Planned, asked: [Int], planned: Int) {
    let asked = Mutex<[Int]>([])
    let planned = Mutex(0)
    var store = world.clients.monitorClient
    let waiting = (1...accounts).map { number in
      let user = User(
        id: UUID(UInt64(number)), profile: Profile(name: "Ada"), lastCheckIn: start,
        createdAt: start)
      return MonitoredAccount(user: user, revision: 1, responders: [], alerts: [], deliveries: [])
    }
    store.due = { (_: Date, limit) async throws(StorageError) in
      asked.withLock { $0.append(limit) }
      return Array(waiting.prefix(limit))
    }
    store.apply = { (plans, _: Date) async throws(StorageError) in
      planned.withLock { $0 += plans.count }
      return plans.map {
        $0.account == failing ? .failure(.serialization("a row")) : .success(true)
      }
    }
    let result = try await world.monitor(store).plan(now: world.now)
    return (result, asked.withLock { $0 }, planned.withLock { $0 })
  }

  @Test("ESC-6: an account that keeps needing attention is planned three times in a turn")
  func tries() async throws {
    let (result, asked, planned) = try await plan(2)
    #expect(asked == [100, 100, 100, 102] && planned == 6)
    #expect(result.isFinished && result.errors.isEmpty)
  }

  @Test("ESC-6: an account that can't be planned waits for the next turn; the others are planned")
  func failure() async throws {
    let (result, asked, planned) = try await plan(2, failing: UUID(1))
    #expect(asked == [100, 101, 101, 102] && planned == 4)
    #expect(result.errors == [UUID(1): .serialization("a row")])
  }

  @Test("A turn plans five hundred accounts at most")
  func batches() async throws {
    let (result, asked, planned) = try await plan(700)
    #expect(asked == [100, 100, 100, 200, 200] && planned == 500)
    #expect(!result.isFinished)
  }

  @Test("Each message being sent lowers the number claimed next, and the number of retries")
  func room() {
    let monitor = world.monitor()
    let readiness = DeliveryService.Readiness()
    func room(_ busy: Int) -> [Int] {
      let request = monitor.request(readiness, Sends.Load(busy: [mail: busy]))
      return [request.limit, request.retryLimit]
    }
    let all = monitor.pace.concurrency
    #expect(room(0) == [all, all / 2])
    #expect(room(10) == [all - 10, all / 2 - 10])
    #expect(room(all - 1) == [1, 0])
    #expect(room(all + 1) == [0, 0])
  }

  @Test("Each message is counted for its destination until it has an outcome")
  func sends() {
    let sends = Sends()
    func message(_ kind: Channel.Kind, _ token: UInt64 = 2) -> ClaimedDelivery {
      ClaimedDelivery(
        id: UUID(1), token: UUID(token), attempt: 1, stage: .alertOn, recipient: .owner,
        recipientName: "", channel: kind, address: "https://ntfy.sh/ada", plannedAt: start,
        user: .ada())
    }
    var busy: [Destination: Int] { sends.load(slowSince: .zero).busy }
    sends.begin(message(.email), at: .seconds(1))
    sends.begin(message(.email, 3), at: .seconds(5))
    sends.begin(message(.ntfy, 4), at: .seconds(6))
    #expect(busy.values.sorted() == [1, 2] && busy[mail] == 2)
    #expect(sends.load(slowSince: .seconds(5)).slow == 2)
    sends.end(message(.email), .sent)
    #expect(busy[mail] == 1)
    sends.end(message(.email, 3), .misconfigured(reason: "no password"))
    #expect(busy[mail] == nil && busy.count == 1)
    sends.end(message(.ntfy, 4), .sent)
    #expect(busy.isEmpty && sends.problems == [.email: "no password"])
  }

  @Test(
    "WCH-1: once mail settings are fixed no problem is shown, even while the server is down",
    arguments: [.sent, .retry(reason: "connection refused", after: nil)]
      + [.permanent(reason: "550 no such user"), .ambiguous(reason: "cut")] as [DeliveryOutcome])
  func fixedSettings(outcome: DeliveryOutcome) {
    let message = ClaimedDelivery(
      id: UUID(1), token: UUID(2), attempt: 1, stage: .alertOn, recipient: .owner,
      recipientName: "", channel: .email, address: "ada@example.org", plannedAt: start,
      user: .ada())
    let sends = Sends()
    sends.end(message, .misconfigured(reason: "no password"))
    sends.end(message, outcome)
    #expect(sends.problems.isEmpty)
  }

  @Test("ESC-3: --once claims messages for 90 s from the claim, however long planning took")
  func leaseOfOneRound() async throws {
    try await world.openAccount(responders: ["Bob"])
    let (healthy, clock) = (world.clients.monitorClient, world.clock)
    let ends = Mutex<[Date]>([])
    var store = healthy
    store.heartbeat = { (id, now, lease, problem) async throws(StorageError) in
      await clock.advance(by: .milliseconds(30_500))
      return try await healthy.heartbeat(id, now, lease, problem)
    }
    store.claim = { (now, lease, request) async throws(StorageError) in
      ends.withLock { $0.append(now + lease) }
      return try await healthy.claim(now, lease, request)
    }
    _ = await world.monitor(store).runOnce()
    #expect(ends.withLock { $0 } == [start + .seconds(31 + 90)])
  }

  @Test("WCH-1: --once reports that the store is damaged and tries once to notify everyone")
  func damagedOnce() async throws {
    let store = Inspected()
    store.answer { _ in .damaged(fault: "page 7 is not used") }
    let message = ClaimedDelivery(
      id: UUID(77), token: UUID(78), attempt: 1, stage: .unwatched, recipient: .owner,
      recipientName: "Ada", channel: .email, address: "ada@example.org", plannedAt: world.now,
      user: .ada())
    let unwatched = DamagedStoreClient(
      messages: { _ in [message] }, noteSent: { _ in }, markRepaired: {})
    world.mailbox.answer { _ in .retry(reason: "busy", after: nil) }
    let round = await world.monitor(upkeep: store.upkeep, damagedStore: unwatched).runOnce()
    #expect(round.problems.count == 1 && round.problems[0].contains("page 7 is not used"))
    #expect(world.mailbox.attempts.map(\.stage) == [.unwatched], "it waits for no second try")
  }
}
