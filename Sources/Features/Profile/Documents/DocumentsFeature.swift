import Clients
import Composable
import Domain
import Terminal

/// The sheet of the person's own emergency documents (DOC-1).
struct DocumentsFeature: Reducer {
  struct State: Equatable, Sendable {
    /// The documents, by name, or `nil` until they are loaded.
    var documents: [EmergencyDocument]?
    var position = ListPosition(selected: 0)
    /// The path or name being typed.
    var entry: Entry?
    /// The file being uploaded.
    var upload: Upload?
    /// The document whose removal waits for confirmation.
    var removal: EmergencyDocument?
    /// Whether a change other than an upload is running.
    var isBusy = false
    var failure: Failure?

    var selected: EmergencyDocument? { position.row(of: documents ?? []) }

    /// Shows the current documents. The selection stays on its document.
    fileprivate mutating func show(_ documents: [EmergencyDocument]) {
      let chosen = selected?.id
      self.documents = documents
      position.select(in: documents) { $0.id == chosen }
    }
  }

  struct Entry: Equatable, Sendable {
    var purpose: Purpose
    var text: TextInput
    /// The first files and folders that the typed path can mean, once Tab has asked for them.
    var completions: [String]?

    enum Purpose: Equatable, Sendable {
      /// The path of a file to add, with the access that responders get.
      case adding(EmergencyDocument.Access)
      case renaming(EmergencyDocument.ID)
    }
  }

  struct Upload: Equatable, Sendable {
    var name: String
    var percent = 0
  }

  /// An error and the attempt that failed, which can be retried.
  struct Failure: Equatable, Sendable {
    var text: ErrorText
    var attempt: Attempt
  }

  /// An operation that can be tried again.
  enum Attempt: Codable, Equatable, Sendable {
    case read
    case add(path: String, EmergencyDocument.Access)
    case rename(EmergencyDocument.ID, String)
    case setAccess(EmergencyDocument.ID, EmergencyDocument.Access)
    case remove(EmergencyDocument.ID)
  }

  enum Action: Codable, Equatable, Sendable {
    case opened
    case changed([EmergencyDocument])
    case moved(ListPosition)
    case addButtonTapped
    case renameButtonTapped
    case entryEdited(TextEdit)
    case accessToggled
    case completeButtonTapped
    /// The files and folders whose path begins with what was typed.
    case completed(typed: String, [String])
    case entryConfirmed
    case entryCancelled
    case uploadProgressed(percent: Int)
    case uploadCancelled
    case accessButtonTapped
    case removeButtonTapped
    case removalCancelled
    case removalConfirmed
    case done
    case failed(Attempt, ErrorText)
    case retryButtonTapped
    case failureDismissed
    case closeButtonTapped
  }

  private enum CancelID: Hashable, Sendable { case reading, upload }

  @Dependency(\.documentsClient) var documentsClient
  @Dependency(\.fileStorageClient) var fileStorageClient
  @Dependency(\.fileClient) var fileClient
  @Dependency(\.continuousClock) var clock

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .opened: return begin(.read, &state)
    case .changed(let documents):
      state.show(documents)
      if state.failure?.attempt == .read { state.failure = nil }
    case .moved(let position): state.position = position

    case .addButtonTapped, .renameButtonTapped, .entryEdited, .accessToggled,
      .completeButtonTapped, .completed, .entryConfirmed, .entryCancelled:
      return edit(&state, action)

    case .uploadProgressed(let percent): state.upload?.percent = percent
    case .uploadCancelled:
      state.upload = nil
      return .cancel(id: CancelID.upload)

    case .accessButtonTapped:
      guard let document = state.selected else { return .none }
      return begin(.setAccess(document.id, document.access.other), &state)

    case .removeButtonTapped: state.removal = state.selected
    case .removalCancelled: state.removal = nil
    case .removalConfirmed:
      guard let document = state.removal else { return .none }
      state.removal = nil
      return begin(.remove(document.id), &state)

