import Domain
import FoundationEssentials
import Terminal

extension PersonOutcome {
  var mark: String { hasWithdrawn ? "–" : isMissing ? (isFailing ? "✗" : "…") : "✓" }

  /// The status in words, such as `mail sent 17:41 · responding since 17:43`.
  func text(in snapshot: AccountSnapshot) -> String {
    if isUnplanned {
      return hasNoChannel
        ? "no channel to send to" : snapshot.failureReason == nil ? "sending" : "not sent yet"
    }
    var parts = sent.map { $0.text($0.channel.shortTitle, in: snapshot) }
    if let respondingSince {
      parts = Array(parts.prefix(1)) + ["responding since \(snapshot.clock(respondingSince))"]
    } else if let withdrewAt {
      parts = Array(parts.prefix(1)) + ["withdrew \(snapshot.clock(withdrewAt))"]
    } else {
      parts += unsent.map { $0.text($0.channel.shortTitle, in: snapshot) }
    }
    if let note { parts.append(note.text("your message", in: snapshot)) }
    return parts.isEmpty ? "no message yet" : parts.joined(separator: " · ")
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
    guard snapshot.situation.watch.isRunning, snapshot.failureReason == nil else {
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
    if let reason = outcome.unsentReason {
      // Shorten the reason and the name, so that the number to call always fits.
      let call = snapshot.callText(outcome.callable, nameLimit: isNarrow ? 16 : 24)
      return "ALERT ON · NOT SENT YET: \(reason.truncated(to: isNarrow ? 48 : 80)) · \(call)"
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
  var shortTitle: String { self == .email ? "mail" : title }
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
  /// The text with its first character in upper case.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

  /// The text with no-break spaces, so that a phone number stays on one line.
  fileprivate var withoutBreaks: String { replacing(" ", with: "\u{A0}") }
}
