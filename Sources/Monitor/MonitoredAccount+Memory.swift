import Clients
import Domain
import FoundationEssentials

/// A message that this process sent, or is about to send, without the store.
struct RememberedMessage: Equatable, Sendable {
  enum State: Equatable, Sendable {
    case waiting
    case onItsWay(token: UUID)
    case sent(at: Date)
    /// Refused or given up. The store doesn't learn of it, and tries once more by itself.
    case failed(at: Date)
  }

  let id: UUID
  /// The recipient, address and stage; `nil` for a message that is already in the store.
  var planned: PlannedDelivery?
  var plannedAt: Date
  var state = State.waiting
  var attempts = 0
  var notBefore: Date
  /// Whether an answer was lost, so that a server may have accepted the message.
  var mayHaveBeenAccepted = false
  /// How the attempts ended.
  var earlier = EarlierAttempts()
  /// The way that mail took at the last attempt.
  var mail: MailRoute?

  /// Whether nothing has happened yet that the store must know about.
  var hasNothingToRecord: Bool {
    switch state {
    case .waiting, .failed: !mayHaveBeenAccepted
    case .onItsWay, .sent: false
    }
  }

  var isSent: Bool { if case .sent = state { true } else { false } }

  /// Returns the record that the planner would see if the store had kept it.
  func record(of stored: DeliveryRecord?, now: Date, lease: TimeSpan) -> DeliveryRecord? {
    var record: DeliveryRecord
    if let stored {
      record = stored
    } else if let planned {
      record = DeliveryRecord(
        id: id, occasion: planned.occasion, stage: planned.stage, recipient: planned.recipient,
        channel: planned.channel, address: planned.address)
    } else {
      return nil
    }
    record.attempts += attempts
    if mayHaveBeenAccepted { record.lastAttemptIsRecorded = false }
    switch state {
    case .waiting: break
    case .onItsWay: record.leasedUntil = now + lease
    case .sent(let date): (record.state, record.finishedAt) = (.sent, date)
    case .failed(let date): (record.state, record.finishedAt) = (.failed, date)
    }
    return record
  }
}

/// The decisions made and messages sent for one account without the store.
struct RememberedAccount: Equatable, Sendable {
  var alerts: [Alert] = []
  var grace: AccountMemory.Grace?
  var outing: Outing?
  var messages: [UUID: RememberedMessage] = [:]

  /// Returns what the store must learn: facts, not intentions.
  func memory(of account: User.ID) -> AccountMemory {
    let planned = messages.values.compactMap { message -> AccountMemory.Message? in
      var sentAt: Date?
      if case .sent(let date) = message.state { sentAt = date }
      guard sentAt != nil || message.mayHaveBeenAccepted else { return nil }
      return AccountMemory.Message(
        id: message.id, planned: message.planned, attempts: message.attempts, sentAt: sentAt,
        plannedAt: message.plannedAt)
    }
    return AccountMemory(
      account: account, alerts: alerts, grace: grace, outing: outing,
      messages: planned.sorted {
        ($0.plannedAt, $0.id.uuidString) < ($1.plannedAt, $1.id.uuidString)
      })
  }
}

extension MonitoredAccount {
  /// Returns the account as it would be if the store had recorded everything done for it.
  func remembering(_ memory: RememberedAccount, now: Date, lease: TimeSpan) -> MonitoredAccount {
    var account = self
    for alert in memory.alerts where !alerts.contains(where: { $0.id == alert.id }) {
      account.alerts.append(alert.resolved(byCheckInOf: user))
      // An alert for a missed deadline doesn't use up the armed one (ALT-7).
      if alert.kind == .manual { account.armed = nil }
    }
    if let grace = memory.grace, grace.sequence == user.checkInSequence, user.graceFrom == nil {
      account.user.graceFrom = grace.from
    }
    if let outing = memory.outing, let stored = user.outing, stored.id == outing.id,
      stored.until == outing.until
    {
      account.user.outing = outing
    }
    var messages = memory.messages
    account.deliveries = deliveries.map { stored in
      messages.removeValue(forKey: stored.id)?.record(of: stored, now: now, lease: lease) ?? stored
    }
    account.deliveries += messages.values
      .sorted { ($0.plannedAt, $0.id.uuidString) < ($1.plannedAt, $1.id.uuidString) }
      .compactMap { $0.record(of: nil, now: now, lease: lease) }
    return account
  }

  /// Returns whether a message can go out without the store: it is about a deadline or an alert
  /// other than a drill. People wait for these, and their identities follow from their content.
  func isUrgent(_ occasion: Occasion) -> Bool {
    switch occasion {
    case .deadline: true
    case .alert(let id): alerts.contains { $0.id == id && $0.kind != .drill }
    case .account: false
    }
  }

  private var isUnderDuress: Bool { alerts.contains { $0.kind == .duress && $0.isActive } }

  /// Returns the remembered messages that are due, as they would be claimed.
  func due(_ memory: RememberedAccount, now: Date) -> [ClaimedDelivery] {
    deliveries.compactMap { record in
      guard let message = memory.messages[record.id], message.state == .waiting,
        message.notBefore <= now, isUrgent(record.occasion),
        // While a silent alert is on, only the store can decide what to send instead of an
        // all-clear (CHK-3).
        !isUnderDuress || !record.stage.isReassuring
      else { return nil }
      var alert: Alert?
      if case .alert(let id) = record.occasion { alert = alerts.first { $0.id == id } }
      var claimed = ClaimedDelivery(
        id: record.id, token: UUID(), attempt: record.attempts + 1, stage: record.stage,
        recipient: record.recipient, recipientName: message.planned?.recipientName ?? "",
        channel: record.channel, address: record.address, inReplyTo: message.planned?.inReplyTo,
        detail: message.planned?.detail ?? "", plannedAt: message.plannedAt, user: user,
        hasResponders: !responders.isEmpty, alert: alert)
      claimed.earlier = message.earlier
      claimed.tell(of: user.outing)
      claimed.isAnotherAlertOn =
        record.stage.isEnd
        && alerts.contains { $0.id != alert?.id && $0.isActive && $0.kind != .drill }
      return claimed
    }
  }
}
