import Clients
import Composable
import ComposableTesting
import Domain
import Terminal
import Synchronization
import Testing

@testable import Features

@MainActor @Suite struct OnboardingFeatureTests {
  nonisolated static let topic = NtfyTopic(random: Array(0..<20))

  func makeStore(
    _ state: OnboardingFeature.State = .init(calendar: .utc),
    prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<OnboardingFeature> {
    TestStore(initialState: state) {
      OnboardingFeature()
    } withDependencies: {
      $0.storageClient.setDocument = {
        (path: DocumentPath, _, _) async throws(StorageError) in
        #expect(path == .firstMessage)
        return 1
      }
      $0.storageClient.deleteDocument = { (path: DocumentPath) async throws(StorageError) in
        #expect(path == .firstMessage)
      }
      prepare(&$0)
    }
  }

  func enter(
    _ text: String, into field: OnboardingFeature.Field,
    of store: TestStoreOf<OnboardingFeature>
  ) async {
    await store.send(.form(.edited(field, .insert(text)))) {
      $0.form[field].apply(.insert(text))
      $0.form.touched.remove(field)
      $0.form.errors[field] = nil
    }
  }

  @Test("ONB-1: onboarding takes four steps, from the name to the first responder")
  func fourSteps() async throws {
    let store = makeStore {
      $0.authClient.createAccount = { (account: NewAccount) async throws(ClientError) in
        #expect(account.profile.name == "Ada Lovelace")
        #expect(account.profile.phone == "+442071838750")
        #expect(account.profile.address == "4 Mill Lane, Ely")
        #expect(account.profile.note == "Penicillin")
        #expect(account.profile.email == "ada@example.org")
        #expect(account.interval == .standard)
        #expect(account.reminders == [.minutes(30)])
        #expect(
          account.responders == [
            ContactDraft(name: "Grace Hopper", email: "grace@navy.example", roles: .responder)
          ])
        return Sample.user
      }
      $0.mailSettingsClient.settings = { () async throws(ClientError) in nil }
      $0.channelsClient.newTopic = { () async throws(ClientError) in Self.topic }
    }
    await enter("Ada Lovelace", into: .name, of: store)
    await store.send(.continueButtonTapped) {
      $0.form.touched = [.name]
      $0.form.focus = .phone
    }
    await enter("+44 20 7183 8750", into: .phone, of: store)
    await store.send(.continueButtonTapped) {
      $0.form.touched = [.name, .phone]
      $0.form.focus = .address
    }
    await enter("4 Mill Lane, Ely", into: .address, of: store)
    await store.send(.continueButtonTapped) {
      $0.form.touched = [.name, .phone, .address]
      $0.show(.note)
    }
    #expect(store.state.form.focus == .note)
    await enter("Penicillin", into: .note, of: store)
    await store.send(.form(.nextField)) {
      $0.form.touched.insert(.note)
      $0.show(.interval)
    }
    await enter("24h", into: .interval, of: store)
    #expect(store.state.form[.interval].text == "24h", "typing replaces the suggestion")
    await store.send(.continueButtonTapped) {
      $0.form.touched.insert(.interval)
      $0.form.focus = .reminder
      $0.form[.reminder].apply(.selectAll)
    }
    await store.send(.continueButtonTapped) {
      $0.form.touched.insert(.reminder)
      $0.form.focus = .email
    }
    await enter("ada@example.org", into: .email, of: store)
    await store.send(.continueButtonTapped) {
      $0.form.touched.insert(.email)
      $0.show(.responder)
    }
    await store.receive(.topicMade(Self.topic)) { $0.suggest(Self.topic) }
    await enter("Grace Hopper", into: .responderName, of: store)
    await store.send(.continueButtonTapped) {
      $0.form.touched.insert(.responderName)
      $0.form.focus = .responderKind
    }
    await store.send(.continueButtonTapped) {
      $0.form.touched.insert(.responderKind)
      $0.form.focus = .responderAddress
      $0.form[.responderAddress].apply(.selectAll)
    }
    // A text with an @ can't be a topic.
    await store.send(.form(.edited(.responderAddress, .insert("grace@navy.example")))) {
      $0.form[.responderAddress] = TextInput(Self.topic.name, limit: 2_000)
      $0.choose(.email)
      $0.form[.responderAddress] = TextInput("grace@navy.example", limit: 2_000)
      $0.form.focus = .responderAddress
    }
    await store.send(.continueButtonTapped) {
      $0.form.touched.insert(.responderAddress)
      $0.form.isSaving = true
    }
    await store.receive(.accountCreated(Sample.user)) {
      $0.form.isSaving = false
      $0.firstMessage = FirstMessageFeature.State(
        user: Sample.user, responder: "Grace Hopper",
        channel: ChannelDraft(.email, "grace@navy.example"))
    }
    await store.receive(.firstMessage(.opened))
    await store.receive(.firstMessage(.settingsRead(nil))) { $0.firstMessage?.hasMail = false }
    await store.send(.firstMessage(.finishButtonTapped))
    await store.receive(.finished(Sample.user))
  }

