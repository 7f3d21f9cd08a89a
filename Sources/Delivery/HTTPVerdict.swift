import Clients
import Domain
import FoundationEssentials

extension DeliveryOutcome {
  /// Judges an attempt to deliver a message to a service (CHN-2).
  ///
  /// Only the service's own words say that it took the message, doesn't know the recipient, or
  /// refuses our token. A web page, a redirect or an error without these words can come from a proxy
  /// or a login page in front of it, and passes. Without an answer, it matters whether the request
  /// was sent: if it was, nobody knows whether the service accepted it.
  /// - Parameters:
  ///   - service: The name for the service in a reason, such as “the webhook”.
  ///   - rules: How the service's words are recognised. Without any, each status for success counts.
  ///   - now: The time from which a date in Retry-After is measured.
  init(_ result: HTTPResult, service: String, rules: AnswerRules = AnswerRules(), now: Date) {
    switch result {
    case .reply(let reply): self.init(reply, service: service, rules: rules, now: now)
    case .failed(.unusable(let reason)): self = .permanent(reason: "\(service): \(reason)")
    case .failed(.refusedAddress(let what, let isLiteral)):
      let reason = "\(service)'s address leads to \(what), where nothing is sent"
      self = isLiteral ? .permanent(reason: reason) : .retry(reason: reason, after: nil)
    case .failed(.notTrusted), .failed(.otherKey):
      self = .misconfigured(reason: "\(service)'s certificate isn't trusted")
    case .failed(.notStarted):
      // The library, or memory, may be there later.
      self = .retry(
        reason: "\(service) could not be reached (libcurl could not be started)", after: nil)
    case .failed(.notSent(let kind)):
      self = .retry(reason: "\(service) could not be reached (\(kind.text))", after: nil)
    case .failed(.unanswered(let kind)):
      self = .ambiguous(reason: "\(service) did not answer (\(kind.text))")
    case .failed(.replyTooLarge), .failed(.cancelled):
      self = .ambiguous(reason: "\(service)'s answer was not read")
    }
  }

  private init(_ reply: HTTPReply, service: String, rules: AnswerRules, now: Date) {
    let answer = reply.answer
    let status = reply.status
    let wish =
      reply.headers["retry-after"].flatMap { RetryAfter.span($0, now: now) }
      ?? answer[rules.retryAfter]?.span(of: rules.retryAfter)
    let isPage = answer.isPage
    if answer.matches(rules.wrongCredentials) {
      self = .accessRefused(reason: "\(service) refused access (\(status))")
    } else if answer.matches(rules.unknownRecipient) {
      self = .permanent(reason: "\(service) can't send to this recipient (\(status))")
    } else if answer.matches(rules.limited) {
      self = .limited(reason: "\(service) takes no more messages now (\(status))", after: wish)
    } else if answer.matches(rules.refused) || rules.retried.contains(status) {
      self = .retry(reason: "\(service) didn't accept it (\(status))", after: wish)
    } else {
      switch status {
      case 200..<300 where isPage:
        self = .retry(
          reason: "\(service) answered with a web page, not in its own words (\(status))",
          after: wish)
      case 200..<300: self.init(success: status, answer, service: service, rules: rules)
      case 300..<400:
        self = .retry(
          reason: "\(service) leads elsewhere (\(status)); redirects are not followed", after: wish)
      case 429:
        self = .limited(reason: "\(service) asked us to try again later (\(status))", after: wish)
      case 408, 425, 500...:
        self = .retry(reason: "\(service) asked us to try again later (\(status))", after: wish)
      case 410 where rules.accepted == nil && !isPage:
        self = .permanent(reason: "\(service) is gone (410)")
      case 401, 403:
        self = .retry(reason: "\(service) refused access (\(status))", after: wish)
      case 404:
        self = .retry(reason: "\(service) doesn't know the address (404)", after: wish)
      default: self = .retry(reason: "\(service) refused the message (\(status))", after: wish)
      }
    }
  }

  /// Judges an answer with a status for success.
  private init(success status: Int, _ answer: ServiceAnswer, service: String, rules: AnswerRules) {
    let isExpected = rules.statuses.isEmpty || rules.statuses.contains(status)
    self =
      isExpected && rules.accepted.map(answer.matches) ?? true
      ? .sent
      : .ambiguous(
        reason: "\(service) answered, but not that it accepted the message (\(status))")
  }
}

extension HTTPReply {
  var answer: ServiceAnswer { ServiceAnswer(Array(body), isWhole: isWhole) }
}

extension JSONValue {
  /// Returns the delay that a service asks for: in seconds, or in milliseconds if the name ends in
  /// `_ms`.
  fileprivate func span(of path: [String]) -> TimeSpan? {
    guard let number = Double(plain), number.isFinite else { return nil }
    let seconds = path.last?.hasSuffix("_ms") == true ? number / 1_000 : number
    return seconds > 0 ? .seconds(Int(min(86_400, seconds.rounded(.up)))) : nil
  }
}
