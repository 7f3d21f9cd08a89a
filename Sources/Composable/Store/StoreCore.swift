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
