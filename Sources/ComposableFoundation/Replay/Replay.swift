public import Composable

/// Reduces recorded actions again, without side effects. Effects are dropped, because the actions
/// that they sent are in the recording, and clients have their test values, as nothing calls them.
///
/// ```swift
/// var replay = Replay(initialState: AppFeature.State(), header: recording.header) { AppFeature() }
/// for action in recording.actions { replay.reduce(action) }
/// replay.state
/// ```
///
/// A reducer that reads only `\.date`, `\.uuid` and what `prepareDependencies` sets reaches the
/// same states as before.
@MainActor
public struct Replay<State, Action: Sendable> {
  /// The state after the last reduced action.
  public private(set) var state: State

  private let reducer: Reduce<State, Action>
  private let dependencies: DependencyValues
  private let reads: RepeatableReads

  /// Creates a replay that has reduced nothing yet.
  ///
  /// - Parameters:
  ///   - initialState: The initial state, evaluated with the replay's dependencies.
  ///   - header: The header of the recording.
  ///   - reducer: The reducer whose actions were recorded.
  ///   - prepareDependencies: Sets the other dependencies that the reducer reads. `\.date` and
  ///     `\.uuid` are set already.
  public init<R: Reducer>(
    initialState: @autoclosure () -> State, header: RecordingHeader,
    reducer: () -> R,
    withDependencies prepareDependencies: (inout DependencyValues) -> Void = { _ in }
  ) where R.State == State, R.Action == Action {
    reads = RepeatableReads(firstID: header.firstID)
    var dependencies = DependencyValues.current
    dependencies.context = .test
    dependencies.isolateDefaults()
    reads.install(in: &dependencies)
    prepareDependencies(&dependencies)
    self.dependencies = dependencies
    (state, self.reducer) = DependencyValues.with(dependencies) {
      (initialState(), reducer().erased())
    }
  }

  /// Reduces the next recorded action.
  public mutating func reduce(_ recorded: RecordedAction<Action>) {
    DependencyValues.with(dependencies) {
      reads.reduce(at: recorded.date) { _ = reducer.run(&state, recorded.action) }
    }
  }
}
