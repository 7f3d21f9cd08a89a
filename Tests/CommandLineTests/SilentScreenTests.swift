import Clients
import Composable
import ComposableTesting
import Domain
import Monitor
import Synchronization
import Terminal
import TerminalTesting
import Testing

@testable import CommandLine
@testable import Features

/// ALT-9: every screen and every other trace of a running app, with and without a silent alert.
@MainActor @Suite struct SilentScreenTests {
  /// Keeps the worlds alive, because effects that outlive a test still use them.
  private static var worlds: [World] = []

  /// Records the calls by bell and desktop notification, in order.
  private final class Calls: Sendable {
    private let calls = Mutex<[String]>([])
    var all: [String] { calls.withLock { $0 } }
    func add(_ call: String) { calls.withLock { $0.append(call) } }
  }

  /// The app in a world where the gate was passed.
  @MainActor private struct Life {
    let world = World()
    let store: StoreOf<AppFeature>
    let host = ViewHost()
    let calls = Calls()

    init(_ passphrase: String) async throws {
      let world = self.world
      SilentScreenTests.worlds.append(world)
      await world.openAccount()
      try await world.values.authClient.updateGate(
        Gate(passphrase: Secret("blue kettle"), duress: Secret("green kettle")))
      world[\.secret] = .success(passphrase)
      try await world.watch()
      let provide = try world.provide()
      let recording = try RecordingFile("actions.jsonl", world.recordingAccess)
      store =
        AppSession(recording: recording.target) { [calls] in
          provide(&$0)
          $0.continuousClock = TestClock()
          // Settings of its own: an app that finds them taken over doesn't record that it does so.
          $0.sharedStorage = SharedStorage()
          $0.attentionClient = AttentionClient { title, text, _ in calls.add("\(title): \(text)") }
        }.store
    }

    /// Runs commands while the app is open.
    /// - Parameter outcome: The outcome of the messages of the last command.
    func act(_ acts: [String], _ outcome: DeliveryOutcome) async throws {
      for act in acts {
        if act == acts.last { world[\.deliveryService] = DeliveryService { _ in outcome } }
        _ = await world.run(act)
        try await world.letMonitorWork()
      }
      try await world.advanceWatched(by: .minutes(7))
      try await world.letMonitorWork()
    }

    var frame: Frame { frame(Size(columns: 100, rows: 40)) }

    func frame(_ size: Size) -> Frame { host.frame(AppView(store: store), size: size) }

    func press(_ key: KeyPress) {
      _ = frame
      _ = host.dispatch(.key(key))
    }

