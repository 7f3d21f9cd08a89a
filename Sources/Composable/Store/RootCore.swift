/// The engine of a store. Holds the state, reduces actions in order and runs their effects.
@MainActor
package final class RootCore<State, Action: Sendable>: StoreCore<State, Action> {
  /// The state. Reducers change it in place.
  package private(set) var state: State
  /// The dependencies that reducers and effects read with `@Dependency`.
  package var dependencies: DependencyValues
  /// Called after each action is reduced, with the state that resulted.
  package var onReduced: ((_ action: Action, _ origin: ActionOrigin, _ state: State) -> Void)?
  /// Called after each turn and whenever an effect ends.
  var onSettled: (() -> Void)?

  private let reducer: Reduce<State, Action>
  private let effects = EffectScope()
  private var throttles = ThrottleList()
  /// The tasks of the running effects, cancelled when the store is deallocated.
  private var tasks: [ObjectIdentifier: Task<Void, Never>] = [:]
  private let scheduler: (any EffectScheduler)?
  private var queue = ActionQueue()
  /// Whether a turn is in progress. Actions sent in the meantime are queued.
  private var isBusy = false
  /// Whether the reducer is mutating the state right now.
  private var isReducing = false
  /// The group of the send that began the turn, created when its first effect is registered.
  private var turnGroup: EffectGroup?
  private let ownTurns: TurnNotifier
  /// Signals that a shared value has changed, because observers may depend on it.
  private let sharedSignal: SharedSignal
  private var sharedListener: SharedSignal.Listener?

  package init(
    initialState: State, reducer: Reduce<State, Action>, dependencies: DependencyValues,
    scheduler: (any EffectScheduler)? = nil
  ) {
    state = initialState
    self.reducer = reducer
    self.dependencies = dependencies
    self.scheduler = scheduler
    sharedSignal = dependencies.sharedStorage.signal
    ownTurns = TurnNotifier(sharedStamp: sharedSignal.stamp)
  }

  /// Notifies the observers when a shared value changes between two turns.
  func followSharedValues() {
    sharedListener = sharedSignal.listen { [weak self] in self?.sharedValuesChanged() }
  }

  private func sharedValuesChanged() {
    guard !isBusy, ownTurns.sharedStamp != sharedSignal.stamp else { return }
    isBusy = true
    finishTurn()
  }

  deinit {
    for task in tasks.values { task.cancel() }
  }

  // MARK: Core

  override func read<Result>(_ body: (borrowing State) -> Result) -> Result? {
    precondition(
      !isReducing,
      """
      A store's state was read while its reducer was changing it. Read the state that the reducer \
      is given; if a dependency needs some of it, pass it as an argument.
      """)
    return body(state)
  }

  override var turns: TurnNotifier { ownTurns }

  override var turnNumber: UInt { ownTurns.number }

  override func readLast<Result>(_ body: (borrowing State) -> Result) -> Result { read(body)! }

  override package func send(_ action: Action) -> StoreTask {
    if isBusy { return sendLater(action) }
    isBusy = true
    reduce(action, .send, nil)
    finishTurn()
    guard let group = turnGroup else { return StoreTask(group: nil) }
    turnGroup = nil
    return StoreTask(group: group)
  }

  /// The places in the source where the running effects were made.
  package var runningEffects: [IssueLocation] { effects.all.compactMap(\.location) }

  /// Descriptions of the running effects for tools, sorted by source location.
  var effectsInFlight: [EffectInFlight] { effects.all.compactMap(\.description).sorted() }

  /// Whether no effect is running and no action is waiting.
  package var isIdle: Bool { effects.isIdle }

  /// Whether the table of effects is empty, including ids, children and throttle windows.
  package var isTableEmpty: Bool { effects.isEmpty }

  /// The number of throttle windows being tracked.
  package var throttleCount: Int { throttles.count }

  /// Cancels all effects.
  package func cancelEffects() {
    for effect in effects.all { effect.cancel() }
  }

  // MARK: Turns

  /// Queues an action until the current one is reduced. Not inlined, because it is rarely called
  /// and would slow down `send`.
  @inline(never)
  private func sendLater(_ action: Action) -> StoreTask {
    let group = EffectGroup()
    enqueue(QueuedAction(action, origin: .send, group: group))
    return StoreTask(group: group)
  }

  /// Reduces an action sent by an effect, or queues it if a turn is in progress.
  func receive(_ action: QueuedAction<Action>) {
    enqueue(action)
    guard !isBusy else { return }
    isBusy = true
    finishTurn()
  }

  /// Reduces the queued actions and notifies the observers, and repeats that while the observers
  /// send more actions.
  private func finishTurn() {
    repeat {
      if !queue.isEmpty { reduceWaitingActions() }
      ownTurns.end(sharedStamp: sharedSignal.stamp)
    } while !queue.isEmpty
    isBusy = false
    onSettled?()
  }

  @inline(never)
  private func reduceWaitingActions() {
    while let next = queue.popFirst() {
      next.scope?.removePendingAction()
      if !next.isCancelled {
        // Only `enqueue` adds to the queue, and always this type.
        let action = unsafeDowncast(next, to: QueuedAction<Action>.self).action
        reduce(action, next.origin, next.group)
      }
      next.group?.removePendingAction()
    }
  }

  private func enqueue(_ action: QueuedAction<Action>) {
    action.scope?.addPendingAction()
    action.group?.addPendingAction()
    queue.append(action)
  }

  /// Reduces an action and starts its effects.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - origin: Where the action came from.
  ///   - group: The group of the send that it follows from; `nil` for the send that began the turn.
  private func reduce(_ action: Action, _ origin: ActionOrigin, _ group: EffectGroup?) {
    if dependencies.isCurrent {
      reduceHere(action, origin, group)
    } else {
      DependencyValues.with(dependencies) { reduceHere(action, origin, group) }
    }
  }

  private func reduceHere(_ action: Action, _ origin: ActionOrigin, _ group: EffectGroup?) {
    isReducing = true
    let effect = reducer.run(&state, action)
    isReducing = false
    onReduced?(action, origin, state)
    if !effect.isNone {
      start(effect, EffectContext(scope: effects, group: group))
    }
    if effects.hasChildren { reducer.prune?(state, effects) }
  }

  // MARK: Effects

  private func start(_ effect: Effect<Action>, _ context: EffectContext) {
    switch effect.operation {
    case nil: break
    case .send(let action):
      enqueue(
        QueuedAction(action, origin: .effect, scope: context.scope, group: context.group))
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
      context.scope.removeIfEmpty()
    case .throttle(let effect, let id, let rule):
      if let window = context.scope.throttleWindow(id) as? ThrottleWindow<Action>, window.isOpen {
        if let delayed = window.add(effect, rule, id) { start(delayed, context) }
      } else {
        throttles.open(ThrottleWindow<Action>(rule), id, in: context.scope)
        start(effect, context)
      }
    case .deferred(let effect): start(effect(), context)
    }
  }

  private func start(_ operation: RunOperation<Action>, _ context: EffectContext) {
    let (effect, group) = register(operation.location, context, operation.holdsDismissal)
    guard !group.isCancelled else { return effect.end() }
    var context = context
    context.group = group
    let run = EffectRun(
      operation, effect: effect, context: context, core: self, scheduler: scheduler)
    let task = run.start()
    effect.task = task
    tasks[ObjectIdentifier(effect)] = task
  }

  /// Drops the task of an effect that has ended.
  func forgetTask(of effect: RunningEffect) { tasks[ObjectIdentifier(effect)] = nil }

  /// Registers an effect, in the turn's group if it has none yet.
  private func register(
    _ location: IssueLocation?, _ context: EffectContext, _ holdsDismissal: Bool = false
  ) -> (RunningEffect, EffectGroup) {
    let group = context.group ?? turnGroup ?? EffectGroup()
    if context.group == nil { turnGroup = group }
    let effect = RunningEffect(
      location: location, holdsDismissal: holdsDismissal, context: context, group: group)
    return (effect, group)
  }

  private func startSequence(_ effects: ArraySlice<Effect<Action>>, _ context: EffectContext) {
    let (sequence, group) = register(nil, context)
    var context = context
    context.group = group
    startStep(effects, sequence, context)
  }

  /// Starts the next step of a sequence. The previous step may have ended during a turn or between
  /// two.
  private func startNextStep(
    _ effects: ArraySlice<Effect<Action>>, _ sequence: RunningEffect, _ context: EffectContext
  ) {
    let isInTurn = isBusy
    isBusy = true
    startStep(effects, sequence, context)
    if !isInTurn {
      if queue.isEmpty { isBusy = false } else { finishTurn() }
    }
  }

  private func startStep(
    _ effects: ArraySlice<Effect<Action>>, _ sequence: RunningEffect, _ context: EffectContext
  ) {
    var rest = effects
    // Iterative, because any number of steps can end immediately.
    while let first = rest.popFirst(), !sequence.isCancelled {
      let step = EffectStep { [weak self, rest] in
        if let self {
          self.startNextStep(rest, sequence, context)
        } else {
          sequence.end()
        }
      }
      var stepContext = context
      stepContext.step = step
      step.begin()
      start(first, stepContext)
      if !step.endOne() { return }
    }
    sequence.end()
  }
}

/// Whether an action was sent from outside or by an effect.
package enum ActionOrigin: Sendable {
  case send
  case effect
}
