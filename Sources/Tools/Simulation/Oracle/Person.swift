import Domain
import FoundationEssentials

/// A time on the simulated monotonic clock, counted from the start.
typealias Moment = Duration

/// The destination of a message. Different recipients can have the same address at different times.
struct Mailbox: Hashable {
  var recipient: Recipient
  var address: String
}

/// The state of one person by the product's rules, tracked independently of the store.
struct Person {
  let id: User.ID
  /// The name in the trace.
  let name: String
  let email: String
  var checkedInAt: Date
  var interval: TimeSpan
  var grace: TimeSpan
  var reminders: [TimeSpan]
  /// How often responders are notified again, and since when that applies (ESC-2).
  var repeats: (every: TimeSpan, since: Moment) = (.hours(1), .zero)
  var pausedUntil: Date?
  /// Whether what the person types checks in (CHK-10), and when they last checked in otherwise.
  var takesSigns = false
  var checkedInTrulyAt = Date.distantPast
  /// Who gets a message at each check-in, or did (NOT-4).
  var hearing: Set<Recipient> = []
  /// The outing that is on (OUT-1).
  var outing: PersonOuting?
  /// When an outing or its alert ended last.
  var lastPromiseEnd = Moment.zero
  /// What counts instead of the interval (SCH-2).
  var setTimes: PersonSetTimes?
  /// The time from which each responder must be notified.
  var responders: [Mailbox: Moment] = [:]
  /// How long responders wait (ESC-8); those without an entry don't.
  var waits: [Recipient: Wait] = [:]
  /// Whether somebody ceased to be a responder.
  var hasLostResponders = false
  /// The responders at the time when the gate was passed under duress. They are notified of active
  /// alerts until the silent alert ends, even if they are removed (CHK-3).
  var kept: Set<Mailbox> = []
  /// All calls for help so far.
  var calls: [Call] = []
  /// The armed alert, if it isn't due yet (ALT-7).
  var armed: Armed?
  /// Alerts armed in files that no monitor has read yet, and that no store knows of.
  var inFiles: Set<UUID> = []
  /// Alerts stopped before anyone was notified.
  var stopped: Set<UUID> = []
  var deletedAt: Moment?
  /// The addresses that must be notified of the deletion, and those that were.
  var finalMessages: (wanted: Set<String>, notified: Set<String>) = ([], [])
  var promise = Promise()
  /// The time from which no silent alert forbids all-clears.
  var speakableSince = Moment.zero

  /// The running deadline, until it changes.
  struct Promise {
    var number = 0
    /// When the deadline passed.
    var passedSince: Moment?
    var isOwnerNotified = false
    /// Whether a monitor notified the person of it, if only on the screen (ESC-4).
    var wasNoticedInTime = false
    /// When the grace time restarted because nobody had watched (ESC-4).
    var graceFrom: Date?
    /// The latest reminder due, and since when (REM-1).
    var reminder: (lead: TimeSpan, since: Moment)?
    var remindersSent: Set<TimeSpan> = []
  }

  // MARK: INT-2, SCH-2, ESC-1, ESC-4, CHK-7

  var start: Date { setTimes?.opens ?? max(checkedInAt, pausedUntil ?? checkedInAt) }
  var deadline: Date {
    let promised = setTimes?.deadline ?? start + interval
    guard let outing, outing.holds else { return promised }
    return max(promised, outing.until)
  }
  var graceEnd: Date { max(deadline, promise.graceFrom ?? deadline) + grace }
  /// ESC-5: returns the end of the grace time, ignoring a start in the future, which a clock wrote
  /// that has since been set back.
  func graceEnd(at wall: Date) -> Date {
    let from = promise.graceFrom.flatMap { $0 <= wall + .seconds(120) ? $0 : nil }
    return max(deadline, from ?? deadline) + grace
  }
  func isPaused(at wall: Date) -> Bool { pausedUntil.map { wall < $0 } ?? false }

  mutating func renewPromise() { promise = Promise(number: promise.number + 1) }

