import Clients
import Composable
import Domain
import FoundationEssentials

/// A simulated person, who checks in early, late or twice, and does other things at random.
struct Resident: Sendable {
  static let passphrase = Secret("open sesame")
  static let duress = Secret("silent night")

  let user: User
  let email: String
  let clients: DependencyValues
  let hasGate: Bool
  let world: World
  let population: Population

  var id: User.ID { user.id }
  var person: Person? { world.oracle.value.people[id] }
  var pass: Secret<String>? { hasGate ? Self.passphrase : nil }

  /// Acts until the end of the simulation.
  func live() async {
    var checkIn = nextCheckIn()
    var nextAction = nextRandomAction()
    var nextOuting = nextOuting()
    await chooseSigns()
    var nextSign = nextSign()
    var nextAnswer = nextAnswer()
    while world.now < world.end, !world.isOver, person?.deletedAt == nil {
      let next = min(checkIn, nextAction, nextOuting, nextSign, nextAnswer)
      guard next < world.end else { return }
      try? await world.clock.sleep(until: .init(offset: next))
      guard !world.isOver else { return }
      if next == checkIn {
        await self.checkIn()
        if world.random.value.chance(0.1) { await self.checkIn() }
        checkIn = nextCheckIn()
      } else if next == nextOuting {
        await changeOuting()
        nextOuting = self.nextOuting()
      } else if next == nextSign {
        await sign()
        nextSign = self.nextSign()
      } else if next == nextAnswer {
        await answer()
        nextAnswer = self.nextAnswer()
      } else {
        await performRandomAction()
        nextAction = nextRandomAction()
      }
    }
  }

  // MARK: Timing

  func moment(of date: Date) -> Moment {
    let milliseconds = (date.timeIntervalSince(world.wall) * 1_000).rounded()
    return world.now + .milliseconds(max(1_000, Int(milliseconds)))
  }

  private func nextCheckIn() -> Moment {
    guard let person else { return world.end }
    let jitter = Double(world.random.value.integer(-3_000...3_000)) / 1_000
    let late = TimeInterval(world.random.value.scaled(1...18_000))
    // Long enough for those who wait to be called.
    if !person.waits.isEmpty, world.random.value.chance(0.5) {
      return moment(of: person.graceEnd.addingTimeInterval(late + 3_600))
    }
    switch world.random.value.integer(0...9) {
    case 0...4:
      let span = person.deadline.timeIntervalSince(world.wall)
      return moment(of: world.wall.addingTimeInterval(span * world.random.value.share()))
    case 5: return moment(of: person.deadline.addingTimeInterval(jitter))
    case 6: return moment(of: person.graceEnd.addingTimeInterval(jitter))
    case 7: return moment(of: person.deadline.addingTimeInterval(late))
    default: return moment(of: person.graceEnd.addingTimeInterval(late))
    }
  }

  private func nextRandomAction() -> Moment {
    let free = world.random.value.milliseconds(untilNextOf: world.scenario.whims)
    guard let person, world.random.value.chance(0.2) else { return world.now + .milliseconds(free) }
    let date = world.random.value.chance(0.5) ? person.deadline : person.graceEnd
    return moment(of: date.addingTimeInterval(Double(world.random.value.integer(-2...5))))
  }

  // MARK: Actions

  private func performRandomAction() async {
    switch world.random.value.integer(0...(world.scenario.hasOfflineDevices ? 168 : 108)) {
    case 0...11: await raise()
    case 12...21: await cancel(pass)
    case 22...25: await drill()
    case 26...27: await endDrill()
    case 28...33: await pause()
    case 34...36: await resume()
    case 37...44:
      if world.scenario.hasSetTimes, world.random.value.chance(0.7) {
        await chooseSetTimes()
      } else {
        await changeInterval()
      }
    case 45...49:
      if world.scenario.hasWaits, world.random.value.chance(0.7) {
        await changeWait()
      } else {
        await changeEscalation()
      }
    case 50...58: await addResponder()
    case 59...67: await removeResponder()
    case 68...70: await changeAddress()
    case 71...73: await changeNews()
    case 74...79: await link()
    case 80...83: if hasGate { await checkInUnderDuress() }
    case 84: if hasGate { await cancel(Self.duress) }
    case 85: if hasGate { await pause(Self.duress) }
    case 86...89: await endSilentAlert()
    case 90...95: await acknowledge()
    case 96: await leave()
    case 97...103: await beginAlert()
    case 104...106: await sendTests()
    case 107...166: goOffline()
    default: await checkIn()
    }
  }

