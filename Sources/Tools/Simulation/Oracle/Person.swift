import Domain
import FoundationEssentials

/// A time of the simulated machine's own clock, counted from the start.
typealias Moment = Duration

/// Where a message goes: somebody may be notified at an address that was another's before.
struct Mailbox: Hashable {
  var recipient: Recipient
  var address: String
}

/// What PRODUCT.md says of one person, kept beside the store and without its help.
struct Person {
  let id: User.ID
  /// As the trace calls them.
  let name: String
  let email: String
  var checkedInAt: Date
  var interval: TimeSpan
  var grace: TimeSpan
  var reminders: [TimeSpan]
  /// How often responders are notified again, and since when that is so (ESC-2).
  var repeats: (every: TimeSpan, since: Moment) = (.hours(1), .zero)
  var pausedUntil: Date?
  /// Since when each is to be notified.
  var responders: [Mailbox: Moment] = [:]
  /// Who was a responder when somebody passed the gate under duress: they are notified of what is on until
  /// the silent alert ends, even if they are removed (CHK-3).
  var kept: Set<Mailbox> = []
  /// Every call for help there ever was.
  var calls: [Call] = []
  /// What was begun and is not due yet (ALT-7).
  var armed: Armed?
  /// What was begun in a file that no monitor has taken yet: no store knows of it.
  var inFiles: Set<UUID> = []
  /// Alerts that were stopped before anybody was notified.
  var stopped: Set<UUID> = []
  var deletedAt: Moment?
  /// Who had to be notified that the account is gone, and who was.
  var finalMessages: (wanted: Set<String>, told: Set<String>) = ([], [])
  var promise = Promise()
  /// Since when nothing that went on behind the screen forbids a word of an end.
  var speakableSince = Moment.zero

  /// The running deadline, from one change of it to the next.
  struct Promise {
    var number = 0
    /// Since when the deadline is over.
    var passedSince: Moment?
    var isOwnerTold = false
    /// Whether a monitor notified the person of it, if only on screen (ESC-4).
    var wasNoticedInTime = false
    /// When the grace time began again, because nobody had watched (ESC-4).
    var graceFrom: Date?
    /// The latest reminder that is due, and since when (REM-1).
    var reminder: (lead: TimeSpan, since: Moment)?
    var remindersTold: Set<TimeSpan> = []
  }

  // MARK: INT-2, ESC-1, ESC-4, CHK-7

  var start: Date { max(checkedInAt, pausedUntil ?? checkedInAt) }
  var deadline: Date { start + interval }
  var graceEnd: Date { max(deadline, promise.graceFrom ?? deadline) + grace }
  /// ESC-5: grace time of the future was begun by a clock that has been set back since.
  func graceEnd(at wall: Date) -> Date {
    let from = promise.graceFrom.flatMap { $0 <= wall + .seconds(120) ? $0 : nil }
    return max(deadline, from ?? deadline) + grace
  }
  func isPaused(at wall: Date) -> Bool { pausedUntil.map { wall < $0 } ?? false }

  mutating func renewPromise() { promise = Promise(number: promise.number + 1) }

  /// Notes what time alone has brought about.
  mutating func notice(_ now: Moment, wall: Date) {
    noticeArmed(now, wall: wall)
    guard deletedAt == nil else { return }
    // Stores keep whole milliseconds.
    let wall = wall.addingTimeInterval(0.001)
    if wall >= deadline, promise.passedSince == nil { promise.passedSince = now }
    let due = reminders.filter { deadline - $0 > start && deadline - $0 <= wall }.min()
    let current = wall < deadline ? due : nil
    if current != promise.reminder?.lead { promise.reminder = current.map { ($0, now) } }
    if wall >= graceEnd(at: wall), active(.missed) == nil {
      calls.append(Call(kind: .missed, began: now))
    }
  }

  /// ESC-5: what has not come yet on the new clock is not due.
  mutating func clockWasSet(at now: Moment, wall: Date?) {
    for index in calls.indices { calls[index].sawClockSet = true }
    guard let wall, deletedAt == nil else { return }
    promise.reminder = nil
    change(at: now, wall: wall) { _ in }
  }

  // MARK: Calls

  func active(_ kind: Alert.Kind) -> Int? {
    calls.lastIndex { $0.kind == kind && $0.ended == nil }
  }

  /// CHK-3: while a silent alert is on, nobody hears that anything is over.
  var isUnderDuress: Bool { active(.duress) != nil }

  mutating func begin(_ kind: Alert.Kind, id: UUID? = nil, at now: Moment) {
    if kind == .duress { kept.formUnion(responders.keys) }
    guard active(kind) == nil else { return }
    calls.append(Call(kind: kind, id: id, began: now))
    // From here on a drill only seems to go out.
    if kind == .duress || (kind == .drill && isUnderDuress) { silenceDrills() }
  }

  // MARK: ALT-7

  /// An alert that was begun.
  struct Armed: Equatable {
    var id: UUID
    var armedAt: Date
    var firesAt: Date
    /// The first instant that was ever said: a monitor may not have heard of a later one in a file.
    var mayFireAt: Date

    init(_ armed: ArmedAlert) {
      id = armed.id
      armedAt = armed.armedAt
      firesAt = armed.firesAt
      mayFireAt = armed.firesAt
    }

    /// One of the future was armed by a clock that has been set back since (ESC-5).
    func isDue(at wall: Date) -> Bool {
      wall >= firesAt || armedAt > wall.addingTimeInterval(120)
    }

    func mayBeRaised(at wall: Date) -> Bool { wall >= mayFireAt || isDue(at: wall) }
  }

  /// It is a call for help from its instant on, no matter who has noticed by then; with the account or
  /// without.
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

