import Clients
import Domain
import FoundationEssentials

/// The emergency key and its countdown (ALT-7).
extension Resident {
  /// Presses the emergency key, then stops the alert, writes a message, waits, or loses the app.
  func beginAlert() async {
    guard let id = await arm(world.random.value.uuid(), TimeSpan.seconds(5)) else { return }
    if world.random.value.chance(0.3) {
      await pass(0...4_500)
      _ = await arm(id, ArmedAlert.writingDelay)
      await pass(0...25_000)
    }
    switch world.random.value.integer(0...9) {
    case 0...2:
      await pass(0...6_000)
      await stop(id)
    case 3...4:
      await pass(0...6_000)
      _ = await arm(id, .zero)
    case 5:
      await pass(0...4_500)
      await leave()
    default: return  // The app is killed.
    }
  }

  private func pass(_ milliseconds: ClosedRange<Int>) async {
    await world.wait(milliseconds: world.random.value.integer(milliseconds))
  }

  /// - Returns: The identity of the armed alert; `nil` if there is none.
  private func arm(_ wanted: UUID, _ delay: TimeSpan) async -> UUID? {
    guard !world.isOver, person?.deletedAt == nil else { return nil }
    let now = world.now
    // Use a file beside the store, as if the store couldn't be written.
    if person?.armed == nil || person?.armed?.id == wanted, world.random.value.chance(0.3) {
      return await spool(wanted, delay)
    }
    var id: UUID?
    await act("arms an alert for \(delay.seconds) s") {
      try await clients.alertClient.arm(wanted, "", delay)
    } meaning: { person, arming in
      switch arming {
      case .armed(let armed):
        person.inFiles.remove(armed.id)
        person.arm(armed)
        id = armed.id
      case .raised(let alert):
        person.armed = person.armed?.id == wanted ? nil : person.armed
        if alert.isActive { person.raise(alert.id, at: now) }
      case .stopped:
        if !person.stopped.contains(wanted) {
          world.judge { $0.accuse("ALT-7", "what \(person.name) arms counts as stopped") }
        }
      }
    }
    return id
  }

  private func spool(_ wanted: UUID, _ delay: TimeSpan) async -> UUID? {
    var id: UUID?
    await act("arms an alert in a file for \(delay.seconds) s") {
      try await clients.alertClient.spool(wanted, "", delay)
    } meaning: { person, armed in
      // There is never a second alert beside an active one.
      guard !person.isAlertOnByHand else { return }
      if person.armed?.id != armed.id { person.inFiles.insert(armed.id) }
      person.arm(armed)
      id = armed.id
    }
    return id
  }

  private func stop(_ id: UUID) async {
    guard !world.isOver, person?.deletedAt == nil else { return }
    await act("stops the alert") {
      try await clients.alertClient.disarm(id)
    } meaning: { person, _ in
      person.disarm(id)
    }
  }
}
