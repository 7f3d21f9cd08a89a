/// A part of another core that may be gone: an optional, a case, a row.
final class VanishingCore<Parent, ParentAction: Sendable, State, Action: Sendable>:
  StoreCore<State, Action>
{
  private let parent: StoreCore<Parent, ParentAction>
  private let state: (borrowing Parent) -> State?
  private let embed: (Action) -> ParentAction
  /// The turns that may change it, if not all of the parent's may.
  private let ownTurns: Turns?
  /// What it was last, as far as anybody has seen, for all who read it when it is gone.
  private var last: (turn: UInt, state: State)
  private var observer: Observer?

  /// - Parameter last: The state, which is there now.
  init(
    parent: StoreCore<Parent, ParentAction>, last: State,
    state: @escaping (borrowing Parent) -> State?,
    embed: @escaping (Action) -> ParentAction, turns: Turns? = nil
  ) {
    ownTurns = turns
    self.parent = parent
    self.last = (parent.turnNumber, last)
    self.state = state
    self.embed = embed
    super.init()
    guard let turns else { return }
    // Told only when the row has changed, so that it costs nothing to see each of its values.
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

        The action was ignored. Let go of a child's store when the child's state becomes nil.
        """)
      return StoreTask(group: nil)
    }
    return parent.send(embed(action))
  }

  override var turns: Turns { ownTurns ?? parent.turns }

  override var turnNumber: UInt { parent.turnNumber }
}
