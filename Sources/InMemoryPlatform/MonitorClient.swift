import Clients
import Cryptography
import Domain
import FoundationEssentials

extension InMemoryPlatform {
  var monitorClient: MonitorClient {
    MonitorClient {
      $0.heartbeat = {
        [store]
        (
          monitor: UUID, now: @escaping @Sendable () -> Date, lease: TimeSpan,
          problem: MonitorProblem?
        )
          async throws(StorageError) in
        let (others, now) = store.write(.other, as: .monitor) { contents in
          let now = now()
          // Only now is all in the store that this monitor, or one that is gone, wrote by an old clock.
          let latest = contents.monitors
            .filter { $0.key == monitor || $0.value.leasedUntil <= now }.map(\.value.lastSeen).max()
          contents.monitors[monitor] = MonitorLease(
            lastSeen: now, leasedUntil: now + lease, problem: problem)
          contents.monitors = contents.monitors.filter {
            $0.key == monitor || $0.value.leasedUntil > now
          }
          let isWatched = contents.extendWatch(to: now)
          if isWatched, let latest, latest > now + WatchStatus.longestGap {
            contents.lookAfresh(at: now)
          }
          contents.expirePings(at: now, makeUUID: store.makeUUID)
          let others = contents.monitors.count { $0.key != monitor && $0.value.leasedUntil > now }
          return (others, now)
        }
        store.expectEnd(ofLeaseOf: monitor, at: now + lease)
        return others
      }
      $0.resign = { [store] (monitor: UUID) async throws(StorageError) in
        store.expectNoEnd(ofLeaseOf: monitor)
        store.write(.other, as: .monitor) { contents in contents.monitors[monitor]?.resign() }
      }
      $0.due = { [store] (now: Date, limit: Int) async throws(StorageError) in
        store.read(as: .monitor) { $0.due(at: now, limit: limit) }
      }
      $0.apply = { [store] (plans: [AccountPlan], now: Date) async throws(StorageError) in
        let applied = store.write(as: .monitor, unless: { !$0.contains(true) }) { contents in
          plans.map {
            contents.apply(
              $0.plan, to: $0.account, revision: $0.revision, now: now, makeUUID: store.makeUUID)
          }
        }
        return applied.map(Result.success)
      }
      $0.claim = {
        [store] (now: Date, lease: TimeSpan, request: ClaimRequest) async throws(StorageError) in
        store.write(as: .monitor, unless: \.isEmpty) { contents in
          contents.claim(at: now, lease: lease, request, makeUUID: store.makeUUID)
        }
      }
      $0.record = {
        [store]
        (delivery: UUID, token: UUID, outcome: DeliveryOutcome, retryAt: Date?, now: Date)
          async throws(StorageError) in
        store.write(as: .monitor, unless: { !$0 }) { contents in
          contents.record(
            delivery, token: token, outcome: outcome, retryAt: retryAt, now: now,
            makeUUID: store.makeUUID)
        }
      }
      $0.nextWake = { [store] () async throws(StorageError) in
        store.read(as: .monitor) { $0.accounts.nextWake }
      }
      $0.spooled = { [store] in store.read(as: .monitor) { $0.spooled } }
      $0.takeSpooled = { [store] (alert: SpooledAlert) async throws(StorageError) in
        store.write(as: .monitor) { $0.take(alert, at: store.now(), makeUUID: store.makeUUID) }
      }
      $0.changes = { [store] in store.changes() }
    }
  }
}

extension MonitorLease {
  /// Ends the lease; when the monitor was last seen stays known.
  fileprivate mutating func resign() {
    leasedUntil = .distantPast
    problem = nil
  }
}

extension InMemoryStore.Contents {
  func watchStatus(at now: Date) -> WatchStatus {
    if isWatchedFromWithin { return WatchStatus(monitors: 1) }
    let alive = monitors.values.filter { $0.leasedUntil > now }
    return WatchStatus(
      monitors: alive.count, lastSeen: monitors.values.map(\.lastSeen).max(),
      problems: alive.sorted { $0.lastSeen > $1.lastSeen }.compactMap(\.problem))
  }

  fileprivate func due(at now: Date, limit: Int) -> [MonitoredAccount] {
    let due = accounts.agendas.compactMap { id, agenda in
      agenda.needsAttention(at: now) ? accounts[id] : nil
    }
    let longestWaiting = due.sorted {
      ($0.attentionAt ?? now, $0.user.createdAt, $0.user.id)
        < ($1.attentionAt ?? now, $1.user.createdAt, $1.user.id)
    }
    return longestWaiting.prefix(limit).map(monitored)
  }

