import Clients
import Composable
import Domain
import FoundationEssentials

/// A user's status at one time, as the command line words it.
struct StatusReport: Equatable, Sendable {
  var user: User
  /// The facts that the situation is judged by.
  var facts: AccountFacts { didSet { situation = Situation(of: facts) } }
  private(set) var situation: Situation
  /// The time of the data if the server can't be asked; otherwise `nil`.
  var asOf: Date?
  /// What waits on this machine for the server.
  var outbox = Outbox()
  /// Since when the server hasn't answered; `nil` if it does.
  var offlineSince: Date?

  private var alerts: [AlertReport] { facts.alerts }
  private var now: Date { facts.now }
  private var responders: [Contact] { (facts.contacts ?? []).filter(\.isResponder) }

  init(user: User, _ facts: AccountFacts) {
    self.user = user
    self.facts = facts
    situation = Situation(of: facts)
  }

  /// Reads the current status from the store, without who watches.
  static func current() async throws -> StatusReport {
    @Dependency(\.userClient) var userClient
    @Dependency(\.contactsClient) var contactsClient
    @Dependency(\.alertClient) var alertClient
    @Dependency(\.channelsClient) var channelsClient
    @Dependency(\.connectionClient) var connectionClient
    @Dependency(\.dateClient) var dateClient
    let user = try await userClient.currentUser()
    let contacts = try await contactsClient.contacts()
    let alerts = try await alertClient.history(alertLimit)
    let now = dateClient.now()
    let waiting = await waitingAlert(besides: alerts, at: now)
    // Without the channels, still report the deadline, and don't wait again for a server that can't
    // be reached.
    let isKnown = connectionClient.shownAsOf() == nil
    let channels = isKnown ? (try? await channelsClient.overview()) : nil
    return StatusReport(
      user: user,
      AccountFacts(
        contacts: contacts, alerts: [waiting].compactMap(\.self) + alerts,
        channels: channels ?? ChannelOverview(), now: now))
  }

  /// Returns an alert that waits for a monitor because the store can't be written (ALT-7). To its
  /// user it is already on.
  private static func waitingAlert(
    besides alerts: [AlertReport], at now: Date
  ) async -> AlertReport? {
    @Dependency(\.alertClient) var alertClient
    @Dependency(\.accountHost) var accountHost
    // An active alert has its own text, and says more.
    guard accountHost == .thisMachine, alerts.raisedByHand == nil else {
      return nil
    }
    var armed = alertClient.observeArmed().makeAsyncIterator()
    guard let waiting = try? await armed.next() ?? nil, waiting.isDue(at: now),
      !alerts.contains(where: { $0.id == waiting.id })
    else { return nil }
    return AlertReport(alert: waiting.raised(at: now))
  }

  /// How many alerts to search for an active one; far more than anyone has at a time.
  static let alertLimit = 100

  /// An alert raised by hand takes precedence; otherwise the deadline decides (ORD-2).
  var status: CheckInStatus {
    user.status(at: now, alerts: alerts.lazy.map(\.alert))
  }

  var exitCode: ExitCode {
    // What was last known can't be relied on.
    guard asOf == nil else { return .failure }
    return switch status {
    // After the interval was lengthened there is time left, but responders are still looking for
    // the user.
    case .ok where alerts.missed != nil, .dueSoon where alerts.missed != nil: .overdue
    case .ok, .paused: .ok
    case .dueSoon: .dueSoon
    case .overdue, .nonResponsive: .overdue
    case .alert: .alert
    }
  }

  /// Returns a warning if nobody would be notified even though the monitors work; they report their
  /// own problems. Once an alert is on, its recipients say more.
  func unreachableWarning(calendar: CivilCalendar) -> String? {
    guard asOf == nil, reportedAlert == nil,
      let reason = situation.reach.unreachableReasonBesidesWatch
    else { return nil }
    let last = situation.reach.lastFailure.map { message in
      " The last one to \(message.recipient), planned"
        + " \(calendar.describe(message.plannedAt, now: now)): \(message.errorSentence)"
    }
    return "Nobody would be notified: \(reason).\(last ?? "")"
  }

  /// A warning about what keeps messages from being sent, or about a test mail that wasn't.
  var warning: String? {
    situation.watch.problem?.text ?? situation.reach.failedMailTest.map(\.failedTestText)
  }

