import Clients
import Domain
import FoundationEssentials
import Synchronization

/// Lets another monitor have the next try where this one has just failed.
///
/// A monitor that is cut off from the servers, and not from the store, would otherwise take a message
/// before one that could send it, again and again: it is always awake when the pause is over.
final class Deference: Sendable {
  /// How much longer than the pause this monitor waits; another one needs no longer to take it.
  private static let span = TimeSpan.seconds(5)

  private let held = Mutex<[Destination: Date]>([:])

  /// Notes how an attempt ended.
  /// - Parameter retryAt: When the message may be tried again, or `nil` where it may not.
  func note(_ destination: Destination, retryAt: Date?) {
    held.withLock { $0[destination] = retryAt.map { $0 + Self.span } }
  }

  /// Leaves out where others may do better.
  func apply(to request: inout ClaimRequest, at now: Date) {
    held.withLock { held in
      held = held.filter { $0.value > now }
      for destination in held.keys { request.busy[destination] = request.limitPerDestination }
    }
  }
}