  @Test("ONB-4: onboarding offers ntfy first, with a generated topic as the responder's address")
  func ntfyFirst() async throws {
    var state = OnboardingFeature.State(calendar: .utc)
    state.form[.name] = TextInput("Ada Lovelace", limit: 200)
    state.show(.interval)
    state.form.focus = .email
    let store = makeStore(state) {
      $0.channelsClient.newTopic = { () async throws(ClientError) in Self.topic }
      $0.authClient.createAccount = { (account: NewAccount) async throws(ClientError) in
        #expect(
          account.responders.map(\.channels) == [[ChannelDraft(.ntfy, Self.topic.address)]])
        return Sample.user
      }
    }
    await store.send(.continueButtonTapped) {
      $0.form.touched = [.interval, .reminder, .email]
      $0.show(.responder)
    }
    #expect(store.state.responderKind == .ntfy && OnboardingFeature.kinds.first == .ntfy)
    await store.receive(.topicMade(Self.topic)) { $0.suggest(Self.topic) }
    await enter("Grace Hopper", into: .responderName, of: store)
    await store.send(.continueButtonTapped) {
      $0.form.touched.insert(.responderName)
      $0.form.focus = .responderKind
    }
    await store.send(.continueButtonTapped) {
      $0.form.touched.insert(.responderKind)
      $0.form.focus = .responderAddress
      $0.form[.responderAddress].apply(.selectAll)
    }
    await store.send(.continueButtonTapped) {
      $0.form.touched.insert(.responderAddress)
      $0.form.isSaving = true
    }
    await store.receive(.accountCreated(Sample.user)) {
      $0.form.isSaving = false
      $0.firstMessage = FirstMessageFeature.State(
        user: Sample.user, responder: "Grace Hopper",
        channel: ChannelDraft(.ntfy, Self.topic.address))
    }
    await store.receive(.firstMessage(.opened))
    #expect(store.state.firstMessage?.topic == Self.topic)
  }

  @Test("ONB-4: the pending test message is stored before its step is shown")
  func rememberedFirst() async {
    let order = Mutex<[String]>([])
    var state = OnboardingFeature.State(calendar: .utc)
    state.form[.name] = TextInput("Ada Lovelace", limit: 200)
    state.form[.responderName] = TextInput("Grace Hopper", limit: 200)
    state.choose(.email)
    state.form[.responderAddress] = TextInput("grace@navy.example", limit: 2_000)
    state.form.focus = .responderAddress
    let store = makeStore(state) {
      $0.authClient.createAccount = { _ async throws(ClientError) in Sample.user }
      $0.storageClient.setDocument = { (_, _, _) async throws(StorageError) in
        for _ in 0..<100 { await Task.yield() }
        order.withLock { $0.append("remembered") }
        return 1
      }
      $0.mailSettingsClient.settings = { () async throws(ClientError) in
        order.withLock { $0.append("shown") }
        return nil
      }
    }
    store.exhaustivity = .off  // Only the order of the two calls matters.
    await store.send(.continueButtonTapped)
    await store.receive(.firstMessage(.settingsRead(nil)))
    #expect(order.withLock { $0 } == ["remembered", "shown"])
  }

  /// The onboarding at its last step, with Grace at the suggested topic.
  private func atFirstMessage() -> OnboardingFeature.State {
    var state = OnboardingFeature.State(calendar: .utc)
    state.form[.name] = TextInput("Ada Lovelace", limit: 200)
    state.show(.responder)
    state.suggest(Self.topic)
    state.form[.responderName] = TextInput("Grace Hopper", limit: 200)
    state.firstMessage = FirstMessageFeature.State(
      user: Sample.user, responder: "Grace Hopper",
      channel: ChannelDraft(.ntfy, Self.topic.address))
    return state
  }

  @Test("ONB-1, ONB-4: Back from the test message lets the user correct the first responder")
  func corrected() async {
    let store = makeStore(atFirstMessage()) {
      $0.contactsClient.contacts = { () async throws(ClientError) in [Sample.alan, Sample.grace] }
      $0.contactsClient.update = { (read, draft) async throws(ClientError) in
        #expect(
          read == Sample.grace
            && draft.channels == [ChannelDraft(.ntfy, "https://ntfy.sh/k7qm2x4v9b3hdfwp")])
        return read
      }
    }
    await store.send(.firstMessage(.backButtonTapped)) {
      $0.changeResponder()
    }
    #expect(store.state.firstMessage == nil && store.state.step == .responder)
    // Earlier steps are already stored, so Back returns to the first message.
    let message = store.state.created?.message
    await store.send(.backButtonTapped) {
      $0.created = nil
      $0.firstMessage = message
    }
    // An abandoned change leaves no trace.
    await store.send(.firstMessage(.backButtonTapped)) {
      $0.changeResponder()
    }
    await enter("x", into: .responderName, of: store)
    await store.send(.backButtonTapped) {
      $0.created = nil
      $0.firstMessage = message
    }
    await store.send(.firstMessage(.backButtonTapped)) {
      $0.changeResponder()
    }
    #expect(store.state.form[.responderName].text == "Grace Hopper")
    await store.send(.form(.focused(.responderAddress))) {
      $0.form.touched = [.responderName]
      $0.form.focus = .responderAddress
      $0.form[.responderAddress].apply(.selectAll)
    }
    await enter("k7qm2x4v9b3hdfwp", into: .responderAddress, of: store)
    await store.send(.continueButtonTapped) {
      $0.form.touched = [.responderName, .responderKind, .responderAddress]
      $0.form.isSaving = true
    }
    await store.receive(.accountCreated(Sample.user)) {
      $0.form.isSaving = false
      $0.firstMessage = FirstMessageFeature.State(
        user: Sample.user, responder: "Grace Hopper",
        channel: ChannelDraft(.ntfy, "https://ntfy.sh/k7qm2x4v9b3hdfwp"))
    }
    await store.receive(.firstMessage(.opened))
  }

  @Test(
    "ONB-1, ONB-4: a change of the first responder that got no answer can be repeated",
    arguments: ["Grace Hopper", "Grace", nil])
  func unanswered(stored: String?) async {
    let done = Mutex<[String]>([])
    let isAway = Mutex(true)
    var state = atFirstMessage()
    state.changeResponder()
    state.form[.responderName] = TextInput("Grace", limit: 200)
    state.form.focus = .responderAddress
    let store = makeStore(state) {
      $0.contactsClient.contacts = { () async throws(ClientError) in
        if isAway.withLock({ $0 }) { return [Sample.grace] }
        var contact = Sample.grace
        contact.name = stored ?? ""
        return stored == nil ? [] : [contact]
      }
      $0.contactsClient.update = { (read, draft) async throws(ClientError) in
        if isAway.withLock({ $0 }) { throw .storage(.network(.unanswered)) }
        done.withLock { $0.append("\(read.name) is \(draft.name)") }
        return read
      }
      $0.contactsClient.add = { (draft) async throws(ClientError) in
        done.withLock { $0.append("\(draft.name) is added") }
        return Sample.grace
      }
    }
    store.exhaustivity = .off  // Only what is stored in the end matters.
    await store.send(.continueButtonTapped)
    await store.receive(.creationFailed(.storage(.network(.unanswered))))
    isAway.withLock { $0 = false }
    await store.send(.form(.edited(.responderName, .insert(" H"))))
    await store.send(.form(.focused(.responderAddress)))
    await store.send(.continueButtonTapped)
    await store.receive(.accountCreated(Sample.user))
    #expect(done.withLock { $0 } == [stored.map { "\($0) is Grace H" } ?? "Grace H is added"])
  }

  @Test("ONB-1, ONB-4: removing the first responder works if the removal already happened")
  func removedUnanswered() async {
    var state = atFirstMessage()
    state.changeResponder()
    state.form[.responderName] = TextInput(limit: 200)
    state.form.focus = .responderAddress
    let store = makeStore(state) {
      $0.contactsClient.contacts = { () async throws(ClientError) in [] }
    }
    await confirmNoResponder(store)
  }

  /// Goes on without a first responder, until the onboarding is finished.
  private func confirmNoResponder(_ store: TestStoreOf<OnboardingFeature>) async {
    await store.send(.continueButtonTapped) {
      $0.form.touched = [.responderName, .responderKind, .responderAddress]
      $0.isConfirmingNoResponder = true
    }
    await store.send(.noResponderConfirmed) {
      $0.isConfirmingNoResponder = false
      $0.form.isSaving = true
    }
    await store.receive(.accountCreated(Sample.user)) { $0.form.isSaving = false }
    await store.receive(.finished(Sample.user))
  }

  @Test("ONB-1, ONB-4: Back from the test message lets the user remove the first responder")
  func removed() async {
    let deleted = LockedCounter()
    var state = atFirstMessage()
    state.changeResponder()
    state.form[.responderName] = TextInput(limit: 200)
    state.form.focus = .responderAddress
    let store = makeStore(state) {
      $0.contactsClient.contacts = { () async throws(ClientError) in [Sample.grace] }
      $0.contactsClient.delete = { (id) async throws(ClientError) in
        #expect(id == Sample.grace.id)
        deleted.increment()
      }
    }
    await confirmNoResponder(store)
    #expect(deleted.value == 1)
  }

  @Test("ONB-1, ONB-4: a suggested topic without a name doesn't count as a responder")
  func suggestedTopic() async {
    var state = OnboardingFeature.State(calendar: .utc)
    state.form[.name] = TextInput("Ada Lovelace", limit: 200)
    state.show(.responder)
    state.suggest(Self.topic)
    state.form.focus = .responderAddress
    #expect(state.account?.responders == [])
    let store = makeStore(state)
    await store.send(.continueButtonTapped) {
      $0.form.touched = [.responderName, .responderKind, .responderAddress]
      $0.isConfirmingNoResponder = true
    }
  }

  @Test("ONB-1: going back a step keeps what was typed")
  func back() async {
    var state = OnboardingFeature.State(calendar: .utc)
    state.form[.name] = TextInput("Ada Lovelace", limit: 200)
    state.show(.note)
    let store = makeStore(state)
    await enter("half a thou", into: .note, of: store)
    await store.send(.backButtonTapped) {
      $0.show(.person)
      $0.form.focus = .address
    }
    await store.send(.backButtonTapped)
    #expect(store.state.form[.note].text == "half a thou")
    #expect(store.state.form[.name].text == "Ada Lovelace")
  }

  @Test("ONB-2: an invalid field keeps the onboarding step open and gets the focus")
  func wrongField() async {
    let store = makeStore()
    await store.send(.continueButtonTapped) {
      $0.form.touched = [.name]
      $0.form.errors[.name] = .nameLength(0)
    }
    await enter("a@b", into: .name, of: store)
    await store.send(.form(.focused(.phone))) {
      $0.form.touched = [.name]
      $0.form.errors[.name] = .nameCharacter("@")
      $0.form.focus = .phone
    }
    await enter("12", into: .phone, of: store)
    await store.send(.form(.focused(.address))) {
      $0.form.touched = [.name, .phone]
      $0.form.errors[.phone] = .phone
      $0.form.focus = .address
    }
    await store.send(.continueButtonTapped) {
      $0.form.touched = [.name, .phone, .address]
      $0.form.focus = .name
    }
  }

  @Test(
    "INT-1, REM-1: onboarding refuses an invalid interval or reminder",
    arguments: [
      ("0h", "30m", OnboardingFeature.Field.interval, ValidationError.intervalRange),
      ("banana", "30m", .interval, .duration("banana")),
      ("24h", "24h", .reminder, .reminderTooLong),
      ("24h", "soon", .reminder, .duration("soon")),
    ])
  func interval(
    interval: String, reminder: String, field: OnboardingFeature.Field, error: ValidationError
  ) async {
    var state = OnboardingFeature.State(calendar: .utc)
    state.show(.interval)
    state.form[.interval] = TextInput(interval, limit: 40)
    state.form[.reminder] = TextInput(reminder, limit: 40)
    state.form.focus = .email
    let store = makeStore(state)
    await store.send(.continueButtonTapped) {
      $0.form.touched = [.interval, .reminder, .email]
      $0.form.errors[field] = error
      $0.form.focus = field
      $0.form[field].apply(.selectAll)
    }
  }

  @Test("REM-1: the reminders field takes several times or none")
  func reminders() throws {
    #expect(
      try EscalationRules.reminders(parsing: "10m, 2h, 30m", interval: .standard)
        == [.hours(2), .minutes(30), .minutes(10)])
    #expect(try EscalationRules.reminders(parsing: "", interval: .standard) == [])
  }

  @Test("ONB-1: skipping the first responder asks for confirmation")
  func noResponder() async {
    var state = OnboardingFeature.State(calendar: .utc)
    state.form[.name] = TextInput("Ada Lovelace", limit: 200)
    state.show(.responder)
    state.form.focus = .responderAddress
    let store = makeStore(state) {
      $0.authClient.createAccount = { (account: NewAccount) async throws(ClientError) in
        #expect(account.responders == [])
        return Sample.user
      }
    }
    await store.send(.continueButtonTapped) {
      $0.form.touched = [.responderName, .responderKind, .responderAddress]
      $0.isConfirmingNoResponder = true
    }
    await store.send(.noResponderCancelled) {
      $0.isConfirmingNoResponder = false
      $0.form.focus = .responderName
    }
    await store.send(.form(.focused(.responderAddress))) { $0.form.focus = .responderAddress }
    await store.send(.continueButtonTapped) { $0.isConfirmingNoResponder = true }
    await store.send(.noResponderConfirmed) {
      $0.isConfirmingNoResponder = false
      $0.form.isSaving = true
    }
    await store.receive(.accountCreated(Sample.user)) { $0.form.isSaving = false }
    await store.receive(.finished(Sample.user))
  }

  @Test("ONB-1: a responder with a name but no address isn't skipped")
  func halfResponder() async {
    var state = OnboardingFeature.State(calendar: .utc)
    state.form[.name] = TextInput("Ada Lovelace", limit: 200)
    state.show(.responder)
    state.form[.responderName] = TextInput("Grace Hopper", limit: 200)
    state.form.focus = .responderAddress
    let store = makeStore(state)
    await store.send(.continueButtonTapped) {
      $0.form.touched = [.responderName, .responderKind, .responderAddress]
      $0.form.errors[.responderAddress] = .topic
    }
  }

  @Test("CON-3: the first responder gets the kind of channel that the user chooses")
  func responderKind() async {
    var state = OnboardingFeature.State(calendar: .utc)
    state.form[.name] = TextInput("Ada Lovelace", limit: 200)
    state.show(.responder)
    state.form[.responderName] = TextInput("Grace Hopper", limit: 200)
    state.choose(.email)
    state.form[.responderAddress] = TextInput("grace@navy.example", limit: 2_000)
    state.form.focus = .responderKind
    let store = makeStore(state)
    await store.send(.responderKindChosen(.ntfy)) { $0.choose(.ntfy) }
    #expect(store.state.form[.responderAddress].text.isEmpty)
    #expect(store.state.form.focus == .responderKind && store.state.account == nil)
    await enter("grace-7c2d", into: .responderAddress, of: store)
    #expect(store.state.account?.responders.first?.channels.map(\.kind) == [.ntfy])
    await store.send(.responderKindChosen(.desktop)) { $0.choose(.desktop) }
    #expect(store.state.form.shown == [.responderName, .responderKind])
    #expect(store.state.account?.responders.first?.channels.map(\.kind) == [.desktop])
    await store.send(.responderKindChosen(.email)) { $0.choose(.email) }
    #expect(store.state.form[.responderAddress].text == "grace@navy.example")
  }

  @Test("ONB-4: keys and clicks change nothing while the account is being created")
  func saving() async {
    var state = OnboardingFeature.State(
      calendar: .utc, credentials: Credentials(email: "ada@example.org", password: Secret("x")))
    state.form[.name] = TextInput("Ada Lovelace", limit: 200)
    state.show(.responder)
    state.form.isSaving = true
    let store = makeStore(state)
    let actions: [OnboardingFeature.Action] = [
      .form(.edited(.responderName, .insert("Grace"))), .form(.nextField), .continueButtonTapped,
      .backButtonTapped, .standbyButtonTapped, .responderKindChosen(.email), .topicMade(Self.topic),
    ]
    for action in actions { await store.send(action) }
    #expect(store.state == state)
    await store.send(.creationFailed(.storage(.full))) {
      $0.form.isSaving = false
      $0.form.failure = StorageError.full.text
    }
    await store.send(.backButtonTapped) {
      $0.show(.interval)
      $0.form.focus = .reminder
    }
  }

  @Test func anAccountThatCannotBeStoredIsSaid() async {
    var state = OnboardingFeature.State(calendar: .utc)
    state.form[.name] = TextInput("Ada Lovelace", limit: 200)
    state.show(.responder)
    let store = makeStore(state) {
      $0.authClient.createAccount = { (_: NewAccount) async throws(ClientError) in
        throw .storage(.full)
      }
    }
    await store.send(.noResponderConfirmed) { $0.form.isSaving = true }
    await store.receive(.creationFailed(.storage(.full))) {
      $0.form.isSaving = false
      $0.form.failure = StorageError.full.text
    }
  }

  @Test("Tab and Shift-Tab cycle through the fields of an onboarding step")
  func cycle() async {
    let store = makeStore()
    await store.send(.form(.previousField)) {
      $0.form.touched = [.name]
      $0.form.errors[.name] = .nameLength(0)
      $0.form.focus = .address
    }
    await store.send(.form(.nextField)) {
      $0.form.touched = [.name, .address]
      $0.form.focus = .name
    }
    await store.send(.form(.focused(.note)))
  }
}
