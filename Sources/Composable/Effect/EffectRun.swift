/// Runs the work of one effect and delivers its actions to the store.
///
/// The work runs on the main actor until it awaits something that runs elsewhere, so an effect that
/// only calls a client and sends the result switches threads no more often than the client does. In
/// a test store, effects run on the store's own executor instead.
@MainActor
final class EffectRun<State, Action: Sendable> {
  private weak var core: RootCore<State, Action>?
  private let effect: RunningEffect
  private let context: EffectContext
  private nonisolated let operation: RunOperation<Action>
  private nonisolated let scheduler: (any EffectScheduler)?

  /// - Parameters:
  ///   - operation: The work.
  ///   - effect: The store's record of the effect.
  ///   - context: The scope, ids and group of the effect.
  ///   - core: The core that reduces its actions. It can be deallocated before the work has ended.
  ///   - scheduler: Where to run the work; `nil` for the main actor.
  init(
    _ operation: RunOperation<Action>, effect: RunningEffect, context: EffectContext,
    core: RootCore<State, Action>, scheduler: (any EffectScheduler)?
  ) {
    self.operation = operation
    self.effect = effect
    self.context = context
    self.core = core
    self.scheduler = scheduler
  }

  /// Starts the work. It begins after the code that is running on the main actor now.
  func start() -> Task<Void, Never> {
    DependencyValues.with(operation.dependencies) {
      guard let dismissal = operation.dismissal else { return makeTask() }
      return Dismissal.$current.withValue(
        Dismissal {
          await self.dismiss(by: dismissal.action, of: dismissal.presenter)
        } callOff: {
          await self.onMainActor { self.callOffDismissals() }
        }, operation: makeTask)
    }
  }

  private func makeTask() -> Task<Void, Never> {
    EffectLocation.$current.withValue(operation.location) {
      guard let scheduler else {
        return Task(priority: operation.priority) { @MainActor in await self.run() }
      }
      return Task(executorPreference: scheduler.executor, priority: operation.priority) {
        await self.run()
      }
    }
  }

  private nonisolated(nonsending) func run() async {
    if !Task.isCancelled { await operation(Send(deliver)) }
    await onMainActor { self.end() }
  }

  /// Dismisses the child once its requests are answered, unless one of them fails.
  private nonisolated(nonsending) func dismiss(
    by action: Action, of presenter: OperatorID
  ) async {
    let (turn, dismissal) = AsyncStream<Void>.makeStream()
    await onMainActor {
      self.effect.holdsDismissal = false
      self.context.scope.add(dismissal, of: presenter)
    }
    for await _ in turn { await Send(deliver)(action) }
  }

  private func callOffDismissals() {
    if effect.holdsDismissal { context.scope.callOffDismissals() }
  }

  private nonisolated(nonsending) func deliver(_ action: Action) async {
    await onMainActor { self.receive(action) }
  }

  private nonisolated(nonsending) func onMainActor(
    _ work: @escaping @MainActor @Sendable () -> Void
  ) async {
    if let scheduler { await scheduler.perform(work) } else { await work() }
  }

  private func receive(_ action: Action) {
    guard let core, !effect.isCancelled else { return }
    guard !effect.hasEnded else { return reportLate(action) }
    core.receive(
      QueuedAction(action, origin: .effect, scope: context.scope, group: context.group))
  }

  private func reportLate(_ action: Action) {
    reportIssue(
      """
      An effect sent an action after it had ended.

        Action: \(describe(action))

      The action was ignored, because nothing could have cancelled it any more. An effect ends when its \
      closure returns: make it wait for the tasks that it starts and for anything that still uses its `send`.
      """,
      at: operation.location)
  }

  private func end() {
    core?.forgetTask(of: effect)
    effect.end()
    core?.onSettled?()
  }
}