    /// The last recorded action of each stream. The actions before it depend on the timing of two
    /// tasks, as do those of sheets, which the frames cover. A dictionary ignores the order.
    var recorded: [Substring: [String]] {
      let lines = world[\.recordings]["actions.jsonl", default: ""].split(separator: "\n")
      return Dictionary(
        lines.dropFirst().filter { !$0.hasPrefix(#"{"action":{"main":"#) }.map { line in
          let said = String(line).replacing(/[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/) {
            _ in
            "id"
          }
          .replacing(/,"date":[0-9.]+}$/, with: "").replacing(/"lastSeen":[0-9.]+,/, with: "")
          let kind = line.prefixMatch(of: /{"action":({"[A-Za-z0-9_]+":)+/)?.output.0 ?? line
          return (kind, said.split(separator: ",").map(String.init).sorted())
        }, uniquingKeysWith: { $1 })
    }

    /// The distinct lines of the error log.
    var errors: Set<String> {
      get async {
        Set(await world.values.errorLogger.entries(.debug, 999).map { "\($0.level) \($0.message)" })
      }
    }

    /// Lets hours pass with the app open: the monitor repeats its messages, and a responder
    /// answers.
    func goOn() async throws {
      let sent = Calls()
      world[\.deliveryService] = DeliveryService { delivery in
        if let code = delivery.code?.value, delivery.stage.isCall { sent.add(code) }
        return .sent
      }
      try await world.advanceWatched(by: .minutes(61))
      try await world.letMonitorWork()
      if let code = sent.all.first { _ = try await world.values.responseClient.respondByLink(code) }
      try await world.letMonitorWork()
      store.send(.ticked)
    }
  }

  /// Waits until both apps look the same, and fails if they don't.
  private func expectSame(
    _ open: Life, _ forced: Life, _ step: String, until isThere: (Frame) -> Bool = { _ in true }
  ) async {
    var (shown, shownForced) = (open.frame, forced.frame)
    for _ in 0..<100 where shown != shownForced || !isThere(shown) {
      for _ in 0..<200 { await Task.yield() }
      (shown, shownForced) = (open.frame, forced.frame)
    }
    #expect(shown.lines == shownForced.lines, "\(step)")
    #expect(shown == shownForced, "\(step)")
    // Other sizes show other panels, columns and lines.
    for size in [Size(columns: 60, rows: 18), Size(columns: 150, rows: 50)] {
      #expect(open.frame(size).lines == forced.frame(size).lines, "\(step) at \(size)")
    }
    #expect(isThere(shown), "\(step): \(shown.text)")
  }

  private static let keys: [KeyPress] =
    "aehinoprstw?/:".map { KeyPress(.character($0)) } + ["enter"]

  @Test(
    "ALT-9: every screen, notice, log and recording is the same with and without a silent alert",
    arguments: [
      (["check-in"], DeliveryOutcome.sent),
      (["alert on", "alert off"], .permanent(reason: "550 no such user")),
    ])
  func screens(_ acts: [String], _ outcome: DeliveryOutcome) async throws {
    let open = try await Life("blue kettle")
    let forced = try await Life("green kettle")
    for life in [open, forced] { life.store.send(.started) }
    await expectSame(open, forced, "the start") { $0.text.contains("Check in now") }
    for life in [open, forced] { try await life.act(acts, outcome) }
    let gate = Secret("blue kettle")
    #expect(try await open.world.values.authClient.$silentAlert(typing: gate) == nil)
    #expect(try await forced.world.values.authClient.$silentAlert(typing: gate) != nil)
    for life in [open, forced] { life.store.send(.ticked) }
    for (round, keys) in [("at once", ["enter"]), ("after an hour", Self.keys)] {
      if round != "at once" { for life in [open, forced] { try await life.goOn() } }
      for tab in ["1", "2", "3", "4", "5"] as [KeyPress] {
        for key in keys {
          for life in [open, forced] {
            life.press(tab)
            life.press(key)
          }
          await expectSame(open, forced, "\(key) on tab \(tab) \(round)")
          for life in [open, forced] { for _ in 0..<3 { life.press("esc") } }
        }
      }
    }
    // Make sure that there was something to see.
    for life in [open, forced] { life.press("4") }
    await expectSame(open, forced, "the alerts") { acts.count == 1 || $0.text.contains("Grace") }
    let alert = try await forced.world.values.authClient.$silentAlert(typing: gate)
    #expect(alert?.acknowledgements.count == 1)
    #expect(open.calls.all == forced.calls.all)
    #expect(open.recorded == forced.recorded)
    #expect(await open.errors == forced.errors)
  }

  @Test(
    "An alert that isn't silent changes the screens, desktop notices and recording compared here")
  func whatIsSeen() async throws {
    let open = try await Life("blue kettle")
    let shown = try await Life("blue kettle")
    for life in [open, shown] { life.store.send(.started) }
    await expectSame(open, shown, "the start") { $0.text.contains("Check in now") }
    try await open.act(["check-in"], .sent)
    try await shown.act(["alert on"], .sent)
    for life in [open, shown] { try await life.goOn() }
    for _ in 0..<100 where shown.calls.all.isEmpty || open.frame == shown.frame {
      for _ in 0..<200 { await Task.yield() }
    }
    #expect(open.frame != shown.frame)
    #expect(open.calls.all.isEmpty && !shown.calls.all.isEmpty)
    #expect(open.recorded != shown.recorded)
  }
}
