import Composable
import Domain
import Terminal

/// The countdown, the button and the last check-ins (SCREENS.md, *Check-In*).
struct CheckInView: View {
  let store: StoreOf<CheckInFeature>

  private typealias Destination = CheckInFeature.Destination

  private var snapshot: AccountSnapshot { store.snapshot }

  var body: some View {
    SizeReader { size in
      VStack(spacing: 0) {
        untoldEnd
        banners
        if size.columns >= 100 {
          HStack(spacing: 0) {
            countdown.frame(maxWidth: .max, maxHeight: .max)
            VStack(spacing: 0) {
              LastCheckInsView(snapshot: snapshot).frame(maxHeight: .max)
              if size.rows >= 24 { LastYearView(snapshot: snapshot).frame(height: 10) }
            }
            .frame(width: size.columns >= 120 ? 61 : 47)
          }
        } else {
          countdown.frame(height: min(12, max(9, size.rows - 6)))
          LastCheckInsView(snapshot: snapshot).frame(maxWidth: .max, maxHeight: .max)
        }
        RespondersLine(snapshot: snapshot, columns: size.columns)
      }
    }
    .command("c", "Check in now") { store.send(.checkInButtonTapped) }
    .command("tab", "Button", isHidden: true) { store.send(.buttonFocusMoved) }
    .command("i", "Interval") { store.send(.intervalButtonTapped) }
    .command("p", snapshot.user.deadline.isPaused(at: snapshot.now) ? "Resume" : "Pause") {
      store.send(.pauseButtonTapped)
    }
    .command("h", "History") { store.send(.historyButtonTapped) }
    .command("o", "Who watches", isHidden: true) { store.send(.standbyButtonTapped) }
    .overlay {
      if let sheet = store.scope(
        state: \.$destination, action: CheckInFeature.Action.destinationCase)
      {
        self.sheet(sheet)
      }
    }
  }

  @ViewBuilder private func sheet(_ store: StoreOf<CheckInFeature.Destination>) -> some View {
    if let history = store.scope(Destination.history) { HistoryView(store: history) }
    if let pause = store.scope(Destination.pause) { PauseView(store: pause) }
    if let interval = store.scope(Destination.interval) { IntervalView(store: interval) }
    if let standby = store.scope(Destination.standby) {
      StandbyView(store: standby, snapshot: snapshot)
    }
  }

  @ViewBuilder private var banners: some View {
    if let notice = snapshot.watch?.notice { Banner(notice) }
    if let error = store.error {
      Banner(error.sentence, role: .danger, hint: error.dismissHint)
        .commandIf(error.isRetryable, "r", "Try again") { store.send(.checkInButtonTapped) }
        .command("esc", "Dismiss", isHidden: true) { store.send(.errorDismissed) }
    }
  }

  @ViewBuilder private var untoldEnd: some View {
    if let report = store.state.untoldEnd {
      Banner(report.untoldEndText, role: .danger, hint: "4 shows · Esc dismiss")
        .command("esc", "Dismiss", isHidden: true) { store.send(.untoldEndDismissed) }
    }
  }

  private var countdown: some View {
    let deadline = snapshot.user.deadline
    let isPaused = deadline.isPaused(at: snapshot.now)
    let left = TimeSpan(seconds: deadline.secondsToNext(at: snapshot.now))
    let role = isPaused ? .dim : deadline.urgency(at: snapshot.now).role
    let isOver = snapshot.now >= deadline.date
    return VStack(alignment: .center, spacing: 0) {
      Spacer(minLength: 0)
      Text(headline).bold()
        .foreground(snapshot.missedAlert == nil ? snapshot.status.role : .danger)
        .multilineTextAlignment(.center)
      Text("")
      BigText((isOver ? "-" : "") + left.countdownDescription).foreground(role)
      Text("")
      if isPaused {
        Text("nobody expects a check-in until then").foreground(.dim)
      } else {
        share(deadline, role)
      }
      Text(until).foreground(.dim)
      Text("")
      if store.isCheckingIn {
        Text("Checking in …").foreground(.dim)
      } else {
        Button(
          "Check in now", key: "c", role: .accent, isFocused: store.isButtonFocused
        ) {
          store.send(.checkInButtonTapped)
        }
      }
      Spacer(minLength: 0)
    }
    .padding(.horizontal, 1)
    .frame(maxWidth: .max, maxHeight: .max, alignment: .center)
    .border(title: isPaused ? "Paused" : "Next check-in")
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
    let deadline = snapshot.user.deadline
    if let missed = snapshot.missedAlert, !isAlertOn {
      // Whoever was told is not told again before the next check-in, whatever the interval is made.
      let standing = snapshot.now < deadline.date ? "Deadline missed" : "Overdue"
      return "▲ \(standing) · \(missed.told(in: snapshot))"
    }
    if snapshot.isStatusOutOfDate, [.ok, .dueSoon].contains(snapshot.status) {
      return "◐ Not up to date"
    }
    switch snapshot.status {
    case .ok: return "● All is well"
    case .dueSoon: return "◐ Due soon"
    case .overdue:
      return snapshot.hasNobodyToTell || snapshot.failureReason != nil
        ? "▲ Overdue"
        : "▲ Overdue · responders are told at \(snapshot.calendar.time(of: deadline.graceEnd).clock)"
    case .nonResponsive: return "▲ Overdue · nobody is told yet"
    case .alert: return "! Your alert is on"
    case .paused:
      return "‖ Paused until \(snapshot.calendar.describe(deadline.start, now: snapshot.now))"
    }
  }

