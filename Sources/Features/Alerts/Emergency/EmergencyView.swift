import Clients
import Composable
import Domain
import Terminal

/// The panel over everything while an alert is being raised or cancelled.
struct EmergencyView: View {
  let store: StoreOf<EmergencyFeature>
  let snapshot: AccountSnapshot
  /// The rows at the top that the panel leaves visible: the tab bar.
  var rowsAbove = 1
  /// Whether a request asks for the passphrase, which the panel of a cancellation leaves visible.
  var isAsking = false

  private static let notRaised = "Not raised. Type \(EmergencyFeature.confirmationWord)."

  @ViewBuilder var body: some View {
    switch store.phase {
    case .storingCancellation where isAsking && !store.isLingering: EmptyView()
    case .idle:
      if store.trigger.presses > 0 { pressing }
    case .confirming:
      panel {
        whoIsNotified
        TextField(
          "Type \(EmergencyFeature.confirmationWord)", input: store.confirmation, isFocused: true,
          error: store.isConfirmationWrong ? Self.notRaised : nil,
          onEdit: { store.send(.confirmationEdited($0)) })
        KeyHint("Enter begins the countdown · Esc stops")
      }
      .command("enter", "Raise the alert") { store.send(.confirmationSubmitted) }
      .command("esc", "Stop") { store.send(.stopButtonTapped) }
    case .raising:
      FullScreenSheet("Emergency alert · Sends in \(secondsInWords)", rowsAbove: rowsAbove) {
        countdown($0)
      }
      .command("enter", "Send now") { store.send(.sendNowButtonTapped) }
      .command("esc", "Stop") { store.send(.stopButtonTapped) }
      .command("m", "Message") { store.send(.messageButtonTapped) }
    case .writingMessage:
      alarm { size in
        Text("Sends in \(secondsInWords) · Enter sends now").bold()
        Text("")
        messageField(size)
        Text("")
        whoIsNotified
        KeyHint(
          "Alt+Enter starts a line · Esc returns to the countdown and keeps the text", role: nil)
      }
      .command("enter", "Send now") { store.send(.sendNowButtonTapped) }
      .command("esc", "Back") { store.send(.messageClosed) }
    case .writingSecondMessage(let alert):
      alarm { size in
        Text(report(of: alert).bannerText(in: snapshot)).bold()
        ForEach(Array(report(of: alert).alert.messageLines.enumerated()), id: \.offset) {
          Text("“\($0.element)”").lineLimit(1)
        }
        Text("")
        messageField(size)
        if let problem = store.state.messageProblem {
          Text("Not sent: \(problem.description)").bold()
        }
        KeyHint(
          "Enter sends a second message · Alt+Enter starts a line · Esc goes back", role: nil)
      }
      .command("enter", "Send message") { store.send(.sendNowButtonTapped) }
      .command("esc", "Back") { store.send(.messageClosed) }
    case .stopping: panel { Text("Stopping …").bold() }
    case .storing:
      alarm { size in
        if store.state.isQueued, let server = snapshot.host.serverName {
          notSent(
            store.armed?.reason,
            "Saved on this device: it is sent as soon as \(server) answers, even if this window closes.",
            size)
          KeyHint("Trying again every 2 seconds · Enter now · Esc stops it", role: nil)
        } else if store.state.isQueued {
          Text("The alert waits for a monitor to send it.").bold()
          Text("The store can't be written. If nobody answers, \(snapshot.callText()).")
          KeyHint("Trying again every 2 seconds · Esc closes; it is sent anyway", role: nil)
        } else {
          Text("Raising the alert …").bold()
        }
      }
      .commandIf(store.state.isQueued && snapshot.host.serverName != nil, "enter", "Try now") {
        store.send(.sendNowButtonTapped)
      }
      .command(
        "esc", snapshot.host.serverName == nil ? "Close" : "Stop",
        isHidden: !store.state.isQueued
      ) { store.send(.stopButtonTapped) }
    case .raised(let alert): raised(report(of: alert))
    case .failed(let error):
      alarm { size in
        notSent(error, nil, size)
        KeyHint("Trying again every 2 seconds · Enter now · Esc gives up", role: nil)
      }
      .command("enter", "Try now") { store.send(.sendNowButtonTapped) }
      .command("esc", "Give up") { store.send(.stopButtonTapped) }
    case .confirmingCancellation(let cancellation): confirming(cancellation)
    case .storingCancellation:
      panel {
        Text(
          snapshot.alerts.raisedByHand == nil ? "The alert is over." : "Cancelling the alert …"
        ).bold()
      }
    case .cancellationFailed(let error):
      panel {
        Text(error.isOutcomeUnknown ? "The alert may still be on." : "The alert is still on.")
          .bold().foreground(.danger)
        Text(error.description)
        KeyHint("x asks again · Esc closes")
      }
      .command("x", "Try again") { store.send(.cancelButtonTapped) }
      .command("esc", "Close") { store.send(.stopButtonTapped) }
    }
  }

