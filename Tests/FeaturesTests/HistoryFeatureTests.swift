import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Terminal
import Testing

@testable import Features

@MainActor @Suite struct HistoryFeatureTests {
  /// One check-in a day, newest first.
  nonisolated static func checkIns(_ sequences: ClosedRange<Int>) -> [CheckIn] {
    sequences.reversed().map { sequence in
      CheckIn(
        id: Sample.id(UInt8(sequence)), date: Sample.now - .days(200 - sequence), source: .manual,
        sequence: sequence, margin: .hours(1))
    }
  }

  func snapshot(_ history: [CheckIn]) -> AccountSnapshot {
    var snapshot = Sample.snapshot()
    snapshot.history = history
    return snapshot
  }

  @Test("CHK-5: the history shows the latest check-ins at once and loads the last 366 days")
  func opens() async {
    let latest = snapshot(Self.checkIns(8...10))
    let store = TestStore(initialState: MainTabFeature.State(snapshot: latest)) {
      MainTabFeature()
    } withDependencies: {
      $0.checkInClient.historySince = { start in
        #expect(start == Sample.now - .days(366))
        return Self.checkIns(1...10)
      }
    }
    await store.send(.checkIn(.historyButtonTapped)) {
      $0[HistoryFeature.self] = HistoryFeature.State(snapshot: latest)
    }
    #expect(store.state[HistoryFeature.self]?.checkIns == latest.history)
    await store.receive(.sheet(HistoryFeature.self, .opened))
    await store.receive(.sheet(HistoryFeature.self, .loaded(Self.checkIns(1...10)))) {
      $0[HistoryFeature.self]?.request.isRunning = false
      $0[HistoryFeature.self]?.show(latest)
      $0[HistoryFeature.self] = $0[HistoryFeature.self].map {
        Self.loaded($0, Self.checkIns(1...10))
      }
    }
    await store.send(.sheet(HistoryFeature.self, .closeButtonTapped))
    await store.receive(.closed()) { $0[HistoryFeature.self] = nil }
  }

  /// The state after a list was loaded.
  private static func loaded(
    _ state: HistoryFeature.State, _ checkIns: [CheckIn]
  ) -> HistoryFeature.State {
    var state = state
    _ = HistoryFeature().reduce(into: &state, action: .loaded(checkIns))
    #expect(state.checkIns == checkIns)
    return state
  }

  @Test("CHK-5: a check-in from elsewhere appears in the open history")
  func follows() {
    var state = HistoryFeature.State(snapshot: snapshot(Self.checkIns(8...10)))
    state = Self.loaded(state, Self.checkIns(1...10))
    var moved = Self.checkIns(8...11)
    moved[0].date = Sample.now
    state.show(snapshot(moved))
    #expect(state.checkIns == moved + Self.checkIns(1...7))
  }

  @Test("CHK-5: Try again loads the history again and shows a failure")
  func failure() async {
    let store = TestStore(initialState: HistoryFeature.State(snapshot: Sample.snapshot())) {
      HistoryFeature()
    } withDependencies: {
      $0.checkInClient.historySince = { (_: Date) async throws(ClientError) in
        throw .storage(.busy)
      }
    }
    await store.send(.retryButtonTapped)
    await store.receive(.loadFailed(.storage(.busy))) {
      $0.request.isRunning = false
      $0.request.failure = Failure(StorageError.busy.text, retry: .retryButtonTapped)
    }
    await store.send(.moved(ListPosition(selected: 0)))
  }

  @Test("CHK-5: the figures of a long year are shown whole in 80 columns")
  func longFigures() {
    var long = snapshot([])
    long.record = CheckInRecord(
      (1...200).map { day in
        CheckIn(
          id: Sample.id(UInt8(day)), date: Sample.now - .days(day), source: .manual, sequence: day,
          margin: day == 199 ? .minutes(606) : .minutes(1_439))
      }, calendar: long.calendar)
    let store = Store(initialState: HistoryFeature.State(snapshot: long)) { HistoryFeature() }
    let text = ViewHost().frame(HistoryView(store: store), size: Size(columns: 80, rows: 24)).text
      .split { $0.isWhitespace || $0 == "│" }.joined(separator: " ")
    #expect(text.contains("usually 23h 59m left · closest 10h 6m, 2026-05-06"), "\(text)")
  }
}
