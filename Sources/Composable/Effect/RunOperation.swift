/// The work of `Effect.run`, with what it needs to start.
@usableFromInline
struct RunOperation<Action: Sendable>: Sendable {
  let priority: TaskPriority?
  let operation: nonisolated(nonsending) @Sendable (Send<Action>) async throws -> Void
  let handler: (nonisolated(nonsending) @Sendable (any Error, Send<Action>) async -> Void)?
  /// What was in force where the effect was made: it holds in the work, and not in the reducers of the
  /// actions that it sends.
  let dependencies: DependencyValues
  /// What `dismiss` sends, in the work of a presented child, and the operator that presents it.
  var dismissal: (action: Action, presenter: NodeIdentity)?
  /// Whether a dismissal waits until it is over.
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

  /// Runs the work to its end, with its error handled.
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
          An effect threw an error that nobody catches.

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
  /// Where a work of a child was made, the first; `nil` if there is none.
  func locationOfWork(inChild: Bool = false) -> IssueLocation? {
    switch operation {
    case nil, .send, .cancel, .deferred: nil
    case .run(let run): inChild ? run.location : nil
    case .merge(let effects), .concatenate(let effects):
      effects.lazy.compactMap { $0.locationOfWork(inChild: inChild) }.first
    case .cancellable(let effect, _, _), .throttle(let effect, _, _):
      effect.locationOfWork(inChild: inChild)
    case .child(_, let effect): effect.locationOfWork(inChild: true)
    }
  }

  /// This effect with each of its works changed.
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
