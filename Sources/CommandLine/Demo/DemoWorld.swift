import Clients
import Composable
import Domain
import SQLite
import Features
import FoundationEssentials
import Monitor

/// Everything the demo consists of: sample people in memory, a clock that can run fast, a monitor
/// whose messages go nowhere, and neighbours who act by themselves.
struct DemoWorld: Sendable {
  let platform: EmbeddedPlatform
  let clock: PacedClock
  let dateClient: DateClient
  /// The initial speed of time.
  let speed: Int

  /// - Parameters:
  ///   - start: The time at which the demo begins.
  ///   - base: The real clock.
  init(
    start: Date, speed: Int = 1, calendar: CivilCalendar = .local,
    base: some Clock<Duration> = ContinuousClock()
  ) async {
    let clock = PacedClock(base: base, speed: speed)
    let origin = clock.now
    let now: @Sendable () -> Date = {
      start.addingTimeInterval(origin.duration(to: clock.now) / .seconds(1))
    }
    self.clock = clock
    self.speed = speed
    let begin = base.now
    // Key presses are timed by the real clock.
    dateClient = DateClient(
      now: now, personNow: { start.addingTimeInterval(begin.duration(to: base.now) / .seconds(1)) },
      calendar: calendar)
    platform = await .demo(now: now, calendar: calendar, clock: clock)
  }

  /// Sets every client that the app needs, except those of its terminal. Waits that the user sees,
  /// such as a toast or a countdown, take real time.
  var provide: StoreAccess.ClientProvider {
    {
      // Other clients must have no effect outside the demo.
      $0.context = .preview
      platform.install(in: &$0)
      $0.dateClient = dateClient
      $0.watchClient.alwaysSeesItsMonitor()
      // Messages go nowhere, so no mail account is needed or saved.
      $0.mailSettingsClient.settings = { () async throws(ClientError) in nil }
      $0.mailSettingsClient.save = { _, _ async throws(ClientError) in }
      $0.mailSettingsClient.test = { () async throws(ClientError) in
        MailTestResult(isSent: true, text: "The demo sends nothing.")
      }
      $0.mailSettingsClient.keep = { () async throws(ClientError) in }
      $0.mailSettingsClient.discard = { () async throws(ClientError) in }
      $0.keychainClient.source = { _ async throws(KeychainError) in nil }
      $0.listNames(by: .local)
      $0.logClientCalls()
    }
  }

  /// Lets time pass until the task is cancelled: delivers messages and runs the neighbours.
  func live() async {
    let clients = DependencyValues { platform.install(in: &$0) }
    let monitor = MonitorLoop(
      id: DemoStory.monitor, store: clients.monitorClient, deliveryService: .demo,
      dateClient: dateClient,
      clock: clock,
      random: WithRandomNumberGenerator(SplitMix64(seed: 1)), pace: .demo)
    await withTaskGroup { group in
      group.addTask { await monitor.run() }
      group.addTask { await DemoNeighbours(of: platform, now: dateClient.now).live(on: clock) }
    }
  }

  /// Creates the speed control beside the app.
  @MainActor func makePace() -> StoreOf<PaceFeature> {
    Store(
      initialState: PaceFeature.State(
        speed: speed, now: dateClient.now(), calendar: dateClient.calendar)
    ) {
      PaceFeature()
    } withDependencies: {
      $0.paceClient = PaceClient { [clock] in $0.setSpeed = { clock.setSpeed($0) } }
      $0.dateClient = dateClient
    }
  }
}

extension WatchClient {
  /// Hides the age of heartbeats: the demo's monitor runs in this process, on a clock that can run
  /// fast or stand still, so the age would only cause a false warning.
  fileprivate mutating func alwaysSeesItsMonitor() {
    let (status, observe) = (status, observe)
    self.status = { () async throws(StorageError) in try await status().withItsMonitor }
    self.observe = { observe().newest(\.withItsMonitor) }
  }
}

extension WatchStatus {
  fileprivate var withItsMonitor: WatchStatus {
    var status = self
    (status.monitors, status.lastSeen) = (max(monitors, 1), nil)
    return status
  }
}

extension DeliveryService {
  /// Delivers nothing. One server defers its messages, to show what happens then.
  static let demo = DeliveryService { delivery in
    guard delivery.address == DemoStory.slowMailbox, delivery.attempt % 10 < 3 else {
      return .sent
    }
    return .retry(reason: "451 4.7.1 Try again later.", after: .minutes(5))
  }
}

extension MonitorLoop.Pace {
  /// Heartbeats aren't needed, and intervals that are short in real time must be long when time
  /// runs fast.
  static var demo: Self {
    Self(heartbeat: .seconds(3_600), heartbeatLease: .hours(3), lease: .minutes(30))
  }
}