  /// Notes everything that follows from the passing of time.
  mutating func notice(_ now: Moment, wall: Date) {
    noticeArmed(now, wall: wall)
    guard deletedAt == nil else { return }
    // Stores keep whole milliseconds.
    let wall = wall.addingTimeInterval(0.001)
    if wall >= deadline, promise.passedSince == nil { promise.passedSince = now }
    // A pause puts them off (CHK-7).
    let due =
      isPaused(at: wall)
      ? nil : reminders.filter { deadline - $0 > start && deadline - $0 <= wall }.min()
    let current = wall < deadline ? due : nil
    if current != promise.reminder?.lead { promise.reminder = current.map { ($0, now) } }
    if wall >= graceEnd(at: wall), active(.missed) == nil {
      calls.append(Call(kind: .missed, began: now))
    }
    outing?.notice(now, wall: wall)
    if let outing, wall >= outing.graceEnd, active(.outing) == nil {
      calls.append(Call(kind: .outing, armed: outing.id, began: now))
    }
  }

  /// ESC-5: notes a new clock, on which events in the future are no longer due.
  mutating func clockWasSet(at now: Moment, wall: Date?) {
    for index in calls.indices { calls[index].sawClockSet = true }
    // A day may be over sooner.
    received = [:]
    guard let wall, deletedAt == nil else { return }
    promise.reminder = nil
    change(at: now, wall: wall) { _ in }
  }

  // MARK: Calls

  func active(_ kind: Alert.Kind) -> Int? {
    calls.lastIndex { $0.kind == kind && $0.ended == nil }
  }

  /// CHK-3: during a silent alert nobody is notified that anything is over.
  var isUnderDuress: Bool { active(.duress) != nil }

  mutating func begin(_ kind: Alert.Kind, id: UUID? = nil, at now: Moment) {
    if kind == .duress { kept.formUnion(responders.keys) }
    guard active(kind) == nil else { return }
    calls.append(Call(kind: kind, id: id, began: now))
    // From now on drills are only pretended.
    if kind == .duress || (kind == .drill && isUnderDuress) { silenceDrills() }
  }

  // MARK: ALT-7

  /// An armed alert.
  struct Armed: Equatable {
    var id: UUID
    var armedAt: Date
    var firesAt: Date
    /// The earliest time ever announced: a monitor may not have read a later one from its file.
    var mayFireAt: Date

    init(_ armed: ArmedAlert) {
      id = armed.id
      armedAt = armed.armedAt
      firesAt = armed.firesAt
      mayFireAt = armed.firesAt
    }

    /// Returns whether the alert is due. An alert armed in the future was written by a clock that
    /// has since been set back (ESC-5).
    func isDue(at wall: Date) -> Bool {
      wall >= firesAt || armedAt > wall.addingTimeInterval(120)
    }

    func mayBeRaised(at wall: Date) -> Bool { wall >= mayFireAt || isDue(at: wall) }
  }

  /// Turns an armed alert into a call for help once its time has come, whether or not anyone has
  /// noticed, and even if the account is deleted.
  private mutating func noticeArmed(_ now: Moment, wall: Date) {
    guard let armed, armed.isDue(at: wall.addingTimeInterval(0.001)) else { return }
    self.armed = nil
    calls.append(Call(kind: .manual, armed: armed.id, began: now))
  }

  mutating func arm(_ wanted: ArmedAlert) {
    guard !calls.contains(where: { $0.id == wanted.id || $0.armed == wanted.id }) else { return }
    var new = Armed(wanted)
    if let armed, armed.id == new.id { new.mayFireAt = min(armed.mayFireAt, new.mayFireAt) }
    armed = new
  }

  /// Whether an alert raised by hand is on or about to be; then there can be no second one.
  var isAlertOnByHand: Bool {
    calls.contains { $0.kind == .manual && $0.ended == nil }
  }

  /// Removes an armed alert. One that nobody has raised no longer exists.
  mutating func disarm(_ id: UUID) {
    stopped.insert(id)
    if armed?.id == id { armed = nil }
    calls.removeAll { $0.armed == id && $0.id == nil }
  }

  /// ALT-8: whether an alert that the person can see is on, as far as monitors know.
  var isAlertShown: Bool {
    calls.contains {
      $0.ended == nil && $0.id != nil
        && ($0.kind == .manual || $0.kind == .missed)
    }
  }

  /// ALT-8: marks drills that nobody needs to be notified of any more.
  private mutating func silenceDrills() {
    for index in calls.indices where calls[index].kind == .drill { calls[index].isSilenced = true }
  }

  /// ALT-8: ends drills, when an alert is raised and when a silent alert ends.
  mutating func endDrills(at now: Moment) {
    end(.drill, at: now)
    silenceDrills()
  }

