import Clients
import Composable
import ComposableTesting
import Domain
import Terminal
import Testing

@testable import Features

@MainActor @Suite struct AuthenticationFeatureTests {
  let clock = TestClock()

  func makeStore(
    _ state: AuthenticationFeature.State = .init(email: "ada@example.org"),
    prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<AuthenticationFeature> {
    TestStore(initialState: state) {
      AuthenticationFeature()
    } withDependencies: {
      $0.continuousClock = clock
      $0.dateClient = .constant(Sample.now)
      prepare(&$0)
    }
  }

  /// Types into a secure field.
  private func enter(
    _ text: String, _ field: AuthenticationFeature.Field,
    _ store: TestStoreOf<AuthenticationFeature>
  ) async {
    await store.send(.form(.edited(field, .insertSecurely(SecureText(text))))) {
      _ = $0.form.apply(
        .edited(field, .insertSecurely(SecureText(text))), validate: AuthenticationFeature.validate)
    }
  }

  private static func authenticate(_ state: inout AuthenticationFeature.State) {
    _ = state.form.apply(.saveButtonTapped, validate: AuthenticationFeature.validate)
    state.notice = nil
  }

  @Test(
    "AUTH-1, AUTH-2: e-mail and password sign in, and the form is busy until the answer")
  func signIn() async {
    let store = makeStore {
      $0.authClient.signIn = { [clock] (credentials: Credentials) async throws(ClientError) in
        #expect(credentials.email == "ada@example.org")
        #expect(credentials.password.value == "correct horse")
        try? await clock.sleep(for: .milliseconds(200))
        return Sample.user.id
      }
    }
    await enter("correct horse", .password, store)
    await store.send(.continueButtonTapped) { Self.authenticate(&$0) }
    #expect(store.state.form.isSaving)
    await clock.advance(by: .milliseconds(200))
    await store.receive(.signedIn(Sample.user.id))
  }

  @Test("AUTH-1: a wrong password shows an error and empties the password field")
  func wrongPassword() async {
    let store = makeStore {
      $0.authClient.signIn = { (_: Credentials) async throws(ClientError) in
        throw .invalidCredentials
      }
    }
    await enter("wrong", .password, store)
    await store.send(.continueButtonTapped) { Self.authenticate(&$0) }
    await store.receive(.failed(.invalidCredentials)) {
      $0.form.failed(ClientError.invalidCredentials.text)
      $0.form[.password] = .secret
      $0.form.touched.remove(.password)
    }
    await store.send(.backButtonTapped) { $0.form.failure = nil }
    // After that, there is nothing to go back to.
    await store.send(.backButtonTapped)
  }

  @Test("AUTH-3: a locked sign-in says until when, and Enter tries again")
  func locked() async {
    let end = Sample.now + .minutes(1)
    let store = makeStore {
      $0.authClient.signIn = { (_: Credentials) async throws(ClientError) in
        throw .tooManyAttempts(until: end)
      }
    }
    for _ in 1...2 {
      await store.send(.continueButtonTapped) { Self.authenticate(&$0) }
      await store.receive(.failed(.tooManyAttempts(until: end))) {
        $0.form.failed(
          ErrorText(
            "TOO_MANY_ATTEMPTS", "Too many wrong passwords.",
            recovery: "Try again today 08:01.", isRetryable: true))
      }
    }
  }

  @Test("AUTH-1: signing up checks the credentials before the onboarding")
  func signUp() async {
    let store = makeStore(.init()) {
      $0.authClient.checkSignUp = { (_: Credentials) async throws(ClientError) in }
    }
    await store.send(.signUpButtonTapped) { $0.show(.signUp) }
    #expect(store.state.form.shown == [.email, .password, .repetition])
    await store.send(.form(.edited(.email, .insert("bo@example.org")))) {
      $0.form[.email].apply(.insert("bo@example.org"))
    }
    await store.send(.continueButtonTapped) {
      $0.form.advance(AuthenticationFeature.validate)
    }
    await enter("four random words", .password, store)
    await store.send(.continueButtonTapped) {
      $0.form.advance(AuthenticationFeature.validate)
    }
    await enter("four random word", .repetition, store)
    await store.send(.continueButtonTapped) { Self.authenticate(&$0) }
    #expect(store.state.form.errors == [.repetition: .repetition])
    await enter("s", .repetition, store)
    await store.send(.continueButtonTapped) { Self.authenticate(&$0) }
    let credentials = Credentials(
      email: "bo@example.org", password: Secret("four random words"))
    await store.receive(.signUpChecked(credentials)) { $0.form.saved() }
  }

  @Test(
    "CON-2: signing up by an invitation first shows the offered role and asks to accept it",
    arguments: [Roles.responder, .dependent])
  func invited(_ roles: Roles) async {
    let offer = InvitationOffer(name: "Ida", roles: roles)
    let store = makeStore(.init(mode: .signUp, host: .server(name: "family.example"))) {
      $0.invitationClient.setInvitation = { (typed: String) async throws(ClientError) in
        guard typed == "lifesignal://join/family.example/abc" else { throw .inviteRequired }
      }
      $0.authClient.checkSignUp = { (_: Credentials) async throws(ClientError) in }
      $0.invitationClient.offer = { () async throws(ClientError) in offer }
    }
    #expect(store.state.form.shown == [.invitation, .email, .password, .repetition])
    #expect(store.state.form.focus == .invitation)
    await store.send(.form(.edited(.email, .insert("bo@example.org")))) {
      $0.form[.email].apply(.insert("bo@example.org"))
    }
    for field in [AuthenticationFeature.Field.password, .repetition] {
      await enter("four random words", field, store)
    }
    await store.send(.form(.focused(.repetition))) {
      _ = $0.form.apply(.focused(.repetition), validate: AuthenticationFeature.validate)
    }
    await store.send(.continueButtonTapped) { Self.authenticate(&$0) }
    await store.receive(.failed(.inviteRequired)) {
      $0.form.failed(ClientError.inviteRequired.text)
    }
    let link = "lifesignal://join/family.example/abc"
    await store.send(.form(.edited(.invitation, .insert(link)))) {
      _ = $0.form.apply(
        .edited(.invitation, .insert(link)), validate: AuthenticationFeature.validate)
    }
    for isAccepted in [false, true] {
      await store.send(.continueButtonTapped) { Self.authenticate(&$0) }
      await store.receive(.offered(offer)) {
        $0.form.saved()
        $0.offer = offer
      }
      await store.send(isAccepted ? .offerAccepted : .offerDeclined) {
        $0.offer = nil
        if isAccepted, roles == .responder { $0.inviter = "Ida" }
      }
    }
    await store.receive(
      .signUpChecked(Credentials(email: "bo@example.org", password: Secret("four random words"))))
  }

  @Test("AUTH-1: a mailed code sets a new password, which then signs in")
  func forgotten() async {
    let store = makeStore {
      $0.authClient.sendPasswordReset = { (email: String) async throws(ClientError) in
        #expect(email == "ada@example.org")
      }
      $0.authClient.resetPassword = {
        (email: String, code: String, new: Secret<String>) async throws(ClientError) in
        #expect(email == "ada@example.org" && code == "K7QX2M9P" && new.value == "battery staple")
      }
      $0.authClient.signIn = { (credentials: Credentials) async throws(ClientError) in
        #expect(credentials.password.value == "battery staple")
        return Sample.user.id
      }
    }
    await store.send(.forgottenButtonTapped) { $0.show(.forgotten) }
    await store.send(.continueButtonTapped) { Self.authenticate(&$0) }
    await store.receive(.codeSent) {
      $0.form.saved()
      $0.show(.newPassword)
    }
    #expect(store.state.form.focus == .code)
    await store.send(.form(.edited(.code, .insert("K7QX2M9P")))) {
      $0.form[.code].apply(.insert("K7QX2M9P"))
    }
    await store.send(.form(.nextField)) {
      _ = $0.form.apply(.nextField, validate: AuthenticationFeature.validate)
    }
    await enter("battery staple", .password, store)
    await store.send(.form(.nextField)) {
      _ = $0.form.apply(.nextField, validate: AuthenticationFeature.validate)
    }
    await enter("battery staple", .repetition, store)
    await store.send(.continueButtonTapped) { Self.authenticate(&$0) }
    await store.receive(.signedIn(Sample.user.id))
  }

  @Test("AUTH-5: “This wasn't me” undoes the change and leads to a password reset")
  func notMe() async {
    let store = makeStore {
      $0.authClient.takeBack = { (code: String) async throws(ClientError) in
        guard code == "K7QX2M9P" else { throw .resetCodeInvalid }
      }
    }
    await store.send(.notMeButtonTapped) { $0.show(.notMe) }
    #expect(store.state.form.focus == .code)
    await store.send(.continueButtonTapped) { Self.authenticate(&$0) }
    await store.receive(.failed(.resetCodeInvalid)) {
      $0.form.failed(ClientError.resetCodeInvalid.text)
    }
    await store.send(.form(.edited(.code, .insert("K7QX2M9P")))) {
      _ = $0.form.apply(
        .edited(.code, .insert("K7QX2M9P")), validate: AuthenticationFeature.validate)
      $0.form.failure = nil
    }
    await store.send(.continueButtonTapped) { Self.authenticate(&$0) }
    await store.receive(.takenBack) {
      $0.form.saved()
      $0.show(.forgotten)
      $0.notice = "The change is undone and all sessions have ended. Reset your password now."
    }
    #expect(store.state.form[.email].text == "ada@example.org")
    await store.finish()
  }

  @Test("Esc returns to sign-in, keeps the e-mail address and clears the password")
  func back() async {
    let store = makeStore()
    await store.send(.signUpButtonTapped) { $0.show(.signUp) }
    await enter("four random words", .password, store)
    await store.send(.backButtonTapped) { $0.show(.signIn) }
    #expect(store.state.form[.password].isEmpty)
    #expect(store.state.form[.email].text == "ada@example.org")
  }
}
