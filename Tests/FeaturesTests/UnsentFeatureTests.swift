import Clients
import Composable
import ComposableTesting
import Domain
import Terminal
import Testing

@testable import Features

/// The sheet of check-ins that the server hasn't received (OFF-2).
@MainActor @Suite struct UnsentFeatureTests {
  @Test("OFF-2: the sheet of unsent check-ins sends them once at a time, and forgets a refused one")
  func sending() async {
    let (sent, dismissed) = (LockedCounter(), LockedCounter())
    let store = TestStore(initialState: UnsentFeature.State()) {
      UnsentFeature()
    } withDependencies: {
      $0.offlineClient.sync = {
        sent.increment()
        return []
      }
      $0.offlineClient.dismiss = { id in
        if id == Sample.id(70) { dismissed.increment() }
      }
    }
    await store.send(.sendButtonTapped) { $0.isSending = true }
    await store.receive(.sent) { $0.isSending = false }
    var state = UnsentFeature.State()
    state.isSending = true
    let busy = TestStore(initialState: state) { UnsentFeature() }
    await busy.send(.sendButtonTapped)
    #expect(sent.value == 1)
    await store.send(.dismissButtonTapped(Sample.id(70))).finish()
    #expect(dismissed.value == 1)
    await store.send(.moved(ListPosition(selected: 1))) { $0.position.selected = 1 }
    await store.send(.closeButtonTapped)
    #expect(store.isDismissed)
  }
}
