/// Reduces recorded actions again, without the world: effects are dropped, as what they sent is among
/// the actions, and clients are those of tests, which nothing calls.
///
/// ```swift
/// var replay = Replay(initialState: AppFeature.State(), header: recording.header) { AppFeature() }
/// for action in recording.actions { replay.reduce(action) }
/// replay.state
/// ```
///
/// A reducer that reads nothing but `\.date`, `\.uuid` and what `prepareDependencies` sets comes to
/// the same states as it did.
@MainActor
public struct Replay<State, Action: Sendable> {
  /// The state after the last action.
  public private(set) var state: State

  private let node: ReducerNode<State, Action>
  private let dependencies: DependencyValues
  private let reads: RepeatableReads

  /// Begins at the start.
  ///
  /// - Parameters:
  ///   - initialState: The state at the start; made with the dependencies of the replay.
  ///   - header: The header of the recording.
  ///   - reducer: The reducer that reduced the actions.
  ///   - prepareDependencies: Sets what the reducer reads by `@Dependency` beside the time and ids.
  ///     `date` is set already.
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
    (state, node) = DependencyValues.with(dependencies) {
      (initialState(), reducer().makeNode())
    }
  }

  /// Reduces the next action.
  public mutating func reduce(_ recorded: RecordedAction<Action>) {
    DependencyValues.with(dependencies) {
      reads.reduce(at: recorded.date) { _ = node.reduce(&state, recorded.action) }
    }
  }
}