    case .done:
      state.upload = nil
      state.isBusy = false
    case .failed(let attempt, let text):
      if attempt != .read {
        state.upload = nil
        state.isBusy = false
      }
      state.failure = Failure(text: text, attempt: attempt)
    case .retryButtonTapped:
      guard let failure = state.failure else { return .none }
      return begin(failure.attempt, &state)
    case .failureDismissed: state.failure = nil
    case .closeButtonTapped: return .dismiss()
    }
    return .none
  }

  /// Handles the text field for a new document's path or a new name.
  private func edit(_ state: inout State, _ action: Action) -> Effect<Action> {
    switch action {
    case .addButtonTapped:
      state.failure = nil
      state.entry = Entry(purpose: .adding(.always), text: TextInput(limit: 1_000))
    case .renameButtonTapped:
      guard let document = state.selected else { return .none }
      state.failure = nil
      state.entry = Entry(
        purpose: .renaming(document.id), text: TextInput(document.name, limit: 255))
    case .entryEdited(let edit):
      state.entry?.text.apply(edit)
      state.entry?.completions = nil
    case .completeButtonTapped:
      guard let entry = state.entry, case .adding = entry.purpose else { return .none }
      return .run { [fileClient, typed = entry.path] send in
        await send(.completed(typed: typed, await fileClient.completions(typed)))
      }
    case .completed(let typed, let completions):
      // The person has typed on.
      guard state.entry?.path == typed else { return .none }
      state.entry?.complete(completions)
    case .accessToggled:
      if case .adding(let access) = state.entry?.purpose {
        state.entry?.purpose = .adding(access.other)
      }
    case .entryCancelled: state.entry = nil
    case .entryConfirmed:
      guard let entry = state.entry, !entry.text.text.trimmingWhitespace().isEmpty else {
        return .none
      }
      state.entry = nil
      switch entry.purpose {
      case .adding(let access):
        return begin(.add(path: entry.text.text.trimmingWhitespace(), access), &state)
      case .renaming(let id): return begin(.rename(id, entry.text.text), &state)
      }
    default: break
    }
    return .none
  }

  private func begin(_ attempt: Attempt, _ state: inout State) -> Effect<Action> {
    state.failure = nil
    switch attempt {
    case .read:
      return .observing(
        clock, { [documentsClient] in documentsClient.observe() }, changed: Action.changed,
        failed: { .failed(.read, .of($0)) }
      )
      .cancellable(id: CancelID.reading, cancelInFlight: true)
    case .add(let path, let access):
      guard state.upload == nil else { return .none }
      state.upload = Upload(name: path.lastPathPart)
      return upload(path, access, attempt)
    case .rename, .setAccess, .remove:
      guard !state.isBusy else { return .none }
      state.isBusy = true
      return .request(.done, or: { .failed(attempt, $0.text) }) { () throws(ClientError) in
        switch attempt {
        case .rename(let id, let name): _ = try await documentsClient.rename(id, name)
        case .setAccess(let id, let access): _ = try await documentsClient.setAccess(id, access)
        case .remove(let id): try await fileStorageClient.delete(id)
        case .read, .add: break
        }
      }
    }
  }

  private func upload(
    _ path: String, _ access: EmergencyDocument.Access, _ attempt: Attempt
  ) -> Effect<Action> {
    .run { [fileClient, fileStorageClient] send in
      do throws(LocalFileError) {
        let data = try await fileClient.contents(fileClient.path(path), DocumentRules.sizeLimit)
        let metadata = StorageMetadata(
          name: path.lastPathPart, contentType: ContentType(of: data), access: access)
        for await event in fileStorageClient.upload(data, metadata) {
          switch event {
          case .progress(let percent): await send(.uploadProgressed(percent: percent))
          case .completed: await send(.done)
          case .failed(let error): await send(.failed(attempt, error.text))
          }
        }
      } catch {
        await send(.failed(attempt, .ofFile(error)))
      }
    }
    .cancellable(id: CancelID.upload, cancelInFlight: true)
  }
}

extension DocumentsFeature.Entry {
  /// The path that was typed. A pasted one may begin with spaces.
  fileprivate var path: String { String(text.text.drop(while: \.isWhitespace)) }

  /// Completes the typed path as far as all completions agree, as shells do. If they differ right
  /// after it, or if there are none, the sheet says so.
  fileprivate mutating func complete(_ completions: [String]) {
    guard let first = completions.first else { return self.completions = [] }
    let common = completions.dropFirst().reduce(first) { common, other in
      String(zip(common, other).prefix { $0 == $1 }.map(\.0))
    }
    let isLonger = common != path
    if isLonger {
      text.apply(.selectAll)
      text.apply(.insert(common))
    }
    // A folder can have thousands, and three lines show fewer than these.
    self.completions = isLonger || completions.count == 1 ? nil : Array(completions.prefix(100))
  }
}

extension EmergencyDocument.Access {
  fileprivate var other: Self { self == .always ? .duringAlert : .always }
}

extension [String] {
  /// The last parts of the paths, as a list.
  fileprivate var listed: String {
    isEmpty
      ? "Nothing here begins like that."
      : map { $0.lastPathPart + ($0.last == "/" ? "/" : "") }
        .joined(separator: "  ")
  }
}

extension String {
  /// The text after the last slash.
  fileprivate var lastPathPart: String { split(separator: "/").last.map(String.init) ?? self }
}

