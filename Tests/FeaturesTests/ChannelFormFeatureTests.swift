import Clients
import Composable
import ComposableFoundation
import ComposableTesting
import Domain
import FoundationEssentials
import Synchronization
import Terminal
import Testing

@testable import Features

/// CHN-1, CHN-4: the form for a new channel.
@MainActor @Suite struct ChannelFormFeatureTests {
  typealias Field = ChannelFormFeature.Field
  nonisolated private static let new = NewChannel(
    channel: Channel(id: Sample.id(80), kind: .ntfy, address: "https://ntfy.example.org/ada"),
    secret: Secret("tk_1"))
  nonisolated private static let services = ServiceCatalog().services

  private func makeStore(
    of contact: Contact.ID? = nil, _ kind: Channel.Kind = .email,
    prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<ChannelFormFeature> {
    var state = ChannelFormFeature.State(of: contact, services: Self.services)
    if kind != .email { state.choose(kind) }
    return TestStore(initialState: state) {
      ChannelFormFeature()
    } withDependencies: {
      prepare(&$0)
    }
  }

  // MARK: Typing

  @Test("A new channel's form opens on the address of an e-mail channel, without changes")
  func opens() {
    let state = makeStore().state
    #expect(state.kind == .email && state.form.focus == .address && !state.form.isChanged)
  }

  @Test("A wrong address shows its error once its field is left, until the address is edited")
  func typing() async {
    let store = makeStore()
    await store.sendToForm(.edited(.address, .insert("ada@"))) { .form($0) }
    #expect(store.state.form.isChanged && store.state.form.errors.isEmpty)
    await store.sendToForm(.nextField) { .form($0) }
    #expect(store.state.form.errors == [.address: .email])
    await store.sendToForm(.edited(.address, .insert("example.org"))) { .form($0) }
    #expect(store.state.form.errors.isEmpty)
    #expect(store.state.draft == ChannelDraft(.email, "ada@example.org"))
  }

  @Test("CHN-1: a generated topic replaces what was typed")
  func newTopic() async throws {
    let store = makeStore(.ntfy) { $0.uuid = .constant(Sample.id(9)) }
    await store.sendToForm(.edited(.address, .insert("ada"))) { .form($0) }
    let topic = NtfyTopic(id: Sample.id(9))
    await store.send(.newTopicButtonTapped) { $0.form.replace(.address, with: topic.address) }
    #expect(store.state.form[.address].text == topic.address)
    #expect(store.state.doubt(about: .address) == nil)
  }

  // MARK: Errors

  @Test(
    "An invalid field keeps the form from being saved and gets the focus",
    arguments: [
      (.email, [.address: "ada@"], .address, .email),
      (.webhook, [.address: "hooks.example.org"], .address, .webAddress),
      (.ntfy, [:], .address, .topic),
      (.ntfy, [.address: "ada", .token: "two words"], .token, .accessToken),
    ] as [(Channel.Kind, [Field: String], Field, ValidationError)])
  func invalid(
    kind: Channel.Kind, texts: [Field: String], field: Field, error: ValidationError
  ) async {
    let store = makeStore(kind)
    for (field, text) in texts {
      await store.sendToForm(.edited(field, .insert(text))) { .form($0) }
    }
    await store.sendToForm(.saveButtonTapped) { .form($0) }
    #expect(store.state.form.errors == [field: error])
    #expect(store.state.form.focus == field && !store.state.form.isSaving)
  }

  @Test("CHN-4: a channel of a service isn't saved until its required fields are filled in")
  func invalidService() async throws {
    let store = makeStore()
    let service = try #require(Self.services.first { $0.id == "telegram" })
    await store.send(.kindChosen(.service)) { $0.choose(.service) }
    await store.send(.serviceChosen(service.id)) {
      $0.choose(service)
      $0.form.focus = .service
    }
    await store.sendToForm(.saveButtonTapped) { .form($0) }
    #expect(store.state.form.errors[.first] == .serviceField("Chat"))
    #expect(!store.state.form.isSaving)
  }

  // MARK: Kinds

  @Test("Choosing another kind of channel shows its own fields and clears earlier errors")
  func kindChosen() async {
    let store = makeStore()
    await store.sendToForm(.saveButtonTapped) { .form($0) }
    #expect(!store.state.form.errors.isEmpty)
    await store.send(.kindChosen(.ntfy)) { $0.choose(.ntfy) }
    #expect(store.state.form.shown == [.kind, .address, .token])
    #expect(store.state.form.focus == .kind && store.state.form.errors.isEmpty)
    await store.send(.kindChosen(.desktop)) { $0.choose(.desktop) }
    #expect(store.state.form.shown == [.kind] && store.state.draft.kind == .desktop)
  }

  @Test(
    "CHN-4: choosing another service clears the first service's fields; an unknown one is ignored")
  func serviceChosen() async throws {
    let service = try #require(Self.services.last)
    let store = makeStore(.service)
    await store.sendToForm(.edited(.first, .insert("x"))) { .form($0) }
    await store.send(.serviceChosen("no-such-service"))
    await store.send(.serviceChosen(service.id)) {
      $0.choose(service)
      $0.form.focus = .service
    }
    #expect(store.state.service == service && store.state.form[.first].text.isEmpty)
  }

  // MARK: Saving

  @Test(
    "CHN-1: saving adds the channel to the contact or to the user's own channels",
    arguments: [Sample.grace.id, nil])
  func saves(contact: Contact.ID?) async {
    let store = makeStore(of: contact, .ntfy) {
      $0.channelsClient.add = {
        (draft: ChannelDraft, owner: Contact.ID?) async throws(ClientError) in
        #expect(owner == contact)
        #expect(draft == ChannelDraft(.ntfy, Self.new.channel.address, token: Secret("tk_1")))
        return Self.new
      }
    }
    await store.sendToForm(
      .edited(.address, .insert(Self.new.channel.address)), .edited(.token, .insert("tk_1")),
      .saveButtonTapped
    ) { .form($0) }
    #expect(store.state.form.isSaving)
    await store.receive(.saved(Self.new)) { $0.form.isSaving = false }
  }

  @Test("A failed save of a channel says why, keeps the typed text and can be repeated")
  func saveFails() async {
    let isFull = Mutex(true)
    let store = makeStore {
      $0.channelsClient.add = { (_, _) async throws(ClientError) in
        if isFull.withLock({ $0 }) { throw .storage(.full) }
        return Self.new
      }
    }
    await store.sendToForm(.edited(.address, .insert("ada@example.org")), .saveButtonTapped) {
      .form($0)
    }
    await store.receive(.saveFailed(.storage(.full))) { $0.form.failed(StorageError.full.text) }
    #expect(store.state.form[.address].text == "ada@example.org" && !store.state.form.isSaving)
    isFull.withLock { $0 = false }
    await store.sendToForm(.saveButtonTapped) { .form($0) }
    #expect(store.state.form.failure == nil)
    await store.receive(.saved(Self.new)) { $0.form.isSaving = false }
  }

  @Test("The form asks once about an address that looks like a mistake, then saves the channel")
  func doubtful() async {
    let store = makeStore {
      $0.channelsClient.add = { (_, _) async throws(ClientError) in Self.new }
    }
    await store.sendToForm(.edited(.address, .insert("ada@home")), .saveButtonTapped) { .form($0) }
    #expect(store.state.form.doubts[.address] != nil && !store.state.form.isSaving)
    await store.sendToForm(.saveButtonTapped) { .form($0) }
    await store.receive(.saved(Self.new)) { $0.form.isSaving = false }
  }

  @Test("A question about an address disappears when another kind of channel is chosen")
  func doubtOfAnotherKind() {
    var state = ChannelFormFeature.State(of: nil)
    state.form.doubts = [.address: "Is ada@home right?"]
    state.choose(.webhook)
    #expect(state.form.doubts == [:])
    var contact = ContactFormFeature.State(adding: .responder)
    contact.form.doubts = [.address: "Is ada@home right?", .name: "Is it?"]
    contact.choose(contact.kind == .webhook ? .ntfy : .webhook)
    #expect(contact.form.doubts == [.name: "Is it?"])
  }

  // MARK: Closing

  @Test("Closing a changed channel form asks first; closing an unchanged form dismisses it")
  func closes() async {
    let unchanged = makeStore()
    await unchanged.sendToForm(.closeButtonTapped) { .form($0) }
    #expect(unchanged.isDismissed)

    let store = makeStore()
    await store.sendToForm(.edited(.address, .insert("ada")), .closeButtonTapped) { .form($0) }
    #expect(store.state.form.isConfirmingDiscard && !store.isDismissed)
    await store.sendToForm(.discardConfirmed) { .form($0) }
    #expect(store.isDismissed)
  }
}
