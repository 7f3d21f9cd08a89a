import Composable
import ComposableTesting
import FoundationEssentials
import Testing

@MainActor @Suite struct ReplayTests {
  private struct Diary: Reducer {
    struct State: Equatable, Sendable {
      struct Entry: Equatable, Sendable, Identifiable {
        let id: UUID
        var date: Date
        var text: String
      }
      var entries: IdentifiedArrayOf<Entry> = []
      var reminders = 0
    }

    enum Action: Codable, Equatable, Sendable {
      case wrote(String)
      case reminded
    }

    @Dependency(\.uuid) var uuid
    @Dependency(\.date) var date
    @Dependency(\.continuousClock) var clock

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .wrote(let text):
          state.entries.append(.init(id: uuid(), date: date.now, text: text))
          return .run { [clock] send in
            try await clock.sleep(for: .seconds(60))
            await send(.reminded)
          }
        case .reminded:
          state.reminders += 1
          return .none
        }
      }
    }
  }

  private func run() async -> (state: Diary.State, lines: [String]) {
    let clock = TestClock()
    let lines = LockedLog<String>()
    let store = TestStore(initialState: Diary.State()) {
      Diary().recordingActions(to: ActionRecorder { lines.append($0) })
    } withDependencies: {
      $0.uuid = .incrementing
      $0.date = .constant(Date(timeIntervalSince1970: 0))
      $0.continuousClock = clock
    }
    store.exhaustivity = .off
    await store.send(.wrote("a/b\nc"))
    await clock.advance(by: .seconds(30))
    await store.send(.wrote("d"))
    await clock.advance(by: .seconds(60))
    await store.finish()
    return (store.state, lines.values)
  }

  @Test func theSameActionsGiveTheSameStates() async {
    let first = await run()
    let second = await run()
    #expect(first.state == second.state)
    #expect(first.lines == second.lines)
  }

  @Test func aRecordedListReplaysToTheSameFinalState() async throws {
    let (state, lines) = await run()
    #expect(lines.first == #"{"wrote":{"_0":"a/b\nc"}}"#)
    let actions = try ActionRecorder<Diary.Action>.actions(in: lines.joined(separator: "\n") + "\n")
    let replay = Replay(actions, initialState: Diary.State()) {
      Diary()
    } withDependencies: {
      $0.uuid = .incrementing
      $0.date = .constant(Date(timeIntervalSince1970: 0))
      $0.continuousClock = TestClock()
    }
    #expect(replay.finalState == state)
    #expect(replay.states.map(\.entries.count) == [0, 1, 2, 2, 2])
    #expect(throws: DecodingError.self) { try ActionRecorder<Diary.Action>.actions(in: "{}") }
  }
}
