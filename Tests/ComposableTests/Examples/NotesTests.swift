import Composable
import ComposableTesting
import Testing

@MainActor @Suite struct NotesTests {
  @Test func savingAddsTheNoteAndClosesTheEditor() async {
    let kept = LockedLog<String>()
    let store = TestStore(initialState: Notes.State()) {
      Notes()
    } withDependencies: {
      $0.notesClient.save = { kept.append($0) }
    }
    await store.send(.addButtonTapped) { $0.editor = NoteEditor.State() }
    await store.send(.editor(.presented(.set(\.text, "Buy milk")))) {
      $0.editor?.text = "Buy milk"
    }
    await store.send(.editor(.presented(.saveButtonTapped)))
    await store.receive(.editor(.presented(.saved("Buy milk")))) { $0.notes = ["Buy milk"] }
    await store.receive(.editor(.dismiss)) { $0.editor = nil }
    #expect(kept.values == ["Buy milk"])
  }

  @Test func aFailureIsShownAndTheEditorStays() async {
    let store = TestStore(initialState: Notes.State(editor: .init(text: "Buy milk"))) {
      Notes()
    } withDependencies: {
      $0.notesClient.save = { _ throws(NotesClient.Failure) in
        throw NotesClient.Failure(reason: "The disk is full.")
      }
    }
    let failure = NotesClient.Failure(reason: "The disk is full.")
    await store.send(.editor(.presented(.saveButtonTapped)))
    await store.receive(.editor(.presented(.saveFailed(failure)))) { $0.editor?.failure = failure }
  }

  @Test func aWrittenNoteIsDiscardedOnlyAfterAQuestion() async {
    let store = TestStore(initialState: NoteEditor.State(text: "Buy")) { NoteEditor() }
    await store.send(.cancelButtonTapped) {
      $0.alert = AlertState {
        "Discard the note?"
      } actions: {
        ButtonState.destructive("Discard", action: .discardConfirmed)
        ButtonState.cancel("Go on writing")
      }
    }
    #expect(!store.isDismissed)
    await store.send(.alert(.presented(.discardConfirmed))) { $0.alert = nil }
    #expect(store.isDismissed)
  }

  @Test func theClientHasToBeGiven() async {
    let store = TestStore(initialState: NoteEditor.State()) { NoteEditor() }
    await withKnownIssue {
      await store.send(.saveButtonTapped)
    } matching: {
      $0.comments.first?.rawValue.hasPrefix(#""NotesClient.save" was called"#) == true
    }
    await store.receive(.saveFailed(.init(reason: "unimplemented"))) {
      $0.failure = .init(reason: "unimplemented")
    }
  }
}
