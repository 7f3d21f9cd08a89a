public import Composable
public import FoundationEssentials

/// Records every action of a feature, as a header and then one line of JSON per action, for bug
/// reports and for `Replay`.
///
/// ```swift
/// let recorder = ActionRecorder<AppFeature.Action>(header: header, now: now) { file.write($0) }
/// let store = Store(initialState: AppFeature.State()) {
///   AppFeature().recordingActions(to: recorder)
/// } withDependencies: {
///   recorder.install(in: &$0)
/// }
/// ```
///
/// An action is written as its `encode(to:)` encodes it. A type that holds secrets must leave them
/// out.
public struct ActionRecorder<Action: Codable & Sendable>: Sendable {
  /// The time as a recorded reducer reads it, constant while an action is reduced. For clients that
  /// read the time without `\.date`.
  public let now: @Sendable () -> Date

  private let reads: RepeatableReads
  private let write: @Sendable (_ line: String) -> Void

  /// Creates a recorder and writes the header.
  ///
  /// - Parameters:
  ///   - header: The first line of the recording.
  ///   - now: Returns the current time.
  ///   - write: Writes one line, given without a line feed. Called on the main actor before the
  ///     action is reduced, so that an action that crashes the program is recorded, too.
  public init(
    header: RecordingHeader, now: @escaping @Sendable () -> Date = { Date() },
    write: @escaping @Sendable (_ line: String) -> Void
  ) {
    self.now = RepeatableReads.now(now)
    self.write = write
    reads = RepeatableReads(firstID: header.firstID)
    append(header)
  }

  /// Makes the time and the ids that reducers read reproducible in a replay.
  public func install(in values: inout DependencyValues) { reads.install(in: &values) }

  /// Records an action and reduces it.
  fileprivate func reduce<Result>(_ action: Action, _ body: () -> Result) -> Result {
    let date = now()
    append(RecordedAction(action, date: date))
    return reads.reduce(at: date, body)
  }

  private func append(_ line: some Encodable) {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      write(String(decoding: try encoder.encode(line), as: UTF8.self))
    } catch {
      reportIssue("An action could not be recorded: \(error)")
    }
  }
}

extension Reducer where Action: Codable {
  /// Returns this reducer with every action recorded before it is reduced.
  public func recordingActions(to recorder: ActionRecorder<Action>) -> Reduce<State, Action> {
    let base = erased()
    return base.running { state, action in
      recorder.reduce(action) { base.run(&state, action) }
    }
  }
}
