/// Limits frames that aren't a response to a key: at most 60 per second, plus a short burst after a
/// pause.
///
/// Thanks to the burst, the result of an effect started by a key appears at once, as does the first
/// screen when its data has been loaded, instead of a sixtieth of a second later. This is the
/// generic cell rate algorithm (ITU-T I.371).
struct FramePace {
  /// The average time between frames.
  static let interval = Duration.microseconds(16_667)
  /// The number of frames that can be drawn in immediate succession.
  static let burst = 6

  /// When the frames drawn so far would have finished at the average rate.
  private var schedule = ContinuousClock.now

  /// The earliest time for the next frame.
  var nextFrame: ContinuousClock.Instant { schedule - Self.interval * (Self.burst - 1) }

  /// Records a frame. Frames that respond to keys are drawn regardless of the limit, and use up the
  /// burst but no more, so the next frame never waits longer than an interval.
  mutating func frameWasDrawn(at now: ContinuousClock.Instant) {
    let latest = now + Self.interval * (Self.burst - 1)
    schedule = min(max(schedule, now), latest) + Self.interval
  }
}
