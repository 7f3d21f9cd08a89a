import Composable
import Domain
import Terminal

/// The sheet that asks for the passphrase and says what for.
struct GateView: View {
  let store: StoreOf<GateFeature>

  var body: some View {
    Sheet("Passphrase", width: 56) {
      VStack(alignment: .leading, spacing: 0) {
        Text("Your passphrase is needed \(purpose).")
        Text("")
        SecureField(
          "Passphrase", input: store.passphrase, isFocused: true,
          error: store.error?.sentence,
          onEdit: { store.send(.edited($0)) }
        )
        .labelWidth(formLabelWidth)
        if store.isChecking { Text("Checking …").foreground(.dim) }
      }
      .padding(.horizontal, 1)
    }
    .command("enter", verb) { store.send(.sendButtonTapped) }
    .command("esc", "Close") { store.send(.closeButtonTapped) }
  }

  private var purpose: String {
    switch store.purpose {
    case .checkIn: "to check in"
    case .cancelAlert: "to cancel the alert; it is still on"
    case .answerPings: "to answer, which is a check-in"
    case .changeGate(nil): "to remove the passphrase gate"
    case .changeGate: "to change the passphrase gate"
    case .showSecret: "to show the secret"
    }
  }

  private var verb: String {
    switch store.purpose {
    case .checkIn: "Check in"
    case .cancelAlert: "Cancel the alert"
    case .answerPings: "Answer"
    case .changeGate(nil): "Remove the gate"
    case .changeGate: "Change the gate"
    case .showSecret: "Show the secret"
    }
  }
}
