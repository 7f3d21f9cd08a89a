import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Synchronization
import Terminal
import Testing

@testable import Features

/// A stream that yields the given elements and ends.
func events<Event: Sendable>(_ events: Event...) -> AsyncStream<Event> {
  AsyncStream { continuation in
    for event in events { continuation.yield(event) }
    continuation.finish()
  }
}

@MainActor @Suite struct DocumentsFeatureTests {
  private func makeStore(
    prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<DocumentsFeature> {
    var state = DocumentsFeature.State()
    state.documents = Sample.documents
    return TestStore(initialState: state) {
      DocumentsFeature()
    } withDependencies: {
      $0.fileClient.path = { "/home/ada/" + $0.drop { "~/".contains($0) } }
      prepare(&$0)
    }
  }

  @Test("DOC-1: the list of documents follows the store, and its selection stays with its document")
  func list() async {
    let store = TestStore(initialState: DocumentsFeature.State()) {
      DocumentsFeature()
    } withDependencies: {
      $0.documentsClient.observe = {
        AsyncThrowingStream {
          $0.yield(Sample.documents)
          $0.finish()
        }
      }
    }
    await store.send(.opened)
    await store.receive(.changed(Sample.documents)) { $0.documents = Sample.documents }
    await store.send(.moved(ListPosition(selected: 1))) { $0.position = ListPosition(selected: 1) }
    await store.send(.changed([Sample.card, Sample.photo])) {
      $0.documents = [Sample.card, Sample.photo]
      $0.position.selected = 0
    }
    await store.send(.changed([])) { $0.documents = [] }
    #expect(store.state.selected == nil)
    for action in [
      DocumentsFeature.Action.renameButtonTapped, .accessButtonTapped, .removeButtonTapped,
      .removalConfirmed,
    ] { await store.send(action) }
  }

  @Test(
    "DOC-1: adding a document by path uploads the file with the chosen access and shows progress")
  func add() async {
    let store = makeStore {
      $0.fileClient.contents = { (path: String, limit: Int) async throws(LocalFileError) in
        #expect(path == "/home/ada/papers/card.pdf" && limit == 10_000_000)
        return Data("%PDF-".utf8)
      }
      $0.fileStorageClient.upload = { data, metadata in
        #expect(data == Data("%PDF-".utf8))
        #expect(
          metadata
            == StorageMetadata(name: "card.pdf", contentType: .pdf, access: .duringAlert))
        return events(.progress(percent: 0), .progress(percent: 100), .completed(Sample.card))
      }
    }
    await store.send(.addButtonTapped) {
      $0.entry = .init(purpose: .adding(.always), text: TextInput(limit: 1_000))
    }
    await store.send(.entryConfirmed)
    await store.send(.entryEdited(.insert(" ~/papers/card.pdf"))) {
      $0.entry?.text.apply(.insert(" ~/papers/card.pdf"))
    }
    await store.send(.accessToggled) { $0.entry?.purpose = .adding(.duringAlert) }
    await store.send(.entryConfirmed) {
      $0.entry = nil
      $0.upload = .init(name: "card.pdf")
    }
    await store.receive(.uploadProgressed(percent: 0))
    await store.receive(.uploadProgressed(percent: 100)) { $0.upload?.percent = 100 }
    await store.receive(.done) { $0.upload = nil }
  }

  @Test("DOC-1: Tab completes the path of a file and lists the choices if there are several")
  func completion() async {
    let files = [
      "~/pa": ["~/papers/"], "~/papers/": ["~/papers/card-ada.pdf", "~/papers/card-bob.pdf"],
      "~/papers/card-": ["~/papers/card-ada.pdf", "~/papers/card-bob.pdf"],
    ]
    let store = makeStore { $0.fileClient.completions = { files[$0] ?? [] } }
    func enter(_ text: String) async {
      await store.send(.entryEdited(.insert(text))) {
        $0.entry?.text.apply(.insert(text))
        $0.entry?.completions = nil
      }
    }
    func complete(_ typed: String, to path: String?, showing shown: [String]? = nil) async {
      await store.send(.completeButtonTapped)
      await store.receive(.completed(typed: typed, files[typed] ?? [])) {
        if let path { $0.entry?.text = TextInput(path, limit: 1_000) }
        $0.entry?.completions = shown
      }
    }
    await store.send(.addButtonTapped) {
      $0.entry = .init(purpose: .adding(.always), text: TextInput(limit: 1_000))
    }
    await enter("  ~/pa")
    await complete("~/pa", to: "~/papers/")
    await complete("~/papers/", to: "~/papers/card-")
    await complete("~/papers/card-", to: nil, showing: files["~/papers/card-"])
    await enter("x")
    await complete("~/papers/card-x", to: nil, showing: [])
    // What comes after the person has typed on is too late.
    await store.send(.completed(typed: "~/pa", ["~/papers/"]))
    await store.send(.entryCancelled) { $0.entry = nil }
    // A name has no path.
    await store.send(.renameButtonTapped) {
      $0.entry = .init(
        purpose: .renaming(Sample.itinerary.id), text: TextInput(Sample.itinerary.name, limit: 255))
    }
    await store.send(.completeButtonTapped)
  }

