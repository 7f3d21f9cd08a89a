import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Synchronization
import Terminal
import TerminalTesting
import Testing

@testable import Features

@MainActor @Suite struct PaceFeatureTests {
  let clock = TestClock()
  let speeds = SpeedLog()

  private func makeStore(speed: Int = 1) -> TestStoreOf<PaceFeature> {
    TestStore(initialState: PaceFeature.State(speed: speed, now: Sample.now, calendar: .utc)) {
      PaceFeature()
    } withDependencies: {
      $0.paceClient = PaceClient { [speeds] in $0.setSpeed = { speeds.append($0) } }
      $0.dateClient = .constant(Sample.now)
      $0.continuousClock = clock
    }
  }

  @Test("Keys change the demo's speed in steps between 1 and 10,000")
  func steps() async {
    let store = makeStore(speed: 42)
    var expected: [Int] = []
    for speed in [60, 600, 3_600, 10_000] {
      await store.send(.fasterButtonTapped) { $0.speed = speed }
      await store.receive(.ticked)
      expected.append(speed)
    }
    await store.send(.fasterButtonTapped)
    await store.receive(.ticked)
    for speed in [3_600, 600, 60, 10, 1] {
      await store.send(.slowerButtonTapped) { $0.speed = speed }
      await store.receive(.ticked)
      expected.append(speed)
    }
    await store.send(.slowerButtonTapped)
    await store.receive(.ticked)
    expected.insert(10_000, at: 4)
    expected.append(1)
    #expect(speeds.value == expected)
    await store.send(.stopButtonTapped) { $0.isStopped = true }
    await store.receive(.ticked)
  }

  @Test("The demo redraws at most ten times a second, and not while its time is stopped")
  func ticks() async {
    let store = makeStore(speed: 3_600)
    await store.send(.started)
    await store.receive(.ticked)
    await clock.advance(by: .milliseconds(100))
    await store.receive(.ticked)
    await store.send(.stopButtonTapped) { $0.isStopped = true }
    await store.receive(.ticked)
    await clock.advance(by: .seconds(60))
    await store.send(.slowerButtonTapped) {
      $0.isStopped = false
      $0.speed = 600
    }
    await store.receive(.ticked)
    #expect(speeds.value == [3_600, 0, 600])
    await store.send(.stopButtonTapped) { $0.isStopped = true }
    await store.receive(.ticked)
  }

  @Test("ALT-1: while an alert is being raised, the demo's time runs at real speed")
  func held() async {
    let store = makeStore(speed: 600)
    await store.send(.heldChanged(true)) { $0.isHeld = true }
    await store.receive(.ticked)
    await store.send(.heldChanged(true))
    await store.send(.heldChanged(false)) { $0.isHeld = false }
    await store.receive(.ticked)
    #expect(speeds.value == [1, 600])
    await store.send(.stopButtonTapped) { $0.isStopped = true }
    await store.receive(.ticked)
  }

  @Test("ALT-1: pressing !, the countdown and cancelling run in real time; a raised alert doesn't")
  func runsInRealTime() {
    var state = Screen.signedIn()
    #expect(!state.runsInRealTime)
    _ = state.main?.emergency.trigger.press(at: Sample.now)
    #expect(state.runsInRealTime)
    state.main?.emergency.trigger.reset()
    for (phase, takesTime) in [
      (EmergencyFeature.Phase.raising, true), (.raised(Sample.alert), false),
      (.confirmingCancellation(.init(openedAt: Sample.now)), true), (.idle, false),
    ] {
      state.main?.emergency.phase = phase
      #expect(state.runsInRealTime == takesTime)
    }
  }

  @Test(
    "The demo's line shows its time and speed, but not in a window of 18 rows",
    arguments: [80, 120])
  func line(columns: Int) {
    let size = Size(columns: columns, rows: columns / 3)
    let app = Store(initialState: Screen.signedIn()) { AppFeature() }
    let pace = Store(
      initialState: PaceFeature.State(speed: 600, now: Sample.now, calendar: .utc)
    ) { PaceFeature() }
    let view = PaceView(store: pace, app: DebugView(session: DebugSession(app: app)))
    expectFrame(view, size: size, named: "demo-\(size.columns)x\(size.rows)")
    let small = FrameSnapshot.lines(of: view, size: Size(columns: 80, rows: 18))
    #expect(!small.joined().contains("sample people"))
  }

  @Test(
    "An alert in the demo is marked as a demo at every window height",
    arguments: [17, 18, 19, 20, 24])
  func mark(rows: Int) {
    for phase in [EmergencyFeature.Phase.idle, .raising, .raised(Sample.alert)] {
      let app = Store(
        initialState: Screen.changing(Screen.signedIn()) { $0.main?.emergency.phase = phase }
      ) {
        AppFeature()
      }
      let pace = Store(
        initialState: PaceFeature.State(speed: 1, now: Sample.now, calendar: .utc)
      ) { PaceFeature() }
      let view = PaceView(store: pace, app: DebugView(session: DebugSession(app: app)))
      let first = FrameSnapshot.lines(of: view, size: Size(columns: 60, rows: rows))[0]
      #expect(rows > 18 ? first.contains("Demo  nothing is sent") : first.contains("DEMO"))
    }
  }

  @Test("The demo's keys + and 0 work over a sheet, and + is typed into a text field")
  func keys() {
    var state = Screen.signedIn()
    state.isShowingKeys = true
    let app = Store(initialState: state) { AppFeature() }
    let pace = Store(
      initialState: PaceFeature.State(speed: 1, now: Sample.now, calendar: .utc)
    ) {
      PaceFeature()
    } withDependencies: {
      $0.paceClient = PaceClient { $0.setSpeed = { _ in } }
      $0.dateClient = .constant(Sample.now)
      $0.continuousClock = clock
    }
    let host = ViewHost()
    let session = DebugSession(app: app)
    func press(_ key: KeyPress) {
      _ = host.frame(
        PaceView(store: pace, app: DebugView(session: session)), size: Size(columns: 80, rows: 24))
      _ = host.dispatch(.key(key))
    }
    press("+")
    #expect(pace.speed == 10)
    press("0")
    #expect(pace.isStopped)
    app.send(.keysClosed)
    app.send(.paletteButtonTapped)
    press("+")
    #expect(pace.speed == 10)
    #expect(app.palette?.query.text == "+")
  }
}

/// Records the speeds that were set.
final class SpeedLog: Sendable {
  private let speeds = Mutex<[Int]>([])
  var value: [Int] { speeds.withLock { $0 } }
  func append(_ speed: Int) { speeds.withLock { $0.append(speed) } }
}
