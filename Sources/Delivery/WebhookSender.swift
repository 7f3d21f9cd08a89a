public import Clients
import Cryptography
public import Domain
import FoundationEssentials

/// Delivers by webhook: an HTTPS POST of JSON, signed after the Standard Webhooks convention
/// (`docs/webhooks.md`).
public struct WebhookSender: Sendable {
  private let links: LinkSettings?
  private let dateClient: DateClient
  private let settings: HTTPTransfer.Settings

  public init(
    links: LinkSettings? = nil, dateClient: DateClient, certificateAuthority: String? = nil,
    limits: TransferLimits = .init()
  ) {
    self.links = links
    self.dateClient = dateClient
    settings = .init(certificateAuthority: certificateAuthority, limits: limits)
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
      return .misconfigured(reason: "the webhook's secret is not one (whsec_ and base64)")
    }
    let request = HTTPRequest(url: delivery.address, headers: headers, body: event.json)
    let result = await HTTPTransfer.result(of: request, settings: settings)
    return DeliveryOutcome(result, service: "the webhook", now: dateClient.now())
  }
}

/// The header fields of the Standard Webhooks convention.
enum WebhookSignature {
  /// The secret holds no key.
  struct NoKey: Error {}

  /// The message's identity is the same for every attempt, so that a receiver can tell a message
  /// that it has seen; the timestamp is the attempt's, so that a late one is not taken for a replay.
  /// - Parameter secret: `whsec_` and the key in base64; without one nothing is signed.
  static func headers(
    id: UUID, body: [UInt8], secret: String?, now: Date
  ) throws(NoKey) -> [(name: String, value: String)] {
    let id = id.uuidString.lowercased()
    let timestamp = "\(Int(bounded: now.timeIntervalSince1970))"
    let headers = [(name: "webhook-id", value: id), (name: "webhook-timestamp", value: timestamp)]
    guard let secret else { return headers }
    let prefix = "whsec_"
    let text = secret.hasPrefix(prefix) ? String(secret.dropFirst(prefix.count)) : secret
    // Some write the padding, and some do not.
    let bare = text.prefix { $0 != "=" }
    let padded = bare + String(repeating: "=", count: (4 - bare.utf8.count % 4) % 4)
    guard let key = Data(base64Encoded: String(padded)), !key.isEmpty else { throw NoKey() }
    let code = MessageAuthentication.code(
      for: Array("\(id).\(timestamp).".utf8) + body, key: Array(key))
    let signature = Data(code).base64EncodedString()
    return headers + [(name: "webhook-signature", value: "v1,\(signature)")]
  }
}
