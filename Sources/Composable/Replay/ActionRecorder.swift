import FoundationEssentials

/// Writes down every action of a feature, one JSON text per line: for bug reports, and to go back in
/// time by `Replay`.
///
/// ```swift
/// AppFeature().recordingActions(to: ActionRecorder { line in log.append(line) })
/// ```
public struct ActionRecorder<Action: Codable & Sendable>: Sendable {
  private let write: @Sendable (_ line: String) -> Void

  /// Makes a recorder.
  ///
  /// - Parameter write: Takes one line, without its end. It is called on the main actor, before the
  ///   action is reduced, so that an action on which the program dies is written, too.
  public init(write: @escaping @Sendable (_ line: String) -> Void) { self.write = write }

  /// Writes down an action.
  public func record(_ action: Action) {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      write(String(decoding: try encoder.encode(action), as: UTF8.self))
    } catch {
      reportIssue("An action could not be recorded: \(error)")
    }
  }

  /// The actions that were written down.
  ///
  /// - Throws: `DecodingError` if a line is not an action. Empty lines are skipped.
  public static func actions(in text: String) throws -> [Action] {
    try text.split(whereSeparator: \.isNewline).map {
      try JSONDecoder().decode(Action.self, from: Data($0.utf8))
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
        recorder.record(action)
        return base.reduce(&state, action)
      })
  }
}