  /// Says that the alert isn't sent, who to call and why.
  @ViewBuilder private func notSent(
    _ reason: ErrorText?, _ advice: String?, _ size: Size
  ) -> some View {
    let news = store.armed?.mayBeStored == true ? "MAY NOT BE SENT" : "NOT SENT"
    Text("\(news) – call \(snapshot.emergencyNumber)").bold()
    Text("")
    ForEach(Array(phones.prefix(max(1, size.rows - (advice == nil ? 5 : 7)))), id: \.id) {
      Text("\($0.name)  \(PhoneNumber.grouped($0.phone ?? ""))").bold()
    }
    Text("")
    if let reason { Text(reason.description) }
    if let advice { Text(advice) }
  }

  private func report(of alert: Alert) -> AlertReport {
    snapshot.alerts.first { $0.id == alert.id } ?? AlertReport(alert: alert)
  }

  private var seconds: Int { store.armed?.secondsLeft ?? AlertTrigger.countdown }
  private var secondsInWords: String { TimeSpan.seconds(seconds).inWords }
  private var elapsed: Int { store.armed?.elapsed ?? 0 }
  private var phones: [Contact] { snapshot.situation.reach.firstWithPhone }

  /// It grows with the message, as far as the panel has room. Enter sends it.
  private func messageField(_ size: Size) -> some View {
    TextField(
      "Message", input: store.message, isFocused: true,
      placeholder: "what has happened, where you are", rows: 1...max(1, min(8, size.rows - 9)),
      leavesEnter: true,
      onEdit: { store.send(.messageEdited($0)) })
  }

  /// The presses so far. It doesn't block the screen beneath, so a stray `!` changes nothing.
  private var pressing: some View {
    let presses = store.trigger.presses
    let left = AlertTrigger.pressesNeeded - presses
    return FloatingPanel {
      VStack(alignment: .leading, spacing: 0) {
        HStack(spacing: 2) {
          Text(
            (0..<AlertTrigger.pressesNeeded).map { $0 < presses ? "!" : "·" }
              .joined(separator: "  ")
          )
          .bold().foreground(.danger)
          Spacer(minLength: 0)
          Text(left == 1 ? "one more" : "\(left) more")
        }
        ProgressBar(value: store.trigger.progress, role: .danger)
        whoIsNotified
        Text("To stop, wait two seconds.").foreground(.dim)
      }
      .padding(.horizontal, 2)
      .frame(maxWidth: 52)
      .border(title: "Emergency alert", role: .danger)
      .padding(1)
    }
  }

  /// The panel in which an alert is cancelled as deliberately as it is raised (ALT-2). Its first
  /// lines must do in the smallest window.
  private func confirming(_ cancellation: EmergencyFeature.Cancellation) -> some View {
    let presses = cancellation.trigger.presses
    let left = CancelTrigger.pressesNeeded - presses
    return panel {
      Text("Cancel the alert? It is still on.").bold()
      Text(
        cancellation.typed.isEmpty
          ? left == 1 ? "Press x once more," : "Press x \(left) times, one after another,"
          : "Typed: \(cancellation.typed) – go on typing \(EmergencyFeature.cancellationWord)"
      )
      if cancellation.typed.isEmpty {
        Text("or type \(EmergencyFeature.cancellationWord). Any other key keeps the alert on.")
      } else {
        Text("Any other key keeps the alert on.")
      }
      HStack(spacing: 2) {
        Text(
          (0..<CancelTrigger.pressesNeeded).map { $0 < presses ? "x" : "·" }
            .joined(separator: "  ")
        )
        .bold().foreground(.danger)
        Spacer(minLength: 0)
        Text(
          cancellation.isHolding ? " Keep holding …              " : " Hold the mouse here for 2 s "
        )
        .reverse()
        .onHold { store.send(.cancellationHeld($0)) }
      }
      Text("Everyone who was sent it is notified of its end.").foreground(.dim)
    }
    .onKey { press in
      if let character = press.meantCharacter ?? press.text {
        store.send(.cancellationTyped(String(character), isRepeat: press.isRepeat))
        return true
      }
      store.send(.stopButtonTapped)
      // Ctrl-C and the like close the panel and do what they do.
      return press.modifiers.isDisjoint(with: [.control, .alt])
    }
    .command("x", "×5 Cancel the alert") {
      store.send(.cancellationTyped("x", isRepeat: false))
    }
    .command("esc", "Keep it on") { store.send(.stopButtonTapped) }
  }

