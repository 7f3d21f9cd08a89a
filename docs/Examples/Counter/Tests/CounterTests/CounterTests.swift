import Composable
import ComposableTesting
import Terminal
import TerminalTesting
import Testing

@testable import Counter

@MainActor @Suite struct CounterTests {
  @Test func countsUpAndDown() async {
    let store = TestStore(initialState: CounterFeature.State()) { CounterFeature() }
    await store.send(.incrementButtonTapped) { $0.count = 1 }
    await store.send(.decrementButtonTapped) { $0.count = 0 }
  }

  @Test func theTimerCountsEverySecondUntilItIsStopped() async {
    let clock = TestClock()
    let store = TestStore(initialState: CounterFeature.State()) {
      CounterFeature()
    } withDependencies: {
      $0.continuousClock = clock
    }
    await store.send(.timerButtonTapped) { $0.isTicking = true }
    await clock.advance(by: .seconds(2))
    await store.receive(.ticked) { $0.count = 1 }
    await store.receive(.ticked) { $0.count = 2 }
    await store.send(.timerButtonTapped) { $0.isTicking = false }
    await clock.advance(by: .seconds(10))
    await store.finish()
  }

  @Test func quittingStopsTheTimer() async {
    let store = TestStore(initialState: CounterFeature.State()) {
      CounterFeature()
    } withDependencies: {
      $0.continuousClock = TestClock()
    }
    await store.send(.timerButtonTapped) { $0.isTicking = true }
    await store.send(.quitButtonTapped) { $0.isFinished = true }
    await store.finish()
  }

  @Test func theProgramCountsAndQuits() throws {
    let program = try PTY(BuiltProgram.path("Counter"))
    try program.wait(for: "stopped")
    program.send(" ")
    try program.wait(for: "counting")
    program.send("q")
    #expect(try program.waitForExit() == .exited(0))
  }

  @Test func looksLikeThis() {
    let store = Store(initialState: CounterFeature.State(count: 42)) { CounterFeature() }
    expectFrame(
      CounterView(store: store), size: Size(columns: 50, rows: 10),
      matches: """

                        ╭ Counter ──────╮
                        │    ▄ ▄ ▄▄▄    │
                        │    █▄█ ▄▄█    │
                        │      █ █▄▄    │
                        │               │
                        │    stopped    │
                        ╰───────────────╯

         ↑ Count up   ↓ Count down   Space Start   q Quit
        """)
  }
}