  mutating func end(_ kind: Alert.Kind, at now: Moment) {
    guard let index = active(kind) else { return }
    calls[index].ended = now
    if kind == .duress { speakableSince = now }
  }

  /// ALT-1: raises an alert, armed or not.
  mutating func raise(_ id: UUID, at now: Moment) {
    if armed?.id == id { armed = nil }
    if let index = calls.firstIndex(where: { $0.armed == id && $0.id == nil }) {
      calls[index].id = id
      endDrills(at: now)
    } else if !calls.contains(where: { $0.id == id }) {
      calls.append(Call(kind: .manual, id: id, began: now))
      endDrills(at: now)
    }
  }

  /// ALT-2: cancels raised alerts. Those that are still armed continue.
  mutating func cancel(at now: Moment) {
    for index in calls.indices
    where calls[index].kind == .manual && calls[index].ended == nil && calls[index].id != nil {
      calls[index].ended = now
    }
  }

  /// Notes an all-clear. That of a silent alert also covers alerts that ended before or during it
  /// (docs/decisions/0040).
  mutating func hearsEnd(of index: Int, _ mailbox: Mailbox) {
    let call = calls[index]
    calls[index].notifiedOfEnd.insert(mailbox)
    guard call.kind == .duress, let last = call.ended else { return }
    for index in calls.indices {
      guard let end = calls[index].ended, end <= last else { continue }
      calls[index].notifiedOfEnd.insert(mailbox)
    }
  }

  mutating func endSilentAlert(at now: Moment) {
    if isUnderDuress { endDrills(at: now) }
    end(.duress, at: now)
    kept = []
  }

  /// ESC-2: notes a response, which applies to all active alerts.
  mutating func acknowledge(by responder: UUID, at now: Moment) {
    for index in calls.indices where calls[index].ended == nil && calls[index].kind != .drill {
      // Nobody knows of an alert that no monitor has raised yet.
      if calls[index].kind != .duress, calls[index].id == nil { continue }
      // Who wasn't chosen for an outing knows nothing of it.
      if calls[index].kind == .outing,
        !responders(of: calls[index]).keys.contains(where: { $0.recipient == .contact(responder) })
      {
        continue
      }
      if calls[index].acknowledgements[responder] == nil {
        calls[index].acknowledgements[responder] = now
      }
    }
  }

  /// Notes that a responder has deleted their account.
  mutating func lose(_ responder: Mailbox) {
    hasLostResponders = true
    responders[responder] = nil
    guard case .contact(let contact) = responder.recipient else { return }
    for index in calls.indices { calls[index].gone.insert(contact) }
  }

  /// The mailboxes that were notified of each responder's response, for any alert.
  var heard: [UUID: Set<Mailbox>] = [:]
  /// When recipients got messages that aren't calls for help nor their ends (NOT-5); those about a
  /// silent alert count apart.
  var received: [Received: [Moment]] = [:]

  struct Received: Hashable {
    var recipient: Recipient
    var isSilent: Bool
  }

  /// Notes such a message.
  /// - Returns: How many came within a day.
  mutating func receives(_ kind: Received, at now: Moment) -> Int {
    received[kind, default: []].append(now)
    received[kind]?.removeAll { now - $0 >= .seconds(86_400) }
    let count = received[kind]?.count ?? 0
    if count >= ContactRules.testsADay - 2 { tested.insert(kind.recipient) }
    return count
  }

  /// Who was sent so many tests or drills that a drill may not reach them (NOT-5).
  var tested: Set<Recipient> = []

  /// NOT-5: returns whether a recipient was sent so much that other messages may wait.
  func isHeldBack(_ recipient: Recipient) -> Bool {
    received.contains {
      $0.key.recipient == recipient && $0.value.count >= ContactRules.messagesADay
    }
  }

  // MARK: Actions

  /// CHK-1, CHK-6: checks in.
  mutating func checkIn(at now: Moment, wall: Date) {
    if active(.missed) != nil { lastPromiseEnd = now }
    end(.missed, at: now)
    // A check-in that is hours ahead was dated by a wrong clock.
    checkedInAt = checkedInAt > wall + .seconds(6 * 3_600) ? wall : max(wall, checkedInAt)
    checkedInTrulyAt = checkedInAt
    if serves(checkedInAt) { renewPromise() }
  }

