import Clients
import Domain
import FoundationEssentials

/// Signs of life, and messages at each check-in.
extension Resident {
  /// Returns when the person types a command; never if they haven't chosen signs of life.
  func nextSign() -> Moment {
    guard world.scenario.hasSigns, !hasGate else { return world.end }
    return world.now + .seconds(world.random.value.scaled(60...9_000))
  }

  /// Chooses signs of life at the beginning.
  func chooseSigns() async {
    guard world.scenario.hasSigns, !hasGate else { return }
    await act("chooses signs of life") {
      try await clients.userClient.allowSigns(true)
    } meaning: { person, _ in
      person.takesSigns = true
    }
  }

  /// CHK-10: types a command, which checks in or doesn't.
  func sign() async {
    let (now, wall) = (world.now, world.wall)
    await act("types a command") {
      let before = try await clients.userClient.currentUser().lastCheckIn
      if world.sabotage == .trustSigns {
        _ = try await clients.checkInClient.checkIn(.automatic)
      } else {
        try await clients.checkInClient.sign()
      }
      let after = try await clients.userClient.currentUser().lastCheckIn
      return after != before
    } meaning: { person, counted in
      let expected = person.takesSign(at: wall)
      if let expected, expected != counted {
        world.judge {
          $0.accuse(
            "CHK-10", "a command \(counted ? "checked in" : "didn't check in") against the rule")
        }
      }
      guard counted else { return }
      let lastTrue = person.checkedInTrulyAt
      person.checkIn(at: now, wall: wall)
      person.checkedInTrulyAt = lastTrue
    }
  }

  /// NOT-4: has a responder get a message at each check-in, or not.
  func changeNews() async {
    let contacts = try? await world.scheduler.atOnce { try await clients.contactsClient.contacts() }
    let chosen = (contacts ?? []).filter { $0.isResponder && !$0.isLinked }
    guard let contact = chosen.randomElement(using: &world.random.value) else { return }
    let isWanted = contact.hearsCheckIns != true
    await act("has \(contact.name) \(isWanted ? "get" : "miss") each check-in") {
      try await clients.contactsClient.setCheckInNews(contact.id, isWanted)
    } meaning: { person, _ in
      if isWanted { person.hearing.insert(.contact(contact.id)) }
    }
  }
}

extension Person {
  /// CHK-10: returns whether a sign of life counts; `nil` if that depends on what the monitors have
  /// stored.
  func takesSign(at wall: Date) -> Bool? {
    guard takesSigns, outing == nil, !isPaused(at: wall), wall < deadline,
      wall >= checkedInAt + .minutes(30), start <= wall
    else { return false }
    // One that is due may be raised by now, or not.
    let visible = calls.filter { $0.kind != .drill && $0.kind != .duress && $0.ended == nil }
    if visible.contains(where: { $0.id == nil }) || armed != nil || !inFiles.isEmpty { return nil }
    guard visible.isEmpty else { return false }
    // Set times have an oracle for their deadlines, not for the third of them.
    guard setTimes == nil else { return nil }
    let limit = min(
      checkedInTrulyAt + .seconds(3 * interval.seconds), checkedInTrulyAt + .days(7))
    return max(wall, pausedUntil ?? wall) + interval <= limit
  }
}
