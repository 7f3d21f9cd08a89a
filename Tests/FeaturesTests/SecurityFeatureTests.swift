import Clients
import Composable
import ComposableTesting
import Domain
import Terminal
import Testing

@testable import Features

@MainActor @Suite struct SecurityFeatureTests {
  nonisolated static let sessions = [
    Session(
      id: Sample.id(70), device: "laptop", createdAt: Sample.now - .days(3),
      lastUsedAt: Sample.now, isCurrent: true),
    Session(
      id: Sample.id(71), device: "phone", createdAt: Sample.now - .days(2),
      lastUsedAt: Sample.now - .days(1), isCurrent: false),
  ]

  nonisolated static func snapshot(_ locks: User.Locks = []) -> AccountSnapshot {
    var user = Sample.user
    user.locks = locks
    return Sample.snapshot(user: user)
  }

  func makeStore(
    _ locks: User.Locks = [], sessions: [Session]? = nil,
    prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<SecurityFeature> {
    var state = SecurityFeature.State(snapshot: Self.snapshot(locks))
    state.sessions = sessions
    return TestStore(initialState: state) {
      SecurityFeature()
    } withDependencies: {
      $0.dateClient = .constant(Sample.now)
      prepare(&$0)
    }
  }

  /// The tabs, for which there are no sessions.
  private func makeTabs(_ snapshot: AccountSnapshot) -> TestStoreOf<MainTabFeature> {
    TestStore(initialState: MainTabFeature.State(snapshot: snapshot)) {
      MainTabFeature()
    } withDependencies: {
      $0.dateClient = .constant(Sample.now)
      $0.authClient.sessions = { () async throws(ClientError) in [] }
    }
  }

  /// The tabs with the Security sheet open, whose id is 0.
  private func openSecurity(_ snapshot: AccountSnapshot) async -> TestStoreOf<MainTabFeature> {
    let store = makeTabs(snapshot)
    await store.send(.profile(.securityButtonTapped)) {
      $0[SecurityFeature.self] = SecurityFeature.State(snapshot: snapshot)
    }
    await store.receive(.sheet(SecurityFeature.self, .opened))
    await store.receive(.sheet(SecurityFeature.self, .sessionsLoaded([]))) {
      $0[SecurityFeature.self]?.sessions = []
    }
    return store
  }

  private func place(of row: SecurityFeature.Row, _ store: TestStoreOf<SecurityFeature>) throws
    -> Int
  {
    try #require(store.state.rows.firstIndex(of: row))
  }

  @Test("AUTH-1, CHK-3: Security lists only the actions that are possible now")
  func rows() {
    #expect(
      makeStore().state.rows == [.setPassword, .setGate, .allowLinks, .deleteAccount])
    #expect(
      makeStore([.password, .gate], sessions: Self.sessions).state.rows == [
        .changePassword, .removePassword, .changeGate, .removeGate, .allowLinks,
        .session(Self.sessions[0]), .session(Self.sessions[1]), .endOthers, .signOut,
        .deleteAccount,
      ])
  }

  @Test("CHK-3: the check for a silent alert opens from Security")
  func silentAlert() async {
    let store = makeTabs(Self.snapshot())
    await store.send(.profile(.securityChosen(.silentAlert))) {
      $0[SecurityFeature.self] = SecurityFeature.State(
        snapshot: Self.snapshot(), choice: .silentAlert)
    }
    await store.receive(.sheet(SecurityFeature.self, .opened)) {
      $0[SecurityFeature.self]?.choice = nil
    }
    await store.receive(.sheet(SecurityFeature.self, .silentAlertOpened)) {
      $0[SilentAlertFeature.self] = SilentAlertFeature.State()
    }
    await store.receive(.sheet(SecurityFeature.self, .sessionsLoaded([]))) {
      $0[SecurityFeature.self]?.sessions = []
    }
  }

  @Test("AUTH-2: the selection stays on its row when the sessions are loaded")
  func sessions() async {
    let store = makeStore(.password) {
      $0.authClient.sessions = { () async throws(ClientError) in Self.sessions }
    }
    await store.send(.moved(ListPosition(selected: 5))) {
      $0.position = ListPosition(selected: 5)
    }
    await store.send(.opened)
    await store.receive(.sessionsLoaded(Self.sessions)) {
      $0.sessions = Self.sessions
      $0.position.selected = 8
    }
    #expect(store.state.rows[8] == .deleteAccount)
  }

  @Test("AUTH-2: ending one session or all others asks first")
  func revoke() async throws {
    let store = makeStore(.password, sessions: Self.sessions) {
      $0.authClient.revokeSession = { (id: Session.ID) async throws(ClientError) in
        #expect(id == Self.sessions[1].id)
      }
      $0.authClient.revokeOtherSessions = { () async throws(ClientError) in throw .storage(.busy) }
      $0.authClient.sessions = { () async throws(ClientError) in [Self.sessions[0]] }
    }
    let others = try place(of: .endOthers, store)
    await store.send(.rowOpened(others)) {
      $0.position.selected = others
      $0.question = .endOthers
    }
    await store.send(.questionCancelled) { $0.question = nil }
    await store.send(.rowOpened(others)) { $0.question = .endOthers }
    await store.send(.questionConfirmed) { $0.question = nil }
    await store.receive(.failed(.storage(.busy))) {
      $0.failure = Failure(StorageError.busy.text)
    }
    let session = try place(of: .session(Self.sessions[1]), store)
    await store.send(.rowOpened(session)) {
      $0.position.selected = session
      $0.failure = nil
      $0.question = .end(Self.sessions[1])
    }
    await store.send(.questionConfirmed) { $0.question = nil }
    await store.receive(.sessionsLoaded([Self.sessions[0]])) {
      $0.sessions = [Self.sessions[0]]
      $0.position.selected = 5
    }
  }

  @Test(
    "AUTH-2: closing Security while a session is being ended waits for the result",
    arguments: [false, true])
  func revokeAndClose(fails: Bool) async throws {
    let clock = TestClock()
    var security = SecurityFeature.State(snapshot: Self.snapshot(.password))
    security.sessions = Self.sessions
    security.question = .end(Self.sessions[1])
    var state = MainTabFeature.State(snapshot: security.snapshot)
    state[SecurityFeature.self] = security
    let id = state.path.ids[0]
    let store = TestStore(initialState: state) {
      MainTabFeature()
    } withDependencies: {
      $0.dateClient = .constant(Sample.now)
      $0.authClient.revokeSession = { (_: Session.ID) async throws(ClientError) in
        try? await clock.sleep(for: .seconds(1))
        if fails || Task.isCancelled { throw .storage(.busy) }
      }
      $0.authClient.sessions = { () async throws(ClientError) in [Self.sessions[0]] }
    }
    func send(_ action: SecurityFeature.Action) -> MainTabFeature.Action {
      .sheet(SecurityFeature.self, action, id: id)
    }
    await store.send(send(.questionConfirmed)) { $0[SecurityFeature.self]?.question = nil }
    await store.send(send(.closeButtonTapped))
    await clock.advance(by: .seconds(1))
    if fails {
      await store.receive(send(.failed(.storage(.busy)))) {
        $0[SecurityFeature.self]?.failure = Failure(StorageError.busy.text)
      }
    } else {
      await store.receive(send(.sessionsLoaded([Self.sessions[0]]))) {
        $0[SecurityFeature.self]?.sessions = [Self.sessions[0]]
      }
      await store.receive(.closed(id)) { $0[SecurityFeature.self] = nil }
    }
    await store.finish()
  }

  @Test("Requesting a code for a new address shows a notice and has a monitor send the code")
  func addressCode() async throws {
    let store = makeStore(.unconfirmedAddress) {
      $0.authClient.sendAddressCode = { () async throws(ClientError) in }
    }
    let row = try place(of: .sendAddressCode, store)
    await store.send(.rowOpened(row)) { $0.position.selected = row }
    await store.receive(.addressCodeSent) {
      $0.notice = "A code is on its way to your new e-mail address."
    }
    #expect(SecurityFeature.delegate(of: .addressCodeSent) == .queued)
  }

  @Test("CHK-8: allowing link check-ins asks first, forbidding them doesn't")
  func links() async throws {
    var (allowed, forbidden) = (Sample.user, Sample.user)
    allowed.locks = .linkCheckIn
    forbidden.locks = []
    let store = makeStore {
      $0.userClient.allowLinkCheckIn = {
        [allowed, forbidden] (isAllowed: Bool) async throws(ClientError) in
        isAllowed ? allowed : forbidden
      }
    }
    let row = try place(of: .allowLinks, store)
    await store.send(.rowOpened(row)) {
      $0.position.selected = row
      $0.question = .allowLinks
    }
    #expect(
      LinkCheckIn.explanation.hasPrefix(
        "Anyone who can read this mailbox or topic can check in as you."))
    await store.send(.questionCancelled) { $0.question = nil }
    await store.send(.rowOpened(row)) { $0.question = .allowLinks }
    await store.send(.questionConfirmed) { $0.question = nil }
    await store.receive(.linksChosen(allowed)) {
      $0.notice = "Your reminders now have a link to check in by."
    }
    let other = makeStore(.linkCheckIn) {
      $0.userClient.allowLinkCheckIn = {
        [forbidden] (isAllowed: Bool) async throws(ClientError) in
        #expect(!isAllowed)
        return forbidden
      }
    }
    let off = try place(of: .forbidLinks, other)
    await other.send(.rowOpened(off)) { $0.position.selected = off }
    await other.receive(.linksChosen(forbidden)) { $0.notice = "Checking in by a link is off." }
  }

  @Test("AUTH-2: ending your own session signs you out after a question")
  func signOut() async throws {
    let store = makeStore(.password, sessions: Self.sessions) {
      $0.authClient.signOut = { () async throws(ClientError) in }
    }
    let row = try place(of: .session(Self.sessions[0]), store)
    await store.send(.rowOpened(row)) {
      $0.position.selected = row
      $0.question = .signOut
    }
    await store.send(.questionConfirmed) {
      $0.question = nil
      $0.sessionEndReason = .signOut
    }
    await store.receive(.signedOut)
  }

  @Test("AUTH-1: setting a password closes the form and shows a notice")
  func password() async throws {
    let store = await openSecurity(Self.snapshot())
    await store.send(.sheet(SecurityFeature.self, .rowOpened(0))) {
      $0[PasswordFeature.self] = PasswordFeature.State(.set)
    }
    store.dependencies.authClient.sessions = { () async throws(ClientError) in Self.sessions }
    await store.send(.sheet(PasswordFeature.self, .saved(Done()), id: 1)) {
      $0[PasswordFeature.self] = nil
    }
    await store.receive(.sheet(SecurityFeature.self, .passwordSaved(.set))) {
      $0[SecurityFeature.self]?.notice = "Your password is set. It is asked for from now on."
    }
    await store.receive(.sheet(SecurityFeature.self, .sessionsLoaded(Self.sessions))) {
      $0[SecurityFeature.self]?.sessions = Self.sessions
      $0[SecurityFeature.self]?.position.selected = 0
    }
  }

  @Test("AUTH-1: setting a password without an e-mail address shows an error before typing")
  func passwordWithoutAddress() async throws {
    var snapshot = Self.snapshot([])
    snapshot.user.profile.email = nil
    let store = await openSecurity(snapshot)
    await store.send(.sheet(SecurityFeature.self, .rowOpened(0))) {
      $0[PasswordFeature.self] = PasswordFeature.State(.set, hasAddress: false)
    }
    #expect(
      store.state[PasswordFeature.self]?.form.failure == ClientError.emailRequired.text)
  }

  @Test("CHK-3: removing the gate asks for its passphrase")
  func removeGate() async throws {
    let person = Typist("blue kettle")
    let store = makeStore(.gate) {
      person.answers(in: &$0)
      $0.authClient.updateGate = { (new: Gate?) async throws(ClientError) in
        #expect(new == nil)
        try person.requirePassphrase(for: .changeGate)
      }
    }
    let row = try place(of: .removeGate, store)
    await store.send(.rowOpened(row)) { $0.position.selected = row }
    await store.receive(.gateRemoved) { $0.notice = "Your passphrase gate is removed." }
    #expect(person.asked == [.passphrase(.changeGate)])
  }
}