  func json() -> JSONText {
    let pause = user.deadline.isPaused(at: now) ? user.pausedUntil : nil
    let json: JSONText = [
      "name": .string(user.profile.name), "status": .string(status.rawValue),
      "last_check_in": .string(user.lastCheckIn.rfc3339),
      "deadline": .string(user.deadline.date.rfc3339),
      "seconds_left": .integer(user.deadline.secondsLeft(at: now)),
      "paused_until": .optional(pause?.rfc3339), "responders": .integer(responders.count),
      "alert": reportedAlert.map(json(of:)) ?? .null,
      "problem": .optional(asOf == nil ? situation.problem?.text : nil),
      "as_of": .optional(asOf?.rfc3339), "offline_since": .optional(offlineSince?.rfc3339),
      "queued": [
        "check_ins": .integer(outbox.waiting.count),
        "since": .optional(outbox.waiting.first?.madeAt.rfc3339),
        "alert": .optional(outbox.alert?.raisedAt.rfc3339),
        "refused": .integer(outbox.refused.count),
      ],
    ]
    return json.adding("schedule", user.schedule.map(\.json) ?? .null)
      .adding("outing", user.outing.map(\.json) ?? .null).adding(
        "clock", situation.watch.clockWarning.map(JSONText.string))
  }

  /// Returns the active alert, who it was sent to and who is responding (ALT-9).
  private func json(of report: AlertReport) -> JSONText {
    let messages = report.messages.filter { $0.state != .cancelled }.map { message -> JSONText in
      let wait = message.wait(at: now)
      return [
        "name": .string(message.recipient), "channel": .string(message.channel.rawValue),
        "state": .string(message.state.rawValue), "at": .string(message.date.rfc3339),
        "error": .optional(message.error),
        "may_have_been_sent": .boolean(message.mayHaveBeenSent),
        "waiting_for": .optional(wait?.server),
        "waiting_since": .optional(wait?.since.rfc3339),
      ]
    }
    let responding = report.alert.acknowledgements.map { answer -> JSONText in
      ["name": .string(answer.name), "since": .string(answer.date.rfc3339)]
    }
    return [
      "kind": .string(report.alert.kind.rawValue),
      "since": .string(report.alert.raisedAt.rfc3339), "message": .string(report.alert.message),
      "messages": .array(messages), "responding": .array(responding),
    ]
  }

  /// Returns the user's status in one line.
  func statusLine(calendar: CivilCalendar) -> String {
    let span = user.deadline.distanceText(at: now)
    // Where the deadline alone would be another status, the outing decides it.
    if let outing = user.outing, status != .alert, user.deadline.status(at: now) != status {
      let standing = now < outing.until ? "due back in" : "not back for"
      return "\(user.profile.name): \(standing) \(outing.distanceText(at: now))"
    }
    let standing =
      switch (status, user.deadline.secondsLeft(at: now) > 0) {
      case (.paused, _): "paused until \(calendar.describe(user.deadline.next(at: now), now: now))"
      case (.alert, true): "ALERT ON, \(span) left to check in"
      case (_, true): "\(status.text), \(span) left"
      case (.overdue, false): "overdue for \(span)"
      case (_, false): "\(status.text), overdue for \(span)"
      }
    return "\(user.profile.name): \(standing)"
  }

  /// Returns the report for people, without the line about monitors.
  func lines(calendar: CivilCalendar) -> [String] {
    let isLeft = user.deadline.secondsLeft(at: now) > 0
    var lines = situation.calls.alerted.compactMap { $0.alertLine(calendar: calendar, now: now) }
    lines.append(statusLine(calendar: calendar))
    if let activeAlert = alerts.raisedByHand?.alert {
      let message =
        activeAlert.message.isEmpty ? "" : " – \(activeAlert.message.replacing("\n", with: "; "))"
      lines.append(
        "Alert:          on since \(calendar.describe(activeAlert.raisedAt, now: now))\(message)")
    }
    if let missed = alerts.missed, isLeft {
      lines.append(
        "Missed:         the deadline before this one, "
          + "\(calendar.describe(missed.alert.raisedAt, now: now)). Check in to end it.")
    }
    if let outing = user.outing {
      let when = calendar.describe(outing.until, now: now)
      let text = outing.text.isEmpty ? "" : " – \(outing.text.replacing("\n", with: "; "))"
      let left = outing.distanceText(at: now)
      lines.append(
        now < outing.until
          ? "Out until:      \(when), \(left) left\(text)"
          : "Not back:       since \(when), \(left) ago: lifesignal back\(text)")
    }
    lines += sentLines(calendar: calendar)
    let askedBy = situation.calls.pingSenders.map(\.name)
    if !askedBy.isEmpty { lines.append("Asked by:       \(askedBy.joinedAsList), to check in") }
    let there = user.schedule?.clockThere(calendar).map { " (\($0))" } ?? ""
    lines.append("Deadline:       \(calendar.describe(user.deadline.date, now: now))\(there)")
    lines.append(
      "Last check-in:  \(calendar.describe(user.lastCheckIn, now: now)), "
        + (user.schedule?.isEarly == true ? "early for " : "") + user.promiseText)
    let namesakes = Dictionary(grouping: responders, by: \.name)
    let names = responders.map { contact in
      let isAlone = namesakes[contact.name]?.count == 1
      let address = isAlone ? nil : contact.channels.first?.shortAddress
      return contact.name + (address.map { " (\($0))" } ?? "")
    }.joinedAsList
    lines.append("Responders:     \(responders.isEmpty ? "nobody" : names)")
    return lines
  }

