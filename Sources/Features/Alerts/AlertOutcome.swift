import Domain
import FoundationEssentials
import Terminal

/// One person's status in an alert: what was sent, what failed, and whether they respond (ALT-3,
/// NOT-3).
struct PersonOutcome: Identifiable, Equatable {
  let id: Recipient
  var name: String
  /// The status in words, such as `mail sent 17:41 · responding since 17:43`.
  var text: String
  /// Whether a server has accepted a message to them.
  var isSent: Bool
  /// Whether a message to them failed, or none can be sent.
  var isFailing: Bool
  /// Whether they have said that they are responding.
  var isResponding: Bool
  /// Whether they have withdrawn their response since.
  var hasWithdrawn = false
  /// The number to call.
  var phone: String?

  /// Whether nothing shows that they have the message.
  var isMissing: Bool { !isSent && !isResponding }
  var mark: String { hasWithdrawn ? "–" : isMissing ? (isFailing ? "✗" : "…") : "✓" }
}

extension AlertReport {
  /// The status of each person: those who respond first, then the others in the order of their
  /// messages.
  func outcomes(in snapshot: AccountSnapshot) -> [PersonOutcome] {
    var order: [Recipient] = []
    var calls: [Recipient: [DeliveryReport]] = [:]
    var notes: [Recipient: [DeliveryReport]] = [:]
    for delivery in deliveries where delivery.recipientID != .owner {
      if case .alertNote = delivery.stage, delivery.state != .cancelled {
        notes[delivery.recipientID, default: []].append(delivery)
      }
      guard delivery.stage.isCall else { continue }
      if calls[delivery.recipientID] == nil { order.append(delivery.recipientID) }
      calls[delivery.recipientID, default: []].append(delivery)
    }
    for word in alert.acknowledgements where calls[.contact(word.responder)] == nil {
      order.append(.contact(word.responder))
    }
    let people = Dictionary(
      snapshot.firstResponders.map { (Recipient.contact($0.id), $0) }, uniquingKeysWith: { $1 })
    var outcomes = order.map {
      outcome(of: $0, people[$0], calls: calls[$0] ?? [], notes: notes[$0] ?? [], in: snapshot)
    }
    let isSilent = snapshot.failureReason != nil
    for contact in snapshot.firstResponders where calls[.contact(contact.id)] == nil {
      let hasNoChannel = contact.link == nil && contact.channels.isEmpty
      // Until the first message is planned, everyone can still expect one.
      guard order.isEmpty || hasNoChannel else { continue }
      outcomes.append(
        PersonOutcome(
          id: .contact(contact.id), name: contact.name,
          text: hasNoChannel ? "no channel to send to" : isSilent ? "not sent yet" : "sending",
          isSent: false, isFailing: hasNoChannel || isSilent, isResponding: false,
          phone: contact.phone))
    }
    return outcomes.filter(\.isResponding) + outcomes.filter { !$0.isResponding }
  }

  private func outcome(
    of recipient: Recipient, _ contact: Contact?, calls: [DeliveryReport],
    notes: [DeliveryReport], in snapshot: AccountSnapshot
  ) -> PersonOutcome {
    let word = alert.acknowledgements.first { .contact($0.responder) == recipient }
    // Removing a contact ends their response too, but they didn't withdraw it.
    let withdrawal =
      contact == nil ? nil : withdrawals.first { .contact($0.responder) == recipient }
    var places: [[DeliveryReport]] = []
    for call in calls where call.state != .cancelled {
      if let index = places.firstIndex(where: { $0[0].hasSameRecipientAndAddress(as: call) }) {
        places[index].append(call)
      } else {
        places.append([call])
      }
    }
    // A channel on which one message was sent counts as sent, even if the next one fails.
    let sent = places.compactMap { $0.last { $0.state == .sent } }
    let others = places.filter { !$0.contains { $0.state == .sent } }.compactMap(\.last)
    var parts = sent.map { $0.text($0.channel.word, in: snapshot) }
    if let word {
      parts = Array(parts.prefix(1)) + ["responding since \(snapshot.clock(word.date))"]
    } else if let withdrawal {
      parts = Array(parts.prefix(1)) + ["withdrew \(snapshot.clock(withdrawal.date))"]
    } else {
      parts += others.map { $0.text($0.channel.word, in: snapshot) }
    }
    if let note = notes.lastResult { parts.append(note.text("your message", in: snapshot)) }
    return PersonOutcome(
      id: recipient, name: contact?.name ?? word?.name ?? calls.last?.recipient ?? "",
      text: parts.isEmpty ? "no message yet" : parts.joined(separator: " · "),
      isSent: !sent.isEmpty,
      isFailing: others.contains { $0.state == .failed || $0.error != nil }
        || snapshot.failureReason != nil,
      isResponding: word != nil, hasWithdrawn: withdrawal != nil, phone: contact?.phone)
  }

