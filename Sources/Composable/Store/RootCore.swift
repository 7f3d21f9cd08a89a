import Synchronization

/// The engine of a store: it holds the state, reduces actions in order and runs their effects.
@MainActor
package final class RootCore<State, Action: Sendable>: StoreCore<State, Action> {
  /// The state. Reducers change it in place.
  package private(set) var state: State
  /// What reducers and effects read by `@Dependency`.
  package var dependencies: DependencyValues
  /// Sees each action after it was reduced, and the state that it left.
  package var onReduced: ((_ action: Action, _ origin: ActionOrigin, _ state: State) -> Void)?

  private let node: ReducerNode<State, Action>
  private let effects = EffectScope()
  private let tasks = TaskBag()
  private let scheduler: (any EffectScheduler)?
  private var queue = Queue<QueuedAction<Action>>()
  private var isBusy = false
  private let ownTurns = Turns()

  package init(
    initialState: State, node: ReducerNode<State, Action>, dependencies: DependencyValues,
    scheduler: (any EffectScheduler)? = nil
  ) {
    state = initialState
    self.node = node
    self.dependencies = dependencies
    self.scheduler = scheduler
  }

  deinit { tasks.cancelAll() }

  // MARK: Core

  override func read<Result>(_ body: (borrowing State) -> Result) -> Result? { body(state) }

  override var turns: Turns { ownTurns }

  override var canVanish: Bool { false }

  override package func send(_ action: Action) -> StoreTask {
    send(QueuedAction(action: action, origin: .send))
  }

  /// The effects that run, and where they were made.
  package var runningEffects: [IssueLocation] { effects.all.compactMap(\.location) }

  /// Whether no effect runs and none is noted.
  package var isIdle: Bool { effects.isEmpty }

  /// Cancels all effects.
  package func cancelEffects() {
    for effect in effects.all { effect.cancel() }
  }

  // MARK: Turns

  private func send(_ action: QueuedAction<Action>) -> StoreTask {
    guard !isBusy else {
      var action = action
      let group = action.group ?? EffectGroup()
      action.group = group
      enqueue(action)
      return StoreTask(group: group)
    }
    isBusy = true
    let group = reduce(action)
    repeat {
      while let next = queue.popFirst() {
        next.scope?.removePendingAction()
        if !next.isCancelled { _ = reduce(next) }
        next.group?.removePendingAction()
      }
      ownTurns.end()
    } while !queue.isEmpty
    isBusy = false
    return StoreTask(group: group)
  }

  private func enqueue(_ action: QueuedAction<Action>) {
    action.scope?.addPendingAction()
    action.group?.addPendingAction()
    queue.append(action)
  }

  private func reduce(_ action: QueuedAction<Action>) -> EffectGroup? {
    DependencyValues.with(action.dependencies ?? dependencies) {
      let effect = node.reduce(&state, action.action)
      onReduced?(action.action, action.origin, state)
      var group = action.group
      if effect.operation != nil {
        let effectGroup = group ?? EffectGroup()
        group = effectGroup
        start(effect, EffectContext(scope: effects, ids: [], group: effectGroup))
      }
      if effects.hasChildren { node.prune(&state, effects) }
      return group
    }
  }

  // MARK: Effects

  private func start(_ effect: Effect<Action>, _ context: EffectContext) {
    switch effect.operation {
    case nil: break
    case .send(let action):
      enqueue(
        QueuedAction(
          action: action, origin: .effect, scope: context.scope, group: context.group))
    case .run(let operation): start(operation, context)
    case .merge(let effects):
      for effect in effects { start(effect, context) }
    case .concatenate(let effects): startSequence(effects[...], context)
    case .cancellable(let effect, let id, let cancelInFlight):
      if cancelInFlight { context.scope.cancel(id) }
      var context = context
      context.ids.append((context.scope, id))
      start(effect, context)
    case .cancel(let id): context.scope.cancel(id)
    case .child(let key, let effect):
      var context = context
      context.scope = context.scope.makeChild(key)
      start(effect, context)
    }
  }

  private func start(_ operation: RunOperation<Action>, _ context: EffectContext) {
    guard !context.group.isCancelled else { return }
    let effect = RunningEffect(location: operation.location, context: context)
    // Without overrides of its own, what the effect sends is reduced with what the store has then.
    let sendDependencies =
      operation.sendDependencies.isIdentical(to: dependencies) ? nil : operation.sendDependencies
    let scheduler = scheduler
    let perform: @Sendable (@escaping @MainActor @Sendable () -> Void) async -> Void = { work in
      if let scheduler { await scheduler.perform(work) } else { await work() }
    }
    let send = Send<Action> { [weak self] action in
      await perform {
        guard let self, !effect.isCancelled else { return }
        _ = self.send(
          QueuedAction(
            action: action, origin: .effect, scope: context.scope, group: context.group,
            dependencies: sendDependencies))
      }
    }
    let tasks = tasks
    let id = ObjectIdentifier(effect)
    let work: @Sendable () async -> Void = { [weak self] in
      if !Task.isCancelled { await operation(send) }
      tasks.remove(id)
      await perform { effect.end() }
    }
    let task = DependencyValues.with(operation.dependencies) {
      Task(executorPreference: scheduler?.executor, priority: operation.priority, operation: work)
    }
    effect.task = task
    tasks.insert(task, id)
  }

  private func startSequence(_ effects: ArraySlice<Effect<Action>>, _ context: EffectContext) {
    let sequence = RunningEffect(location: nil, context: context)
    startStep(effects, sequence, context)
  }

  private func startStep(
    _ effects: ArraySlice<Effect<Action>>, _ sequence: RunningEffect, _ context: EffectContext
  ) {
    guard let first = effects.first, !sequence.isCancelled else {
      sequence.end()
      return
    }
    let step = EffectStep { [weak self] in
      if let self {
        self.startStep(effects.dropFirst(), sequence, context)
      } else {
        sequence.end()
      }
    }
    var stepContext = context
    stepContext.step = step
    step.begin()
    start(first, stepContext)
    step.end()
  }
}

/// Whether an action was sent from outside or by an effect.
package enum ActionOrigin: Sendable {
  case send
  case effect
}

/// An action that waits to be reduced.
@MainActor
struct QueuedAction<Action: Sendable> {
  let action: Action
  let origin: ActionOrigin
  /// The child whose effect sent it.
  var scope: EffectScope?
  var group: EffectGroup?
  /// The dependencies of the effect that sent it.
  var dependencies: DependencyValues?

  var isCancelled: Bool { scope?.isCancelled == true || group?.isCancelled == true }
}

/// The tasks of a store's effects, cancelled when the store goes.
final class TaskBag: Sendable {
  private struct Contents {
    var tasks: [ObjectIdentifier: Task<Void, Never>] = [:]
    /// Tasks that ended before they were inserted.
    var ended: Set<ObjectIdentifier> = []
  }

  private let contents = Mutex(Contents())

  func insert(_ task: Task<Void, Never>, _ id: ObjectIdentifier) {
    contents.withLock {
      if $0.ended.remove(id) == nil { $0.tasks[id] = task }
    }
  }

  func remove(_ id: ObjectIdentifier) {
    contents.withLock {
      if $0.tasks.removeValue(forKey: id) == nil { $0.ended.insert(id) }
    }
  }

  func cancelAll() {
    let tasks = contents.withLock { $0.tasks }
    for task in tasks.values { task.cancel() }
  }
}
