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

/// The screen when the store, or a part of it, can't be read: only that part degrades, and the
/// countdown, `c` and the emergency key always work.
@MainActor @Suite struct StalledStreamTests {
  let clock = TestClock()
  /// A second after the hour: nothing visible changes for the next 59.
  let now = Sample.now + .seconds(1)
  let corrupt = StorageError.corrupt(detail: "Page 3.")

  func makeStore(
    _ state: AppFeature.State = .init(), prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<AppFeature> {
    .app(state, on: clock, at: now) {
      AppFeatureTests.quiet(&$0)
      $0.authClient.state = { () async throws(ClientError) in .signedIn(Sample.user.id) }
      $0.userClient.currentUser = { () async throws(ClientError) in Sample.user }
      prepare(&$0)
    }
  }

  /// A sequence of streams, each of which ends with an error or after one value.
  nonisolated func streams<Value: Sendable>(
    _ outcomes: [Result<Value, any Error>]
  ) -> @Sendable () -> AsyncThrowingStream<Value, any Error> {
    let next = Mutex(0)
    return {
      let index = next.withLock { next in
        defer { next += 1 }
        return next
      }
      return AsyncThrowingStream { continuation in
        switch outcomes[min(index, outcomes.count - 1)] {
        case .success(let value): continuation.yield(value)
        case .failure(let error): continuation.finish(throwing: error)
        }
      }
    }
  }

  private func open(_ store: TestStoreOf<AppFeature>) async {
    await store.send(.started)
    await store.receive(.accountFound(Sample.user)) {
      $0.main = .opened(at: now)
    }
  }

  @Test("A failed stream is reopened after 0.5 s, then 1 s, and its error ends with a new value")
  func retries() async {
    let reports = [AlertReport(alert: Sample.alert)]
    let store = makeStore {
      let open = streams([
        .failure(StorageError.busy), .failure(StorageError.busy), .success(reports),
      ])
      $0.alertClient.observe = { _ in open() }
    }
    await open(store)
    let busy = StorageError.busy.text
    await store.receive(.changed(.failed(.alerts, busy))) {
      $0.show { $0.stalls = [.alerts: .init(error: busy, since: now)] }
    }
    #expect(
      store.state.main?.snapshot.stallText?.text
        == "Out of date since today 08:00: your alerts. Another program is using the store. "
        + "Trying again by itself.")
    await clock.advance(by: .milliseconds(499))
    await clock.advance(by: .milliseconds(1))
    await store.receive(.changed(.failed(.alerts, busy)))
    await clock.advance(by: .milliseconds(999))
    await clock.advance(by: .milliseconds(1))
    await store.receive(.changed(.resumed(.alerts))) { $0.show { $0.stalls = [:] } }
    await store.receive(.changed(.alerts(reports))) { $0.show { $0.alerts = reports } }
    #expect(store.state.main?.snapshot.stallText == nil)
    await store.skipInFlightEffects()
  }

