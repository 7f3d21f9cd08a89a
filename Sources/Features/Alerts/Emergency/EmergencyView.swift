import Composable
import Domain
import Terminal

/// The panel over everything while an alert is being raised or cancelled (SCREENS.md, *Alert being
/// raised*).
struct EmergencyView: View {
  let store: StoreOf<EmergencyFeature>
  let snapshot: AccountSnapshot

  @ViewBuilder var body: some View {
    if let gate = store.scope(state: \.$gate, action: EmergencyFeature.Action.gateCase) {
      GateView(store: gate)
    }
    current
  }

  @ViewBuilder private var current: some View {
    switch store.phase {
    case .idle:
      if store.trigger.presses > 0 { pressing }
    case .confirming:
      panel {
        whoIsTold
        TextField(
          "Type \(EmergencyFeature.confirmationWord)", input: store.confirmation, isFocused: true,
          onEdit: { store.send(.confirmationEdited($0)) })
        Text("Enter begins the countdown · Esc stops").foreground(.dim)
      }
      .command("enter", "Raise the alert") { store.send(.confirmationSubmitted) }
      .command("esc", "Stop") { store.send(.stopButtonTapped) }
    case .raising:
      panel {
        Text("Sends in \(seconds) s").bold().foreground(.danger)
        ProgressBar(
          value: Double(elapsed + 1) / Double(max(1, elapsed + seconds)), role: .danger
        )
        .omittedWithReducedMotion()
        if !store.message.isEmpty { Text("“\(store.message.text)”").lineLimit(1) }
        if let problem = store.armed?.problem {
          Text("It can't be stopped: \(problem.description)").foreground(.danger)
        }
        whoIsTold
        // Said as soon as it is true: until then only this program knows of the alert.
        Text(store.armed?.isStored == true ? "It is sent even if this window closes." : "")
          .foreground(.dim)
        Text("Enter sends now · Esc stops · m adds a message").foreground(.dim)
      }
      .command("enter", "Send now") { store.send(.sendNowButtonTapped) }
      .command("esc", "Stop") { store.send(.stopButtonTapped) }
      .command("m", "Message") { store.send(.messageButtonTapped) }
    case .writingMessage:
      panel {
        messageField
        Text("Sends in \(seconds) s · Enter sends now").bold().foreground(.danger)
        Text("Esc returns to the countdown and keeps the text").foreground(.dim)
      }
      .command("enter", "Send now") { store.send(.sendNowButtonTapped) }
      .command("esc", "Back") { store.send(.messageClosed) }
    case .writingMore(let alert):
      panel {
        Text("ALERT ON since \(snapshot.calendar.time(of: alert.raisedAt).clock)")
          .bold().foreground(.danger)
        if !alert.message.isEmpty { Text("“\(alert.message)”").lineLimit(1) }
        messageField
        if let problem = store.state.messageProblem {
          Text("Not sent: \(problem.description)").foreground(.danger)
        }
        Text("Enter sends this as a second message").foreground(.dim)
      }
      .command("enter", "Send message") { store.send(.sendNowButtonTapped) }
      .command("esc", "Back") { store.send(.messageClosed) }
    case .stopping: panel { Text("Stopping …").bold() }
    case .storing:
      panel {
        if store.state.isQueued {
          Text("The alert waits for a monitor to send it.").bold().foreground(.danger)
          Text("The store can't be written. If nobody answers, call \(emergencyNumber).")
          Text("Trying again every 2 s · Esc closes; it is sent all the same").foreground(.dim)
        } else {
          Text("Raising the alert …").bold().foreground(.danger)
        }
      }
      .command("esc", "Close", isHidden: true) { store.send(.stopButtonTapped) }
    case .raised(let alert):
      raised(snapshot.alerts.first { $0.id == alert.id } ?? AlertReport(alert: alert))
    case .failed(let error):
      panel {
        Text("NOT SENT – call \(emergencyNumber)")
          .bold().foreground(.danger)
        ForEach(Array(phones.prefix(4)), id: \.id) {
          Text("\($0.name)  \(PhoneNumber.grouped($0.phone ?? ""))").bold()
        }
        Text(error.description)
        Text("Trying again every 2 s · Enter now · Esc gives up").foreground(.dim)
      }
      .command("enter", "Try now") { store.send(.sendNowButtonTapped) }
      .command("esc", "Give up") { store.send(.stopButtonTapped) }
    case .cancelling(let seconds):
      panel {
        Text("Cancelling the alert in \(seconds) …").bold()
        Text("Whoever was told hears that it is over.")
        Text("Wait to cancel it · Esc keeps the alert on").foreground(.dim)
      }
      .command("esc", "Keep the alert on") { store.send(.stopButtonTapped) }
    case .storingCancellation: panel { Text("Cancelling the alert …") }
    case .cancellationFailed(let error):
      panel {
        Text("The alert is still on.").bold().foreground(.danger)
        Text(error.description)
        Text("x tries again · Esc closes").foreground(.dim)
      }
      .command("x", "Try again") { store.send(.cancelButtonTapped) }
      .command("esc", "Close") { store.send(.stopButtonTapped) }
    }
  }

