import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Terminal
import Testing

@testable import Features

@MainActor @Suite struct PortraitFeatureTests {
  private func makeStore(
    prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<PortraitFeature> {
    TestStore(initialState: PortraitFeature.State()) {
      PortraitFeature()
    } withDependencies: {
      $0.fileStorageClient.url = { (id: UUID) async throws(ClientError) in StoredFileURL(id) }
      $0.fileStorageClient.read = {
        (_, offset: Int, _) async throws(ClientError) in
        offset == 0 ? Data("picture".utf8) : Data()
      }
      $0.pictureClient.decode = { (data: Data) async throws(PictureError) in
        #expect(data == Data("picture".utf8))
        return Sample.picture
      }
      prepare(&$0)
    }
  }

  private static func wanting(_ id: UUID?) -> PortraitFeature.State {
    var state = PortraitFeature.State()
    state.id = id
    return state
  }

  @Test("A picture is loaded once, and again only if another picture is set")
  func reads() async {
    let store = makeStore()
    await store.send(.wanted(nil))
    await store.send(.wanted(Sample.id(9))) { $0 = Self.wanting(Sample.id(9)) }
    await store.receive(.loaded(Sample.picture)) { $0.picture = Sample.picture }
    await store.send(.wanted(Sample.id(9)))
    await store.send(.wanted(Sample.id(8))) { $0 = Self.wanting(Sample.id(8)) }
    await store.receive(.loaded(Sample.picture)) { $0.picture = Sample.picture }
    await store.send(.wanted(nil)) { $0 = Self.wanting(nil) }
  }

  @Test("A picture that can't be decoded leaves the initials")
  func unreadable() async {
    let store = makeStore {
      $0.pictureClient.decode = { (_) async throws(PictureError) in throw .damaged }
    }
    await store.send(.wanted(Sample.id(9))) { $0 = Self.wanting(Sample.id(9)) }
    await store.finish()
    #expect(store.state.picture == nil)
  }

  @Test("Initials are the first letters of the first and the last name, in any script")
  func initials() {
    #expect("Ada Lovelace".initials == "AL")
    #expect("Ada".initials == "A")
    #expect("Ludwig van Beethoven".initials == "LB")
    #expect("éva  ßen".initials == "ÉSS")
    #expect("王 小明".initials == "王小")
    #expect("".initials == "")
  }

  @Test("Opening a contact's details loads the contact's picture")
  func details() async {
    var contact = Sample.mary
    contact.link?.picture = Sample.id(9)
    let snapshot = Sample.snapshot(contacts: [contact, Sample.pinged])
    let store = TestStore(initialState: MainTabFeature.State(snapshot: snapshot)) {
      MainTabFeature()
    } withDependencies: {
      $0.fileStorageClient.url = { (_) async throws(ClientError) in throw .fileNotFound }
    }
    await store.send(.dependents(.opened(contact.id))) {
      $0.dependents.select(contact.id)
      $0[ContactDetailsFeature.self] = ContactDetailsFeature.State(
        contact: contact, snapshot: snapshot)
    }
    await store.receive(.sheet(ContactDetailsFeature.self, .portrait(.wanted(Sample.id(9))))) {
      $0[ContactDetailsFeature.self]?.portrait.id = Sample.id(9)
    }
    await store.finish()
  }
}

@MainActor @Suite struct PictureFeatureTests {
  private func makeStore(
    _ user: User = Sample.user, prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<PictureFeature> {
    TestStore(initialState: PictureFeature.State(user: user)) {
      PictureFeature()
    } withDependencies: {
      $0.fileClient.path = { $0 }
      $0.fileClient.contents = { (path: String, limit: Int) async throws(LocalFileError) in
        #expect(path == "/me.png" && limit == 10_000_000)
        return Data("png".utf8)
      }
      prepare(&$0)
    }
  }

  private func enter(_ path: String, in store: TestStoreOf<PictureFeature>) async {
    await store.send(.form(.edited(.path, .insert(path)))) {
      $0.form[.path].apply(.insert(path))
    }
  }

  @Test("Saving a picture checks that the file can be shown and sends picture and name together")
  func sets() async {
    let store = makeStore {
      $0.pictureClient.decode = { (_) async throws(PictureError) in Sample.picture }
      $0.userProfileClient.update = {
        (name: String, change: PictureChange) async throws(ClientError) in
        #expect(name == "Ada Lovelace" && change == .set(Data("png".utf8)))
        return Sample.user
      }
    }
    await enter("/me.png", in: store)
    await store.send(.form(.saveButtonTapped)) {
      $0.form.touched = [.name, .path]
      $0.form.isSaving = true
    }
    await store.receive(.saved(Sample.user)) { $0.form.isSaving = false }
  }

  @Test("A file that isn't a picture or is too large shows an error and isn't saved")
  func refuses() async {
    let cases: [(LocalFileError?, PictureError, ErrorText)] = [
      (nil, .unknownFormat, ValidationError.pictureFormat.text),
      (nil, .damaged, PictureError.damaged.text),
      (.tooLarge(path: "/me.png"), .damaged, ValidationError.fileSize.text),
      (.notFound(path: "/me.png"), .damaged, LocalFileError.notFound(path: "/me.png").text),
    ]
    for (fileError, pictureError, text) in cases {
      let store = makeStore {
        if let fileError {
          $0.fileClient.contents = { (_, _) async throws(LocalFileError) in throw fileError }
        }
        $0.pictureClient.decode = { (_) async throws(PictureError) in throw pictureError }
      }
      await enter("/me.png", in: store)
      await store.send(.form(.saveButtonTapped)) {
        $0.form.touched = [.name, .path]
        $0.form.isSaving = true
      }
      await store.receive(.failed(text)) {
        $0.form.isSaving = false
        $0.form.failure = text
      }
    }
  }

  @Test("Removing a picture is offered only if the user has a picture")
  func removes() async {
    #expect(!PictureFeature.State(user: Sample.user).form.shown.contains(.removes))
    var user = Sample.user
    user.picture = Sample.id(9)
    let store = makeStore(user) {
      $0.userProfileClient.update = {
        (_, change: PictureChange) async throws(ClientError) in
        #expect(change == .remove)
        throw .storage(.full)
      }
    }
    await store.send(.form(.toggled(.removes))) {
      _ = $0.form.apply(.toggled(.removes), validate: $0.validation)
    }
    await store.send(.form(.saveButtonTapped)) {
      $0.form.touched = [.name, .path, .removes]
      $0.form.isSaving = true
    }
    await store.receive(.failed(StorageError.full.text)) {
      $0.form.isSaving = false
      $0.form.failure = StorageError.full.text
    }
  }

  @Test("Saving a picture closes the picture sheet")
  func profile() async {
    var user = Sample.user
    user.picture = Sample.id(9)
    let store = TestStore(initialState: MainTabFeature.State(snapshot: Sample.snapshot())) {
      MainTabFeature()
    }
    await store.send(.profile(.pictureButtonTapped)) {
      $0[PictureFeature.self] = PictureFeature.State(user: Sample.user)
    }
    await store.send(.sheet(PictureFeature.self, .saved(user))) { $0[PictureFeature.self] = nil }
  }
}
