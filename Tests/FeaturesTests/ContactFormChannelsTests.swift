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

  private func makeStore(
    _ prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<ContactListFeature> {
    var state = ContactListFeature.State(role: .responder, snapshot: snapshot)
    state.destination = .form(ContactFormFeature.State(editing: Sample.reachable))
    return TestStore(initialState: state) {
      ContactListFeature()
    } withDependencies: {
      prepare(&$0)
    }
  }

  /// A contact's details with the channels sheet above them.
  private func channels(of contact: Contact) -> ContactListFeature.Destination.State {
    var details = ContactDetailsFeature.State(contact: contact, snapshot: snapshot)
    details.channels = ChannelsFeature.State(of: contact.id, snapshot: snapshot)
    return .details(details)
  }

  @Test("A doubtful address of a new contact is asked about once, and then saved")
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

  @Test("CHN-1: an unchanged form leads to all channels at once")
  func unchanged() async {
    let store = makeStore()
    await store.send(.destination(.presented(.form(.channelsButtonTapped))))
    await store.receive(.destination(.presented(.form(.channelsWanted(Sample.reachable))))) {
      $0.destination = channels(of: Sample.reachable)
    }
  }

  @Test(
    "What was typed is saved before the channels are shown, with the other channels as they are")
  func changed() async {
    var changed = Sample.reachable
    changed.name = "Hedy K. Lamarr"
    let store = makeStore { [changed] in
      $0.contactsClient.update = {
        (_: Contact, draft: ContactDraft) async throws(ClientError) in
        #expect(draft.channels.map(\.kind) == [.email, .webhook, .ntfy])
        return changed
      }
    }
    for edit in [TextEdit.kill(.lineStart), .insert("Hedy K. Lamarr")] {
      await store.send(.destination(.presented(.form(.form(.edited(.name, edit)))))) {
        $0.editForm { $0.form[.name].apply(edit) }
      }
    }
    await store.send(.destination(.presented(.form(.channelsButtonTapped)))) {
      $0.editForm {
        $0.form.touched = Set(ContactFormFeature.Field.allCases)
        $0.form.isSaving = true
        $0.leadsToChannels = true
      }
    }
    await store.receive(.destination(.presented(.form(.saved(changed))))) {
      $0.destination = channels(of: changed)
    }
  }

  @Test("A form that is not right stays")
  func wrong() async {
    let store = makeStore()
    await store.send(.destination(.presented(.form(.form(.edited(.phone, .insert("1"))))))) {
      $0.editForm { $0.form[.phone].apply(.insert("1")) }
    }
    await store.send(.destination(.presented(.form(.channelsButtonTapped)))) {
      $0.editForm {
        $0.form.touched = Set(ContactFormFeature.Field.allCases)
        $0.form.errors[.phone] = .phone
        $0.form.focus = .phone
      }
    }
  }

  @Test("What was typed for one kind of channel is there again when it is chosen again")
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
