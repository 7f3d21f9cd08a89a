import Clients
import Composable
import ComposableTesting
import Domain
import Terminal
import TerminalTesting
import Testing

@testable import Features

@MainActor @Suite struct PaletteTests {
  func makeStore() -> StoreOf<AppFeature> {
    Store(initialState: Screen.signedIn()) {
      AppFeature()
    } withDependencies: {
      $0.checkInClient.historySince = { _ in [] }
    }
  }

  /// Presses keys in the app's views, one frame after the other.
  func press(_ keys: [KeyPress], in store: StoreOf<AppFeature>) {
    let host = ViewHost()
    for key in keys {
      _ = host.frame(AppView(store: store), size: Size(columns: 80, rows: 24))
      _ = host.dispatch(.key(key))
    }
  }

  @Test(
    "The palette opens with a key and does what is found and chosen", arguments: [":", "ctrl+p"])
  func palette(key: KeyPress) {
    let store = makeStore()
    press([key, "h", "i", "s", "t", "enter"], in: store)
    #expect(store.palette == nil)
    #expect(store.main?.checkIn.history != nil)
  }

  @Test("Esc closes the palette and changes nothing")
  func closes() {
    let store = makeStore()
    press([":", "p", "esc"], in: store)
    #expect(store.state == Screen.signedIn())
  }

  @Test("ALT-1: the command for an alert asks for a typed word before it counts down")
  func alert() {
    let store = makeStore()
    press([":", "a", "l", "e", "r", "t", "enter"], in: store)
    #expect(store.main?.emergency.phase == .confirming)
  }
}

@MainActor @Suite struct AlertConfirmationTests {
  @Test("ALT-1: only the whole word begins the countdown, and Esc stops it")
  func confirmation() async {
    let clock = TestClock()
    let store = TestStore(initialState: EmergencyFeature.State()) {
      EmergencyFeature()
    } withDependencies: {
      $0.continuousClock = clock
      $0.uuid = .incrementing
      $0.watchClient.start = { () async throws(StorageError) in }
      $0.alertClient.arm = { (_, _, _) async throws(ClientError) in .stopped }
    }
    await store.send(.alertCommandChosen) { $0.phase = .confirming }
    await store.send(.confirmationEdited(.insert("aler"))) {
      $0.confirmation.apply(.insert("aler"))
    }
    await store.send(.confirmationSubmitted)
    await store.send(.confirmationEdited(.insert("T "))) { $0.confirmation.apply(.insert("T ")) }
    await store.send(.confirmationSubmitted) {
      $0.begin(.init(EmergencyFeatureTests.armedID))
      $0.armed?.isStoring = true
    }
    // Stopped, as this store says.
    await store.receive(.disarmed) {
      $0.settled = EmergencyFeatureTests.armedID
      $0.phase = .idle
      $0.armed = nil
    }
    await store.send(.confirmationSubmitted)
  }
}
