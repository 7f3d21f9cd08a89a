/// A part of another core that may be gone: an optional, a case, a row.
final class VanishingCore<Parent, ParentAction: Sendable, State, Action: Sendable>:
  StoreCore<State, Action>
{
  private let parent: StoreCore<Parent, ParentAction>
  private let state: (borrowing Parent) -> State?
  private let embed: (Action) -> ParentAction
  /// The turns that may change it, if not all of the parent's may.
  private let ownTurns: Turns?

  init(
    parent: StoreCore<Parent, ParentAction>, state: @escaping (borrowing Parent) -> State?,
    embed: @escaping (Action) -> ParentAction, turns: Turns? = nil
  ) {
    ownTurns = turns
    self.parent = parent
    self.state = state
    self.embed = embed
  }

  override func read<Result>(_ body: (borrowing State) -> Result) -> Result? {
    parent.read { state($0).map { body($0) } } ?? nil
  }

  override func send(_ action: Action) -> StoreTask {
    guard read({ _ in () }) != nil else {
      reportIssue(
        """
        An action was sent to a store whose state is gone.

          Action: \(action)

        The action was ignored. Let go of a child's store when the child's state becomes nil.
        """)
      return StoreTask(group: nil)
    }
    return parent.send(embed(action))
  }

  override var turns: Turns { ownTurns ?? parent.turns }

  override var turnNumber: UInt { parent.turnNumber }

  override var canVanish: Bool { true }
}
