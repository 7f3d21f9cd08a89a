public import FoundationEssentials

/// One person's status in an alert: what was sent, what failed, and whether they respond (ALT-3,
/// NOT-3).
public struct PersonOutcome: Identifiable, Equatable, Sendable {
  public let id: Recipient
  public var name: String
  /// The number to call.
  public var phone: String?
  /// The messages that servers have accepted, one for each channel.
  public var sent: [DeliveryReport] = []
  /// The last messages on the other channels.
  public var unsent: [DeliveryReport] = []
  /// The last message that the person added to their alert.
  public var note: DeliveryReport?
  /// Whether they are a responder without a planned message.
  public var isUnplanned = false
  /// Whether there is no channel to notify them on.
  public var hasNoChannel = false
  /// Whether a message to them failed, or none can be sent.
  public var isFailing: Bool
  /// When they said that they are responding.
  public var respondingSince: Date?
  /// When they withdrew their response.
  public var withdrewAt: Date?

  /// Whether a server has accepted a message to them.
  public var isSent: Bool { !sent.isEmpty }
  public var isResponding: Bool { respondingSince != nil }
  public var hasWithdrawn: Bool { withdrewAt != nil }
  /// Whether nothing shows that they have the message.
  public var isMissing: Bool { !isSent && !isResponding }
}

/// The outcome of an alert: the status of each person, and the figures for all of them. Judged once
/// per change, because an alert can have 100,000 recipients.
public struct AlertOutcome: Equatable, Sendable {
  /// The people, as many as a screen shows: those who respond first, then the others in the order of
  /// their messages.
  public private(set) var people: [PersonOutcome] = []
  public private(set) var peopleCount = 0
  public private(set) var sentCount = 0
  public private(set) var respondingCount = 0
  /// Whether anyone who responded has withdrawn.
  public private(set) var hasWithdrawn = false
  /// The first person with a phone number.
  public private(set) var callable: PersonOutcome?
  /// Why no message has been sent to anyone, as the end of a sentence, or `nil` while the first
  /// attempt is running, or if someone has one.
  public private(set) var unsentReason: String?
  /// The messages of ``AlertReport/messages``, as many as a screen shows.
  public private(set) var messages: [DeliveryReport] = []
  public private(set) var messageCount = 0
  public private(set) var sentMessageCount = 0
  /// Whether any message has an error.
  public private(set) var hasErrors = false