@MainActor @Suite struct PasswordFeatureTests {
  private func makeStore(
    _ task: PasswordFeature.Task, _ texts: [PasswordFeature.Field: String],
    prepare: (inout DependencyValues) -> Void
  ) -> TestStoreOf<PasswordFeature> {
    var state = PasswordFeature.State(task)
    for (field, text) in texts {
      state.form[field].apply(.insertSecurely(SecureText(text)))
    }
    return TestStore(initialState: state) {
      PasswordFeature()
    } withDependencies: {
      $0.dateClient = .constant(Sample.now)
      prepare(&$0)
    }
  }

  private func save(_ store: TestStoreOf<PasswordFeature>) async {
    await store.send(.form(.saveButtonTapped)) {
      _ = $0.form.apply(.saveButtonTapped, validate: $0.validation)
    }
  }

  @Test("AUTH-1: changing the password sends the current and the new password")
  func change() async {
    let store = makeStore(
      .change, [.current: "correct horse", .new: "battery staple", .repetition: "battery staple"]
    ) {
      $0.authClient.updatePassword = {
        (current: Secret<String>?, new: Secret<String>?)
          async throws(ClientError)
        in
        #expect(current?.value == "correct horse" && new?.value == "battery staple")
      }
    }
    await save(store)
    await store.receive(.saved(Done())) { $0.form.saved() }
  }