  /// An account as the planner sees it.
  func monitored(_ account: Account) -> MonitoredAccount {
    var monitored = account.monitored
    monitored.responders =
      (monitored.responders + linkedResponders(of: account.user.id)).byName.tellingEachPlaceOnce
    monitored.kept = account.keptResponders
    monitored.watchedSince = watch?.since
    return monitored
  }

  fileprivate mutating func apply(
    _ plan: Plan, to id: User.ID, revision: Int, now: Date, makeUUID: () -> UUID
  ) -> Bool {
    guard var account = accounts[id], account.revision == revision else { return false }
    if plan.erasesAccount {
      if account.user.deletedAt != nil { accounts[id] = nil }
      return true
    }
    let alerts = account.activeAlerts
    accounts[id] = nil
    account.apply(plan, now: now, makeUUID: makeUUID)
    accounts[id] = account
    tellResponders(of: id, alertsBefore: alerts, at: now, makeUUID: makeUUID)
    return true
  }

  /// - Returns: Whether somebody has watched since the last sign of life; else the watch begins anew.
  fileprivate mutating func extendWatch(to now: Date) -> Bool {
    let gap = Double(WatchStatus.longestGap.seconds)
    if let last = watch?.lastSeen, abs(now.timeIntervalSince(last)) <= gap {
      watch?.lastSeen = max(last, now)
      return true
    }
    watch = (now, now)
    lookAfresh(at: now)
    return false
  }

  /// Has everything looked at afresh after a gap: see ``MonitorClient/heartbeat``.
  fileprivate mutating func lookAfresh(at now: Date) {
    let soon = now + WatchStatus.longestGap
    for id in accounts.keys { accounts[id]?.lookAfresh(at: now, soon: soon) }
    for (id, lease) in monitors where lease.leasedUntil > soon {
      monitors[id]?.leasedUntil = soon
    }
  }

  fileprivate mutating func claim(
    at now: Date, lease: TimeSpan, _ request: ClaimRequest, makeUUID: () -> UUID
  ) -> [ClaimedDelivery] {
    var request = request
    let due = accounts.agendas.flatMap { id, agenda in
      agenda.isClaimable(at: now) ? accounts[id]?.claimable(at: now) ?? [] : []
    }
    var claimed: [ClaimedDelivery] = []
    for turn in due.sorted(by: { $0.rank < $1.rank }) {
      let planned = turn.delivery.planned
      guard request.limit > 0 else { break }
      guard
        request.take(
          planned.channel, address: planned.address, isRetry: turn.delivery.attempts > 0)
      else { continue }
      let responders = accounts[turn.account].map(responders) ?? []
      if let delivery = accounts[turn.account]?.claim(
        turn.index, now: now, lease: lease, token: makeUUID(), responders: responders)
      {
        deliveryAccounts[delivery.id] = turn.account
        claimed.append(addingSecret(to: delivery, of: turn.account))
      }
    }
    return claimed
  }

  fileprivate mutating func record(
    _ delivery: UUID, token: UUID, outcome: DeliveryOutcome, retryAt: Date?, now: Date,
    makeUUID: () -> UUID
  ) -> Bool {
    guard let id = deliveryAccounts[delivery], var account = accounts[id],
      let index = account.deliveries.firstIndex(where: { $0.id == delivery }),
      account.deliveries[index].token == token
    else { return false }
    accounts[id] = nil
    let wasFailed = account.deliveries[index].state == .failed
    account.deliveries[index].record(outcome, retryAt: retryAt, now: now)
    if account.deliveries[index].state == .failed, !wasFailed {
      account.notifyFailure(of: account.deliveries[index], at: now, makeUUID: makeUUID)
    }
    account.touch()
    accounts[id] = account
    return true
  }
}

/// A message that is due, and when its turn comes.
private struct DueTurn {
  var account: User.ID
  var index: Int
  var delivery: StoredDelivery
  /// How many messages of its account come before it that are as pressing as this one.
  var turn: Int

