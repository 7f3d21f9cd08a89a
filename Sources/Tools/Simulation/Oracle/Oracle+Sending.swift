import Clients
import Domain
import FoundationEssentials

extension Oracle {
  /// - Parameter isDisturbed: Whether a monitor was disturbed, such as killed or cut off, since a
  ///   time.
  mutating func sendingBegins(
    _ delivery: ClaimedDelivery, by monitor: Int, at now: Moment,
    isDisturbed: (_ monitor: Int, _ since: Moment) -> Bool
  ) {
    let what = "\(delivery.stage.storageKey) about \(name(delivery.user.id)) to \(delivery.address)"
    if forbiddenMessages.contains(delivery.id) {
      accuse("ALT-8", "\(what) while a silent alert is on")
    }
    if let claim = claims[delivery.id] {
      // A claim lasts 90 s.
      if now - claim >= .seconds(90) { accuse("ESC-3", "\(what), long after it was claimed") }
    } else {
      accuse("ESC-3", "\(what), which nobody claimed")
    }
    if let message = messages[delivery.id] {
      let wasDisturbed = isDisturbed(message.monitor, message.startedAt)
      if message.isRecorded { accuse("ESC-3", "\(what) again though it was recorded") }
      if message.isUnderWay, !wasDisturbed { accuse("ESC-3", "\(what) twice at once") }
      if message.accepted > 0, !message.isDoubtful, !wasDisturbed {
        accuse("ESC-3", "\(what) again though nobody was disturbed")
      }
    }
    var message =
      messages[delivery.id]
      ?? Message(
        delivery: delivery, attempt: delivery.attempt, monitor: monitor, startedAt: now)
    (message.attempt, message.monitor) = (delivery.attempt, monitor)
    message.startedAt = now
    // Sending it again was right, and remains so until a record says that it arrived.
    if message.accepted > 0 { message.isDoubtful = true }
    message.isUnderWay = true
    message.unrecorded += 1
    messages[delivery.id] = message
  }

  /// Notes that a server accepted a message.
  /// - Parameter isSaid: Whether the server's answer arrived.
  mutating func accepted(_ delivery: ClaimedDelivery, isSaid: Bool, at now: Moment) {
    counts.sent += 1
    if messages[delivery.id]?.accepted == 0 { judgeAmount(delivery, at: now) }
    if messages[delivery.id]?.accepted ?? 0 > 0 { counts.repeated += 1 }
    messages[delivery.id]?.accepted += 1
    // CHN-2, NOT-5: four attempts may deliver it, besides those that ended without a record.
    if let message = messages[delivery.id], message.accepted > 4 + message.unrecorded {
      accuse("CHN-2", "a recipient got \(message.accepted) copies of a message")
    }
    // The monitor that has claimed it since can't know that an attempt of one that was disturbed
    // succeeded after all.
    let isOvertaken = (messages[delivery.id]?.attempt).map { delivery.attempt < $0 } ?? false
    if !isSaid || isOvertaken { messages[delivery.id]?.isDoubtful = true }
    arrived(delivery, at: now)
  }

  /// NOT-5: a recipient gets at most twenty messages a day beside calls for help and their ends.
  private mutating func judgeAmount(_ delivery: ClaimedDelivery, at now: Moment) {
    let isDrill = delivery.alert?.kind == .drill
    guard delivery.recipient != .owner, !delivery.isInPlaceOfEnd,
      !delivery.stage.isNeverHeldBack(inDrill: isDrill),
      let count = people[delivery.user.id]?.receives(
        .init(recipient: delivery.recipient, isSilent: delivery.isSilent), at: now)
    else { return }
    if count > ContactRules.messagesADay {
      accuse("NOT-5", "\(delivery.address) got \(count) messages within a day")
    }
  }

  private mutating func arrived(_ delivery: ClaimedDelivery, at now: Moment) {
    let id = delivery.user.id
    guard let person = people[id] else { return }
    let mailbox = Mailbox(recipient: delivery.recipient, address: delivery.address)
    if let alert = delivery.alert, let index = index(of: alert, person) {
      if delivery.stage.isCall { people[id]?.calls[index].notified[mailbox] = now }
      if delivery.stage.isEnd { people[id]?.hearsEnd(of: index, mailbox) }
    }
    switch delivery.stage {
    case .acknowledged(let responder): people[id]?.heard[responder, default: []].insert(mailbox)
    case .deadlinePassed, .noticedLate: people[id]?.promise.isOwnerNotified = true
    case .reminder(let lead): people[id]?.promise.remindersSent.insert(lead)
    case .outingEnds(let lead, let end) where people[id]?.outing?.until == end:
      people[id]?.outing?.remindersSent.insert(lead)
    case .outingNoticedLate(let end) where people[id]?.outing?.until == end:
      people[id]?.outing?.remindersSent.insert(.zero)
    case .accountDeleted: people[id]?.finalMessages.notified.insert(delivery.address)
    default: break
    }
  }

