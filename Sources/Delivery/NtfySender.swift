package import Clients
import Curl
public import Domain
import FoundationEssentials

/// Delivers by ntfy: publishes to a topic, as JSON posted to the server's root.
public struct NtfySender: Sendable {
  /// The largest text in bytes. ntfy turns a longer one into an attachment, which nobody reads on a
  /// lock screen.
  static let textLimit = 3_900
  /// The most characters of a title, which phones show on one or two lines.
  static let titleLimit = 200

  private let links: LinkSettings?
  private let dateClient: DateClient
  private let http: HTTPClient
  private let staysOutside: Bool

  /// - Parameter staysOutside: Whether no private address is reached, nor this machine.
  package init(
    links: LinkSettings? = nil, dateClient: DateClient, http: HTTPClient = .live,
    staysOutside: Bool = false
  ) {
    self.links = links
    self.dateClient = dateClient
    self.http = http
    self.staysOutside = staysOutside
  }

  /// Makes one attempt.
  public func deliver(_ delivery: ClaimedDelivery) async -> DeliveryOutcome {
    guard let topic = NtfyTopic(delivery.address) else {
      return .permanent(reason: "this is not the address of a topic")
    }
    let text = MessageText(delivery: delivery, links: links, calendar: dateClient.calendar)
    let (title, body) = text.short.fitting(title: Self.titleLimit)
    // A tap on the message can call the person. For a silent alert that call could ring where it
    // must not be heard.
    let phone = delivery.user.profile.phone.map {
      "tel:" + $0.filter { "+0123456789".contains($0) }
    }
    let canCall = delivery.stage.isCall && !text.isDrill && delivery.alert?.kind != .duress
    let message = NtfyMessage(
      topic: topic.name, title: title, message: body.shortened(toBytes: Self.textLimit),
      priority: delivery.stage.ntfyPriority(isDrill: text.isDrill),
      tags: [delivery.stage.ntfyTag(isDrill: text.isDrill)],
      // A tap on the message alone must not open a page that checks in or declines.
      click: text.checksIn || delivery.stage == .contactAdded ? nil : text.link,
      actions: [
        text.link.map { .init(label: text.linkLabel, url: $0) },
        canCall ? phone.map { .init(label: "Call \(delivery.user.profile.name)", url: $0) } : nil,
      ].compactMap(\.self),
      // The same for every attempt, so that a second copy replaces the first.
      sequenceID: delivery.id.uuidString.lowercased())
    let request = HTTPRequest(
      url: topic.server + "/", headers: topic.headers(token: delivery.secret?.value),
      body: Data(message.json), reach: .web(staysOutside: staysOutside))
    let result = await http.send(request)
    return DeliveryOutcome(
      result, service: "the ntfy server", rules: .ntfy, now: dateClient.now())
  }
}

extension AnswerRules {
  /// The words of an ntfy server, which answers with the message (docs.ntfy.sh/subscribe/api) or with
  /// a code (errHTTP… in its sources).
  static let ntfy = AnswerRules(
    accepted: [.members(["id": .string("*")])],
    wrongCredentials: [
      .members(["http": .integer(401), "code": .string("401*")]),
      .members(["http": .integer(403), "code": .string("403*")]),
    ],
    unknownRecipient: [
      .members(["http": .integer(400), "code": .integer(40_009)]),
      .members(["http": .integer(400), "code": .integer(40_010)]),
      .members(["http": .integer(404), "code": .integer(40_401)]),
    ], limited: [.members(["http": .integer(429), "code": .string("429*")])])
}

extension NtfyTopic {
  func headers(token: String?) -> [(name: String, value: String)] {
    let type = [(name: "Content-Type", value: "application/json")]
    guard let token, !token.isEmpty else { return type }
    return type + [(name: "Authorization", value: "Bearer \(token)")]
  }
}

/// A message in the JSON format of ntfy servers.
struct NtfyMessage: Encodable {
  /// A button that opens a URL.
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
  /// 1 to 5.
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
    // Encoding can't fail: there are only strings and numbers.
    return try! Array(encoder.encode(self))
  }
}

extension Stage {
  /// Returns the ntfy priority; 5 rings even on a phone set to silent.
  fileprivate func ntfyPriority(isDrill: Bool) -> Int {
    switch self {
    case _ where isDrill: 3
    case _ where isUrgent, .unwatched: 5
    case .deadlinePassed, .noticedLate, .outingEnds, .outingNoticedLate, .reminder, .passwordReset,
      .passwordWasReset,
      .addressTakenBack, .requestWaits, .serverRestored:
      4
    default: 3
    }
  }

  /// Returns the name of the emoji that ntfy shows.
  fileprivate func ntfyTag(isDrill: Bool) -> String {
    switch self {
    case _ where isDrill: "test_tube"
    case _ where isUrgent, .unwatched: "rotating_light"
    case _ where isEnd: "white_check_mark"
    case .reminder, .deadlinePassed, .noticedLate, .outingEnds, .outingNoticedLate, .pauseEnds:
      "alarm_clock"
    default: "information_source"
    }
  }
}
