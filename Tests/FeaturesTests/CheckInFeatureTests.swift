import Clients
import Composable
import ComposableTesting
import Domain
import Terminal
import TerminalTesting
import Testing

@testable import Features

@MainActor @Suite struct CheckInFeatureTests {
  func makeStore(
    prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<CheckInFeature> {
    TestStore(initialState: CheckInFeature.State(snapshot: Sample.snapshot())) {
      CheckInFeature()
    } withDependencies: {
      prepare(&$0)
    }
  }

  /// The tabs, over which the sheets open.
  private func makeTabs(
    prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<MainTabFeature> {
    TestStore(initialState: MainTabFeature.State(snapshot: Sample.snapshot())) {
      MainTabFeature()
    } withDependencies: {
      prepare(&$0)
    }
  }

  @Test("CHK-1: the check-in button checks in with source manual")
  func checkIn() async {
    var later = Sample.user
    later.lastCheckIn = Sample.now
    let store = makeStore { [later] in
      $0.checkInClient.checkIn = {
        (source: CheckIn.Source) async throws(ClientError) in
        #expect(source == .manual)
        return later
      }
    }
    await store.send(.checkInButtonTapped) { $0.request.isRunning = true }
    await store.receive(.checkedIn(later)) { $0.request.isRunning = false }
  }

  @Test("CHK-1: pressing the button again while a check-in is being stored does nothing")
  func twice() async {
    var state = CheckInFeature.State(snapshot: Sample.snapshot())
    state.request.isRunning = true
    let store = TestStore(initialState: state) { CheckInFeature() }
    await store.send(.checkInButtonTapped)
  }

  @Test("A failed check-in shows an error that the user can dismiss before another try")
  func failure() async {
    let store = makeStore {
      $0.checkInClient.checkIn = {
        (_: CheckIn.Source) async throws(ClientError) in
        throw .storage(.full)
      }
    }
    await store.send(.checkInButtonTapped) { $0.request.isRunning = true }
    await store.receive(.checkInFailed(.storage(.full))) {
      $0.request.isRunning = false
      $0.request.failure = Failure(StorageError.full.text)
    }
    await store.send(.errorDismissed) { $0.request.failure = nil }
    await store.send(.checkInButtonTapped) { $0.request.isRunning = true }
    await store.receive(.checkInFailed(.storage(.full))) {
      $0.request.isRunning = false
      $0.request.failure = Failure(StorageError.full.text)
    }
  }

  /// An ended alert with the delivery of its all-clear to Grace.
  nonisolated static func ended(_ state: DeliveryState, error: String? = nil) -> AlertReport {
    var alert = Sample.alert
    alert.resolvedAt = Sample.now
    return AlertReport(
      alert: alert,
      deliveries: [
        DeliveryReport(
          id: Sample.id(60), stage: .alertOn, recipientID: .contact(Sample.grace.id),
          recipient: "Grace", channel: .email,
          address: "grace@navy.example", state: .sent, date: Sample.now),
        DeliveryReport(
          id: Sample.id(61), stage: .alertOff, recipientID: .contact(Sample.grace.id),
          recipient: "Grace", channel: .email,
          address: "grace@navy.example", state: state, date: Sample.now, error: error),
      ])
  }

  @Test(
    "CHK-6: a failed all-clear is shown until the user dismisses the notice",
    arguments: [
      (ended(.failed, error: "550 no such user"), true),
      (ended(.pending, error: "451 later"), true), (ended(.pending), false),
      (ended(.sent), false), (AlertReport(alert: Sample.alert), false),
    ])
  func unsentEnd(report: AlertReport, isShown: Bool) async {
    let store = TestStore(
      initialState: CheckInFeature.State(snapshot: Sample.snapshot(alerts: [report]))
    ) { CheckInFeature() }
    #expect((store.state.failedAllClear != nil) == isShown)
    guard isShown else { return }
    await store.send(.unsentEndDismissed) { $0.dismissedAllClear = report.id }
    #expect(store.state.failedAllClear == nil)
  }

  @Test("INT-1: the interval sheet opens, saves the confirmed preset and closes")
  func interval() async {
    var changed = Sample.user
    changed.interval = CheckInInterval.presets[0]
    let store = makeTabs { [changed] in
      $0.checkInClient.updateInterval = {
        (_: CheckInInterval) async throws(ClientError) in
        changed
      }
    }
    await store.send(.checkIn(.intervalButtonTapped)) {
      $0[IntervalFeature.self] = IntervalFeature.State(snapshot: $0.snapshot)
    }
    await store.send(.sheet(IntervalFeature.self, .moved(.init(selected: 0)))) {
      $0[IntervalFeature.self]?.position = .init(selected: 0)
    }
    await store.send(.sheet(IntervalFeature.self, .chooseButtonTapped)) {
      $0[IntervalFeature.self]?.proposed = .interval(CheckInInterval.presets[0])
    }
    await store.send(.sheet(IntervalFeature.self, .confirmButtonTapped)) {
      $0[IntervalFeature.self]?.request.isRunning = true
    }
    await store.receive(.sheet(IntervalFeature.self, .saved(changed))) {
      $0[IntervalFeature.self] = nil
    }
  }

  @Test func closingTheIntervalSheet() async {
    let store = makeTabs()
    await store.send(.checkIn(.intervalButtonTapped)) {
      $0[IntervalFeature.self] = IntervalFeature.State(snapshot: $0.snapshot)
    }
    await store.send(.sheet(IntervalFeature.self, .closeButtonTapped))
    await store.receive(.closed()) { $0[IntervalFeature.self] = nil }
  }
}

@MainActor @Suite struct IntervalFeatureTests {
  func makeStore(
    prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<IntervalFeature> {
    TestStore(initialState: IntervalFeature.State(snapshot: Sample.snapshot())) {
      IntervalFeature()
    } withDependencies: {
      prepare(&$0)
    }
  }

  @Test("INT-1: the interval sheet opens on the current interval")
  func opens() {
    let state = IntervalFeature.State(snapshot: Sample.snapshot())
    #expect(CheckInInterval.presets[state.position.selected] == .standard)
    #expect(!state.isCustom)
  }

  @Test("INT-1: the interval sheet opens with 1d 6h as free entry if no preset matches")
  func opensCustom() throws {
    var user = Sample.user
    user.interval = try CheckInInterval(parsing: "30h")
    let state = IntervalFeature.State(snapshot: Sample.snapshot(user: user))
    #expect(state.isCustom)
    #expect(state.customText.text == "1d 6h")
  }

  @Test("INT-1: typing a digit on a preset starts free entry; a cursor key changes nothing")
  func typingOverAPreset() async {
    let store = makeStore()
    await store.send(.customEdited(.move(.left)))
    await store.send(.customEdited(.insert("3"))) {
      $0.position = ListPosition(selected: CheckInInterval.presets.count)
      $0.customText.apply(.insert("3"))
    }
    await store.send(.customEdited(.insert("6h"))) { $0.customText.apply(.insert("6h")) }
    await store.send(.chooseButtonTapped) {
      $0.proposed = try? Promise(parsing: "36h", zone: "UTC")
    }
  }

  @Test("INT-1: typing again after moving to a preset replaces the earlier free entry")
  func typingAgain() async {
    let store = makeStore()
    let custom = ListPosition(selected: CheckInInterval.presets.count)
    await store.send(.customEdited(.insert("36h"))) {
      $0.position = custom
      $0.customText = TextInput("36h", limit: 200)
    }
    await store.send(.moved(ListPosition(selected: 0))) { $0.position.selected = 0 }
    await store.send(.customEdited(.insert("4"))) {
      $0.position = custom
      $0.customText = TextInput("4", limit: 200)
    }
  }

  @Test("INT-1: an open interval sheet follows a check-in from another terminal")
  func followsTheAccount() async {
    var main = MainTabFeature.State(snapshot: Sample.snapshot())
    main[IntervalFeature.self] = IntervalFeature.State(snapshot: main.snapshot)
    main[IntervalFeature.self]?.proposed = .interval(.standard)
    var snapshot = Sample.snapshot()
    snapshot.user.lastCheckIn = Sample.now + .hours(1)
    snapshot.user.interval = CheckInInterval.presets[0]
    snapshot.now = Sample.now + .hours(2)
    main.show(snapshot)
    let deadline = snapshot.calendar.describe(Sample.now + .hours(25), now: snapshot.now)
    for tab in [MainTabFeature.Tab.checkIn, .profile] {
      main.selectedTab = tab
      let text = shown(MainTabView(store: Store(initialState: main) { MainTabFeature() }))
      #expect(text.contains("Your next deadline will be \(deadline)."), "\(text)")
    }
  }

  private func shown(_ view: some View) -> String {
    ViewHost().frame(view, size: Size(columns: 80, rows: 24)).text
      .split { $0.isWhitespace || $0 == "│" }.joined(separator: " ")
  }

  @Test("INT-1: an interval typed as banana or 0h shows an error")
  func custom() async throws {
    let store = makeStore()
    let row = ListPosition(selected: CheckInInterval.presets.count)
    await store.send(.moved(row)) { $0.position = row }
    await store.send(.customEdited(.insert("banana"))) {
      $0.customText.apply(.insert("banana"))
    }
    await store.send(.chooseButtonTapped) { $0.error = .duration("banana") }
    await store.send(.customEdited(.kill(.lineStart))) {
      $0.customText.apply(.kill(.lineStart))
      $0.error = nil
    }
    await store.send(.customEdited(.insert("0h"))) { $0.customText.apply(.insert("0h")) }
    await store.send(.chooseButtonTapped) { $0.error = .intervalRange }
    await store.send(.moved(ListPosition(selected: 0))) {
      $0.position = ListPosition(selected: 0)
      $0.error = nil
    }
  }

  @Test("INT-1: a new interval must be confirmed, with a warning if its deadline is already past")
  func confirmation() async throws {
    var user = Sample.user
    user.lastCheckIn = Sample.now - .hours(10)
    let snapshot = Sample.snapshot(user: user)
    let store = TestStore(initialState: IntervalFeature.State(snapshot: snapshot)) {
      IntervalFeature()
    }
    await store.send(.moved(ListPosition(selected: 0))) {
      $0.position = ListPosition(selected: 0)
    }
    await store.send(.chooseButtonTapped) { $0.proposed = .interval(CheckInInterval.presets[0]) }
    let question = shown(
      IntervalView(
        store: Store(initialState: store.state) { IntervalFeature() }, snapshot: snapshot))
    #expect(question.contains("Your deadline would already be past"), "\(question)")
    await store.send(.backButtonTapped) { $0.proposed = nil }
    await store.send(.confirmButtonTapped)
  }

  @Test("SCH-1: set times are typed with their zone, confirmed, and sent as such")
  func setTimes() async throws {
    let times = try SetTimes(parsing: "mon-fri 08:30, 18:00", zone: "Europe/Berlin")
    let changed = try Sample.user.changing(to: .setTimes(times), at: Sample.now)
    let store = makeStore {
      $0.checkInClient.updateSchedule = { (sent: SetTimes) async throws(ClientError) in
        sent == times ? changed : Sample.user
      }
    }
    // Only what leads to the question is looked at.
    store.exhaustivity = .off
    let typed = "Mon-Fri 8:30 and 18:00 Europe/Berlin"
    await store.send(.customEdited(.insert(typed)))
    #expect(store.state.customText.text == typed)
    await store.send(.chooseButtonTapped) { $0.proposed = .setTimes(times) }
    let question = shown(
      IntervalView(
        store: Store(initialState: store.state) { IntervalFeature() }, snapshot: Sample.snapshot()))
    #expect(
      question.contains("by 08:30 and 18:00 from Monday to Friday, Berlin time."), "\(question)")
    #expect(question.contains("The longest you can be silent: 2d 20h"), "\(question)")
    await store.send(.confirmButtonTapped)
    await store.receive(.saved(changed))
    // What is current is typed there when the sheet opens again.
    let again = IntervalFeature.State(snapshot: Sample.snapshot(user: changed))
    #expect(again.isCustom && again.customText.text == "mon-fri 08:30, 18:00 Europe/Berlin")
    #expect(try Promise(parsing: again.customText.text, zone: again.zone) == .setTimes(times))
  }

  @Test("SCH-1: a name of a day typed on a preset begins the entry, and isn't lost")
  func letters() {
    let host = ViewHost()
    var state = IntervalFeature.State(snapshot: Sample.snapshot())
    let store = Store(initialState: state) { IntervalFeature() }
    _ = host.frame(
      IntervalView(store: store, snapshot: Sample.snapshot()), size: Size(columns: 80, rows: 24))
    for key in ["d", "e", "w", "m", "t", "f", "s", "n", "9"] {
      #expect(host.commands.contains { $0.key == KeyPress(stringLiteral: key) }, "\(key)")
    }
    state.edit(.insert("m"))
    #expect(state.isCustom && state.customText.text == "m")
  }

  @Test("SCH-3: typing a zone that isn't known shows an error in the sheet")
  func unknownZone() async {
    let store = makeStore()
    // Only what leads to the question is looked at.
    store.exhaustivity = .off
    await store.send(.customEdited(.insert("9:00 Mars/Olympus")))
    await store.send(.chooseButtonTapped) { $0.error = .zone("Mars/Olympus") }
    #expect(store.state.proposed == nil)
  }

  @Test func aFailedChangeIsShown() async {
    let store = makeStore {
      $0.checkInClient.updateInterval = {
        (_: CheckInInterval) async throws(ClientError) in
        throw .storage(.busy)
      }
    }
    await store.send(.chooseButtonTapped) { $0.proposed = .interval(.standard) }
    await store.send(.confirmButtonTapped) { $0.request.isRunning = true }
    await store.receive(.saveFailed(.storage(.busy))) {
      $0.request.isRunning = false
      $0.request.failure = Failure(StorageError.busy.text)
    }
    await store.send(.backButtonTapped) {
      $0.proposed = nil
      $0.request.failure = nil
    }
  }
}
