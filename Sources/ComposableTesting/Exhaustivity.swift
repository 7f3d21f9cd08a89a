/// How much of what happens a test store requires the test to assert.
public enum Exhaustivity: Equatable, Sendable {
  /// Requires every state change, every received action and the end of every effect to be asserted.
  case on
  /// Requires nothing, and checks only what is asserted.
  ///
  /// - Parameter showSkippedAssertions: Whether to record a warning for what wasn't asserted.
  case off(showSkippedAssertions: Bool)

  /// Checks only what is asserted, without warnings.
  public static let off = Self.off(showSkippedAssertions: false)
}
