public import FoundationEssentials

/// Writes down every action of a feature, one JSON text per line after a header: for bug reports, and
/// to go through again by `Replay`.
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
/// What is written is what the actions' `encode(to:)` says: a type for secrets has to leave them out.
public struct ActionRecorder<Action: Codable & Sendable>: Sendable {
  /// The time as a recorded reducer reads it: it stands still while an action is reduced. For clients
  /// that tell the time beside `\.date`.
  public let now: @Sendable () -> Date

  private let reads: RepeatableReads
  private let write: @Sendable (_ line: String) -> Void

  /// Makes a recorder and writes the header.
  ///
  /// - Parameters:
  ///   - header: The first line.
  ///   - now: Tells the time.
  ///   - write: Takes one line, without its end. It is called on the main actor, before the action is
  ///     reduced, so that an action on which the program dies is written, too.
  public init(
    header: RecordingHeader, now: @escaping @Sendable () -> Date = { Date() },
    write: @escaping @Sendable (_ line: String) -> Void
  ) {
    self.now = RepeatableReads.now(now)
    self.write = write
    reads = RepeatableReads(firstID: header.firstID)
    append(header)
  }

  /// Lets reducers read the time and ids so that a replay can read the same.
  public func install(in values: inout DependencyValues) { reads.install(in: &values) }

  /// Writes down an action and reduces it.
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
  /// This reducer, with every action that reaches it written down first.
  public func recordingActions(to recorder: ActionRecorder<Action>) -> ComposedReducer<
    State, Action
  > {
    let base = makeNode()
    return ComposedReducer(
      ReducerNode(prune: base.prune) { state, action in
        recorder.reduce(action) { base.reduce(&state, action) }
      })
  }
}
