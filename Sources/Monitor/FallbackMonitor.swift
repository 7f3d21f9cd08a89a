import Clients
import Composable
import Cryptography
import Domain
import FoundationEssentials
import Synchronization

/// Keeps people notified while the store refuses writes, or is damaged.
///
/// It reads what is due, plans and sends as usual, and keeps in memory what the store would have
/// recorded, until the store accepts it. Of an account that can't be read any more, it uses what it
/// last read.
///
/// Messages have the identities that the store would have given them, so another process that sends
/// them too sends the same ones.
final class FallbackMonitor<Time: Clock>: Sendable where Time.Duration == Duration {
  /// How long the store must refuse before messages are sent from memory, and how long each message
  /// then waits. By then another monitor that can write has done the work, and the store shows it.
  static var retryInterval: Duration { .seconds(10) }
  /// How many accounts are read per turn.
  static var pageSize: Int { 100 }

  struct Contents {
    var accounts: [User.ID: RememberedAccount] = [:]
    /// Since when the store has refused in every turn.
    var refusedSince: Time.Instant?
    var wasRefusedInTurn = false
    var isActive = false
    var offset = 0
    /// When to try the store again even if there is nothing to tell it.
    var nextProbe: Time.Instant
    /// Whether the store has just learnt what it missed.
    var hasJustSynced = false
    /// Armed and stopped alerts that the store doesn't know about yet (ALT-7).
    var spooled: [SpooledAlert] = []
    /// Whether this process has ever recorded a heartbeat in the store.
    var hasBeenSeen = false
    var known = KnownAccounts()
    /// Whether the store is damaged, so that it may do its part for some accounts only.
    var isDamaged = false

    /// Leaves unsent messages to the store. Messages being sent are kept, so that they aren't sent
    /// twice, as is everything the store has yet to learn.
    mutating func forgetUnsentMessages() {
      for (id, account) in accounts {
        var account = account
        account.messages = account.messages.filter { !$0.value.hasNothingToRecord }
        accounts[id] = account == RememberedAccount() ? nil : account
      }
      offset = 0
    }

    var messageCount: Int { accounts.values.reduce(0) { $0 + $1.messages.count } }

    /// Changes the remembered message, if there is one.
    mutating func update(
      _ message: ClaimedDelivery, _ change: (inout RememberedMessage) -> Void
    ) {
      guard var known = accounts[message.user.id]?.messages[message.id] else { return }
      change(&known)
      accounts[message.user.id]?.messages[message.id] = known
    }

    mutating func forget(_ message: ClaimedDelivery) {
      let id = message.user.id
      accounts[id]?.messages[message.id] = nil
      if accounts[id] == RememberedAccount() { accounts[id] = nil }
    }
  }

  let client: FallbackClient
  private let clock: Time
  let log: MonitorLog
  private let startedAt: Date
  private let limit: Int
  let contents: Mutex<Contents>
  let pauses = RoutePauses()

  /// - Parameter limit: How many messages to remember, some 50 MB. Beyond that no account gets
  ///   further ones: a forgotten message would be sent again and again.
  init(
    client: FallbackClient, clock: Time, startedAt: Date, log: MonitorLog, limit: Int = 100_000
  ) {
    self.client = client
    self.clock = clock
    self.startedAt = startedAt
    self.log = log
    self.limit = limit
    contents = Mutex(Contents(nextProbe: clock.now))
  }

  /// Whether messages are now sent from memory.
  var isActive: Bool { contents.withLock { $0.isActive } }

  // MARK: Starting and stopping

  /// Notes that the store failed.
  func note(_ error: StorageError) {
    guard error.isRefusal else { return }
    contents.withLock { contents in
      contents.wasRefusedInTurn = true
      if contents.refusedSince == nil { contents.refusedSince = clock.now }
    }
  }

