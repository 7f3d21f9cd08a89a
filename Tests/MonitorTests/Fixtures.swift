import Composable
import ComposableFoundation
import Domain
import FoundationEssentials

/// The time of the last check-in of the accounts in these tests.
let start = Date(timeIntervalSince1970: 1_795_000_000)

extension UUID {
  /// The account, contact and alert identifiers of these tests.
  static let ada = UUID(1)
  static let bob = UUID(2)
  static let cyd = UUID(3)
  static let alert = UUID(9)
  static let silent = UUID(10)
}

extension User {
  /// Ada: 24 h, reminders 2 h and 30 min before, 15 min grace, sequence 7.
  static func ada(
    email: String? = "ada@example.org", reminders: [TimeSpan] = [.hours(2), .minutes(30)],
    grace: TimeSpan = .minutes(15), sequence: Int = 7, lastCheckIn: Date = start
  ) -> User {
    User(
      id: .ada, profile: Profile(name: "Ada", phone: "+4930123456", email: email),
      interval: .standard, reminders: reminders, grace: grace, checkInSequence: sequence,
      lastCheckIn: lastCheckIn, createdAt: start)
  }
}

extension Contact {
  static func responder(_ id: UUID, _ name: String, _ addresses: String...) -> Contact {
    Contact(
      id: id, name: name, roles: .responder,
      channels: addresses.enumerated().map { index, address in
        Channel(id: UUID(UInt64(100 + index)), kind: .email, address: address)
      }, addedAt: start)
  }

  static let bob = responder(.bob, "Bob", "bob@example.org")
  static let cyd = responder(.cyd, "Cyd", "cyd@example.org")
}

extension Alert {
  static func missed(sequence: Int = 7, resolvedAt: Date? = nil) -> Alert {
    Alert(
      id: .alert, kind: .missed, raisedAt: start + .hours(25), sequence: sequence,
      resolvedAt: resolvedAt)
  }

  static func duress(resolvedAt: Date? = nil) -> Alert {
    Alert(id: .silent, kind: .duress, raisedAt: start + .hours(2), resolvedAt: resolvedAt)
  }

  static func manual(resolvedAt: Date? = nil) -> Alert {
    Alert(
      id: .alert, kind: .manual, message: "Stuck", raisedAt: start + .hours(1),
      resolvedAt: resolvedAt)
  }
}

extension PlannedDelivery {
  static func toAda(_ stage: Stage, sequence: Int = 7) -> PlannedDelivery {
    PlannedDelivery(
      occasion: .deadline(sequence: sequence), stage: stage, recipient: .owner,
      recipientName: "Ada", channel: .email, address: "ada@example.org")
  }

  static func to(
    _ contact: Contact, _ stage: Stage, inReplyTo: MessageID? = nil, alert: UUID = .alert
  ) -> PlannedDelivery {
    PlannedDelivery(
      occasion: .alert(alert), stage: stage, recipient: .contact(contact.id),
      recipientName: contact.name, channel: .email, address: contact.email!, inReplyTo: inReplyTo)
  }
}

extension PlannedDelivery {
  static func finalMessage(to contact: Contact) -> PlannedDelivery {
    PlannedDelivery(
      occasion: .account, stage: .accountDeleted, recipient: .contact(contact.id),
      recipientName: contact.name, channel: .email, address: contact.email!)
  }
}

extension DeliveryRecord {
  /// The record of a planned delivery.
  init(
    _ number: UInt64, _ planned: PlannedDelivery, _ state: DeliveryState = .pending,
    attempts: Int? = nil, isRecorded: Bool = true, leasedUntil: Date? = nil,
    finishedAt: Date? = nil
  ) {
    self.init(
      id: UUID(number), occasion: planned.occasion, stage: planned.stage,
      recipient: planned.recipient, channel: planned.channel, address: planned.address,
      state: state, attempts: attempts ?? (state == .sent ? 1 : 0),
      lastAttemptIsRecorded: isRecorded, leasedUntil: leasedUntil,
      finishedAt: finishedAt)
  }
}