  @Test("AUTH-1: a password that is too short or isn't repeated correctly isn't sent")
  func rules() async {
    let store = makeStore(.set, [.new: "short", .repetition: "shorter"]) { _ in }
    await save(store)
    #expect(store.state.form.errors == [.new: .passwordLength(5), .repetition: .repetition])
  }

  @Test(
    "AUTH-1: a password that can't be removed shows why",
    arguments: [
      (
        ClientError.accountExists,
        "Only the first account created here can do without a password."
      ),
      (.invalidCredentials, "The password is wrong."),
    ])
  func remove(error: ClientError, words: String) async {
    let store = makeStore(.remove, [.current: "correct horse"]) {
      $0.authClient.updatePassword = {
        (current: Secret<String>?, new: Secret<String>?)
          async throws(ClientError)
        in
        #expect(current?.value == "correct horse" && new == nil)
        throw error
      }
    }
    await save(store)
    await store.receive(.saveFailed(error)) {
      $0.form.failed(PasswordFeature().text(of: error))
    }
    #expect(store.state.form.failure?.description == words)
  }
}

@MainActor @Suite struct GateFormFeatureTests {
  private func makeStore(
    hasGate: Bool, _ texts: [GateFormFeature.Field: String],
    prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<GateFormFeature> {
    var state = GateFormFeature.State(hasGate: hasGate)
    for (field, text) in texts { state.form[field].apply(.insertSecurely(SecureText(text))) }
    return TestStore(initialState: state) {
      GateFormFeature()
    } withDependencies: {
      $0.dateClient = .constant(Sample.now)
      prepare(&$0)
    }
  }

  nonisolated private static let typed: [GateFormFeature.Field: String] = [
    .passphrase: "blue kettle", .repetition: "blue kettle", .duress: "green kettle",
    .duressRepetition: "green kettle",
  ]
  nonisolated private static let gate = Gate(
    passphrase: Secret("blue kettle"), duress: Secret("green kettle"))

  @Test("CHK-3: the first gate is set at once, with its duress passphrase")
  func set() async {
    let store = makeStore(hasGate: false, Self.typed) {
      $0.authClient.updateGate = {
        (new: Gate?) async throws(ClientError) in
        #expect(new == Self.gate)
      }
    }
    await store.send(.form(.saveButtonTapped)) {
      _ = $0.form.apply(.saveButtonTapped, validate: $0.validation)
    }
    await store.receive(.saved) { $0.form.saved() }
  }

  @Test("CHK-3: changing the gate asks for the current passphrase")
  func change() async {
    let person = Typist("red kettle")
    let store = makeStore(hasGate: true, Self.typed) {
      person.answers(in: &$0)
      $0.authClient.updateGate = { (new: Gate?) async throws(ClientError) in
        #expect(new == Self.gate)
        try person.requirePassphrase(for: .changeGate)
      }
    }
    await store.send(.form(.saveButtonTapped)) {
      _ = $0.form.apply(.saveButtonTapped, validate: $0.validation)
    }
    await store.receive(.saved) { $0.form.saved() }
    #expect(person.asked == [.passphrase(.changeGate)])
  }

  @Test("CHK-3: the passphrase and the duress passphrase must differ, and each must be repeated")
  func rules() async {
    let store = makeStore(
      hasGate: false,
      [.passphrase: "blue kettle", .repetition: "blue", .duress: "Blue Kettle"])
    await store.send(.form(.saveButtonTapped)) {
      _ = $0.form.apply(.saveButtonTapped, validate: $0.validation)
    }
    #expect(
      store.state.form.errors == [
        .repetition: .repetition, .duress: .passphrasesAlike, .duressRepetition: .repetition,
      ])
  }
}

