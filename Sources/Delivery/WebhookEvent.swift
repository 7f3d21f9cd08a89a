import Domain
import FoundationEssentials

/// The JSON body of a webhook request. Empty fields are left out; `docs/webhooks.md` lists all of
/// them.
struct WebhookEvent: Equatable, Encodable {
  struct Person: Equatable, Encodable {
    var name: String
    var phone: String?
    var note: String?
    /// Where help must go.
    var address: String?
    /// How to get in, if no page shows it.
    var access: String?
  }

  struct Content: Equatable, Encodable {
    /// The message's subject and its whole text, as in a mail.
    var title: String
    var text: String
    var drill: Bool
    var person: Person
    var recipient: String
    var lastCheckIn: String?
    var deadline: String?
    var outing: OutingContent?
    var alert: AlertContent?
    var detail: String?
    var code: String?
    var link: String?

    enum CodingKeys: String, CodingKey {
      case title, text, drill, person, recipient, deadline, outing, alert, detail, code, link
      case lastCheckIn = "last_check_in"
    }
  }

  struct OutingContent: Equatable, Encodable {
    var until: String
    var text: String?
  }

  struct AlertContent: Equatable, Encodable {
    var id: String
    var kind: String
    var message: String?
    var raisedAt: String
    var resolvedAt: String?
    var noticedLateBySeconds: Int?

    enum CodingKeys: String, CodingKey {
      case id, kind, message
      case raisedAt = "raised_at"
      case resolvedAt = "resolved_at"
      case noticedLateBySeconds = "noticed_late_by_seconds"
    }
  }

  /// The type, such as `lifesignal.non_responsive`; repeats have the same type as the first
  /// message.
  var type: String
  /// When the event happened, not when it was sent.
  var timestamp: String
  var data: Content

  init(_ text: MessageText) {
    let delivery = text.delivery
    let user = delivery.user
    type = "lifesignal.\(delivery.stage.eventName)"
    timestamp = Self.occurrence(of: delivery).rfc3339
    func said(_ name: String, _ value: String?) -> String? {
      guard let value, !value.isEmpty, text.mentions(name) else { return nil }
      return value
    }
    let filled = text.subjectAndBody
    data = Content(
      title: filled.subject, text: filled.body, drill: text.isDrill,
      person: Person(
        name: user.profile.name, phone: said("phone", user.profile.phone),
        note: said("note", user.profile.note),
        address: said("place", user.profile.address) ?? said("address", user.profile.address),
        access: said("access", text.access)),
      recipient: delivery.recipientName,
      lastCheckIn: said(
        "last_check_in", user.lastCheckIn > .distantPast ? user.lastCheckIn.rfc3339 : nil),
      deadline: said("deadline", user.deadline.date.rfc3339),
      outing: delivery.outing.map {
        OutingContent(until: $0.until.rfc3339, text: $0.text.isEmpty ? nil : $0.text)
      },
      alert: delivery.alert.map { alert in
        AlertContent(
          id: alert.id.uuidString.lowercased(), kind: alert.kind.rawValue,
          message: alert.message.isEmpty ? nil : alert.message,
          raisedAt: alert.raisedAt.rfc3339, resolvedAt: alert.resolvedAt?.rfc3339,
          noticedLateBySeconds: alert.noticedLateBy?.seconds)
      },
      detail: delivery.detail.isEmpty ? nil : delivery.detail, code: delivery.code?.value,
      link: text.link)
  }

  var json: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding can't fail: there are only strings, numbers and Booleans.
    return try! Array(encoder.encode(self))
  }

  private static func occurrence(of delivery: ClaimedDelivery) -> Date {
    if let alert = delivery.alert {
      if delivery.stage.isEnd { return alert.resolvedAt ?? delivery.plannedAt }
      if delivery.stage.isCall { return alert.raisedAt }
    }
    return delivery.plannedAt
  }
}

extension Stage {
  /// The stage's name for other programs, without the number or identity in its storage key.
  var eventName: String {
    switch self {
    case .nonResponsiveAgain: Stage.nonResponsive.storageKey
    case .alertOnAgain: Stage.alertOn.storageKey
    default: String(storageKey.prefix { $0 != ":" })
    }
  }
}