  /// Says that nobody responds and, if known, when the messages are repeated (ESC-2, NOT-3).
  /// Returns `nil` if someone responds or no message has been sent.
  func waitText(in snapshot: AccountSnapshot) -> String? {
    guard alert.isActive, alert.kind != .drill, alert.acknowledgements.isEmpty,
      !snapshot.connection.isAway
    else { return nil }
    let outcomes = outcomes(in: snapshot)
    guard outcomes.contains(where: \.isSent) else { return nil }
    let state =
      outcomes.contains(where: \.hasWithdrawn)
      ? "Nobody is responding now." : "Nobody has answered yet."
    guard let watch = snapshot.knownWatch, watch.monitors > 0, snapshot.failureReason == nil else {
      return state
    }
    let next = EscalationRules.nextRepeat(
      since: alert.raisedAt, every: snapshot.user.repeatInterval, after: snapshot.now)
    return next.map { "\(state) Messages are repeated at \(snapshot.clock($0))." }
      ?? "\(state) Messages are not repeated any more."
  }

  /// The text of the banner on every tab and of the panel's first line. Says that the alert is on
  /// and, before anything else, whether it hasn't been sent to anyone. Claims no more than is known
  /// (NOT-3).
  /// - Parameter isNarrow: Whether to count those who respond rather than name them, to fit on one
  ///   line.
  func bannerText(in snapshot: AccountSnapshot, isNarrow: Bool = false) -> String {
    let outcomes = outcomes(in: snapshot)
    if let fault = fault(of: outcomes, in: snapshot) {
      // Shorten the reason and the name, so that the number to call always fits.
      let call = snapshot.callText(outcomes, nameLimit: isNarrow ? 16 : 24)
      return "ALERT ON · NOT SENT YET: \(fault.truncated(to: isNarrow ? 48 : 80)) · \(call)"
    }
    let sent = outcomes.count(where: \.isSent)
    let responding = outcomes.filter(\.isResponding)
    let reach =
      outcomes.isEmpty
      ? "sending"
      : sent == 0 && responding.isEmpty
        ? "sending to \(outcomes.count)" : "sent to \(sent) of \(outcomes.count)"
    let answer =
      responding.isEmpty
      ? outcomes.contains(where: \.hasWithdrawn) && !snapshot.connection.isAway
        ? [isNarrow ? "nobody responding" : "nobody is responding"] : []
      : isNarrow
        ? ["\(responding.count) responding"]
        : responding.count > 1
          ? ["\(responding.count) are responding"]
          : responding.map { "\($0.name) is responding" }
    return (["ALERT ON \(snapshot.clock(alert.raisedAt))", reach] + answer)
      .joined(separator: " · ")
  }

  /// The reason why no message has been sent to anyone, or `nil` while the first attempt is
  /// running.
  private func fault(of outcomes: [PersonOutcome], in snapshot: AccountSnapshot) -> String? {
    guard outcomes.allSatisfy(\.isMissing) else { return nil }
    if snapshot.hasNoResponders { return "you have no responders" }
    if let reason = snapshot.failureReason { return reason }
    let calls = deliveries.filter { $0.stage.isCall && $0.state != .cancelled }
    let isUnderWay = calls.contains { $0.state == .pending && $0.error == nil }
    guard !isUnderWay, !outcomes.isEmpty, outcomes.allSatisfy(\.isFailing) else { return nil }
    return calls.last { $0.error != nil }?.error?.withoutFullStop ?? "no responder has a channel"
  }
}

extension [DeliveryReport] {
  /// The delivery of the newest message that was sent on any channel, or else its last attempt.
  fileprivate var lastResult: DeliveryReport? {
    guard let last else { return nil }
    return self.last { $0.stage == last.stage && $0.state == .sent } ?? last
  }
}

extension DeliveryReport {
  /// The state of the message in words.
  /// - Parameter subject: The word for the message, such as "mail".
  fileprivate func text(_ subject: String, in snapshot: AccountSnapshot) -> String {
    let reason = error.map { ": \($0.withoutFullStop)" } ?? ""
    switch state {
    case .sent: return "\(subject) sent \(snapshot.clock(date))"
    case .pending where snapshot.failureReason(on: channel) != nil:
      return "\(subject) waits\(reason)"
    case .pending where error == nil: return "\(subject) sending"
    case .pending: return "\(subject) retrying \(snapshot.clock(date))\(reason)"
    case .failed, .cancelled: return "\(subject) failed\(reason)"
    }
  }
}

extension Channel.Kind {
  /// The word for a message on this channel.
  var word: String { self == .email ? "mail" : title }
}

extension AccountSnapshot {
  /// The emergency number for the region of the person's phone number, with no-break spaces.
  var emergencyNumber: String { EmergencyNumber.of(phone: user.profile.phone).withoutBreaks }

  /// Advice on who to call, such as `call Grace Hopper +44 20 7183 8750, or 112`.
  func callText(_ outcomes: [PersonOutcome] = [], nameLimit: Int = 24) -> String {
    let person =
      outcomes.first { $0.phone != nil }.map { ($0.name, $0.phone) }
      ?? firstResponders.first { $0.phone != nil }.map { ($0.name, $0.phone) }
    guard let (name, phone) = person, let phone else { return "call \(emergencyNumber)" }
    let number = PhoneNumber.grouped(phone).withoutBreaks
    return "call \(name.truncated(to: nameLimit)) \(number), or \(emergencyNumber)"
  }

  /// The time of day, with the date unless it is today.
  func clock(_ date: Date) -> String {
    let time = calendar.time(of: date)
    return time.dayNumber == calendar.time(of: now).dayNumber
      ? time.clock : calendar.describe(date, now: now)
  }
}

extension String {
  /// The text with no-break spaces, so that a phone number stays on one line.
  fileprivate var withoutBreaks: String { replacing(" ", with: "\u{A0}") }

  fileprivate var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
