import Clients
import Domain
import FoundationEssentials

/// A device that is offline for hours while its person checks in, and the other devices go on.
extension Resident {
  /// A check-in that the device keeps.
  private struct Kept {
    let id: UUID
    /// When it was made, by the store's clock.
    var made: Date
    /// What the device knows of that.
    var after: Date
    var at: Date?
    /// Whether the device has been restarted since.
    var isRestarted: Bool
    /// How much further its clock went than the time.
    var extraAge: TimeInterval
    var isForced: Bool
  }

  /// Loses the network until some check-ins were made, and finds it again hours later.
  func goOffline() {
    guard world.scenario.hasOfflineDevices else { return }
    let count = world.random.value.integer(1...3)
    var gaps = (0...count).map { _ in world.random.value.scaled(60...12_000) }
    // Often so long that the deadline of the last one has passed.
    gaps[count] *= world.random.value.pick([1, 2, 4])
    let left = (world.end - world.now).seconds
    guard Double(gaps.reduce(0, +)) < left - 60 else { return }
    Task(executorPreference: world.scheduler) {
      var kept: [Kept] = []
      let contact = world.wall
      for gap in gaps.dropLast() {
        await world.wait(milliseconds: gap * 1_000)
        guard !world.isOver, person?.deletedAt == nil else { return }
        kept.append(makeKept(since: contact))
      }
      await world.wait(milliseconds: (gaps.last ?? 0) * 1_000)
      for entry in kept { world.oracle.value.people[id]?.owed[entry.id] = .some(world.now) }
      if world.sabotage == .mergeKept, let last = kept.last { kept = [last] }
      for entry in kept {
        guard !world.isOver, person?.deletedAt == nil else { return }
        await deliver(entry)
      }
    }
  }

  private func makeKept(since contact: Date) -> Kept {
    let random = world.random
    let (made, isFirstBoot) = (world.wall, random.value.chance(0.65))
    // A virtual machine that was stopped counts too little.
    let pause = random.value.chance(0.2) ? Double(random.value.scaled(1...1_800)) : 0
    let entry = Kept(
      id: random.value.uuid(), made: made, after: contact,
      at: isFirstBoot ? max(contact, made - pause) : nil,
      isRestarted: random.value.chance(0.35),
      extraAge: random.value.chance(0.1) ? Double(random.value.scaled(1...600)) : 0,
      isForced: hasGate && random.value.chance(0.2))
    world.oracle.value.people[id]?.owed[entry.id] = .some(nil)
    world.note("\(world.oracle.value.name(id)) checks in offline")
    return entry
  }

  private func deliver(_ entry: Kept) async {
    guard world.sabotage != .forgetKept || world.random.value.chance(0.5) else { return }
    let (now, wall) = (world.now, world.wall)
    // What is certain, by what the device knows: never later than it was made.
    var age = entry.isRestarted ? nil : wall - entry.made + entry.extraAge
    let asOf = max(
      entry.after, [entry.at, age.map { wall - $0 }].compactMap(\.self).min() ?? entry.after)
    var at = entry.at
    switch world.sabotage {
    case .freezeAge: age = age.map { _ in 1 }
    // Its clock was behind when it was made, and is right by now.
    case .trustWallClock where at == nil: (at, age) = (wall, nil)
    default: break
    }
    let made = RequestTime(after: entry.after, at: at, age: age)
    let phrase = entry.isForced ? Self.duress : pass
    await act(
      "is received, made \(Int(wall - entry.made)) s ago, as of \(Int(wall - asOf)) s ago",
      isForced: entry.isForced
    ) {
      guard let late = try population.store.clients(email, made: made) else { return }
      let isOver =
        person.map { person in
          var after = person
          after.checkInLate(asOf: asOf.milliseconds, at: now, wall: wall)
          return after.deadline <= wall
        } ?? false
      if world.sabotage == .countFromReceipt || world.sabotage == .endAlertAlways && isOver {
        _ = try await clients.checkInClient.$checkIn(.manual, typing: phrase)
      } else {
        _ = try await late.checkInClient.$deliver(.manual, typing: phrase)
      }
    } meaning: { person, _ in
      person.owed[entry.id] = nil
      person.checkInLate(asOf: asOf.milliseconds, at: now, wall: wall)
    }
  }
}

extension Date {
  fileprivate static func - (one: Date, other: Date) -> TimeInterval {
    one.timeIntervalSince(other)
  }

  /// As a store keeps it.
  fileprivate var milliseconds: Date {
    Date(timeIntervalSince1970: (timeIntervalSince1970 * 1_000).rounded() / 1_000)
  }
}
