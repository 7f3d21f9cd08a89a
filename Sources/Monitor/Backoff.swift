import Clients
import Domain
import FoundationEssentials
import Synchronization

/// Gives other monitors the first chance to retry a message that this one has just failed to send.
///
/// A monitor that can reach the store but not the servers would otherwise claim the message again
/// and again before a monitor that could send it, because it is always awake when the delay ends.
final class Backoff: Sendable {
  /// How much longer than the retry delay this monitor waits, enough for another one to claim the
  /// message.
  private static let span = TimeSpan.seconds(5)

  /// The periods in which this monitor claims nothing for a destination, each from the end of a
  /// retry delay.
  private let held = Mutex<[Destination: [ClosedRange<Date>]]>([:])

  /// Notes the end of an attempt.
  /// - Parameter retryAt: When the message can be tried again, or `nil` if it is not retried.
  func note(_ destination: Destination, retryAt: Date?) {
    held.withLock { held in
      guard let retryAt else { return held[destination] = nil }
      held[destination, default: []].append(retryAt...retryAt + Self.span)
    }
  }

  /// Marks the destinations that are left to other monitors at `now` as busy.
  func apply(to request: inout ClaimRequest, at now: Date) {
    held.withLock { held in
      held = held.mapValues { $0.filter { $0.upperBound > now } }.filter { !$0.value.isEmpty }
      for (destination, spans) in held where spans.contains(where: { $0.contains(now) }) {
        request.busy[destination] = request.limitPerDestination
      }
    }
  }
}
