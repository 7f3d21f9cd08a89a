package import Clients
import Cryptography
import Curl
public import Domain
import FoundationEssentials

/// Delivers by webhook: an HTTPS POST of JSON, signed as in the Standard Webhooks specification
/// (`docs/webhooks.md`).
public struct WebhookSender: Sendable {
  private let links: LinkSettings?
  private let dateClient: DateClient
  private let http: HTTPClient
  private let limits: TransferLimits
  private let staysOutside: Bool

  /// - Parameter staysOutside: Whether no private address is reached, nor this machine.
  package init(
    links: LinkSettings? = nil, dateClient: DateClient, http: HTTPClient = .live,
    limits: TransferLimits = .init(), staysOutside: Bool = false
  ) {
    self.links = links
    self.dateClient = dateClient
    self.http = http
    self.limits = limits
    self.staysOutside = staysOutside
  }

  /// Makes one attempt.
  public func deliver(_ delivery: ClaimedDelivery) async -> DeliveryOutcome {
    let now = dateClient.now()
    let event = WebhookEvent(
      MessageText(delivery: delivery, links: links, calendar: dateClient.calendar))
    var headers = [(name: "Content-Type", value: "application/json")]
    do throws(WebhookSignature.NoKey) {
      headers += try WebhookSignature.headers(
        id: delivery.id, body: event.json, secret: delivery.secret?.value, now: now)
    } catch {
      return .misconfigured(reason: "the webhook's secret isn't valid (whsec_ and base64)")
    }
    let request = HTTPRequest(
      url: delivery.address, headers: headers, body: Data(event.json), limits: limits,
      reach: .web(staysOutside: staysOutside))
    let result = await http.send(request)
    return DeliveryOutcome(result, service: "the webhook", now: dateClient.now())
  }
}

/// The header fields of the Standard Webhooks specification.
enum WebhookSignature {
  /// The secret contains no key.
  struct NoKey: Error {}

  /// Returns the header fields. The identity is the same for every attempt, so that receivers can
  /// recognise a message they already have. The timestamp is the attempt's, so that a late message
  /// isn't taken for a replay.
  /// - Parameter secret: `whsec_` followed by the key in base64; `nil` leaves the request unsigned.
  static func headers(
    id: UUID, body: [UInt8], secret: String?, now: Date
  ) throws(NoKey) -> [(name: String, value: String)] {
    let id = id.uuidString.lowercased()
    let timestamp = "\(Int(bounded: now.timeIntervalSince1970))"
    let headers = [(name: "webhook-id", value: id), (name: "webhook-timestamp", value: timestamp)]
    guard let secret else { return headers }
    let prefix = "whsec_"
    let text = secret.hasPrefix(prefix) ? String(secret.dropFirst(prefix.count)) : secret
    // The padding is optional.
    let bare = text.prefix { $0 != "=" }
    let padded = bare + String(repeating: "=", count: (4 - bare.utf8.count % 4) % 4)
    guard let key = Data(base64Encoded: String(padded)), !key.isEmpty else { throw NoKey() }
    let code = MessageAuthentication.code(
      for: Array("\(id).\(timestamp).".utf8) + body, key: Array(key))
    let signature = Data(code).base64EncodedString()
    return headers + [(name: "webhook-signature", value: "v1,\(signature)")]
  }
}
