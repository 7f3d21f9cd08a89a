/// A difference between the state after an action and the state that a test expects. The text says
/// what happened, why, and what to do.
enum TestFailure {
  /// The state changed, but the test asserted no change.
  case unexpectedChange(String)
  /// The state didn't change as the test asserted.
  case wrongChange(String)
  /// The test asserted a change, but the state didn't change.
  case missingChange(String)
  /// The test's closure changes nothing.
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
    case .wrongChange(let difference):
      """
      The state changed, but not as asserted.

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
      The closure changes nothing, and the state did not change.

        Action: \(action)

      Remove the closure; or, to assert a value that stays as it is, use `assert` or \
      `#expect(store.state…)` after it.
      """
    }
  }
}
