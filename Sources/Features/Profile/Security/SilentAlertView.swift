import Composable
import Domain
import Terminal

/// The sheet that tells of a silent alert, to whoever knows the true passphrase.
struct SilentAlertView: View {
  let store: StoreOf<SilentAlertFeature>
  let snapshot: AccountSnapshot

  var body: some View {
    Sheet("Silent alert", width: 64) {
      VStack(alignment: .leading, spacing: 0) {
        switch store.answer {
        case nil: question
        case Optional.some(.none): Text("No silent alert is on.")
        case .on(let alert): found(alert)
        case .ended:
          Text("The silent alert is over. Whoever was told is told so.").foreground(.calm)
        }
        if store.isWorking { Text("Checking …").foreground(.dim) }
      }
      .padding(.horizontal, 1)
    }
    .commandIf(store.answer == nil, "enter", "Look") { store.send(.lookButtonTapped) }
    .commandIf(isOn, "x", "End it") { store.send(.endButtonTapped) }
    .command("esc", "Close") { store.send(.closeButtonTapped) }
  }

  private var isOn: Bool {
    if case .on = store.answer { true } else { false }
  }

  @ViewBuilder private var question: some View {
    Text("A duress passphrase raises an alert that no screen of yours shows. Your passphrase does.")
      .foreground(.dim)
    Text("")
    TextField(
      "Passphrase", input: store.passphrase, isFocused: true, error: store.error?.sentence,
      onEdit: { store.send(.edited($0)) }
    )
    .labelWidth(formLabelWidth)
  }

  @ViewBuilder private func found(_ alert: Alert) -> some View {
    Text(
      "! A silent alert is on since \(snapshot.calendar.describe(alert.raisedAt, now: snapshot.now))."
    )
    .bold().foreground(.danger)
    Text("Your responders are told that you may be forced to say that all is well.")
    Text("")
    Text("End it only when you are safe and alone: x ends it, and they are told so.")
    if let error = store.error { Text("! \(error.sentence)").foreground(.danger) }
  }
}
