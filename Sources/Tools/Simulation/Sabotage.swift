import Clients
import Domain
import FoundationEssentials
import Monitor

/// Bugs that a monitor could have. The simulation must detect each of them, because a test that
/// can't fail proves nothing.
package enum Sabotage: String, CaseIterable, Sendable {
  /// Forgets to notify one responder of a missed deadline.
  case dropDelivery = "drop-delivery"
  /// Records a message as sent before sending it.
  case recordBeforeSending = "record-before-sending"
  /// Sends no all-clears.
  case forgetAllClear = "forget-all-clear"
  /// Sends every message twice, with different identities.
  case sendTwice = "send-twice"
  /// Has a clock that is ten minutes fast.
  case fireEarly = "fire-early"
  /// Sends cancelled messages.
  case ignoreCancellation = "ignore-cancellation"
  /// Gives up after the first attempt.
  case neverRetry = "never-retry"
  /// Tries every message by itself while the login is refused.
  case ignoreRefusals = "ignore-refusals"
  /// Forgets how often a message may have been sent already.
  case forgetAmbiguity = "forget-ambiguity"
  /// Lets the claims of slow attempts end.
  case neverRenew = "never-renew"
  /// Claims messages without a lease.
  case forgetLease = "forget-lease"
  /// Ignores silent alerts.
  case overlookDuress = "overlook-duress"
  /// Sends the person nothing.
  case overlookOwner = "overlook-owner"
  /// Ignores alerts raised by hand.
  case overlookManualAlerts = "overlook-manual-alerts"
  /// Keeps notifying removed responders.
  case keepFormerResponders = "keep-former-responders"
  /// Never repeats a call.
  case neverRepeat = "never-repeat"
  /// Ignores acknowledgements.
  case overlookAcknowledgements = "overlook-acknowledgements"
  /// Sends drills during a silent alert.
  case overlookPretence = "overlook-pretence"
  /// Ignores armed alerts.
  case forgetArmedAlerts = "forget-armed-alerts"
  /// Raises stopped alerts.
  case overlookStops = "overlook-stops"
  /// Leaves armed alerts in their files.
  case overlookSpool = "overlook-spool"
  /// Keeps checking even if there is nothing to do.
  case neverRest = "never-rest"
  /// A device's check-in counts from when it is received.
  case countFromReceipt = "count-from-receipt"
  /// A late check-in ends a missed alert although the deadline is over.
  case endAlertAlways = "end-alert-always"
  /// A device says how old a check-in was at the first attempt.
  case freezeAge = "freeze-age"
  /// A device that was restarted trusts its wall clock.
  case trustWallClock = "trust-wall-clock"
  /// A device removes a check-in before the answer.
  case forgetKept = "forget-kept"
  /// A device sends only the last of the check-ins that wait.
  case mergeKept = "merge-kept"
  /// An early check-in serves the next set time.
  case serveEarly = "serve-early"
  /// A set time opens twelve hours before it.
  case openEarly = "open-early"
  /// Set times ignore that clocks change.
  case overlookClockChange = "overlook-clock-change"
  /// Set times are those of another zone.
  case useAnotherZone = "use-another-zone"
  /// Set times come due in a pause.
  case overlookPauseEnd = "overlook-pause-end"
  /// The interval counts for people with set times.
  case overlookSetTimes = "overlook-set-times"
  /// Reminders come before a set time opens.
  case remindBeforeOpening = "remind-before-opening"
  /// Calls everyone at once.
  case overlookWaits = "overlook-waits"
  /// Takes a call that was tried for one that was accepted, so that the next wait for a failing first.
  case takeTriedForSent = "take-tried-for-sent"
  /// Has responders wait in alerts that were raised by hand, too.
  case waitInEveryAlert = "wait-in-every-alert"
  /// A response doesn't hold back those who wait.
  case overlookResponses = "overlook-responses"
  /// A longer wait counts for an alert that is on.
  case delayRunningAlert = "delay-running-alert"
  /// Ignores outings.
  case overlookOutings = "overlook-outings"
  /// A check-in ends an outing.
  case endOutingAtCheckIn = "end-outing-at-check-in"
  /// Notifies everyone of an outing, not only those who were chosen.
  case overlookChoice = "overlook-choice"
  /// Has no deadline wait for an outing.
  case overlookHold = "overlook-hold"
  /// An outing has no grace time.
  case overlookOutingGrace = "overlook-outing-grace"
  /// An outing ends when it first was to end, however often it was extended.
  case overlookExtensions = "overlook-extensions"
  /// Reminds nobody of the end of an outing.
  case forgetOutingReminders = "forget-outing-reminders"
  /// Extends an outing without the passphrase.
  case extendWithoutGate = "extend-without-gate"
  /// Whatever is typed checks in, like the person themselves.
  case trustSigns = "trust-signs"

  func store(_ store: MonitorClient, world: World) -> MonitorClient {
    var broken = store
    switch self {
    case .dropDelivery:
      broken.apply = apply(store) { plan in
        if let index = plan.deliveries.firstIndex(where: { $0.stage == .nonResponsive }) {
          plan.deliveries.remove(at: index)
        }
        // It is not planned again: nothing looks at the account before the next change.
      }
    case .forgetAllClear:
      broken.apply = apply(store) { plan in
        plan.deliveries.removeAll(where: \.stage.isEnd)
      }
    case .neverRepeat:
      broken.apply = apply(store) { plan in
        plan.deliveries.removeAll(where: \.stage.isRepeat)
      }
    case .overlookAcknowledgements:
      broken.due = due(store) { account in
        for index in account.alerts.indices { account.alerts[index].acknowledgements = [] }
      }
    case .ignoreCancellation:
      broken.apply = apply(store) { plan in
        plan.cancelled = []
      }
    case .neverRetry:
      broken.record = { (id, token, outcome, _, now) async throws(StorageError) in
        try await store.record(id, token, outcome, nil, now)
      }
    case .forgetLease:
      broken.claim = { (now, _, request) async throws(StorageError) in
        try await store.claim(now, .zero, request)
      }
    case .forgetAmbiguity:
      broken.claim = { (now, lease, request) async throws(StorageError) in
        try await store.claim(now, lease, request).map { delivery in
          var delivery = delivery
          delivery.earlier = EarlierAttempts()
          return delivery
        }
      }
    case .neverRenew: broken.renew = { (_, _, _) async throws(StorageError) in true }
    case .overlookDuress: broken.due = due(store) { $0.alerts.removeAll { $0.kind == .duress } }
    case .overlookManualAlerts:
      broken.due = due(store) { $0.alerts.removeAll { $0.kind == .manual } }
    case .overlookOwner: broken.due = due(store) { $0.user.profile.email = nil }
    case .keepFormerResponders:
      let known = Confined<[User.ID: [Contact]]>([:], to: world.scheduler)
      broken.due = due(store) { account in
        let before = known.value[account.user.id] ?? []
        account.responders += before.filter { contact in
          !account.responders.contains { $0.id == contact.id }
        }
        known.value[account.user.id] = account.responders
      }
    case .forgetArmedAlerts: broken.due = due(store) { $0.armed = nil }
    case .overlookStops:
      let known = Confined<[User.ID: ArmedAlert]>([:], to: world.scheduler)
      broken.due = due(store) { account in
        account.armed = account.armed ?? known.value[account.user.id]
        known.value[account.user.id] = account.armed
      }
    case .overlookSpool: broken.spooled = { [] }
    case .overlookPretence:
      broken.claim = { (now, lease, request) async throws(StorageError) in
        try await store.claim(now, lease, request).map { delivery in
          var delivery = delivery
          delivery.pretendedResult = nil
          return delivery
        }
      }
    case .neverRest:
      broken.nextWake = { () async throws(StorageError) in
        let wake = try await store.nextWake()
        let soon = world.wall.addingTimeInterval(1)
        return min(wake ?? soon, soon)
      }
    case .serveEarly:
      broken.due = due(store) { account in
        guard let schedule = account.user.schedule, schedule.isEarly else { return }
        account.user.lastCheckIn = schedule.opens
        account.user.recomputeSetTime()
      }
    case .openEarly: broken.due = due(store) { $0.user.replaceTimes(opening: .hours(12)) }
    case .overlookClockChange:
      broken.due = due(store) { account in
        let isSpring = account.user.schedule?.times.zone == PersonSetTimes.Zone.spring.rawValue
        account.user.replaceTimes(zone: isSpring ? "Etc/GMT" : "Etc/GMT-1")
      }
    case .useAnotherZone: broken.due = due(store) { $0.user.replaceTimes(zone: "Etc/GMT+5") }
    case .overlookPauseEnd:
      broken.due = due(store) { account in
        guard account.user.schedule != nil else { return }
        account.user.pausedUntil = nil
        account.user.recomputeSetTime()
      }
    case .overlookSetTimes: broken.due = due(store) { $0.user.schedule = nil }
    case .remindBeforeOpening: broken.due = due(store) { $0.user.schedule?.opens = .distantPast }
    case .overlookWaits:
      broken.due = due(store) { account in
        for index in account.responders.indices { account.responders[index].wait = nil }
      }
    case .takeTriedForSent:
      broken.due = due(store) { account in
        for index in account.deliveries.indices
        where account.deliveries[index].stage == .nonResponsive
          && account.deliveries[index].attempts > 0
        {
          account.deliveries[index].state = .sent
        }
      }
    case .waitInEveryAlert:
      broken.due = due(store) { account in
        let isLater =
          account.alerts.contains { $0.kind == .manual && $0.isActive }
          && account.responders.contains { $0.wait == nil }
        if isLater { account.responders.removeAll { $0.waitSpan > .zero } }
      }
    case .overlookResponses:
      broken.due = due(store) { account in
        guard account.responders.contains(where: { $0.waitSpan > .zero }) else { return }
        for index in account.alerts.indices
        where account.alerts[index].kind == .missed || account.alerts[index].kind == .outing {
          account.alerts[index].acknowledgements = []
        }
      }
    case .delayRunningAlert:
      broken.due = due(store) { account in
        for index in account.responders.indices {
          if let wait = account.responders[index].wait {
            account.responders[index].wait?.earlier = wait.span
          }
        }
      }
    case .overlookOutings: broken.due = due(store) { $0.user.outing = nil }
    case .endOutingAtCheckIn:
      broken.due = due(store) { account in
        guard let outing = account.user.outing, account.user.lastCheckIn > outing.startedAt else {
          return
        }
        account.user.outing = nil
      }
    case .overlookChoice: broken.due = due(store) { $0.user.outing?.responders = [] }
    case .overlookHold: broken.due = due(store) { $0.user.outing?.holdsDeadline = false }
    case .overlookOutingGrace: broken.due = due(store) { $0.user.outing?.grace = .zero }
    case .overlookExtensions:
      let known = Confined<[Outing.ID: Date]>([:], to: world.scheduler)
      broken.due = due(store) { account in
        guard let outing = account.user.outing else { return }
        let first = known.value[outing.id] ?? outing.until
        known.value[outing.id] = first
        account.user.outing?.until = first
      }
    case .forgetOutingReminders:
      broken.apply = apply(store) { plan in
        plan.deliveries.removeAll(where: \.stage.isAboutOuting)
      }
    case .recordBeforeSending, .sendTwice, .fireEarly, .ignoreRefusals, .extendWithoutGate,
      .trustSigns:
      break
    case .countFromReceipt, .endAlertAlways, .freezeAge, .trustWallClock, .forgetKept, .mergeKept:
      break
    }
    return broken
  }

  private func apply(
    _ store: MonitorClient, _ change: @escaping @Sendable (inout Plan) -> Void
  ) -> @Sendable ([AccountPlan], Date) async throws(StorageError) -> [Result<Bool, StorageError>] {
    { (plans, now) async throws(StorageError) in
      var plans = plans
      for index in plans.indices { change(&plans[index].plan) }
      return try await store.apply(plans, now)
    }
  }

  private func due(
    _ store: MonitorClient, _ change: @escaping @Sendable (inout MonitoredAccount) -> Void
  ) -> @Sendable (Date, Int) async throws(StorageError) -> [MonitoredAccount] {
    { (now, limit) async throws(StorageError) in
      var accounts = try await store.due(now, limit)
      for index in accounts.indices { change(&accounts[index]) }
      return accounts
    }
  }

  func deliveryService(_ deliveryService: DeliveryService, store: MonitorClient, world: World)
    -> DeliveryService
  {
    switch self {
    case .recordBeforeSending:
      DeliveryService(
        readiness: deliveryService.readiness, mailRoute: deliveryService.mailRoute
      ) { delivery in
        _ = try? await store.record(delivery.id, delivery.token, .sent, nil, world.wall)
        return await deliveryService.deliver(delivery)
      }
    case .sendTwice:
      DeliveryService(
        readiness: deliveryService.readiness, mailRoute: deliveryService.mailRoute
      ) { delivery in
        let outcome = await deliveryService.deliver(delivery)
        var again = delivery.copy(id: UUID())
        again.token = UUID()
        _ = await deliveryService.deliver(again)
        return outcome
      }
    case .ignoreRefusals:
      DeliveryService(readiness: deliveryService.readiness, deliver: deliveryService.deliver)
    default: deliveryService
    }
  }
}

extension User {
  fileprivate mutating func recomputeSetTime() {
    schedule?.moveOn(lastCheckIn: lastCheckIn, pausedUntil: pausedUntil)
  }

  fileprivate mutating func replaceTimes(zone: String? = nil, opening: TimeSpan? = nil) {
    guard let times = schedule?.times,
      let replaced = try? SetTimes(
        times.times, zone: zone ?? times.zone, opening: opening ?? times.opening)
    else { return }
    schedule?.times = replaced
    recomputeSetTime()
  }
}

extension ClaimedDelivery {
  /// Returns the same message with another identity.
  fileprivate func copy(id: UUID) -> ClaimedDelivery {
    ClaimedDelivery(
      id: id, token: token, attempt: attempt, stage: stage, recipient: recipient,
      recipientName: recipientName, channel: channel, address: address, inReplyTo: inReplyTo,
      detail: detail, plannedAt: plannedAt, user: user, hasResponders: hasResponders, alert: alert)
  }
}
