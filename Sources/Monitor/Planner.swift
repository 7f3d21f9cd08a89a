public import Domain
public import FoundationEssentials

/// The rules of who is sent what and when, as a pure function of an account and the time.
///
/// A plan holds what should be in the store and isn't yet. After it is applied, planning again
/// yields nothing, so killing a monitor at any point, or running a second one, does no harm
/// (ESC-3).
public enum Planner {
  /// Returns what must be done for an account at `now`.
  ///
  /// - Parameter makeID: Makes the identity of a missed alert; called at most once.
  /// - Complexity: O(*c* · *d*) for *c* channels of responders and *d* deliveries.
  public static func plan(
    _ account: MonitoredAccount, now: Date, makeID: () -> UUID
  ) -> Plan {
    var draft = PlanDraft(account: account, now: now)
    draft.raiseArmed()
    guard account.user.deletedAt == nil else { return draft.finalMessages() }
    if account.isWatchedElsewhere {
      draft.cancelDeadlineMessages()
    } else {
      draft.followOuting()
      draft.followZoneData()
      draft.restartGraceIfUnwatched()
      draft.cancelStaleMessagesToOwner()
      draft.remindOwner()
      draft.notifyOwnerThatPauseEnds()
      draft.notifyOwnerThatDeadlinePassed()
      draft.notifyOwnerOnScreen()
      draft.remindOwnerOfOuting()
    }
    let alerts = draft.alerts(raisingMissedAs: makeID)
    for alert in alerts {
      if alert.kind == .drill, draft.isOvertaken(alert, by: alerts) {
        draft.endSilently(alert)
      } else if alert.isActive {
        draft.notifyResponders(of: alert, among: alerts)
        draft.endDrill(alert)
      } else {
        draft.sendAllClear(for: alert)
      }
    }
    return draft.plan
  }
}

/// A plan while it is being made.
struct PlanDraft {
  private(set) var account: MonitoredAccount
  let now: Date
  private(set) var plan = Plan()

  init(account: MonitoredAccount, now: Date) {
    self.account = account
    self.now = now
  }

  var user: User { account.user }
  var running: Occasion { .deadline(sequence: user.checkInSequence) }

  /// Raises the armed alert if its time has come (ALT-7).
  mutating func raiseArmed() {
    guard let armed = account.armed else { return }
    guard armed.isDue(at: now) else { return planAgain(at: armed.firesAt) }
    let alert = armed.raised(at: now)
    plan.raisedAlert = alert
    account.armed = nil
    account.alerts.append(alert)
  }

  /// Stores a set time that zone data has brought forward, and looks at the data again every hour
  /// (SCH-3).
  mutating func followZoneData() {
    guard let schedule = user.schedule else { return }
    planAgain(at: now + .hours(1))
    if account.hasEarlierSetTime { plan.earlierSchedule = schedule }
  }

  /// Schedules another look at the account at `date`, unless that has passed.
  mutating func planAgain(at date: Date) {
    guard date > now else { return }
    plan.nextPlanning = min(date, plan.nextPlanning ?? date)
  }

  /// Enqueues a message unless there is one already. A cancelled one doesn't count: its recipient
  /// may have lost a role and regained it.
  mutating func enqueue(_ delivery: PlannedDelivery) {
    let exists = account.deliveries.contains { $0.isFor(delivery) && $0.state != .cancelled }
    if !exists { plan.deliveries.append(delivery) }
  }

  /// Cancels a pending delivery. One that is being sent can't be stopped, so this looks again when
  /// its lease has ended.
  mutating func cancel(_ delivery: DeliveryRecord) {
    guard delivery.state == .pending else { return }
    if let end = delivery.leasedUntil, end > now {
      planAgain(at: end)
    } else if !plan.cancelled.contains(delivery.id) {
      plan.cancelled.append(delivery.id)
    }
  }

  /// Notifies the responders that the account is no longer watched, sends the all-clears of alerts
  /// that have ended, and erases the account when there is nobody left to notify (AUTH-4).
  ///
  /// During a silent alert the person may have been forced to delete the account. Their responders
  /// then keep getting messages about that alert (ESC-2), and not that there is nothing to do
  /// (CHK-3). The same goes for an alert that was armed before the deletion (ALT-7).
  mutating func finalMessages() -> Plan {
    cancelDeadlineMessages()
    for alert in account.alerts {
      if alert.isActive {
        notifyResponders(of: alert, among: account.alerts)
      } else {
        sendAllClear(for: alert)
      }
    }
    let isCalling = account.armed != nil || account.alerts.contains(where: \.isActive)
    if isCalling {
      for message in deliveries(of: .account) where message.stage == .accountDeleted {
        cancel(message)
      }
    }
    for responder in isCalling ? [] : account.responders {
      for channel in responder.channels {
        enqueue(
          PlannedDelivery(
            occasion: .account, stage: .accountDeleted, recipient: .contact(responder.id),
            recipientName: responder.name, channel: channel.kind, address: channel.address))
      }
    }
    let isPending = account.deliveries.contains { delivery in
      delivery.state == .pending && !plan.cancelled.contains(delivery.id)
    }
    plan.erasesAccount = plan.deliveries.isEmpty && !isPending && plan.nextPlanning == nil
    return plan
  }

  /// Cancels the person's messages about deadlines and outings, including earlier ones: no monitor may
  /// have planned since they were met.
  mutating func cancelDeadlineMessages() {
    for delivery in account.deliveries {
      if case .deadline = delivery.occasion { cancel(delivery) }
      if delivery.stage.isAboutOuting { cancel(delivery) }
    }
  }

  mutating func restartGrace() { plan.graceFrom = now }
  mutating func show(_ stage: Stage) { plan.stagesToShow.append(stage) }
  mutating func finish(_ drill: Alert) { plan.endedDrills.append(drill.id) }
  mutating func expire(_ delivery: DeliveryRecord) { plan.expired.append(delivery.id) }
  mutating func settle(_ alert: Alert) { plan.settled.append(alert.id) }
  mutating func raise(_ alert: Alert) {
    if alert.kind == .outing { plan.outingAlert = alert } else { plan.missedAlert = alert }
  }
  mutating func change(_ outing: Outing) {
    plan.changedOuting = outing
    account.user.outing = outing
  }

  func isBeingSent(_ delivery: DeliveryRecord) -> Bool {
    delivery.state == .pending && (delivery.leasedUntil ?? now) > now
  }

  func deliveries(of occasion: Occasion) -> [DeliveryRecord] {
    account.deliveries.filter { $0.occasion == occasion }
  }
}

/// The destination of a message: one recipient on one channel.
struct Place: Hashable {
  var recipient: Recipient
  var channel: Channel.Kind
  var address: String
}

extension PlannedDelivery {
  var place: Place { Place(recipient: recipient, channel: channel, address: address) }
}

extension DeliveryRecord {
  var place: Place { Place(recipient: recipient, channel: channel, address: address) }

  /// Returns whether this is the record of the planned message.
  func isFor(_ planned: PlannedDelivery) -> Bool {
    occasion == planned.occasion && stage == planned.stage && recipient == planned.recipient
      && channel == planned.channel && address == planned.address
  }
}
