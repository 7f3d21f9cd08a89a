import Domain
import FoundationEssentials
import Terminal

/// One person's status in an alert: what was sent, what failed, and whether they respond (ALT-3,
/// NOT-3).
struct PersonOutcome: Identifiable, Equatable {
  let id: Recipient
  var name: String
  /// The number to call.
  var phone: String?
  /// The messages that servers have accepted, one for each channel.
  var sent: [DeliveryReport] = []
  /// The last messages on the other channels.
  var unsent: [DeliveryReport] = []
  /// The last message that the person added to their alert.
  var note: DeliveryReport?
  /// Whether they are a responder without a planned message.
  var isUnplanned = false
  /// Whether there is no channel to notify them on.
  var hasNoChannel = false
  /// Whether a message to them failed, or none can be sent.
  var isFailing: Bool
  /// When they said that they are responding.
  var respondingSince: Date?
  /// When they withdrew their response.
  var withdrewAt: Date?

  /// Whether a server has accepted a message to them.
  var isSent: Bool { !sent.isEmpty }
  var isResponding: Bool { respondingSince != nil }
  var hasWithdrawn: Bool { withdrewAt != nil }
  /// Whether nothing shows that they have the message.
  var isMissing: Bool { !isSent && !isResponding }
  var mark: String { hasWithdrawn ? "–" : isMissing ? (isFailing ? "✗" : "…") : "✓" }

  /// The status in words, such as `mail sent 17:41 · responding since 17:43`.
  func text(in snapshot: AccountSnapshot) -> String {
    if isUnplanned {
      return hasNoChannel
        ? "no channel to send to" : snapshot.failureReason == nil ? "sending" : "not sent yet"
    }
    var parts = sent.map { $0.text($0.channel.word, in: snapshot) }
    if let respondingSince {
      parts = Array(parts.prefix(1)) + ["responding since \(snapshot.clock(respondingSince))"]
    } else if let withdrewAt {
      parts = Array(parts.prefix(1)) + ["withdrew \(snapshot.clock(withdrewAt))"]
    } else {
      parts += unsent.map { $0.text($0.channel.word, in: snapshot) }
    }
    if let note { parts.append(note.text("your message", in: snapshot)) }
    return parts.isEmpty ? "no message yet" : parts.joined(separator: " · ")
  }
}

/// The outcome of an alert: the status of each person, and the figures for all of them. Judged once
/// per change, because an alert can have 100,000 recipients.
struct AlertOutcome: Equatable {
  /// The people, as many as a screen shows: those who respond first, then the others in the order of
  /// their messages.
  private(set) var people: [PersonOutcome] = []
  private(set) var peopleCount = 0
  private(set) var sentCount = 0
  private(set) var respondingCount = 0
  /// Whether anyone who responded has withdrawn.
  private(set) var hasWithdrawn = false
  /// Whether nothing shows that anyone has the message.
  private(set) var areAllMissing = true
  /// Whether there are people, and the messages to all of them failed or can't be sent.
  private(set) var areAllFailing = false
  /// The first person with a phone number.
  private(set) var callable: PersonOutcome?
  /// Whether the first attempt to send a message is running.
  private(set) var isUnderWay = false
  /// The last error of any message.
  private(set) var lastError: String?
  /// The messages of ``AlertReport/messages``, as many as a screen shows.
  private(set) var messages: [DeliveryReport] = []
  private(set) var messageCount = 0
  private(set) var sentMessageCount = 0
  /// Whether any message has an error.
  private(set) var hasErrors = false

  /// - Parameters:
  ///   - responders: The responders in order.
  ///   - isSilent: Whether no message can be sent now.
  /// - Complexity: O(messages + responders).
  init(of report: AlertReport, to responders: some Sequence<Contact>, isSilent: Bool) {
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
    let words = Dictionary(
      report.alert.acknowledgements.map { (Recipient.contact($0.responder), $0) },
      uniquingKeysWith: { first, _ in first })
    for word in report.alert.acknowledgements where calls[.contact(word.responder)] == nil {
      order.append(.contact(word.responder))
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
      let (contact, word) = (contacts[recipient], words[recipient])
      let calls = calls[recipient] ?? []
      add(
        PersonOutcome(
          recipient, contact, name: contact?.name ?? word?.name ?? calls.last?.recipient ?? "",
          calls: calls, note: notes[recipient]?.lastResult, isSilent: isSilent,
          respondingSince: word?.date,
          // Removing a contact ends their response too, but they didn't withdraw it.
          withdrewAt: word == nil && contact != nil ? withdrawals[recipient] : nil))
    }
    for contact in responders where calls[.contact(contact.id)] == nil {
      let hasNoChannel = contact.link == nil && contact.channels.isEmpty
      // Until the first message is planned, everyone can still expect one.
      guard order.isEmpty || hasNoChannel else { continue }
      add(
        PersonOutcome(
          id: .contact(contact.id), name: contact.name, phone: contact.phone, isUnplanned: true,
          hasNoChannel: hasNoChannel, isFailing: hasNoChannel || isSilent))
    }
    people += others.prefix(Situation.rowLimit - people.count)
    callable = callable ?? otherCallable
    self.areAllFailing = areAllFailing && peopleCount > 0

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
    note: DeliveryReport?, isSilent: Bool, respondingSince: Date?, withdrewAt: Date?
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
      isFailing: isSilent || unsent.contains { $0.state == .failed || $0.error != nil },
      respondingSince: respondingSince, withdrewAt: withdrewAt)
  }
}

