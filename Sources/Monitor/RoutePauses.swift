import Clients
import Domain
import FoundationEssentials
import Synchronization

/// Holds up messages that are sent without the store while their login or token is refused, as the
/// store does for all others (CHN-2).
final class RoutePauses: Sendable {
  private struct Pause {
    var refusals = 0
    /// `nil` while the route works.
    var until: Date?
    /// The attempt that tries it.
    var probe: UUID?
  }

  private let routes = Mutex<[String: Pause]>([:])

  /// Leaves out mail, or all but one or two messages, while its login doesn't work or isn't known to
  /// work.
  func limitMail(_ request: inout ClaimRequest, at now: Date) {
    guard let mail = request.mail else { return }
    guard let route = routes.withLock({ $0[mail.key] }) else {
      return request.limitMail(to: ClaimRequest.untriedLogins)
    }
    guard let until = route.until else { return }
    request.limitMail(to: until > now ? 0 : 1)
  }

  /// Takes the route for a message. The first after a pause tries it, and the others wait.
  /// - Returns: Until when the message must wait, or `nil` if it can be sent now.
  func enter(_ message: ClaimedDelivery, _ mail: MailRoute?, at now: Date) -> Date? {
    guard let key = Self.key(of: message, mail) else { return nil }
    return routes.withLock { routes in
      guard let until = routes[key]?.until else { return nil }
      if until > now { return until }
      routes[key]?.until = now + .seconds(90)
      routes[key]?.probe = message.token
      return nil
    }
  }

  /// Learns from an attempt whether its route works.
  func note(
    _ outcome: DeliveryOutcome, of message: ClaimedDelivery, _ mail: MailRoute?, at now: Date
  ) {
    guard let key = Self.key(of: message, mail) else { return }
    routes.withLock { routes in
      var route = routes[key] ?? Pause()
      let hasWorked = outcome.kind == .sent || outcome.kind == .ambiguous
      // Others were under way when the first of them was refused.
      if let until = route.until, until > now, route.probe != message.token, !hasWorked { return }
      route.probe = nil
      if outcome.kind == .accessRefused { route.refusals += 1 }
      if let pause = DeliveryPolicy.standard.pause(after: outcome, refusals: route.refusals) {
        route.until = now + pause
      } else if hasWorked {
        route = Pause()
      } else {
        route.until = route.until.map { _ in now }
      }
      routes[key] = route
    }
  }

  /// Whether the message's route has accepted a message.
  func isKnownToWork(_ message: ClaimedDelivery, _ mail: MailRoute?) -> Bool {
    guard let key = Self.key(of: message, mail) else { return true }
    return routes.withLock { $0[key].map { $0.until == nil } ?? false }
  }

  private static func key(of message: ClaimedDelivery, _ mail: MailRoute?) -> String? {
    switch message.channel {
    case .desktop: nil
    case .email: mail?.key ?? "mail"
    case .webhook, .ntfy, .service:
      "\(message.channel.rawValue) \(message.destination.host) "
        + (message.secret?.value ?? message.address)
    }
  }
}
