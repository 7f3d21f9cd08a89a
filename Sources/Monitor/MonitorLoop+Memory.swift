import Clients
import Composable
import Domain
import FoundationEssentials

/// Working while the store refuses writes.
extension MonitorLoop {
  func workFromMemory(
    _ memory: FallbackMonitor<Time>, _ request: ClaimRequest, gapEnd: Date?, servesAll: Bool
  ) async throws(LoggedFailure) -> (messages: [ClaimedDelivery], pause: Duration) {
    do {
      return try await memory.turn(
        now: now, gapEnd: gapEnd, lease: pace.lease, request: request, servesAll: servesAll)
    } catch {
      log.error("the store cannot be read either: \(error.text.code)")
      throw LoggedFailure(cause: error)
    }
  }

  /// Keeps the outcome of a message that was begun from memory.
  /// - Returns: Whether it was; if not, the outcome goes to the store.
  func remember(_ outcome: DeliveryOutcome, of delivery: ClaimedDelivery) -> Bool {
    guard let memory else { return false }
    let now = now
    let retryAt = random {
      DeliveryPolicy.standard.nextAttempt(after: outcome, of: delivery, now: now, random: &$0)
    }
    return memory.take(outcome, of: delivery, retryAt: retryAt, now: now)
  }
}
