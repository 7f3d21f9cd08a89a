import Clients
import Composable
import ComposableFoundation
import ComposableTesting
import Domain
import FoundationEssentials
import Synchronization
import Terminal
import Testing

@testable import Features

/// A time that a test sets.
private final class Moment: Sendable {
  private let date: Mutex<Date>
  init(_ date: Date) { self.date = Mutex(date) }

  var value: Date {
    get { date.withLock { $0 } }
    set { date.withLock { $0 = newValue } }
  }
}

@MainActor @Suite struct EmergencyFeatureTests {
  let clock = TestClock()
  nonisolated static let armedID = UUID(uuidString: "00000000-0000-0000-0000-000000000000")!

  /// The requests to arm and stop alerts.
  let asked = Asked()

  final class Asked: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func note(_ line: String) { lines.withLock { $0.append(line) } }
  }

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
      $0.uuid = .incrementing
      $0.watchClient.start = { () async throws(StorageError) in }
      $0.alertClient.arm = { [asked] (id, message, delay) async throws(ClientError) in
        asked.note("\(message) in \(delay.seconds)")
        return delay > .zero ? .armed(Self.armed(message, delay, id)) : .raised(Sample.alert)
      }
      $0.alertClient.disarm = { [asked] (_: Alert.ID) async throws(ClientError) in
        asked.note("stop")
      }
      prepare(&$0)
    }
  }

  nonisolated static func armed(
    _ message: String = "", _ delay: TimeSpan = .seconds(5), _ id: Alert.ID = armedID
  ) -> ArmedAlert {
    ArmedAlert(id: id, message: message, armedAt: Sample.now, firesAt: Sample.now + delay)
  }

  var requests: [String] { asked.all }

  /// Presses the emergency key often enough to start the countdown.
  func press(_ store: TestStoreOf<EmergencyFeature>, isStored: Bool = true) async {
    for _ in 1..<AlertTrigger.pressesNeeded {
      await store.send(.emergencyKeyPressed) { _ = $0.trigger.press(at: Sample.now) }
    }
    await store.send(.emergencyKeyPressed) {
      $0.begin(.init(Self.armedID))
      $0.armed?.isStoring = true
    }
    guard isStored else { return }
    await store.receive(.armed(Self.armed())) {
      $0.armed?.isStored = true
      $0.armed?.isStoring = false
    }
  }

  /// Sends the alert at once.
  func sendNow(_ store: TestStoreOf<EmergencyFeature>) async {
    await store.send(.sendNowButtonTapped) {
      $0.phase = .storing
      $0.armed?.secondsLeft = 0
      $0.armed?.isStoring = true
    }
  }

  /// Waits until the alert is on and shown.
  func receiveRaised(
    _ store: TestStoreOf<EmergencyFeature>, _ alert: Alert = Sample.alert
  ) async {
    await store.receive(.raised(alert)) {
      $0.lastFinishedAlert = alert.id
      $0.phase = .raised(alert)
      $0.armed = nil
    }
  }

  /// Waits until the alert is stopped.
  func receiveDisarmed(_ store: TestStoreOf<EmergencyFeature>) async {
    await store.receive(.disarmed) {
      $0.lastFinishedAlert = Self.armedID
      $0.phase = .idle
      $0.armed = nil
    }
  }

  /// Lets a second pass.
  func tick(_ store: TestStoreOf<EmergencyFeature>, _ seconds: Int = 1) async {
    for _ in 0..<seconds {
      await clock.advance(by: .seconds(1))
      await store.receive(.countdownTicked) {
        $0.armed?.secondsLeft -= 1
        $0.armed?.elapsed += 1
      }
    }
  }

  /// Types into the message.
  func enter(_ text: String, in store: TestStoreOf<EmergencyFeature>, secondsLeft: Int) async {
    await store.send(.messageEdited(.insert(text))) {
      $0.message.apply(.insert(text))
      $0.armed?.secondsLeft = secondsLeft
      $0.armed?.isStoring = true
    }
    await store.receive(.armed(Self.armed(store.state.message.text, .seconds(secondsLeft)))) {
      $0.armed?.isStoring = false
    }
  }

  @Test("ALT-1, ALT-7: the fifth press arms the alert, and the countdown raises it")
  func raise() async {
    let store = makeStore()
    await press(store)
    #expect(requests == [" in 5"])
    await tick(store, 4)
    await clock.advance(by: .seconds(1))
    await store.receive(.countdownTicked) {
      $0.armed?.secondsLeft = 0
      $0.armed?.elapsed = 5
      $0.armed?.isStoring = true
      $0.phase = .storing
    }
    await receiveRaised(store)
    #expect(requests == [" in 5", " in 0"])
  }

  @Test("ALT-1: an alert that is on can be shown in the emergency panel, which can be closed again")
  func alertIsShown() async {
    let store = makeStore()
    await store.send(.alertShown(Sample.alert)) { $0.phase = .raised(Sample.alert) }
    await store.send(.alertShown(Sample.alert))
    await store.send(.stopButtonTapped) { $0.phase = .idle }
  }

  @Test("ALT-1: presses of ! are timed in real time, even if the demo's clock runs fast")
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

  @Test("ALT-1: the bar that counts presses of ! empties 2 seconds after the last press")
  func barEmpties() async {
    let store = makeStore()
    await store.send(.emergencyKeyPressed) { _ = $0.trigger.press(at: Sample.now) }
    await clock.advance(by: .milliseconds(1_900))
    await store.send(.emergencyKeyPressed) { _ = $0.trigger.press(at: Sample.now) }
    await clock.advance(by: .milliseconds(1_900))
    await clock.advance(by: .milliseconds(100))
    await store.receive(.barEmptied) { $0.trigger.reset() }
  }

  @Test("ALT-1, ALT-7: Esc stops the countdown and disarms the stored alert")
  func stop() async {
    let store = makeStore()
    await press(store)
    await tick(store)
    await store.send(.stopButtonTapped) { $0.phase = .stopping }
    await receiveDisarmed(store)
    await clock.advance(by: .seconds(10))
    #expect(requests == [" in 5", "stop"])
  }

  @Test("ALT-7: if stopping an alert fails, the countdown continues and shows why")
  func stopFails() async {
    let store = makeStore {
      $0.alertClient.disarm = { (_: Alert.ID) async throws(ClientError) in throw .storage(.full) }
    }
    await press(store)
    await tick(store)
    await store.send(.stopButtonTapped) { $0.phase = .stopping }
    await store.receive(.disarmFailed(.storage(.full))) {
      $0.phase = .raising
      $0.armed?.problem = StorageError.full.text
    }
    await tick(store)
    #expect(store.state.armed?.secondsLeft == 3)
    await store.skipInFlightEffects()
  }

  @Test("ALT-7: stopping an alert that a monitor has already raised fails and shows the alert")
  func stopTooLate() async {
    let store = makeStore {
      $0.alertClient.disarm = { (_: Alert.ID) async throws(ClientError) in throw .alertAlreadyOn }
    }
    await press(store)
    await store.send(.stopButtonTapped) { $0.phase = .stopping }
    await store.receive(.disarmFailed(.alertAlreadyOn)) {
      $0.phase = .storing
      $0.armed?.problem = ClientError.alertAlreadyOn.text
      $0.armed?.secondsLeft = 0
      $0.armed?.isStoring = true
    }
    await receiveRaised(store)
  }

  @Test("ALT-1: Enter sends the alert at once")
  func sendNow() async {
    let store = makeStore()
    await press(store)
    await sendNow(store)
    await receiveRaised(store)
  }

  @Test("ALT-7: typing a message postpones the alert to 20 s after the last key, 60 s at most")
  func message() async {
    let store = makeStore()
    await press(store)
    await tick(store, 2)
    await store.send(.messageButtonTapped) {
      $0.phase = .writingMessage
      $0.armed?.secondsLeft = 20
      $0.armed?.isStoring = true
    }
    await store.receive(.armed(Self.armed("", .seconds(20)))) { $0.armed?.isStoring = false }
    await tick(store, 15)
    await enter("fe", in: store, secondsLeft: 20)
    await tick(store, 19)
    await enter("ll", in: store, secondsLeft: 20)
    await tick(store, 10)
    // 46 s after the fifth press.
    await enter(" down", in: store, secondsLeft: 14)
    await tick(store, 13)
    await enter("!", in: store, secondsLeft: 1)
    // The time is up, so the alert is sent although the person is still typing.
    await clock.advance(by: .seconds(1))
    await store.receive(.countdownTicked) {
      $0.armed?.secondsLeft = 0
      $0.armed?.elapsed = 60
      $0.armed?.isStoring = true
    }
    await store.receive(.raised(Sample.alert)) {
      $0.lastFinishedAlert = Sample.alert.id
      $0.armed = nil
      // This test's store has only the first word, so the rest is left for a second message.
      $0.message = EmergencyFeature.State.messageInput("down!")
      $0.phase = .writingSecondMessage(Sample.alert)
    }
    #expect(requests.last == "fell down! in 0")
  }

  @Test("ALT-7: text typed after the alert was sent goes as a second message")
  func secondMessage() async {
    let alert = Alert(id: Self.armedID, kind: .manual, message: "fell", raisedAt: Sample.now)
    let store = makeStore {
      $0.alertClient.arm = { [asked] (id, message, delay) async throws(ClientError) in
        asked.note("\(message) in \(delay.seconds)")
        return delay > .zero ? .armed(Self.armed(message, delay, id)) : .raised(alert)
      }
    }
    await press(store)
    store.exhaustivity = .off  // Only the messages matter; the countdown has tests of its own.
    await store.send(.messageButtonTapped)
    // What is stored is trimmed.
    await store.send(.messageEdited(.insert("\nfell")))
    await store.skipReceivedActions()
    await clock.advance(by: .seconds(20))
    await store.skipReceivedActions()
    #expect(store.state.phase == .writingSecondMessage(alert))
    #expect(store.state.message.isEmpty)
    await store.send(.messageEdited(.insert("left leg")))
    // A repeated report, as from a monitor.
    await store.send(.raised(alert))
    #expect(store.state.phase == .writingSecondMessage(alert))
    #expect(store.state.message.text == "left leg")
    await store.send(.sendNowButtonTapped)
    #expect(store.state.phase == .raised(alert))
    await store.receive(.moreSent(alert))
    #expect(requests.last == "left leg in 0")
    #expect(store.state.message.isEmpty)
    // From the panel as well. Without text, nothing is sent.
    await store.send(.messageButtonTapped)
    #expect(store.state.phase == .writingSecondMessage(alert))
    await store.send(.messageEdited(.insert("x")))
    await store.send(.messageClosed)
    #expect(store.state.phase == .raised(alert))
    // Keys still being typed do nothing. Closing the panel leaves the alert on.
    await store.send(.cancelButtonTapped)
    await store.send(.emergencyKeyPressed)
    await store.send(.stopButtonTapped)
    #expect(store.state.phase == .idle)
  }

  @Test(
    "ALT-7: a failed second message reopens a closed panel, but doesn't interrupt cancelling",
    arguments: [nil, ClientError.storage(.full)])
  func secondMessageLate(refusal: ClientError?) async {
    let alert = Alert(id: Self.armedID, kind: .manual, message: "fell", raisedAt: Sample.now)
    let store = makeStore {
      $0.alertClient.arm = { [clock] (_, _, _) async throws(ClientError) in
        try? await clock.sleep(for: .milliseconds(500))
        if let refusal { throw refusal }
        return .raised(alert)
      }
    }
    store.exhaustivity = .off  // Only the panel and the text after the answer matter.
    for isEnding in [false, true] {
      await store.send(.alertShown(alert))
      await store.send(.messageButtonTapped)
      await store.send(.messageEdited(.insert("x")))
      await store.send(.sendNowButtonTapped)
      await store.send(.stopButtonTapped)
      if isEnding { await store.send(.cancelButtonTapped) }
      await clock.advance(by: .milliseconds(500))
      await store.receive(refusal.map { .moreRefused(alert, $0) } ?? .moreSent(alert))
      guard !isEnding else {
        #expect(store.state.phase == .confirmingCancellation(.init(openedAt: Sample.now)))
        break
      }
      // A person who closed the panel believes that the message was sent, so it opens again if it
      // wasn't.
      #expect(store.state.phase == (refusal == nil ? .idle : .writingSecondMessage(alert)))
      #expect(store.state.messageProblem == refusal?.text)
      #expect(store.state.message.text == (refusal == nil ? "" : "x"))
      await store.send(.messageClosed)
      await store.send(.stopButtonTapped)
    }
  }

  @Test("ALT-7: late reports of an alert don't reopen a closed panel or interrupt cancelling")
  func saidLate() async {
    let alert = Alert(id: Self.armedID, kind: .manual, message: "", raisedAt: Sample.now)
    let store = makeStore {
      $0.alertClient.arm = { (id, message, delay) async throws(ClientError) in
        delay > .zero ? .armed(Self.armed(message, delay, id)) : .raised(alert)
      }
    }
    await press(store)
    await sendNow(store)
    await receiveRaised(store, alert)
    await store.send(.stopButtonTapped) { $0.phase = .idle }
    // Late news: the monitor raised it as well, and the armed alert was read earlier.
    await store.send(.raised(alert))
    await store.send(.armedChanged(Self.armed()))
    await store.send(.cancelButtonTapped) {
      $0.phase = .confirmingCancellation(.init(openedAt: Sample.now))
    }
    await store.send(.raised(alert))
  }

  @Test("ALT-7: a late report of a stopped alert doesn't restart its countdown")
  func stoppedBeforeItIsRead() async {
    let store = makeStore()
    await press(store)
    await store.send(.stopButtonTapped) { $0.phase = .stopping }
    await receiveDisarmed(store)
    await store.send(.armedChanged(Self.armed()))
    // A different armed alert does open the panel.
    let other = Self.armed("", .seconds(5), Sample.id(77))
    await store.send(.armedChanged(other)) { $0.begin(.init(other, at: Sample.now)) }
    await store.skipInFlightEffects()
  }

  @Test("ALT-7: Esc in the message returns to the countdown and keeps the text")
  func messageClosed() async {
    let store = makeStore()
    await press(store)
    await store.send(.messageButtonTapped) {
      $0.phase = .writingMessage
      $0.armed?.secondsLeft = 20
      $0.armed?.isStoring = true
    }
    await store.receive(.armed(Self.armed("", .seconds(20)))) { $0.armed?.isStoring = false }
    await enter("fell", in: store, secondsLeft: 20)
    await store.send(.messageClosed) { $0.phase = .raising }
    #expect(store.state.message.text == "fell")
    await tick(store)
    #expect(store.state.armed?.secondsLeft == 19)
    await store.skipInFlightEffects()
  }

  @Test(
    "ALT-7: while the store is slow, a message postpones the alert in its file, and is stored once")
  func slowStore() async {
    let store = makeStore { [asked, clock] in
      $0.alertClient.arm = { (id, message, delay) async throws(ClientError) in
        asked.note("\(message) in \(delay.seconds)")
        try? await clock.sleep(for: .milliseconds(100))
        return .armed(Self.armed(message, delay, id))
      }
      $0.alertClient.spool = { (id, message, delay) async throws(ClientError) in
        asked.note("file: \(message) in \(delay.seconds)")
        return Self.armed(message, delay, id)
      }
    }
    await press(store, isStored: false)
    // Keys typed while the first request is running.
    await store.send(.messageButtonTapped) {
      $0.phase = .writingMessage
      $0.armed?.secondsLeft = 20
      $0.armed?.isStale = true
    }
    for key in ["a", "b"] {
      await store.send(.messageEdited(.insert(key))) { $0.message.apply(.insert(key)) }
    }
    await clock.advance(by: .milliseconds(100))
    await store.receive(.armed(Self.armed())) {
      $0.armed?.isStored = true
      $0.armed?.isStale = false
    }
    await clock.advance(by: .milliseconds(100))
    await store.receive(.armed(Self.armed("ab", .seconds(20)))) { $0.armed?.isStoring = false }
    #expect(requests.filter { !$0.hasPrefix("file: ") } == [" in 5", "ab in 20"])
    // The file, which a monitor reads until a locked store refuses, is written for the first change.
    #expect(requests.filter { $0.hasPrefix("file: ") } == ["file:  in 20"])
    await store.skipInFlightEffects()
  }

  @Test("ALT-7: an alert that the store can't take is kept in a file, and the store is retried")
  func spool() async {
    let store = makeStore {
      $0.alertClient.arm = { (_, _, _) async throws(ClientError) in throw .storage(.full) }
      $0.alertClient.spool = { (id, message, delay) async throws(ClientError) in
        Self.armed(message, delay, id)
      }
    }
    await press(store, isStored: false)
    await store.receive(.kept(Self.armed(), .storage(.full))) {
      $0.armed?.isStored = true
      $0.armed?.isStoring = false
      $0.armed?.reason = StorageError.full.text
    }
    await sendNow(store)
    await store.receive(.kept(Self.armed("", .zero), .storage(.full))) {
      $0.armed?.isStoring = false
      $0.armed?.isQueued = true
    }
    #expect(store.state.isQueued)
    // The store is retried, and the number to call stays on screen.
    await clock.advance(by: .seconds(2))
    await store.receive(.retryTicked) { $0.armed?.isStoring = true }
    #expect(store.state.isQueued)
    await store.receive(.kept(Self.armed("", .zero), .storage(.full))) {
      $0.armed?.isStoring = false
    }
    // Closing the panel doesn't stop the alert.
    await store.send(.stopButtonTapped) {
      $0.phase = .idle
      $0.armed = nil
    }
  }

  @Test("OFF-1: an alert that the server hasn't received rings once, is retried and can be stopped")
  func keptForServer() async {
    let rings = LockedCounter()
    let isStopped = Mutex(false)
    let error = ClientError.storage(.network(.unanswered))
    let store = makeStore {
      $0.accountHost = .server(name: "family.example")
      $0.attentionClient = AttentionClient { _, text, isRinging in
        if isRinging, text == "Your alert may NOT be sent" { rings.increment() }
      }
      $0.alertClient.arm = { (_, _, _) async throws(ClientError) in throw error }
      $0.alertClient.spool = { (id, message, delay) async throws(ClientError) in
        Self.armed(message, delay, id)
      }
      $0.alertClient.disarm = { (_: Alert.ID) async throws(ClientError) in
        isStopped.withLock { $0 = true }
        throw .queued(at: Sample.now)
      }
    }
    // The countdown goes on: it is kept, whatever happens to this program.
    await press(store, isStored: false)
    await store.receive(.kept(Self.armed(), error)) {
      $0.armed?.isStored = true
      $0.armed?.isStoring = false
      $0.armed?.mayBeStored = true
      $0.armed?.reason = error.text
    }
    #expect(rings.value == 0)
    await sendNow(store)
    for _ in 0..<2 {
      await store.receive(.kept(Self.armed("", .zero), error)) {
        $0.armed?.isStoring = false
        $0.armed?.isQueued = true
      }
      await clock.advance(by: .seconds(2))
      await store.receive(.retryTicked) { $0.armed?.isStoring = true }
    }
    await store.receive(.kept(Self.armed("", .zero), error)) { $0.armed?.isStoring = false }
    #expect(rings.value == 1)
    await store.send(.sendNowButtonTapped) { $0.armed?.isStoring = true }
    await store.receive(.kept(Self.armed("", .zero), error)) { $0.armed?.isStoring = false }
    await store.send(.stopButtonTapped) { $0.phase = .stopping }
    await store.receive(.disarmFailed(.queued(at: Sample.now))) {
      $0.lastFinishedAlert = Self.armedID
      $0.phase = .idle
      $0.armed = nil
    }
    #expect(isStopped.withLock { $0 })
  }

  @Test("ALT-7: an alert that can't be stored shows why, rings and is retried every 2 s")
  func retry() async {
    let (calls, rings) = (LockedCounter(), LockedCounter())
    let store = makeStore {
      $0.attentionClient = AttentionClient { _, _, _ in rings.increment() }
      $0.alertClient.arm = { (id, message, delay) async throws(ClientError) in
        calls.increment()
        if calls.value < 3 { throw .storage(.busy) }
        return .armed(Self.armed(message, delay, id))
      }
      $0.alertClient.spool = { (_, _, _) async throws(ClientError) in throw .storage(.full) }
    }
    await press(store, isStored: false)
    await store.receive(.raiseFailed(.storage(.busy))) {
      $0.phase = .failed(StorageError.busy.text)
      $0.armed?.isStoring = false
    }
    await store.send(.emergencyKeyPressed)
    await tick(store)
    store.exhaustivity = .off  // Only the tries matter, not the seconds counted between them.
    await clock.advance(by: .seconds(1))
    await store.skipReceivedActions()
    #expect(store.state.phase == .failed(StorageError.busy.text))
    #expect(store.state.armed?.secondsLeft == 3)
    await clock.advance(by: .seconds(2))
    await store.skipReceivedActions()
    #expect(store.state.phase == .raising)
    #expect(calls.value == 3)
    #expect(rings.value == 2)
    await store.skipInFlightEffects()
  }

  @Test("ALT-7: a due alert that couldn't be kept is queued once a file can be written")
  func keptLate() async {
    let refuses = Mutex(true)
    let store = makeStore {
      $0.attentionClient = .silent
      $0.alertClient.arm = { (_, _, _) async throws(ClientError) in throw .storage(.full) }
      $0.alertClient.spool = { (id, message, delay) async throws(ClientError) in
        if refuses.withLock({ $0 }) { throw .storage(.full) }
        return Self.armed(message, delay, id)
      }
    }
    await press(store, isStored: false)
    for isDue in [false, true] {
      if isDue { await sendNow(store) }
      await store.receive(.raiseFailed(.storage(.full))) {
        $0.phase = .failed(StorageError.full.text)
        $0.armed?.isStoring = false
      }
    }
    refuses.withLock { $0 = false }
    await clock.advance(by: .seconds(2))
    await store.receive(.retryTicked) { $0.armed?.isStoring = true }
    await store.receive(.kept(Self.armed("", .zero), .storage(.full))) {
      $0.phase = .storing
      $0.armed?.reason = StorageError.full.text
      $0.armed?.isStored = true
      $0.armed?.isStoring = false
      $0.armed?.isQueued = true
    }
    #expect(store.state.isQueued)
    await store.skipInFlightEffects()
  }

  @Test("ALT-7: an alert that a hanging server may have stored isn't given up without its answer")
  func unanswered() async {
    let rings = Mutex<[String]>([])
    let store = makeStore {
      $0.attentionClient = AttentionClient { _, text, _ in rings.withLock { $0.append(text) } }
      $0.alertClient.arm = { (_, _, _) async throws(ClientError) in
        throw .storage(.network(.unanswered))
      }
      $0.alertClient.spool = { (_, _, _) async throws(ClientError) in
        throw .storage(.network(.connectionFailed))
      }
      $0.alertClient.disarm = { (_: Alert.ID) async throws(ClientError) in
        throw .storage(.network(.unanswered))
      }
    }
    await press(store, isStored: false)
    await store.receive(.raiseFailed(.storage(.network(.unanswered)))) {
      $0.phase = .failed(NetworkError.unanswered.text)
      $0.armed?.isStoring = false
      $0.armed?.mayBeStored = true
    }
    #expect(rings.withLock { $0 } == ["Your alert may NOT be sent"])
    await store.send(.stopButtonTapped) { $0.phase = .stopping }
    await store.receive(.disarmFailed(.storage(.network(.unanswered)))) {
      $0.phase = .raising
      $0.armed?.problem = NetworkError.unanswered.text
    }
    await store.skipInFlightEffects()
  }

  @Test("ALT-7: an alert isn't called stopped while the request that stores it may succeed")
  func stopsWhileStoring() async {
    let (never, end) = AsyncStream.makeStream(of: Void.self)
    let store = makeStore {
      $0.alertClient.arm = { (_, _, _) async throws(ClientError) in
        for await _ in never {}
        throw .storage(.network(.connectionFailed))
      }
      $0.alertClient.spool = { (_, _, _) async throws(ClientError) in
        throw .storage(.network(.connectionFailed))
      }
      $0.alertClient.disarm = { (_: Alert.ID) async throws(ClientError) in
        throw .storage(.network(.connectionFailed))
      }
    }
    await press(store, isStored: false)
    await store.send(.stopButtonTapped) { $0.phase = .stopping }
    await store.receive(.disarmFailed(.storage(.network(.connectionFailed)))) {
      $0.phase = .raising
      $0.armed?.problem = NetworkError.connectionFailed.text
    }
    await store.skipInFlightEffects()
    end.finish()
  }

  @Test("ALT-7: a failure reported after the alert was stopped doesn't restart the alert")
  func failsAfterStop() async {
    let store = makeStore()
    await store.send(.raiseFailed(.storage(.network(.unanswered))))
    #expect(store.state.phase == .idle)
  }

  @Test("ALT-7: stopping an alert that is stored nowhere ends the retries")
  func giveUp() async {
    let store = makeStore {
      $0.attentionClient = .silent
      $0.alertClient.arm = { (_, _, _) async throws(ClientError) in throw .storage(.full) }
      $0.alertClient.spool = { (_, _, _) async throws(ClientError) in throw .storage(.full) }
      $0.alertClient.disarm = { (_: Alert.ID) async throws(ClientError) in throw .storage(.full) }
    }
    await press(store, isStored: false)
    await store.receive(.raiseFailed(.storage(.full))) {
      $0.phase = .failed(StorageError.full.text)
      $0.armed?.isStoring = false
    }
    await store.send(.stopButtonTapped) { $0.phase = .stopping }
    await store.receive(.disarmFailed(.storage(.full)))
    await receiveDisarmed(store)
    await clock.advance(by: .seconds(60))
  }

  @Test("ALT-7: a second program shows the alert's countdown and can stop the alert")
  func elsewhere() async {
    let store = makeStore()
    let armed = Self.armed("fell", .seconds(4))
    await store.send(.armedChanged(armed)) {
      $0.begin(.init(armed, at: Sample.now))
      $0.message = EmergencyFeature.State.messageInput("fell")
    }
    #expect(store.state.armed?.isOwn == false)
    await tick(store)
    await store.send(.stopButtonTapped) { $0.phase = .stopping }
    await receiveDisarmed(store)
  }

  @Test("ALT-7: text typed into the message in another program appears with the new countdown")
  func typedElsewhere() async {
    let store = makeStore()
    let armed = Self.armed("f", .seconds(4))
    await store.send(.armedChanged(armed)) {
      $0.begin(.init(armed, at: Sample.now))
      $0.message = EmergencyFeature.State.messageInput("f")
    }
    await store.send(.armedChanged(Self.armed("fe", .seconds(5)))) {
      $0.message = EmergencyFeature.State.messageInput("fe")
    }
    await store.send(.armedChanged(Self.armed("fell", .seconds(20)))) {
      $0.message = EmergencyFeature.State.messageInput("fell")
      $0.armed?.secondsLeft = 20
    }
    await store.skipInFlightEffects()
  }

  @Test("ALT-7: arming while another program has an armed alert shows that alert and its message")
  func begunElsewhere() async {
    let other = Self.armed("fell", .seconds(9), Sample.id(77))
    let store = makeStore {
      $0.alertClient.arm = { (_, _, _) async throws(ClientError) in .armed(other) }
    }
    await press(store, isStored: false)
    await store.receive(.armed(other)) {
      $0.armed = .init(other, at: Sample.now)
      $0.message = EmergencyFeature.State.messageInput("fell")
    }
    #expect(store.state.armed?.id == other.id && store.state.armed?.secondsLeft == 9)
    await store.skipInFlightEffects()
  }

  @Test(
    "ALT-7: when an armed alert disappears, the store is asked if it was stopped or raised",
    arguments: [Arming.stopped, .raised(Sample.alert)])
  func endedElsewhere(arming: Arming) async {
    let store = makeStore()
    await press(store)
    store.dependencies.alertClient.arm = { (_, _, _) async throws(ClientError) in arming }
    await store.send(.armedChanged(nil)) { $0.armed?.isStoring = true }
    if arming == .stopped { await receiveDisarmed(store) } else { await receiveRaised(store) }
  }

  @Test("ALT-7: holding ! down arms a single alert and leaves the countdown unchanged")
  func stuckKey() async {
    let store = makeStore()
    await press(store)
    for _ in 0..<50 { await store.send(.emergencyKeyPressed) }
    #expect(store.state.armed?.secondsLeft == 5)
    #expect(requests == [" in 5"])
    await store.skipInFlightEffects()
  }

  // MARK: Cancelling

  /// A store in whose panel an alert can be cancelled, with a clock that keys are pressed by.
  private func makeCancelling(
    cancel: @escaping @Sendable () throws(ClientError) -> Alert = { () throws(ClientError) in
      Sample.alert
    }
  ) async -> (store: TestStoreOf<EmergencyFeature>, now: Moment) {
    let now = Moment(Sample.now)
    let store = makeStore {
      $0.dateClient = DateClient(now: { now.value }, calendar: .utc)
      $0.alertClient.cancel = { () async throws(ClientError) in try cancel() }
    }
    store.exhaustivity = .off  // Only the panel matters, not what it remembers of each key.
    await store.send(.cancelButtonTapped)
    #expect(store.state.phase == .confirmingCancellation(.init(openedAt: Sample.now)))
    return (store, now)
  }

  private func enter(
    _ text: String, every seconds: Double, isRepeat: Bool = false,
    in panel: (store: TestStoreOf<EmergencyFeature>, now: Moment)
  ) async {
    for character in text {
      panel.now.value += seconds
      await panel.store.send(.cancellationTyped(String(character), isRepeat: isRepeat))
    }
  }

  @Test(
    "ALT-2: five presses of x or the word cancel, in any case, cancel the alert",
    arguments: ["xxxxx", "XXXXX", "cancel", "CANCEL", "xxcancel", "ccanncel"])
  func cancel(keys: String) async {
    let panel = await makeCancelling()
    let isTrembling = keys == "ccanncel"
    await enter(String(keys.dropLast()), every: isTrembling ? 0.09 : 0.5, in: panel)
    guard case .confirmingCancellation = panel.store.state.phase else {
      Issue.record("\(panel.store.state.phase)")
      return
    }
    await enter(String(keys.suffix(1)), every: 0.5, in: panel)
    #expect(panel.store.state.phase == .storingCancellation)
    // The same key once more, or Enter after the word, reaches nothing beneath.
    await enter("x", every: 0.2, in: panel)
    await clock.advance(by: .seconds(1))
    await panel.store.receive(.cancelled(Sample.alert)) { $0.phase = .idle }
  }

  @Test(
    "ALT-2: any other key closes the cancel panel, and the alert stays on",
    arguments: ["t", "xxt", "xxxx ", "canx", "cab", "!", "xxxx!", "next", "y"])
  func keep(keys: String) async {
    let panel = await makeCancelling { () throws(ClientError) in
      Issue.record("It was cancelled.")
      return Sample.alert
    }
    await enter(keys, every: 0.3, in: panel)
    #expect(panel.store.state.phase == .idle)
    await clock.advance(by: .seconds(10))
  }

  @Test(
    "ALT-2: a held or stuck x doesn't cancel the alert, with or without key repeat reports",
    arguments: [(true, 0.5), (false, 0.03), (false, 0.092)])
  func stuckCancelKey(isRepeat: Bool, pause: Double) async {
    let panel = await makeCancelling { () throws(ClientError) in
      Issue.record("It was cancelled.")
      return Sample.alert
    }
    // The first repeat comes later than the others.
    await enter("x", every: 0.5, isRepeat: isRepeat, in: panel)
    await enter(String(repeating: "x", count: 300), every: pause, isRepeat: isRepeat, in: panel)
    guard case .confirmingCancellation = panel.store.state.phase else {
      Issue.record("\(panel.store.state.phase)")
      return
    }
    await panel.store.skipInFlightEffects()
  }

  @Test("ALT-2: presses of x more than two seconds apart don't add up")
  func slowPresses() async {
    let panel = await makeCancelling()
    await enter("xxxx", every: 2, in: panel)
    await enter("x", every: 2.1, in: panel)
    guard case .confirmingCancellation(let cancellation) = panel.store.state.phase else {
      Issue.record("\(panel.store.state.phase)")
      return
    }
    #expect(cancellation.trigger.presses == 1)
    await clock.advance(by: .seconds(2))
    await panel.store.receive(.cancellationBarEmptied)
  }

  @Test("ALT-2: holding the cancel button for 2 s cancels the alert, releasing it earlier doesn't")
  func hold() async {
    let panel = await makeCancelling()
    await panel.store.send(.cancellationHeld(true))
    await clock.advance(by: .milliseconds(1_900))
    await panel.store.send(.cancellationHeld(false))
    await clock.advance(by: .seconds(5))
    #expect(panel.store.state.phase == .confirmingCancellation(.init(openedAt: Sample.now)))
    await panel.store.send(.cancellationHeld(true))
    await clock.advance(by: .seconds(2))
    await panel.store.receive(.cancellationHoldEnded) { $0.phase = .storingCancellation }
    await clock.advance(by: .seconds(1))
    await panel.store.receive(.cancelled(Sample.alert)) { $0.phase = .idle }
  }

  @Test("ALT-2: closing the cancel panel while its button is held leaves the alert on")
  func holdEndsWithThePanel() async {
    let panel = await makeCancelling { () throws(ClientError) in
      Issue.record("It was cancelled.")
      return Sample.alert
    }
    await panel.store.send(.cancellationHeld(true))
    await panel.store.send(.stopButtonTapped) { $0.phase = .idle }
    await clock.advance(by: .seconds(10))
  }

  @Test("ALT-2: the cancel panel closes when another device ends the alert")
  func endedWhileConfirming() {
    var state = EmergencyFeature.State()
    state.phase = .confirmingCancellation(.init(openedAt: Sample.now))
    state.closePanel(ofEndedAlertIn: [AlertReport(alert: Sample.alert)])
    #expect(state.phase != .idle)
    state.closePanel(ofEndedAlertIn: [])
    #expect(state.phase == .idle)
  }

  @Test("ALT-2: a failed cancellation shows why, and x opens the cancel panel again")
  func cancelFails() async {
    let panel = await makeCancelling { () throws(ClientError) in throw .storage(.busy) }
    await enter("cancel", every: 0.3, in: panel)
    await clock.advance(by: .seconds(1))
    await panel.store.receive(.cancellationFailed(.storage(.busy))) {
      $0.phase = .cancellationFailed(StorageError.busy.text)
    }
    await panel.store.send(.cancelButtonTapped) {
      $0.phase = .confirmingCancellation(.init(openedAt: panel.now.value))
    }
    await panel.store.send(.stopButtonTapped) { $0.phase = .idle }
  }

  @Test(
    "ALT-1: keys do nothing while an alert is being stored, stopped or cancelled",
    arguments: [EmergencyFeature.Phase.storing, .stopping, .storingCancellation])
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
