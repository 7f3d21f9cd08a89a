import Clients
import Composable
import ComposableTesting
import Domain
import Terminal
import Testing

@testable import Features

/// Which screen the user gets, and how a session ends (AUTH-2).
@MainActor @Suite struct SessionTests {
  let clock = TestClock()

  func makeStore(
    _ state: AppFeature.State = .init(), prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<AppFeature> {
    .app(state, on: clock) {
      AppFeatureTests.quiet(&$0)
      prepare(&$0)
    }
  }

  let signedIn = AppFeature.State.signedIn()

  @Test("AUTH-2: a signed-out user gets the sign-in screen and, after signing in, the tabs")
  func signIn() async {
    let state = LockedState(.signedOut)
    let store = makeStore {
      $0.authClient.state = { () async throws(ClientError) in state.value }
      $0.authClient.signIn = { (_: Credentials) async throws(ClientError) in
        state.value = .signedIn(Sample.user.id)
        return Sample.user.id
      }
      $0.userClient.currentUser = { () async throws(ClientError) in Sample.user }
    }
    await store.send(.started)
    await store.receive(.signInNeeded(email: nil, notice: nil)) {
      $0.authentication = AuthenticationFeature.State()
    }
    store.exhaustivity = .off  // The sign-in screen has tests of its own.
    await store.send(.authentication(.form(.edited(.email, .insert("ada@example.org")))))
    await store.send(.authentication(.form(.focused(.password))))
    await store.send(.authentication(.continueButtonTapped))
    await store.receive(.authentication(.signedIn(Sample.user.id)))
    await store.receive(.accountFound(Sample.user))
    #expect(store.state.authentication == nil && store.state.main != nil)
    await store.skipInFlightEffects()
  }

  @Test(
    "AUTH-2: signing in on one terminal moves the machine's other terminals to the tabs")
  func signedInElsewhere() async {
    let state = LockedState(.signedOut)
    let store = makeStore {
      $0.authClient.state = { () async throws(ClientError) in state.value }
      $0.userClient.currentUser = { () async throws(ClientError) in Sample.user }
    }
    await store.send(.started)
    await store.receive(.signInNeeded(email: nil, notice: nil)) {
      $0.authentication = AuthenticationFeature.State()
    }
    state.value = .signedIn(Sample.user.id)
    await store.send(.authStateChanged(.signedIn(Sample.user.id)))
    await store.receive(.accountFound(Sample.user)) {
      $0.authentication = nil
      $0.main = .opened()
    }
    await store.skipInFlightEffects()
  }

  @Test("AUTH-2: the running app follows sessions that begin or end elsewhere")
  func followsTheState() async {
    let (states, elsewhere) = AsyncThrowingStream<AuthState, any Error>.makeStream()
    let state = LockedState(.signedOut)
    let store = makeStore {
      $0.authClient.state = { () async throws(ClientError) in state.value }
      $0.authClient.observeState = { states }
      $0.userClient.currentUser = { () async throws(ClientError) in Sample.user }
    }
    await store.send(.started)
    await store.receive(.signInNeeded(email: nil, notice: nil)) {
      $0.authentication = AuthenticationFeature.State()
    }
    state.value = .signedIn(Sample.user.id)
    elsewhere.yield(state.value)
    await store.receive(.authStateChanged(.signedIn(Sample.user.id)))
    await store.receive(.accountFound(Sample.user)) {
      $0.authentication = nil
      $0.main = .opened()
    }
    state.value = .signedOut
    elsewhere.yield(.signedOut)
    await store.receive(.authStateChanged(.signedOut)) { $0.main = nil }
    let notice = "You have been signed out: the session expired or was ended on another device."
    await store.receive(.signInNeeded(email: nil, notice: notice)) {
      $0.authentication = AuthenticationFeature.State(notice: notice)
    }
    await store.skipInFlightEffects()
  }

  @Test("AUTH-2: a sign-in elsewhere doesn't interrupt signing in or signing up here")
  func signedInElsewhereWhileBusy() async {
    var busy = AppFeature.State()
    busy.authentication = AuthenticationFeature.State()
    busy.authentication?.form.isSaving = true
    var further = AppFeature.State()
    further.authentication = AuthenticationFeature.State()
    further.onboarding = OnboardingFeature.State(calendar: .utc)
    for state in [AppFeature.State(), busy, further] {
      await makeStore(state).send(.authStateChanged(.signedIn(Sample.user.id)))
    }
  }

  @Test(
    "AUTH-2: the app counts as authenticating at its start and while a sign-in is running"
  )
  func signInState() {
    var state = AppFeature.State()
    #expect(state.signInState == .authenticating)
    state.authentication = AuthenticationFeature.State()
    #expect(state.signInState == .unauthenticated)
    state.authentication?.form.isSaving = true
    #expect(state.signInState == .authenticating)
    state.authentication = nil
    state.onboarding = OnboardingFeature.State(calendar: .utc)
    #expect(state.signInState == .unauthenticated)
    state.onboarding?.form.isSaving = true
    #expect(state.signInState == .authenticating)
    #expect(AppFeature.State.signedIn().signInState == .authenticated)
  }

  @Test("AUTH-1: a program started for an e-mail address fills in the address at sign-in")
  func requestedAddress() async {
    for state in [AuthState.newcomer, .signedOut] {
      let store = makeStore {
        $0.authClient.state = { () async throws(ClientError) in state }
        $0.authClient.requestedAddress = { "bo@example.org" }
      }
      await store.send(.started)
      await store.receive(.signInNeeded(email: "bo@example.org", notice: nil)) {
        $0.authentication = AuthenticationFeature.State(email: "bo@example.org")
      }
      #expect(store.state.authentication?.form.focus == .password)
    }
  }

  @Test("AUTH-1: signing up continues with onboarding, and Back returns to signing up")
  func signUp() async {
    let credentials = Credentials(email: "bo@example.org", password: Secret("four random words"))
    var state = AppFeature.State()
    state.authentication = AuthenticationFeature.State(mode: .signUp)
    state.authentication?.inviter = "Ida"
    let store = makeStore(state)
    await store.send(.authentication(.signUpChecked(credentials))) {
      $0.onboarding = OnboardingFeature.State(
        calendar: .utc, credentials: credentials, inviter: "Ida")
    }
    await store.send(.onboarding(.backButtonTapped))
    await store.receive(.onboarding(.left)) { $0.onboarding = nil }
    await store.send(.authentication(.signUpChecked(credentials))) {
      $0.onboarding = OnboardingFeature.State(
        calendar: .utc, credentials: credentials, inviter: "Ida")
    }
    await store.send(.onboarding(.finished(Sample.user)))
    await store.receive(.accountFound(Sample.user)) {
      $0.onboarding = nil
      $0.authentication = nil
      $0.main = .opened()
    }
    await store.skipInFlightEffects()
  }

  @Test("AUTH-1: the onboarding of a further account uses the e-mail address of its sign-up")
  func credentialsInTheOnboarding() async {
    let credentials = Credentials(email: "bo@example.org", password: Secret("four random words"))
    var state = OnboardingFeature.State(calendar: .utc, credentials: credentials)
    state.form[.name] = TextInput("Bo", limit: 200)
    state.show(.interval)
    #expect(state.form.shown == [.interval, .reminder])
    #expect(state.account?.credentials == credentials)
    #expect(state.account?.profile.email == "bo@example.org")
  }

  @Test("AUTH-2: a stream that fails because nobody is signed in ends the session")
  func endsByAStream() async {
    let state = LockedState(.signedIn(Sample.user.id))
    let store = makeStore {
      $0.authClient.state = { () async throws(ClientError) in state.value }
      $0.userClient.currentUser = { () async throws(ClientError) in Sample.user }
      $0.contactsClient.observe = {
        state.value = .signedOut
        return AsyncThrowingStream { $0.finish(throwing: ClientError.notAuthenticated) }
      }
    }
    await store.send(.started)
    await store.receive(.accountFound(Sample.user)) { $0.main = .opened() }
    await store.receive(.sessionEnded) { $0.main = nil }
    let notice = "You have been signed out: the session expired or was ended on another device."
    await store.receive(.signInNeeded(email: nil, notice: notice)) {
      $0.authentication = AuthenticationFeature.State(notice: notice)
    }
  }

  @Test(
    "AUTH-2: a session that ends elsewhere clears the loaded data and shows the sign-in",
    arguments: [
      AppFeature.Action.authStateChanged(.signedOut),
      .sessionEnded,
    ])
  func endsElsewhere(action: AppFeature.Action) async {
    let store = makeStore(signedIn) {
      $0.authClient.state = { () async throws(ClientError) in .signedOut }
    }
    await store.send(.authStateChanged(.signedIn(Sample.user.id)))
    let notice = "You have been signed out: the session expired or was ended on another device."
    await store.send(action) { $0.main = nil }
    await store.receive(.signInNeeded(email: nil, notice: notice)) {
      $0.authentication = AuthenticationFeature.State(notice: notice)
    }
    // Late news from the streams is ignored.
    await store.send(.authStateChanged(.signedOut))
    await store.send(.sessionEnded)
    await store.send(.changed(.failed(.alerts, StorageError.busy.text)))
  }

  @Test(
    "AUTH-2: a sign-out because registration is closed shows this reason at sign-in",
    arguments: [
      (ClientError.registrationClosed, true), (.sessionExpired, false), (.notAuthenticated, false),
      (.storage(.network(.serverUnreachable("family.example"))), false),
    ], [true, false])
  func refused(_ refusal: (error: ClientError, isSaid: Bool), isRaising: Bool) async {
    var state = signedIn
    if isRaising { state.main?.emergency.begin(.init(Sample.alert.id, secondsLeft: 3)) }
    let store = makeStore(state) {
      $0.accountHost = .server(name: "family.example")
      $0.authClient.state = { () async throws(ClientError) in .signedOut }
      $0.userClient.currentUser = { () async throws(ClientError) in throw refusal.error }
    }
    let ended =
      isRaising
      ? "You have been signed out, and your alert was NOT raised. Call for help yourself."
      : "You have been signed out: the session expired or was ended on another device."
    let reason = refusal.error.text.sentence
    let notice = !refusal.isSaid ? ended : isRaising ? "\(ended) \(reason)" : reason
    await store.send(.sessionEnded) { $0.main = nil }
    await store.receive(.signInNeeded(email: nil, notice: notice)) {
      $0.authentication = AuthenticationFeature.State(
        notice: notice, host: .server(name: "family.example"))
    }
  }

  @Test("AUTH-2: when a session ends, its streams end too")
  func streamsEnd() async {
    let state = LockedState(.signedIn(Sample.user.id))
    let store = makeStore {
      $0.authClient.state = { () async throws(ClientError) in state.value }
      $0.userClient.currentUser = { () async throws(ClientError) in Sample.user }
      // It runs as long as the app.
      $0.authClient.observeState = { .finished() }
    }
    await store.send(.started)
    await store.receive(.accountFound(Sample.user)) { $0.main = .opened() }
    state.value = .signedOut
    await store.send(.authStateChanged(.signedOut)) { $0.main = nil }
    let notice = "You have been signed out: the session expired or was ended on another device."
    await store.receive(.signInNeeded(email: nil, notice: notice)) {
      $0.authentication = AuthenticationFeature.State(notice: notice)
    }
    // Fails if an effect is still running.
    await store.finish()
  }

  @Test("AUTH-2: a session that ends while an alert is being raised says the alert was NOT raised")
  func endsWhileRaising() async {
    var state = signedIn
    state.main?.emergency.begin(.init(Sample.alert.id, secondsLeft: 3))
    let store = makeStore(state) {
      $0.authClient.state = { () async throws(ClientError) in .signedOut }
    }
    let notice = "You have been signed out, and your alert was NOT raised. Call for help yourself."
    await store.send(.authStateChanged(.signedOut)) { $0.main = nil }
    await store.receive(.signInNeeded(email: nil, notice: notice)) {
      $0.authentication = AuthenticationFeature.State(notice: notice)
    }
  }

  @Test("AUTH-2: signing out says that the deadline keeps running")
  func signOut() async {
    var state = signedIn
    state.main?[SecurityFeature.self] = SecurityFeature.State(snapshot: Sample.snapshot())
    state.main?[SecurityFeature.self]?.sessionEndReason = .signOut
    let store = makeStore(state) {
      $0.authClient.state = { () async throws(ClientError) in .signedOut }
    }
    let notice = "You have signed out. Your deadline keeps running."
    await store.send(.main(.sheet(SecurityFeature.self, .signedOut))) { $0.main = nil }
    await store.receive(.signInNeeded(email: nil, notice: notice)) {
      $0.authentication = AuthenticationFeature.State(notice: notice)
    }
  }

  @Test(
    "CHK-3: with a gate every check-in starts a monitor, without a gate none does",
    arguments: [
      (["blue kettle"], nil, 1), (["green kettle"], nil, 1),
      (["red kettle", "blue kettle"], nil, 2),
      (["blue kettle"], ClientError.storage(.full), 1), ([], nil, 0),
    ] as [([String], ClientError?, Int)])
  func watchedBehindTheGate(typed: [String], error: ClientError?, starts: Int) async {
    let (counter, person) = (LockedCounter(), Typist(typed))
    let store = makeStore(.signedIn(Sample.snapshot())) {
      person.answers(in: &$0)
      $0.watchClient.start = { () async throws(StorageError) in counter.increment() }
      $0.checkInClient.checkIn = { (_: CheckIn.Source) async throws(ClientError) in
        if !typed.isEmpty {
          try person.requirePassphrase("blue kettle", "green kettle", for: .checkIn)
        }
        if let error { throw error }
        return Sample.user
      }
    }
    store.exhaustivity = .off  // The toast of a check-in has tests of its own.
    await store.send(.main(.checkIn(.checkInButtonTapped)))
    if let error {
      await store.receive(.main(.checkIn(.checkInFailed(error))))
    } else {
      await store.receive(.main(.checkIn(.checkedIn(Sample.user))))
      await store.skipInFlightEffects()
    }
    #expect(counter.value == starts)
  }

  @Test("AUTH-4: after the first account is deleted, the app starts with an empty onboarding")
  func deleted() async {
    var state = signedIn
    state.main?[SecurityFeature.self] = SecurityFeature.State(snapshot: Sample.snapshot())
    state.main?[DeletionFeature.self] = DeletionFeature.State(snapshot: Sample.snapshot())
    state.main?[DeletionFeature.self]?.form.isSaving = true
    let store = makeStore(state) {
      $0.authClient.state = { () async throws(ClientError) in .newcomer }
    }
    await store.send(.main(.sheet(DeletionFeature.self, .deleted, id: 1))) { $0.main = nil }
    await store.receive(.accountMissing) {
      $0.onboarding = OnboardingFeature.State(calendar: .utc)
    }
  }
}
