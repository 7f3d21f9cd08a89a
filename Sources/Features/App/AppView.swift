import Composable
import Domain
import Terminal

/// The whole screen.
struct AppView: View {
  let store: StoreOf<AppFeature>

  init(store: StoreOf<AppFeature>) { self.store = store }

  var body: some View {
    SizeReader { size in
      Group {
        if size.columns < Self.smallest.columns || size.rows < Self.smallest.rows {
          small(size)
        } else {
          screen(size.columns)
        }
      }
      .overlay {
        if let text = store.copiedText, store.state.isEmergencyIdle {
          CopiedText(text: text.value) { store.send(.copiedTextClosed) }
        }
      }
      .overlay {
        if store.isConfirmingQuit { quitDialog }
      }
      .overlay {
        // An alert being raised covers everything else (ALT-1).
        if let palette = store.palette, store.state.isEmergencyIdle {
          CommandPalette(
            query: palette.query, position: palette.position, otherCommands: otherCommands,
            // An alert needs five presses of the key; one choice in the palette must not count.
            omitting: ["Commands", EmergencyFeature.keyTitle],
            recent: store.terminalSettings.recentCommands,
            onEdit: { store.send(.paletteEdited($0)) }, onMove: { store.send(.paletteMoved($0)) },
            onClose: { store.send(.paletteClosed) },
            onUse: { store.send(.paletteUsed($0)) })
        }
      }
    }
    // A key of another layout doesn't quit: no key must do that more easily than this one.
    .command("q", "Quit", scope: isShowingAlert ? .global : .local, needsExactKey: true) {
      store.send(.quitButtonTapped)
    }
    .command(
      "ctrl+c", "Quit",
      isHidden: store.isConfirmingQuit || store.onboarding == nil && store.authentication == nil,
      scope: .global
    ) {
      store.send(.quitButtonTapped)
    }
    .commandIf(
      !store.state.isRaisingAlert && !store.isShowingKeys, "?", "Keys", fullTitle: "Show all keys",
      scope: .global,
      keywords: ["help"]
    ) {
      store.send(.keysButtonTapped)
    }
    .command(":", "Commands") { store.send(.paletteButtonTapped) }
    .commands(above: store)
  }

  /// Whether an active alert's panel is on top, from which the person can quit too.
  private var isShowingAlert: Bool {
    if case .raised = store.state.currentEmergency?.phase { true } else { false }
  }

  /// The commands of other tabs and of the shell (PAL-1).
  private var otherCommands: [PaletteCommand] {
    guard let main = store.scope(state: \.main, action: AppFeature.Action.mainCase) else {
      return []
    }
    return main.commandsOfTabs
      + ShellCommand.all.filter { $0.isOfAnyHost || main.snapshot.host == .thisMachine }.map {
        shell in
        PaletteCommand(
          Command(key: nil, title: shell.title, keywords: shell.keywords) {
            store.send(.shellCommandChosen(shell.line))
          }, in: "in a shell")
      }
  }

  /// The screen of a window that is too small, in which the emergency key still works.
  @ViewBuilder private func small(_ size: Size) -> some View {
    if let main = store.scope(state: \.main, action: AppFeature.Action.mainCase) {
      TooSmallView(size: size, snapshot: main.snapshot)
        .commandIf(main.snapshot.alerts.raisedByHand != nil, "x", "Cancel alert") {
          main.send(.emergency(.cancelButtonTapped))
        }
        .emergency(main.emergencyStore, main.snapshot, rowsAbove: 0)
    } else {
      TooSmallView(size: size, snapshot: nil).emergencyWithoutAccount(store, rowsAbove: 0)
    }
  }

  /// The smallest usable window. Below it, a text asks for more space.
  static let smallest = Size(columns: 60, rows: 18)

