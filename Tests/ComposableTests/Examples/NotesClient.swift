import Composable

// Examples for the articles in `Composable.docc`, which quote these files.

/// The client with which a notes program saves its notes.
struct NotesClient: Sendable {
  struct Failure: Error, Equatable {
    var reason: String
  }

  var save: @Sendable (_ text: String) async throws(Failure) -> Void
}

extension NotesClient: TestDependencyKey {
  static let testValue = NotesClient(
    save: unimplemented("NotesClient.save", throwing: Failure(reason: "unimplemented")))
}

extension DependencyValues {
  var notesClient: NotesClient {
    get { self[NotesClient.self] }
    set { self[NotesClient.self] = newValue }
  }
}