  /// Returns lines on who was and wasn't sent the alert or missed deadline, and who is responding
  /// (ALT-3, ALT-9).
  private func sentLines(calendar: CivilCalendar) -> [String] {
    guard
      let report = reportedAlert ?? alerts.first(where: \.alert.isActive) ?? alerts.unfinishedEnd
    else {
      return []
    }
    let isOver = report.alert.isActive ? "" : " that it is over"
    // People notified on several channels are named with each.
    let channels = Dictionary(grouping: report.messages, by: \.recipientID)
    func name(_ message: DeliveryReport) -> String {
      let isAlone = channels[message.recipientID]?.count == 1
      return message.recipient + (isAlone ? "" : " by \(message.channel.title)")
    }
    let sent = report.messages.filter { $0.state == .sent }
    var lines: [String] = []
    if report.alert.kind == .drill, report.alert.isActive {
      lines.append("Drill:          on since \(calendar.describe(report.alert.raisedAt, now: now))")
    }
    if !sent.isEmpty {
      let names = sent.map { "\(name($0)) (\(calendar.time(of: $0.date).clock))" }
      lines.append("Sent to:        \(names.joinedAsList)\(isOver)")
    }
    for message in report.messages where message.state == .pending || message.state == .failed {
      let waiting = message.waitingText(at: now) { calendar.time(of: $0).clock }
      let reason = (waiting ?? message.error).map { ": \($0)" } ?? " yet"
      let start = message.mayHaveBeenSent ? "Maybe sent to:  " : "Not sent to:    "
      lines.append("\(start)\(name(message))\(isOver)\(reason)")
    }
    if report.alert.isActive, report.alert.kind != .drill {
      let names = report.alert.acknowledgements.map {
        "\($0.name) (since \(calendar.time(of: $0.date).clock))"
      }
      if !names.isEmpty { lines.append("Responding:     \(names.joinedAsList)") }
      let withdrawn = report.withdrawals.map {
        "\($0.name) (at \(calendar.time(of: $0.date).clock))"
      }
      if !withdrawn.isEmpty { lines.append("Withdrew:       \(withdrawn.joinedAsList)") }
    }
    return lines
  }

  /// The active alert to report: one raised by hand before a missed promise.
  var reportedAlert: AlertReport? { alerts.raisedByHand ?? alerts.missed ?? alerts.notBack }
}

extension Outing {
  /// The outing for scripts.
  fileprivate var json: JSONText { ["until": .string(until.rfc3339), "text": .string(text)] }
}

extension Schedule {
  /// The schedule for scripts.
  var json: JSONText {
    [
      "times": .string(times.text), "zone": .string(times.zone), "opens": .string(opens.rfc3339),
      "next": .string(next.rfc3339), "early": .boolean(isEarly),
    ]
  }
}

extension Situation.Problem {
  /// The problem in words.
  fileprivate var text: String {
    switch self {
    case .nobodyReachable(let reason): reason
    case .watch(let problem): problem.text
    case .failedMailTest(let test): test.failedTestText
    }
  }
}

extension DeliveryReport {
  /// The error as a sentence.
  fileprivate var errorSentence: String {
    let error = error ?? "no reason was given"
    return error.hasSuffix(".") ? error : "\(error)."
  }

  fileprivate var failedTestText: String {
    "The last test message to you wasn't sent: \(errorSentence)"
  }
}

extension Contact {
  /// Returns the line that comes first in a status, because someone needs the user.
  fileprivate func alertLine(calendar: CivilCalendar, now: Date) -> String? {
    guard let alert = activeAlert else { return nil }
    let start = calendar.describe(alert.raisedAt, now: now)
    let news =
      switch alert.kind {
      case .missed: "hasn't checked in: alert since \(start)"
      case .outing: "isn't back: alert since \(start)"
      case .duress: "needs help since \(start), \(Alert.silentAdvice)"
      case .manual, .drill: "needs help since \(start)"
      }
    let message =
      alert.message.isEmpty ? "" : " – \(alert.message.replacing("\n", with: "; "))"
    let names = alert.acknowledgements.map(\.name)
    let responding =
      names.isEmpty
      ? "" : " (\(names.joinedAsList) \(names.count == 1 ? "is" : "are") responding)"
    return "ALERT:          \(name) \(news)\(message)\(responding)"
  }
}

extension CheckInStatus {
  /// The status as a person reads it.
  var text: String {
    switch self {
    case .ok: "ok"
    case .dueSoon: "due soon"
    case .overdue: "overdue"
    case .nonResponsive: "no check-in"
    case .alert: "ALERT"
    case .paused: "paused"
    }
  }
}