  private var seconds: Int { store.armed?.secondsLeft ?? AlertTrigger.countdown }
  private var elapsed: Int { store.armed?.elapsed ?? 0 }
  private var emergencyNumber: String {
    EmergencyNumber.of(phone: snapshot.user.profile.phone)
  }
  private var phones: [Contact] { snapshot.firstResponders.filter { $0.phone != nil } }

  private var messageField: some View {
    TextField(
      "Message", input: store.message, isFocused: true,
      placeholder: "what has happened, where you are",
      onEdit: { store.send(.messageEdited($0)) })
  }

  /// While `!` is pressed: nothing beneath is blocked, so that a stray key changes nothing.
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
        whoIsTold
        Text("Wait two seconds and nothing happens").foreground(.dim)
      }
      .padding(.horizontal, 2)
      .frame(width: 52)
      .border(title: "Emergency alert", role: .danger)
    }
  }

  /// What is known of the alert that is on: it has to be closed, so that the rest of a message that
  /// was typed too late neither checks in nor cancels anything.
  private func raised(_ report: AlertReport) -> some View {
    let since = snapshot.calendar.time(of: report.alert.raisedAt).clock
    return panel {
      if report.alert.isActive {
        Text("ALERT ON since \(since)").bold().foreground(.danger)
      } else {
        Text("The alert is over.").bold()
      }
      if !report.alert.message.isEmpty { Text("“\(report.alert.message)”").lineLimit(1) }
      ForEach(report.alert.acknowledgements, id: \.responder) {
        Text("\($0.name) is responding.").bold().foreground(.calm)
      }
      Text("")
      let messages = report.messages
      // What to do comes first: the messages may be more than the window has room for.
      if messages.isEmpty {
        whoIsTold
      } else if !report.isToldToSomebody, report.alert.acknowledgements.isEmpty,
        let fault = fault(of: messages)
      {
        Text("\(fault) Call for help yourself.").bold().foreground(.danger)
      }
      ForEach(Array(messages.prefix(4)), id: \.id) {
        DeliveryLine(delivery: $0, snapshot: snapshot, showsStage: false)
      }
      if messages.count > 4 { Text("and \(messages.count - 4) more: see Alerts").foreground(.dim) }
      Text("")
      Text(
        report.alert.isActive
          ? "Esc closes this; the alert stays on. m adds a message." : "Esc closes this."
      )
      .foreground(.dim)
    }
    .commandIf(report.alert.isActive, "m", "Message") { store.send(.messageButtonTapped) }
    .command("esc", "Close") { store.send(.stopButtonTapped) }
  }

  private func panel<Content: View>(@ViewBuilder _ content: () -> Content) -> some View {
    Sheet("Emergency alert", width: 56, role: .danger) {
      VStack(alignment: .leading, spacing: 0) { content() }.padding(.horizontal, 1)
    }
  }

  /// Why nobody has been told though messages are there; `nil` while the first attempt goes on.
  private func fault(of messages: [DeliveryReport]) -> String? {
    if let failureReason = snapshot.failureReason { return "Nobody can be told: \(failureReason)." }
    return messages.contains { $0.state == .pending && $0.error == nil }
      ? nil : "Nobody has been told."
  }

  @ViewBuilder private var whoIsTold: some View {
    let count = snapshot.responderCount
    if snapshot.overview == nil {
      Text("Reading your responders …").foreground(.dim)
    } else if snapshot.hasNobodyToTell {
      Text("You have no responders: nobody will be told.").foreground(.danger)
    } else if let problem = snapshot.failureReason, snapshot.watch?.monitors != 0 {
      Text("Nobody can be told: \(problem). Call for help yourself.").foreground(.danger)
    } else {
      let only = count == 1 ? snapshot.firstResponders.first { _ in true } : nil
      let who = only?.name ?? "\(count) responders"
      let how = snapshot.failureReason == nil ? "at once" : "as soon as a monitor has started"
      Text("\(who) will be told \(how).")
    }
  }
}
