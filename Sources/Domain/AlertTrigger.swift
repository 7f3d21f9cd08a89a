public import FoundationEssentials

/// The emergency key: `!` pressed five times, each at most a second after the last, with a bar that
/// empties after two seconds (ALT-1).
public struct AlertTrigger: Equatable, Sendable {
  /// Presses so far, 0 – 5.
  public private(set) var presses: Int = 0
  public private(set) var lastPress: Date?

  public init() {}

  public static let pressesNeeded = 5
  public static let longestPause = TimeSpan.seconds(1)
  public static let barLifetime = TimeSpan.seconds(2)
  /// The seconds after the fifth press in which Esc still stops it.
  public static let countdown = 5

  /// Counts a press; one that comes too late starts the count again.
  /// - Returns: Whether this was the fifth press.
  public mutating func press(at now: Date) -> Bool {
    if let lastPress, now.timeIntervalSince(lastPress) > Double(Self.longestPause.seconds) {
      presses = 0
    }
    presses += 1
    lastPress = now
    return presses >= Self.pressesNeeded
  }

  public mutating func reset() { self = Self() }

  /// How full the bar is, 0 – 1.
  public var progress: Double { Double(presses) / Double(Self.pressesNeeded) }
}
