import Clients
import Composable
import ComposableFoundation
import ComposableTesting
import Domain
import FoundationEssentials
import Terminal
import TerminalTesting
import Testing

@testable import Features

@MainActor @Suite struct StandbyFeatureTests {
  nonisolated static let standby = Standby(
    heartbeat: "https://hc-ping.com/ada", topic: "https://ntfy.sh/ada")

  private func makeStore(
    _ state: StandbyFeature.State = .init(), prepare: (inout DependencyValues) -> Void
  ) -> TestStoreOf<StandbyFeature> {
    TestStore(initialState: state) {
      StandbyFeature()
    } withDependencies: {
      prepare(&$0)
    }
  }

  private func loaded(_ standby: Standby = Standby()) -> StandbyFeature.State {
    var state = StandbyFeature.State()
    state.form = Form([
      .heartbeat: TextInput(standby.heartbeat ?? "", limit: 2_000),
      .topic: TextInput(standby.topic ?? "", limit: 2_000),
    ])
    return state
  }

  @Test("WCH-2: the standby sheet loads the current settings and saves changes")
  func saves() async {
    let store = makeStore {
      $0.standbyClient.standby = { Standby(heartbeat: Self.standby.heartbeat) }
      $0.standbyClient.update = { standby in #expect(standby == Self.standby) }
    }
    await store.send(.opened)
    await store.receive(.loaded(Standby(heartbeat: Self.standby.heartbeat))) {
      $0 = self.loaded(Standby(heartbeat: Self.standby.heartbeat))
    }
    await store.send(.form(.nextField)) {
      $0.form?.touched = [.heartbeat]
      $0.form?.focus = .topic
    }
    await store.send(.form(.edited(.topic, .insert("ada")))) {
      $0.form?[.topic].apply(.insert("ada"))
    }
    await store.send(.form(.saveButtonTapped)) {
      $0.form?.touched = [.heartbeat, .topic]
      $0.form?.isSaving = true
    }
    await store.receive(.saved(Self.standby)) { $0.form?.isSaving = false }
  }

  @Test("WCH-1: the standby sheet says no monitor is running if none is known to run")
  func standing() {
    let store = Store(initialState: loaded()) { StandbyFeature() }
    func text(_ watch: WatchStatus?) -> String {
      let snapshot = AccountSnapshot(
        user: Sample.user, history: [], alerts: [], watch: watch, now: Sample.now, calendar: .utc)
      let lines = FrameSnapshot.lines(
        of: StandbyView(store: store, snapshot: snapshot), size: Size(columns: 80, rows: 24))
      return lines.joined(separator: "\n")
    }
    for watch in [nil, WatchStatus(monitors: 0)] {
      #expect(text(watch).contains("No monitor is running on"))
    }
    #expect(text(WatchStatus(monitors: 1)).contains("a monitor on this computer watches"))
  }

  @Test("WCH-2: the standby sheet can generate a new ntfy topic")
  func newTopic() async {
    let store = makeStore(loaded(Self.standby)) { $0.uuid = .incrementing }
    await store.send(.newTopicButtonTapped) {
      $0.form?.focus = .topic
      $0.form?[.topic].apply(.selectAll)
      $0.form?[.topic].apply(.insert("https://ntfy.sh/00000000000000000000000000000000"))
    }
  }

  @Test("WCH-2: a heartbeat address that isn't HTTPS shows an error and isn't saved")
  func refuses() async {
    let store = makeStore(loaded()) { _ in }
    await store.send(.form(.edited(.heartbeat, .insert("http://example.org")))) {
      $0.form?[.heartbeat].apply(.insert("http://example.org"))
    }
    await store.send(.form(.saveButtonTapped)) {
      $0.form?.touched = [.heartbeat, .topic]
      $0.form?.errors = [.heartbeat: .webAddress]
    }
  }

  @Test(
    "WCH-2: standby settings that can't be loaded or saved show an error; loading can be retried")
  func failures() async {
    let busy = ClientError.storage(.busy)
    let store = makeStore {
      $0.standbyClient.standby = { () async throws(ClientError) in throw busy }
      $0.standbyClient.update = { (_: Standby) async throws(ClientError) in
        throw busy
      }
    }
    await store.send(.opened)
    await store.receive(.loadFailed(busy)) { $0.failure = busy.text }
    store.dependencies.standbyClient.standby = { Standby() }
    await store.send(.opened) { $0.failure = nil }
    await store.receive(.loaded(Standby())) { $0 = self.loaded() }
    await store.send(.form(.saveButtonTapped)) {
      $0.form?.touched = [.heartbeat, .topic]
      $0.form?.isSaving = true
    }
    await store.receive(.saveFailed(busy)) {
      $0.form?.isSaving = false
      $0.form?.failure = busy.text
    }
  }

  @Test("WCH-2: the Check-In tab opens the standby sheet and closes the sheet after saving")
  func checkInTab() async {
    let store = TestStore(initialState: MainTabFeature.State(snapshot: Sample.snapshot())) {
      MainTabFeature()
    } withDependencies: {
      $0.standbyClient.standby = { Standby() }
    }
    await store.send(.checkIn(.standbyButtonTapped)) {
      $0[StandbyFeature.self] = StandbyFeature.State()
    }
    await store.receive(.sheet(StandbyFeature.self, .opened))
    await store.receive(.sheet(StandbyFeature.self, .loaded(Standby()))) {
      $0[StandbyFeature.self] = self.loaded()
    }
    await store.send(.sheet(StandbyFeature.self, .saved(Standby()))) {
      $0[StandbyFeature.self] = nil
    }
  }

  @Test("WCH-2: onboarding has a checkbox for setting up the standby")
  func onboarding() async {
    let store = TestStore(initialState: OnboardingFeature.State(calendar: .utc)) {
      OnboardingFeature()
    }
    await store.send(.standbyButtonTapped) { $0.asksForStandby = true }
    await store.send(.standbyButtonTapped) { $0.asksForStandby = false }
  }
}
