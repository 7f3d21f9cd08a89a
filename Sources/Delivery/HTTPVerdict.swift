import Clients
import Domain
import FoundationEssentials

extension DeliveryOutcome {
  /// Judges an attempt to deliver a message to a service (CHN-2).
  ///
  /// The status decides, whatever follows it. Without a status, it matters whether the request was
  /// sent: if it was, nobody knows whether the service accepted it, and it is sent again with the
  /// same identity.
  /// - Parameters:
  ///   - service: The name for the service in a reason, such as “the webhook”.
  ///   - now: The time from which a date in Retry-After is measured.
  init(_ result: HTTPResult, service: String, now: Date) {
    switch result {
    case .reply(let reply): self.init(reply, service: service, now: now)
    case .failed(.unusable(let reason)): self = .permanent(reason: "\(service): \(reason)")
    case .failed(.refusedAddress(let what, let isLiteral)):
      let reason = "\(service)'s address leads to \(what), where nothing is sent"
      self = isLiteral ? .permanent(reason: reason) : .retry(reason: reason, after: nil)
    case .failed(.notTrusted):
      self = .misconfigured(reason: "\(service)'s certificate isn't trusted")
    case .failed(.notSent(let kind)):
      self = .retry(reason: "\(service) could not be reached (\(kind.text))", after: nil)
    case .failed(.unanswered(let kind)):
      self = .ambiguous(reason: "\(service) did not answer (\(kind.text))")
    }
  }

  private init(_ reply: HTTPReply, service: String, now: Date) {
    let status = reply.status
    switch status {
    case 200..<300: self = .sent
    case 300..<400:
      self = .permanent(
        reason: "\(service) leads elsewhere (\(status)); redirects are not followed")
    case 408, 425, 429, 500...:
      let wish = reply.retryAfter.flatMap { RetryAfter.span($0, now: now) }
      self = .retry(reason: "\(service) asked to try later (\(status))", after: wish)
    case 401, 403: self = .permanent(reason: "\(service) refused access (\(status))")
    case 404: self = .permanent(reason: "\(service) doesn't exist (404)")
    case 410: self = .permanent(reason: "\(service) is gone (410)")
    default: self = .permanent(reason: "\(service) refused the message (\(status))")
    }
  }
}
