/// The ways in which the state after an action can differ from what a test expects. Each text says
/// what happened, why, and what to do.
enum TestFailure {
  /// The state changed, and the test said nothing about it.
  case unexpectedChange(String)
  /// The state changed otherwise than the test said.
  case otherChange(String)
  /// The test said how the state changes, and it did not.
  case missingChange(String)
  /// The test gave a closure that changes nothing.
  case assertedNothing

  func text(_ action: String) -> String {
    switch self {
    case .unexpectedChange(let difference):
      """
      The state changed, but no change was asserted.

        Action: \(action)

      \(difference)

      Assert the change in a trailing closure, as in `{ $0.count = 1 }`, or find out why the action \
      changes the state.
      """
    case .otherChange(let difference):
      """
      The state changed otherwise than asserted.

        Action: \(action)

      \(difference)

      Lines with − were asserted, lines with + are what the reducer made.
      """
    case .missingChange(let difference):
      """
      A change was asserted, but the state did not change.

        Action: \(action)

      \(difference)

      Remove the closure if nothing should change. Otherwise the reducer does not handle this \
      action, or a dependency of the test makes it leave early.
      """
    case .assertedNothing:
      """
      A closure was given that changes nothing, and the state did not change.

        Action: \(action)

      Remove the closure; or, to assert a value that stays as it is, use `assert` or \
      `#expect(store.state…)` after it.
      """
    }
  }
}