  @Test("DOC-1: adding a document can be cancelled during the upload")
  func cancel() async {
    let isOver = LockedCounter()
    let store = makeStore {
      $0.fileClient.contents = { (_, _) async throws(LocalFileError) in Data() }
      $0.fileStorageClient.upload = { _, _ in
        AsyncStream {
          $0.yield(.progress(percent: 40))
          $0.onTermination = { _ in isOver.increment() }
        }
      }
    }
    await store.send(.addButtonTapped) {
      $0.entry = .init(purpose: .adding(.always), text: TextInput(limit: 1_000))
    }
    await store.send(.entryEdited(.insert("a"))) { $0.entry?.text.apply(.insert("a")) }
    await store.send(.entryConfirmed) {
      $0.entry = nil
      $0.upload = .init(name: "a")
    }
    await store.receive(.uploadProgressed(percent: 40)) { $0.upload?.percent = 40 }
    await store.send(.uploadCancelled) { $0.upload = nil }
    await store.finish()
    #expect(isOver.value == 1)
  }

  @Test("A document that can't be added shows why, with Try again and Dismiss")
  func failures() async {
    let tries = LockedCounter()
    let store = makeStore {
      $0.fileClient.contents = { (path: String, _) async throws(LocalFileError) in
        tries.increment()
        if tries.value == 1 { throw .notFound(path: path) }
        if tries.value == 2 { throw .tooLarge(path: path) }
        return Data()
      }
      $0.fileStorageClient.upload = { _, _ in events(.failed(.invalid(.documentCount))) }
    }
    let attempt = DocumentsFeature.Attempt.add(path: "a", .always)
    await store.send(.addButtonTapped) {
      $0.entry = .init(purpose: .adding(.always), text: TextInput(limit: 1_000))
    }
    await store.send(.entryEdited(.insert("a"))) { $0.entry?.text.apply(.insert("a")) }
    await store.send(.entryConfirmed) {
      $0.entry = nil
      $0.upload = .init(name: "a")
    }
    for text in [
      LocalFileError.notFound(path: "/home/ada/a").text, ValidationError.fileSize.text,
      ValidationError.documentCount.text,
    ] {
      await store.receive(.failed(attempt, text)) {
        $0.upload = nil
        $0.failure = .init(text: text, attempt: attempt)
      }
      guard text != ValidationError.documentCount.text else { break }
      await store.send(.retryButtonTapped) {
        $0.failure = nil
        $0.upload = .init(name: "a")
      }
    }
    await store.send(.failureDismissed) { $0.failure = nil }
    await store.send(.retryButtonTapped)
  }

  @Test("DOC-1: a document can be renamed; a change of access that fails shows an error")
  func change() async {
    let store = makeStore {
      $0.documentsClient.rename = { (id: UUID, name: String) async throws(ClientError) in
        #expect(id == Sample.itinerary.id && name == Sample.itinerary.name + "!")
        return Sample.itinerary
      }
      $0.documentsClient.setAccess = {
        (id: UUID, access: EmergencyDocument.Access) async throws(ClientError) in
        #expect(id == Sample.itinerary.id && access == .always)
        throw .storage(.busy)
      }
    }
    await store.send(.renameButtonTapped) {
      $0.entry = .init(
        purpose: .renaming(Sample.itinerary.id), text: TextInput(Sample.itinerary.name, limit: 255))
    }
    await store.send(.accessToggled)
    await store.send(.entryEdited(.insert("!"))) { $0.entry?.text.apply(.insert("!")) }
    await store.send(.entryConfirmed) {
      $0.entry = nil
      $0.isBusy = true
    }
    await store.receive(.done) { $0.isBusy = false }
    await store.send(.accessButtonTapped) { $0.isBusy = true }
    let attempt = DocumentsFeature.Attempt.setAccess(Sample.itinerary.id, .always)
    await store.receive(.failed(attempt, StorageError.busy.text)) {
      $0.isBusy = false
      $0.failure = .init(text: StorageError.busy.text, attempt: attempt)
    }
    await store.send(.renameButtonTapped) {
      $0.failure = nil
      $0.entry = .init(
        purpose: .renaming(Sample.itinerary.id), text: TextInput(Sample.itinerary.name, limit: 255))
    }
    await store.send(.entryCancelled) { $0.entry = nil }
  }

