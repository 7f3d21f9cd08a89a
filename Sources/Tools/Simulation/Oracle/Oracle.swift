import Domain
import FoundationEssentials

/// Compares what monitors do with what ``Person`` says they should.
///
/// It knows nothing of the planner. It sees only what people do, what is claimed, what servers
/// accept and what is recorded.
struct Oracle {
  /// A broken rule of the product, such as ESC-1.
  struct Violation: Equatable {
    var rule: String
    var text: String
  }

  var people: [User.ID: Person] = [:]
  /// The people's identities in the order of arrival.
  var order: [User.ID] = []
  private(set) var violation: Violation?
  var messages: [UUID: Message] = [:]
  private var identities: [MessageKey: UUID] = [:]
  /// Every message ever claimed, with the time of the last claim.
  var claims: [UUID: Moment] = [:]
  /// Messages that must not be sent (ALT-8).
  var forbiddenMessages: Set<UUID> = []
  /// The current watch without gaps of two minutes: its beginning, and its last heartbeat (ESC-4).
  private var watch: (since: Date, last: Date, began: Moment)?
  /// The number of watches that began.
  private(set) var watches = 0
  /// The logins that failed within the last hour.
  var failedLogins: [Moment] = []
  var counts = Counts()

  struct Counts {
    var sent = 0
    var repeated = 0
  }

  /// The properties that make two messages the same (ESC-3).
  private struct MessageKey: Hashable {
    enum Occasion: Hashable {
      case alert(UUID)
      case promise(Int)
      case account
    }

    var person: User.ID
    var occasion: Occasion
    var stage: Stage
    var mailbox: Mailbox
  }

  struct Message {
    let delivery: ClaimedDelivery
    var accepted = 0
    var isRecorded = false
    /// Whether an answer left open whether the message had arrived.
    var isDoubtful = false
    /// The last attempt.
    var attempt: Int
    /// The monitor that is sending it, or sent it last.
    var monitor: Int
    var startedAt: Moment
    var isUnderWay = false
    /// How many attempts have no recorded outcome.
    var unrecorded = 0
    /// How the recorded ones ended.
    var earlier = EarlierAttempts()
  }

  mutating func accuse(_ rule: String, _ text: String) {
    if violation == nil { violation = Violation(rule: rule, text: text) }
  }

  // MARK: Watching

  /// Notes a monitor's heartbeat.
  mutating func signOfLife(at date: Date, _ now: Moment) {
    if let last = watch?.last, abs(date.timeIntervalSince(last)) <= 120 {
      watch?.last = max(last, date)
    } else {
      watch = (date, date, now)
      watches += 1
    }
  }

  /// Notes that the wall clock was set or, with `wall`, that all monitors have accepted the new
  /// time.
  mutating func clockWasSet(at now: Moment, wall: Date?) {
    for id in order { people[id]?.clockWasSet(at: now, wall: wall) }
  }

  // MARK: Raised alerts

  mutating func raised(
    _ alert: Alert, of id: User.ID, at now: Moment, _ walls: ClosedRange<Date>
  ) {
    people[id]?.notice(now, wall: walls.upperBound)
    guard let person = people[id], let index = person.active(.missed) else {
      return accuse("ESC-1", "\(name(id)) is alarmed about before the grace time is over")
    }
    if isFreshWatch(since: person.deadline, now, walls), person.promise.graceFrom == nil,
      !person.promise.wasNoticedInTime
    {
      accuse("ESC-4", "\(person.name) was not given the grace time again after a gap in the watch")
    }
    // Two monitors may plan it at once; the store keeps one per sequence.
    if person.calls[index].id == nil {
      people[id]?.calls[index].id = alert.id
      people[id]?.calls[index].raised = now
    }
    people[id]?.endDrills(at: now)
  }

  /// Whether nobody watched at an instant. A watch that began while a monitor was planning is too recent
  /// to count.
  func isFreshWatch(since date: Date, _ now: Moment, _ walls: ClosedRange<Date>) -> Bool {
    guard let watch, walls.lowerBound == walls.upperBound else { return false }
    return watch.since > date + .seconds(120) && now - watch.began > .seconds(5)
  }