  /// The seconds left in digits that can be read from across a room, what happens then, and the
  /// keys.
  private func countdown(_ size: Size) -> some View {
    VStack(alignment: .center, spacing: 0) {
      Spacer()
      BigText(
        "\(seconds)", rows: size.rows >= 14 ? 7 : size.rows >= 11 ? 5 : size.rows >= 8 ? 3 : 1)
      if size.rows >= 12 {
        ProgressBar(
          value: Double(elapsed + 1) / Double(max(1, elapsed + seconds)), role: .alarm
        )
        .frame(maxWidth: 46)
        .omittedWithReducedMotion()
      }
      if size.rows >= 10 { Text("") }
      CountdownText(
        problem: store.armed?.problem.map { "\($0.description)" }, whoIsNotified: whoIsNotified,
        message: store.message.text,
        isStored: store.armed?.isStored == true && size.rows >= 12 && canPromiseSending,
        isAway: snapshot.connection.isAway || store.armed?.reason != nil)
      Spacer()
      ViewThatFits {
        HStack(spacing: 6) { choices }
        VStack(alignment: .leading, spacing: 0) { choices }
      }
      HStack(spacing: 1) {
        keyCap("m")
        Text(canPromiseSending ? "Add a message – the alert is sent anyway" : "Add a message")
          .lineLimit(1)
      }
      .onTap { store.send(.messageButtonTapped) }
    }
    .frame(maxWidth: .max, maxHeight: .max, alignment: .center)
  }

  /// Whether someone will be notified, as far as is known.
  private var canPromiseSending: Bool { !snapshot.hasNoResponders && !snapshot.isNobodyReachable }

  @ViewBuilder private var choices: some View {
    HStack(spacing: 1) {
      keyCap("Enter")
      Text("Send now").bold()
    }
    .onTap { store.send(.sendNowButtonTapped) }
    HStack(spacing: 1) {
      keyCap("Esc")
      Text("Stop").bold()
    }
    .onTap { store.send(.stopButtonTapped) }
  }

  private func keyCap(_ key: String) -> some View { Text(" \(key) ").bold().reverse() }

  /// The alert that is on, person by person. It must be closed explicitly, so that the rest of a
  /// message that was typed too late neither checks in nor cancels anything.
  @ViewBuilder private func raised(_ report: AlertReport) -> some View {
    if report.alert.isActive {
      alarm { size in
        Text(report.bannerText(in: snapshot)).bold()
        let texts = report.alert.messageLines
        ForEach(Array(texts.enumerated()), id: \.offset) {
          Text("“\($0.element)”").lineLimit(1)
        }
        Text("")
        let wait = report.waitText(in: snapshot)
        let rows = size.rows - (wait == nil ? 8 : 10) - max(0, texts.count - 1)
        people(snapshot.outcome(of: report), rows: rows, size)
        if let wait {
          Text("")
          Text(wait).bold()
        }
        Spacer()
        Text("Emergency services: \(snapshot.emergencyNumber)").bold()
        KeyHint(
          "Esc closes this, the alert stays on; then x cancels it · m adds a message", role: nil)
      }
      .command("m", "Message") { store.send(.messageButtonTapped) }
      .command("esc", "Close") { store.send(.stopButtonTapped) }
    } else {
      panel {
        Text("The alert is over.").bold()
        KeyHint("Esc closes this.")
      }
      .command("esc", "Close") { store.send(.stopButtonTapped) }
    }
  }

