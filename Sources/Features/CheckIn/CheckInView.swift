import Clients
import Composable
import Domain
import Terminal

/// The countdown, the button and the last check-ins.
struct CheckInView: View {
  let store: StoreOf<CheckInFeature>

  private var snapshot: AccountSnapshot { store.snapshot }

  var body: some View {
    SizeReader { size in
      VStack(spacing: 0) {
        failedAllClear
        banners
        if let outing = snapshot.user.outing { OutingPanel(outing: outing, store: store) }
        if size.columns >= RespondersPanel.leastColumns {
          HStack(spacing: 0) {
            countdown.frame(maxWidth: .max, maxHeight: .max)
            VStack(spacing: 0) {
              SizeReader { size in
                VStack(spacing: 0) {
                  RespondersPanel(snapshot: snapshot)
                    .frame(height: RespondersPanel.rows(for: snapshot, of: size.rows))
                  LastCheckInsView(snapshot: snapshot).frame(maxHeight: .max)
                }
              }
              if size.rows >= 24 { LastYearView(snapshot: snapshot).frame(height: 10) }
            }
            .frame(width: size.columns >= 120 ? 61 : 47)
          }
        } else {
          countdown.frame(height: min(14, max(9, size.rows - 6 - outingRows)))
          LastCheckInsView(snapshot: snapshot).frame(maxWidth: .max, maxHeight: .max)
        }
        RespondersLine(snapshot: snapshot, columns: size.columns)
      }
    }
    .command("c", "Check in now") { store.send(.checkInButtonTapped) }
    .command("tab", "Button", isHidden: true) { store.send(.buttonFocusMoved) }
    .command(
      "i", "How often", fullTitle: "Change how often you check in",
      keywords: ["interval", "deadline", "frequency", "times", "schedule", "daily"]
    ) {
      store.send(.intervalButtonTapped)
    }
    .command(
      "o", snapshot.user.outing == nil ? "Go out" : "Be back later",
      fullTitle: snapshot.user.outing == nil
        ? "Go out, and say when you are back" : "Be back later",
      isHidden: true, keywords: ["outing", "trip", "hike", "out", "back", "extend"]
    ) { store.send(.outingButtonTapped) }
    .command(
      "p", snapshot.user.deadline.isPaused(at: snapshot.now) ? "Resume" : "Pause",
      fullTitle: snapshot.user.deadline.isPaused(at: snapshot.now)
        ? "Resume check-ins" : "Pause check-ins",
      keywords: ["holiday", "vacation"]
    ) {
      store.send(.pauseButtonTapped)
    }
    .command(
      "h", "History", fullTitle: "Show the check-in history",
      keywords: ["statistics", "calendar", "streak"]
    ) {
      store.send(.historyButtonTapped)
    }
    .commandIf(
      snapshot.outbox != Outbox(), "u", "Unsent",
      fullTitle: "Show what the server hasn't received"
    ) { store.send(.unsentButtonTapped) }
    .command(
      "k", "Who watches", fullTitle: "Choose who watches", isHidden: true,
      keywords: ["monitor", "standby", "heartbeat", "service"]
    ) { store.send(.standbyButtonTapped) }
  }

  private var outingRows: Int { snapshot.user.outing == nil ? 0 : OutingPanel.rows }

  @ViewBuilder private var banners: some View {
    if let notice = snapshot.situation.watch.status?.notice { Banner(notice) }
    if let clock = snapshot.situation.watch.status?.clock { Banner(clock.text) }
    if let unsent = snapshot.unsentAlertText { Banner(unsent, role: .danger) }
    if let queued = snapshot.queuedText { Banner(queued) }
    if let refused = snapshot.outbox.refused.first, let text = snapshot.refusalText(refused) {
      Banner(text, role: .danger, hint: "Esc Dismiss")
        .command("esc", "Dismiss", isHidden: true) { store.send(.refusalDismissed(refused.id)) }
    }
    if snapshot.isCheckInAhead {
      let date = snapshot.calendar.describe(snapshot.user.lastCheckIn, now: snapshot.now)
      Banner(
        "A clock was wrong: your last check-in is dated \(date). Check in now, and the deadline counts from now.",
        role: .danger)
    }
    if let error = store.request.failure?.error {
      ErrorView(
        error, text: error.checkInText, retry: .key { store.send(.checkInButtonTapped) },
        dismiss: { store.send(.errorDismissed) })
    }
  }

