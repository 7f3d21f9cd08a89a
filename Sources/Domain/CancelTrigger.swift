public import FoundationEssentials

/// Five presses of `x` that cancel an alert, each at most two seconds after the last (ALT-2).
///
/// A key that is held or stuck never cancels: repeats don't count where the terminal tells them,
/// and elsewhere nothing counts that follows the last press so soon that only a repeat or a
/// trembling hand sends it.
public struct CancelTrigger: Equatable, Sendable {
  /// Presses so far, 0 – 5.
  public private(set) var presses = 0
  /// The last press that counted.
  private var lastCounted: Date?
  /// The last press, whether it counted or not.
  private var last: Date

  /// - Parameter now: When the press came that opened the panel. Its repeats don't count.
  public init(openedAt now: Date) { last = now }

  public static let pressesNeeded = 5
  public static let longestPause = TimeSpan.seconds(2)
  /// The shortest time between two presses, in seconds. Keyboards repeat 11 to 50 times a second.
  public static let shortestPause = 0.1
  /// How long a button of the mouse must be held instead.
  public static let holdTime = TimeSpan.seconds(2)

  /// Counts a press; one that comes too late starts the count again.
  /// - Parameter isRepeat: Whether the terminal says that the key was held.
  /// - Returns: Whether this was the fifth press.
  public mutating func press(at now: Date, isRepeat: Bool = false) -> Bool {
    let pause = now.timeIntervalSince(last)
    last = now
    // A clock that was set back says nothing about the pause.
    guard !isRepeat, pause < 0 || pause >= Self.shortestPause else { return false }
    if let lastCounted,
      now.timeIntervalSince(lastCounted) > Double(Self.longestPause.seconds)
    {
      presses = 0
    }
    presses += 1
    lastCounted = now
    return presses >= Self.pressesNeeded
  }

  /// Starts the count again.
  public mutating func reset() {
    presses = 0
    lastCounted = nil
  }

  /// How full the bar is, 0 – 1.
  public var progress: Double { Double(presses) / Double(Self.pressesNeeded) }
}