@MainActor @Suite struct SilentAlertFeatureTests {
  nonisolated private static let alert = Alert(
    id: Sample.id(80), kind: .duress, raisedAt: Sample.now - .hours(1))

  private func makeStore(
    prepare: (inout DependencyValues) -> Void
  ) -> TestStoreOf<SilentAlertFeature> {
    var state = SilentAlertFeature.State()
    state.passphrase.apply(.insertSecurely(SecureText("blue kettle")))
    return TestStore(initialState: state) {
      SilentAlertFeature()
    } withDependencies: {
      $0.dateClient = .constant(Sample.now)
      prepare(&$0)
    }
  }

  @Test("CHK-3: the passphrase shows a silent alert that is on and can end the alert")
  func end() async {
    let store = makeStore {
      $0.authClient.silentAlert = { () async throws(ClientError) in
        #expect(TypedSecrets.passphrase(for: .endSilentAlert)?.value == "blue kettle")
        return Self.alert
      }
      $0.authClient.endSilentAlert = { () async throws(ClientError) in
        #expect(TypedSecrets.passphrase(for: .endSilentAlert)?.value == "blue kettle")
      }
    }
    // An alert can be ended only after it was found.
    await store.send(.endButtonTapped)
    await store.send(.lookButtonTapped) { $0.request.isRunning = true }
    await store.receive(.found(Self.alert)) {
      $0.request.isRunning = false
      $0.answer = .on(Self.alert)
    }
    await store.send(.endButtonTapped) { $0.request.isRunning = true }
    await store.receive(.ended) {
      $0.request.isRunning = false
      $0.answer = .ended
    }
  }