  private var isAlertOn: Bool { snapshot.activeManualAlert != nil }

  private var until: String {
    let user = snapshot.user
    let deadline = user.deadline
    let when = snapshot.calendar.describe(deadline.date, now: snapshot.now)
    let prefix =
      snapshot.now >= deadline.date
      ? "was due " : deadline.isPaused(at: snapshot.now) ? "first deadline " : "until "
    var parts = [
      prefix + when,
      "every \(user.interval.displayText)",
    ]
    if let lead = user.reminders.first { parts.append("reminder \(lead.exactDescription)") }
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
          Text("Reading your check-ins …").foreground(.dim)
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
      RecordCalendar(snapshot: snapshot)
      Text(snapshot.isHistoryKnown ? snapshot.recordText(isLong: false) : "").foreground(.dim)
        .lineLimit(1)
      Spacer(minLength: 0)
    }
    .padding(.horizontal, 1)
    .frame(maxWidth: .max)
    .border(title: "The last year")
  }
}

/// Who would be told, in one line above the keys.
struct RespondersLine: View {
  let snapshot: AccountSnapshot
  /// How wide the line is.
  let columns: Int

  var body: some View {
    let count = snapshot.responderCount
    if !snapshot.isReachKnown && !snapshot.hasNobodyToTell {
      Text(" Reading your responders …").foreground(.dim).lineLimit(1)
    } else if count == 0 {
      Text(" ! Nobody would be told. Add a responder: press 2, then a.")
        .bold().foreground(.danger).lineLimit(1)
    } else if let missed = snapshot.missedAlert, !missed.messages.isEmpty {
      Text(" \(missed.marks(in: snapshot).joined(separator: " · "))").lineLimit(1)
    } else if let failureReason = snapshot.failureReason {
      Text(" ! Nobody would be told: \(failureReason).").bold().foreground(.danger).lineLimit(1)
    } else {
      let refused = snapshot.refusedResponders
      let everybody = count == 1 ? "1 responder" : "\(count) responders"
      let reachedCount = count - refused.count
      let reached = refused.isEmpty ? everybody : "\(reachedCount) of \(everybody)"
      let verb = reachedCount == 1 ? "is" : "are"
      let grace = snapshot.user.grace
      let when = grace == .zero ? "at the deadline" : "\(grace.exactDescription) after the deadline"
      (Text(" \(reached) \(verb) told \(when): ").foreground(.dim)
        + names(of: refused, role: .danger) { _ in "✗ refused" }
        + names(of: reachable(beside: refused), role: .text) { $0.reachMarks })
        .lineLimit(1)
    }
  }
}

extension RespondersLine {
  /// Those whose mail arrives.
  private func reachable(beside refused: [Contact]) -> some Sequence<Contact> {
    let refused = Set(refused.map(\.id))
    return snapshot.firstResponders.lazy.filter { !refused.contains($0.id) }
  }

  /// As many as the line may have room for, of thousands. Those whose mail comes back stand first,
  /// where no width cuts them off.
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

/// The line that says that an alert is on, whom it has reached, and how to end it.
struct AlertBanner: View {
  let report: AlertReport
  let snapshot: AccountSnapshot

  var body: some View {
    Banner(report.bannerText(in: snapshot), role: .danger, hint: "x cancels")
  }
}

extension AlertReport {
  /// That the alert is on, who takes care of it (ESC-2), and whom it has reached.
  func bannerText(in snapshot: AccountSnapshot) -> String {
    let since = snapshot.calendar.time(of: alert.raisedAt).clock
    let carers = alert.acknowledgements.map { "\($0.name) is responding" }
    let reach = carers.isEmpty ? fault(in: snapshot).map { [$0] } : nil
    return (["ALERT ON since \(since)"] + carers + (reach ?? marks(in: snapshot)))
      .joined(separator: " · ")
  }

  /// That nobody is told, and why.
  private func fault(in snapshot: AccountSnapshot) -> String? {
    if isToldToSomebody { return nil }
    if snapshot.hasNobodyToTell { return "there is nobody to tell" }
    return snapshot.failureReason.map { "NOBODY IS TOLD: \($0)" }
  }

  /// Each message's recipient with what has become of it: `Grace ✓ 10:02`.
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

  /// Who was not told that it is over: they may be looking for the person still.
  var untoldEndText: String {
    let names = untoldEnd.map(\.recipient).joined(separator: ", ")
    let news = alert.kind == .missed ? "you are well" : "your alert is over"
    return "NOT told that \(news): \(names). Tell them yourself."
  }

  /// Whether the responders know, as the end of a sentence.
  func told(in snapshot: AccountSnapshot) -> String {
    if snapshot.hasNobodyToTell, messages.isEmpty { return "there is nobody to tell" }
    let told = messages.count { $0.state == .sent }
    if told > 0, told == messages.count { return "your responders have been told" }
    if told > 0 { return "\(told) of \(messages.count) responders have been told" }
    return snapshot.failureReason == nil && messages.allSatisfy { $0.error == nil }
      ? "your responders are being told" : "nobody has been told"
  }
}

extension String {
  /// The text with its first character in upper case.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