  /// - Parameters:
  ///   - responders: The responders in order.
  ///   - blockingReason: Why no message can be sent now, or `nil`.
  ///   - hasResponders: Whether there are any responders, as far as is known.
  /// - Complexity: O(messages + responders).
  init(
    of report: AlertReport, to responders: some Sequence<Contact>,
    blockedBy blockingReason: String?, hasResponders: Bool
  ) {
    let isBlocked = blockingReason != nil
    var isUnderWay = false
    var lastError: String?
    var order: [Recipient] = []
    var calls: [Recipient: [DeliveryReport]] = [:]
    var notes: [Recipient: [DeliveryReport]] = [:]
    for delivery in report.deliveries where delivery.recipientID != .owner {
      if case .alertNote = delivery.stage, delivery.state != .cancelled {
        notes[delivery.recipientID, default: []].append(delivery)
      }
      guard delivery.stage.isCall else { continue }
      if calls[delivery.recipientID] == nil { order.append(delivery.recipientID) }
      calls[delivery.recipientID, default: []].append(delivery)
      guard delivery.state != .cancelled else { continue }
      if delivery.error != nil { lastError = delivery.error }
      if delivery.state == .pending, delivery.error == nil { isUnderWay = true }
    }
    let answers = Dictionary(
      report.alert.acknowledgements.map { (Recipient.contact($0.responder), $0) },
      uniquingKeysWith: { first, _ in first })
    for answer in report.alert.acknowledgements where calls[.contact(answer.responder)] == nil {
      order.append(.contact(answer.responder))
    }
    let withdrawals = Dictionary(
      report.withdrawals.map { (Recipient.contact($0.responder), $0.date) },
      uniquingKeysWith: { first, _ in first })
    let contacts =
      order.isEmpty
      ? [:]
      : Dictionary(
        responders.map { (Recipient.contact($0.id), $0) }, uniquingKeysWith: { $1 })

    var others: [PersonOutcome] = []
    var otherCallable: PersonOutcome?
    var areAllMissing = true
    var areAllFailing = true
    func add(_ person: PersonOutcome) {
      peopleCount += 1
      if person.isSent { sentCount += 1 }
      if person.hasWithdrawn { hasWithdrawn = true }
      if !person.isMissing { areAllMissing = false }
      if !person.isFailing { areAllFailing = false }
      if person.isResponding {
        respondingCount += 1
        if callable == nil, person.phone != nil { callable = person }
        if people.count < Situation.rowLimit { people.append(person) }
      } else {
        if otherCallable == nil, person.phone != nil { otherCallable = person }
        if others.count < Situation.rowLimit { others.append(person) }
      }
    }
    for recipient in order {
      let (contact, answer) = (contacts[recipient], answers[recipient])
      let calls = calls[recipient] ?? []
      add(
        PersonOutcome(
          recipient, contact, name: contact?.name ?? answer?.name ?? calls.last?.recipient ?? "",
          calls: calls, note: notes[recipient]?.lastResult, isBlocked: isBlocked,
          respondingSince: answer?.date,
          // Removing a contact ends their response too, but they didn't withdraw it.
          withdrewAt: answer == nil && contact != nil ? withdrawals[recipient] : nil))
    }
    for contact in responders where calls[.contact(contact.id)] == nil {
      let hasNoChannel = contact.hasNoChannel
      // Until the first message is planned, everyone can still expect one.
      guard order.isEmpty || hasNoChannel else { continue }
      add(
        PersonOutcome(
          id: .contact(contact.id), name: contact.name, phone: contact.phone, isUnplanned: true,
          hasNoChannel: hasNoChannel, isFailing: hasNoChannel || isBlocked))
    }
    people += others.prefix(Situation.rowLimit - people.count)
    callable = callable ?? otherCallable

    if areAllMissing {
      if !hasResponders {
        unsentReason = "you have no responders"
      } else if let blockingReason {
        unsentReason = blockingReason
      } else if !isUnderWay, areAllFailing, peopleCount > 0 {
        unsentReason = lastError?.withoutFullStop ?? "no responder has a channel"
      }
    }

    let messages = report.messages
    self.messages = Array(messages.prefix(Situation.rowLimit))
    messageCount = messages.count
    sentMessageCount = messages.count { $0.state == .sent }
    hasErrors = messages.contains { $0.error != nil }
  }
}

extension PersonOutcome {
  /// - Parameter calls: The messages to the person that the alert is on.
  fileprivate init(
    _ recipient: Recipient, _ contact: Contact?, name: String, calls: [DeliveryReport],
    note: DeliveryReport?, isBlocked: Bool, respondingSince: Date?, withdrewAt: Date?
  ) {
    var places: [[DeliveryReport]] = []
    for call in calls where call.state != .cancelled {
      if let index = places.firstIndex(where: { $0[0].hasSameRecipientAndAddress(as: call) }) {
        places[index].append(call)
      } else {
        places.append([call])
      }
    }
    // A channel on which one message was sent counts as sent, even if the next one fails.
    let unsent = places.filter { !$0.contains { $0.state == .sent } }.compactMap(\.last)
    self.init(
      id: recipient, name: name, phone: contact?.phone,
      sent: places.compactMap { $0.last { $0.state == .sent } }, unsent: unsent, note: note,
      isFailing: isBlocked || unsent.contains { $0.state == .failed || $0.error != nil },
      respondingSince: respondingSince, withdrewAt: withdrewAt)
  }
}

extension [DeliveryReport] {
  /// The delivery of the newest message that was sent on any channel, or else its last attempt.
  fileprivate var lastResult: DeliveryReport? {
    guard let last else { return nil }
    return self.last { $0.stage == last.stage && $0.state == .sent } ?? last
  }
}

extension String {
  /// The text without a full stop at its end, to go on in the same sentence.
  public var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
