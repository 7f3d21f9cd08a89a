import Clients
import Composable
import ComposableFoundation
import ComposableTesting
import Domain
import FoundationEssentials
import Synchronization
import Testing

@testable import Monitor

/// The data a monitor keeps in memory while its store can't be written, call by call.
@MainActor @Suite struct FallbackMemoryTests {
  private let clock = TestClock()
  private let store = ReadableStore()
  private let graceEnd = start + .minutes(24 * 60 + 15)

  private func memory(limit: Int = 99, startedAt: Date = start) -> FallbackMonitor<TestClock> {
    FallbackMonitor(
      client: store.client, clock: clock, startedAt: startedAt, log: Log().monitorLog,
      limit: limit)
  }

  /// A fallback monitor that is active because its store has failed for long enough.
  private func activeMemory(limit: Int = 99) async -> FallbackMonitor<TestClock> {
    let memory = memory(limit: limit)
    memory.note(.full)
    _ = memory.turnEnded()
    await clock.advance(by: .seconds(10))
    memory.note(.full)
    _ = memory.turnEnded()
    return memory
  }

  private func account(
    _ id: UUID = .ada, alerts: [Alert] = [], deliveries: [DeliveryRecord] = [],
    email: String? = nil
  ) -> MonitoredAccount {
    let user = User(
      id: id, profile: Profile(name: "Ada", email: email), checkInSequence: 7, lastCheckIn: start,
      createdAt: start)
    return MonitoredAccount(
      user: user, revision: 1, responders: [.bob, .cyd], alerts: alerts, deliveries: deliveries,
      watchedSince: start)
  }

  /// The deliveries that a turn begins `second` seconds after the grace time.
  private func begun(
    _ memory: FallbackMonitor<TestClock>, _ second: Int,
    _ request: ClaimRequest = ClaimRequest(limit: 99)
  ) async throws -> [ClaimedDelivery] {
    try await memory.turn(
      now: graceEnd + .seconds(second), gapEnd: nil, lease: .seconds(60), request: request
    ).messages
  }

  private func take(
    _ outcome: DeliveryOutcome, of message: ClaimedDelivery, by memory: FallbackMonitor<TestClock>
  ) -> Bool {
    memory.take(outcome, of: message, retryAt: graceEnd + .minutes(1), now: graceEnd)
  }

  @Test("A monitor works from memory after its store has failed for 10 s in every turn")
  func beginning() async {
    let memory = memory()
    #expect(!memory.isActive)
    memory.note(.full)
    #expect(!memory.turnEnded())
    await clock.advance(by: .seconds(9))
    memory.note(.full)
    #expect(!memory.turnEnded() && !memory.isActive)
    await clock.advance(by: .seconds(1))
    memory.note(.full)
    #expect(memory.turnEnded() && memory.isActive)
    #expect(!memory.turnEnded() && !memory.isActive)
    memory.note(.full)
    #expect(!memory.turnEnded(), "the ten seconds begin again")
  }

  @Test("ESC-4: a monitor the store never recorded assumes that nobody watched before it started")
  func gap() async throws {
    store.accounts = [account()]
    for isSeen in [true, false] {
      let memory = memory(startedAt: start + .minutes(24 * 60 + 5))
      if isSeen { memory.noteSeen() }
      _ = try await begun(memory, 1)
      #expect(try await begun(memory, 11).isEmpty == !isSeen)
    }
  }

  @Test("A single page of accounts is read every second; several are read in a row every 5 s")
  func pauses() async throws {
    let memory = await activeMemory()
    func pauses(_ count: Int) async throws -> [Duration] {
      var pauses: [Duration] = []
      for _ in 0..<count {
        let turn = try await memory.turn(
          now: start, gapEnd: nil, lease: .seconds(60), request: ClaimRequest(limit: 1))
        pauses.append(turn.pause)
      }
      return pauses
    }
    store.accounts = [account()]
    #expect(try await pauses(2) == [.seconds(1), .seconds(1)])
    store.accounts = (1...250).map { account(UUID(1_000 + UInt64($0))) }
    #expect(try await pauses(4) == [.zero, .zero, .seconds(5), .zero])
  }

