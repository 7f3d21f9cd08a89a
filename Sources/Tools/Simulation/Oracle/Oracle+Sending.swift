import Clients
import Domain
import FoundationEssentials

extension Oracle {
  /// - Parameter isLost: whether a monitor was disturbed – killed, cut off – since a moment.
  mutating func sendingBegins(
    _ delivery: ClaimedDelivery, by monitor: Int, at now: Moment,
    isDisturbed: (_ monitor: Int, _ since: Moment) -> Bool
  ) {
    let what = "\(delivery.stage.storageKey) about \(name(delivery.user.id)) to \(delivery.address)"
    if unsaid.contains(delivery.id) { accuse("ALT-8", "\(what) while a silent alert is on") }
    if let claim = claims[delivery.id] {
      // 90 s is how long a message is held.
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
      messages[delivery.id] ?? Message(delivery: delivery, monitor: monitor, startedAt: now)
    message.monitor = monitor
    message.startedAt = now
    // It was right to send it again, and stays so until a record says that it arrived.
    if message.accepted > 0 { message.isDoubtful = true }
    message.isUnderWay = true
    messages[delivery.id] = message
  }

  /// A server took a message.
  /// - Parameter isSaid: whether it could say so.
  mutating func accepted(_ delivery: ClaimedDelivery, isSaid: Bool, at now: Moment) {
    counts.sent += 1
    if messages[delivery.id]?.accepted ?? 0 > 0 { counts.repeated += 1 }
    messages[delivery.id]?.accepted += 1
    if !isSaid { messages[delivery.id]?.isDoubtful = true }
    arrived(delivery, at: now)
  }

  private mutating func arrived(_ delivery: ClaimedDelivery, at now: Moment) {
    let id = delivery.user.id
    guard let person = people[id] else { return }
    let mailbox = Mailbox(recipient: delivery.recipient, address: delivery.address)
    if let alert = delivery.alert, let index = index(of: alert, person) {
      if delivery.stage.isCall { people[id]?.calls[index].told[mailbox] = now }
      if delivery.stage.isEnd { people[id]?.hearsEnd(of: index, mailbox) }
    }
    switch delivery.stage {
    case .acknowledged(let responder): people[id]?.heard[responder, default: []].insert(mailbox)
    case .deadlinePassed, .noticedLate: people[id]?.promise.isOwnerTold = true
    case .reminder(let lead): people[id]?.promise.remindersTold.insert(lead)
    case .accountDeleted: people[id]?.finalMessages.told.insert(delivery.address)
    default: break
    }
  }

  /// A server refused a message for good.
  mutating func refused(_ delivery: ClaimedDelivery) {
    let id = delivery.user.id
    let mailbox = Mailbox(recipient: delivery.recipient, address: delivery.address)
    // One word is about all that is on, whichever of it the message names.
    if case .acknowledged(let responder) = delivery.stage {
      people[id]?.heard[responder, default: []].insert(mailbox)
    }
    if let alert = delivery.alert, let person = people[id], let index = index(of: alert, person) {
      people[id]?.calls[index].refused.insert(mailbox)
      // So are the ends that it stood for.
      for other in person.calls.indices
      where delivery.isInPlaceOfEnd && person.calls[other].ended != nil {
        people[id]?.calls[other].refused.insert(mailbox)
      }
      if delivery.stage.isEnd { people[id]?.hearsEnd(of: index, mailbox) }
    } else {
      // Nothing more can be done; a person whose server refuses a word counts as told.
      arrived(delivery, at: .zero)
    }
  }

  /// The attempt is over for the monitor that made it.
  mutating func sendingEnds(_ delivery: ClaimedDelivery) {
    messages[delivery.id]?.isUnderWay = false
  }

  /// An outcome is in the store.
  /// - Parameter isGivenUp: Whether the message is not tried again though nobody has it.
  mutating func recorded(
    _ delivery: UUID, _ outcome: DeliveryOutcome, isGivenUp: Bool, by wall: Date
  ) {
    guard let message = messages[delivery] else { return }
    if isGivenUp {
      // CHN-2: after a day, or a little before where the next try would come later.
      let age = wall.timeIntervalSince(message.delivery.plannedAt)
      if let alert = message.delivery.alert, let person = people[message.delivery.user.id],
        let index = index(of: alert, person), !person.calls[index].sawClockSet, age < 22 * 3_600
      {
        accuse("CHN-2", "a message was given up after \(Int(age)) s")
      }
      refused(message.delivery)
    }
    if outcome == .sent, message.accepted == 0 {
      accuse("ESC-3", "a message was recorded as sent before anybody had it")
    }
    if outcome == .sent { messages[delivery]?.isRecorded = true }
    if case .ambiguous = outcome { messages[delivery]?.isDoubtful = true }
  }
}