  @ViewBuilder private var failedAllClear: some View {
    if let failed = store.state.failedAllClear {
      Banner(failed.text, role: .danger, hint: "4 Details · Esc Dismiss")
        .command("esc", "Dismiss", isHidden: true) { store.send(.unsentEndDismissed) }
    }
  }

  private var countdown: some View {
    let isPaused = snapshot.user.deadline.isPaused(at: snapshot.now)
    return SizeReader { size in
      VStack(alignment: .center, spacing: 0) { countdown(in: size) }
        .frame(maxWidth: .max, maxHeight: .max, alignment: .center)
    }
    .padding(.horizontal, 1)
    .border(title: isPaused ? "Paused" : "Next check-in", role: isPaused ? .border : role)
  }

  /// The countdown with the largest digits that fit. Blank lines are dropped first.
  @ViewBuilder private func countdown(in size: Size) -> some View {
    let deadline = snapshot.user.deadline
    let isPaused = deadline.isPaused(at: snapshot.now)
    let left = TimeSpan(seconds: deadline.secondsToNext(at: snapshot.now))
    let isOver = snapshot.now >= deadline.date
    let headline = headline
    let rows = size.rows - min(2, (headline.count - 1) / max(1, size.columns))
    let (digits, button) =
      rows >= 16 ? (7, 3) : rows >= 14 ? (5, 3) : rows >= 12 ? (5, 1) : rows >= 7 ? (3, 1) : (1, 1)
    let gaps = rows - 3 - digits - button
    Text(headline).bold().foreground(isPaused ? .dim : role).lineLimit(3)
      .multilineTextAlignment(.center)
    if gaps > 1 { Text("") }
    BigText((isOver ? "-" : "") + left.countdownDescription, rows: digits)
      .foreground(isPaused ? .dim : role)
    if gaps > 2 { Text("") }
    if isPaused {
      Text("nobody expects a check-in until then").foreground(.dim)
    } else {
      share(deadline, role)
    }
    Text(until).foreground(.dim).lineLimit(1)
    if gaps > 0 { Text("") }
    if store.request.isRunning {
      ProgressView("Checking in")
    } else {
      Button(
        "Check in now", key: "c", role: isPaused ? .accent : role,
        isFocused: store.isButtonFocused, primaryRows: button
      ) {
        store.send(.checkInButtonTapped)
      }
    }
  }

  /// The colour of the panel, digits and button, which shows the status from across the room.
  private var role: ThemeRole {
    let urgency = snapshot.user.deadline.urgency(at: snapshot.now).role
    if snapshot.alerts.missed != nil || isAlertOn || snapshot.deadlineStatus.role == .danger {
      return .danger
    }
    if snapshot.isNobodyReachable { return .danger }
    return snapshot.isStatusOutOfDate && urgency == .calm ? .warning : urgency
  }

  private func share(_ deadline: Deadline, _ role: ThemeRole) -> some View {
    HStack(spacing: 1) {
      ProgressBar(value: deadline.shareLeft(at: snapshot.now), role: role)
        .accessibilityLabel("")
      Text("\(Int(bounded: (deadline.shareLeft(at: snapshot.now) * 100).rounded(.up))) %")
        .frame(width: 5, alignment: .trailing)
    }
    .frame(maxWidth: 46)
  }

