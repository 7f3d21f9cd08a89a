import Clients
import Composable
import Domain
import Terminal

/// The sheet with the emergency documents of somebody for whom the person responds (DOC-1).
struct SharedDocumentsFeature: Reducer {
  struct State: Equatable, Sendable {
    private(set) var contact: Contact
    /// By name; `nil` until they are read.
    var documents: [EmergencyDocument]?
    var position = ListPosition(selected: 0)
    var download: Download?
    var failure: Failure?

    init(contact: Contact) { self.contact = contact }

    /// Shows what is known of the contact now: an alert opens documents, and its end closes them.
    mutating func show(_ contact: Contact) { self.contact = contact }

    var selected: EmergencyDocument? {
      guard let documents, documents.indices.contains(position.selected) else { return nil }
      return documents[position.selected]
    }

    /// Whether a document may be opened now.
    func isOpen(_ document: EmergencyDocument) -> Bool {
      document.access.isOpen(isAlertOn: contact.activeAlert != nil)
    }
  }

  struct Download: Equatable, Sendable {
    var document: EmergencyDocument
    var percent = 0
  }

  /// What went wrong, and with which document; `nil` for the list.
  struct Failure: Equatable, Sendable {
    var text: ErrorText
    var document: EmergencyDocument?
  }

  enum Action: Codable, Equatable, Sendable {
    case opened
    case changed([EmergencyDocument])
    case readingFailed(ErrorText)
    case moved(ListPosition)
    case downloadButtonTapped
    case progressed(percent: Int)
    case saved(path: String)
    case downloadFailed(ErrorText)
    case downloadCancelled
    case retryButtonTapped
    case failureDismissed
    case closeButtonTapped
  }

  private enum CancelID: Hashable, Sendable { case reading, download }

  @Dependency(\.documentsClient) var documentsClient
  @Dependency(\.fileStorageClient) var fileStorageClient
  @Dependency(\.fileClient) var fileClient
  @Dependency(\.downloadClient) var downloadClient
  @Dependency(\.continuousClock) var clock
  @Dependency(\.dismiss) var dismiss

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .opened:
      return read(of: state.contact.id)
    case .changed(let documents):
      let chosen = state.selected?.id
      state.documents = documents
      if state.failure?.document == nil { state.failure = nil }
      let place = documents.firstIndex { $0.id == chosen }
      state.position.selected =
        place ?? min(state.position.selected, max(0, documents.count - 1))
      return .none
    case .readingFailed(let text):
      state.failure = Failure(text: text)
      return .none
    case .moved(let position):
      state.position = position
      return .none

    case .downloadButtonTapped:
      guard let document = state.selected else { return .none }
      return download(document, &state)
    case .progressed(let percent):
      state.download?.percent = percent
      return .none
    case .saved:
      state.download = nil
      return .none
    case .downloadFailed(let text):
      state.failure = Failure(text: text, document: state.download?.document)
      state.download = nil
      return .none
    case .downloadCancelled:
      guard let document = state.download?.document else { return .none }
      state.download = nil
      // The effect may still be waiting to learn where the file is.
      return .merge(
        .cancel(id: CancelID.download),
        .run { [downloadClient] _ in await downloadClient.cancel(StoredFileURL(document.id)) })

    case .retryButtonTapped:
      guard let failure = state.failure else { return .none }
      state.failure = nil
      guard let document = failure.document else { return read(of: state.contact.id) }
      return download(document, &state)
    case .failureDismissed:
      state.failure = nil
      return .none
    case .closeButtonTapped:
      return .run { [dismiss] _ in await dismiss() }
    }
  }

  private func read(of contact: Contact.ID) -> Effect<Action> {
    .observing(
      clock, { [documentsClient] in documentsClient.observeOf(contact) }, changed: Action.changed,
      failed: { .readingFailed(.of($0)) }
    )
    .cancellable(id: CancelID.reading, cancelInFlight: true)
  }

  private func download(_ document: EmergencyDocument, _ state: inout State) -> Effect<Action> {
    guard state.download == nil else { return .none }
    guard state.isOpen(document) else {
      state.failure = Failure(text: FileStorageError.closed.text)
      return .none
    }
    state.failure = nil
    state.download = Download(document: document)
    return .run { [fileStorageClient, fileClient, downloadClient] send in
      let request: DownloadRequest
      do {
        request = DownloadRequest(
          url: try await fileStorageClient.url(document.id), expectedSize: document.size,
          name: document.name, folder: try await fileClient.documentsDirectory())
      } catch let error as any AppError {
        await send(.downloadFailed(error.text))
        return
      }
      for await event in downloadClient.download(request) {
        switch event {
        case .progress(let percent): await send(.progressed(percent: percent))
        case .completed(let path): await send(.saved(path: path))
        case .failed(let error): await send(.downloadFailed(error.text))
        }
      }
    }
    .cancellable(id: CancelID.download, cancelInFlight: true)
  }
}
