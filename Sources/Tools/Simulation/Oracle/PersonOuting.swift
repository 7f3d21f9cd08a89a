import Domain
import FoundationEssentials

/// An outing by the product's rules (OUT-1 … OUT-4).
struct PersonOuting {
  let id: UUID
  var until: Date
  let startedAt: Date
  let grace: TimeSpan
  /// Who is notified; empty for everyone.
  var chosen: Set<Recipient>
  /// Whether the deadline waits for it (OUT-3).
  let holds: Bool
  /// When the grace time restarted because nobody had watched (ESC-4).
  var graceFrom: Date?
  /// Whether a monitor noticed its end, if only on the screen.
  var wasNoticedInTime = false
  /// The latest reminder due, and since when.
  var reminder: (lead: TimeSpan, since: Moment)?
  var remindersSent: Set<TimeSpan> = []

  static let leads: [TimeSpan] = [.minutes(30), .minutes(10), .zero]

  var graceEnd: Date { max(until, graceFrom ?? until) + grace }

  /// Notes the reminder that is due.
  mutating func notice(_ now: Moment, wall: Date) {
    let due = Self.leads.filter { until - $0 <= wall && until - $0 > startedAt }.min()
    if due != reminder?.lead { reminder = due.map { ($0, now) } }
  }

  /// OUT-3: moves the end.
  mutating func extend(to end: Date) {
    until = end
    (graceFrom, wasNoticedInTime, reminder, remindersSent) = (nil, false, nil, [])
  }
}

extension Person {
  /// The responders who are notified of a call (OUT-1).
  func responders(of call: Call) -> [Mailbox: Moment] {
    guard call.kind == .outing, let outing, call.armed == outing.id else { return responders }
    let chosen = responders.filter { outing.chosen.contains($0.key.recipient) }
    return chosen.isEmpty ? responders : chosen
  }

  /// OUT-2: ends the outing and its alert. One that nobody raised never was.
  mutating func comeBack(at now: Moment, wall: Date) {
    guard let ended = outing else { return }
    outing = nil
    if let index = active(.outing) {
      if calls[index].id == nil { calls.remove(at: index) } else { calls[index].ended = now }
    }
    lastPromiseEnd = now
    if ended.holds { change(at: now, wall: wall) { $0.renewPromise() } }
  }

  /// Whether a call ended at once with that of an outing, whose end is sent instead (OUT-4).
  func isEndedWithOuting(_ call: Call, _ mailbox: Mailbox) -> Bool {
    call.kind == .missed
      && calls.contains {
        $0.kind == .outing && $0.ended == call.ended && $0.attempted.contains(mailbox)
      }
  }

  /// Whether another call about a missed promise is repeated to somebody in place of this one, or was
  /// made in its place (OUT-3, OUT-4).
  func isToldByAnother(_ call: Call, _ mailbox: Mailbox, first: Bool) -> Bool {
    calls.contains { other in
      guard other.ended == nil, other.kind != call.kind,
        other.kind == .outing || other.kind == .missed,
        call.kind == .outing || call.kind == .missed, responders(of: other)[mailbox] != nil
      else { return false }
      if first {
        guard call.kind == .missed else { return false }
        if outing?.holds == true { return true }
        guard let one = call.raised, let two = other.raised else { return false }
        return max(one, two) - min(one, two) <= .seconds(60)
      }
      // Those that began within a few seconds may have been raised in either order.
      return other.began >= call.began - .seconds(90)
    }
  }
}

extension Oracle {
  /// OUT-4: checks that a monitor raises the alert of an outing correctly.
  mutating func raisedOuting(
    _ alert: Alert, of id: User.ID, at now: Moment, _ walls: ClosedRange<Date>
  ) {
    people[id]?.notice(now, wall: walls.upperBound)
    guard let person = people[id], let outing = person.outing, outing.id == alert.id,
      let index = person.active(.outing)
    else {
      return accuse("OUT-4", "\(name(id)) is alarmed about before the outing's grace time is over")
    }
    if isFreshWatch(since: outing.until, now, walls), outing.graceFrom == nil,
      !outing.wasNoticedInTime
    {
      accuse("ESC-4", "\(person.name)'s outing wasn't given the grace time again after a gap")
    }
    if person.calls[index].id == nil { people[id]?.calls[index].raised = now }
    people[id]?.calls[index].id = alert.id
    people[id]?.endDrills(at: now)
  }

  /// ESC-4: notes that the grace time of an outing starts again.
  mutating func outingGraceBegins(
    at date: Date, of id: User.ID, _ walls: ClosedRange<Date>, wasDisturbed: Bool
  ) {
    guard let person = people[id], let outing = person.outing else { return }
    if outing.until > walls.upperBound.addingTimeInterval(0.001) || outing.graceFrom != nil
      || !wasDisturbed
    {
      accuse("ESC-4", "the grace time of \(person.name)'s outing starts again without need")
    }
    people[id]?.outing?.graceFrom = date
    // Nobody has raised it yet, and now it isn't due.
    if let index = person.active(.outing), person.calls[index].id == nil {
      people[id]?.calls.remove(at: index)
    }
  }

  /// OUT-4: checks a message to a person about the end of their outing.
  mutating func judgeOutingWord(
    _ person: Person, lead: TimeSpan, end: Date, _ what: String, _ walls: ClosedRange<Date>
  ) {
    guard let outing = person.outing, outing.until == end else {
      return accuse("OUT-4", "\(what), which is none of an outing that is on")
    }
    if walls.upperBound.addingTimeInterval(0.001) < end - lead {
      accuse("OUT-4", "\(what) too early")
    }
  }

  /// OUT-4: checks that a person is reminded of the end of their outing.
  mutating func judgeOutingWaiting(_ person: Person, _ chances: Chances) {
    guard let outing = person.outing, let (lead, since) = outing.reminder,
      !outing.remindersSent.contains(lead), chances.areOver(since, person.email)
    else { return }
    accuse("OUT-4", "\(person.name) was not reminded \(lead.seconds) s before the end of an outing")
  }
}
