import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Synchronization
import Terminal
import Testing

@testable import Features

@MainActor @Suite struct EmergencyFeatureTests {
  let clock = TestClock()

  func makeStore(
    phase: EmergencyFeature.Phase = .idle, prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<EmergencyFeature> {
    var state = EmergencyFeature.State()
    state.phase = phase
    return TestStore(initialState: state) {
      EmergencyFeature()
    } withDependencies: {
      $0.continuousClock = clock
      $0.dateClient = .constant(Sample.now)
      prepare(&$0)
    }
  }

  /// Presses the emergency key so often that the countdown starts.
  func press(_ store: TestStoreOf<EmergencyFeature>) async {
    for _ in 1..<AlertTrigger.pressesNeeded {
      await store.send(.emergencyKeyPressed) { _ = $0.trigger.press(at: Sample.now) }
    }
    await store.send(.emergencyKeyPressed) {
      $0.trigger.reset()
      $0.phase = .raising(secondsLeft: 5)
    }
  }

  @Test("ALT-1: five presses, five seconds, and the alert is stored")
  func raise() async {
    let store = makeStore {
      $0.alertClient.raise = { (message: String) async throws(AlertError) in
        #expect(message == "")
        return Sample.alert
      }
    }
    await press(store)
    for seconds in [4, 3, 2, 1] {
      await clock.advance(by: .seconds(1))
      await store.receive(.countdownTicked) { $0.phase = .raising(secondsLeft: seconds) }
    }
    await clock.advance(by: .seconds(1))
    await store.receive(.countdownTicked) { $0.phase = .storing }
    await store.receive(.raised(Sample.alert)) { $0.phase = .raised(Sample.alert) }
  }

  @Test("ALT-1: while an alert is on, the key shows it instead of promising another")
  func alertIsShown() async {
    let store = makeStore()
    await store.send(.alertShown(Sample.alert)) { $0.phase = .raised(Sample.alert) }
    await store.send(.alertShown(Sample.alert))
    await store.send(.stopButtonTapped) { $0.phase = .idle }
  }

  @Test("ALT-1: presses are counted in the person's time, however fast the clock goes")
  func fastClock() async {
    let hours = LockedCounter()
    let store = makeStore {
      $0.dateClient = DateClient(
        now: {
          hours.increment()
          return Sample.now + .hours(hours.value)
        }, personNow: { Sample.now }, calendar: .utc)
    }
    for presses in 1...4 {
      await store.send(.emergencyKeyPressed) { _ = $0.trigger.press(at: Sample.now) }
      #expect(store.state.trigger.presses == presses)
    }
    await clock.advance(by: .seconds(2))
    await store.receive(.barEmptied) { $0.trigger.reset() }
  }

  @Test("ALT-1: the bar empties two seconds after the last press")
  func barEmpties() async {
    let store = makeStore()
    await store.send(.emergencyKeyPressed) { _ = $0.trigger.press(at: Sample.now) }
    await clock.advance(by: .milliseconds(1_900))
    await store.send(.emergencyKeyPressed) { _ = $0.trigger.press(at: Sample.now) }
    await clock.advance(by: .milliseconds(1_900))
    await clock.advance(by: .milliseconds(100))
    await store.receive(.barEmptied) { $0.trigger.reset() }
  }

  @Test("ALT-1: Esc stops the countdown")
  func stop() async {
    let store = makeStore()
    await press(store)
    await clock.advance(by: .seconds(1))
    await store.receive(.countdownTicked) { $0.phase = .raising(secondsLeft: 4) }
    await store.send(.stopButtonTapped) { $0.phase = .idle }
    await clock.advance(by: .seconds(10))
  }

  @Test("ALT-1: Enter sends now")
  func sendNow() async {
    let store = makeStore {
      $0.alertClient.raise = { (_: String) async throws(AlertError) in Sample.alert }
    }
    await press(store)
    await store.send(.sendNowButtonTapped) { $0.phase = .storing }
    await store.receive(.raised(Sample.alert)) { $0.phase = .raised(Sample.alert) }
  }

  @Test("ALT-4: a message goes with the alert; the countdown waits for it")
  func message() async {
    let store = makeStore {
      $0.alertClient.raise = { (message: String) async throws(AlertError) in
        #expect(message == "fell")
        return Sample.alert
      }
    }
    await press(store)
    await store.send(.messageButtonTapped) { $0.phase = .writingMessage }
    await clock.advance(by: .seconds(60))
    await store.send(.messageEdited(.insert("fell"))) { $0.message.apply(.insert("fell")) }
    await store.send(.sendNowButtonTapped) { $0.phase = .storing }
    await store.receive(.raised(Sample.alert)) {
      $0.phase = .raised(Sample.alert)
      $0.message = TextInput(limit: 500)
    }
    // What was still being typed does nothing; closing leaves the alert on.
    await store.send(.messageButtonTapped)
    await store.send(.cancelButtonTapped)
    await store.send(.emergencyKeyPressed)
    await store.send(.stopButtonTapped) { $0.phase = .idle }
  }

  @Test("ALT-3: an alert that cannot be stored is said not to be on, and is tried again by itself")
  func retry() async {
    let calls = Mutex(0)
    let store = makeStore {
      $0.alertClient.raise = { (_: String) async throws(AlertError) in
        let call = calls.withLock { count in
          count += 1
          return count
        }
        if call == 1 { throw .storage(.busy) }
        return Sample.alert
      }
    }
    await press(store)
    await store.send(.sendNowButtonTapped) { $0.phase = .storing }
    await store.receive(.raiseFailed(.storage(.busy))) {
      $0.phase = .failed(StorageError.busy.text)
    }
    await store.send(.emergencyKeyPressed)
    await clock.advance(by: .seconds(2))
    await store.receive(.retryTicked) { $0.phase = .storing }
    await store.receive(.raised(Sample.alert)) { $0.phase = .raised(Sample.alert) }
  }

  @Test("ALT-3: giving up stops the trying")
  func giveUp() async {
    let store = makeStore {
      $0.alertClient.raise = { (_: String) async throws(AlertError) in throw .storage(.full) }
    }
    await press(store)
    await store.send(.sendNowButtonTapped) { $0.phase = .storing }
    await store.receive(.raiseFailed(.storage(.full))) {
      $0.phase = .failed(StorageError.full.text)
    }
    await store.send(.stopButtonTapped) { $0.phase = .idle }
    await clock.advance(by: .seconds(60))
  }

  @Test("ALT-2: cancelling counts down three seconds")
  func cancel() async {
    let store = makeStore {
      $0.alertClient.cancel = { (_: Secret<String>?) async throws(AlertError) in Sample.alert }
    }
    await store.send(.cancelButtonTapped) { $0.phase = .cancelling(secondsLeft: 3) }
    for seconds in [2, 1] {
      await clock.advance(by: .seconds(1))
      await store.receive(.countdownTicked) { $0.phase = .cancelling(secondsLeft: seconds) }
    }
    await clock.advance(by: .seconds(1))
    await store.receive(.countdownTicked) { $0.phase = .storingCancellation }
    await store.receive(.cancelled(Sample.alert)) { $0.phase = .idle }
  }

  @Test("ALT-2: Esc keeps the alert on")
  func keep() async {
    let store = makeStore()
    await store.send(.cancelButtonTapped) { $0.phase = .cancelling(secondsLeft: 3) }
    await store.send(.stopButtonTapped) { $0.phase = .idle }
    await clock.advance(by: .seconds(10))
  }

  @Test("ALT-2: a cancellation that cannot be stored is said, and can be tried again")
  func cancelFails() async {
    let store = makeStore {
      $0.alertClient.cancel = { (_: Secret<String>?) async throws(AlertError) in
        throw .storage(.busy)
      }
    }
    await store.send(.cancelButtonTapped) { $0.phase = .cancelling(secondsLeft: 3) }
    for phase in [
      EmergencyFeature.Phase.cancelling(secondsLeft: 2), .cancelling(secondsLeft: 1),
      .storingCancellation,
    ] {
      await clock.advance(by: .seconds(1))
      await store.receive(.countdownTicked) { $0.phase = phase }
    }
    await store.receive(.cancellationFailed(.storage(.busy))) {
      $0.phase = .cancellationFailed(StorageError.busy.text)
    }
    await store.send(.cancelButtonTapped) { $0.phase = .cancelling(secondsLeft: 3) }
    await store.send(.stopButtonTapped) { $0.phase = .idle }
  }

  @Test(
    "ALT-1: keys that do not belong to the phase change nothing",
    arguments: [EmergencyFeature.Phase.storing, .storingCancellation])
  func ignored(phase: EmergencyFeature.Phase) async {
    let store = makeStore(phase: phase)
    await store.send(.emergencyKeyPressed)
    await store.send(.stopButtonTapped)
    await store.send(.sendNowButtonTapped)
    await store.send(.messageButtonTapped)
    await store.send(.cancelButtonTapped)
    await store.send(.countdownTicked)
    await store.send(.retryTicked)
  }
}
