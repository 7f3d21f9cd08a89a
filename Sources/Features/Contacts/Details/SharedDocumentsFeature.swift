import Clients
import Composable
import Domain
import Terminal

/// The emergency documents of a dependent (DOC-1).
struct SharedDocumentsFeature: Reducer {
  struct State: Equatable, Sendable {
    private(set) var contact: Contact
    /// The documents, by name, or `nil` until they are loaded.
    var documents: [EmergencyDocument]?
    var position = ListPosition(selected: 0)
    var download: Download?
    var failure: Failure?

    var selected: EmergencyDocument? { position.row(of: documents ?? []) }

    /// Whether a document can be opened now.
    func isOpen(_ document: EmergencyDocument) -> Bool {
      document.access.isOpen(isAlertOn: contact.activeAlert != nil)
    }
  }

  struct Download: Equatable, Sendable {
    var document: EmergencyDocument
    var percent = 0
  }

  /// An error and the document it is about, or `nil` for the list.
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

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .opened: return read(of: state.contact.id)
    case .changed(let documents):
      let chosen = state.selected?.id
      state.documents = documents
      if state.failure?.document == nil { state.failure = nil }
      state.position.select(in: documents) { $0.id == chosen }
    case .readingFailed(let text): state.failure = Failure(text: text)
    case .moved(let position): state.position = position

    case .downloadButtonTapped:
      guard let document = state.selected else { return .none }
      return download(document, &state)
    case .progressed(let percent): state.download?.percent = percent
    case .saved: state.download = nil
    case .downloadFailed(let text):
      state.failure = Failure(text: text, document: state.download?.document)
      state.download = nil
    case .downloadCancelled:
      guard let document = state.download?.document else { return .none }
      state.download = nil
      // Cancel the effect as well: it may still be waiting for the URL.
      return .merge(
        .cancel(id: CancelID.download),
        .run { [downloadClient] _ in await downloadClient.cancel(StoredFileURL(document.id)) })

    case .retryButtonTapped:
      guard let failure = state.failure else { return .none }
      state.failure = nil
      guard let document = failure.document else { return read(of: state.contact.id) }
      return download(document, &state)
    case .failureDismissed: state.failure = nil
    case .closeButtonTapped: return .dismiss()
    }
    return .none
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
      state.failure = Failure(text: ClientError.fileClosed.text)
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

/// The sheet with a dependent's documents.
struct SharedDocumentsView: View {
  let store: StoreOf<SharedDocumentsFeature>

  var body: some View {
    Sheet("Documents of \(store.contact.name)", width: 76) {
      VStack(alignment: .leading, spacing: 0) {
        list.frame(height: min(max(1, store.documents?.count ?? 1), DocumentRow.visibleRows))
        Text("")
        if let download = store.download {
          Gauge("Saving \(download.document.name)", value: Double(download.percent) / 100)
        } else if let failure = store.failure {
          ErrorView(
            failure.text, retry: .key { store.send(.retryButtonTapped) },
            dismiss: { store.send(.failureDismissed) })
        } else if store.documents?.isEmpty == false {
          KeyHint("Enter saves it in your documents folder.")
        }
      }
      .padding(.horizontal, 1)
    }
    .with(commands)
  }

  @ViewBuilder private var list: some View {
    if let documents = store.documents {
      List(
        documents, position: store.position, isFocused: store.download == nil,
        onMove: { store.send(.moved($0)) },
        onOpen: { _ in store.send(.downloadButtonTapped) },
        row: { document, _ in
          let isOpen = store.state.isOpen(document)
          DocumentRow(
            document: document,
            note: document.access == .always
              ? "always" : isOpen ? "open during the alert" : "only during an alert",
            isOpen: isOpen)
        },
        empty: {
          Text("\(store.contact.name) has no documents here.").foreground(.dim)
        })
    } else {
      ProgressView("Reading")
    }
  }

  private var commands: [Command] {
    if store.download != nil {
      return [Command(key: "esc", title: "Stop saving") { store.send(.downloadCancelled) }]
    }
    var commands: [Command] = []
    if store.state.selected != nil {
      commands.append(
        Command(key: "enter", title: "Save here") { store.send(.downloadButtonTapped) })
    }
    return commands + [Command(key: "esc", title: "Close") { store.send(.closeButtonTapped) }]
  }
}

extension SharedDocumentsFeature: SheetFeature {
  static let element = pathElement { SharedDocumentsFeature() }

  static func opened(_: State) -> Action? { .opened }

  static func delegate(of action: Action) -> DelegateAction? {
    if case .saved(let path) = action { .toast("Saved as \(path).") } else { nil }
  }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    SharedDocumentsView(store: store)
  }
}

extension SharedDocumentsFeature.State: SheetState {
  mutating func show(_ snapshot: AccountSnapshot) {
    if let current = snapshot.contacts.first(where: { $0.id == contact.id }) { contact = current }
  }

  /// Only responders can see the documents.
  func isObsolete(in snapshot: AccountSnapshot) -> Bool {
    !contact.availableOperations(at: snapshot.now).contains(.documents)
  }
}
