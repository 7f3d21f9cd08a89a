import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials

@testable import Features

extension MainTabFeature.State {
  /// The tabs of an account before any of its data is loaded.
  static func opened(at now: Date = Sample.now) -> Self {
    Self(snapshot: AccountSnapshot(user: Sample.user, now: now, calendar: .utc))
  }
}

extension AppFeature.State {
  /// The app with an account signed in.
  static func signedIn(_ snapshot: AccountSnapshot = Sample.snapshot()) -> Self {
    var state = Self()
    state.main = MainTabFeature.State(snapshot: snapshot)
    return state
  }

  /// Shows a changed snapshot on the tabs.
  mutating func show(_ change: (inout AccountSnapshot) -> Void) {
    guard var snapshot = main?.snapshot else { return }
    change(&snapshot)
    main?.show(snapshot)
  }
}

extension TestStore where State == AppFeature.State, Action == AppFeature.Action {
  /// The app at a fixed time, with clients that notify nobody.
  static func app(
    _ state: AppFeature.State, on clock: TestClock, at now: Date = Sample.now,
    prepare: (inout DependencyValues) -> Void
  ) -> TestStore {
    TestStore(initialState: state) {
      AppFeature()
    } withDependencies: {
      $0.continuousClock = clock
      $0.dateClient = .constant(now)
      prepare(&$0)
    }
  }
}