  /// Notes the armed alerts that the store didn't accept. They don't wait for another monitor,
  /// which couldn't write either. A silent alert does wait, so that the log starts at the usual
  /// time and doesn't reveal it (ALT-9).
  func setSpooledAlerts(_ spooled: [SpooledAlert]) { contents.withLock { $0.spooled = spooled } }

  /// Notes an account that was read while the store worked.
  func note(_ account: MonitoredAccount) { contents.withLock { $0.known.note(account) } }

  /// Returns whether the account is known, so that its people are notified from memory.
  func knows(_ id: User.ID) -> Bool { contents.withLock { $0.known[id] != nil } }

  /// Reads the secrets of accounts that were noted, a few at a time.
  func readSecrets() async {
    let wanted = contents.withLock { $0.known.withoutSecrets.prefix(Self.pageSize) }
    for id in wanted {
      guard let secrets = try? await client.secrets(id) else { return }
      contents.withLock { $0.known.note(secrets, of: id) }
    }
  }

  /// Notes whether the store is damaged.
  func setDamaged(_ isDamaged: Bool) { contents.withLock { $0.isDamaged = isDamaged } }

  /// Notes that the store knows about this monitor.
  func noteSeen() { contents.withLock { $0.hasBeenSeen = true } }

  /// Notes the end of a turn with the store.
  /// - Returns: Whether to work without the store.
  func turnEnded() -> Bool {
    let (wasActive, isActive) = contents.withLock { contents in
      let wasActive = contents.isActive
      if !contents.wasRefusedInTurn { contents.refusedSince = nil }
      contents.wasRefusedInTurn = false
      contents.isActive =
        contents.refusedSince.map {
          contents.spooled.contains { $0.silent == nil }
            || $0.duration(to: clock.now) >= Self.retryInterval
        } ?? false
      contents.nextProbe = clock.now.advanced(by: Self.retryInterval)
      if wasActive, !contents.isActive { contents.forgetUnsentMessages() }
      return (wasActive, contents.isActive)
    }
    if isActive, !wasActive {
      log.error("the store can't be written; notifying people from memory")
    } else if wasActive, !isActive {
      log.info("the store can be written again")
    }
    return isActive
  }

  /// Tells the store what it missed, if anything.
  /// - Returns: Whether to try working with the store.
  func isStoreBack() async -> Bool {
    guard await syncStore() else { return !isActive }
    return contents.withLock { contents in
      !contents.isActive || contents.hasJustSynced || clock.now >= contents.nextProbe
    }
  }

  // MARK: Turns without the store

