public import Clients
public import Composable
public import Domain
public import FoundationEssentials

/// Notifies everyone still named in a damaged store, once each, that nobody is being watched.
public struct DamageNotice<Time: Clock>: Sendable where Time.Duration == Duration {
  let client: DamagedStoreClient
  let deliveryService: DeliveryService
  let now: @Sendable () -> Date
  let clock: Time
  let random: WithRandomNumberGenerator
  let log: MonitorLog
  private let pauses = RoutePauses()

  public init(
    client: DamagedStoreClient, deliveryService: DeliveryService,
    now: @escaping @Sendable () -> Date,
    clock: Time,
    random: WithRandomNumberGenerator, log: MonitorLog
  ) {
    self.client = client
    self.deliveryService = deliveryService
    self.now = now
    self.clock = clock
    self.random = random
    self.log = log
  }

  /// How many messages are sent at once.
  private static var concurrency: Int { 8 }

  /// Sends the messages, with the same retries as any other message.
  /// - Parameters:
  ///   - isOnce: Whether to make only one attempt per message.
  ///   - isDamaged: Whether the store is still damaged; asked between attempts.
  public func send(isOnce: Bool = false, while isDamaged: () -> Bool = { true }) async {
    await send(await client.messages(now()), isOnce: isOnce, while: isDamaged)
  }

  /// Sends the calls of the alerts in the store and in files, as they come due, until the task is
  /// cancelled or the store is whole. No one else reads the files while the store can't be opened
  /// (ALT-7).
  /// - Parameters:
  ///   - isOnce: Whether to make only one attempt per message, for what is due now.
  ///   - isDamaged: Whether the store is still damaged.
  ///   - isWanted: Whether nobody else sends the call.
  public func sendCalls(
    isOnce: Bool = false, while isDamaged: @escaping @Sendable () -> Bool = { true },
    where isWanted: @escaping @Sendable (ClaimedDelivery) -> Bool = { _ in true }
  ) async {
    @Sendable func due() async -> [ClaimedDelivery] { await client.calls(now()).filter(isWanted) }
    var begun: Set<UUID> = []
    await withDiscardingTaskGroup { group in
      while isDamaged() {
        let calls = await due().filter { begun.insert($0.id).inserted }
        if !calls.isEmpty {
          group.addTask { await send(calls, isOnce: isOnce, while: isDamaged, stillDue: due) }
        }
        guard !isOnce, (try? await clock.sleep(for: .seconds(1))) != nil else { break }
      }
    }
  }

  /// - Parameter stillDue: Returns what is due of them before a further try: the person may have
  ///   cancelled the alert. By default everything is.
  private func send(
    _ messages: [ClaimedDelivery], isOnce: Bool = false, while isDamaged: () -> Bool,
    stillDue: (@Sendable () async -> [ClaimedDelivery])? = nil
  ) async {
    var waiting = messages.map { (message: $0, at: now()) }
    while !waiting.isEmpty, isDamaged(), !Task.isCancelled {
      var due = waiting.filter { $0.at <= now() }.map(\.message)
      waiting.removeAll { $0.at <= now() }
      let mail = await deliveryService.mailRoute()
      while !due.isEmpty {
        let isTried = due.prefix(Self.concurrency).allSatisfy { pauses.isKnownToWork($0, mail) }
        let count = isTried ? Self.concurrency : ClaimRequest.untriedLogins
        var batch: [ClaimedDelivery] = []
        for message in due.prefix(count) {
          if let until = pauses.enter(message, mail, at: now()) {
            waiting.append((message, until))
          } else {
            batch.append(message)
          }
        }
        due.removeFirst(min(count, due.count))
        for (message, outcome) in await attempt(batch) {
          pauses.note(outcome, of: message, mail, at: now())
          let next = random {
            DeliveryPolicy.standard.nextAttempt(
              after: outcome, of: message, now: now(), random: &$0)
          }
          guard let next, !isOnce else {
            // A message refused for good must not be tried again next time.
            if outcome != .sent, !isOnce { await client.noteSent(message.id) }
            continue
          }
          var message = message
          message.attempt += 1
          message.earlier = message.earlier.adding(outcome)
          waiting.append((message, next))
        }
      }
      guard let next = waiting.map(\.at).min() else { return }
      let pause = max(0.1, next.timeIntervalSince(now()))
      guard (try? await clock.sleep(for: .seconds(pause))) != nil else { return }
      guard let due = await stillDue?().map(\.id) else { continue }
      // Asked again later: what can't be read now may be on all the same.
      let later = now() + .minutes(1)
      waiting = waiting.map { message, at in
        due.contains(message.id) ? (message, at) : (message, max(at, later))
      }
    }
  }

  private func attempt(
    _ messages: [ClaimedDelivery]
  ) async -> [(ClaimedDelivery, DeliveryOutcome)] {
    let outcomes = await withTaskGroup(of: (ClaimedDelivery, DeliveryOutcome).self) { group in
      for message in messages {
        group.addTask { (message, await deliveryService.deliver(message)) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    for (message, outcome) in outcomes {
      if message.isLogged {
        log.info(
          "delivery \(message.id.short) \(message.stage.storageKey)"
            + " attempt \(message.attempt): \(outcome.logText)")
      }
      if outcome == .sent { await client.noteSent(message.id) }
    }
    return outcomes
  }
}