  /// Calls before all else, what was never tried before what was; then the oldest of each account,
  /// then its second.
  var rank: (Int, Int, Int, Date, Int, User.ID) {
    (
      delivery.planned.stage.isCall ? 0 : 1, min(delivery.attempts, 1), turn, delivery.notBefore,
      index, account
    )
  }
}

extension Account {
  /// What is due, each with its turn.
  fileprivate func claimable(at now: Date) -> [DueTurn] {
    var counts: [[Bool]: Int] = [:]
    return deliveries.indices.filter { deliveries[$0].isClaimable(at: now) }
      .sorted { (deliveries[$0].notBefore, $0) < (deliveries[$1].notBefore, $1) }
      .map { index in
        let delivery = deliveries[index]
        let rank = [delivery.planned.stage.isCall, delivery.attempts > 0]
        counts[rank, default: 0] += 1
        return DueTurn(
          account: user.id, index: index, delivery: delivery, turn: counts[rank] ?? 0)
      }
  }

  fileprivate mutating func lookAfresh(at now: Date, soon: Date) {
    attentionAt = min(attentionAt ?? now, now)
    for index in deliveries.indices where deliveries[index].state == .pending {
      deliveries[index].notBefore = min(deliveries[index].notBefore, soon)
      deliveries[index].leasedUntil = deliveries[index].leasedUntil.map { min($0, soon) }
    }
  }

  func needsAttention(at now: Date) -> Bool { attentionAt.map { $0 <= now } ?? false }

  var monitored: MonitoredAccount {
    let unsettled = alerts.filter { !$0.isSettled }.map(\.alert)
    let running = Occasion.deadline(sequence: user.checkInSequence)
    let occasions = Set(unsettled.map { Occasion.alert($0.id) } + [running, .account])
    return MonitoredAccount(
      user: user, revision: revision,
      responders: contacts.filter(\.isResponder), alerts: unsettled,
      deliveries: deliveries.filter {
        (occasions.contains($0.planned.occasion) || $0.state == .pending)
          && !$0.planned.stage.isWordToOne
      }.map(\.record), noticed: noticed,
      furtherChannels: channels, mutedTopics: mutedTopics, armed: armed)
  }

  /// Writes a plan.
  fileprivate mutating func apply(_ plan: Plan, now: Date, makeUUID: () -> UUID) {
    if let alert = plan.raisedAlert { raise(alert, at: now, makeUUID: makeUUID) }
    if let alert = plan.missedAlert,
      !alerts.contains(where: { $0.alert.kind == .missed && $0.alert.sequence == alert.sequence })
    {
      insertAlert(alert, makeUUID: makeUUID)
      notify(.nonResponsive, at: now, makeUUID: makeUUID)
    }
    if let start = plan.graceFrom { user.graceFrom = start }
    for stage in plan.notices { notify(stage: stage, at: now, makeUUID: makeUUID) }
    for id in plan.endedDrills { endDrill(id, at: now, makeUUID: makeUUID) }
    for planned in plan.deliveries {
      if case .alert(let id) = planned.occasion,
        !alerts.contains(where: { $0.alert.id == id && !$0.isSettled })
      {
        continue
      }
      enqueue(planned, at: now, makeUUID: makeUUID)
    }
    for index in deliveries.indices where plan.cancelled.contains(deliveries[index].id) {
      deliveries[index].cancel(at: now)
    }
    for index in alerts.indices
    where plan.settled.contains(alerts[index].alert.id) && !alerts[index].alert.isActive {
      alerts[index].isSettled = true
    }
    revision += 1
    attentionAt = plan.nextLook
  }

  /// Leaves a delivery that exists as it is, but for one that was cancelled: that is wanted again.
  mutating func enqueue(_ planned: PlannedDelivery, at now: Date, makeUUID: () -> UUID) {
    if let index = deliveries.firstIndex(where: { $0.planned.isSameMessage(as: planned) }) {
      deliveries[index].revive(at: now)
    } else {
      deliveries.append(
        StoredDelivery(
          id: planned.identity(for: user, makeUUID), planned: planned, plannedAt: now,
          notBefore: now))
      makeCode(for: planned, makeUUID: makeUUID)
    }
  }

