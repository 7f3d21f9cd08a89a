import Clients
import Composable
import Domain
import Terminal

/// Checks for a silent alert, which no other screen shows, and ends it. This needs the real
/// passphrase; with the duress passphrase, it always says that none is on (CHK-3).
struct SilentAlertFeature: Reducer {
  struct State: Equatable, Sendable {
    var passphrase = TextInput.secret
    var request = Request<Action>()
    var answer: Answer?
  }

  enum Answer: Equatable, Sendable {
    case none
    case on(Alert)
    case ended
  }

  enum Action: Codable, Equatable, Sendable {
    case edited(TextEdit)
    case lookButtonTapped
    case found(Alert?)
    case endButtonTapped
    case ended
    case failed(ClientError)
    case errorDismissed
    case closeButtonTapped
  }

  @Dependency(\.authClient) var authClient
  @Dependency(\.dateClient) var dateClient

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .edited(let edit):
      guard !state.request.isRunning, state.answer == nil else { return .none }
      state.passphrase.apply(edit)
      state.request.failure = nil

    case .lookButtonTapped:
      guard !state.request.isRunning, state.answer == nil, !state.passphrase.isEmpty else {
        return .none
      }
      state.request.begin()
      return .request(Action.found, or: Action.failed) {
        [passphrase = state.passphrase.secret] () throws(ClientError) in
        try await authClient.$silentAlert(typing: passphrase)
      }

    case .found(let alert):
      state.request.end()
      state.answer = alert.map { .on($0) } ?? Answer.none

    case .endButtonTapped:
      guard !state.request.isRunning, case .on = state.answer else { return .none }
      state.request.begin()
      return .request(.ended, or: Action.failed) {
        [passphrase = state.passphrase.secret] () throws(ClientError) in
        try await authClient.$endSilentAlert(typing: passphrase)
      }

    case .ended:
      state.request.end()
      state.answer = .ended

    case .failed(let error):
      if state.answer == nil { state.passphrase = .secret }
      state.request.fail(error.text(dateClient))

    case .errorDismissed: state.request.failure = nil
    case .closeButtonTapped: return .dismiss()
    }
    return .none
  }
}

/// The sheet that shows a silent alert to the person who knows the real passphrase.
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
          Text("The silent alert is over. Everyone who was sent it is notified.").foreground(.calm)
        }
        RequestView(
          store.request, store, progress: "Checking", retry: .other(isOn ? "x" : "Enter"),
          dismiss: .errorDismissed)
      }
      .padding(.horizontal, 1)
    }
    .commandIf(store.answer == nil, "enter", "Check") { store.send(.lookButtonTapped) }
    .commandIf(isOn, "x", "End it") { store.send(.endButtonTapped) }
    .command("esc", "Close") { store.send(.closeButtonTapped) }
  }

  private var isOn: Bool {
    if case .on = store.answer { true } else { false }
  }

  @ViewBuilder private var question: some View {
    Text(
      "A duress passphrase raises an alert that no screen shows. Type your own passphrase to see it here."
    )
    .foreground(.dim)
    Text("")
    TextField(
      "Passphrase", input: store.passphrase, isFocused: true, onEdit: { store.send(.edited($0)) }
    )
    .labelWidth(formLabelWidth)
  }

  @ViewBuilder private func found(_ alert: Alert) -> some View {
    Text(
      "! A silent alert has been on since \(snapshot.calendar.describe(alert.raisedAt, now: snapshot.now))."
    )
    .bold().foreground(.danger)
    Text("Your responders are notified that you may be forced to say that all is well.")
    Text("")
    Text("End it only when you are safe and alone: x ends it, and they are notified.")
  }
}

extension SilentAlertFeature: SheetFeature {
  static let element = pathElement { SilentAlertFeature() }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    SilentAlertView(store: store, snapshot: snapshot)
  }
}

extension SilentAlertFeature.State: SheetState {}
