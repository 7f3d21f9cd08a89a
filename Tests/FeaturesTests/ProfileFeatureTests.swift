import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Synchronization
import Terminal
import Testing

@testable import Features

@MainActor @Suite struct ProfileFeatureTests {
  private func makeStore(
    _ change: (inout ProfileFeature.State) -> Void = { _ in },
    reading user: @escaping @Sendable () async throws(ClientError) -> User
  ) -> TestStoreOf<ProfileFeature> {
    var state = ProfileFeature.State(snapshot: Sample.snapshot())
    change(&state)
    return TestStore(initialState: state) {
      ProfileFeature()
    } withDependencies: {
      $0.userClient.currentUser = user
    }
  }

  @Test("Opening Profile reads the account")
  func loading() async {
    let store = makeStore { () async throws(ClientError) in Sample.user }
    await store.send(.opened) { $0.request.isRunning = true }
    await store.receive(.loaded(Sample.user)) { $0.request.isRunning = false }
  }

  @Test("If the account can't be read, Profile shows an error, and Try again reads the account")
  func loadingFails() async {
    let fails = Mutex(true)
    let store = makeStore { () async throws(ClientError) in
      guard !fails.withLock({ $0 }) else { throw .storage(.busy) }
      return Sample.user
    }
    await store.send(.opened) { $0.request.isRunning = true }
    await store.receive(.loadFailed(StorageError.busy.text)) {
      $0.request.isRunning = false
      $0.request.failure = Failure(StorageError.busy.text, retry: .opened)
    }
    fails.withLock { $0 = false }
    await store.send(.opened) {
      $0.request.isRunning = true
      $0.request.failure = nil
    }
    await store.receive(.loaded(Sample.user)) { $0.request.isRunning = false }
  }

  @Test("The error on Profile can be dismissed")
  func dismissal() async {
    let store = makeStore({ $0.request.failure = Failure(StorageError.busy.text, retry: .opened) })
    {
      () async throws(ClientError) in Sample.user
    }
    await store.send(.failureDismissed) { $0.request.failure = nil }
  }

  @Test("After the account's stream failed, Profile reads the account and says so while waiting")
  func loadingBehindAStall() async {
    var state = AppFeature.State.signedIn()
    state.show { $0.note(NetworkError.unanswered.text, of: .user, at: Sample.now) }
    var renamed = Sample.user
    renamed.profile.name = "Ada King"
    let store = TestStore(initialState: state) {
      AppFeature()
    } withDependencies: { [renamed] in
      $0.continuousClock = TestClock()
      $0.dateClient = .constant(Sample.now)
      $0.userClient.currentUser = { renamed }
    }
    await store.send(.main(.tabSelected(.profile))) { $0.main?.selectedTab = .profile }
    await store.receive(.main(.profile(.opened))) { $0.main?.profile.request.isRunning = true }
    let lines = Screen.lines(Screen.store(store.state))
    #expect(lines.contains { $0.contains("Reading your profile …") })
    await store.receive(.main(.profile(.loaded(renamed)))) { [renamed] in
      $0.main?.profile.request.isRunning = false
      $0.show { $0.user = renamed }
    }
    await store.skipInFlightEffects()
  }

  @Test func editingOpensTheFormAndSavingClosesIt() async {
    var renamed = Sample.user
    renamed.profile.name = "Ada King"
    let store = TestStore(initialState: MainTabFeature.State(snapshot: Sample.snapshot())) {
      MainTabFeature()
    } withDependencies: { [renamed] in
      $0.userClient.currentUser = { Sample.user }
      $0.userClient.updateProfile = {
        (profile: Profile) async throws(ClientError) in
        #expect(profile.name == "Ada King")
        #expect(profile.phone == "+442071838750")
        return renamed
      }
    }
    await store.send(.profile(.editButtonTapped)) {
      $0[EditProfileFeature.self] = EditProfileFeature.State(profile: Sample.user.profile)
    }
    #expect(!store.state.hasUnsavedChanges)
    for edit in [TextEdit.kill(.lineStart), .insert("Ada King")] {
      await store.send(.sheet(EditProfileFeature.self, .form(.edited(.name, edit)))) {
        $0[EditProfileFeature.self]?.form[.name].apply(edit)
      }
    }
    #expect(store.state.hasUnsavedChanges)
    await store.send(.sheet(EditProfileFeature.self, .form(.saveButtonTapped))) {
      $0[EditProfileFeature.self]?.form.touched = Set(EditProfileFeature.Field.allCases)
      $0[EditProfileFeature.self]?.form.isSaving = true
    }
    await store.receive(.sheet(EditProfileFeature.self, .saved(renamed))) {
      $0[EditProfileFeature.self] = nil
    }
  }