  @Test("Each outage starts reading at the first page of accounts")
  func firstPage() async throws {
    let memory = await activeMemory()
    store.accounts = (1...150).map { account(UUID(1_000 + UInt64($0))) }
    _ = try await begun(memory, 0)
    _ = memory.turnEnded()
    store.accounts = [account()]
    _ = try await begun(memory, 60)
    #expect(try await begun(memory, 70).count == 2)
  }

  @Test("A responder removed during an outage isn't notified from memory")
  func withdrawn() async throws {
    let memory = await activeMemory()
    store.accounts = [account()]
    #expect(try await begun(memory, 0).isEmpty)
    store.accounts[0].responders = [.bob]
    #expect(try await begun(memory, 10).map(\.recipientName) == ["Bob"])
  }

  @Test("ALT-7: an armed alert in a file is raised for the account that armed it")
  func armedByAnother() async throws {
    let other = UUID(7)
    for accounts in [[account(), account(other)], [account(other), account()], [account(other)]] {
      store.accounts = accounts
      let memory = await activeMemory()
      let armed = ArmedAlert(id: .alert, armedAt: start, firesAt: start + .seconds(5))
      memory.setSpooledAlerts([.armed(armed, account: other)])
      let messages = try await begun(memory, -60)
      #expect(messages.map(\.user.id) == [other, other])
      #expect(messages.map(\.stage) == [.alertOn, .alertOn])
    }
  }

