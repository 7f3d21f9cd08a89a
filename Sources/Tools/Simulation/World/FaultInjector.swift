import Domain
import FoundationEssentials

/// The faults in a simulation, and the monitors that are restarted after them.
struct FaultInjector: Sendable {
  let world: World
  let population: Population
  let store: StoreUnderTest

  /// Runs a monitor, and starts another one whenever it has ended, as systemd does.
  func keepMonitor() async {
    while !world.isOver {
      let monitor = SimulatedMonitor(world.monitors.value.count, in: world)
      world.monitors.value.append(monitor)
      do { monitor.start(try store.makeMonitor()) } catch {
        return world.judge { $0.accuse("simulation", "no monitor can start: \(error)") }
      }
      await monitor.task.value?.value
      guard !world.isOver else { return }
      await world.wait(milliseconds: 1_000 * world.random.value.scaled(1...3_600))
    }
  }

  /// Causes faults until the end of the simulation.
  func run() async {
    let scenario = world.scenario
    while !world.isOver {
      let rates = [
        scenario.kills * Double(scenario.monitors), scenario.cuts * Double(scenario.monitors),
        scenario.weather * Double(population.addresses.count), scenario.jumps, scenario.leaps,
        scenario.logins,
      ]
      let total = rates.reduce(0, +)
      guard total > 0 else { return }
      let pause = world.random.value.milliseconds(untilNextOf: total)
      guard world.now + .milliseconds(pause) < world.end else { return }
      await world.wait(milliseconds: pause)
      guard !world.isOver else { return }
      var choice = world.random.value.share() * total
      let index = rates.firstIndex { rate in
        defer { choice -= rate }
        return choice < rate
      }
      switch index {
      case 0: hitMonitor()
      case 1: cut()
      case 2: changeServer()
      case 3: jump()
      case 4: leap()
      default: changeLogin()
      }
    }
  }

  private var livingMonitor: SimulatedMonitor? {
    world.monitors.value.filter { !$0.state.value.isDead }
      .randomElement(using: &world.random.value)
  }

  private func hitMonitor() {
    guard let monitor = livingMonitor else { return }
    if world.random.value.chance(0.25) { monitor.askToEnd() } else { monitor.kill("at any time") }
  }

  private func cut() {
    guard let monitor = livingMonitor else { return }
    let length = 1_000 * world.random.value.scaled(1...7_200)
    if world.random.value.chance(0.3), !world.isInDoubt {
      let end = min(world.end, world.now + .milliseconds(length))
      Task(executorPreference: world.scheduler) { await monitor.sleep(until: end) }
      return
    }
    let fromServers = world.random.value.chance(0.3)
    if fromServers {
      monitor.cutFromServers(true)
    } else {
      monitor.cutFromStore(world.random.value.pick(SimulatedMonitor.Cut.allCases))
    }
    Task(executorPreference: world.scheduler) {
      await world.wait(milliseconds: length)
      guard !monitor.state.value.isDead else { return }
      if fromServers { monitor.cutFromServers(false) } else { monitor.cutFromStore(nil) }
    }
  }

  private func changeServer() {
    let address = world.random.value.pick(population.addresses)
    let conditions: [Servers.Condition] = [
      .well, .well, .busy, .busy, .full, .mute, .lying, .hanging, .slow, .refusing, .closed,
    ]
    let condition = world.random.value.pick(conditions)
    guard world.servers.value.condition(of: address) != condition else { return }
    world.note("the server of \(address) is \(condition)")
    world.servers.value.change(address, to: condition, at: world.now)
  }

  /// Has the mail server refuse the login for a while, or offer none.
  private func changeLogin() {
    guard world.servers.value.login == .well else { return }
    let login = world.random.value.pick([Servers.Login.refused, .refused, .missing])
    world.note("the mail account: the login is \(login)")
    world.servers.value.change(to: login, at: world.now)
    let length = 1_000 * world.random.value.scaled(60...7_200)
    let isCorrected = world.random.value.chance(0.5)
    Task(executorPreference: world.scheduler) {
      await world.wait(milliseconds: length)
      guard !world.isOver, world.servers.value.login != .well else { return }
      world.note("the mail account works again\(isCorrected ? " with another password" : "")")
      if isCorrected {
        world.servers.value.changePassword(at: world.now)
      } else {
        world.servers.value.change(to: .well, at: world.now)
      }
    }
  }

  /// Sets the clock by so little that monitors trust it at once. To a sleeping one, two such jumps would
  /// be one that it doesn't.
  private func jump() {
    guard !world.monitors.value.contains(where: \.state.value.isAsleep) else { return }
    let span = world.random.value.pick([-100.0, -30, 30, 100])
    world.note("the wall clock jumps by \(span) s")
    world.jumpWall(by: span)
  }

  /// Sets the clock by minutes or hours, but only one clock is wrong at a time. What a sleeping
  /// monitor believes, or what two wrong clocks make of a third, is not tested here.
  private func leap() {
    let span = Double(world.random.value.scaled(130...20_000))
    let isBack = world.random.value.chance(0.5)
    guard !world.isInDoubt, !world.monitors.value.contains(where: \.state.value.isAsleep) else {
      return
    }
    world.note("the wall clock is set by \(isBack ? -span : span) s")
    world.setWall(by: isBack ? -span : span)
  }

  /// Ends all faults.
  func clear() {
    world.note("everything works from here on")
    world.servers.value.healAll(at: world.now)
    for monitor in world.monitors.value where !monitor.state.value.isDead {
      if monitor.state.value.storeCut != nil { monitor.cutFromStore(nil) }
      if monitor.state.value.isCutFromServers { monitor.cutFromServers(false) }
    }
  }
}