  /// Whether an alert is on, or about to be, beside which there is no second one.
  var isAlertOnByHand: Bool {
    calls.contains { $0.kind == .manual && $0.ended == nil }
  }

  /// One that nobody has raised is none.
  mutating func disarm(_ id: UUID) {
    stopped.insert(id)
    if armed?.id == id { armed = nil }
    calls.removeAll { $0.armed == id && $0.id == nil }
  }

  /// ALT-8: an alert that its person sees is on, as far as monitors know.
  var isAlertShown: Bool {
    calls.contains {
      $0.ended == nil && $0.id != nil
        && ($0.kind == .manual || $0.kind == .missed)
    }
  }

  /// ALT-8: nobody needs to hear of a drill any more.
  private mutating func silenceDrills() {
    for index in calls.indices where calls[index].kind == .drill { calls[index].isSilenced = true }
  }

  /// ALT-8: an alert ends a drill, and so does the end of a silent one.
  mutating func endDrills(at now: Moment) {
    end(.drill, at: now)
    silenceDrills()
  }

  mutating func end(_ kind: Alert.Kind, at now: Moment) {
    guard let index = active(kind) else { return }
    calls[index].ended = now
    if kind == .duress { speakableSince = now }
  }

  /// ALT-1.
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

  /// ALT-2: what is still armed goes on.
  mutating func cancel(at now: Moment) {
    for index in calls.indices
    where calls[index].kind == .manual && calls[index].ended == nil && calls[index].id != nil {
      calls[index].ended = now
    }
  }

  /// The end of a silent alert stands for those that waited or came while it was on
  /// (docs/decisions/0040).
  mutating func hearsEnd(of index: Int, _ mailbox: Mailbox) {
    let call = calls[index]
    calls[index].toldOfEnd.insert(mailbox)
    guard call.kind == .duress, let last = call.ended else { return }
    for index in calls.indices {
      guard let end = calls[index].ended, end <= last else { continue }
      calls[index].toldOfEnd.insert(mailbox)
    }
  }

  mutating func endSilentAlert(at now: Moment) {
    if isUnderDuress { endDrills(at: now) }
    end(.duress, at: now)
    kept = []
  }

  /// ESC-2: a responder is responding to all that is on.
  mutating func acknowledge(by responder: UUID, at now: Moment) {
    for index in calls.indices where calls[index].ended == nil && calls[index].kind != .drill {
      // Of one that no monitor has raised yet nobody knows.
      if calls[index].kind != .duress, calls[index].id == nil { continue }
      if calls[index].words[responder] == nil { calls[index].words[responder] = now }
    }
  }

  /// Someone who responds for the person deletes their account.
  mutating func lose(_ responder: Mailbox) {
    responders[responder] = nil
    guard case .contact(let contact) = responder.recipient else { return }
    for index in calls.indices { calls[index].gone.insert(contact) }
  }

  /// Who has heard that a responder takes care, about whatever alert.
  var heard: [UUID: Set<Mailbox>] = [:]

  // MARK: What the person does

  /// CHK-1, CHK-6.
  mutating func checkIn(at now: Moment, wall: Date) {
    end(.missed, at: now)
    checkedInAt = max(wall, checkedInAt)
    renewPromise()
  }

  /// A missed deadline of which no monitor knew is no longer one when there is time left again.
  mutating func change(at now: Moment, wall: Date, _ change: (inout Person) -> Void) {
    change(&self)
    if wall < deadline { promise.passedSince = nil }
    if let index = active(.missed), calls[index].id == nil, wall < graceEnd(at: wall) {
      calls.remove(at: index)
    }
  }

  /// AUTH-4: what is on is cancelled, but for what goes on behind the screen (CHK-3).
  mutating func delete(at now: Moment) {
    deletedAt = now
    for kind in [Alert.Kind.missed, .drill] { end(kind, at: now) }
    cancel(at: now)
    finalMessages.wanted =
      isUnderDuress || isCallingBeyondDeletion ? [] : Set(responders.keys.map(\.address))
  }
}

extension Person {
  /// ALT-7: a begun alert is sent, and a stopped one is not.
  var isCallingBeyondDeletion: Bool { !callsBeyondDeletion.isEmpty }

  /// Whether a monitor has to know so: one that had read the files before the last was written does not.
  var isKnownToCallBeyondDeletion: Bool { !callsBeyondDeletion.subtracting(inFiles).isEmpty }

  private var callsBeyondDeletion: Set<UUID> {
    Set(calls.filter { $0.ended == nil }.compactMap(\.armed) + [armed?.id].compactMap { $0 })
  }
}

/// One call for help, and who heard of it.
struct Call {
  let kind: Alert.Kind
  /// Unknown until somebody has raised it.
  var id: UUID?
  /// The identity that it is to have, of one that was armed (ALT-7).
  var armed: UUID?
  var began: Moment
  var ended: Moment?
  /// A drill of which nobody needs to hear (ALT-8).
  var isSilenced = false
  /// The responders who are responding, and since when.
  var words: [UUID: Moment] = [:]
  /// Those of them whose account is gone, and with it their word.
  var gone: Set<UUID> = []
  var hasResponder: Bool { words.keys.contains { !gone.contains($0) } }
  /// Where it was tried to tell of it.
  var attempted: Set<Mailbox> = []
  /// Who was notified, and when last.
  var told: [Mailbox: Moment] = [:]
  var toldOfEnd: Set<Mailbox> = []
  /// The clock was set while it was on: how often it is repeated (ESC-2) cannot be said.
  var sawClockSet = false
  /// Whose server refused a message for good.
  var refused: Set<Mailbox> = []
  init(kind: Alert.Kind, id: UUID? = nil, armed: UUID? = nil, began: Moment) {
    self.kind = kind
    self.id = id
    self.armed = armed
    self.began = began
  }
}