  /// Checks that a monitor raises an armed alert correctly (ALT-7).
  mutating func raisedArmed(
    _ alert: UUID, of id: User.ID, at now: Moment, _ walls: ClosedRange<Date>
  ) {
    people[id]?.notice(now, wall: walls.upperBound)
    guard let person = people[id] else { return accuse("ALT-7", "an alert of nobody is raised") }
    if person.stopped.contains(alert) {
      return accuse("ALT-7", "\(person.name)'s alert is raised though it was stopped")
    }
    let isKnown = person.calls.contains { $0.id == alert || $0.armed == alert }
    let isDue = [walls.lowerBound, walls.upperBound].contains {
      person.armed?.mayBeRaised(at: $0.addingTimeInterval(0.001)) == true
    }
    // There is never a second alert beside an active one.
    if !isKnown, person.armed?.id != alert, person.isAlertOnByHand { return }
    if !isKnown, person.armed?.id != alert || !isDue {
      return accuse("ALT-7", "\(person.name)'s alert is raised before its instant")
    }
    people[id]?.raise(alert, at: now)
  }

  /// Checks that the grace time restarts once after a deadline passed unwatched (ESC-4).
  /// - Parameter wasDisturbed: Whether anything happened that could have interrupted the watch.
  mutating func graceBegins(
    at date: Date, of id: User.ID, now: Moment, _ walls: ClosedRange<Date>, wasDisturbed: Bool
  ) {
    let wall = walls.upperBound
    people[id]?.notice(now, wall: wall)
    guard let person = people[id] else { return }
    if person.promise.passedSince == nil || date > wall.addingTimeInterval(1) {
      accuse("ESC-4", "\(person.name)'s grace time starts again before their deadline")
    }
    // A grace time in the future was written by a clock that has since been set back (ESC-5).
    if let before = person.promise.graceFrom, before <= walls.lowerBound + .seconds(110) {
      accuse("ESC-4", "\(person.name)'s grace time starts again a second time")
    }
    if !wasDisturbed {
      accuse("ESC-4", "\(person.name)'s grace time starts again though all was well")
    }
    people[id]?.change(at: now, wall: wall) { $0.promise.graceFrom = date }
  }

  /// Checks that a drill ends only when everyone has been notified (ALT-6).
  mutating func endedDrill(_ alert: UUID, of id: User.ID, at now: Moment) {
    guard let person = people[id], let index = person.calls.firstIndex(where: { $0.id == alert })
    else { return }
    let call = person.calls[index]
    // Its messages are given up after two minutes (CHN-2).
    guard now - call.began < .seconds(110), !call.sawClockSet else {
      if call.ended == nil { people[id]?.calls[index].ended = now }
      return
    }
    for mailbox in person.responders.keys
    where !call.isSilenced && call.notified[mailbox] == nil && !call.refused.contains(mailbox)
      && !person.tested.contains(mailbox.recipient)
    {
      accuse("ALT-6", "\(person.name)'s drill is over and \(mailbox.address) was not told")
    }
    if call.ended == nil { people[id]?.calls[index].ended = now }
  }

  // MARK: Claims

