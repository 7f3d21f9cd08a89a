import Terminal
import TerminalTesting
import Testing

/// Two people use the whole product, from their first screen to their last, with real terminals,
/// programs, files and mail. Only the clock is simulated.
@Suite(.serialized) struct WalkTests {
  static let scenes =
    Scene.becomingContacts + Scene.missedDeadline + Scene.alerts + Scene.leaving

  enum Disturbance: CaseIterable {
    case none
    /// Both apps, and the server if there is one, are killed with `kill -9` after each step, as
    /// soon as the screen has confirmed it. After some steps the monitor is killed too.
    case kills
  }

  @Test(
    "Two people use the whole product on one machine, also with kill -9 after every scene",
    arguments: Disturbance.allCases)
  func walk(disturbance: Disturbance) throws {
    let world = try World()
    let ada = try world.person("Ada")
    let bob = try world.person("Bob", opening: "--as", "bob@example.org")
    try ada.opensTheApp()
    try walk(Scene.opening + Scene.asking + Self.scenes, ada, bob, world, disturbance)
  }

  @Test(
    "Two people on two machines use the whole product through a server with two monitors",
    arguments: Disturbance.allCases)
  func walkAcrossMachines(disturbance: Disturbance) throws {
    let world = try World(hasServer: true)
    let ada = try world.person("Ada")
    let bob = try world.person("Bob")
    try walk(Scene.joining + Self.scenes, ada, bob, world, disturbance)
  }

  private func walk(
    _ scenes: [Scene], _ ada: Person, _ bob: Person, _ world: World, _ disturbance: Disturbance
  ) throws {
    for scene in scenes {
      do {
        try scene.play(ada, bob, world)
        if disturbance == .kills { try kill(after: scene, in: world) }
        try scene.remains(ada, bob, world)
        // Let toasts expire.
        try world.time.passes(seconds: 5)
      } catch let failure as WalkFailure {
        Issue.record("\(scene.name): \(failure)", sourceLocation: failure.place)
        return
      }
    }
    #expect(world.mail.rest.isEmpty)
  }

  private func kill(after scene: Scene, in world: World) throws {
    if scene.alsoKillsMonitor { world.killMonitors() }
    let present = world.people.filter(\.hasTheApp)
    for person in present { try person.losesTheApp() }
    try world.server?.isKilledAndStartedAgain()
    // Let the dead monitor's leases expire. Opening the app starts another one.
    if scene.alsoKillsMonitor { try world.time.passes(minutes: 2) }
    if scene.alsoKillsMonitor { try world.server?.startMonitors() }
    for person in present { try person.opensTheApp() }
  }
}
