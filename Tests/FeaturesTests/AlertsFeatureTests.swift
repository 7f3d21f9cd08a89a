import Composable
import ComposableTesting
import Domain
import Terminal
import Testing

@testable import Features

@MainActor @Suite struct AlertsFeatureTests {
  let older = Alert(
    id: Sample.id(20), kind: .missed, raisedAt: Sample.now - .days(2), sequence: 3,
    resolvedAt: Sample.now - .days(1))

  @Test("ALT-3: an alert opens with its deliveries, and closes")
  func open() async {
    let reports = [AlertReport(alert: Sample.alert), AlertReport(alert: older)]
    let store = TestStore(
      initialState: AlertsFeature.State(snapshot: Sample.snapshot(alerts: reports))
    ) { AlertsFeature() }
    await store.send(.moved(ListPosition(selected: 1))) {
      $0.position = ListPosition(selected: 1)
    }
    await store.send(.opened(older.id)) { $0.opened = older.id }
    #expect(store.state.openedReport?.alert == older)
    await store.send(.scrolled(3)) { $0.scrollOffset = 3 }
    await store.send(.closeButtonTapped) { $0.opened = nil }
    await store.send(.opened(older.id)) {
      $0.opened = older.id
      $0.scrollOffset = 0
    }
  }

  @Test("An alert that begins gets the selection, which then stays with its alert")
  func selection() {
    var state = AlertsFeature.State(
      snapshot: Sample.snapshot(alerts: [AlertReport(alert: older)]))
    let both = [AlertReport(alert: Sample.alert), AlertReport(alert: older)]
    state.show(Sample.snapshot(alerts: both))
    #expect(state.position.selected == 0)
    state.position.selected = 1
    state.show(Sample.snapshot(alerts: both))
    #expect(state.position.selected == 1)
    let ended = AlertReport(
      alert: Alert(
        id: Sample.id(21), kind: .manual, raisedAt: Sample.now, resolvedAt: Sample.now))
    state.show(Sample.snapshot(alerts: [ended] + both))
    #expect(state.position.selected == 2, "one that is over takes nothing")
    state.show(Sample.snapshot())
    #expect(state.position.selected == 0)
  }
}