  @Test("REM-1: Profile shows the mail account's address as the recipient of reminders")
  func remindersByMail() {
    func screen(_ own: [Channel]) -> String {
      let state = Screen.changing(
        Screen.signedIn {
          $0.user.profile.email = nil
          $0.channels = ChannelOverview(own: own)
        }
      ) { $0.main?.selectedTab = .profile }
      return Screen.lines(Screen.store(state)).joined(separator: "\n")
    }
    #expect(screen([]).contains("this screen only"))
    let mail = Channel(id: Sample.id(80), kind: .email, address: "ada@mail.example")
    #expect(screen([mail]).contains("reminders to    ✉\u{A0}ada@mail.example"))
  }

  @Test("INT-1: the interval can be changed from Profile")
  func interval() async {
    let store = TestStore(initialState: MainTabFeature.State(snapshot: Sample.snapshot())) {
      MainTabFeature()
    } withDependencies: {
      $0.checkInClient.updateInterval = {
        (_: CheckInInterval) async throws(ClientError) in
        Sample.user
      }
    }
    await store.send(.profile(.intervalButtonTapped)) {
      $0[IntervalFeature.self] = IntervalFeature.State(snapshot: Sample.snapshot())
    }
    await store.send(.sheet(IntervalFeature.self, .chooseButtonTapped)) {
      $0[IntervalFeature.self]?.proposed = .interval(.standard)
    }
    await store.send(.sheet(IntervalFeature.self, .confirmButtonTapped)) {
      $0[IntervalFeature.self]?.request.isRunning = true
    }
    await store.receive(.sheet(IntervalFeature.self, .saved(Sample.user))) {
      $0[IntervalFeature.self] = nil
    }
  }
}

@MainActor @Suite struct EditProfileFeatureTests {
  func makeStore(
    prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<EditProfileFeature> {
    TestStore(initialState: EditProfileFeature.State(profile: Sample.user.profile)) {
      EditProfileFeature()
    } withDependencies: {
      prepare(&$0)
    }
  }

  @Test("ONB-2: editing the profile checks name, phone and e-mail")
  func errors() async {
    let store = makeStore()
    await store.sendToForm(
      .edited(.name, .kill(.lineStart)), .edited(.phone, .insert("x")),
      .edited(.email, .insert("@")),
      .edited(.note, .insert(String(repeating: "x", count: 3_000))), .saveButtonTapped
    ) { .form($0) }
    #expect(
      store.state.form.errors == [
        .name: .nameLength(0), .phone: .phoneCharacter("x"), .email: .email,
      ])
  }

  @Test func aFailedSaveKeepsWhatWasTyped() async {
    let store = makeStore {
      $0.userClient.currentUser = { Sample.user }
      $0.userClient.updateProfile = {
        (_: Profile) async throws(ClientError) in
        throw .storage(.busy)
      }
    }
    await store.send(.form(.edited(.note, .insert(" More.")))) {
      $0.form[.note].apply(.insert(" More."))
    }
    await store.send(.form(.saveButtonTapped)) {
      $0.form.touched = Set(EditProfileFeature.Field.allCases)
      $0.form.isSaving = true
    }
    await store.receive(.saveFailed(.storage(.busy))) {
      $0.form.isSaving = false
      $0.form.failure = StorageError.busy.text
    }
    #expect(store.state.form[.note].text.hasSuffix(" More."))
  }

  @Test("ONB-2: saving the profile keeps fields that another program changed in the meantime")
  func changedElsewhere() async {
    var elsewhere = Sample.user
    elsewhere.profile.phone = "+493012345678"
    let store = makeStore { [elsewhere] in
      $0.userClient.currentUser = { elsewhere }
      $0.userClient.updateProfile = {
        (profile: Profile) async throws(ClientError) in
        #expect(profile.phone == "+493012345678" && profile.note.hasSuffix(" More."))
        return elsewhere
      }
    }
    await store.sendToForm(.edited(.note, .insert(" More.")), .saveButtonTapped) { .form($0) }
    await store.receive(.saved(elsewhere)) { $0.form.isSaving = false }
  }

  @Test("ONB-2: an address that an old server drops shows an error and stays in the field")
  func addressDropped() async {
    var kept = Sample.user
    kept.profile.address = nil
    let store = makeStore { [kept] in
      $0.userClient.currentUser = { kept }
      $0.userClient.updateProfile = {
        (profile: Profile) async throws(ClientError) in
        #expect(profile.address == "12 St James's Square\nLondon SW1" && profile.access == nil)
        return kept
      }
    }
    await store.sendToForm(.edited(.address, .insert(" SW1")), .saveButtonTapped) { .form($0) }
    await store.receive(.saveFailed(.storage(.network(.operationUnknown)))) {
      $0.form.failed(NetworkError.operationUnknown.text)
    }
    #expect(store.state.form[.address].text.hasSuffix("SW1"))
  }

  @Test func closingAnUnchangedFormDoesNotAsk() async {
    let dismissed = LockedCounter()
    let store = makeStore { $0.dismiss = DismissEffect { dismissed.increment() } }
    await store.send(.form(.closeButtonTapped))
    #expect(dismissed.value == 1)
  }
}
