import Composable

/// An editor for one note, which a parent presents.
struct NoteEditor: Reducer {
  struct State: Equatable, Sendable {
    var text = ""
    var failure: NotesClient.Failure?
    @Presents var alert: AlertState<Action.Alert>?
  }

  enum Action: BindableAction, Equatable, Sendable {
    case binding(BindingAction<State>)
    case saveButtonTapped
    case saved(String)
    case saveFailed(NotesClient.Failure)
    case cancelButtonTapped
    case alert(PresentationAction<Alert>)

    enum Alert: Equatable, Sendable { case discardConfirmed }

    static let bindingCase = CasePath(Self.binding) {
      if case .binding(let change) = $0 { change } else { nil }
    }
    static let alertCase = CasePath(Self.alert) {
      if case .alert(let action) = $0 { action } else { nil }
    }
  }

  @Dependency(\.notesClient) var notesClient
  @Dependency(\.dismiss) var dismiss

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .binding, .alert(.dismiss): return .none
      case .saveButtonTapped:
        return .run { [notesClient, text = state.text] send in
          do throws(NotesClient.Failure) {
            try await notesClient.save(text)
            await send(.saved(text))
          } catch {
            await send(.saveFailed(error))
          }
        }
      case .saveFailed(let failure):
        state.failure = failure
        return .none
      case .cancelButtonTapped where !state.text.isEmpty:
        state.alert = AlertState {
          "Discard the note?"
        } actions: {
          ButtonState.destructive("Discard", action: .discardConfirmed)
          ButtonState.cancel("Go on writing")
        }
        return .none
      case .saved, .cancelButtonTapped, .alert(.presented(.discardConfirmed)):
        return .run { [dismiss] _ in await dismiss() }
      }
    }
    .ifLet(\.$alert, action: Action.alertCase)
  }
}
