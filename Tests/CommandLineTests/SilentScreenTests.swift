import Clients
import Composable
import ComposableTesting
import Domain
import Monitor
import Terminal
import TerminalTesting
import Testing

@testable import CommandLine
@testable import Features

/// ALT-9: every screen, with a silent alert and without one.
@MainActor @Suite struct SilentScreenTests {
  /// What is still under way when a test ends asks its world.
  private static var worlds: [World] = []

  /// The app in a world in which somebody passed the gate.
  @MainActor private struct Life {
    let world = World()
    let store: StoreOf<AppFeature>
    let host = ViewHost()

    init(_ passphrase: String, after acts: [String], _ outcome: DeliveryOutcome) async throws {
      let world = self.world
      SilentScreenTests.worlds.append(world)
      await world.openAccount()
      try await world.values.authClient.updateGate(
        nil, Gate(passphrase: Secret("blue kettle"), duress: Secret("green kettle")))
      world[\.secret] = .success(passphrase)
      try await world.watch()
      for act in acts {
        if act == acts.last { world[\.courier] = Courier { _ in outcome } }
        _ = await world.run(act)
        try await world.letMonitorWork()
      }
      try await world.advanceWatched(by: .minutes(7))
      try await world.letMonitorWork()
      let provide = try world.provide()
      store = Store(initialState: AppFeature.State()) {
        AppFeature()
      } withDependencies: {
        provide(&$0)
        $0.continuousClock = TestClock()
        $0.attentionClient = .silent
      }
    }

    var frame: Frame { host.frame(AppView(store: store), size: Size(columns: 100, rows: 40)) }

    func press(_ key: KeyPress) {
      _ = frame
      _ = host.dispatch(.key(key))
    }
  }

  /// Lets both work until they look the same, and shows what does.
  private func expectSame(
    _ open: Life, _ forced: Life, _ step: String, until isThere: (Frame) -> Bool = { _ in true }
  ) async {
    for _ in 0..<100 {
      if open.frame == forced.frame, isThere(open.frame) { return }
      for _ in 0..<200 { await Task.yield() }
    }
    #expect(open.frame.lines == forced.frame.lines, "\(step)")
    #expect(open.frame == forced.frame, "\(step)")
    #expect(isThere(open.frame), "\(step): \(open.frame.text)")
  }

  private static let keys: [KeyPress] =
    "aehinoprstw?/:".map { KeyPress(.character($0)) } + ["enter"]

  @Test(
    "ALT-9: with and without a silent alert every screen looks the same",
    arguments: [
      (["check-in"], DeliveryOutcome.sent),
      (["alert on", "alert off"], .permanent(reason: "550 no such user")),
    ])
  func screens(_ acts: [String], _ outcome: DeliveryOutcome) async throws {
    let open = try await Life("blue kettle", after: acts, outcome)
    let forced = try await Life("green kettle", after: acts, outcome)
    let gate = Secret("blue kettle")
    #expect(try await open.world.values.authClient.silentAlert(gate) == nil)
    #expect(try await forced.world.values.authClient.silentAlert(gate) != nil)
    for life in [open, forced] { life.store.send(.started) }
    await expectSame(open, forced, "the start") { $0.text.contains("Check in now") }
    for tab in ["1", "2", "3", "4", "5"] as [KeyPress] {
      for key in Self.keys {
        for life in [open, forced] {
          life.press(tab)
          life.press(key)
        }
        await expectSame(open, forced, "\(key) on tab \(tab)")
        for life in [open, forced] { for _ in 0..<3 { life.press("esc") } }
      }
    }
    // The walk has seen something.
    for life in [open, forced] { life.press("4") }
    await expectSame(open, forced, "the alerts") { acts.count == 1 || $0.text.contains("Grace") }
  }
}
