import Composable
import Domain
import Terminal

/// The sheet that asks for the passphrase and says what for.
struct GateView: View {
  let store: StoreOf<GateFeature>

  var body: some View {
    Sheet("Passphrase", width: 56) {
      VStack(alignment: .leading, spacing: 0) {
        Text("Your passphrase is needed to \(store.purpose.operation.displayText).")
        Text("")
        TextField(
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

extension GateFeature.Purpose {
  fileprivate var operation: GatedOperation {
    switch self {
    case .checkIn: .checkIn
    case .cancelAlert: .cancelAlert
    case .answerPings: .answerPings
    case .changeGate: .changeGate
    case .showSecret: .showSecret
    }
  }
}