  /// Performs an operation on the store, and notes its meaning if it succeeded.
  func act<Value>(
    _ what: String, isForced: Bool = false, _ body: () async throws -> Value,
    meaning: (inout Person, Value) -> Void
  ) async {
    let (now, wall) = (world.now, world.wall)
    world.oracle.value.people[id]?.notice(now, wall: wall)
    // The gate was passed, whether or not the request succeeds (CHK-3).
    func passGate() {
      if isForced { world.oracle.value.people[id]?.begin(.duress, at: now) }
    }
    do {
      let value = try await world.scheduler.atOnce(body)
      passGate()
      world.note("\(world.oracle.value.name(id)) \(what)")
      world.oracle.value.people[id].map { person in
        var person = person
        meaning(&person, value)
        person.notice(now, wall: wall)
        world.oracle.value.people[id] = person
      }
      world.acts.value += 1
      world.changes.notify()
    } catch {
      passGate()
      world.note("\(world.oracle.value.name(id)) may not: \(what) (\(error))")
      if isForced { world.changes.notify() }
      // A monitor that ends may have raised an alert that nobody has heard of yet.
      if case ClientError.alertIsOn = error,
        person?.active(.manual) ?? person?.active(.missed) ?? person?.active(.outing) == nil
      {
        world.judge { $0.accuse("ALT-8", "a drill was refused though no alert is seen to be on") }
      }
    }
  }

  private func checkIn(_ passphrase: Secret<String>? = nil) async {
    let (now, wall) = (world.now, world.wall)
    let isForced = passphrase == Self.duress
    await act(isForced ? "checks in under duress" : "checks in", isForced: isForced) {
      try await clients.checkInClient.$checkIn(.manual, typing: passphrase ?? pass)
    } meaning: { person, _ in
      person.checkIn(at: now, wall: wall)
    }
  }

  /// Checks in under duress. A coercer may demand drills, to see that responders get nothing else.
  private func checkInUnderDuress() async {
    if world.random.value.chance(0.3) { await drill() }
    await checkIn(Self.duress)
    if world.random.value.chance(0.5) { await drill() }
  }

  private func raise() async {
    let now = world.now
    await act("raises an alert") {
      try await clients.alertClient.raise("")
    } meaning: {
      $0.raise($1.id, at: now)
    }
  }

  private func cancel(_ passphrase: Secret<String>?) async {
    let now = world.now
    let isForced = passphrase == Self.duress
    await act(
      isForced ? "cancels the alert under duress" : "cancels the alert", isForced: isForced
    ) {
      try await clients.alertClient.$cancel(typing: passphrase)
    } meaning: { person, alert in
      // One that waited in a file until now is on by then.
      if let index = person.calls.firstIndex(where: { $0.armed == alert.id && $0.id == nil }) {
        person.calls[index].id = alert.id
      }
      person.cancel(at: now)
    }
  }

  private func endSilentAlert() async {
    let now = world.now
    await act("ends the silent alert") {
      try await clients.authClient.$endSilentAlert(typing: pass)
    } meaning: { person, _ in
      person.endSilentAlert(at: now)
    }
  }

  private func drill() async {
    let now = world.now
    await act("begins a drill") {
      try await clients.alertClient.drill()
    } meaning: { person, alert in
      if person.isAlertShown {
        world.judge { $0.accuse("ALT-8", "a drill begins while an alert is on") }
      }
      // A drill that ended by itself is over when the next one begins.
      if let index = person.active(.drill), person.calls[index].id != alert.id {
        person.end(.drill, at: now)
      }
      person.begin(.drill, id: alert.id, at: now)
    }
  }

  private func endDrill() async {
    let now = world.now
    await act("ends the drill") {
      try await clients.alertClient.endDrill()
    } meaning: { person, _ in
      person.end(.drill, at: now)
    }
  }

