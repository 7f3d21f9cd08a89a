/// When the next frame may be drawn that nobody has pressed a key for: at most 60 a second, with a
/// few at once after a pause.
///
/// The few make the answer to a key appear as soon as its effect has it, and the first screen as
/// soon as its data has been read, instead of a sixtieth of a second later. This is the generic
/// cell rate algorithm (ITU-T I.371).
struct FramePace {
  /// The time between frames in the long run.
  static let interval = Duration.microseconds(16_667)
  /// How many frames may follow each other at once.
  static let burst = 6

  /// When the frames drawn so far would have been, had they kept the interval.
  private var schedule = ContinuousClock.now

  /// The earliest moment for another frame.
  var nextFrame: ContinuousClock.Instant { schedule - Self.interval * (Self.burst - 1) }

  /// Frames that keys ask for are drawn without asking, however many; they use up the few that may
  /// follow each other, and no more, so that the next one never waits longer than an interval.
  mutating func frameWasDrawn(at now: ContinuousClock.Instant) {
    let latest = now + Self.interval * (Self.burst - 1)
    schedule = min(max(schedule, now), latest) + Self.interval
  }
}
