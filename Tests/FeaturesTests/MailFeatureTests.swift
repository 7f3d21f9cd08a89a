import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Terminal
import Testing

@testable import Features

@MainActor @Suite struct MailFeatureTests {
  nonisolated static let smtp = SMTPSettings(
    host: "smtp.example.org", port: 587, security: .starttls, username: "ada@example.org",
    from: "ada@example.org")

  nonisolated static func report(_ state: DeliveryState, error: String? = nil) -> DeliveryReport {
    DeliveryReport(
      id: Sample.id(7), stage: .channelTest(Sample.id(7)), recipientID: .owner,
      recipient: "Ada Lovelace", channel: .email, address: "ada@example.org", state: state,
      date: Sample.now, error: error)
  }

  nonisolated static let sent = MailTestResult(report(.sent), .smtp(smtp))
  nonisolated static let refused = MailTestResult(
    report(
      .pending,
      error: "the mail server rejected the user name or password, at the login: 535 no such user"),
    .smtp(smtp))

  private func enter(
    _ text: String, into field: MailFeature.Field, of store: TestStoreOf<MailFeature>,
    changes: @escaping (inout MailFeature.State) -> Void = { _ in }
  ) async {
    await store.send(.form(.edited(field, .insert(text)))) {
      $0.form[field].apply(.insert(text))
      changes(&$0)
      $0.form.suggestions.remove(field)
    }
  }

  @Test(
    "ONB-4: mail setup finds the server by the address; saving sends a test and shows its result")
  func setUp() async {
    let channel = Sample.id(9)
    let retried = LockedCounter()
    let store = TestStore(initialState: MailFeature.State(address: nil)) {
      MailFeature()
    } withDependencies: {
      $0.continuousClock = ImmediateClock()
      $0.mailSettingsClient.settings = { () async throws(ClientError) in nil }
      $0.mailSettingsClient.save = {
        (smtp, password) async throws(ClientError) in
        #expect(smtp == Self.smtp)
        #expect(password == Secret("hunter2"))
      }
      $0.mailSettingsClient.test = { () async throws(ClientError) in Self.sent }
      $0.channelsClient.overview = { () async throws(ClientError) in
        ChannelOverview(own: [Channel(id: channel, kind: .email, address: "ada@example.org")])
      }
      // What waits for a refused login goes now.
      $0.watchClient.retryMail = { () async throws(StorageError) in _ = retried.increment() }
    }
    store.dependencies.keychainClient.source = { _ async throws(KeychainError) in nil }
    await store.send(.opened)
    await store.receive(.loaded(nil))
    await enter("ada@example.org", into: .address, of: store) { $0.suggest() }
    #expect(store.state.form[.server].text == "smtp.example.org")
    #expect(store.state.form[.username].text == "ada@example.org")
    await enter("hunter2", into: .password, of: store)
    await store.send(.form(.saveButtonTapped)) {
      $0.form.touched = Set(MailFeature.Field.allCases)
      $0.form.isSaving = true
    }
    await store.receive(.saved(Self.smtp)) {
      $0.form.isSaving = false
      $0.test = .sending
      $0.untestedAccount = Self.smtp
    }
    await store.receive(.tested(Self.sent)) {
      $0.test = .done(Self.sent)
      $0.untestedAccount = nil
    }
    // Moving the caret doesn't invalidate the test.
    await store.send(.form(.edited(.server, .move(.left)))) {
      $0.form[.server].apply(.move(.left))
      $0.form.touched.remove(.server)
      $0.form.suggestions.remove(.server)
    }
    #expect(store.state.isSent)
    // Enter closes the sheet once the account works.
    await store.send(.form(.saveButtonTapped))
    #expect(store.isDismissed)
  }

  /// A sheet whose account was saved but whose test message wasn't sent.
  private static var tried: MailFeature.State {
    var state = MailFeature.State(address: "ada@example.org")
    state.untestedAccount = smtp
    state.test = .done(refused)
    return state
  }

