/// One run of an effect's work, and its way back to the store.
///
/// It runs on the main actor until the work awaits something that runs elsewhere: so an effect that
/// only asks a client and sends what it hears changes threads no oftener than the client does. A
/// test store's effects run on its own executor instead.
@MainActor
final class EffectRun<State, Action: Sendable> {
  private weak var core: RootCore<State, Action>?
  private let effect: RunningEffect
  private let context: EffectContext
  private nonisolated let operation: RunOperation<Action>
  private nonisolated let scheduler: (any EffectScheduler)?

  /// - Parameters:
  ///   - operation: The work.
  ///   - effect: What the store has noted of it.
  ///   - context: What its actions belong to.
  ///   - core: Reduces its actions; it may go before the work has ended.
  ///   - scheduler: Where it runs, if not on the main actor.
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

  /// Starts the work after what runs on the main actor now.
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

  /// Dismisses the child once its requests have their answers, unless one of them fails.
  private nonisolated(nonsending) func dismiss(
    by action: Action, of presenter: NodeIdentity
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
      closure returns: let the closure wait for the tasks that it makes and for who keeps its `send`.
      """,
      at: operation.location)
  }

  private func end() {
    core?.forgetTask(of: effect)
    effect.end()
    core?.onSettled?()
  }
}
