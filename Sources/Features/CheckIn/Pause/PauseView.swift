import Composable
import Domain
import Terminal

/// The sheet of presets and free entry, and the questions before a pause begins or ends.
struct PauseView: View {
  let store: StoreOf<PauseFeature>

  var body: some View {
    switch store.step {
    case .choosing: choice
    case .confirming: question("Pause?", confirmation, confirm: "Pause")
    case .resuming:
      question("Paused", resumption, confirm: "Resume")
        .command("e", "Another end", isHidden: store.state.hasGate) {
          store.send(.changeButtonTapped)
        }
    }
  }

  private var choice: some View {
    Sheet("Pause for …", width: 48) {
      VStack(alignment: .leading, spacing: 0) {
        List(
          rows, position: store.position, isFocused: true,
          onMove: { store.send(.moved($0)) }, onOpen: { _ in store.send(.chooseButtonTapped) }
        ) { row, _ in
          Text(row)
        }
        .frame(height: rows.count)
        TextField(
          "Until", input: store.customText, isFocused: store.state.isCustom,
          placeholder: "36h, 2d 12h, 2026-12-24 18:00", error: store.error?.errorDescription,
          onFocus: { store.send(.moved(ListPosition(selected: Pause.presets.count))) },
          onEdit: { store.send(.customEdited($0)) })
      }
      .padding(.horizontal, 1)
    }
    .command("enter", "Choose") { store.send(.chooseButtonTapped) }
    .command("esc", "Close") { store.send(.closeButtonTapped) }
    .with(digits)
  }

  /// A number that is typed while a preset is chosen begins another pause.
  private var digits: [Command] {
    "0123456789".map { digit in
      Command(key: KeyPress(.character(digit)), title: "Another pause", isHidden: true) {
        store.send(.customEdited(.insert(String(digit))))
      }
    }
  }

  private var rows: [String] {
    Pause.presets.map(\.exactDescription) + ["another span, or until a date"]
  }

  private func question(_ title: String, _ text: String, confirm: String) -> some View {
    Sheet(title, width: 58) {
      VStack(alignment: .leading, spacing: 1) {
        Text(text)
        if store.state.hasGate {
          TextField(
            "Passphrase", input: store.passphrase, isFocused: true,
            onEdit: { store.send(.passphraseEdited($0)) })
        }
        if let failure = store.failure { FailureText(failure) }
        HStack(spacing: 1) {
          Spacer(minLength: 0)
          Button("Back", key: "esc") { leave() }
          if store.step == .resuming, !store.state.hasGate {
            Button("Another end", key: "e") { store.send(.changeButtonTapped) }
          }
          Button(store.isSaving ? "One moment …" : confirm, key: "enter", role: .accent) {
            store.send(.confirmButtonTapped)
          }
          Spacer(minLength: 0)
        }
      }
      .padding(.horizontal, 1)
    }
    .command("enter", confirm) { store.send(.confirmButtonTapped) }
    .command("esc", "Back") { leave() }
  }

  private func leave() {
    store.send(store.step == .resuming ? .closeButtonTapped : .backButtonTapped)
  }

  private var confirmation: String {
    guard let deadline = store.state.proposedDeadline else { return "" }
    let end = store.calendar.describe(deadline.start, now: store.now)
    let first = store.calendar.describe(deadline.date, now: store.now)
    let reminder =
      store.user.profile.email == nil
      ? "" : " You are reminded before it ends."
    return "Until \(end) nobody expects a check-in, and nobody is told when there is none."
      + "\(reminder) Your first deadline after it is \(first).\n\n"
      + "You can raise an alert at any time."
  }

  private var resumption: String {
    let deadline = store.user.deadline
    let end = store.calendar.describe(deadline.start, now: store.now)
    let next = store.calendar.describe(store.now + store.user.interval.span, now: store.now)
    return "You are paused until \(end).\n\n"
      + "Resuming ends the pause by a check-in; your next deadline would be \(next)."
  }
}