extension ErrorText {
  /// The text for an error that ended a stream of the store.
  static func of(_ error: any Error) -> ErrorText {
    (error as? any AppError)?.text ?? StorageError.unknown(ErrorTransformer.summary(of: error)).text
  }

  /// The text for an error with a local file.
  static func ofFile(_ error: any Error) -> ErrorText {
    if case LocalFileError.tooLarge = error { ValidationError.fileSize.text } else { .of(error) }
  }
}

/// The sheet of the person's own documents.
struct DocumentsView: View {
  let store: StoreOf<DocumentsFeature>
  var host = AccountHost.thisMachine

  var body: some View {
    Sheet("Emergency documents", width: 76) {
      VStack(alignment: .leading, spacing: 0) {
        list.frame(height: min(max(1, store.documents?.count ?? 1), DocumentRow.visibleRows))
        Text("")
        if let entry = store.entry {
          field(entry)
        } else if let upload = store.upload {
          Gauge("Adding \(upload.name)", value: Double(upload.percent) / 100)
        } else if let failure = store.failure {
          ErrorView(
            failure.text, retry: .key { store.send(.retryButtonTapped) },
            dismiss: { store.send(.failureDismissed) })
        } else {
          // Aligned with the names, which the selection mark indents by one column.
          Text("Responders with an account can open them. Up to 20 files of 10 MB.")
            .foreground(.dim).padding(.leading, 1)
          if let readers = host.readersText {
            Text(readers).foreground(.dim).padding(.leading, 1)
          }
        }
      }
      .padding(.horizontal, 1)
    }
    .with(commands)
    .overlay {
      if let document = store.removal { removal(document) }
    }
  }

  @ViewBuilder private var list: some View {
    if let documents = store.documents {
      List(
        documents, position: store.position, isFocused: store.entry == nil,
        onMove: { store.send(.moved($0)) },
        row: { document, _ in
          DocumentRow(document: document, note: document.access.displayText)
        },
        empty: {
          Text("None yet. a adds a medical card or an itinerary.")
            .foreground(.dim)
        })
    } else {
      ProgressView("Reading")
    }
  }

  @ViewBuilder private func field(_ entry: DocumentsFeature.Entry) -> some View {
    switch entry.purpose {
    case .adding(let access):
      TextField(
        "File", input: entry.text, isFocused: true, placeholder: "~/medical-card.pdf",
        onEdit: { store.send(.entryEdited($0)) }
      ).labelWidth(8)
      if let completions = entry.completions {
        Text(completions.listed).foreground(.dim).lineLimit(3)
      } else {
        Text("Your responders can open it \(access.displayText); Ctrl-O changes that.")
          .foreground(.dim)
      }
    case .renaming:
      TextField(
        "Name", input: entry.text, isFocused: true, onEdit: { store.send(.entryEdited($0)) }
      ).labelWidth(8)
    }
  }

  private var commands: [Command] {
    if let entry = store.entry {
      var commands = [Command(key: "enter", title: "Keep") { store.send(.entryConfirmed) }]
      if case .adding = entry.purpose {
        commands += [
          Command(key: "tab", title: "Complete") { store.send(.completeButtonTapped) },
          Command(key: "ctrl+o", title: "When to open") { store.send(.accessToggled) },
        ]
      }
      return commands + [Command(key: "esc", title: "Back") { store.send(.entryCancelled) }]
    }
    if store.upload != nil {
      return [Command(key: "esc", title: "Stop adding") { store.send(.uploadCancelled) }]
    }
    var commands = [Command(key: "a", title: "Add") { store.send(.addButtonTapped) }]
    if store.state.selected != nil {
      commands += [
        Command(key: "e", title: "Rename") { store.send(.renameButtonTapped) },
        Command(key: "o", title: "When to open") { store.send(.accessButtonTapped) },
        Command(key: "x", title: "Remove") { store.send(.removeButtonTapped) },
      ]
    }
    return commands + [Command(key: "esc", title: "Close") { store.send(.closeButtonTapped) }]
  }

  private func removal(_ document: EmergencyDocument) -> some View {
    store.ask(
      "Remove \(document.name)?", "Your responders lose it, too, and you can't undo this.",
      role: .danger, no: ("Keep", .removalCancelled), yes: ("Remove", .removalConfirmed))
  }
}

extension DocumentsFeature: SheetFeature {
  static let element = pathElement { DocumentsFeature() }

  static func opened(_: State) -> Action? { .opened }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    DocumentsView(store: store, host: snapshot.host)
  }
}

extension DocumentsFeature.State: SheetState {}