  /// Plans what is due and begins the messages that there is capacity for.
  /// - Parameter servesAll: Whether the store does nothing for anybody. If not, only accounts that
  ///   can't be read are served.
  /// - Returns: The messages to send now, and how long to sleep afterwards.
  /// - Throws: If the store can't be read either, and nobody is known.
  func turn(
    now: Date, gapEnd: Date?, lease: TimeSpan, request: ClaimRequest, servesAll: Bool = true
  ) async throws(StorageError) -> (messages: [ClaimedDelivery], pause: Duration) {
    let offset = contents.withLock { $0.offset }
    var page: WaitingPage?
    var isLost = false
    if servesAll { (page, isLost) = try await self.page(at: now, offset: offset) }
    var accounts = page?.accounts ?? []
    if page?.hasUnreadable ?? true {
      accounts += await known(besides: accounts, includingReadable: isLost)
    }
    let spooled = contents.withLock { Dictionary(grouping: $0.spooled, by: \.account) }
    if servesAll {
      for case let id? in spooled.keys where !accounts.contains(where: { $0.user.id == id }) {
        if let account = (try? await client.account(id)) ?? nil { accounts.append(account) }
      }
    }
    var candidates: [ClaimedDelivery] = []
    let hasRoom = contents.withLock { $0.messageCount < limit }
    for var account in accounts {
      await take(spooled[account.user.id] ?? [], into: &account)
      // It is unknown who watched before this process started.
      let isNew = contents.withLock { !$0.hasBeenSeen }
      if let start = gapEnd ?? (isNew ? startedAt : nil) {
        account.watchedSince = max(account.watchedSince ?? start, start)
      }
      candidates += plan(account, now: now, lease: lease, hasRoom: hasRoom)
    }
    var request = request
    let mail = request.mail
    pauses.limitMail(&request, at: now)
    var begun: [ClaimedDelivery] = []
    for candidate in candidates.sorted(by: Self.isMorePressing) {
      guard
        request.take(
          candidate.channel, address: candidate.address, isRetry: candidate.attempt > 1)
      else { continue }
      let message: ClaimedDelivery
      do throws(StorageError) {
        guard let equipped = try await client.equip(candidate, now) else {
          contents.withLock { $0.forget(candidate) }
          continue
        }
        message = equipped
      } catch {
        if error == .busy {
          // A lock would delay all the others too, but messages already begun must go out.
          guard !begun.isEmpty else { throw error }
          break
        }
        guard error.isRefusal else {
          // Any other error concerns only this message (ESC-6).
          if !candidate.isSilent {
            log.error("delivery \(candidate.id.short) could not be read: \(error.text.code)")
          }
          contents.withLock { $0.update(candidate) { $0.notBefore = now + Self.retryInterval } }
          continue
        }
        message = contents.withLock { $0.known.equipped(candidate) }
      }
      if let until = pauses.enter(message, mail, at: now) {
        contents.withLock { $0.update(candidate) { $0.notBefore = until } }
        continue
      }
      begun.append(message)
      begin(message, mail: mail)
    }
    // Go on to the next page even if some messages found no capacity: those waiting may be on
    // channels that don't work at all (ESC-6).
    contents.withLock { $0.offset = page?.next ?? 0 }
    if page?.next != nil { return (begun, .zero) }
    return (begun, offset == 0 ? .seconds(1) : .seconds(5))
  }

  /// Returns the next accounts that wait, as far as they can be read.
  /// - Returns: Also whether it can't be read which accounts wait.
  private func page(
    at now: Date, offset: Int
  ) async throws(StorageError) -> (page: WaitingPage?, isLost: Bool) {
    do throws(StorageError) {
      var page = try await client.waiting(now, offset, Self.pageSize)
      page.hasUnreadable = page.hasUnreadable || contents.withLock { $0.isDamaged }
      return (page, false)
    } catch {
      guard error != .busy, contents.withLock({ !$0.known.ids.isEmpty }) else { throw error }
      return (nil, true)
    }
  }

  /// Returns the known accounts that can't be read any more, as they were last read, and if wanted
  /// the others as they are.
  private func known(
    besides accounts: [MonitoredAccount], includingReadable: Bool
  ) async -> [MonitoredAccount] {
    let read = Set(accounts.map(\.user.id))
    var found: [MonitoredAccount] = []
    for id in contents.withLock({ $0.known.ids }) where !read.contains(id) {
      do throws(StorageError) {
        if let account = try await client.account(id), includingReadable { found.append(account) }
      } catch {
        guard error != .busy else { continue }
        if let known = contents.withLock({ $0.known[id] }) { found.append(known.account) }
      }
    }
    return found
  }

  /// Applies the alerts that were armed or stopped without the store, which are newer than the
  /// stored ones. Silent alerts are remembered separately.
  ///
  /// They are read again: this monitor may have waited for seconds until a locked store refused, and
  /// the person may have stopped or postponed one since.
  private func take(_ spooled: [SpooledAlert], into account: inout MonitoredAccount) async {
    if let armed = account.armed { account.armed = await client.present(armed) }
    for armed in spooled.compactMap(\.armed)
    where !account.alerts.contains(where: { $0.id == armed.id }) {
      guard let armed = await client.present(armed) else { continue }
      account.armed = account.armed?.joined(with: armed) ?? armed
    }
  }

