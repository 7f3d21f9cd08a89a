import Clients
import Domain
import FoundationEssentials

/// What happens while only those who come first are called (ESC-8): somebody responds, or the person
/// changes who waits.
extension Resident {
  /// Returns when somebody responds: soon after the next call, or not at all if nobody waits.
  func nextAnswer() -> Moment {
    guard world.scenario.hasWaits, let person, !person.waits.isEmpty else {
      return world.now + .seconds(3_600)
    }
    let calls = [person.graceEnd, person.outing?.graceEnd].compactMap(\.self)
      .filter { $0 > world.wall }
    let delay = TimeInterval(world.random.value.scaled(30...1_200))
    return moment(of: (calls.min() ?? world.wall).addingTimeInterval(delay))
  }

  func answer() async {
    guard world.scenario.hasWaits, let person, !person.waits.isEmpty else { return }
    let isCalled = person.active(.missed) != nil || person.active(.outing) != nil
    guard isCalled else {
      if world.random.value.chance(0.3) {
        await world.random.value.chance(0.5) ? link() : changeWait()
      }
      return
    }
    if world.random.value.chance(0.5) {
      await changeWait(isLonger: true)
    } else {
      await population.neighbour(of: id)?.acknowledge()
    }
  }
}
