import Composable

/// A list of notes, and the editor that it presents for a new one.
struct Notes: Reducer {
  struct State: Equatable, Sendable {
    var notes: [String] = []
    @Presents var editor: NoteEditor.State?
  }

  enum Action: Equatable, Sendable {
    case addButtonTapped
    case editor(PresentationAction<NoteEditor.Action>)

    static let editorCase = CasePath(Self.editor) {
      if case .editor(let action) = $0 { action } else { nil }
    }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .addButtonTapped: state.editor = NoteEditor.State()
      case .editor(.presented(.saved(let text))): state.notes.append(text)
      case .editor: break
      }
      return .none
    }
    .ifLet(\.$editor, action: Action.editorCase) { NoteEditor() }
  }
}
