public import Domain
public import FoundationEssentials

/// The rules of who is sent what and when, as a pure function of an account and the time.
///
/// A plan says what ought to be in the store and is not yet. Applying it and planning again plans
/// nothing, so a monitor that is killed anywhere, or a second one beside it, does no harm (ESC-3).
public enum Planner {
  /// What has to be done for an account at `now`.
  ///
  /// - Parameter makeID: makes the identity of a missed alert; called at most once.
  /// - Complexity: O(*c* · *d*) for *c* channels of responders and *d* deliveries.
  public static func plan(
    _ account: MonitoredAccount, now: Date, makeID: () -> UUID
  ) -> Plan {
    var draft = PlanDraft(account: account, now: now)
    draft.raiseArmed()
    guard account.user.deletedAt == nil else { return draft.finalMessages() }
    if account.isWatchedElsewhere {
      draft.cancelWordsOfDeadlines()
    } else {
      draft.beginGraceAnew()
      draft.cancelStaleWordsToOwner()
      draft.remindOwner()
      draft.tellOwnerThatPauseEnds()
      draft.tellOwnerThatDeadlinePassed()
      draft.tellOwnerOnScreen()
    }
    let alerts = draft.alerts(raisingMissedAs: makeID)
    for alert in alerts {
      if alert.kind == .drill, draft.isOvertaken(alert, by: alerts) {
        draft.silence(alert)
      } else if alert.isActive {
        draft.tellResponders(of: alert)
        draft.endDrill(alert)
      } else {
        draft.takeBack(alert)
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

  /// Raises the alert that was armed when its instant has come (ALT-7).
  mutating func raiseArmed() {
    guard let armed = account.armed else { return }
    guard armed.isDue(at: now) else { return look(at: armed.firesAt) }
    let alert = armed.raised(at: now)
    plan.raisedAlert = alert
    account.armed = nil
    account.alerts.append(alert)
  }

  /// Asks for another look at an instant; one that has come already needs none.
  mutating func look(at date: Date) {
    guard date > now else { return }
    plan.nextLook = min(date, plan.nextLook ?? date)
  }

  /// Enqueues a message unless there is one already. One that was cancelled is wanted again: its
  /// recipient lost a role and has it back.
  mutating func want(_ delivery: PlannedDelivery) {
    let exists = account.deliveries.contains { $0.isFor(delivery) && $0.state != .cancelled }
    if !exists { plan.deliveries.append(delivery) }
  }

  /// Cancels a pending delivery, or looks again when the monitor that holds it must have finished: what is
  /// being sent cannot be stopped.
  mutating func cancel(_ delivery: DeliveryRecord) {
    guard delivery.state == .pending else { return }
    if let end = delivery.leasedUntil, end > now {
      look(at: end)
    } else if !plan.cancelled.contains(delivery.id) {
      plan.cancelled.append(delivery.id)
    }
  }

  /// Notifies the responders that nobody watches any more, takes back what is on, and
  /// lets the account go when nobody is left to notify (AUTH-4).
  ///
  /// Behind a silent alert stands someone who may have been forced to delete the account: their
  /// responders hear of that alert, again and again like of any other (ESC-2), and not that there is
  /// nothing to do (CHK-3). So it is with an alert that was armed before (ALT-7).
  mutating func finalMessages() -> Plan {
    cancelWordsOfDeadlines()
    for alert in account.alerts {
      if alert.isActive { tellResponders(of: alert) } else { takeBack(alert) }
    }
    let isCalling = account.armed != nil || account.alerts.contains(where: \.isActive)
    if isCalling {
      for word in deliveries(of: .account) where word.stage == .accountDeleted { cancel(word) }
    }
    for responder in isCalling ? [] : account.responders {
      for channel in responder.channels {
        want(
          PlannedDelivery(
            occasion: .account, stage: .accountDeleted, recipient: .contact(responder.id),
            recipientName: responder.name, channel: channel.kind, address: channel.address))
      }
    }
    let isPending = account.deliveries.contains { delivery in
      delivery.state == .pending && !plan.cancelled.contains(delivery.id)
    }
    plan.erasesAccount = plan.deliveries.isEmpty && !isPending && plan.nextLook == nil
    return plan
  }

  /// Takes back what is to be said of deadlines. Of an earlier one, too: nobody may have planned since it
  /// was met.
  mutating func cancelWordsOfDeadlines() {
    for delivery in account.deliveries {
      if case .deadline = delivery.occasion { cancel(delivery) }
    }
  }

  mutating func restartGrace() { plan.graceFrom = now }
  mutating func notice(_ stage: Stage) { plan.notices.append(stage) }
  mutating func finish(_ drill: Alert) { plan.endedDrills.append(drill.id) }
  mutating func settle(_ alert: Alert) { plan.settled.append(alert.id) }
  mutating func raise(_ alert: Alert) { plan.missedAlert = alert }

  func isBeingSent(_ delivery: DeliveryRecord) -> Bool {
    delivery.state == .pending && (delivery.leasedUntil ?? now) > now
  }

  func deliveries(of occasion: Occasion) -> [DeliveryRecord] {
    account.deliveries.filter { $0.occasion == occasion }
  }
}

/// Where a message goes: one recipient on one channel.
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

  /// Whether this is the record of that message.
  func isFor(_ planned: PlannedDelivery) -> Bool {
    occasion == planned.occasion && stage == planned.stage && recipient == planned.recipient
      && channel == planned.channel && address == planned.address
  }
}
