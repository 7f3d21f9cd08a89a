/// The engine of a store: it holds the state, reduces actions in order and runs their effects.
@MainActor
package final class RootCore<State, Action: Sendable>: StoreCore<State, Action> {
  /// The state. Reducers change it in place.
  package private(set) var state: State
  /// What reducers and effects read by `@Dependency`.
  package var dependencies: DependencyValues
  /// Sees each action after it was reduced, and the state that it left.
  package var onReduced: ((_ action: Action, _ origin: ActionOrigin, _ state: State) -> Void)?
  /// Called after each turn, and when an effect has ended.
  var onSettled: (() -> Void)?

  private let node: ReducerNode<State, Action>
  private let effects = EffectScope()
  private var throttles = ThrottleList()
  /// The tasks of the effects, cancelled when the store goes.
  private var tasks: [ObjectIdentifier: Task<Void, Never>] = [:]
  private let scheduler: (any EffectScheduler)?
  private var queue = ActionQueue()
  /// Whether a turn has begun: what is sent now waits.
  private var isBusy = false
  /// Whether the reducer has the state in its hands.
  private var isReducing = false
  /// What follows from the send that began the turn; made when there is something.
  private var turnGroup: EffectGroup?
  private let ownTurns: Turns
  /// Tells that a shared value has changed, which observers may show.
  private let sharedSignal: SharedSignal
  private var sharedListener: SharedSignal.Listener?

  package init(
    initialState: State, node: ReducerNode<State, Action>, dependencies: DependencyValues,
    scheduler: (any EffectScheduler)? = nil
  ) {
    state = initialState
    self.node = node
    self.dependencies = dependencies
    self.scheduler = scheduler
    sharedSignal = dependencies.sharedStorage.signal
    ownTurns = Turns(sharedStamp: sharedSignal.stamp)
  }

  /// Lets the observers hear of shared values that others change between two turns.
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
      The state of a store was read while its reducer changes it. A reducer reads the state that it \
      is given; what a dependency needs of it is handed over as an argument.
      """)
    return body(state)
  }

  override var turns: Turns { ownTurns }

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

  /// The effects that run, and where they were made.
  package var runningEffects: [IssueLocation] { effects.all.compactMap(\.location) }

  /// The effects that run, as they are to be seen from outside, in the order of their places.
  var effectsInFlight: [EffectInFlight] { effects.all.compactMap(\.description).sorted() }

  /// Whether no effect runs and none is noted.
  package var isIdle: Bool { effects.isIdle }

  /// Whether the table of effects is empty.
  package var isTableEmpty: Bool { effects.isEmpty }

  /// How many windows of throttled effects are remembered.
  package var throttleCount: Int { throttles.count }

  /// Cancels all effects.
  package func cancelEffects() {
    for effect in effects.all { effect.cancel() }
  }

  // MARK: Turns

  /// Lets an action wait for the current one. Not inlined, as it is seldom and makes `send` dear.
  @inline(never)
  private func sendLater(_ action: Action) -> StoreTask {
    let group = EffectGroup()
    enqueue(QueuedAction(action, origin: .send, group: group))
    return StoreTask(group: group)
  }

  /// Reduces an action of an effect, or lets it wait for the current turn.
  func receive(_ action: QueuedAction<Action>) {
    enqueue(action)
    guard !isBusy else { return }
    isBusy = true
    finishTurn()
  }

  /// Reduces what waits, tells the observers, and reduces what they have sent.
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
        // Only `enqueue` puts actions into the queue, of this type.
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
  ///   - origin: Who sent it.
  ///   - group: What it belongs to; `nil` for the send that began the turn.
  private func reduce(_ action: Action, _ origin: ActionOrigin, _ group: EffectGroup?) {
    if dependencies.isCurrent {
      reduceHere(action, origin, group)
    } else {
      DependencyValues.with(dependencies) { reduceHere(action, origin, group) }
    }
  }

  private func reduceHere(_ action: Action, _ origin: ActionOrigin, _ group: EffectGroup?) {
    isReducing = true
    let effect = node.reduce(&state, action)
    isReducing = false
    onReduced?(action, origin, state)
    if !effect.isNone {
      start(effect, EffectContext(scope: effects, group: group))
    }
    if effects.hasChildren { node.prune?(state, effects) }
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
      context.scope.trim()
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

  /// Forgets the task of an effect that has ended.
  func forgetTask(of effect: RunningEffect) { tasks[ObjectIdentifier(effect)] = nil }

  /// Notes an effect, in the group of the turn if it has none.
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

  /// Starts a step because the one before has ended, which may be in a turn or between two.
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
    // A loop, as any number of steps may be over at once.
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
      if !step.isOver() { return }
    }
    sequence.end()
  }
}

/// Whether an action was sent from outside or by an effect.
package enum ActionOrigin: Sendable {
  case send
  case effect
}