  @ViewBuilder private func screen(_ columns: Int) -> some View {
    VStack(spacing: 0) {
      if let failure = store.failure {
        FailureView(
          error: failure, isOfServer: store.connection != .local,
          unsent: store.unread?.unsentAlertText
        ) {
          store.send(.retryButtonTapped)
        }
        .emergencyWithoutAccount(store)
      } else if let onboarding = store.scope(
        state: \.onboarding, action: AppFeature.Action.onboardingCase)
      {
        let view = OnboardingView(store: onboarding)
        // A person who already has an account can raise an alert during onboarding.
        if let main = store.scope(state: \.main, action: AppFeature.Action.mainCase) {
          view.emergency(main.emergencyStore, main.snapshot, rowsAbove: 0)
        } else {
          view
        }
      } else if let authentication = store.scope(
        state: \.authentication, action: AppFeature.Action.authenticationCase)
      {
        AuthenticationView(store: authentication)
      } else if let main = store.scope(state: \.main, action: AppFeature.Action.mainCase) {
        MainTabView(store: main, columns: columns)
      } else {
        // What is typed now reaches the account once it is open.
        ProgressView("Opening")
          .frame(maxWidth: .max, maxHeight: .max, alignment: .center)
          .holdingKeys(while: true)
      }
      HelpBar(explaining: "!")
    }
    .overlay {
      // A toast must not cover the key that stops an alert or the list of people notified.
      if let toast = store.toast, store.state.isEmergencyIdle {
        Toast(toast.text, role: toast.tone.role)
      }
    }
    .overlay {
      if store.isShowingKeys, !store.state.isRaisingAlert {
        Sheet("Keys", width: nil) { KeySheet() }
          .command("esc", "Close") { store.send(.keysClosed) }
      }
    }
  }

  /// What quitting means for the active alert, or `nil` if none is on.
  private var alertText: String? {
    guard store.state.isAlertOn, let snapshot = store.main?.snapshot else { return nil }
    let text =
      if snapshot.situation.watch.isMissing {
        snapshot.host.serverName.map {
          "No monitor is running on \($0): nobody is notified of it. "
            + "\(snapshot.callText().capitalizedFirst)."
        } ?? "No monitor is running: nobody is notified of it. Stay, and press w to start one."
      } else if snapshot.isNobodyReachable {
        "\(snapshot.unreachableText). \(snapshot.callText().capitalizedFirst)."
      } else if snapshot.situation.watch.status == nil {
        "Leaving doesn't end it. \(cancelText)"
      } else {
        "Leaving doesn't end it, and the monitor keeps notifying your responders. \(cancelText)"
      }
    return store.state.hasUnsavedChanges
      ? "\(text)\n\nWhat you have typed in this form will be lost." : text
  }

  /// How to cancel the active alert from here.
  private var cancelText: String {
    (store.state.isEmergencyIdle ? "x cancels it" : "Esc twice, then x cancels it")
      + ", or later: lifesignal alert off"
  }

  /// Sends an action to the emergency feature in use.
  private func emergency(_ action: EmergencyFeature.Action) {
    store.send(store.emergency == nil ? .main(.emergency(action)) : .emergency(action))
  }