  @Test(
    "ONB-4: a mail account whose test failed is discarded unless the user keeps the account")
  func cancelling() async {
    let discarded = LockedCounter()
    let kept = LockedCounter()
    let added = LockedCounter()
    func makeStore(_ state: MailFeature.State) -> TestStoreOf<MailFeature> {
      TestStore(initialState: state) {
        MailFeature()
      } withDependencies: {
        $0.mailSettingsClient.discard = { () async throws(ClientError) in
          _ = discarded.increment()
        }
        // The monitor goes on testing what is kept.
        $0.channelsClient.sendTest = { id async throws(ClientError) in #expect(id == Sample.id(9)) }
        $0.mailSettingsClient.keep = { () async throws(ClientError) in _ = kept.increment() }
        // An address whose test failed becomes one of the person's channels only if it is kept.
        $0.channelsClient.overview = { () async throws(ClientError) in ChannelOverview() }
        $0.channelsClient.add = { (draft, contact) async throws(ClientError) in
          #expect(draft == ChannelDraft(.email, Self.smtp.from) && contact == nil)
          _ = added.increment()
          return NewChannel(
            channel: Channel(id: Sample.id(9), kind: .email, address: draft.address))
        }
        $0.watchClient.retryMail = { () async throws(StorageError) in }
      }
    }
    let cancelled = makeStore(Self.tried)
    await cancelled.send(.form(.closeButtonTapped))
    await cancelled.receive(.discarded)
    #expect(cancelled.isDismissed && discarded.value == 1)
    // Text typed after the test is discarded.
    let changed = makeStore(Self.tried)
    await enter("x", into: .password, of: changed) { $0.test = .none }
    await changed.send(.form(.closeButtonTapped)) { $0.form.isConfirmingDiscard = true }
    await changed.send(.form(.discardConfirmed))
    await changed.receive(.discarded)
    #expect(changed.isDismissed && discarded.value == 2)
    // While saving, there is nothing to discard yet.
    var saving = Self.tried
    saving.test = .none
    saving.form.isSaving = true
    let busy = makeStore(saving)
    await busy.send(.form(.closeButtonTapped))
    #expect(!busy.isDismissed && discarded.value == 2)
    let wanted = makeStore(Self.tried)
    #expect(added.value == 0 && kept.value == 0)
    await wanted.send(.keepButtonTapped)
    await wanted.receive(.kept)
    #expect(wanted.isDismissed && kept.value == 1 && discarded.value == 2 && added.value == 1)
    let untouched = makeStore(MailFeature.State(address: nil))
    await untouched.send(.form(.closeButtonTapped))
    #expect(untouched.isDismissed && discarded.value == 2)
  }

  @Test("Esc closes the mail form without a question if only suggested or saved values fill it")
  func untouched() async {
    for saved in [nil, MailTransport.smtp(Self.smtp)] {
      let store = TestStore(initialState: MailFeature.State(address: "ada@gmail.com")) {
        MailFeature()
      }
      #expect(store.state.form[.server].text == "smtp.gmail.com")
      if let saved {
        await store.send(.loaded(saved)) { $0.show(saved) }
      } else {
        await store.send(.loaded(nil))
      }
      #expect(store.state.saved == (saved == nil ? nil : Self.smtp))
      await store.send(.form(.closeButtonTapped))
      #expect(store.isDismissed)
    }
  }

  @Test("The mail form knows if a password is already saved")
  func passwordHint() async {
    let store = TestStore(initialState: MailFeature.State(address: nil)) {
      MailFeature()
    } withDependencies: {
      $0.mailSettingsClient.settings = { () async throws(ClientError) in nil }
      $0.keychainClient.source = { _ async throws(KeychainError) in .file(path: "secrets.json") }
    }
    await store.send(.opened)
    await store.receive(.loaded(nil))
    await store.receive(.passwordFound) { $0.hasPassword = true }
  }

  @Test("ONB-4: a refused test message shows what to do, such as using an app password")
  func plainWords() {
    #expect(Self.sent.text == "smtp.example.org accepted the test message to ada@example.org.")
    #expect(
      Self.refused.advice
        == "Check the user name and the password. Some providers need an app password.")
    var gmail = Self.smtp
    gmail.from = "ada@gmail.com"
    let advice = MailTestResult(
      Self.report(.pending, error: "the mail server rejected the user name or password, 535"),
      .smtp(gmail)
    ).advice
    #expect(advice?.contains("myaccount.google.com/apppasswords") == true)
    #expect(MailTestResult(nil, .smtp(Self.smtp)).advice?.contains("lifesignal monitor") == true)
  }