  @Test(
    "A full memory begins no more messages until the store has taken over some")
  func limit() async throws {
    let memory = await activeMemory(limit: 2)
    store.accounts = [account()]
    _ = try await begun(memory, 0)
    store.accounts.append(account(UUID(7)))
    let first = try await begun(memory, 10)
    #expect(first.count == 2 && first.allSatisfy { $0.user.id == .ada })
    _ = try await begun(memory, 20)
    #expect(try await begun(memory, 30).isEmpty)
    for message in first { #expect(take(.sent, of: message, by: memory)) }
    #expect(await memory.isStoreBack())
    store.accounts.removeFirst()
    _ = try await begun(memory, 40)
    #expect(try await begun(memory, 50).map(\.user.id) == [UUID(7), UUID(7)])
  }

  @Test("Alerts go first, untried ones before retries; retries stay within their limit")
  func order() async throws {
    let records = [
      DeliveryRecord(20, .toAda(.deadlinePassed)),
      DeliveryRecord(21, .to(.bob, .alertOn), attempts: 1),
      DeliveryRecord(22, .to(.cyd, .alertOn)),
    ]
    store.accounts = [account(alerts: [.manual()], deliveries: records, email: "ada@example.org")]
    func order(_ request: ClaimRequest) async throws -> [UUID] {
      let memory = await activeMemory()
      _ = try await begun(memory, -600)
      return try await begun(memory, -590, request).map(\.id)
    }
    let (own, retry, call) = (records[0].id, records[1].id, records[2].id)
    #expect(try await order(ClaimRequest(limit: 9)) == [call, retry, own])
    #expect(try await order(ClaimRequest(limit: 9, retryLimit: 0)) == [call, own])
  }

  @Test("The store is given each alert and result once, and is tried again after 10 s")
  func adoption() async throws {
    let memory = await activeMemory()
    store.accounts = [account()]
    _ = try await begun(memory, 0)
    let messages = try await begun(memory, 10)
    try #require(messages.count == 2)
    #expect(memory.isHolding(messages[0]))
    #expect(memory.outcome(of: messages[0]) == nil)
    #expect(take(.sent, of: messages[0], by: memory))
    #expect(!take(.sent, of: messages[0], by: memory), "it has an outcome")
    #expect(memory.outcome(of: messages[0]) == .sent)
    #expect(await memory.isStoreBack(), "it has just answered")
    #expect(store.adopted.map(\.alerts.count) == [1])
    #expect(store.adopted.map { $0.messages.map(\.attempts) } == [[1]])
    #expect(!memory.isHolding(messages[0]) && memory.isHolding(messages[1]))
    #expect(await !memory.isStoreBack(), "it has nothing to hear, and refuses")
    #expect(store.adopted.count == 1)
    await clock.advance(by: .seconds(10))
    #expect(await memory.isStoreBack(), "it is tried again")
  }

  @Test("ESC-3: the store counts every attempt of a message whose answer was lost, each once")
  func doubt() async throws {
    let memory = await activeMemory()
    store.accounts = [account()]
    _ = try await begun(memory, 0)
    let first = try await begun(memory, 10)
    #expect(take(.ambiguous(reason: "lost"), of: first[0], by: memory))
    // An unknown recipient is tried again after an hour (CHN-2).
    _ = memory.take(
      .permanent(reason: "no"), of: first[1], retryAt: graceEnd + .hours(1), now: graceEnd)
    let second = try await begun(memory, 60)
    try #require(second.map(\.id) == [first[0].id])
    #expect(await memory.isStoreBack())
    #expect(store.adopted.map { $0.messages.map(\.attempts) } == [[2]])
    #expect(store.adopted.map { $0.messages.map(\.sentAt) } == [[nil]])
    _ = await memory.isStoreBack()
    #expect(store.adopted.count == 1, "the second attempt has no end yet")
    #expect(take(.sent, of: second[0], by: memory))
    _ = await memory.isStoreBack()
    #expect(store.adopted.last?.messages.map(\.attempts) == [0])
  }

  @Test("A message that fails after the store is back is left to the store")
  func afterwards() async throws {
    let memory = await activeMemory()
    store.accounts = [account()]
    _ = try await begun(memory, 0)
    let messages = try await begun(memory, 10)
    #expect(!memory.turnEnded())
    #expect(take(.retry(reason: "busy", after: nil), of: messages[0], by: memory))
    #expect(!memory.isHolding(messages[0]))
    #expect(take(.sent, of: messages[1], by: memory))
    #expect(memory.isHolding(messages[1]))
  }

  @Test("CHK-3: a silent alert in a file is stored once, and not beside an active silent alert")
  func silent() async throws {
    func remembered(_ alerts: [Alert], in file: UUID = .silent) async throws -> [Alert.ID] {
      store.adopted = []
      store.accounts = [account(alerts: alerts)]
      let memory = await activeMemory()
      memory.setSpooledAlerts([.silent(file, at: start + .hours(2), account: .ada)])
      // The time until an alert in the store is sent again.
      for second in [-60, -50] { _ = try await begun(memory, second) }
      _ = await memory.isStoreBack()
      return store.adopted.flatMap(\.alerts).map(\.id)
    }
    #expect(try await remembered([]) == [.silent])
    #expect(try await remembered([.duress()], in: UUID(11)) == [], "another one is on")
    #expect(try await remembered([.duress(resolvedAt: start)]) == [], "it is over")
    #expect(try await remembered([.duress(resolvedAt: start)], in: UUID(11)) == [UUID(11)])
    #expect(try await remembered([.manual()]) == [.silent])
  }
}

/// A store that can be read and records what it is given to catch up.
private final class ReadableStore: Sendable {
  private let contents = Mutex((accounts: [MonitoredAccount](), adopted: [AccountMemory]()))

  var accounts: [MonitoredAccount] {
    get { contents.withLock { $0.accounts } }
    set { contents.withLock { $0.accounts = newValue } }
  }
  var adopted: [AccountMemory] {
    get { contents.withLock { $0.adopted } }
    set { contents.withLock { $0.adopted = newValue } }
  }

  var client: FallbackClient {
    FallbackClient {
      $0.waiting = { [self] (_: Date, offset, limit) async throws(StorageError) in
        let end = min(offset + limit, accounts.count)
        return WaitingPage(
          accounts: Array(accounts[min(offset, end)..<end]), next: end < accounts.count ? end : nil)
      }
      $0.account = { [self] (id) async throws(StorageError) in
        accounts.first { $0.user.id == id }
      }
      $0.present = { $0 }
      $0.secrets = { (_: User.ID) async throws(StorageError) in [] }
      $0.equip = { (message, _: Date) async throws(StorageError) in message }
      $0.adopt = { [self] (memory) async throws(StorageError) in adopted.append(memory) }
    }
  }
}
