import Domain
import FoundationEssentials

/// The time for which each address could have been notified if a monitor had tried.
struct Chances {
  /// Returns since when a running monitor has reached the store and this address without
  /// interruption, or `nil` if none does.
  var since: (_ address: String) -> Moment?
  var now: Moment
  /// The longest time that everything may take if nothing fails.
  var bound: Duration

  /// Returns whether a message about an event at `begin` is overdue.
  func areOver(_ begin: Moment, _ address: String) -> Bool {
    guard let since = since(address) else { return false }
    // After a day, a call is tried once an hour (CHN-2).
    let pause: Duration = now - begin > .seconds(23 * 3_600) ? .seconds(3_600) : .zero
    return now - max(begin, since) > bound + pause
  }
}

/// Checks that nobody waits for a message longer than they should.
extension Oracle {
  mutating func judgeWaiting(_ chances: Chances, wall: Date) {
    for id in order {
      people[id]?.notice(chances.now, wall: wall)
      guard let person = people[id] else { continue }
      for call in person.calls { judgeWaiting(for: call, of: person, chances) }
      judgeOwnerWaiting(person, chances)
      for case let since? in person.owed.values
      where person.deletedAt == nil && chances.now - since > .seconds(300) {
        accuse("OFF-1", "a check-in that \(person.name)'s device kept isn't received")
      }
      judgeFinalMessages(person, chances)
    }
  }

  private mutating func judgeWaiting(for call: Call, of person: Person, _ chances: Chances) {
    guard !call.isSilenced else { return }
    guard let end = call.ended else {
      for (mailbox, since) in person.responders(of: call)
      where call.notified[mailbox] == nil && !call.refused.contains(mailbox)
        && !person.isToldByAnother(call, mailbox, first: true)
        && chances.areOver(max(person.lastStart(of: call, for: mailbox), since), mailbox.address)
      {
        accuse(
          "ESC-1", "\(mailbox.address) was not told of \(person.name)'s \(call.kind.rawValue) alert"
        )
      }
      judgeRepeats(of: call, of: person, chances)
      judgeWords(about: call, of: person, chances)
      return
    }
    guard !person.isUnderDuress || call.kind == .drill else { return }
    for (mailbox, notified) in call.notified
    where !person.isEndedWithOuting(call, mailbox) && !call.notifiedOfEnd.contains(mailbox)
      && !call.refused.contains(mailbox)
      && chances.areOver(max(end, notified, person.speakableSince), mailbox.address)
    {
      accuse(
        "CHK-6",
        "\(mailbox.address) was not told that \(person.name)'s \(call.kind.rawValue) alert is over")
    }
  }

  /// ESC-2: checks that responders are notified again every hour, or as often as the person chose,
  /// until someone responds or 48 h have passed.
  private mutating func judgeRepeats(of call: Call, of person: Person, _ chances: Chances) {
    let every = Duration.seconds(person.repeats.every.seconds)
    guard call.kind != .drill, call.acknowledgements.isEmpty, !call.sawClockSet,
      chances.now - call.began < .seconds(48 * 3_600) - every
    else { return }
    for (mailbox, since) in person.responders(of: call) where !call.refused.contains(mailbox) {
      guard let notified = call.notified[mailbox],
        !person.isToldByAnother(call, mailbox, first: false)
      else { continue }
      let begin = max(notified + every, since, person.repeats.since, person.lastPromiseEnd)
      if chances.areOver(begin, mailbox.address) {
        accuse("ESC-2", "\(mailbox.address) was not told again of \(person.name)'s alert")
      }
    }
  }

  /// ESC-2: checks that everyone who was notified learns who is responding.
  private mutating func judgeWords(about call: Call, of person: Person, _ chances: Chances) {
    for (responder, said) in call.acknowledgements where !call.gone.contains(responder) {
      for (mailbox, since) in person.responders
      where mailbox.recipient != .contact(responder) && !call.refused.contains(mailbox)
        && person.heard[responder]?.contains(mailbox) != true
        && !person.isHeldBack(mailbox.recipient)
      {
        guard let notified = call.notified[mailbox],
          chances.areOver(max(said, since, notified), mailbox.address)
        else { continue }
        accuse("ESC-2", "\(mailbox.address) was not notified who is responding to \(person.name)")
      }
    }
  }

  private mutating func judgeOwnerWaiting(_ person: Person, _ chances: Chances) {
    guard person.deletedAt == nil else { return }
    if let (lead, since) = person.promise.reminder, !person.promise.remindersSent.contains(lead),
      chances.areOver(since, person.email)
    {
      accuse("REM-1", "\(person.name) was not reminded \(lead.seconds) s before their deadline")
    }
    judgeOutingWaiting(person, chances)
    guard let since = person.promise.passedSince, !person.promise.isOwnerNotified else { return }
    if chances.areOver(since, person.email) {
      accuse("ESC-1", "\(person.name) was not told that their deadline passed")
    }
  }

  private mutating func judgeFinalMessages(_ person: Person, _ chances: Chances) {
    guard let deletedAt = person.deletedAt else { return }
    for address in person.finalMessages.wanted.subtracting(person.finalMessages.notified)
    where chances.areOver(deletedAt, address) {
      accuse("AUTH-4", "\(address) was not told that \(person.name) is gone")
    }
  }
}
