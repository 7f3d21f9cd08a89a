public import Clients
public import Domain
import FoundationEssentials

/// Delivers by ntfy: publishes to a topic, as JSON to the server's root.
public struct NtfySender: Sendable {
  /// A message of more bytes becomes an attachment, which nobody reads on a lock screen.
  static let textLimit = 3_900

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
    guard let topic = NtfyTopic(delivery.address) else {
      return .permanent(reason: "this is not the address of a topic")
    }
    let text = MessageText(delivery: delivery, links: links, calendar: dateClient.calendar)
    let short = text.short
    // The topic's own subscribers may be called from the message by a touch; a silent alert must not
    // lead to a call that rings where nobody may hear of it.
    let phone = delivery.user.profile.phone.map {
      "tel:" + $0.filter { "+0123456789".contains($0) }
    }
    let canCall = delivery.stage.isCall && !text.isDrill && delivery.alert?.kind != .duress
    let message = NtfyMessage(
      topic: topic.name, title: short.title, message: short.text.shortened(toBytes: Self.textLimit),
      priority: delivery.stage.ntfyPriority(isDrill: text.isDrill),
      tags: [delivery.stage.ntfyTag(isDrill: text.isDrill)],
      // A touch of the message alone opens no page that checks in, or declines.
      click: text.checksIn || delivery.stage == .contactAdded ? nil : text.link,
      actions: [
        text.link.map { .init(label: text.linkLabel, url: $0) },
        canCall ? phone.map { .init(label: "Call \(delivery.user.profile.name)", url: $0) } : nil,
      ].compactMap(\.self),
      // The same for every attempt: a second copy takes the first one's place.
      sequenceID: delivery.id.uuidString.lowercased())
    let request = HTTPRequest(
      url: topic.server + "/", headers: topic.headers(token: delivery.secret?.value),
      body: message.json)
    let result = await HTTPTransfer.result(of: request, settings: settings)
    return DeliveryOutcome(result, service: "the ntfy server", now: dateClient.now())
  }
}

extension NtfyTopic {
  func headers(token: String?) -> [(name: String, value: String)] {
    let type = [(name: "Content-Type", value: "application/json")]
    guard let token, !token.isEmpty else { return type }
    return type + [(name: "Authorization", value: "Bearer \(token)")]
  }
}

/// A message as ntfy's servers read it.
struct NtfyMessage: Encodable {
  /// A button that opens an address.
  struct Action: Encodable {
    var action = "view"
    var label: String
    var url: String
    init(label: String, url: String) {
      self.label = label
      self.url = url
    }
  }

  var topic: String
  var title: String
  var message: String
  /// 1 – 5.
  var priority: Int
  var tags: [String]
  var click: String?
  var actions: [Action]
  var sequenceID: String?

  enum CodingKeys: String, CodingKey {
    case topic, title, message, priority, tags, click, actions
    case sequenceID = "sequence_id"
  }

  var json: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Only texts and numbers, which can always be written.
    return try! Array(encoder.encode(self))
  }
}

extension Stage {
  /// 5 rings through a phone that is set to be quiet.
  fileprivate func ntfyPriority(isDrill: Bool) -> Int {
    switch self {
    case _ where isDrill: 3
    case _ where isUrgent, .unwatched: 5
    case .deadlinePassed, .noticedLate, .reminder, .passwordReset, .passwordWasReset,
      .addressTakenBack, .requestWaits:
      4
    default: 3
    }
  }

  /// A name that ntfy shows as a picture.
  fileprivate func ntfyTag(isDrill: Bool) -> String {
    switch self {
    case _ where isDrill: "test_tube"
    case _ where isUrgent, .unwatched: "rotating_light"
    case _ where isEnd: "white_check_mark"
    case .reminder, .deadlinePassed, .noticedLate, .pauseEnds: "alarm_clock"
    default: "information_source"
    }
  }
}
