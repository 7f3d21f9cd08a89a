import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Terminal
import Testing

@testable import Features

@MainActor @Suite struct PauseFeatureTests {
  func makeStore(
    _ user: User = Sample.user, prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<PauseFeature> {
    TestStore(initialState: PauseFeature.State(snapshot: Sample.snapshot(user: user))) {
      PauseFeature()
    } withDependencies: {
      prepare(&$0)
    }
  }

  nonisolated static var paused: User {
    var user = Sample.user
    user.pausedAt = Sample.now - .hours(1)
    user.pausedUntil = Sample.now + .days(2)
    return user
  }

  @Test("CHK-7: a pause is chosen, shown with its deadline, and saved only after confirmation")
  func pauses() async {
    let end = Sample.now + .days(2)
    let saved = LockedCounter()
    let store = makeStore {
      $0.checkInClient.pause = { (date: Date) in
        #expect(date == end)
        saved.increment()
        return Self.paused
      }
    }
    await store.send(.moved(ListPosition(selected: 2))) { $0.position = .init(selected: 2) }
    await store.send(.chooseButtonTapped) { $0.step = .confirming(end) }
    #expect(store.state.proposedDeadline?.date == end + .hours(24))
    await store.send(.backButtonTapped) { $0.step = .choosing }
    await store.send(.confirmButtonTapped)
    await store.send(.chooseButtonTapped) { $0.step = .confirming(end) }
    await store.send(.confirmButtonTapped) { $0.request.isRunning = true }
    await store.receive(.saved(Self.paused)) { $0.request.isRunning = false }
    #expect(saved.value == 1)
  }

  @Test(
    "CHK-7: if this computer's clock is days ahead, a pause warns that the server's clock counts")
  func wrongClock() async {
    let end = Sample.now + .days(2)
    let store = makeStore {
      $0.connectionClient.clockLead = { .days(-10) }
    }
    await store.send(.moved(ListPosition(selected: 2))) { $0.position = .init(selected: 2) }
    await store.send(.chooseButtonTapped) {
      $0.clockWarning =
        "This computer's clock is 10d ahead of the server's, by which the pause counts."
      $0.step = .confirming(end)
    }
  }

  @Test("CHK-7: a pause's end can be typed as a span or a date; an invalid end shows an error")
  func freeEntry() async {
    let store = makeStore()
    await store.send(.customEdited(.move(.left)))
    await store.send(.customEdited(.insert("3"))) {
      $0.position.selected = Pause.presets.count
      $0.customText.apply(.insert("3"))
    }
    await store.send(.chooseButtonTapped) { $0.error = .pauseEnd("3") }
    await store.send(.customEdited(.insert("6h"))) {
      $0.customText.apply(.insert("6h"))
      $0.error = nil
    }
    await store.send(.chooseButtonTapped) { $0.step = .confirming(Sample.now + .hours(36)) }
    await store.send(.backButtonTapped) { $0.step = .choosing }
    await store.send(.customEdited(.kill(.lineStart))) { $0.customText.apply(.kill(.lineStart)) }
    await store.send(.customEdited(.insert("2026-11-23"))) {
      $0.customText.apply(.insert("2026-11-23"))
    }
    await store.send(.chooseButtonTapped) { $0.step = .confirming(Sample.now + .hours(40)) }
  }

  @Test("CHK-7: during a pause the sheet offers to resume or to change the pause")
  func resumes() async {
    let store = makeStore(Self.paused) {
      $0.checkInClient.resume = { (source: CheckIn.Source) in
        #expect(source == .manual)
        return Sample.user
      }
    }
    #expect(store.state.step == .resuming)
    await store.send(.confirmButtonTapped) { $0.request.isRunning = true }
    await store.receive(.saved(Sample.user)) { $0.request.isRunning = false }
    await store.send(.changeButtonTapped) { $0.step = .choosing }
  }

  @Test("CHK-3: resuming sends the gate's passphrase; a wrong passphrase empties the field")
  func gate() async {
    var user = Self.paused
    user.locks = .gate
    let person = Typist("tulips", "tulip")
    let store = makeStore(user) {
      person.answers(in: &$0)
      $0.checkInClient.resume = { (_: CheckIn.Source) async throws(ClientError) in
        try person.requirePassphrase("tulip", for: .resume)
        return Sample.user
      }
    }
    await store.send(.confirmButtonTapped) { $0.request.isRunning = true }
    await store.receive(.saved(Sample.user)) { $0.request.isRunning = false }
    #expect(person.asked == [.passphrase(.resume), .passphrase(.resume)])
  }

  @Test("CHK-3: resuming without the passphrase leaves the pause on and shows why")
  func closedGate() async {
    let store = makeStore(Self.paused) {
      $0.checkInClient.resume = { (_: CheckIn.Source) async throws(ClientError) in
        throw .gate(.required)
      }
    }
    await store.send(.confirmButtonTapped) { $0.request.isRunning = true }
    await store.receive(.saveFailed(.gate(.required))) {
      $0.request.isRunning = false
      $0.request.failure = Failure(GateError.required.text)
    }
  }

  @Test("CHK-7: the pause sheet opens with its key and closes when a pause is saved")
  func presentation() async {
    let store = TestStore(
      initialState: MainTabFeature.State(snapshot: Sample.snapshot())
    ) {
      MainTabFeature()
    } withDependencies: {
      $0.checkInClient.pause = { (_: Date) in Self.paused }
    }
    await store.send(.checkIn(.pauseButtonTapped)) {
      $0[PauseFeature.self] = PauseFeature.State(snapshot: $0.snapshot)
    }
    await store.send(.sheet(PauseFeature.self, .chooseButtonTapped)) {
      $0[PauseFeature.self]?.step = .confirming(Sample.now + .days(1))
    }
    await store.send(.sheet(PauseFeature.self, .confirmButtonTapped)) {
      $0[PauseFeature.self]?.request.isRunning = true
    }
    await store.receive(.sheet(PauseFeature.self, .saved(Self.paused))) {
      $0[PauseFeature.self] = nil
    }
    await store.send(.checkIn(.pauseButtonTapped)) {
      $0[PauseFeature.self] = PauseFeature.State(snapshot: $0.snapshot)
    }
    await store.send(.sheet(PauseFeature.self, .closeButtonTapped, id: 1))
    await store.receive(.closed(1)) { $0[PauseFeature.self] = nil }
  }

  @Test("INT-1, CHK-7: a new interval counts from the end of the pause")
  func intervalDuringPause() {
    #expect(
      Self.paused.checkingIn(every: CheckInInterval.presets[0]).deadline.date == Sample.now
        + .hours(56))
  }
}