  fileprivate mutating func claim(
    _ index: Int, now: Date, lease: TimeSpan, token: UUID, responders: [Contact]
  ) -> ClaimedDelivery {
    deliveries[index].claim(token: token, until: now + lease)
    revision += 1
    let stored = deliveries[index]
    var alert: Alert?
    if case .alert(let id) = stored.planned.occasion {
      alert = alerts.first { $0.alert.id == id }?.alert
    }
    var claimed = ClaimedDelivery(
      id: stored.id, token: token, attempt: stored.attempts, stage: stored.planned.stage,
      recipient: stored.planned.recipient, recipientName: stored.planned.recipientName,
      channel: stored.planned.channel, address: stored.planned.address,
      inReplyTo: stored.planned.inReplyTo, detail: stored.planned.detail,
      plannedAt: stored.plannedAt, user: user,
      hasResponders: !responders.isEmpty, alert: alert, code: code(for: stored.planned))
    if alert.map({ $0.kind != .drill }) == true, let silentAlert,
      (responders + keptResponders).contains(where: { stored.planned.recipient == .contact($0.id) }
      ),
      let call = call(of: silentAlert.id, inPlaceOf: stored.planned)
    {
      claimed.say(silentAlert)
      claimed.code = code(for: deliveries[call].planned)
    }
    if let about = claimed.alert {
      var message = stored.planned
      message.stage = claimed.stage
      claimed.followsDrill = followsDrill(message, about: about)
      claimed.pretence = pretence(for: message, about: about)
    }
    deliveries[index].isUnsaid = claimed.pretence != nil || claimed.isInPlaceOfEnd
    claimed.isAnotherAlertOn =
      claimed.stage.isEnd
      && alerts.contains {
        $0.alert.id != alert?.id && $0.alert.isActive && $0.alert.kind != .drill
      }
    return claimed
  }
}

extension PlannedDelivery {
  /// A message about an alert or a deadline has the identity that follows from what it is.
  fileprivate func identity(for user: User, _ makeUUID: () -> UUID) -> UUID {
    switch occasion {
    case .alert(let id): UUID(of: self, about: id)
    case .deadline: UUID(of: self, aboutDeadlineOf: user)
    case .account: makeUUID()
    }
  }

  /// Whether the store keeps both as one: a changed address makes another message.
  fileprivate func isSameMessage(as other: PlannedDelivery) -> Bool {
    occasion == other.occasion && stage == other.stage && recipient == other.recipient
      && channel == other.channel && address == other.address
  }
}

extension StoredDelivery {
  func isClaimable(at now: Date) -> Bool { state == .pending && notBefore <= now }

  /// What was cancelled and is wanted again is the same message.
  fileprivate mutating func revive(at now: Date) {
    guard state == .cancelled else { return }
    state = .pending
    plannedAt = now
    notBefore = now
    finishedAt = nil
  }

  /// Makes one that only seemed to be sent pending, and takes it from whoever still seems to send it.
  mutating func sayAfterAll(at now: Date) {
    guard state != .cancelled else { return }
    isUnsaid = false
    token = nil
    leasedUntil = nil
    state = .pending
    plannedAt = now
    notBefore = now
    finishedAt = nil
    lastError = nil
  }

  /// The token stays: whoever is sending it may still record that it went out.
  mutating func cancel(at now: Date) {
    guard state == .pending else { return }
    state = .cancelled
    finishedAt = now
  }

  fileprivate mutating func claim(token: UUID, until end: Date) {
    self.token = token
    isDoubtful = isDoubtful || isUnrecorded
    isUnrecorded = true
    attempts += 1
    leasedUntil = end
    notBefore = end
  }

  fileprivate mutating func record(_ outcome: DeliveryOutcome, retryAt: Date?, now: Date) {
    token = nil
    leasedUntil = nil
    isUnrecorded = false
    switch outcome {
    case .sent:
      lastError = nil
      finish(.sent, at: now)
    case .permanent(let reason):
      lastError = reason
      finish(.failed, at: now)
    case .retry(let reason, _), .misconfigured(let reason): tryAgain(at: retryAt, now, reason)
    case .ambiguous(let reason):
      isDoubtful = true
      tryAgain(at: retryAt, now, reason)
    }
  }

  /// Without a time for another attempt it is given up. One that was cancelled stays so.
  private mutating func tryAgain(at date: Date?, _ now: Date, _ reason: String) {
    lastError = reason
    guard state == .pending else { return }
    guard let date else { return finish(.failed, at: now) }
    notBefore = date
  }

  private mutating func finish(_ state: DeliveryState, at now: Date) {
    self.state = state
    planned.detail = ""
    finishedAt = now
  }
}
