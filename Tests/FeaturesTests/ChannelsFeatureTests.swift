import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Terminal
import Testing

@testable import Features

@MainActor @Suite struct ChannelsFeatureTests {
  nonisolated static let hook = Channel(
    id: Sample.id(80), kind: .webhook, address: "https://hooks.example.org/ada")
  nonisolated static let mail = Channel(
    id: Sample.user.id, kind: .email, address: "ada@example.org")

  nonisolated static func snapshot(last: [Channel.ID: DeliveryReport] = [:]) -> AccountSnapshot {
    var snapshot = Sample.snapshot()
    snapshot.channels = ChannelOverview(own: [mail, hook], last: last)
    return snapshot
  }

  nonisolated static func message(
    _ stage: Stage, _ state: DeliveryState, error: String? = nil, number: UInt8 = 81
  ) -> DeliveryReport {
    DeliveryReport(
      id: Sample.id(number), stage: stage, recipientID: .owner, recipient: "Ada", channel: .webhook,
      address: hook.address,
      state: state, date: Sample.now - .minutes(2), error: error)
  }

  private func makeStore(
    selected: Int = 1, snapshot: AccountSnapshot = snapshot(),
    prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<ChannelsFeature> {
    var state = ChannelsFeature.State(snapshot: snapshot)
    state.position.selected = selected
    return TestStore(initialState: state) {
      ChannelsFeature()
    } withDependencies: {
      prepare(&$0)
    }
  }

  /// The tabs with the person's channels open, whose id is 0, and the hook selected.
  private func openChannels(
    prepare: (inout DependencyValues) -> Void
  ) async -> TestStoreOf<MainTabFeature> {
    let store = TestStore(initialState: MainTabFeature.State(snapshot: Self.snapshot())) {
      MainTabFeature()
    } withDependencies: {
      prepare(&$0)
    }
    await store.send(.profile(.channelsButtonTapped)) {
      $0[ChannelsFeature.self] = ChannelsFeature.State(snapshot: Self.snapshot())
    }
    await store.send(.sheet(ChannelsFeature.self, .moved(ListPosition(selected: 1)))) {
      $0[ChannelsFeature.self]?.position.selected = 1
    }
    return store
  }

  @Test("CHN-1: adding a channel shows its secret once")
  func add() async {
    let new = NewChannel(channel: Self.hook, secret: Secret("whsec_1"))
    let store = await openChannels {
      $0.channelsClient.add = {
        (draft: ChannelDraft, contact: Contact.ID?) async throws(ClientError) in
        #expect(draft == ChannelDraft(.webhook, "https://hooks.example.org/ada"))
        #expect(contact == nil)
        return new
      }
    }
    await store.send(.sheet(ChannelsFeature.self, .addButtonTapped)) {
      $0[ChannelFormFeature.self] = ChannelFormFeature.State(of: nil, services: Self.services)
    }
    await store.send(.sheet(ChannelFormFeature.self, .kindChosen(.webhook), id: 1)) {
      $0[ChannelFormFeature.self]?.choose(.webhook)
    }
    let typed = ChannelFormFeature.Action.form(.edited(.address, .insert(Self.hook.address)))
    await store.send(.sheet(ChannelFormFeature.self, typed, id: 1)) {
      $0[ChannelFormFeature.self]?.form[.address].apply(.insert(Self.hook.address))
    }
    #expect(store.state.hasUnsavedChanges)
    await store.send(.sheet(ChannelFormFeature.self, .form(.saveButtonTapped), id: 1)) {
      $0[ChannelFormFeature.self]?.form.touched = [.kind, .address]
      $0[ChannelFormFeature.self]?.form.isSaving = true
    }
    await store.receive(.sheet(ChannelFormFeature.self, .saved(new), id: 1)) {
      $0[ChannelFormFeature.self] = nil
    }
    await store.receive(.sheet(ChannelsFeature.self, .added(new))) {
      $0[ChannelsFeature.self]?.notice = "Added."
      $0[ChannelsFeature.self]?.shown = new
    }
    await store.send(.sheet(ChannelsFeature.self, .secretClosed)) {
      $0[ChannelsFeature.self]?.shown = nil
    }
  }

  nonisolated static let services = ServiceCatalog().services

  @Test("CHN-4: the form of a service asks for the fields that the service declares")
  func service() async throws {
    let telegram = try #require(Self.services.first { $0.id == "telegram" })
    let new = NewChannel(
      channel: Channel(id: Sample.id(82), kind: .service, address: "telegram:123"),
      secret: Secret(#"{"token":"1:A"}"#))
    let store = await openChannels {
      $0.channelsClient.add = {
        (draft: ChannelDraft, _: Contact.ID?) async throws(ClientError) in
        #expect(draft.kind == .service && draft.address == "telegram:123")
        #expect(draft.token?.value == #"{"token":"1:A"}"#)
        return new
      }
    }
    func send(
      _ action: ChannelFormFeature.Action,
      _ change: @escaping (inout ChannelFormFeature.State) -> Void
    ) async {
      await store.send(.sheet(ChannelFormFeature.self, action, id: 1)) {
        guard var form = $0[ChannelFormFeature.self] else { return }
        change(&form)
        $0[ChannelFormFeature.self] = form
      }
    }
    await store.send(.sheet(ChannelsFeature.self, .addButtonTapped)) {
      $0[ChannelFormFeature.self] = ChannelFormFeature.State(of: nil, services: Self.services)
    }
    await send(.kindChosen(.service)) { $0.choose(.service) }
    await send(.serviceChosen("telegram")) {
      $0.choose(telegram)
      $0.form.focus = .service
    }
    var typed = ChannelFormFeature.State(of: nil, services: Self.services)
    typed.choose(.service)
    typed.choose(telegram)
    #expect(typed.form.shown == [.kind, .service, .first, .second])
    #expect(!typed.form[.first].isSecure && typed.form[.second].isSecure)
    #expect(throws: ValidationError.serviceField("Chat")) { try typed.validate(.first) }
    await send(.form(.edited(.first, .insert("123")))) { $0.form[.first].apply(.insert("123")) }
    await send(.form(.edited(.second, .insert("1:A")))) { $0.form[.second].apply(.insert("1:A")) }
    await send(.form(.saveButtonTapped)) {
      $0.form.touched = [.kind, .service, .first, .second]
      $0.form.isSaving = true
    }
    await store.receive(.sheet(ChannelFormFeature.self, .saved(new), id: 1)) {
      $0[ChannelFormFeature.self] = nil
    }
    await store.receive(.sheet(ChannelsFeature.self, .added(new))) {
      $0[ChannelsFeature.self]?.notice = "Added."
    }
  }

  @Test("The channel form shows the fields of the chosen kind")
  func fields() {
    var form = ChannelFormFeature.State(of: nil)
    #expect(form.form.shown == [.kind, .address])
    form.choose(.ntfy)
    #expect(form.form.shown == [.kind, .address, .token] && form.form.focus == .kind)
    form.form[.token].apply(.insert("tk"))
    #expect(form.draft.token == Secret("tk"))
    form.choose(.desktop)
    #expect(form.form.shown == [.kind] && form.draft.token == nil)
  }

  @Test("CHN-1: sending a test says that the test is being sent and its row shows the result")
  func test() async {
    let store = makeStore {
      $0.channelsClient.sendTest = { (id: Channel.ID) async throws(ClientError) in
        #expect(id == Self.hook.id)
      }
    }
    await store.send(.testButtonTapped) { $0.request.isRunning = true }
    await store.receive(.testQueued(Self.hook)) {
      $0.request.isRunning = false
      $0.notice = "Sending a test message. Its row shows the result."
    }
  }

  @Test("Removing a channel asks first; the account's own address can't be removed")
  func remove() async {
    let store = makeStore {
      $0.channelsClient.remove = {
        (id: Channel.ID) async throws(ClientError) in
        throw .channelNotFound
      }
    }
    await store.send(.removeButtonTapped) { $0.removing = Self.hook }
    await store.send(.removalCancelled) { $0.removing = nil }
    await store.send(.removeButtonTapped) { $0.removing = Self.hook }
    await store.send(.removalConfirmed) {
      $0.removing = nil
      $0.request.isRunning = true
    }
    await store.receive(.failed(ClientError.channelNotFound.text)) {
      $0.request.isRunning = false
      $0.request.failure = Failure(ClientError.channelNotFound.text)
    }
    await makeStore(selected: 0).send(.removeButtonTapped)
  }

  @Test("CHK-3: with a gate, showing a channel's secret asks for the passphrase")
  func secret() async {
    let open = makeStore {
      $0.channelsClient.secret = {
        (_: Channel.ID) async throws(ClientError) in Secret("whsec_1")
      }
    }
    let shown = NewChannel(channel: Self.hook, secret: Secret("whsec_1"))
    await open.send(.secretButtonTapped) { $0.request.isRunning = true }
    await open.receive(.secretRead(shown)) {
      $0.request.isRunning = false
      $0.shown = shown
    }

    var snapshot = Self.snapshot()
    snapshot.user.locks = .gate
    let person = Typist("open sesame")
    let gated = makeStore(snapshot: snapshot) {
      person.answers(in: &$0)
      $0.channelsClient.secret = { (_: Channel.ID) async throws(ClientError) in
        try person.requirePassphrase(for: .showSecret)
        return Secret("whsec_1")
      }
    }
    await gated.send(.secretButtonTapped) { $0.request.isRunning = true }
    await gated.receive(.secretRead(shown)) {
      $0.request.isRunning = false
      $0.shown = shown
    }
    #expect(person.asked == [.passphrase(.showSecret)])
  }

  @Test("CHK-3: a channel's secret isn't shown if the channel was removed in the meantime")
  func secretOfRemovedChannel() async {
    var snapshot = Self.snapshot()
    snapshot.user.locks = .gate
    var state = makeStore(snapshot: snapshot).state
    state.request.isRunning = true
    snapshot.channels.own.removeAll { $0.id == Self.hook.id }
    state.show(snapshot)
    #expect(state.selected != nil && state.selected != Self.hook)
    let removed = TestStore(initialState: state) { ChannelsFeature() }
    await removed.send(.secretRead(NewChannel(channel: Self.hook, secret: Secret("whsec_1")))) {
      $0.request.isRunning = false
    }
  }

  @Test("CHN-1: the log of a channel is read while it is open, and again after a failure")
  func log() async {
    let message = Self.message(.channelTest(Sample.id(9)), .sent)
    let (clock, tries) = (TestClock(), LockedCounter())
    let store = await openChannels {
      $0.continuousClock = clock
      $0.channelsClient.observeLog = { id in
        tries.increment()
        let isSecond = tries.value == 2
        return AsyncThrowingStream {
          $0.yield([message])
          $0.finish(throwing: isSecond ? nil : ClientError.channelNotFound)
        }
      }
    }
    await store.send(.sheet(ChannelsFeature.self, .logButtonTapped)) {
      $0[ChannelLogFeature.self] = ChannelLogFeature.State(of: Self.hook)
    }
    await store.receive(.sheet(ChannelLogFeature.self, .opened, id: 1))
    await store.receive(.sheet(ChannelLogFeature.self, .changed([message]), id: 1)) {
      $0[ChannelLogFeature.self]?.messages = [message]
    }
    let failure = ClientError.channelNotFound.text
    await store.receive(.sheet(ChannelLogFeature.self, .failed(failure), id: 1)) {
      $0[ChannelLogFeature.self]?.failure = failure
    }
    await clock.advance(by: .milliseconds(500))
    await store.receive(.sheet(ChannelLogFeature.self, .changed([message]), id: 1)) {
      $0[ChannelLogFeature.self]?.failure = nil
    }
  }

  @Test("CON-5: a channel's row shows the result of its last message")
  func health() {
    func line(_ message: DeliveryReport?, watch: WatchStatus? = nil) -> String {
      var snapshot = Self.snapshot(last: message.map { [Self.hook.id: $0] } ?? [:])
      if let watch { snapshot.watch = watch }
      return ChannelHealthLine(Self.hook, in: snapshot).text
    }
    let test = Stage.channelTest(Sample.id(9))
    #expect(line(nil) == "Never used")
    #expect(line(Self.message(test, .sent)).hasPrefix("Test sent today 07:58"))
    #expect(line(Self.message(.deadlinePassed, .sent)).hasPrefix("Sent today 07:58"))
    #expect(
      line(Self.message(test, .failed, error: "410 gone")).hasSuffix("failed today 07:58: 410 gone")
    )
    #expect(line(Self.message(test, .pending, error: "503")).hasSuffix(": 503"))
    #expect(line(Self.message(test, .pending)) == "Test is on its way")
    #expect(
      line(Self.message(test, .pending), watch: WatchStatus(monitors: 0))
        == "Test waits: no monitor is running")
    // What the monitors can't send by is on no way, though others work.
    func blocked(_ kind: Channel.Kind) -> WatchStatus {
      WatchStatus(monitors: 1, problem: "it is not set up", failingKinds: [kind])
    }
    #expect(
      line(Self.message(test, .pending), watch: blocked(Self.hook.kind))
        == "Test waits: it is not set up")
    #expect(line(Self.message(test, .pending), watch: blocked(.desktop)) == "Test is on its way")
  }