  func pause(_ passphrase: Secret<String>? = nil) async {
    let isForced = passphrase == Self.duress
    let until = world.wall.addingTimeInterval(Double(world.random.value.scaled(600...20_000)))
    await act(
      "pauses for \(Int(until.timeIntervalSince(world.wall))) s\(isForced ? " under duress" : "")",
      isForced: isForced
    ) {
      try await clients.checkInClient.$pause(until, typing: passphrase ?? pass)
    } meaning: { person, _ in
      person.pausedUntil = until
      person.setTimes?.choose(person.checkedInAt, floor: until)
      person.renewPromise()
    }
  }

  private func resume() async {
    let (now, wall) = (world.now, world.wall)
    await act("resumes") {
      try await clients.checkInClient.$resume(.manual, typing: pass)
    } meaning: { person, _ in
      person.pausedUntil = nil
      if person.setTimes != nil {
        person.setTimes?.choose(person.checkedInAt, floor: wall)
        person.renewPromise()
      }
      person.checkIn(at: now, wall: wall)
    }
  }

  private func changeInterval() async {
    let (now, wall) = (world.now, world.wall)
    guard let interval = try? CheckInInterval(.minutes(world.random.value.integer(60...300)))
    else { return }
    await act("changes the interval to \(interval.displayText)") {
      try await clients.checkInClient.updateInterval(interval)
    } meaning: { person, _ in
      person.change(at: now, wall: wall) {
        $0.setTimes = nil
        $0.interval = interval.span
        $0.reminders.removeAll { $0 >= interval.span }
      }
      person.renewPromise()
    }
  }

  /// Promises up to six times of the next hours, in a zone whose clocks may change in between.
  func chooseSetTimes() async {
    let (now, wall) = (world.now, world.wall)
    let zone = world.random.value.pick(PersonSetTimes.Zone.allCases)
    let minute = Int(wall.timeIntervalSince1970) / 60
    let list = (0..<world.random.value.pick([1, 2, 3, 6])).map { _ in
      SetTimes.Time(
        minute: (minute + world.random.value.integer(20...500)) % 1_440,
        days: world.random.value.chance(0.8)
          ? .daily : Weekdays(rawValue: world.random.value.integer(1...127)))
    }
    guard
      let times = try? SetTimes(
        list, zone: zone.rawValue, opening: .hours(world.random.value.pick([1, 1, 2, 4, 12])))
    else { return }
    await act("promises \(times.text), \(zone), \(times.opening.seconds) s") {
      try await clients.checkInClient.$updateSchedule(times, typing: pass)
    } meaning: { person, _ in
      person.change(at: now, wall: wall) {
        $0.setTimes = PersonSetTimes(
          times.times, in: zone, opening: times.opening, lastCheckIn: $0.checkedInAt,
          floor: $0.pausedUntil ?? wall, now: wall)
      }
      person.renewPromise()
    }
  }

  private func changeEscalation() async {
    let (now, wall) = (world.now, world.wall)
    let grace = Population.grace(&world.random.value)
    let reminders = Population.reminders(&world.random.value)
    let every = TimeSpan.minutes(world.random.value.pick([10, 30, 60, 60]))
    await act(
      """
      changes grace to \(grace.seconds) s, reminders to \(reminders.map(\.seconds)) s, repeats to \
      every \(every.seconds) s
      """
    ) {
      try await clients.userClient.updateEscalation(reminders, grace, every)
    } meaning: { person, _ in
      person.repeats = (every, now)
      person.change(at: now, wall: wall) {
        $0.grace = grace
        $0.reminders = reminders
      }
    }
  }

  // MARK: Responders

  private func contacts() async -> [Contact] {
    (try? await world.scheduler.atOnce { try await clients.contactsClient.contacts() }) ?? []
  }

  private func addResponder() async {
    let draft = population.responder()
    let now = world.now
    await act("adds \(draft.email ?? "")") {
      try await clients.contactsClient.add(draft)
    } meaning: {
      $0.responders[.of($1)] = now
    }
  }

  /// Sends tests to one responder until no more are taken.
  private func sendTests() async {
    let chosen = await contacts().filter { $0.roles.contains(.responder) && $0.email != nil }
    guard let contact = chosen.randomElement(using: &world.random.value),
      let channel = contact.channels.first
    else { return }
    for _ in 0...ContactRules.messagesADay where !world.isOver {
      await act("tests \(channel.address)") {
        try await clients.channelsClient.sendTest(channel.id)
      } meaning: { person, _ in
        person.tested.insert(.contact(contact.id))
      }
    }
  }

