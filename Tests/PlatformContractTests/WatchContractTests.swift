import Clients
import Domain
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@Suite("WCH-1: WatchClient", .timeLimit(.minutes(1)))
struct WatchContractTests {
  @Test("At first no monitor is running", arguments: Platform.allCases)
  func nobody(_ platform: Platform) async throws {
    let world = try await World.withDocuments(platform)
    #expect(try await world.watch.status() == WatchStatus(monitors: 0))
  }

  @Test("A monitor counts as running until its lease ends", arguments: Platform.allCases)
  func lease(_ platform: Platform) async throws {
    let world = try await World.withDocuments(platform)
    let (one, two) = (UUID(), UUID())
    #expect(try await world.monitor.heartbeat(one, world.now, .seconds(10), nil) == 0)
    world.advance(.seconds(4))
    #expect(try await world.monitor.heartbeat(two, world.now, .seconds(10), nil) == 1)
    let seen = world.now
    #expect(try await world.watch.status() == WatchStatus(monitors: 2, lastSeen: seen))
    world.advance(.seconds(6))
    #expect(try await world.watch.status() == WatchStatus(monitors: 1, lastSeen: seen))
    #expect(try await world.monitor.heartbeat(two, world.now, .seconds(10), nil) == 0)
    #expect(try await world.watch.status() == WatchStatus(monitors: 1, lastSeen: world.now))
    world.advance(.seconds(10))
    #expect(try await world.watch.status().monitors == 0)
  }

  @Test(
    "WCH-1: a monitor's problem and affected channels are reported while the monitor runs",
    arguments: Platform.allCases)
  func problem(_ platform: Platform) async throws {
    let world = try await World.withDocuments(platform)
    let (one, two) = (UUID(), UUID())
    let problem = MonitorProblem("mail is not set up", kinds: [.email, .ntfy])
    _ = try await world.monitor.heartbeat(one, world.now, .seconds(10), problem)
    world.advance(.seconds(1))
    _ = try await world.monitor.heartbeat(two, world.now, .seconds(60), nil)
    let status = try await world.watch.status()
    #expect(status.problem == problem.text && status.failingKinds == problem.kinds)
    world.advance(.seconds(9))
    let later = try await world.watch.status()
    #expect(later.problem == nil && later.failingKinds == nil)
  }

  @Test(
    "A monitor that resigns no longer counts, but its last heartbeat stays known",
    arguments: Platform.allCases)
  func resign(_ platform: Platform) async throws {
    let world = try await World.withDocuments(platform)
    let monitor = UUID()
    _ = try await world.monitor.heartbeat(
      monitor, world.now, .seconds(10), MonitorProblem("no mail", kinds: [.email]))
    let seen = world.now
    world.advance(.seconds(2))
    try await world.monitor.resign(monitor)
    #expect(try await world.watch.status() == WatchStatus(monitors: 0, lastSeen: seen))
    try await world.monitor.resign(UUID())
  }

  @Test("An observer sees a monitor start and its lease end", arguments: Platform.allCases)
  func observe(_ platform: Platform) async throws {
    let world = try await World.withDocuments(platform)
    var changes = world.watch.observe().makeAsyncIterator()
    #expect(try await changes.next() == WatchStatus(monitors: 0))
    let seen = world.now
    _ = try await world.monitor.heartbeat(UUID(), seen, .seconds(10), nil)
    // A server reports when a monitor stops, but not every heartbeat.
    let last = platform.isShared ? nil : seen
    #expect(try await changes.next() == WatchStatus(monitors: 1, lastSeen: last))
    await world.advancePastLease(.seconds(10))
    #expect(try await changes.next() == WatchStatus(monitors: 0, lastSeen: seen))
  }

  @Test(
    "Starting and stopping observers doesn't block or lose heartbeats", arguments: Platform.allCases
  )
  func comingAndGoing(_ platform: Platform) async throws {
    let world = try await World.withDocuments(platform)
    await withTaskGroup { group in
      for writer in 0..<2 {
        group.addTask {
          for beat in 0..<100 {
            _ = try? await world.monitor.heartbeat(
              UUID(), world.now, .seconds(10),
              MonitorProblem("\(writer) \(beat)", kinds: []))
          }
        }
      }
      for _ in 0..<400 {
        let observer = Task {
          for try await _ in world.watch.observe() {}
        }
        let monitor = Task {
          for await _ in world.monitor.changes() {}
        }
        group.addTask {
          await Task.yield()
          observer.cancel()
          monitor.cancel()
          _ = await observer.result
          await monitor.value
        }
      }
    }
    #expect(try await world.watch.status().monitors == 200)
  }

  @Test(
    "A monitor is started only if none is running; another can always be started",
    arguments: Platform.all(but: .monitorStarted)
  )
  func start(_ platform: Platform) async throws {
    let starts = Mutex<[Bool]>([])
    let world = try World(platform) { (onlyIfNone: Bool) async throws(StorageError) in
      starts.withLock { $0.append(onlyIfNone) }
    }
    try await world.watch.start()
    #expect(starts.withLock { $0 } == [true])
    _ = try await world.monitor.heartbeat(UUID(), world.now, .seconds(10), nil)
    try await world.watch.start()
    #expect(starts.withLock { $0 } == [true])
    try await world.watch.startAnother()
    #expect(starts.withLock { $0 } == [true, false])
    world.advance(.seconds(10))
    try await world.watch.start()
    #expect(starts.withLock { $0 } == [true, false, true])
  }

  @Test(
    "The reason why a monitor couldn't be started is reported",
    arguments: Platform.all(but: .monitorStarted)
  )
  func startFails(_ platform: Platform) async throws {
    let world = try World(platform) { (_: Bool) async throws(StorageError) in
      throw .unknown("no such program")
    }
    await expect(StorageError.unknown("no such program"), world.watch.start)
    await expect(StorageError.unknown("no such program"), world.watch.startAnother)
  }
}
