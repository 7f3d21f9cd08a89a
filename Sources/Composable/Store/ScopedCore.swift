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
