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

@MainActor @Suite struct AlertsFeatureTests {
  let older = Alert(
    id: Sample.id(20), kind: .missed, raisedAt: Sample.now - .days(2), sequence: 3,
    resolvedAt: Sample.now - .days(1))

  func state(
    _ alerts: [AlertReport] = [], _ notifications: [NotificationItem] = Screen.notifications
  ) -> AlertsFeature.State {
    var snapshot = Sample.snapshot(alerts: alerts)
    snapshot.notifications = notifications
    return AlertsFeature.State(snapshot: snapshot)
  }

  func makeStore(
    _ state: AlertsFeature.State, _ prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<AlertsFeature> {
    TestStore(initialState: state) {
      AlertsFeature()
    } withDependencies: {
      prepare(&$0)
    }
  }

  /// The last byte of each row's identifier.
  func rows(_ state: AlertsFeature.State) -> [UInt8] { state.rows.map(\.id.uuid.15) }

  // MARK: List

  @Test("ALT-3, NOT-1: active alerts are listed above the history, whatever the filter")
  func order() {
    var state = state([AlertReport(alert: Sample.alert), AlertReport(alert: older)])
    #expect(rows(state) == [6, 70, 71, 72, 73, 74, 75, 76, 77])
    state.filter.topic = .pings
    #expect(rows(state) == [6, 73])
  }

  @Test("CHK-6: an all-clear says who is back; only your own all-clear leads to its alert")
  func allClear() {
    func word(about subject: String) -> NotificationItem {
      NotificationItem(
        id: Sample.id(90), kind: .allClear, date: Sample.now, subject: subject)
    }
    #expect(word(about: "").title == "All clear: you are back")
    #expect(word(about: "Alan Turing").title == "All clear: Alan Turing has checked in")
    let snapshot = state([AlertReport(alert: older)]).snapshot
    #expect(snapshot.report(about: word(about: ""))?.alert == older)
    #expect(snapshot.report(about: word(about: "Alan Turing")) == nil)
  }

  @Test("NOT-1: f steps through the notification topics, a click selects a topic")
  func topics() async {
    let store = makeStore(state())
    for topic in NotificationItem.Topic.allCases {
      await store.send(.topicButtonTapped) { $0.filter.topic = topic }
    }
    await store.send(.topicButtonTapped) {
      $0.filter.topic = nil
      $0.position.selected = 1  // Moves with its row.
    }
    await store.send(.topicSelected(.checkIns)) { $0.filter.topic = .checkIns }
    #expect(rows(store.state) == [72, 76, 77])
  }

  @Test("NOT-1: notifications can be limited to unread ones and searched by name")
  func unreadAndSearch() async {
    let store = makeStore(state())
    await store.send(.unreadButtonTapped) { $0.filter.isUnreadOnly = true }
    #expect(rows(store.state) == [70, 71])
    await store.send(.unreadButtonTapped) { $0.filter.isUnreadOnly = false }
    await store.send(.search(.begin)) { $0.search.apply(.begin) }
    await store.send(.search(.edit(.insert("hopper")))) {
      $0.search.apply(.edit(.insert("hopper")))
    }
    #expect(rows(store.state) == [74])
    await store.send(.search(.close)) {
      $0.search.apply(.close)
      $0.position.selected = 4
    }
    #expect(rows(store.state).count == 8)
  }

  @Test("A new alert is selected; afterwards the selection stays with its row")
  func selection() {
    var state = state()
    state.position.selected = 2
    var snapshot = state.snapshot
    snapshot.alerts = [AlertReport(alert: Sample.alert), AlertReport(alert: older)]
    state.show(snapshot)
    #expect(state.position.selected == 0)
    state.position.selected = 3
    snapshot.notifications.removeFirst()
    state.show(snapshot)
    #expect(state.position.selected == 2)
    state.keepingSelection { $0.filter.topic = .pings }
    #expect(state.position.selected == 1, "the last that is left")
    snapshot.alerts = []
    snapshot.notifications = []
    state.show(snapshot)
    #expect(state.position.selected == 0)
  }

  @Test("A dependent's new alert is selected; dependents' alerts from before the start are not")
  func dependentsCall() {
    func call(_ id: UInt8) -> NotificationItem {
      NotificationItem(id: Sample.id(id), kind: .dependentAlert, date: Sample.now, subject: "Ida")
    }
    var state = AlertsFeature.State(snapshot: Sample.snapshot())
    var snapshot = state.snapshot
    snapshot.notifications = [call(210), call(211)]
    state.position.selected = 1
    state.show(snapshot)
    #expect(state.position.selected == 1)
    // Cached notifications may be incomplete, so later ones aren't necessarily new.
    var lastKnown = AlertsFeature.State(snapshot: Sample.snapshot())
    var old = snapshot
    old.expect([call(211)])
    lastKnown.show(old)
    lastKnown.show(snapshot)
    #expect(lastKnown.position.selected == 1, "it stays with its row")
    snapshot.notifications.insert(call(212), at: 0)
    state.show(snapshot)
    #expect(state.position.selected == 0)
  }

  @Test("NOT-1: opening the Alerts tab selects the newest row unless another row was chosen")
  func coming() {
    var state = MainTabFeature.State(snapshot: state().snapshot)
    func send(_ action: MainTabFeature.Action) {
      let store = Store(initialState: state) { MainTabFeature() }
      store.send(action)
      state = store.state
    }
    func come(_ tab: MainTabFeature.Tab) { send(.tabSelected(tab)) }
    func notify(_ id: UInt8) {
      var snapshot = state.snapshot
      snapshot.notifications.insert(
        NotificationItem(
          id: Sample.id(id), kind: .alertEnded, date: Sample.now, subject: ""), at: 0)
      state.show(snapshot)
    }
    notify(210)
    #expect(state.alerts.position.selected == 1)
    come(.alerts)
    #expect(state.alerts.position.selected == 0)
    // Under the eyes of a person nothing moves.
    notify(211)
    come(.alerts)
    #expect(state.alerts.position.selected == 1)
    send(.alerts(.moved(ListPosition(selected: 3))))
    come(.profile)
    notify(212)
    come(.alerts)
    #expect(state.alerts.position.selected == 4)
    send(.alerts(.moved(ListPosition(selected: 0))))
    come(.profile)
    notify(213)
    come(.alerts)
    #expect(state.alerts.position.selected == 0)
  }

  // MARK: Sheet

  @Test("ALT-3: an alert opens with its deliveries, scrolled to the top, and can be closed")
  func openAlert() async {
    let store = makeStore(state([AlertReport(alert: Sample.alert)]))
    await store.send(.opened(Sample.alert.id)) { $0.opened = Sample.alert.id }
    #expect(store.state.openedReport?.alert == Sample.alert)
    await store.send(.scrolled(3)) { $0.scrollOffset = 3 }
    await store.send(.closeButtonTapped) { $0.opened = nil }
    await store.send(.opened(Sample.alert.id)) {
      $0.opened = Sample.alert.id
      $0.scrollOffset = 0
    }
  }

  @Test("NOT-1: opening a notification shows its alert's deliveries and marks it as read")
  func openNotification() async {
    let read = Mutex<[NotificationItem.ID]>([])
    let store = makeStore(state([AlertReport(alert: Sample.alert), AlertReport(alert: older)])) {
      $0.notificationClient.markAsRead = { (id) async throws(ClientError) in
        read.withLock { $0.append(id) }
      }
    }
    await store.send(.opened(Sample.id(70))) { $0.opened = Sample.id(70) }
    #expect(store.state.openedReport?.alert == Sample.alert)
    // Already read, and about an earlier missed deadline.
    await store.send(.opened(Sample.id(76))) { $0.opened = Sample.id(76) }
    #expect(store.state.openedReport == nil, "no missed alert had begun by then")
    await store.finish()
    #expect(read.withLock { $0 } == [Sample.id(70)])
  }

  // MARK: Changes

  @Test("NOT-1: notifications are marked read singly or all at once; clearing all asks first")
  func changes() async {
    let calls = Mutex<[String]>([])
    @Sendable func note(_ what: String) { calls.withLock { $0.append(what) } }
    let store = makeStore(state()) {
      $0.notificationClient.markAsRead = { (id) async throws(ClientError) in
        note("read \(id.uuid.15)")
      }
      $0.notificationClient.markAllAsRead = { () async throws(ClientError) in
        note("read all")
      }
      $0.notificationClient.delete = { (id) async throws(ClientError) in
        note("delete \(id.uuid.15)")
      }
      $0.notificationClient.clearAll = { () async throws(ClientError) in note("clear") }
    }
    await store.send(.readButtonTapped)
    await store.finish()
    await store.send(.allReadButtonTapped)
    await store.finish()
    await store.send(.moved(ListPosition(selected: 2))) {
      $0.move(to: ListPosition(selected: 2))
    }
    await store.send(.readButtonTapped)  // Already read.
    await store.send(.deleteButtonTapped)
    await store.finish()
    await store.send(.clearButtonTapped) { $0.question = .clear }
    await store.send(.questionCancelled) { $0.question = nil }
    await store.send(.clearButtonTapped) { $0.question = .clear }
    await store.send(.clearConfirmed) { $0.question = nil }
    await store.finish()
    #expect(calls.withLock { $0 } == ["read 70", "read all", "delete 72", "clear"])
  }

  @Test("A failed action on the Alerts tab shows an error until the user dismisses it")
  func failure() async {
    let store = makeStore(state()) {
      $0.notificationClient.markAllAsRead = { () async throws(ClientError) in
        throw .storage(.busy)
      }
    }
    await store.send(.allReadButtonTapped)
    let failure = Failure(StorageError.busy.text, retry: AlertsFeature.Action.allReadButtonTapped)
    await store.receive(.failed(failure.error, retry: failure.retry)) { $0.failure = failure }
    await store.send(.failureDismissed) { $0.failure = nil }
  }

  @Test("An active alert can't be marked as read, deleted or cleared like a notification")
  func alertRow() async {
    let store = makeStore(state([AlertReport(alert: Sample.alert)], []))
    await store.send(.readButtonTapped)
    await store.send(.deleteButtonTapped)
    await store.send(.clearButtonTapped)
  }

  // MARK: Drills

  @Test("ALT-6: a drill starts only after it is confirmed")
  func drill() async {
    let drill = Alert(id: Sample.id(40), kind: .drill, raisedAt: Sample.now)
    let store = makeStore(state()) {
      $0.alertClient.drill = { () async throws(ClientError) in drill }
    }
    await store.send(.drillButtonTapped) { $0.question = .drill }
    await store.send(.questionCancelled) { $0.question = nil }
    await store.send(.drillButtonTapped) { $0.question = .drill }
    await store.send(.drillConfirmed) { $0.question = nil }
    await store.receive(.drillBegun(drill))
  }

  @Test("ALT-8: asking for a drill during an alert shows an error instead of a question")
  func drillDuringAlert() async {
    let store = makeStore(state([AlertReport(alert: Sample.alert)], []))
    await store.send(.drillButtonTapped) { $0.failure = Failure(ClientError.alertIsOn.text) }
  }

  @Test("ALT-6: a drill that can't start shows an error; ending a finished drill shows none")
  func drillFailures() async {
    let store = makeStore(state()) {
      $0.alertClient.drill = { () async throws(ClientError) in throw .storage(.full) }
      $0.alertClient.endDrill = { () async throws(ClientError) in throw .alertNotActive }
    }
    await store.send(.drillConfirmed)
    await store.receive(.failed(StorageError.full.text, retry: .drillConfirmed)) {
      $0.failure = Failure(StorageError.full.text, retry: .drillConfirmed)
    }
    await store.send(.endDrillButtonTapped)
    await store.finish()
  }

  @Test("ALT-6: an active drill's sheet says until when it lasts and offers to end it")
  func drillStaysOn() throws {
    let drill = Alert(id: Sample.id(30), kind: .drill, raisedAt: Sample.now)
    func keys(_ drill: Alert) -> (text: String, offersEnd: Bool) {
      var main = MainTabFeature.State(snapshot: state([AlertReport(alert: drill)]).snapshot)
      main.selectedTab = .alerts
      main.alerts.opened = drill.id
      var app = AppFeature.State()
      app.main = main
      let store = Store(initialState: app) { AppFeature() }
      let text = FrameSnapshot.lines(
        of: AppView(store: store), size: Size(columns: 80, rows: 24)
      ).joined(separator: "\n")
      return (text, text.contains("t End drill"))
    }
    let on = keys(drill)
    #expect(on.offersEnd, "\(on.text)")
    #expect(on.text.contains("It is on until each message was sent or refused. t ends it now."))
    var over = drill
    over.resolvedAt = Sample.now
    #expect(!keys(over).offersEnd && !keys(over).text.contains("t ends it"))
  }

  @Test("ALT-6: a drill doesn't change the status and doesn't count as an emergency")
  func noEmergency() {
    let drill = AlertReport(alert: Alert(id: Sample.id(40), kind: .drill, raisedAt: Sample.now))
    let snapshot = Sample.snapshot(alerts: [drill])
    #expect(snapshot.status == .ok)
    #expect(snapshot.alerts.raisedByHand == nil)
    #expect(snapshot.activeEmergencies == [])
    #expect(snapshot.activeAlerts == [drill])
  }

  @Test(
    "Every notification has a title and its detail, and names anyone else it concerns",
    arguments: NotificationItem.Kind.allCases)
  func texts(_ kind: NotificationItem.Kind) {
    let item = NotificationItem(
      id: Sample.id(1), kind: kind, date: Sample.now, subject: "Mary", detail: "why")
    #expect(!item.title.isEmpty)
    let words = "\(item.title) \(item.remark)"
    #expect(words.contains("why") || kind == .reminder)
    let isOwn: Set<NotificationItem.Kind> = [
      .alertSent, .alertEnded, .nonResponsive, .notBack, .reminder, .deadlinePassed,
    ]
    #expect(words.contains("Mary") != isOwn.contains(kind))
  }
}
