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