  private var headline: String {
    // The outing has a panel of its own.
    let (deadline, status) = (snapshot.user.deadline, isAlertOn ? .alert : snapshot.deadlineStatus)
    if let missed = snapshot.alerts.missed, !isAlertOn {
      // Responders aren't notified again before the next check-in, even if the interval changes.
      let standing = snapshot.now < deadline.date ? "Deadline missed" : "Overdue"
      return "▲ \(standing) · \(missed.notifiedText(in: snapshot))"
    }
    if snapshot.isStatusOutOfDate, [.ok, .dueSoon].contains(status) {
      return snapshot.asOfText.map { "◐ As of \($0)" } ?? "◐ Not up to date"
    }
    if let queued = snapshot.overdueQueuedText,
      [.overdue, .nonResponsive].contains(status)
    {
      return queued
    }
    // The person may have checked in elsewhere, or the responders may have been notified.
    if snapshot.isStatusOutOfDate, [.overdue, .nonResponsive].contains(status) {
      return snapshot.asOfText.map { "▲ Overdue as of \($0)" } ?? "▲ Overdue · not up to date"
    }
    if !snapshot.outbox.refused.isEmpty, [.ok, .dueSoon].contains(status) {
      return "! A check-in wasn't received"
    }
    switch status {
    // A warning replaces "All is well"; it is never shown beneath it.
    case .ok where snapshot.isNobodyReachable, .dueSoon where snapshot.isNobodyReachable:
      return "! \(snapshot.unreachableText)"
    // The panel above says what isn't.
    case .ok where snapshot.user.outing.map({ $0.until <= snapshot.now }) ?? false:
      return "● No check-in is due"
    case .ok: return "● All is well"
    case .dueSoon: return "◐ Due soon"
    case .overdue:
      return snapshot.isNobodyReachable
        ? "▲ Overdue · \(snapshot.unreachableText)"
        : "▲ Overdue · responders are notified at "
          + snapshot.calendar.time(of: deadline.graceEnd).clock
    case .nonResponsive: return "▲ Overdue · nobody has been notified yet"
    case .alert: return "! Your alert is on"
    case .paused:
      return "‖ Paused until \(snapshot.pauseEndText)"
    }
  }

  private var isAlertOn: Bool { snapshot.alerts.raisedByHand != nil }

  private var until: String {
    let user = snapshot.user
    let deadline = user.deadline
    let when = snapshot.calendar.describe(deadline.date, now: snapshot.now)
    let prefix =
      snapshot.now >= deadline.date
      ? "was due "
      : deadline.isHeld
        ? "waits for your outing, until "
        : deadline.isPaused(at: snapshot.now) ? "first deadline " : "until "
    let there = user.schedule?.clockThere(snapshot.calendar).map { " (\($0))" } ?? ""
    var parts = [prefix + when + there]
    if deadline.isEarly(at: snapshot.now), !deadline.isPaused(at: snapshot.now) {
      parts.append("opens \(snapshot.calendar.describe(deadline.start, now: snapshot.now))")
    }
    parts.append(user.promiseText)
    // Those that would come before a set time opens aren't sent (SCH-4).
    let reminders = user.reminders.filter { deadline.reminderTime($0) != nil }
    if !reminders.isEmpty {
      let leads = reminders.map(\.exactDescription).joined(separator: ", ")
      parts.append(
        snapshot.reminderFailure == nil ? "reminder \(leads)" : "no reminders")
    }
    return parts.joined(separator: " · ")
  }
}

/// The list of the last check-ins.
struct LastCheckInsView: View {
  let snapshot: AccountSnapshot

  var body: some View {
    SizeReader { size in
      VStack(alignment: .leading, spacing: 0) {
        if !snapshot.isHistoryKnown {
          ProgressView("Reading your check-ins")
        } else if snapshot.history.isEmpty {
          Text("None yet: your first deadline started when you began.").foreground(.dim)
        }
        ForEach(Array(snapshot.history.prefix(max(0, size.rows))), id: \.id) { checkIn in
          CheckInRow(checkIn: checkIn, snapshot: snapshot)
        }
        Spacer(minLength: 0)
      }
    }
    .padding(.horizontal, 1)
    .border(title: "Last check-ins")
  }
}

