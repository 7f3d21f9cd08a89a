public import Clients
public import Domain
public import FoundationEssentials

/// A message that waits on an ntfy server and goes out by itself unless it is moved in time: it tells
/// somebody even if this machine is off (WCH-2).
///
/// Its identity stands in the address, `/topic/identity`, so that publishing it again moves it, and a
/// server older than 2.16, which would add another message each time, knows nothing there and says so.
public struct NtfyTimer: Sendable {
  /// Servers keep messages for three days at most, unless they are set up otherwise.
  public static let horizon = TimeSpan.days(3)
  /// Servers take none that would go out at once.
  static let leastDelay = TimeSpan.seconds(10)

  /// The topic's URL.
  private let topic: String
  private let token: Secret<String>?
  /// 1 – 64 letters, digits, `-` and `_`.
  private let identity: String
  private let dateClient: DateClient
  private let settings: HTTPTransfer.Settings

  public init(
    topic: String, token: Secret<String>?, identity: String, dateClient: DateClient,
    certificateAuthority: String? = nil, limits: TransferLimits = .init()
  ) {
    self.topic = topic
    self.token = token
    self.identity = identity
    self.dateClient = dateClient
    settings = .init(certificateAuthority: certificateAuthority, limits: limits)
  }

  /// Sets the timer, or moves it. A time that is further away than ``horizon`` becomes that one: it
  /// has to be moved again before.
  /// - Returns: when it goes out, or `nil`, and what the server said.
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

  /// Takes the message back before it goes out.
  public func cancel() async -> DeliveryOutcome { await send(.delete, [], body: []) }

  private func send(
    _ method: HTTPRequest.Method, _ fields: [(name: String, value: String)], body: [UInt8]
  ) async -> DeliveryOutcome {
    var headers = fields
    if let token { headers.append((name: "Authorization", value: "Bearer \(token.value)")) }
    let request = HTTPRequest(
      method: method, url: "\(topic)/\(identity)", headers: headers, body: body)
    let result = await HTTPTransfer.result(of: request, settings: settings)
    if case .reply(let reply) = result, [404, 405].contains(reply.status) {
      return .permanent(reason: "the ntfy server is older than 2.16 and keeps no timers")
    }
    return DeliveryOutcome(result, service: "the ntfy server", now: dateClient.now())
  }
}
