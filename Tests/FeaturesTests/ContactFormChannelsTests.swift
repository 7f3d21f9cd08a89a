import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Terminal
import Testing

@testable import Features

/// The form shows a contact's first channel; the channels sheet shows all of them.
@MainActor @Suite struct ContactFormChannelsTests {
  private let snapshot = Sample.snapshot(contacts: [Sample.reachable])

  /// The Responders tab with the form of a contact open, whose id is 1.
  private func openForm(
    _ prepare: (inout DependencyValues) -> Void = { _ in }
  ) async -> TestStoreOf<MainTabFeature> {
    var state = MainTabFeature.State(snapshot: snapshot)
    state.selectedTab = .responders
    let store = TestStore(initialState: state) {
      MainTabFeature()
    } withDependencies: {
      prepare(&$0)
    }
    await store.send(.responders(.opened(Sample.reachable.id))) {
      $0[ContactDetailsFeature.self] = ContactDetailsFeature.State(
        contact: Sample.reachable, snapshot: snapshot)
    }
    await store.send(.sheet(ContactDetailsFeature.self, .editButtonTapped)) {
      $0[ContactDetailsFeature.self] = nil
      $0[ContactFormFeature.self] = ContactFormFeature.State(editing: Sample.reachable)
    }
    return store
  }

  /// Replaces the form by a contact's details with the channels sheet above them.
  private func showChannels(of contact: Contact, in state: inout MainTabFeature.State) {
    state[ContactFormFeature.self] = nil
    state[ContactDetailsFeature.self] = ContactDetailsFeature.State(
      contact: contact, snapshot: snapshot)
    state[ChannelsFeature.self] = ChannelsFeature.State(of: contact.id, snapshot: snapshot)
  }

  @Test("The form asks once about a new contact's doubtful address, then saves the contact")
  func doubtful() async {
    let saved = LockedCounter()
    for address in ["bo@home", "grace"] {
      var state = ContactFormFeature.State(adding: .responder)
      if address == "grace" { state.choose(.ntfy) }
      state.form[.name] = TextInput("Bo", limit: 200)
      state.form[.address] = TextInput(address, limit: 2_000)
      let store = TestStore(initialState: state) {
        ContactFormFeature()
      } withDependencies: {
        $0.contactsClient.add = { (_) async throws(ClientError) in
          _ = saved.increment()
          return Sample.grace
        }
      }
      await store.sendToForm(.saveButtonTapped) { .form($0) }
      #expect(store.state.form.doubts.keys.elementsEqual([.address]) && !store.state.form.isSaving)
      #expect(store.state.form.focus == .address)
      await store.sendToForm(.saveButtonTapped) { .form($0) }
      #expect(store.state.form.isSaving)
      await store.receive(.saved(Sample.grace)) { $0.form.isSaving = false }
    }
    #expect(saved.value == 2)
  }

  @Test("CHN-1: opening the channels sheet from an unchanged contact form saves nothing")
  func unchanged() async {
    let store = await openForm()
    await store.send(.sheet(ContactFormFeature.self, .channelsButtonTapped, id: 1))
    await store.receive(.sheet(ContactFormFeature.self, .channelsWanted(Sample.reachable), id: 1)) {
      showChannels(of: Sample.reachable, in: &$0)
    }
    #expect(store.state.path.ids == [2, 3])
  }

  @Test(
    "A changed contact form is saved before its channels sheet opens, keeping other channels")
  func changed() async {
    var changed = Sample.reachable
    changed.name = "Hedy K. Lamarr"
    let store = await openForm { [changed] in
      $0.contactsClient.update = {
        (_: Contact, draft: ContactDraft) async throws(ClientError) in
        #expect(draft.channels.map(\.kind) == [.email, .webhook, .ntfy])
        return changed
      }
    }
    for edit in [TextEdit.kill(.lineStart), .insert("Hedy K. Lamarr")] {
      await store.send(.sheet(ContactFormFeature.self, .form(.edited(.name, edit)), id: 1)) {
        $0[ContactFormFeature.self]?.form[.name].apply(edit)
      }
    }
    await store.send(.sheet(ContactFormFeature.self, .channelsButtonTapped, id: 1)) {
      $0[ContactFormFeature.self]?.form.touched = Set(ContactFormFeature.Field.allCases)
      $0[ContactFormFeature.self]?.form.isSaving = true
      $0[ContactFormFeature.self]?.leadsToChannels = true
    }
    await store.receive(.sheet(ContactFormFeature.self, .saved(changed), id: 1)) {
      showChannels(of: changed, in: &$0)
    }
  }

  @Test("An invalid contact form shows its error instead of opening the channels sheet")
  func wrong() async {
    let store = await openForm()
    let typed = ContactFormFeature.Action.form(.edited(.phone, .insert("1")))
    await store.send(.sheet(ContactFormFeature.self, typed, id: 1)) {
      $0[ContactFormFeature.self]?.form[.phone].apply(.insert("1"))
    }
    await store.send(.sheet(ContactFormFeature.self, .channelsButtonTapped, id: 1)) {
      $0[ContactFormFeature.self]?.form.touched = Set(ContactFormFeature.Field.allCases)
      $0[ContactFormFeature.self]?.form.errors[.phone] = .phone
      $0[ContactFormFeature.self]?.form.focus = .phone
    }
  }

  @Test("The contact form keeps each kind of channel's address while another kind is chosen")
  func kinds() {
    var form = ContactFormFeature.State(editing: Sample.reachable)
    form.form[.address].apply(.insert("-x"))
    let typed = form.form[.address].text
    form.choose(.ntfy)
    #expect(form.form[.address].text.isEmpty)
    form.form[.address].apply(.insert("hedy"))
    form.choose(.email)
    #expect(form.form[.address].text == typed)
    form.choose(.ntfy)
    #expect(form.form[.address].text == "hedy")
  }
}