/// The calendar of the last year and its figures.
struct LastYearView: View {
  let snapshot: AccountSnapshot

  var body: some View {
    VStack(alignment: .leading, spacing: 0) {
      RecordCalendar(snapshot: snapshot).keeping()
      Text(snapshot.isHistoryKnown ? snapshot.recordText(isLong: false) : "").foreground(.dim)
        .lineLimit(1)
      Spacer(minLength: 0)
    }
    .padding(.horizontal, 1)
    .frame(maxWidth: .max)
    .border(title: "The last year")
  }
}

/// A line above the help bar that says who would be notified.
struct RespondersLine: View {
  let snapshot: AccountSnapshot
  /// The width of the line.
  let columns: Int

  var body: some View {
    let count = snapshot.responderCount
    if snapshot.connection.isAway, snapshot.unreachableSince == nil {
      ProgressView(" Asking the server who watches").lineLimit(1)
    } else if snapshot.unreachableSince != nil {
      Text(" ! The server doesn't answer: who watches is unknown.").bold().foreground(.danger)
        .lineLimit(1)
    } else if !snapshot.isReachKnown && !snapshot.hasNoResponders {
      ProgressView(" Reading your responders").lineLimit(1)
    } else if count == 0 {
      Text(" ! Nobody would be notified: 2, then a adds a responder.")
        .bold().foreground(.danger).lineLimit(1)
    } else if let missed = snapshot.alerts.missed.map(snapshot.outcome(of:)),
      missed.messageCount > 0
    {
      Text(" \(missed.marks(in: snapshot).joined(separator: " · "))").lineLimit(1)
    } else if let failureReason = snapshot.failureReason {
      let advice =
        snapshot.situation.watch.isMissing
        ? snapshot.host.serverName.map {
          "No monitor is running on \($0): tell the person who runs it."
        }
          ?? "No monitor is running: press w to start one.\(snapshot.standbyText)"
        : "Nobody would be notified: \(failureReason)."
      Text(" ! \(advice)").bold().foreground(.danger).lineLimit(1)
    } else if snapshot.isNobodyReachable, snapshot.situation.reach.refusedCount == 0 {
      Text(" ! \(snapshot.unreachableText). Press 2.").bold().foreground(.danger).lineLimit(1)
    } else {
      let reach = snapshot.situation.reach
      // The panel names the responders, so the line shows only their number.
      let isNamed = columns < RespondersPanel.leastColumns
      let everybody = count == 1 ? "1 responder" : isNamed ? "\(count)" : "\(count) responders"
      let reachedCount = count - reach.refusedCount
      let reached = reach.refusedCount == 0 ? everybody : "\(reachedCount) of \(everybody)"
      let verb = reachedCount == 1 ? "is" : "are"
      let end = snapshot.user.deadline.graceEnd
      let when =
        snapshot.now < end ? snapshot.calendar.describe(end, now: snapshot.now) : "now"
      let notice =
        snapshot.now < snapshot.user.deadline.date
        ? "If missed, \(reached) \(verb) notified \(when)"
        : "\(reached) \(verb) notified \(when) unless you check in"
      let order =
        [reach.firstRefused, reach.firstReachable].contains { $0.contains { $0.wait != nil } }
        ? order(of: reach.firstRefused + reach.firstReachable, when: when) : nil
      (Text(order.map { " \($0)" } ?? " \(notice)\(isNamed ? ": " : ".")")
        .foreground(.dim)
        + names(of: isNamed && order == nil ? reach.firstRefused : [], role: .danger) {
          reach.refusals.areOn(allChannelsOf: $0) ? "✗ refused" : "✗ can't be reached"
        }
        + names(of: isNamed && order == nil ? reach.firstReachable : [], role: .text) {
          $0.reachMarks
        })
        .lineLimit(1)
    }
  }
}

