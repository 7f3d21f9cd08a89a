import Clients
import Domain
import FoundationEssentials

/// Outings: going out, coming back in time or late, and staying out for longer.
extension Resident {
  /// Returns when the person goes out, or does something about the outing that is on: often just
  /// before or after its end, or the end of its grace time.
  func nextOuting() -> Moment {
    guard world.scenario.hasOutings, let person else { return world.end }
    let random = world.random
    guard let outing = person.outing else {
      return world.now + .seconds(random.value.scaled(60...20_000))
    }
    let jitter = Double(random.value.integer(-3_000...3_000)) / 1_000
    switch random.value.integer(0...9) {
    case 0...3:
      let left = outing.until.timeIntervalSince(world.wall)
      return moment(of: world.wall.addingTimeInterval(left * random.value.share()))
    case 4: return moment(of: outing.until.addingTimeInterval(jitter))
    case 5: return moment(of: outing.graceEnd.addingTimeInterval(jitter))
    case 6:
      return moment(of: outing.until.addingTimeInterval(Double(random.value.scaled(1...3_000))))
    default:
      return moment(of: outing.graceEnd.addingTimeInterval(Double(random.value.scaled(1...9_000))))
    }
  }

  func changeOuting() async {
    guard let outing = person?.outing else { return await goOut() }
    switch world.random.value.integer(0...9) {
    case 0...5: await comeBack(outing)
    case 6...8: await stayOut(outing)
    // A second one is refused.
    default: await goOut()
    }
  }

  private func goOut() async {
    let (wall, random) = (world.wall, world.random)
    let minutes = random.value.pick([11, 20, 45, 120, 240, 400])
    let contacts =
      (try? await world.scheduler.atOnce { try await clients.contactsClient.contacts() })
    let responders = (contacts ?? []).filter { $0.roles.contains(.responder) && $0.isActive }
    let chosen = random.value.chance(0.4) ? responders.filter { _ in random.value.chance(0.5) } : []
    let grace = TimeSpan.minutes(random.value.pick([0, 5, 15, 15, 30]))
    let draft = OutingDraft(
      end: "\(minutes)m", zone: "UTC", text: "red tent", responders: chosen.map(\.id),
      isAnnounced: random.value.chance(0.5), holdsDeadline: random.value.chance(0.4), grace: grace)
    await act("goes out for \(minutes) min, telling \(chosen.count)") {
      try await clients.checkInClient.$startOuting(draft, typing: pass)
    } meaning: { person, user in
      guard let outing = user.outing else { return }
      let started = PersonOuting(
        id: outing.id, until: outing.until, startedAt: wall, grace: grace,
        chosen: Set(chosen.map { .contact($0.id) }), holds: outing.holdsDeadline)
      person.outing = started
      if started.holds { person.renewPromise() }
    }
  }

  private func comeBack(_ outing: PersonOuting) async {
    let (now, wall) = (world.now, world.wall)
    let isForced = hasGate && world.random.value.chance(0.2)
    await act(isForced ? "is back under duress" : "is back", isForced: isForced) {
      try await clients.checkInClient.$endOuting(
        outing.id, typing: isForced ? Self.duress : pass)
    } meaning: { person, _ in
      person.comeBack(at: now, wall: wall)
      person.checkIn(at: now, wall: wall)
    }
  }

  private func stayOut(_ outing: PersonOuting) async {
    let (now, wall) = (world.now, world.wall)
    let span = TimeSpan.minutes(world.random.value.pick([5, 15, 30, 120]))
    let forgets = hasGate && world.random.value.chance(0.3)
    let typed = forgets && world.sabotage != .extendWithoutGate ? nil : pass
    await act("stays out for \(span.seconds) s longer") {
      guard let seen = try await clients.userClient.currentUser().outing else {
        throw ClientError.notOut
      }
      return try await clients.checkInClient.$extendOuting(
        OutingExtension(seen, by: span), typing: typed)
    } meaning: { person, user in
      guard let end = user.outing?.until else { return }
      if forgets {
        world.judge { $0.accuse("CHK-3", "an outing was extended without the passphrase") }
      }
      person.change(at: now, wall: wall) { $0.outing?.extend(to: end) }
      // Nobody has raised an alert, or it would have been refused.
      if let index = person.active(.outing), person.calls[index].id == nil {
        person.calls.remove(at: index)
      }
      if person.outing?.holds == true { person.renewPromise() }
    }
  }
}
