import Composable
import Domain
import Terminal

/// Four short screens with one question each, then the first message.
struct OnboardingView: View {
  let store: StoreOf<OnboardingFeature>

  var body: some View {
    if let message = store.scope(
      state: \.firstMessage, action: OnboardingFeature.Action.firstMessageCase)
    {
      SizeReader { size in
        VStack(alignment: .leading, spacing: 0) {
          HStack(spacing: 2) {
            Text("LifeSignal").bold().foreground(.accent)
            Spacer(minLength: 0)
            Text("● ● ● ● ●").foreground(.accent)
          }
          Text("")
          FirstMessageView(store: message).layoutPriority(1)
          Spacer(minLength: 0)
          Text(firstDeadline(message)).foreground(.dim).layoutPriority(1)
        }
        .padding(.horizontal, 3)
        .padding(.vertical, size.rows < 20 ? 0 : 1)
        .frame(maxWidth: 84, maxHeight: 24)
        .border(role: .border)
        .frame(maxWidth: .max, maxHeight: .max, alignment: .center)
      }
      .overlay {
        if let code = message.code, let topic = message.topic {
          TopicCodeView(code: code, topic: topic) { message.send(.codeClosed) }
        } else if let mail = message.scope(
          state: \.$mail, action: FirstMessageFeature.Action.mailCase)
        {
          MailView(store: mail)
        }
      }
    } else {
      steps
    }
  }

  private var steps: some View {
    SizeReader { size in
      VStack(alignment: .leading, spacing: 0) {
        HStack(spacing: 2) {
          Text("LifeSignal").bold().foreground(.accent)
          Spacer(minLength: 0)
          Text(dots).foreground(.accent)
        }
        if size.rows >= 20 { Text("") }
        Text(question).bold()
        Text(explanation).foreground(.dim)
        Text("")
        currentFields(size.rows < 20 ? 3 : 6)
        FormOutcome(form: store.form, savingText: "Creating your account") {
          store.send(.form($0))
        }
        Spacer(minLength: 0)
        Text(promise).foreground(.dim)
      }
      // The smallest window needs every row, and a topic takes up most of a line.
      .padding(.horizontal, size.columns < 70 ? 1 : 3)
      .padding(.vertical, size.rows < 20 ? 0 : 1)
      .frame(maxWidth: 84, maxHeight: 24)
      .border(role: .border)
      .frame(maxWidth: .max, maxHeight: .max, alignment: .center)
    }
    .command(
      "enter", enterTitle, isHidden: store.step == .note
    ) {
      store.send(.continueButtonTapped)
    }
    .command("ctrl+s", "Continue", isHidden: true) { store.send(.continueButtonTapped) }
    .fieldCommands(
      next: store.step == .note ? "Continue" : "Next field", previous: "Previous field"
    ) { store.send(.form($0)) }
    .commandIf(store.step == .responder, "ctrl+o", "Who watches") {
      store.send(.standbyButtonTapped)
    }
    .command("esc", store.created == nil ? "Back" : "Keep as it was", isHidden: !canGoBack) {
      store.send(.backButtonTapped)
    }
    .overlay {
      if store.isConfirmingNoResponder { noResponder }
    }
  }

  /// The title of Enter, which leaves the step only from the last field.
  private var enterTitle: String {
    guard store.form.focus == store.form.shown.last else { return "Next field" }
    return store.step == .responder && !hasResponder ? "Finish" : "Continue"
  }

  private var canGoBack: Bool {
    store.step != .person || store.credentials != nil
  }

  private var hasResponder: Bool { store.form.hasResponder(besides: store.topic) }

  private var dots: String {
    (OnboardingFeature.Step.allCases.map { $0 <= store.step ? "●" : "○" } + ["○"])
      .joined(separator: " ")
  }

  private var question: String {
    switch store.step {
    case .person: "Who are you?"
    case .note: "What should your responders know in an emergency?"
    case .interval: "How often will you check in?"
    case .responder: "Who should be notified if you don't check in?"
    }
  }

  private var explanation: String {
    switch store.step {
    case .person:
      "Your responders see this in their messages: who to call and where to go. Step 4 saves it."
    case .note:
      "Medicines, allergies. Optional. Say how to get in under Profile: it only shows in an alert."
    case .interval:
      "Once per interval, at any time you like: 24h is once a day. A reminder comes before."
    case .responder:
      "Someone who would look after you. ntfy is a free phone app; an e-mail address works as well."
    }
  }