  @Test("ONB-4: an address typed key by key fills in the provider's mail server")
  func typedAddress() {
    var state = MailFeature.State(address: nil)
    for length in 1..."bo@gmail.com".count {
      state.form[.address] = TextInput(String("bo@gmail.com".prefix(length)), limit: 300)
      state.suggest()
    }
    #expect(state.form[.server].text == "smtp.gmail.com")
    #expect(state.form[.username].text == "bo@gmail.com")
  }

  @Test("A mail server that the user typed isn't replaced by a suggestion")
  func typedServer() {
    var state = MailFeature.State(address: nil)
    state.form[.server] = TextInput("mail.example.net:2525", limit: 300)
    state.form[.address] = TextInput("ada@gmail.com", limit: 300)
    state.suggest()
    #expect(state.form[.server].text == "mail.example.net:2525")
    state.show(.smtp(Self.smtp))
    #expect(state.settings == Self.smtp)
    #expect(state.form[.server].text == "smtp.example.org")
    // Whatever is to be changed, the keys lead through the fields from the first one.
    #expect(state.form.focus == .address)
  }

  @Test(
    "A new mail server keeps the CA only within its domain, the fingerprint only on its host",
    arguments: [
      ("smtp.example.org", true, true), ("mail.example.org", true, false),
      ("example.org", true, false), ("smtp.example.com", false, false),
      ("smtp.org", false, false),
    ])
  func details(server: String, keepsAuthority: Bool, keepsKey: Bool) {
    var saved = Self.smtp
    (saved.ehlo, saved.certificateAuthority) = ("ada.example.org", "/etc/own.pem")
    saved.fingerprint = String(repeating: "ab", count: 32)
    var state = MailFeature.State(address: nil)
    state.show(.smtp(saved))
    state.form[.server] = TextInput(server, limit: 300)
    #expect(state.settings?.ehlo == saved.ehlo)
    #expect((state.settings?.certificateAuthority == saved.certificateAuthority) == keepsAuthority)
    #expect((state.settings?.fingerprint == saved.fingerprint) == keepsKey)
  }

  @Test("ONB-4: if sendmail sends mail, the form says that saving uses a server instead")
  func sendmail() {
    var state = MailFeature.State(address: nil)
    state.show(.sendmail(SendmailSettings(path: "/usr/sbin/sendmail")))
    #expect(
      state.advice == "Mail is sent by /usr/sbin/sendmail now. Saving uses this server instead.")
    #expect(state.saved == nil)
  }

  @Test("CHK-3: mail settings aren't saved without the required passphrase")
  func gate() async {
    let store = TestStore(initialState: MailFeature.State(address: "ada@example.org")) {
      MailFeature()
    } withDependencies: {
      $0.mailSettingsClient.save = { _, _ async throws(ClientError) in
        throw .gate(.required)
      }
    }
    await store.send(.form(.saveButtonTapped)) {
      $0.form.touched = Set(MailFeature.Field.allCases)
      $0.form.isSaving = true
    }
    await store.receive(.failed(.gate(.required))) {
      $0.form.isSaving = false
      $0.form.failure = ClientError.gate(.required).text
    }
  }
}