  @Test("DOC-1: removing a document asks first")
  func remove() async {
    let store = makeStore {
      $0.fileStorageClient.delete = { (id: UUID) async throws(ClientError) in
        #expect(id == Sample.itinerary.id)
      }
    }
    await store.send(.removeButtonTapped) { $0.removal = Sample.itinerary }
    await store.send(.removalCancelled) { $0.removal = nil }
    await store.send(.removeButtonTapped) { $0.removal = Sample.itinerary }
    await store.send(.removalConfirmed) {
      $0.removal = nil
      $0.isBusy = true
    }
    await store.receive(.done) { $0.isBusy = false }
  }
}

@MainActor @Suite struct SharedDocumentsFeatureTests {
  private func makeStore(
    _ contact: Contact = Sample.mary, prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<SharedDocumentsFeature> {
    var state = SharedDocumentsFeature.State(contact: contact)
    state.documents = Sample.documents
    return TestStore(initialState: state) {
      SharedDocumentsFeature()
    } withDependencies: {
      $0.fileStorageClient.url = { (id: UUID) async throws(ClientError) in StoredFileURL(id) }
      $0.fileClient.documentsDirectory = { () async throws(LocalFileError) in "/home/ada/papers" }
      prepare(&$0)
    }
  }

  @Test("DOC-1: downloading a dependent's document shows its progress and reports the saved path")
  func download() async {
    let store = makeStore {
      $0.downloadClient.download = { request in
        #expect(
          request
            == DownloadRequest(
              url: StoredFileURL(Sample.card.id), expectedSize: 482_113, name: "Medical card.pdf",
              folder: "/home/ada/papers"))
        return events(.progress(percent: 54), .completed(path: "/home/ada/papers/a"))
      }
    }
    await store.send(.moved(ListPosition(selected: 1))) { $0.position = ListPosition(selected: 1) }
    await store.send(.downloadButtonTapped) { $0.download = .init(document: Sample.card) }
    await store.receive(.progressed(percent: 54)) { $0.download?.percent = 54 }
    await store.receive(.saved(path: "/home/ada/papers/a")) { $0.download = nil }
  }

  @Test("DOC-1: a document for alerts only isn't requested while no alert is on")
  func closed() async {
    let store = makeStore()
    #expect(store.state.isOpen(Sample.card) && !store.state.isOpen(Sample.itinerary))
    await store.send(.downloadButtonTapped) {
      $0.failure = .init(text: ClientError.fileClosed.text)
    }
    await store.send(.failureDismissed) { $0.failure = nil }
    // An alert opens it.
    var contact = Sample.mary
    contact.link?.dependentStatus?.alert = Sample.alert
    var state = store.state
    state.show(Sample.snapshot(contacts: [contact]))
    #expect(state.isOpen(Sample.itinerary))
  }

  @Test("DOC-1: a download can be cancelled at any time")
  func cancel() async {
    let cancelled = Mutex<[StoredFileURL]>([])
    let store = makeStore(Sample.charles) {
      $0.downloadClient.download = { _ in AsyncStream { $0.yield(.progress(percent: 3)) } }
      $0.downloadClient.cancel = { url in cancelled.withLock { $0.append(url) } }
    }
    await store.send(.downloadCancelled)
    await store.send(.downloadButtonTapped) { $0.download = .init(document: Sample.itinerary) }
    await store.receive(.progressed(percent: 3)) { $0.download?.percent = 3 }
    await store.send(.downloadCancelled) { $0.download = nil }
    await store.finish()
    #expect(cancelled.withLock { $0 } == [StoredFileURL(Sample.itinerary.id)])
  }

