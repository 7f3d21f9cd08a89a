extension Effect {
  /// Runs this effect at most once per duration. The first effect with an id runs at once; of those
  /// that arrive before the duration is over, only one runs, at its end.
  ///
  /// - Parameters:
  ///   - id: The id of the effect; see `cancellable(id:cancelInFlight:)`.
  ///   - duration: The minimum time between two runs.
  ///   - clock: The clock that measures the duration; the dependency `continuousClock` if omitted.
  ///   - latest: Whether the last of the effects that arrive in between runs, instead of the first.
  ///   - fileID: The module and file of the effect.
  ///   - filePath: The path of the file.
  ///   - line: The line of the effect.
  ///   - column: The column of the effect.
  public func throttle(
    id: some Hashable & Sendable, for duration: Duration, clock: (any Clock<Duration>)? = nil,
    latest: Bool,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) -> Self {
    guard operation != nil else { return .none }
    let clock = clock ?? DependencyValues.current.continuousClock
    return Self(
      .throttle(
        self, id: CancelID(id),
        ThrottleRule(
          duration: duration, clock: clock, latest: latest,
          location: IssueLocation(
            fileID: fileID, filePath: filePath, line: line, column: column))))
  }
}

/// The rate limit of a throttled effect.
@usableFromInline
struct ThrottleRule: Sendable {
  let duration: Duration
  let clock: any Clock<Duration>
  let latest: Bool
  let location: IssueLocation

  /// Starts measuring, and returns a function for the time that is left.
  func startMeasuring() -> () -> Duration { left(on: clock) }

  private func left<C: Clock<Duration>>(on clock: C) -> () -> Duration {
    let end = clock.now.advanced(by: duration)
    return { clock.now.duration(to: end) }
  }
}

/// The time after a throttled effect during which no other with the same id runs.
@MainActor
final class ThrottleWindow<Action: Sendable>: AnyThrottleWindow {
  private let left: () -> Duration
  private var waiting: Effect<Action>?

  init(_ rule: ThrottleRule) { left = rule.startMeasuring() }

  override var isOpen: Bool { waiting != nil || left() > .zero }

  /// Makes an effect wait for the end of the window.
  ///
  /// - Returns: An effect that runs the waiting one when the window closes, if none was waiting
  ///   before.
  func add(_ effect: Effect<Action>, _ rule: ThrottleRule, _ id: CancelID) -> Effect<Action>? {
    let isFirst = waiting == nil
    if isFirst || rule.latest { waiting = effect }
    guard isFirst else { return nil }
    let left = left()
    return Effect(
      .cancellable(
        .concatenate(
          .sleep(for: left, on: rule.clock, at: rule.location),
          Effect(.deferred { Effect(.throttle(self.takeWaiting(), id: id, rule)) })),
        id: id, cancelInFlight: false))
  }

  private func takeWaiting() -> Effect<Action> {
    defer { waiting = nil }
    return waiting ?? .none
  }

  override func cancel() { waiting = nil }
}

/// A throttle window for any type of action.
@MainActor
class AnyThrottleWindow {
  /// Whether a new effect has to wait.
  var isOpen: Bool { fatalError() }

  /// Drops the waiting effect.
  func cancel() {}
}

/// The throttle windows of a store. Closed windows are purged as the list grows, so it never holds
/// many more than twice the number of open ones.
@MainActor
struct ThrottleList {
  private var entries: [(scope: EffectScope, id: CancelID)] = []
  private var limit = 16

  var count: Int { entries.count }

  /// Opens a window, replacing a closed one with the same id.
  mutating func open(_ window: AnyThrottleWindow, _ id: CancelID, in scope: EffectScope) {
    let isNew = scope.throttleWindow(id) == nil
    // Set before the purge below, which would otherwise remove the new entry as closed.
    scope.setThrottleWindow(id, window)
    guard isNew else { return }
    entries.append((scope, id))
    guard entries.count > limit else { return }
    entries = entries.filter { $0.scope.keepsThrottleWindow($0.id) }
    limit = max(16, 2 * entries.count)
  }
}