  /// Notes that a server refused a message for good.
  mutating func refused(_ delivery: ClaimedDelivery) {
    let id = delivery.user.id
    let mailbox = Mailbox(recipient: delivery.recipient, address: delivery.address)
    // An acknowledgement concerns all active alerts, whichever of them it names.
    if case .acknowledged(let responder) = delivery.stage {
      people[id]?.heard[responder, default: []].insert(mailbox)
    }
    if let alert = delivery.alert, let person = people[id], let index = index(of: alert, person) {
      people[id]?.calls[index].refused.insert(mailbox)
      // So do the all-clears that it replaces.
      for other in person.calls.indices
      where delivery.isInPlaceOfEnd && person.calls[other].ended != nil {
        people[id]?.calls[other].refused.insert(mailbox)
      }
      if delivery.stage.isEnd { people[id]?.hearsEnd(of: index, mailbox) }
    } else {
      // Nothing more can be done, so a refused message counts as delivered.
      arrived(delivery, at: .zero)
    }
  }

  /// Notes that an attempt has ended for its monitor.
  mutating func sendingEnds(_ delivery: ClaimedDelivery) {
    messages[delivery.id]?.isUnderWay = false
  }

  /// Notes that an outcome is in the store.
  /// - Parameter isGivenUp: Whether the message won't be tried again although it never arrived.
  mutating func recorded(
    _ delivery: UUID, _ outcome: DeliveryOutcome, isGivenUp: Bool, by wall: Date
  ) {
    guard var message = messages[delivery] else { return }
    message.unrecorded -= 1
    message.earlier = message.earlier.adding(outcome)
    messages[delivery] = message
    if message.earlier.ambiguous > 4 {
      let (stage, address) = (message.delivery.stage.storageKey, message.delivery.address)
      accuse("CHN-2", "\(stage) to \(address) was unclear five times")
    }
    if isGivenUp {
      judgeGivingUp(message, outcome, by: wall)
      refused(message.delivery)
    }
    // Under duress what says that all is well only seems to be sent.
    if outcome == .sent, message.accepted == 0, !forbiddenMessages.contains(delivery) {
      accuse("ESC-3", "a message was recorded as sent before anybody had it")
    }
    if outcome == .sent { messages[delivery]?.isRecorded = true }
    if case .ambiguous = outcome { messages[delivery]?.isDoubtful = true }
  }

  /// CHN-2: what may pass drops no alert. Only a recipient who is unknown twice ends one, and a
  /// message that may have been sent four times.
  private mutating func judgeGivingUp(
    _ message: Message, _ outcome: DeliveryOutcome, by wall: Date
  ) {
    guard let alert = message.delivery.alert, alert.kind != .drill,
      let person = people[message.delivery.user.id], let index = index(of: alert, person),
      !person.calls[index].sawClockSet
    else { return }
    let age = Int(wall.timeIntervalSince(message.delivery.plannedAt))
    switch outcome {
    case .permanent where message.earlier.run >= 2: break
    case .ambiguous where message.earlier.ambiguous >= 4: break
    // After a day, or slightly earlier if the next attempt would be later.
    case .retry, .limited, .permanent, .ambiguous:
      let isOver = !message.delivery.stage.isCall || person.calls[index].ended != nil
      if !isOver || age < 22 * 3_600 { accuse("CHN-2", "a message was given up after \(age) s") }
    case .sent, .misconfigured, .accessRefused:
      accuse("CHN-2", "a message was given up after \(age) s because of our settings")
    }
  }

  /// CHN-2: no account gets locked. After the first refusals there is one probe at a time, at most
  /// every five minutes; what is killed while it tries may try once more.
  mutating func loginFailed(at now: Moment) {
    failedLogins.append(now)
    failedLogins.removeAll { now - $0 > .seconds(3_600) }
    if failedLogins.count > Self.failedLoginLimit {
      accuse("CHN-2", "\(failedLogins.count) logins failed within an hour")
    }
  }

  /// Eight that were under way, twelve probes, and a few of killed monitors.
  private static let failedLoginLimit = 24
}