extension AccountSnapshot {
  /// The outcome of an alert, judged already if it is on.
  func outcome(of report: AlertReport) -> AlertOutcome {
    situation.outcomes[report.id] ?? judgedOutcome(of: report)
  }
}

extension AlertReport {
  /// Says that nobody responds and, if known, when the messages are repeated (ESC-2, NOT-3).
  /// Returns `nil` if someone responds or no message has been sent.
  func waitText(in snapshot: AccountSnapshot) -> String? {
    guard alert.isActive, alert.kind != .drill, alert.acknowledgements.isEmpty,
      !snapshot.connection.isAway
    else { return nil }
    let outcome = snapshot.outcome(of: self)
    guard outcome.sentCount > 0 else { return nil }
    let state =
      outcome.hasWithdrawn
      ? "Nobody is responding now." : "Nobody has answered yet."
    guard let watch = snapshot.knownWatch, watch.monitors > 0, snapshot.failureReason == nil else {
      return state
    }
    let next = EscalationRules.nextRepeat(
      since: alert.raisedAt, every: snapshot.user.repeatInterval, after: snapshot.now)
    guard let next else { return "\(state) Messages are not repeated any more." }
    let time = snapshot.clock(next)
    // On another day, it names that.
    return "\(state) Messages are repeated \(time.contains(" ") ? time : "at \(time)")."
  }

  /// The text of the banner on every tab and of the panel's first line. Says that the alert is on
  /// and, before anything else, whether it hasn't been sent to anyone. Claims no more than is known
  /// (NOT-3).
  /// - Parameter isNarrow: Whether to count those who respond rather than name them, to fit on one
  ///   line.
  func bannerText(in snapshot: AccountSnapshot, isNarrow: Bool = false) -> String {
    let outcome = snapshot.outcome(of: self)
    if let fault = outcome.fault(in: snapshot) {
      // Shorten the reason and the name, so that the number to call always fits.
      let call = snapshot.callText(outcome.callable, nameLimit: isNarrow ? 16 : 24)
      return "ALERT ON · NOT SENT YET: \(fault.truncated(to: isNarrow ? 48 : 80)) · \(call)"
    }
    let (all, sent, responding) =
      (outcome.peopleCount, outcome.sentCount, outcome.respondingCount)
    let reach =
      all == 0
      ? "sending"
      : sent == 0 && responding == 0 ? "sending to \(all)" : "sent to \(sent) of \(all)"
    let answer =
      responding == 0
      ? outcome.hasWithdrawn && !snapshot.connection.isAway
        ? [isNarrow ? "nobody responding" : "nobody is responding"] : []
      : isNarrow
        ? ["\(responding) responding"]
        : responding > 1
          ? ["\(responding) are responding"]
          : outcome.people.prefix(1).map { "\($0.name) is responding" }
    return (["ALERT ON \(snapshot.clock(alert.raisedAt))", reach] + answer)
      .joined(separator: " · ")
  }
}

extension AlertOutcome {
  /// The reason why no message has been sent to anyone, or `nil` while the first attempt is
  /// running.
  fileprivate func fault(in snapshot: AccountSnapshot) -> String? {
    guard areAllMissing else { return nil }
    if snapshot.hasNoResponders { return "you have no responders" }
    if let reason = snapshot.failureReason { return reason }
    guard !isUnderWay, areAllFailing else { return nil }
    return lastError?.withoutFullStop ?? "no responder has a channel"
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
  /// What keeps the message waiting, or `nil`.
  func waitingText(in snapshot: AccountSnapshot) -> String? {
    waitingText(at: snapshot.now) { snapshot.clock($0) }
  }

  /// The state of the message in words.
  /// - Parameter subject: The word for the message, such as "mail".
  fileprivate func text(_ subject: String, in snapshot: AccountSnapshot) -> String {
    let reason = error.map { ": \($0.withoutFullStop)" } ?? ""
    switch state {
    case .sent: return "\(subject) sent \(snapshot.clock(date))"
    case .pending where waitingText(in: snapshot) != nil:
      return "\(subject) \(waitingText(in: snapshot) ?? "")"
    case .pending where mayHaveBeenSent:
      return "\(subject) may have been sent, again \(snapshot.clock(date))\(reason)"
    case .failed where mayHaveBeenSent: return "\(subject) may have been sent\(reason)"
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
  /// - Parameter person: Someone with a phone number, or `nil` for the first responder with one.
  func callText(_ person: PersonOutcome? = nil, nameLimit: Int = 24) -> String {
    let person =
      person.map { ($0.name, $0.phone) }
      ?? situation.reach.firstWithPhone.first.map { ($0.name, $0.phone) }
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