  /// Checks a message that a monitor claims; from now on it may reach someone.
  mutating func claimed(
    _ delivery: ClaimedDelivery, at now: Moment, _ walls: ClosedRange<Date>
  ) {
    let id = delivery.user.id
    claims[delivery.id] = now
    people[id]?.notice(now, wall: walls.upperBound)
    guard let person = people[id] else { return accuse("–", "a message about nobody") }
    let what = "\(delivery.stage.storageKey) about \(person.name) to \(delivery.address)"
    let mailbox = Mailbox(recipient: delivery.recipient, address: delivery.address)
    let occasion: MessageKey.Occasion
    if let alert = delivery.alert {
      occasion = .alert(alert.id)
      if person.stopped.contains(alert.id) { return accuse("ALT-7", "\(what), which was stopped") }
      guard let index = index(of: alert, person) else {
        return accuse("ESC-1", "\(what): there is no such alert")
      }
      people[id]?.calls[index].id = alert.id
      if delivery.isInPlaceOfEnd {
        return judgeSilence(delivery, person, person.calls[index], mailbox, what)
      }
      if judgePretendedResult(delivery, person, person.calls[index], mailbox, what) { return }
      if delivery.stage.isCall { judgeCall(person, person.calls[index], mailbox, what) }
      if delivery.stage == .lateSign, !person.lateSigns.contains(alert.id) {
        accuse("OFF-3", "\(what), who gave none")
      }
      if delivery.stage.isEnd { judgeEnd(person, person.calls[index], mailbox, what) }
      if case .acknowledged(let responder) = delivery.stage {
        judgeWord(of: responder, person, person.calls[index], mailbox, what)
      }
      if delivery.stage.isCall { people[id]?.calls[index].attempted.insert(mailbox) }
    } else if delivery.recipient == .owner {
      occasion = .promise(person.promise.number)
      if person.deletedAt != nil { accuse("AUTH-4", "\(what), who is gone") }
      judgeWordToOwner(person, delivery.stage, what, walls)
    } else {
      occasion = .account
      if delivery.stage.isReassuring, person.isUnderDuress {
        forbiddenMessages.insert(delivery.id)
        if delivery.pretendedResult == nil { accuse("CHK-3", "\(what) under duress") }
        return
      }
      if delivery.stage.isReassuring,
        person.calls.contains(where: {
          $0.kind != .drill && $0.kind != .duress && $0.ended == nil && $0.id != nil
            && now - $0.began > .seconds(120)
        })
      {
        accuse("CHK-6", "\(what) while an alert is on")
      }
      if case .checkedIn = delivery.stage, !person.hearing.contains(delivery.recipient) {
        accuse("NOT-4", "\(what), who doesn't want it")
      }
      if delivery.stage == .accountDeleted,
        person.deletedAt == nil || person.isUnderDuress || person.isKnownToCallBeyondDeletion
      {
        accuse("AUTH-4", what)
      }
    }
    let key = MessageKey(person: id, occasion: occasion, stage: delivery.stage, mailbox: mailbox)
    if let known = identities[key], known != delivery.id {
      accuse("ESC-3", "\(what) under two identities")
    }
    identities[key] = delivery.id
  }

  /// Returns the index of an alert's call. A silent alert's identity becomes known only when it is
  /// sent, because its person never learns it.
  func index(of alert: Alert, _ person: Person) -> Int? {
    person.calls.firstIndex { $0.id == alert.id || $0.armed == alert.id }
      ?? person.calls.lastIndex {
        $0.id == nil && $0.kind == .duress && alert.kind == .duress && $0.ended == nil
      }
  }

  /// CHK-3: checks that everyone who was notified of a silent alert learns that it is on, and not
  /// that another alert is over.
  private mutating func judgeSilence(
    _ delivery: ClaimedDelivery, _ person: Person, _ call: Call, _ mailbox: Mailbox, _ what: String
  ) {
    judgeCall(person, call, mailbox, what)
    if call.kind != .duress { accuse("CHK-3", "\(what) in place of an end") }
    // The message does go out; an earlier attempt may have been pretended. Its attempts count
    // together, whatever they said.
    forbiddenMessages.remove(delivery.id)
    guard let before = messages[delivery.id] else { return }
    var message = Message(
      delivery: delivery, attempt: before.attempt, monitor: before.monitor,
      startedAt: before.startedAt)
    message.earlier = before.earlier
    messages[delivery.id] = message
  }

  /// ALT-8, CHK-3: checks that drills are never sent during an alert, and that under a silent alert
  /// drills and all-clears are only pretended.
  /// - Returns: Whether the message must not reach anyone.
  private mutating func judgePretendedResult(
    _ delivery: ClaimedDelivery, _ person: Person, _ call: Call, _ mailbox: Mailbox, _ what: String
  ) -> Bool {
    let isPretended = delivery.pretendedResult != nil
    guard !isPretended else {
      let mayBe = call.kind == .drill || delivery.stage.isEnd
      if !person.isUnderDuress || !mayBe { accuse("ALT-8", "\(what) only seems to be sent") }
      forbiddenMessages.insert(delivery.id)
      messages[delivery.id] = nil
      return true
    }
    forbiddenMessages.remove(delivery.id)
    guard call.kind == .drill else { return false }
    let isOvertaken = person.calls.contains {
      $0.kind != .drill && $0.ended == nil && $0.notified[mailbox] != nil
    }
    if isOvertaken { accuse("ALT-8", "\(what), who was sent an alert that is on") }
    return false
  }