  @Test("CON-3: a contact's decline code is accepted; a wrong code shows an error")
  func declining() async {
    var contact = Sample.grace
    contact.declinedAt = Sample.now
    let declined = contact
    let store = TestStore(initialState: DecliningFeature.State(name: "Grace Hopper")) {
      DecliningFeature()
    } withDependencies: {
      $0.contactsClient.declineByCode = { (code: Secret<String>) async throws(ClientError) in
        guard code == Secret("7K3QF-9ZD2M") else { throw .declineCodeUnknown }
        return declined
      }
    }
    await store.send(.form(.saveButtonTapped)) {
      $0.form.touched = [.code]
      $0.form.isSaving = true
    }
    await store.receive(.saveFailed(.declineCodeUnknown)) {
      $0.form.isSaving = false
      $0.form.failure = ClientError.declineCodeUnknown.text
    }
    await store.send(.form(.edited(.code, .insert("7K3QF-9ZD2M")))) {
      $0.form[.code].apply(.insert("7K3QF-9ZD2M"))
      $0.form.touched = []
      $0.form.failure = nil
    }
    await store.send(.form(.saveButtonTapped)) {
      $0.form.touched = [.code]
      $0.form.isSaving = true
      $0.form.failure = nil
    }
    await store.receive(.saved(declined)) { $0.form.isSaving = false }
    #expect(Sample.snapshot(contacts: [declined]).hasNoResponders)
  }
}