  /// Plans one account, including everything remembered about it.
  /// - Returns: The messages that are due, as they would be claimed.
  private func plan(
    _ stored: MonitoredAccount, now: Date, lease: TimeSpan, hasRoom: Bool
  ) -> [ClaimedDelivery] {
    let id = stored.user.id
    let soon = now + Self.retryInterval
    return contents.withLock { contents in
      var memory = contents.accounts[id] ?? RememberedAccount()
      // An alert in a file is in no store that another monitor could send it from: a message that is
      // doubled is better than one that waits.
      let filed = Set(contents.spooled.compactMap { $0.armed.map { Occasion.alert($0.id) } })
      for case let silent? in contents.spooled.filter({ $0.account == id }).map(\.silent)
      where !(stored.alerts + memory.alerts).contains(where: {
        $0.kind == .duress && $0.isActive || $0.id == silent.id
      }) {
        memory.alerts.append(silent)
      }
      var seen = stored.remembering(memory, now: now, lease: lease)
      seen.checkSetTime()
      let plan = Planner.plan(seen, now: now, makeID: { UUID(ofMissedAlertOf: stored.user) })
      if let start = plan.graceFrom {
        memory.grace = .init(sequence: stored.user.checkInSequence, from: start)
      }
      if let alert = plan.raisedAlert {
        memory.alerts.append(alert)
        log.info("account \(id.short): the armed alert is raised")
      }
      if let alert = plan.missedAlert {
        memory.alerts.append(alert)
        log.info("account \(id.short) missed deadline \(alert.sequence ?? 0)")
      }
      if let outing = plan.changedOuting { memory.outing = outing }
      if let alert = plan.outingAlert {
        memory.alerts.append(alert)
        log.info("account \(id.short) isn't back from an outing")
      }
      for cancelled in plan.cancelled where memory.messages[cancelled]?.state == .waiting {
        memory.messages[cancelled] = nil
      }
      // The alert that was just raised is now one of the account's.
      let account = stored.remembering(memory, now: now, lease: lease)
      if hasRoom {
        for planned in plan.deliveries where account.isUrgent(planned.occasion) {
          let identity = planned.identity(for: stored.user)
          guard memory.messages[identity] == nil else { continue }
          memory.messages[identity] = RememberedMessage(
            id: identity, planned: planned, plannedAt: now,
            notBefore: filed.contains(planned.occasion) ? now : soon)
        }
        for record in stored.deliveries
        where record.state == .pending && memory.messages[record.id] == nil
          && (record.leasedUntil ?? now) <= now && account.isUrgent(record.occasion)
          && !plan.cancelled.contains(record.id)
        {
          memory.messages[record.id] = RememberedMessage(
            id: record.id, plannedAt: now, notBefore: soon)
        }
      }
      if memory != RememberedAccount() { contents.accounts[id] = memory }
      return stored.remembering(memory, now: now, lease: lease).due(memory, now: now)
    }
  }

  /// Returns whether `one` goes before `other`: calls first, then messages not yet tried, as in the
  /// store.
  private static func isMorePressing(_ one: ClaimedDelivery, _ other: ClaimedDelivery) -> Bool {
    func rank(_ message: ClaimedDelivery) -> (Int, Int) {
      (message.stage.isCall ? 0 : 1, message.attempt > 1 ? 1 : 0)
    }
    return rank(one) < rank(other)
  }
}

extension StorageError {
  /// Whether the store as a whole refuses to work, rather than rejecting one particular request.
  var isRefusal: Bool {
    switch self {
    case .full, .permissionDenied, .busy, .missing, .corrupt, .unknown: true
    default: false
    }
  }
}

extension Date {
  fileprivate static func + (date: Date, duration: Duration) -> Date {
    date.addingTimeInterval(Double(duration.components.seconds))
  }
}

extension PlannedDelivery {
  /// Returns the identity that the store would give the message.
  fileprivate func identity(for user: User) -> UUID {
    if case .alert(let id) = occasion {
      UUID(of: self, about: id)
    } else {
      UUID(of: self, aboutDeadlineOf: user)
    }
  }
}