  @Test("A failed download shows an error and can be tried again")
  func failure() async {
    let tries = LockedCounter()
    let store = makeStore(Sample.charles) {
      $0.fileStorageClient.url = { (id: UUID) async throws(ClientError) in
        tries.increment()
        if tries.value == 1 { throw .fileNotFound }
        return StoredFileURL(id)
      }
      $0.downloadClient.download = { _ in events(.failed(.incomplete)) }
    }
    await store.send(.downloadButtonTapped) { $0.download = .init(document: Sample.itinerary) }
    for text in [ClientError.fileNotFound.text, DownloadError.incomplete.text] {
      await store.receive(.downloadFailed(text)) {
        $0.download = nil
        $0.failure = .init(text: text, document: Sample.itinerary)
      }
      guard text != DownloadError.incomplete.text else { break }
      await store.send(.retryButtonTapped) {
        $0.failure = nil
        $0.download = .init(document: Sample.itinerary)
      }
    }
  }

  @Test("A failure to read your own documents shows an error, is retried and keeps an upload")
  func ownReading() async {
    let (clock, tries) = (TestClock(), LockedCounter())
    var state = DocumentsFeature.State()
    state.upload = .init(name: "a")
    let store = TestStore(initialState: state) {
      DocumentsFeature()
    } withDependencies: {
      $0.continuousClock = clock
      $0.documentsClient.observe = {
        tries.increment()
        let isFirst = tries.value == 1
        return AsyncThrowingStream {
          if isFirst { return $0.finish(throwing: ClientError.storage(.busy)) }
          $0.yield([Sample.card])
          $0.finish()
        }
      }
    }
    await store.send(.opened)
    await store.receive(.failed(.read, StorageError.busy.text)) {
      $0.failure = .init(text: StorageError.busy.text, attempt: .read)
    }
    await clock.advance(by: .milliseconds(500))
    await store.receive(.changed([Sample.card])) {
      $0.documents = [Sample.card]
      $0.failure = nil
    }
  }

  @Test(
    "A failure to read a contact's documents shows an error and is retried",
    arguments: [true, false])
  func reading(byItself: Bool) async {
    let (clock, tries) = (TestClock(), LockedCounter())
    var state = SharedDocumentsFeature.State(contact: Sample.mary)
    state.documents = nil
    let store = TestStore(initialState: state) {
      SharedDocumentsFeature()
    } withDependencies: {
      $0.continuousClock = clock
      $0.documentsClient.observeOf = { contact in
        #expect(contact == Sample.mary.id)
        tries.increment()
        let isFirst = tries.value == 1
        return AsyncThrowingStream {
          if isFirst { return $0.finish(throwing: ClientError.storage(.busy)) }
          $0.yield([Sample.card])
          $0.finish()
        }
      }
    }
    await store.send(.opened)
    await store.receive(.readingFailed(StorageError.busy.text)) {
      $0.failure = .init(text: StorageError.busy.text)
    }
    if byItself {
      await clock.advance(by: .milliseconds(500))
      await store.receive(.changed([Sample.card])) {
        $0.failure = nil
        $0.documents = [Sample.card]
      }
    } else {
      await store.send(.retryButtonTapped) { $0.failure = nil }
      await store.receive(.changed([Sample.card])) { $0.documents = [Sample.card] }
    }
  }

  @Test("DOC-1: only a dependent's details offer documents, and only while the relation lasts")
  func details() async {
    func offers(_ contact: Contact) -> Bool {
      ContactDetailsFeature.State(contact: contact, snapshot: Sample.snapshot()).availableOperations
        .contains(.documents)
    }
    #expect(offers(Sample.mary) && offers(Sample.charles))
    for contact in [Sample.hedy, Sample.katherine, Sample.dorothy, Sample.alan] {
      #expect(!offers(contact), "\(contact.name)")
    }
    var snapshot = Sample.snapshot(contacts: [Sample.mary])
    let store = TestStore(initialState: MainTabFeature.State(snapshot: snapshot)) {
      MainTabFeature()
    } withDependencies: {
      $0.documentsClient.observeOf = { _ in .finished() }
    }
    await store.send(.dependents(.opened(Sample.mary.id))) {
      $0[ContactDetailsFeature.self] = ContactDetailsFeature.State(
        contact: Sample.mary, snapshot: $0.snapshot)
    }
    await store.send(.sheet(ContactDetailsFeature.self, .documentsButtonTapped)) {
      $0[SharedDocumentsFeature.self] = SharedDocumentsFeature.State(contact: Sample.mary)
    }
    await store.receive(.sheet(SharedDocumentsFeature.self, .opened, id: 1))
    // A person who is no longer a responder can't see the documents.
    var state = store.state
    snapshot.contacts[0].roles = .responder
    state.show(snapshot)
    #expect(state[SharedDocumentsFeature.self] == nil)
    #expect(state[ContactDetailsFeature.self]?.contact == snapshot.contacts[0])
  }
}
