import Clients
import Composable
import Domain
import FoundationEssentials

/// The people of a simulation.
final class Population: Sendable {
  private let world: World
  let store: StoreUnderTest
  private let residents: Confined<[Resident]>
  private let lastAddress: Confined<Int>

  init(_ world: World, _ store: StoreUnderTest) {
    self.world = world
    self.store = store
    residents = Confined([], to: world.scheduler)
    lastAddress = Confined(0, to: world.scheduler)
  }

  /// Creates everyone's account, some of them later, and lets everyone act.
  func live() async {
    let early = (world.scenario.people * 4 + 4) / 5
    for _ in 0..<early { await moveIn() }
    for _ in early..<world.scenario.people {
      let span = world.end.seconds / Double(world.scenario.people)
      try? await world.clock.sleep(
        for: .milliseconds(Int(span * 1_000 * world.random.value.share())))
      guard !world.isOver else { return }
      await moveIn()
    }
  }

  private func moveIn() async {
    let number = residents.value.count
    let email = "owner\(number)@example.org"
    let new = NewAccount(
      profile: Profile(name: Self.name(number), email: email),
      interval: (try? CheckInInterval(.minutes(world.random.value.integer(60...300)))) ?? .standard,
      reminders: world.random.value.chance(0.5) ? Self.reminders(&world.random.value) : [],
      grace: Self.grace(&world.random.value),
      responders: (0..<world.random.value.integer(0...3)).map { _ in responder() })
    let (now, wall) = (world.now, world.wall)
    do {
      let user = try await world.scheduler.atOnce { try await store.openAccount(new) }
      let clients = try store.clients(email)
      let contacts = try await world.scheduler.atOnce {
        try await clients.contactsClient.contacts()
      }
      let hasGate = world.random.value.chance(0.4)
      if hasGate {
        try await world.scheduler.atOnce {
          try await clients.authClient.updateGate(
            Gate(passphrase: Resident.passphrase, duress: Resident.duress))
        }
      }
      var person = Person(
        id: user.id, name: Self.name(number), email: email, checkedInAt: wall,
        interval: user.interval.span, grace: user.grace, reminders: user.reminders)
      person.checkedInTrulyAt = wall
      for contact in contacts { person.responders[.of(contact)] = now }
      world.oracle.value.people[user.id] = person
      world.oracle.value.order.append(user.id)
      world.acts.value += 1
      world.changes.notify()
      world.note(
        """
        \(person.name) moves in: interval \(person.interval.seconds) s, grace \
        \(person.grace.seconds) s, \(contacts.map { $0.email ?? "" }.joined(separator: ", "))
        """)
      let resident = Resident(
        user: user, email: email, clients: clients, hasGate: hasGate, world: world, population: self
      )
      residents.value.append(resident)
      if world.scenario.hasSetTimes, world.random.value.chance(0.8) {
        await resident.chooseSetTimes()
      }
      // Set times may pass in a pause (SCH-4, CHK-7).
      if world.scenario.hasSetTimes, world.random.value.chance(0.15) { await resident.pause() }
      if world.scenario.hasWaits {
        if world.random.value.chance(0.5) { await resident.link() }
        if world.random.value.chance(0.6) { await resident.changeWait() }
      }
      Task(executorPreference: world.scheduler) { await resident.live() }
    } catch {
      world.judge { $0.accuse("simulation", "nobody can move in: \(error)") }
    }
  }

  /// Releases all residents.
  func end() { residents.value = [] }

  /// Returns a new person to notify.
  func responder() -> ContactDraft {
    lastAddress.value += 1
    return ContactDraft(
      name: Self.name(lastAddress.value), email: "r\(lastAddress.value)@example.net",
      roles: .responder)
  }

  /// Returns another person with an account.
  func neighbour(of id: User.ID) -> Resident? {
    residents.value
      .filter { $0.id != id && world.oracle.value.people[$0.id]?.deletedAt == nil }
      .randomElement(using: &world.random.value)
  }

  /// All addresses in use.
  var addresses: [String] {
    residents.value.map(\.email)
      + (lastAddress.value > 0 ? (1...lastAddress.value).map { "r\($0)@example.net" } : [])
  }

  static func grace(_ random: inout SplitMix64) -> TimeSpan {
    .seconds(random.pick([0, 60, 300, 900, 900, 3_600]))
  }

  static func reminders(_ random: inout SplitMix64) -> [TimeSpan] {
    [.minutes(5), .minutes(10), .minutes(30), .minutes(45)].filter { _ in random.chance(0.4) }
  }

  /// Returns a name made of letters only.
  static func name(_ number: Int) -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    let tail = String([letters[number / 26 % 26], letters[number % 26]])
    return "P" + tail + (number >= 676 ? String(letters[number / 676 % 26]) : "")
  }
}