  private var quitDialog: some View {
    let emergency = store.state.currentEmergency
    let secondsLeft =
      emergency?.phase.isCountingDown == true ? emergency?.armed?.secondsLeft : nil
    // Esc stops the countdown here, as it does in the panel beneath.
    let stay =
      emergency?.phase != .raising
      ? DialogButton("Stay", key: "esc") { store.send(.quitCancelled) }
      : DialogButton("Stop", key: "esc") {
        store.send(.quitCancelled)
        self.emergency(.stopButtonTapped)
      }
    return if emergency?.isQueued == true, store.main?.snapshot.host.serverName != nil {
      Dialog(
        title: "Your alert is NOT SENT yet",
        message: "It is sent later, even if you leave. Call someone.",
        role: .danger,
        buttons: [
          DialogButton("Try now", key: "enter", role: .danger) {
            store.send(.sendAlertButtonTapped)
          },
          stay, DialogButton("Leave", key: "y") { store.send(.quitConfirmed) },
        ])
    } else if store.state.mayAlertBeArmed {
      Dialog(
        title: secondsLeft.map { "Your alert is sent in \(TimeSpan.seconds($0).inWords)" }
          ?? (store.state.isAlertArmed ? "Your alert is being sent" : "Was your alert sent?"),
        message: store.state.isAlertArmed
          ? "It is sent even if you leave. Only Stop prevents it."
          : "LifeSignal doesn't know yet. Leaving doesn't stop it.",
        role: .danger,
        buttons: [
          DialogButton("Send now", key: "enter", role: .danger) {
            store.send(.sendAlertButtonTapped)
          },
          stay, DialogButton("Leave", key: "y") { store.send(.quitConfirmed) },
        ])
    } else if store.state.isRaisingAlert {
      Dialog(
        title: "Alert not sent yet",
        message: "Nobody has been notified that you need help. If you quit now, nobody will be.",
        role: .danger,
        buttons: [
          DialogButton("Send now", key: "enter", role: .danger) {
            store.send(.sendAlertButtonTapped)
          },
          stay,
          DialogButton("Quit, notify nobody", key: "y") { store.send(.quitConfirmed) },
        ])
    } else if let alertText {
      Dialog(
        title: "Your alert stays on", message: alertText, role: .danger,
        buttons: [stay, DialogButton("Leave", key: "y") { store.send(.quitConfirmed) }])
    } else if let refused = store.main?.snapshot.outbox.refused.first,
      !store.state.hasUnsavedChanges
    {
      Dialog(
        title: "You are not checked in",
        message: store.main?.snapshot.refusalText(refused) ?? "", role: .danger,
        buttons: [stay, DialogButton("Leave", key: "y") { store.send(.quitConfirmed) }])
    } else {
      Dialog(
        title: "Leave without saving?",
        message: "What you have typed in this form will be lost.",
        buttons: [
          stay, DialogButton("Leave", key: "y", role: .danger) { store.send(.quitConfirmed) },
        ])
    }
  }
}

/// What matters in a window that is too small for the rest: the status, the time left, and how to
/// raise an alert. The first lines matter most.
struct TooSmallView: View {
  let size: Size
  let snapshot: AccountSnapshot?

  var body: some View {
    VStack(alignment: .center, spacing: 0) {
      if let snapshot {
        status(snapshot)
        Text(timeLeft(snapshot)).bold()
        if snapshot.alerts.raisedByHand != nil {
          Text("! shows who is notified").lineLimit(1)
          Text("x asks before it cancels").lineLimit(1)
        } else {
          Text("! five times raises an alert").lineLimit(1)
        }
        if snapshot.unreachableSince == nil, snapshot.situation.watch.isMissing {
          Text("○ No monitor is running").foreground(.danger).lineLimit(1)
        }
      }
      if size.rows >= 8 { Text("") }
      if size.rows >= 6 {
        Text("The rest needs 60 × 18; this is \(size.columns) × \(size.rows).").foreground(.dim)
          .multilineTextAlignment(.center)
      }
    }
    .frame(maxWidth: .max, maxHeight: .max, alignment: .center)
  }

  @ViewBuilder private func status(_ snapshot: AccountSnapshot) -> some View {
    if snapshot.isNobodyReachable, [.ok, .dueSoon].contains(snapshot.status) {
      Text("! Nobody would be notified").bold().foreground(.danger)
    } else if snapshot.isStatusOutOfDate, [.ok, .dueSoon].contains(snapshot.status) {
      Text("◐ Not up to date").bold().foreground(.warning)
    } else {
      Text("\(snapshot.status.mark) \(snapshot.status.title)").bold()
        .foreground(snapshot.status.role)
    }
  }