  @ViewBuilder private func currentFields(_ noteRows: Int) -> some View {
    let fields = FormFields(form: store.form) { store.send(.form($0)) }
    switch store.step {
    case .person:
      fields.text(.name, "Name", "Ada Lovelace")
      fields.text(.phone, "Phone", "+44 20 7183 8750, optional")
      fields.text(.address, "Address", "where help must go, optional")
    case .note:
      fields.text(
        .note, "Emergency note", "Penicillin allergy. Insulin in the fridge.", rows: noteRows
      )
      Text("")
      Text("Enter begins a new line. Tab or Ctrl-S continues.").foreground(.accent)
      if let readers = store.host.readersText { Text(readers).foreground(.dim) }
    case .interval:
      fields.text(.interval, "Interval", "24h, 36h, 2d 12h")
      fields.text(.reminder, "Reminder before", "30m, or 2h, 30m")
      if let credentials = store.credentials {
        Text("")
        Text("Reminders go to \(credentials.email).").foreground(.dim)
      } else {
        fields.text(.email, "Reminders to", "your own e-mail, optional")
      }
    case .responder:
      fields.text(.responderName, "Their name", "Grace Hopper")
      fields.kind(
        .responderKind, store.responderKind, address: .responderAddress,
        among: OnboardingFeature.kinds
      ) { store.send(.responderKindChosen($0)) }
      if store.responderKind != .desktop {
        fields.text(
          .responderAddress, store.responderKind.addressTitle,
          store.responderKind.placeholder)
      }
      Text("")
      Text("Nobody watches while \(store.host.name) is off.").foreground(.dim)
      HStack(spacing: 1) {
        Text(store.asksForStandby ? "[x]" : "[ ]")
        Text("Ask me next how to be watched then. Ctrl-O ticks this.").foreground(.dim)
      }
      .onTap { store.send(.standbyButtonTapped) }
    }
  }

  /// The line about the running deadline once the account exists. It promises a message to the
  /// responder only after the test was sent (NOT-3).
  private func firstDeadline(_ message: StoreOf<FirstMessageFeature>) -> String {
    let deadline = "Your deadline is running: check in \(message.user.promiseInWords)."
    guard message.isSent else { return deadline }
    return "\(deadline) If you miss it, \(message.responder) gets \(self.message) 15 minutes later,"
      + " if \(store.host.name) is on."
  }

  /// The line that says what happens when the person finishes.
  private var promise: String {
    guard store.created == nil else {
      return
        "Your account is set up, and your deadline is running. Change everything else under Profile later."
    }
    guard let interval = try? CheckInInterval(parsing: store.form[.interval].text) else {
      return "Your first deadline starts running when you finish."
    }
    let who = (try? ProfileRules.name(store.form[.responderName].text)) ?? "your responder"
    // Announce every message before it is sent (ONB-4).
    let needsMail = store.responderKind == .email && store.host == .thisMachine
    let isChosen = store.step == .responder && hasResponder
    let named =
      !isChosen
      ? ""
      : needsMail
        ? "\(who) gets a message that they are your responder, once mail is set up. "
        : "Enter sends \(who) a message that they are your responder. "
    // Before the responder is named, the channel isn't known.
    return
      "\(named)Your first deadline is \(interval.span.inWords) after you finish. If you miss it, \(who) "
      + (isChosen ? "gets \(message)" : "is notified") + " 15 minutes later, if "
      + (isChosen && needsMail ? "mail is set up and " : "") + "\(store.host.name) is on."
  }

  /// The message that the responder gets, by kind of channel.
  private var message: String {
    switch store.responderKind {
    case .email: "an e-mail"
    case .webhook: "a message by webhook"
    case .ntfy: "a message by ntfy"
    case .desktop: "a notification on this desktop"
    case .service: "a message by a messaging service"
    }
  }

  @ViewBuilder private var noResponder: some View {
    if let inviter = store.inviter {
      store.ask(
        "Start with one responder?",
        "\(inviter) becomes your responder. You can add others later under Responders.",
        no: ("Add someone", .noResponderCancelled), yes: ("Start", .noResponderConfirmed))
    } else {
      store.ask(
        "Start without a responder?",
        "Nobody would be notified if you miss a deadline or raise an alert. You can add someone"
          + " later under Responders.", role: .danger,
        no: ("Add someone", .noResponderCancelled), yes: ("Start alone", .noResponderConfirmed))
    }
  }
}
