/// What stands behind a `Store`: the root with its state, or a part of another core.
@MainActor
package class StoreCore<State, Action: Sendable> {
  /// Reads the state where it is, or returns `nil` if it is gone.
  func read<Result>(_ body: (borrowing State) -> Result) -> Result? { fatalError() }

  /// Reduces an action.
  func send(_ action: Action) -> StoreTask { fatalError() }

  /// The turns that may change the state.
  var turns: Turns { fatalError() }

  /// How many turns the root has made.
  var turnNumber: UInt { fatalError() }

  /// Reads the state where it is, or the last one if it is gone.
  func readLast<Result>(_ body: (borrowing State) -> Result) -> Result { fatalError() }
}
