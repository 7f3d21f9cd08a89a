import Clients
import Composable
import ComposableFoundation
import ComposableTesting
import Domain
import FoundationEssentials
import Terminal
import Testing

@testable import Features

@MainActor @Suite struct DebugFeatureTests {
  /// An app state whose toast shows its number.
  private func app(_ number: Int) -> AppFeature.State {
    var state = AppFeature.State()
    state.toast = ToastMessage("\(number)")
    return state
  }

  private func makeStore(
    _ state: DebugFeature.State = DebugFeature.State()
  ) -> TestStoreOf<DebugFeature> {
    TestStore(initialState: state) {
      DebugFeature()
    } withDependencies: {
      $0.dateClient = .constant(Sample.now)
    }
  }

  /// The open overlay after some actions.
  private func opened(actions: Int = 3) -> DebugFeature.State {
    var state = DebugFeature.State()
    state.form = .panel
    state.history = DebugFeature.History(initialState: app(0))
    for number in 0..<actions {
      state.history?.append(.ticked, date: Sample.now, state: app(number + 1))
    }
    return state
  }

  @Test func f12_opensAndClosesTheOverlay() async {
    let store = makeStore()
    await store.send(.debugKeyPressed) { $0.form = .panel }
    await store.send(.debugKeyPressed) { $0.form = .hidden }
    await store.send(.debugKeyPressed) { $0.form = .panel }
    await store.send(.sizeButtonTapped) { $0.form = .line }
    await store.send(.debugKeyPressed) { $0.form = .panel }
    await store.send(.closeButtonTapped) { $0.form = .hidden }
  }

  @Test func actions_areNotedWithTheStateThatTheyLeft() async {
    let store = makeStore()
    await store.send(.observationBegan(app(0), dependencies: ["DateClient"])) {
      $0.history = DebugFeature.History(initialState: app(0))
      $0.dependencies = ["DateClient"]
    }
    await store.send(.reduced(.ticked, app(1))) {
      $0.history?.append(.ticked, date: Sample.now, state: app(1))
    }
    let effect = EffectInFlight(location: IssueLocation(), ids: ["tick"])
    await store.send(.effectsChanged([effect])) { $0.effects = [effect] }
  }

  @Test func stepping_showsRecordedStatesAndLeadsBackToNow() async {
    let store = makeStore(opened())
    #expect(store.state.recordedState == nil)
    await store.send(.backButtonTapped) { $0.moment = 2 }
    #expect(store.state.recordedState == app(2))
    await store.send(.backButtonTapped) { $0.moment = 1 }
    await store.send(.backButtonTapped) { $0.moment = 0 }
    #expect(store.state.recordedState == app(0))
    #expect(store.state.shownEntry == nil)
    await store.send(.backButtonTapped)
    await store.send(.forwardButtonTapped) { $0.moment = 1 }
    await store.send(.forwardButtonTapped) { $0.moment = 2 }
    await store.send(.forwardButtonTapped) { $0.moment = nil }
    await store.send(.forwardButtonTapped)
  }

  @Test func aListsRow_isAMoment() async {
    let store = makeStore(opened())
    await store.send(.moved(ListPosition(selected: 1, offset: 1))) {
      $0.offset = 1
      $0.moment = 1
    }
    await store.send(.moved(ListPosition(selected: 3))) {
      $0.offset = 0
      $0.moment = nil
    }
  }

  @Test(arguments: [DebugFeature.Action.nowButtonTapped, .closeButtonTapped, .debugKeyPressed])
  func leaving_returnsToNow(action: DebugFeature.Action) async {
    let store = makeStore(opened())
    await store.send(.backButtonTapped) { $0.moment = 2 }
    await store.send(action) {
      $0.moment = nil
      if action != .nowButtonTapped { $0.form = .hidden }
    }
  }

  @Test func aRecordedState_staysWhileTheAppGoesOn() async {
    let store = makeStore(opened())
    await store.send(.backButtonTapped) { $0.moment = 2 }
    await store.send(.paneScrolled(4)) { $0.paneOffset = 4 }
    await store.send(.reduced(.ticked, app(4))) {
      $0.history?.append(.ticked, date: Sample.now, state: app(4))
    }
    #expect(store.state.recordedState == app(2))
  }

  @Test func aRecordedStateThatIsForgotten_isTheOldest() async {
    var state = opened(actions: 200)
    state.moment = 0
    let store = makeStore(state)
    await store.send(.reduced(.ticked, app(201))) {
      $0.history?.append(.ticked, date: Sample.now, state: app(201))
      $0.moment = 1
    }
    #expect(store.state.recordedState == app(1))
  }

  @Test func panes_goRoundAndStartAtTheirTop() async {
    let store = makeStore(opened())
    await store.send(.paneScrolled(7)) { $0.paneOffset = 7 }
    await store.send(.nextPaneButtonTapped) {
      $0.pane = .effects
      $0.paneOffset = 0
    }
    await store.send(.nextPaneButtonTapped) { $0.pane = .calls }
    await store.send(.nextPaneButtonTapped) { $0.pane = .dependencies }
    await store.send(.nextPaneButtonTapped) { $0.pane = .changes }
    await store.send(.paneScrolled(2)) { $0.paneOffset = 2 }
    await store.send(.backButtonTapped) {
      $0.moment = 2
      $0.paneOffset = 0
    }
    await store.send(.paneScrolled(1)) { $0.paneOffset = 1 }
    await store.send(.nowButtonTapped) {
      $0.moment = nil
      $0.paneOffset = 0
    }
    await store.send(.paneScrolled(3)) { $0.paneOffset = 3 }
    await store.send(.reduced(.ticked, app(4))) {
      $0.history?.append(.ticked, date: Sample.now, state: app(4))
      $0.paneOffset = 0
    }
  }
}
