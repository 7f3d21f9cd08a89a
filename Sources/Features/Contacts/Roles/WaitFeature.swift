import Clients
import Composable
import Domain
import Terminal

/// Changes when a responder is notified of a missed deadline (ESC-8).
struct WaitFeature: Reducer {
  struct State: ChooserState {
    let contact: Contact
    var position: ListPosition
    var request = Request<Action>()

    /// At once, then the waits, with the present one if it was typed elsewhere.
    let choices: [TimeSpan]

    init(contact: Contact) {
      self.contact = contact
      choices = Set([.zero, contact.waitSpan] + ResponderWait.presets).sorted()
      position = ListPosition(selected: choices.firstIndex(of: contact.waitSpan) ?? 0)
    }
  }

  enum Action: ChooserAction, Codable, Equatable {
    case moved(ListPosition)
    case chooseButtonTapped
    case closeButtonTapped
    case errorDismissed
    case saved(Contact)
    case saveFailed(ClientError)
  }

  @Dependency(\.contactsClient) var contactsClient

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .moved(let position):
      state.position = position
      state.request.failure = nil

    case .chooseButtonTapped:
      guard !state.request.isRunning, state.choices.indices.contains(state.position.selected) else {
        return .none
      }
      let span = state.choices[state.position.selected]
      guard span != state.contact.waitSpan else { return .dismiss() }
      state.request.begin()
      let id = state.contact.id
      return .request(Action.saved, or: Action.saveFailed) { () throws(ClientError) in
        try await contactsClient.setWait(id, span)
      }

    case .closeButtonTapped: return .dismiss()
    case .errorDismissed: state.request.failure = nil
    case .saved: state.request.end()
    case .saveFailed(let error): state.request.fail(error.text)
    }
    return .none
  }
}

/// The sheet of waits, with what they mean.
struct WaitView: View {
  let store: StoreOf<WaitFeature>

  var body: some View {
    ChooserSheet(
      title: "If you miss a deadline, \(store.contact.name) is notified …", width: 56, rows: rows,
      store: store
    ) {
      if store.request.isRunning {
        ProgressView("Saving")
      } else if let failure = store.request.failure {
        ErrorView(
          failure, store, retry: .key { store.send(.chooseButtonTapped) },
          dismiss: .errorDismissed)
      } else {
        Text(
          "Later means: if nobody is responding by then, or after 2 minutes if nobody before them can be"
            + " reached. An alert that you raise goes to everyone at once. They learn of a longer wait."
        )
        .foreground(.dim)
      }
    }
  }

  private var rows: [ChooserRow] {
    store.choices.map { span in
      ChooserRow(
        text: span == .zero ? "at once" : "\(span.inWords) later",
        isCurrent: span == store.contact.waitSpan)
    }
  }
}

extension WaitFeature: SheetFeature {
  static let element = pathElement { WaitFeature() }

  func step(after action: Action, in _: State, _: AccountSnapshot) -> SheetStep {
    if case .saved = action { .closing } else { .none }
  }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    WaitView(store: store)
  }
}

extension WaitFeature.State: SheetState {}