  /// SCH-2: counts a check-in for the set times that are open.
  /// - Returns: Whether it moved the deadline.
  private mutating func serves(_ date: Date) -> Bool {
    guard let before = setTimes?.deadline else { return true }
    setTimes?.serve(at: date)
    return setTimes?.deadline != before
  }

  /// OFF-3: takes a check-in that a device has kept, as of the earliest instant at which it can have
  /// been made.
  mutating func checkInLate(asOf made: Date, at now: Moment, wall: Date) {
    guard wall.timeIntervalSince(made) > 30 else { return checkIn(at: now, wall: wall) }
    guard made > checkedInAt else { return }
    if let end = pausedUntil, end <= made { pausedUntil = nil }
    checkedInAt = made
    checkedInTrulyAt = made
    let isEarly = !serves(made)
    if !isEarly { renewPromise() }
    guard deadline <= wall else { return end(.missed, at: now) }
    guard let index = active(.missed) else { return }
    if let id = calls[index].id {
      lateSigns.insert(id)
      // The person read about that deadline when the alert was raised.
      promise.isOwnerNotified = true
    } else if !isEarly {
      calls.remove(at: index)
    }
  }

  /// The alerts whose responders may be sent that there was a sign of life.
  var lateSigns: Set<UUID> = []
  /// The check-ins that a device keeps, and since when they can be received.
  var owed: [UUID: Moment?] = [:]

  /// Applies a change. A missed deadline that no monitor noticed is void if there is time left
  /// again.
  mutating func change(at now: Moment, wall: Date, _ change: (inout Person) -> Void) {
    change(&self)
    if wall < deadline { promise.passedSince = nil }
    if let index = active(.missed), calls[index].id == nil, wall < graceEnd(at: wall) {
      calls.remove(at: index)
    }
  }

  /// AUTH-4: cancels all active alerts except silent ones (CHK-3).
  mutating func delete(at now: Moment) {
    deletedAt = now
    if let index = active(.outing), calls[index].id == nil { calls.remove(at: index) }
    for kind in [Alert.Kind.missed, .outing, .drill] { end(kind, at: now) }
    cancel(at: now)
    finalMessages.wanted =
      isUnderDuress || isCallingBeyondDeletion ? [] : Set(responders.keys.map(\.address))
  }
}

extension Person {
  /// ALT-7: whether an armed alert is sent after the deletion. A stopped one isn't.
  var isCallingBeyondDeletion: Bool { !callsBeyondDeletion.isEmpty }

  /// Whether a monitor must know that. One that read the files before the last was written doesn't.
  var isKnownToCallBeyondDeletion: Bool { !callsBeyondDeletion.subtracting(inFiles).isEmpty }

  private var callsBeyondDeletion: Set<UUID> {
    Set(calls.filter { $0.ended == nil }.compactMap(\.armed) + [armed?.id].compactMap { $0 })
  }
}

/// A call for help, and who was notified of it.
struct Call {
  let kind: Alert.Kind
  /// Unknown until the alert is raised.
  var id: UUID?
  /// The identity that an armed alert will have (ALT-7).
  var armed: UUID?
  var began: Moment
  /// When a monitor raised it, which can be long after it was due (ESC-8).
  var raised: Moment?
  var ended: Moment?
  /// Whether this is a drill that nobody needs to be notified of (ALT-8).
  var isSilenced = false
  /// The responders who are responding, and since when.
  var acknowledgements: [UUID: Moment] = [:]
  /// Those whose accounts, and thus responses, are gone.
  var gone: Set<UUID> = []
  var hasResponder: Bool { acknowledgements.keys.contains { !gone.contains($0) } }
  /// The mailboxes that an attempt was made to notify.
  var attempted: Set<Mailbox> = []
  /// The mailboxes that were notified, with the last time.
  var notified: [Mailbox: Moment] = [:]
  var notifiedOfEnd: Set<Mailbox> = []
  /// Whether the clock was set while it was on, so that its repeats can't be predicted (ESC-2).
  var sawClockSet = false
  /// The mailboxes whose server refused a message for good.
  var refused: Set<Mailbox> = []
  init(kind: Alert.Kind, id: UUID? = nil, armed: UUID? = nil, began: Moment) {
    self.kind = kind
    self.id = id
    self.armed = armed
    self.began = began
  }
}