  @Test("CHK-3: if no silent alert is on, the check says so")
  func none() async {
    let store = makeStore {
      $0.authClient.silentAlert = { () async throws(ClientError) in nil }
    }
    await store.send(.lookButtonTapped) { $0.request.isRunning = true }
    await store.receive(.found(nil)) {
      $0.request.isRunning = false
      $0.answer = SilentAlertFeature.Answer.none
    }
  }

  @Test("CHK-3: a wrong passphrase shows an error and empties the field")
  func wrong() async {
    let store = makeStore {
      $0.authClient.silentAlert = { () async throws(ClientError) in
        throw .gate(.wrong)
      }
    }
    await store.send(.lookButtonTapped) { $0.request.isRunning = true }
    await store.receive(.failed(.gate(.wrong))) {
      $0.request.isRunning = false
      $0.passphrase = .secret
      $0.request.failure = Failure(GateError.wrong.text)
    }
  }
}

@MainActor @Suite struct DeletionFeatureTests {
  private func makeStore(
    _ locks: User.Locks, _ texts: [DeletionFeature.Field: String],
    prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<DeletionFeature> {
    var state = DeletionFeature.State(snapshot: SecurityFeatureTests.snapshot(locks))
    for (field, text) in texts { state.form[field].apply(.insert(text)) }
    return TestStore(initialState: state) {
      DeletionFeature()
    } withDependencies: {
      $0.dateClient = .constant(Sample.now)
      prepare(&$0)
    }
  }

  @Test("AUTH-4: the account isn't deleted unless its full name is typed")
  func confirmation() async {
    let store = makeStore([], [.name: "ada"])
    await store.sendToForm(.saveButtonTapped) { .form($0) }
    #expect(store.state.form.errors == [.name: .confirmation("Ada Lovelace")])
    #expect(!store.state.form.isSaving)
  }

  @Test("AUTH-4: the typed name, password and passphrase delete the account")
  func delete() async {
    let person = Typist("blue kettle")
    let store = makeStore(
      [.password, .gate], [.name: " Ada Lovelace ", .password: "correct horse"]
    ) {
      person.answers(in: &$0)
      $0.authClient.deleteAccount = { (password: Secret<String>?) async throws(ClientError) in
        #expect(password?.value == "correct horse")
        try person.requirePassphrase(for: .deleteAccount)
      }
    }
    #expect(store.state.form.shown == [.name, .password])
    await store.sendToForm(.saveButtonTapped) { .form($0) }
    #expect(store.state.form.isSaving)
    await store.receive(.deleted)
    #expect(person.asked == [.passphrase(.deleteAccount)])
  }

  @Test("AUTH-4: a wrong password shows an error instead of deleting the account")
  func wrongPassword() async {
    let store = makeStore(.password, [.name: "Ada Lovelace", .password: "wrong"]) {
      $0.authClient.deleteAccount = {
        (_: Secret<String>?) async throws(ClientError) in
        throw .invalidCredentials
      }
    }
    await store.sendToForm(.saveButtonTapped) { .form($0) }
    await store.receive(.deletionFailed(.invalidCredentials)) { $0.form.failed(.wrongPassword) }
    #expect(store.state.form.failure?.description == "The password is wrong.")
  }
}
