/// One step of `Effect.concatenate`. The next step begins when its last effect ends.
@MainActor
final class EffectStep {
  private var running = 0
  private let next: () -> Void

  init(next: @escaping () -> Void) { self.next = next }

  func begin() { running += 1 }

  func end() {
    if endOne() { next() }
  }

  /// Ends one effect without beginning the next step.
  ///
  /// - Returns: Whether it was the last one.
  func endOne() -> Bool {
    running -= 1
    return running == 0
  }
}
