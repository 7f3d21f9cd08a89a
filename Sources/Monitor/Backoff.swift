import Clients
import Domain
import FoundationEssentials
import Synchronization

/// Lets another monitor have the next try where this one has just failed.
///
/// A monitor that is cut off from the servers, and not from the store, would otherwise take a message
/// before one that could send it, again and again: it is always awake when the pause is over.
final class Backoff: Sendable {
  /// How much longer than the pause this monitor waits; another one needs no longer to take it.
  private static let span = TimeSpan.seconds(5)

  /// When this monitor takes nothing for a destination: from the end of each pause, for a while.
  private let held = Mutex<[Destination: [ClosedRange<Date>]]>([:])

  /// Notes how an attempt ended.
  /// - Parameter retryAt: When the message may be tried again, or `nil` where it may not.
  func note(_ destination: Destination, retryAt: Date?) {
    held.withLock { held in
      guard let retryAt else { return held[destination] = nil }
      held[destination, default: []].append(retryAt...retryAt + Self.span)
    }
  }

  /// Leaves out where others may do better.
  func apply(to request: inout ClaimRequest, at now: Date) {
    held.withLock { held in
      held = held.mapValues { $0.filter { $0.upperBound > now } }.filter { !$0.value.isEmpty }
      for (destination, spans) in held where spans.contains(where: { $0.contains(now) }) {
        request.busy[destination] = request.limitPerDestination
      }
    }
  }
}
