package import Clients
import Curl
public import Domain
public import FoundationEssentials

/// A message scheduled on an ntfy server that is sent unless it is moved in time, so it notifies
/// people even when this machine is off (WCH-2).
///
/// Its identity is in the URL, `/topic/identity`, so that publishing it again moves it. A server
/// older than 2.16, which would add another message each time, doesn't know that URL and reports an
/// error.
public struct NtfyTimer: Sendable {
  /// The latest time at which a message can be scheduled. By default servers keep messages for at
  /// most three days.
  public static let horizon = TimeSpan.days(3)
  /// The shortest delay that servers accept.
  static let leastDelay = TimeSpan.seconds(10)

  /// The topic's URL.
  private let topic: String
  private let token: Secret<String>?
  /// 1 – 64 letters, digits, `-` and `_`.
  private let identity: String
  private let dateClient: DateClient
  private let http: HTTPClient
  private let limits: TransferLimits
  private let staysOutside: Bool

  /// - Parameter staysOutside: Whether no private address is reached, nor this machine.
  package init(
    topic: String, token: Secret<String>?, identity: String, dateClient: DateClient,
    http: HTTPClient = .live, limits: TransferLimits = .init(), staysOutside: Bool = false
  ) {
    self.topic = topic
    self.token = token
    self.identity = identity
    self.dateClient = dateClient
    self.http = http
    self.limits = limits
    self.staysOutside = staysOutside
  }

  /// Sets the timer, or moves it. A time beyond ``horizon`` is brought forward to it, and the timer
  /// must be moved again before then.
  /// - Returns: When the message will be sent, or `nil`, and what the server said.
  public func set(
    to date: Date, title: String, text: String
  ) async -> (date: Date?, outcome: DeliveryOutcome) {
    let now = dateClient.now()
    let date = min(max(date, now + Self.leastDelay), now + Self.horizon)
    let outcome = await send(
      .post,
      [
        (name: "At", value: "\(Int(bounded: date.timeIntervalSince1970.rounded(.up)))"),
        (name: "Title", value: EncodedWord.line(title)), (name: "Priority", value: "5"),
        (name: "Tags", value: "rotating_light"),
        (name: "Content-Type", value: "text/plain; charset=utf-8"),
      ], body: Array(text.shortened(toBytes: NtfySender.textLimit).utf8))
    return (outcome == .sent ? date : nil, outcome)
  }

  /// Cancels the message.
  public func cancel() async -> DeliveryOutcome { await send(.delete, [], body: []) }

  private func send(
    _ method: HTTPRequest.Method, _ fields: [(name: String, value: String)], body: [UInt8]
  ) async -> DeliveryOutcome {
    var headers = fields
    if let token { headers.append((name: "Authorization", value: "Bearer \(token.value)")) }
    let request = HTTPRequest(
      method: method, url: "\(topic)/\(identity)", headers: headers, body: Data(body),
      limits: limits, reach: .web(staysOutside: staysOutside))
    let result = await http.send(request)
    if case .reply(let reply) = result, [404, 405].contains(reply.status), !reply.answer.isPage {
      return .permanent(reason: "the ntfy server is older than 2.16 and keeps no timers")
    }
    var rules = AnswerRules.ntfy
    if method == .delete { rules.accepted = nil }
    return DeliveryOutcome(
      result, service: "the ntfy server", rules: rules, now: dateClient.now())
  }
}