extension RespondersLine {
  /// Who is notified of a missed deadline if responders wait (ESC-8); `nil` if all are at once.
  /// - Parameter responders: Those whose names are known.
  fileprivate func order(of responders: [Contact], when: String) -> String? {
    guard let first = responders.map(\.waitSpan).min() else { return nil }
    let later = responders.filter { $0.waitSpan != first }
    guard let next = later.map(\.waitSpan).min() else { return nil }
    let start = responders.filter { $0.waitSpan == first }
    guard responders.count == snapshot.responderCount, later.allSatisfy({ $0.waitSpan == next })
    else { return "If missed, your responders are notified in order from \(when) on." }
    let (one, other) = (start.map(\.name), later.map(\.name))
    let who = one.count == 1 ? "\(one[0]) is" : "\(one.count) responders are"
    let then = other.count == 1 ? other[0] : "\(other.count) more"
    return "If missed, \(who) notified \(when), \(then) \(next.exactDescription) later."
  }
}

extension AccountSnapshot {
  /// Who notices that no monitor runs, as a sentence behind another; empty if nobody does.
  fileprivate var standbyText: String {
    guard let standby = situation.watch.standby(at: now) else { return "" }
    let host = standby.heartbeatWorks ? standby.heartbeat : standby.topic
    return " \(host ?? "A standby") notices if none does."
  }
}

extension RespondersLine {
  /// The names that fit on the line.
  private func names(
    of contacts: some Sequence<Contact>, role: ThemeRole, mark: (Contact) -> String
  ) -> Text {
    var names = ""
    var length = 0
    for contact in contacts {
      guard length < columns else { break }
      let name = "\(contact.name) \(mark(contact))  "
      names += name
      length += name.count
    }
    return Text(names).foreground(role)
  }
}

/// The banner that says that an alert is on, who it was sent to, and how to end it.
struct AlertBanner: View {
  let report: AlertReport
  let snapshot: AccountSnapshot
  /// The width of the window.
  let columns: Int
  /// The key that shows the details: Enter if nothing else on the screen uses it.
  let detailsKey: String
  /// Whether a sheet is open, in which `x` can have another function.
  let hasSheet: Bool

  var body: some View {
    Banner(
      report.bannerText(in: snapshot, isNarrow: columns < 100), role: .danger, hint: hint)
  }

  private var hint: String {
    if hasSheet { return "! Details" }
    return columns < 80 ? "x Cancel" : "x Cancel  \(detailsKey) Details"
  }
}

extension AlertOutcome {
  /// The recipient and result of the first messages, such as `Grace ✓ 10:02`.
  func marks(in snapshot: AccountSnapshot) -> [String] {
    messages.map { message in
      switch message.state {
      case .sent: "\(message.recipient) ✓ \(snapshot.calendar.time(of: message.date).clock)"
      case .pending where message.error == nil: "\(message.recipient) …"
      case .pending: "\(message.recipient) … retrying"
      case .failed: "\(message.recipient) ✗"
      case .cancelled: "\(message.recipient) –"
      }
    }
  }
}

extension Situation.FailedAllClear {
  /// A warning about people who weren't sent the all-clear: they may still be looking for the
  /// person.
  var text: String {
    let others = count > names.count ? " and others" : ""
    let news = kind == .missed ? "you are well" : "your alert is over"
    return "NOT SENT to \(names.joined(separator: ", "))\(others): \(news). Call them yourself."
  }
}

extension AlertReport {
  /// Whether the responders have been notified, as the end of a sentence.
  func notifiedText(in snapshot: AccountSnapshot) -> String {
    let outcome = snapshot.outcome(of: self)
    let (sent, all) = (outcome.sentMessageCount, outcome.messageCount)
    if snapshot.hasNoResponders, all == 0 { return "there is nobody to notify" }
    if sent > 0, sent == all { return "your responders have been notified" }
    if sent > 0 { return "\(sent) of \(all) responders have been notified" }
    return snapshot.failureReason == nil && !outcome.hasErrors
      ? "your responders are being notified" : "nobody has been notified"
  }
}
