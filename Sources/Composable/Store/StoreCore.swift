/// The implementation of a `Store`: either the root, which holds the state, or a part of another
/// core.
@MainActor
package class StoreCore<State, Action: Sendable> {
  /// Reads the state in place, or returns `nil` if it is gone.
  func read<Result>(_ body: (borrowing State) -> Result) -> Result? { fatalError() }

  /// Reduces an action.
  func send(_ action: Action) -> StoreTask { fatalError() }

  /// The turns that can change the state.
  var turns: TurnNotifier { fatalError() }

  /// The number of turns that the root has finished.
  var turnNumber: UInt { fatalError() }

  /// Reads the state in place, or the last one seen if it is gone.
  func readLast<Result>(_ body: (borrowing State) -> Result) -> Result { fatalError() }
}

/// The core of a child whose state always exists in its parent.
final class ScopedCore<Parent, ParentAction: Sendable, State, Action: Sendable>:
  StoreCore<State, Action>
{
  private let parent: StoreCore<Parent, ParentAction>
  private let state: KeyPath<Parent, State>
  private let action: CasePath<ParentAction, Action>

  init(
    parent: StoreCore<Parent, ParentAction>, state: KeyPath<Parent, State>,
    action: CasePath<ParentAction, Action>
  ) {
    self.parent = parent
    self.state = state
    self.action = action
  }

  override func read<Result>(_ body: (borrowing State) -> Result) -> Result? {
    parent.read { body($0[keyPath: state]) }
  }

  override func send(_ action: Action) -> StoreTask { parent.send(self.action.embed(action)) }

  override var turns: TurnNotifier { parent.turns }

  override var turnNumber: UInt { parent.turnNumber }

  override func readLast<Result>(_ body: (borrowing State) -> Result) -> Result {
    parent.readLast { body($0[keyPath: state]) }
  }
}

/// The core of a child whose state can disappear: an optional, an enum's case or a list's row.
final class OptionalCore<Parent, ParentAction: Sendable, State, Action: Sendable>:
  StoreCore<State, Action>
{
  private let parent: StoreCore<Parent, ParentAction>
  private let state: (borrowing Parent) -> State?
  private let embed: (Action) -> ParentAction
  /// The turns that can change the state, if they are fewer than the parent's.
  private let ownTurns: TurnNotifier?
  /// The last state seen, for reads after the state is gone, and the turn in which it was seen.
  private var last: (turn: UInt, state: State)
  private var observer: Observer?

  /// - Parameter last: The current state.
  init(
    parent: StoreCore<Parent, ParentAction>, last: State,
    state: @escaping (borrowing Parent) -> State?,
    embed: @escaping (Action) -> ParentAction, turns: TurnNotifier? = nil
  ) {
    ownTurns = turns
    self.parent = parent
    self.last = (parent.turnNumber, last)
    self.state = state
    self.embed = embed
    super.init()
    guard let turns else { return }
    // Called only when the row has changed, so keeping every value is cheap.
    let observer = Observer(flag: CancellationFlag()) { [weak self] in self?.updateLast() }
    self.observer = observer
    turns.add(observer)
  }

  private func updateLast() {
    let turn = parent.turnNumber
    if last.turn != turn, let state = read({ copy $0 }) { last = (turn, state) }
  }

  override func readLast<Result>(_ body: (borrowing State) -> Result) -> Result {
    updateLast()
    return body(last.state)
  }

  override func read<Result>(_ body: (borrowing State) -> Result) -> Result? {
    parent.read { state($0).map { body($0) } } ?? nil
  }

  override func send(_ action: Action) -> StoreTask {
    guard read({ _ in () }) != nil else {
      reportIssue(
        """
        An action was sent to a store whose state is gone.

          Action: \(describe(action))

        The action was ignored. Release a child's store when the child's state becomes nil.
        """)
      return StoreTask(group: nil)
    }
    return parent.send(embed(action))
  }

  override var turns: TurnNotifier { ownTurns ?? parent.turns }

  override var turnNumber: UInt { parent.turnNumber }
}
