/// How much of what happens a test store wants to be asserted.
public enum Exhaustivity: Equatable, Sendable {
  /// Every change of the state, every received action, and the end of every effect.
  case on
  /// Only what is asserted.
  ///
  /// - Parameter showSkippedAssertions: Whether what was not asserted is noted as a warning.
  case off(showSkippedAssertions: Bool)

  /// Only what is asserted; the rest is not noted.
  public static let off = Self.off(showSkippedAssertions: false)
}
