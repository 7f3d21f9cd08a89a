extension Effect {
  /// This effect at most once in a time: the first of an id runs at once, and of those that come
  /// before the time is over only one runs, at its end.
  ///
  /// - Parameters:
  ///   - id: The name of the effect; see `cancellable(id:cancelInFlight:)`.
  ///   - duration: The time between two of them.
  ///   - clock: Measures the time; the dependency `continuousClock` if left out.
  ///   - latest: Whether, of those that come before the time is over, the last runs, or the first.
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

/// How often a throttled effect runs.
@usableFromInline
struct ThrottleRule: Sendable {
  let duration: Duration
  let clock: any Clock<Duration>
  let latest: Bool
  let location: IssueLocation

  /// Starts to measure: gives what is left of the duration.
  func left() -> () -> Duration { left(on: clock) }

  private func left<C: Clock<Duration>>(on clock: C) -> () -> Duration {
    let end = clock.now.advanced(by: duration)
    return { clock.now.duration(to: end) }
  }
}

/// The time after a throttled effect in which no other of its id runs.
@MainActor
final class ThrottleWindow<Action: Sendable>: AnyThrottleWindow {
  private let left: () -> Duration
  private var waiting: Effect<Action>?

  init(_ rule: ThrottleRule) { left = rule.left() }

  override var isOpen: Bool { waiting != nil || left() > .zero }

  /// Lets an effect wait.
  ///
  /// - Returns: What waits for the end of the window, if nothing did before.
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

/// A window, of whatever action.
@MainActor
class AnyThrottleWindow {
  /// Whether effects have to wait.
  var isOpen: Bool { fatalError() }

  /// Forgets the effect that waits.
  func cancel() {}
}

/// The windows of a store, so that those that are over are forgotten: now and then, so that there are
/// never more than twice as many as are open.
@MainActor
struct ThrottleList {
  private var entries: [(scope: EffectScope, id: CancelID)] = []
  private var limit = 16

  var count: Int { entries.count }

  /// Opens a window, in the place of one that is over.
  mutating func open(_ window: AnyThrottleWindow, _ id: CancelID, in scope: EffectScope) {
    let isNew = scope.throttleWindow(id) == nil
    // It is noted before the others are looked at, or it would be taken for one that is over.
    scope.setThrottleWindow(id, window)
    guard isNew else { return }
    entries.append((scope, id))
    guard entries.count > limit else { return }
    entries = entries.filter { $0.scope.keepsThrottleWindow($0.id) }
    limit = max(16, 2 * entries.count)
  }
}
