import Composable
import ComposableFoundation
import ComposableTesting
import FoundationEssentials
import Synchronization
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
      /// Whether two reads of the time within an action were equal.
      var stoodStill = true
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
          state.stoodStill = state.stoodStill && state.entries.last?.date == date.now
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

  private let header = RecordingHeader(
    program: "diary 1", date: Date(timeIntervalSinceReferenceDate: 0), firstID: UUID(255),
    timeZone: "UTC")

  /// A clock that never returns the same time twice.
  private let runningDate: @Sendable () -> Date = {
    let seconds = Mutex(0.1)
    return {
      Date(
        timeIntervalSinceReferenceDate: seconds.withLock {
          $0 += 1
          return $0
        })
    }
  }()

  private func run() async -> (state: Diary.State, lines: [String]) {
    let clock = TestClock()
    let lines = Mutex<[String]>([])
    let recorder = ActionRecorder<Diary.Action>(header: header, now: runningDate) { line in
      lines.withLock { $0.append(line) }
    }
    let store = TestStore(initialState: Diary.State()) {
      Diary().recordingActions(to: recorder)
    } withDependencies: {
      $0.uuid = UUIDGenerator { UUID() }
      $0.date = DateGenerator(runningDate)
      $0.continuousClock = clock
      recorder.install(in: &$0)
    }
    store.exhaustivity = .off  // The replay is compared with the final state.
    await store.send(.wrote("a/b\nc\u{2028}"))
    await clock.advance(by: .seconds(30))
    await store.send(.wrote("d"))
    await clock.advance(by: .seconds(60))
    await store.finish()
    return (store.state, lines.withLock { $0 })
  }

  private func file(_ lines: [String]) -> Data { Data((lines.joined(separator: "\n") + "\n").utf8) }

  private func replay(_ recording: Recording<Diary.Action>) -> [Diary.State] {
    var replay = Replay(initialState: Diary.State(), header: recording.header) { Diary() }
    return recording.actions.map {
      replay.reduce($0)
      return replay.state
    }
  }

  @Test func aRecording_replaysToTheSameFinalState() async throws {
    let (state, lines) = await run()
    let recording = try Recording<Diary.Action>(file(lines))
    #expect(recording.header == header)
    #expect(!recording.isCutOff)
    let states = replay(recording)
    #expect(states.last == state)
    #expect(states.map(\.entries.count) == [1, 2, 2, 2])
    #expect(states.map(\.reminders) == [0, 0, 1, 2])
    #expect(state.stoodStill)
    #expect(state.entries.map(\.id) == [UUID(255), UUID(256)])
  }

  @Test func aLine_isAnActionAndItsInstant() async throws {
    let lines = await run().lines
    #expect(
      lines.first
        == #"{"date":0,"firstID":"00000000-0000-0000-0000-0000000000FF","program":"diary 1","#
        + #""recording":5,"timeZone":"UTC"}"#)
    #expect(lines[1] == "{\"action\":{\"wrote\":{\"_0\":\"a/b\\nc\u{2028}\"}},\"date\":1.1}")
    #expect(lines.count == 5)
  }

  @Test func effects_readTheWorldAsItIs() async {
    struct Feature: Reducer {
      @Dependency(\.date) var date
      func reduce(into state: inout [Date], action: Date?) -> Effect<Date?> {
        if let action {
          state.append(action)
          return .none
        }
        state.append(date.now)
        return .run { [date] send in await send(date.now) }
      }
    }
    let recorder = ActionRecorder<Date?>(header: header, now: { Date(timeIntervalSince1970: 1) }) {
      _ in
    }
    let store = Store(initialState: []) {
      Feature().recordingActions(to: recorder)
    } withDependencies: {
      $0.date = .constant(Date(timeIntervalSince1970: 2))
      recorder.install(in: &$0)
    }
    await store.send(nil).finish()
    #expect(store.state.map(\.timeIntervalSince1970) == [1, 2])
  }

  @Test func aReplay_callsNobody() async throws {
    struct Feature: Reducer {
      @Dependency(\.continuousClock) var clock
      func reduce(into state: inout Int, action: Int) -> Effect<Int> {
        state += action
        // The default clock in tests reports an issue when it is used.
        return .run { [clock] _ in try await clock.sleep(for: .seconds(1)) }
      }
    }
    var replay = Replay(initialState: 1, header: header) { Feature() }
    replay.reduce(RecordedAction(2, date: header.date))
    #expect(replay.state == 3)
  }

  @Test func aCutLastLine_isLeftOut() async throws {
    let lines = await run().lines
    let whole = file(lines)
    let last = lines[4].utf8.count + 1
    // Cut at each byte of the last line. If only the line feed is missing, the line is still whole.
    for length in (whole.count - last + 1)..<whole.count {
      let recording = try Recording<Diary.Action>(whole.prefix(length))
      #expect(recording.isCutOff == (length < whole.count - 1))
      #expect(recording.actions.count == (length < whole.count - 1 ? 3 : 4))
    }
  }

  @Test func aLineThatIsNoAction_isNamed() async throws {
    var lines = await run().lines
    lines[2] = #"{"action":{"shredded":{}},"date":2}"#
    let data = file(lines)
    let error = #expect(throws: RecordingError.self) { try Recording<Diary.Action>(data) }
    #expect(error?.line == 3)
    guard case .noAction(let text) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(text.contains("action"))
    // A bad last line is an error, too, if it is complete.
    lines.swapAt(2, 4)
    let end = file(lines)
    #expect(throws: RecordingError.self) { try Recording<Diary.Action>(end) }
  }

  @Test(
    arguments: [
      ("", RecordingError.Reason.noHeader),
      ("hello\n", .noHeader),
      (#"{"action":{"reminded":{}},"date":1}"# + "\n", .noHeader),
      (#"{"recording":5}"# + "\n", .noHeader),
      (#"{"recording":1,"program":"diary 7"}"# + "\n", .otherVersion(1)),
    ] as [(String, RecordingError.Reason)])
  func aFileOfSomethingElse_isRefused(text: String, reason: RecordingError.Reason) {
    let error = #expect(throws: RecordingError.self) {
      try Recording<Diary.Action>(Data(text.utf8))
    }
    #expect(error?.line == 1)
    #expect(error?.reason == reason)
  }

  @Test func actionsOfChildren_canBeRecorded() throws {
    func roundTrip<Value: Codable & Equatable>(_ value: Value) throws {
      let data = try JSONEncoder().encode(value)
      #expect(try JSONDecoder().decode(Value.self, from: data) == value)
    }
    try roundTrip(PresentationAction.presented("typed"))
    try roundTrip(PresentationAction<String>.dismiss)
    try roundTrip(IdentifiedAction.element(id: 7, action: "typed"))
    try roundTrip(StackAction<Int, String>.element(id: 3, action: "typed"))
    try roundTrip(StackAction<Int, String>.popFrom(id: 3))
    try roundTrip(StackAction<Int, String>.push(5))
  }
}