  /// A line for each person, with the phone number on the right.
  @ViewBuilder private func people(
    _ outcome: AlertOutcome, rows: Int, _ size: Size
  ) -> some View {
    let rows = max(1, rows)
    let count = outcome.peopleCount
    let shown = count > rows ? min(rows - 1, outcome.people.count) : count
    let people = outcome.people.prefix(shown)
    let lines = shown * 2 <= rows ? 2 : 1
    let width = min(size.columns / 3, people.map(\.name.columns).max() ?? 0)
    if count == 0, snapshot.overview == nil { whoIsNotified }
    ForEach(Array(people), id: \.id) { person in
      HStack(alignment: .top, spacing: 1) {
        Text(person.mark).bold().frame(width: 1)
        Text(person.name).bold().frame(width: width, alignment: .leading).lineLimit(1)
        Text("")
        Text(person.text(in: snapshot)).frame(maxWidth: .max, alignment: .leading)
        // In a narrow window only people without a message need to be called.
        if let phone = person.phone, size.columns >= 76 || person.isMissing {
          Text(PhoneNumber.grouped(phone)).layoutPriority(1)
        }
      }
      .lineLimit(lines)
    }
    if count > shown { Text("and \(count - shown) more: see Alerts") }
  }

  private func panel<Content: View>(@ViewBuilder _ content: () -> Content) -> some View {
    Sheet("Emergency alert", width: 56, role: .danger) {
      VStack(alignment: .leading, spacing: 0) { content() }.padding(.horizontal, 1)
    }
  }

  /// A full screen in the alarm colour.
  private func alarm<Content: View>(
    @ViewBuilder _ content: @escaping @MainActor (Size) -> Content
  ) -> some View {
    FullScreenSheet("Emergency alert", rowsAbove: rowsAbove) { size in
      VStack(alignment: .leading, spacing: 0) { content(size) }
        .padding(.vertical, size.rows >= 12 ? 1 : 0)
        .frame(maxWidth: .max, maxHeight: .max, alignment: .topLeading)
    }
  }

  @ViewBuilder private var whoIsNotified: some View {
    if snapshot.connection.isAway {
      Text(
        "The server doesn't answer: nobody may be notified. \(snapshot.callText().capitalizedFirst)."
      )
    } else if snapshot.overview == nil {
      Text("Reading your responders …")
    } else if snapshot.hasNoResponders {
      Text("You have no responders: nobody will be notified. Call \(snapshot.emergencyNumber).")
    } else if let problem = snapshot.failureReason, !snapshot.situation.watch.isMissing {
      Text("Nobody can be notified: \(problem). \(snapshot.callText().capitalizedFirst).")
    } else if snapshot.failureReason == nil, snapshot.isNobodyReachable {
      // Sending is attempted, but nobody should rely on it.
      Text("\(snapshot.unreachableText). \(snapshot.callText().capitalizedFirst).")
    } else {
      let suffix = snapshot.failureReason == nil ? "" : ", once a monitor has started"
      Text(
        store.phase.isCountingDown
          ? "Notifying \(names) when this reaches zero\(suffix)"
          : "An alert notifies \(names)\(suffix).")
    }
  }

  /// Up to three names, or two and the number of the others.
  private var names: String {
    let count = snapshot.responderCount
    let names = snapshot.namedResponders.prefix(count > 3 ? 2 : 3).map(\.name)
    return (count > 3 ? names + ["\(count - names.count) others"] : names).joinedAsList
  }
}

/// What happens when the countdown ends. This is a separate view because inlining it in the
/// countdown crashes the optimiser of Swift 6.3.1 (TempLValueElimination).
private struct CountdownText<Who: View>: View {
  let problem: String?
  let whoIsNotified: Who
  let message: String
  /// Whether the alert is stored; until then only this process knows about it.
  let isStored: Bool
  /// Whether the server that should send it doesn't answer.
  let isAway: Bool

  var body: some View {
    VStack(alignment: .center, spacing: 0) {
      if let problem { Text("It can't be stopped: \(problem)").bold() }
      whoIsNotified.bold()
      if !message.isEmpty { Text("“\(message)”").lineLimit(1) }
      if isStored {
        Text(
          isAway
            ? "It is sent as soon as the server answers, even if this window closes."
            : "It is sent even if this window closes.")
      }
    }
    .multilineTextAlignment(.center)
  }
}

extension Alert {
  /// The last three messages of the alert, one per line.
  fileprivate var messageLines: [Substring] { message.split(separator: "\n").suffix(3) }
}