  @Test("An error that needs action says what to do, and the stream is retried every 10 s")
  func damaged() async {
    let store = makeStore {
      let open = streams(
        Array(repeating: .failure(corrupt), count: 6) + [.success([AlertReport]())])
      $0.alertClient.observe = { _ in open() }
    }
    await open(store)
    await store.receive(.changed(.failed(.alerts, corrupt.text))) {
      $0.show { $0.stalls = [.alerts: .init(error: corrupt.text, since: now)] }
    }
    let text = store.state.main?.snapshot.stallText
    #expect(
      text?.text == "Out of date since today 08:00: your alerts. The store is damaged. Page 3.")
    #expect(text?.recovery == corrupt.text.recovery)
    for pause in [500, 1_000, 2_000, 4_000, 8_000] {
      await clock.advance(by: .milliseconds(pause))
      await store.receive(.changed(.failed(.alerts, corrupt.text)))
    }
    await clock.advance(by: .seconds(10))
    await store.receive(.changed(.resumed(.alerts))) { $0.show { $0.stalls = [:] } }
    await store.receive(.changed(.alerts([]))) { $0.show { $0.alerts = [] } }
    await store.skipInFlightEffects()
  }

  @Test("A server with another key shows an error instead of “Server unreachable”")
  func otherKey() {
    var snapshot = Sample.snapshot()
    snapshot.connection = .offline(since: Sample.now, asOf: Sample.now)
    #expect(snapshot.stallText?.text.hasPrefix("Server unreachable since") == true)
    let error = ClientError.storage(.network(.otherKey)).text
    snapshot.note(error, of: .watch, at: Sample.now)
    #expect(snapshot.stallText?.text.hasPrefix(error.description) == true)
    #expect(snapshot.stallText?.recovery == error.recovery)
  }

  @Test("While all streams fail, data stays, the clock ticks, c checks in and ! raises an alert")
  func everythingFails() async {
    let user = Sample.user
    var state = AppFeature.State.signedIn()
    for part in AccountSnapshot.Part.allCases {
      state.show { $0.note(StorageError.busy.text, of: part, at: Sample.now) }
    }
    #expect(
      state.main?.snapshot.stallText?.text.hasPrefix(
        "Out of date since today 08:00: this screen.") == true)
    let store = makeStore(state) {
      $0.alertClient.history = { (_: Int) async throws(ClientError) in [] }
      $0.checkInClient.checkIn = { _ async throws(ClientError) in user }
    }
    store.exhaustivity = .off  // Toasts and ticks have tests of their own.
    await store.send(.ticked)
    await store.send(.main(.checkIn(.checkInButtonTapped)))
    await store.receive(.main(.checkIn(.checkedIn(user))))
    #expect(store.state.main?.snapshot.user == user)
    for _ in 1...5 { await store.send(.main(.emergency(.emergencyKeyPressed))) }
    #expect(store.state.isRaisingAlert)
    await clock.advance(by: .seconds(60))
    await store.receive(.ticked)
    #expect(store.state.main != nil && store.state.failure == nil)
    await store.skipInFlightEffects()
  }

  @Test(
    "WCH-1: while the server doesn't answer, the screen doesn't say that monitors are watching",
    arguments: [60, 80, 100, 140])
  func unreachable(columns: Int) {
    var state = Screen.signedIn()
    state.show {
      $0.watch = WatchStatus(monitors: 2, lastSeen: $0.now)
    }
    func text() -> String {
      let store = Store(initialState: state) { AppFeature() }
      return ViewHost().frame(AppView(store: store), size: Size(columns: columns, rows: 40)).text
    }
    #expect(text().contains("watched by 2") && !text().contains("unreachable"))
    state.show { $0.connection = .reconnecting(asOf: $0.now) }
    #expect(state.main?.snapshot.knownWatch == nil)
    let brief = text()
    #expect(!brief.contains("watched by") && !brief.contains("are notified at"))
    #expect(brief.contains("As of today 08:00") && !brief.contains("All is well"))
    #expect(brief.contains(columns >= 80 ? "◌ reconnecting" : "◌"))
    state.show { $0.connection = .offline(since: now - .minutes(90), asOf: now - .hours(20)) }
    let away = text()
    #expect(!away.contains("watched by") && !away.contains("are notified at"))
    #expect(away.contains("Server unreachable since"))
    #expect(away.contains("As of yesterday 12:00") && !away.contains("All is well"))
    #expect(away.contains(columns >= 100 ? "who watches: unknown" : "▲ unknown"))
    #expect(away.contains("▲ server unreachable since") == (columns >= 140))
    state.show { $0.connection = .connected }
    #expect(text().contains("watched by 2"))
    // The person may have checked in elsewhere, or the responders may have been notified.
    state.show {
      $0.now = $0.user.deadline.graceEnd + .minutes(1)
      $0.connection = .offline(since: now, asOf: now)
    }
    let late = text()
    #expect(late.contains("Overdue as of") && !late.contains("nobody has been notified yet"))
  }

  @Test("ALT-1: while the server doesn't answer, the alert's panel says so and shows 112")
  func alertWhileUnreachable() {
    var state = Screen.signedIn()
    state.show { $0.connection = .offline(since: now, asOf: nil) }
    state.main?.emergency.phase = .raising
    let store = Store(initialState: state) { AppFeature() }
    let text = ViewHost().frame(AppView(store: store), size: Size(columns: 100, rows: 30)).text
    #expect(text.contains("The server doesn't answer: nobody may be notified."))
    #expect(!text.contains("An alert notifies") && text.contains("112"))
  }

  @Test("The app starts with the cached account and notifications while the server is away")
  func lastKnown() async {
    let isShown = Mutex(false)
    let (states, connection) = AsyncStream.makeStream(of: ConnectionState.self)
    let old = Date(timeIntervalSince1970: 1_700_000_000)
    let store = makeStore {
      $0.connectionClient.showLastKnown = { isShown.withLock { $0 = true } }
      $0.connectionClient.lastUser = { isShown.withLock { $0 } ? Sample.user : nil }
      $0.connectionClient.lastNotifications = { limit in
        limit == 500
          ? [NotificationItem(id: Sample.id(1), kind: .info, date: old, isRead: false)] : []
      }
      $0.connectionClient.observe = { states }
      $0.authClient.state = { () async throws(ClientError) in throw .storage(.busy) }
    }
    await store.send(.started)
    await store.receive(.accountFound(Sample.user)) { $0.main = .opened(at: now) }
    let item = NotificationItem(id: Sample.id(1), kind: .info, date: old, isRead: false)
    await store.receive(.changed(.lastNotifications([item]))) {
      $0.newNotificationsStart = now - .seconds(30)
      $0.show { $0.expect([item]) }
    }
    connection.yield(.reconnecting(asOf: old))
    await store.receive(.changed(.connection(.reconnecting(asOf: old)))) {
      $0.connection = .reconnecting(asOf: old)
      $0.show { $0.connection = .reconnecting(asOf: old) }
    }
    connection.yield(.connected)
    await store.receive(.changed(.connection(.connected))) {
      $0.connection = .connected
      $0.show { $0.connection = .connected }
    }
    await store.skipInFlightEffects()
  }

  @Test("Without cached data and a server, the app names the server and mentions no store")
  func nothingKnown() {
    var state = unreadable
    state.connection = .offline(since: now, asOf: nil)
    state.failure = StorageError.network(.serverUnreachable("ls.example.org")).text
    let store = Store(initialState: state) { AppFeature() }
    for size in [Size(columns: 60, rows: 18), Size(columns: 80, rows: 24)] {
      let text = ViewHost().frame(AppView(store: store), size: size).text
      #expect(text.contains("cannot reach its server") && text.contains("ls.example.org"))
      #expect(!text.contains("store") && text.contains("press ! five times"))
    }
    let tiny = ViewHost().frame(
      TooSmallView(
        size: Size(columns: 40, rows: 10),
        snapshot: {
          var snapshot = Sample.snapshot()
          snapshot.connection = .offline(since: now, asOf: now)
          return snapshot
        }()), size: Size(columns: 40, rows: 10)
    ).text
    #expect(tiny.contains("Not up to date"))
  }

  @Test("“All is well” isn't shown while session, account or alerts can't be read")
  func headline() {
    var state = Screen.signedIn()
    for part in AccountSnapshot.Part.allCases {
      state.show { $0.stalls = [part: .init(error: StorageError.busy.text, since: now)] }
      let store = Store(initialState: state) { AppFeature() }
      let text = ViewHost().frame(AppView(store: store), size: Size(columns: 80, rows: 24)).text
      let matters = [.session, .user, .alerts, .armed].contains(part)
      #expect(text.contains("All is well") != matters, "\(part)")
      #expect(text.contains(part.title), "\(part)")
    }
  }

  @Test("An account that can't be read is read again automatically and by pressing r")
  func accountRetries() async {
    let isBusy = Mutex(true)
    let store = makeStore {
      $0.userClient.currentUser = { () async throws(ClientError) in
        if isBusy.withLock({ $0 }) { throw .storage(.busy) }
        return Sample.user
      }
    }
    let failed: (inout AppFeature.State) -> Void = {
      $0.failure = StorageError.busy.text
      $0.emergency = EmergencyFeature.State()
      $0.unread = .unread(now: now, calendar: .utc)
    }
    await store.send(.started)
    await store.receive(.accountFailed(StorageError.busy.text), assert: failed)
    await clock.advance(by: .milliseconds(500))
    await store.receive(.accountFailed(StorageError.busy.text))
    await store.send(.retryButtonTapped)
    await store.receive(.accountFailed(StorageError.busy.text))
    isBusy.withLock { $0 = false }
    await clock.advance(by: .milliseconds(500))
    await store.receive(.accountFound(Sample.user)) {
      $0.main = .opened(at: now)
      $0.failure = nil
      $0.emergency = nil
      $0.unread = nil
    }
    await store.skipInFlightEffects()
  }

  /// A state in which the account can't be loaded.
  private var unreadable: AppFeature.State {
    var state = AppFeature.State()
    state.failure = corrupt.text
    state.emergency = EmergencyFeature.State()
    state.unread = .unread(now: now, calendar: .utc)
    return state
  }

  @Test("ALT-1: five presses of ! raise an alert while no account can be read")
  func alertWithoutAccount() async throws {
    let starts = LockedCounter()
    let store = makeStore(unreadable) {
      $0.alertClient.history = { (_: Int) async throws(ClientError) in [] }
      $0.watchClient.start = { () async throws(StorageError) in starts.increment() }
    }
    store.exhaustivity = .off  // Only which feature shows the alert matters.
    let host = ViewHost()
    for _ in 1...5 {
      _ = host.frame(
        AppView(store: Store(initialState: store.state) { EmptyReducer() }),
        size: Size(columns: 80, rows: 24))
      #expect(host.commands.contains { $0.key == "!" })
      await store.send(.emergency(.emergencyKeyPressed))
    }
    #expect(store.state.isRaisingAlert)
    // The account is loaded in the meantime, which doesn't interrupt the alert.
    await store.send(.accountFound(Sample.user))
    #expect(store.state.emergency?.phase.isRaising == true && store.state.main != nil)
    await store.send(.emergency(.sendNowButtonTapped))
    await store.receive(.emergency(.raised(Sample.alert)))
    #expect(store.state.emergency == nil && store.state.failure == nil)
    await store.receive(.main(.emergency(.alertShown(Sample.alert))))
    #expect(store.state.main?.emergency.phase == .raised(Sample.alert))
    await store.skipInFlightEffects()
    #expect(starts.value >= 2)
  }

  @Test(
    "ALT-1: an alert that can't be stored stays on screen and can be stopped")
  func alertFailsWithoutAccount() async {
    let store = makeStore(unreadable) {
      $0.alertClient.arm = { (_, _, _) async throws(ClientError) in throw .storage(.busy) }
      $0.alertClient.spool = { (_, _, _) async throws(ClientError) in throw .storage(.full) }
      $0.alertClient.disarm = { (_: Alert.ID) async throws(ClientError) in throw .storage(.busy) }
    }
    store.exhaustivity = .off  // Only how long the alert stays on the screen matters.
    for _ in 1...5 { await store.send(.emergency(.emergencyKeyPressed)) }
    await store.send(.emergency(.sendNowButtonTapped))
    await store.receive(.emergency(.raiseFailed(.storage(.busy))))
    #expect(store.state.isRaisingAlert)
    await store.send(.signInNeeded(email: nil, notice: nil))
    #expect(store.state.emergency != nil && store.state.authentication != nil)
    await store.send(.emergency(.stopButtonTapped))
    await store.receive(.emergency(.disarmed))
    #expect(store.state.emergency == nil && store.state.failure == nil)
  }
}