  /// Has a responder notified later or earlier than before.
  /// - Parameter isLonger: Whether a responder who waits is to wait longer.
  func changeWait(isLonger: Bool = false) async {
    let chosen = await contacts().filter {
      $0.roles.contains(.responder) && $0.isActive && (!isLonger || $0.waitSpan > .zero)
    }
    guard let contact = chosen.randomElement(using: &world.random.value) else { return }
    let span = TimeSpan.minutes(
      isLonger ? 1_200 : world.random.value.pick([0, 15, 20, 30, 60, 120]))
    let now = world.now
    await act("has \(contact.name) notified after \(span.seconds) s") {
      try await clients.contactsClient.$setWait(contact.id, span, typing: pass)
    } meaning: { person, _ in
      let recipient = Recipient.contact(contact.id)
      let before = person.waits[recipient] ?? Wait()
      guard before.span != span else { return }
      // One that no monitor has raised yet isn't on.
      let last = [person.active(.missed), person.active(.outing)].compactMap(\.self)
        .map { person.calls[$0] }.filter { $0.id != nil }.max { $0.began < $1.began }
      person.waits[recipient] = Wait(
        span: span, earlier: last.map(before.span(in:)) ?? before.span,
        changedAt: now)
    }
  }

  private func removeResponder() async {
    let chosen = await contacts().filter { $0.roles.contains(.responder) && $0.email != nil }
    guard let contact = chosen.randomElement(using: &world.random.value) else { return }
    await act("removes \(contact.email ?? "")") {
      try await clients.contactsClient.delete(contact.id)
    } meaning: { person, _ in
      person.hasLostResponders = true
      person.responders[.of(contact)] = nil
    }
  }

  private func changeAddress() async {
    let chosen = await contacts().filter { $0.link == nil }
    guard let contact = chosen.randomElement(using: &world.random.value) else { return }
    let draft = population.responder()
    let now = world.now
    await act("changes \(contact.email ?? "") to \(draft.email ?? "")") {
      try await clients.contactsClient.update(contact, draft)
    } meaning: {
      $0.hasLostResponders = true
      $0.responders[.of(contact)] = nil
      $0.responders[.of($1)] = now
    }
  }

  /// Adds another account as a responder, who accepts.
  func link() async {
    guard let other = population.neighbour(of: id) else { return }
    let now = world.now
    await act("links \(world.oracle.value.name(other.id))") {
      let asked = try await clients.contactsClient.request(other.user.code, .responder)
      _ = try await other.clients.contactsClient.accept(asked.id)
      return asked.id
    } meaning: {
      $0.responders[Mailbox(recipient: .contact($1), address: other.email)] = now
    }
  }

  /// Responds to a dependent's alert.
  func acknowledge() async {
    let dependents = await contacts().filter { $0.link?.dependentStatus?.alert != nil }
    guard let dependent = dependents.randomElement(using: &world.random.value),
      let alert = dependent.link?.dependentStatus?.alert
    else { return }
    guard let id = dependent.link?.user else { return }
    let now = world.now
    await act("acknowledges \(world.oracle.value.name(id))") {
      try await clients.alertClient.acknowledge(alert.id)
    } meaning: { _, _ in
      world.oracle.value.people[id]?.acknowledge(by: dependent.id, at: now)
    }
  }

  func leave() async {
    let now = world.now
    let isForced = hasGate && world.random.value.chance(0.3)
    await act(
      isForced ? "deletes the account under duress" : "deletes the account", isForced: isForced
    ) {
      try await clients.authClient.$deleteAccount(nil, typing: isForced ? Self.duress : pass)
    } meaning: { person, _ in
      person.delete(at: now)
    }
    guard person?.deletedAt != nil else { return }
    for other in world.oracle.value.order where other != id {
      for mailbox in world.oracle.value.people[other]?.responders.keys.filter({
        $0.address == email
      })
        ?? []
      {
        world.oracle.value.people[other]?.lose(mailbox)
      }
    }
  }
}

extension Mailbox {
  static func of(_ contact: Contact) -> Mailbox {
    Mailbox(recipient: .contact(contact.id), address: contact.email ?? "")
  }
}