  private func timeLeft(_ snapshot: AccountSnapshot) -> String {
    let deadline = snapshot.user.deadline
    if let outing = snapshot.user.outing, snapshot.now >= outing.until {
      return "not back for \(outing.distanceText(at: snapshot.now))"
    }
    let time = TimeSpan(seconds: deadline.secondsToNext(at: snapshot.now)).countdownDescription
    if deadline.isPaused(at: snapshot.now) { return "paused for \(time)" }
    return snapshot.now >= deadline.date ? "overdue by \(time)" : "\(time) left"
  }
}

/// A text that was copied, whole and without borders, so that it can be selected with the mouse in
/// a terminal that doesn't take it (OSC 52).
private struct CopiedText: View {
  let text: String
  let close: @MainActor () -> Void

  var body: some View {
    FullScreenText {
      VStack(alignment: .leading, spacing: 0) {
        Text("This was copied, if your terminal allows it.").bold()
        KeyHint("If not, select it here: hold Shift and drag the mouse. Esc closes this.")
        Text("")
        Text(text)
      }
    }
    .command("esc", "Close", action: close)
    .command("enter", "Close", isHidden: true, action: close)
  }
}

/// The full-screen error when the account can't be loaded: what happened and what to do.
struct FailureView: View {
  let error: ErrorText
  /// Whether the accounts are on a server.
  let isOfServer: Bool
  /// Says that an alert waits on this device.
  var unsent: String?
  let retry: @MainActor () -> Void

  var body: some View {
    VStack(alignment: .leading, spacing: 1) {
      if let unsent { Text("! \(unsent)").bold().foreground(.danger) }
      Text("! \(error.description)").bold().foreground(.danger)
      if let recovery = error.recovery { Text(recovery) }
      Text(
        isOfServer
          ? "Who watches you is unknown until then. It tries again by itself."
          : "This screen can't watch anyone until this is repaired. It tries again by itself."
      )
      .foreground(.warning)
      Text("To try to raise an alert, press ! five times. Call for help yourself, too.")
      Text(error.code).foreground(.dim)
    }
    .padding(2)
    .border(
      title: isOfServer ? "LifeSignal cannot reach its server" : "LifeSignal cannot read its store",
      role: .danger
    )
    .frame(maxWidth: 76)
    .frame(maxWidth: .max, maxHeight: .max, alignment: .center)
    .command("r", "Try again") { retry() }
  }
}

extension ToastMessage.Tone {
  var role: ThemeRole {
    switch self {
    case .calm: .calm
    case .warning: .warning
    case .danger: .danger
    }
  }
}

/// A shell command that the palette lists.
private struct ShellCommand {
  let title: String
  let keywords: [String]
  let line: String
  /// Whether it also works for an account on a server.
  var isOfAnyHost = true

  static let all = [
    ShellCommand(
      title: "Read about the command line", keywords: ["help", "manual"], line: "lifesignal help"),
    ShellCommand(title: "Export your data", keywords: ["archive"], line: "lifesignal export"),
    ShellCommand(
      title: "Import an export", keywords: ["archive"], line: "lifesignal import FILE"),
    ShellCommand(
      title: "Restore a backup", keywords: ["database"], line: "lifesignal restore",
      isOfAnyHost: false),
    ShellCommand(
      title: "Run the monitor as a service", keywords: ["install", "systemd"],
      line: "lifesignal monitor install", isOfAnyHost: false),
    ShellCommand(
      title: "Check that everything works", keywords: ["doctor", "diagnose"],
      line: "lifesignal doctor"),
  ]
}

extension View {
  /// The palette's keys, which work above sheets too unless leaving the sheet would lose changes.
  fileprivate func commands(above store: StoreOf<AppFeature>) -> some View {
    let isFree =
      store.main != nil && !store.state.hasUnsavedChanges && store.state.isEmergencyIdle
    let scope = isFree ? Command.Scope.global : .local
    return command(":", "Commands", isHidden: true, scope: scope) {
      store.send(.paletteButtonTapped)
    }
    .command("ctrl+p", "Commands", isHidden: true, scope: scope) {
      store.send(.paletteButtonTapped)
    }
  }
}