  private mutating func judgeCall(
    _ person: Person, _ call: Call, _ mailbox: Mailbox, _ what: String
  ) {
    if call.ended != nil { accuse("CHK-6", "\(what) after its end") }
    // The responders of a deleted account remain responders.
    let isKept = person.kept.contains(mailbox) && call.kind == .duress
    if call.kind == .outing, person.responders[mailbox] != nil,
      person.responders(of: call)[mailbox] == nil
    {
      accuse("OUT-4", "\(what), who wasn't chosen for the outing")
    }
    if person.deletedAt == nil, person.responders[mailbox] == nil, !isKept {
      accuse("CON-4", "\(what), who is no responder")
    }
  }

  private mutating func judgeEnd(_ person: Person, _ call: Call, _ mailbox: Mailbox, _ what: String)
  {
    if call.ended == nil { accuse("CHK-6", "\(what) while the alert is on") }
    if !call.attempted.contains(mailbox) { accuse("CHK-6", "\(what), who was not told before") }
    if person.isUnderDuress, call.kind != .drill { accuse("CHK-3", "\(what) under duress") }
  }

  /// ESC-2: checks a message about a response, which the person must not get for a silent alert
  /// (CHK-3).
  private mutating func judgeWord(
    of responder: UUID, _ person: Person, _ call: Call, _ mailbox: Mailbox, _ what: String
  ) {
    if call.acknowledgements[responder] == nil { accuse("ESC-2", "\(what), though nobody said so") }
    if mailbox.recipient == .owner, call.kind == .duress {
      accuse("CHK-3", "\(what), who is not to know")
    }
  }

  /// Checks a repeated call that a monitor plans (ESC-2).
  mutating func repeats(_ planned: PlannedDelivery, of id: User.ID, at now: Moment) {
    guard let person = people[id], case .alert(let alert) = planned.occasion,
      let call = person.calls.first(where: { $0.id == alert }), !call.sawClockSet
    else { return }
    let what = "\(planned.stage.storageKey) about \(person.name) to \(planned.address)"
    if call.ended != nil { accuse("ESC-2", "\(what) after the end") }
    if call.hasResponder { accuse("ESC-2", "\(what) though somebody takes care") }
    if now - call.began > .seconds(48 * 3_600 + 300) { accuse("ESC-2", "\(what) after 48 h") }
    // People can choose at most one repeat every ten minutes.
    if planned.stage.repetition > 2 + Int((now - call.began).seconds) / 590 {
      accuse("ESC-2", "\(what) too often")
    }
  }

  private mutating func judgeWordToOwner(
    _ person: Person, _ stage: Stage, _ what: String, _ walls: ClosedRange<Date>
  ) {
    switch stage {
    case .reminder(let lead):
      // Stores cut both times to whole milliseconds.
      if walls.upperBound.addingTimeInterval(0.002) < person.deadline - lead {
        accuse("REM-1", "\(what) too early")
      }
      if walls.lowerBound > person.deadline + .seconds(5) {
        accuse("REM-1", "\(what) after the deadline")
      }
      if person.isPaused(at: walls.upperBound) { accuse("CHK-7", "\(what) in a pause") }
      if person.setTimes != nil, person.deadline - lead <= person.start {
        accuse("SCH-4", "\(what) before the set time opens")
      }
    case .deadlinePassed, .noticedLate:
      if person.promise.passedSince == nil { accuse("ESC-1", "\(what) before the deadline") }
    case .outingEnds(let lead, let end):
      judgeOutingWord(person, lead: lead, end: end, what, walls)
    case .outingNoticedLate(let end):
      judgeOutingWord(person, lead: .zero, end: end, what, walls)
    case .pauseEnds:
      if !person.isPaused(at: walls.lowerBound - .seconds(5)) {
        accuse("CHK-7", "\(what) without a pause")
      }
    default: break
    }
  }

  func name(_ id: User.ID) -> String { people[id]?.name ?? "nobody" }
}
