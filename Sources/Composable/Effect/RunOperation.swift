/// The work of `Effect.run` and everything needed to start it.
@usableFromInline
struct RunOperation<Action: Sendable>: Sendable {
  let priority: TaskPriority?
  let operation: nonisolated(nonsending) @Sendable (Send<Action>) async throws -> Void
  let handler: (nonisolated(nonsending) @Sendable (any Error, Send<Action>) async -> Void)?
  /// The dependencies that were current where the effect was made. They apply to the work, but not
  /// to the reducers of the actions that it sends.
  let dependencies: DependencyValues
  /// In the work of a presented child: the action that `dismiss` sends, and the operator that
  /// presents the child.
  var dismissal: (action: Action, presenter: OperatorID)?
  /// Whether a dismissal waits for this work.
  var holdsDismissal = false
  let location: IssueLocation

  func map<Mapped: Sendable>(
    _ transform: @escaping @Sendable (Action) -> Mapped
  ) -> RunOperation<Mapped> {
    let operation = operation
    var mappedHandler: (nonisolated(nonsending) @Sendable (any Error, Send<Mapped>) async -> Void)?
    if let handler {
      mappedHandler = { error, send in await handler(error, send.pullback(transform)) }
    }
    return RunOperation<Mapped>(
      priority: priority,
      operation: { send in try await operation(send.pullback(transform)) },
      handler: mappedHandler,
      dependencies: dependencies,
      dismissal: dismissal.map { (transform($0.action), $0.presenter) },
      holdsDismissal: holdsDismissal,
      location: location)
  }

  /// Runs the work to its end and handles its error.
  nonisolated(nonsending) func callAsFunction(_ send: Send<Action>) async {
    do {
      try await operation(send)
    } catch is CancellationError {
      return
    } catch {
      guard !Task.isCancelled else { return }
      if let handler {
        await handler(error, send)
      } else {
        reportIssue(
          """
          An effect threw an error that nothing catches.

            \(error)

          Catch it in the effect, or handle it in `catch:`, and send an action that says what \
          happened.
          """,
          at: location)
      }
    }
  }
}

extension Effect {
  /// Returns where the first work of a child was made; `nil` if there is none.
  func locationOfFirstChildRun(inChild: Bool = false) -> IssueLocation? {
    switch operation {
    case nil, .send, .cancel, .deferred: nil
    case .run(let run): inChild ? run.location : nil
    case .merge(let effects), .concatenate(let effects):
      effects.lazy.compactMap { $0.locationOfFirstChildRun(inChild: inChild) }.first
    case .cancellable(let effect, _, _), .throttle(let effect, _, _):
      effect.locationOfFirstChildRun(inChild: inChild)
    case .child(_, let effect): effect.locationOfFirstChildRun(inChild: true)
    }
  }

  /// Returns this effect with each `run` operation changed.
  func mapRuns(
    _ change: @escaping @Sendable (RunOperation<Action>) -> RunOperation<Action>
  ) -> Self {
    switch operation {
    case nil, .send, .cancel: self
    case .run(let run): Self(.run(change(run)))
    case .merge(let effects): Self(.merge(effects.map { $0.mapRuns(change) }))
    case .concatenate(let effects): Self(.concatenate(effects.map { $0.mapRuns(change) }))
    case .cancellable(let effect, let id, let cancelInFlight):
      Self(.cancellable(effect.mapRuns(change), id: id, cancelInFlight: cancelInFlight))
    case .child(let key, let effect): Self(.child(key, effect.mapRuns(change)))
    case .throttle(let effect, let id, let rule):
      Self(.throttle(effect.mapRuns(change), id: id, rule))
    case .deferred(let effect): Self(.deferred { effect().mapRuns(change) })
    }
  }
}

/// Sends actions from an effect back into the store: `await send(.checkedIn)`.
///
/// The call returns once the action has been reduced. After the effect is cancelled or the store is
/// gone, sending does nothing.
public struct Send<Action: Sendable>: Sendable {
  private let deliver: nonisolated(nonsending) @Sendable (Action) async -> Void

  /// Creates a sender that passes its actions to a function.
  public init(_ deliver: nonisolated(nonsending) @escaping @Sendable (Action) async -> Void) {
    self.deliver = deliver
  }

  /// Sends an action and waits until it has been reduced.
  public nonisolated(nonsending) func callAsFunction(_ action: Action) async {
    guard !Task.isCancelled else { return }
    await deliver(action)
  }

  /// Returns a sender of other actions, each transformed into an action of this one.
  func pullback<Other: Sendable>(
    _ transform: @escaping @Sendable (Other) -> Action
  ) -> Send<Other> {
    Send<Other> { await deliver(transform($0)) }
  }
}
