import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Terminal
import TerminalTesting
import Testing

@testable import Features

@MainActor @Suite struct ContactListFeatureTests {
  func makeStore(
    role: Roles = .responder, prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<ContactListFeature> {
    TestStore(
      initialState: ContactListFeature.State(role: role, snapshot: Sample.snapshot())
    ) {
      ContactListFeature()
    } withDependencies: {
      prepare(&$0)
    }
  }

  @Test("CON-1: a list shows the contacts of its role")
  func rows() {
    let snapshot = Sample.snapshot()
    #expect(
      ContactListFeature.State(role: .responder, snapshot: snapshot).rows
        == [Sample.alan, Sample.grace])
    #expect(
      ContactListFeature.State(role: .dependent, snapshot: snapshot).rows == [Sample.alan])
  }

  @Test("ORD-4: typing filters the list, whatever the case")
  func filter() async {
    let store = makeStore()
    await store.send(.moved(ListPosition(selected: 1))) {
      $0.position = ListPosition(selected: 1)
    }
    await store.send(.filter(.begin)) { $0.filter.apply(.begin) }
    #expect(store.state.selected == Sample.grace)
    await store.send(.filter(.edit(.insert("HOP gra")))) {
      $0.filter.apply(.edit(.insert("HOP gra")))
      $0.position = ListPosition(selected: 0)
    }
    #expect(store.state.rows == [Sample.grace])
    await store.send(.filter(.accept)) { $0.filter.apply(.accept) }
    #expect(store.state.rows == [Sample.grace])
    await store.send(.filter(.close)) {
      $0.filter = ListFilter()
      $0.position.selected = 1
    }
  }

  @Test("ORD-1: dependents are sorted by name or by date added; the selection stays")
  func sortDependents() async {
    let contacts = (1...3).map { number in
      Contact(
        id: Sample.id(UInt8(number)), name: ["Ann", "Bob", "Cid"][number - 1], roles: .dependent,
        addedAt: Sample.now - .days([5, 1, 3][number - 1]))
    }
    let store = TestStore(
      initialState: ContactListFeature.State(
        role: .dependent, snapshot: Sample.snapshot(contacts: contacts))
    ) {
      ContactListFeature()
    }
    #expect(store.state.rows.map(\.name) == ["Ann", "Bob", "Cid"])
    await store.send(.sortButtonTapped) {
      $0.sort()
      $0.position.selected = 2
    }
    #expect(store.state.order == .dateAdded)
    #expect(store.state.rows.map(\.name) == ["Bob", "Cid", "Ann"])
    #expect(store.state.selected?.name == "Ann")
    await store.send(.sortButtonTapped) {
      $0.sort()
      $0.position.selected = 0
    }
    #expect(store.state.rows.map(\.name) == ["Ann", "Bob", "Cid"])
  }

  @Test("ORD-3: responders stand by name")
  func sortResponders() async {
    let store = makeStore()
    #expect(!store.state.isSortable)
    await store.send(.sortButtonTapped)
    #expect(store.state.order == .name)
  }

  @Test("ORD-4: 10,000 contacts stay fluid: only the rows in sight are built")
  func manyContacts() {
    let contacts = (0..<10_000).map { number in
      Contact(
        id: UUID(), name: "Person \(10_000 + number)", roles: .responder, addedAt: Sample.now)
    }
    let store = Store(
      initialState: ContactListFeature.State(
        role: .responder, snapshot: Sample.snapshot(contacts: contacts))
    ) {
      ContactListFeature()
    }
    var built = 0
    let view = ContactListView(store: store, title: "Responders") { contact in
      let _ = built += 1
      Text(contact.name)
    } empty: {
      EmptyView()
    }
    let frame = FrameSnapshot.frame(of: view, size: Size(columns: 60, rows: 20))
    #expect(built <= 20)
    #expect(frame.lines.last?.contains(" 1/10000 ") == true)
    store.send(.filter(.edit(.insert("19999"))))
    #expect(store.rows.map(\.name) == ["Person 19999"])
  }

  @Test("The selection stays with its contact when the list changes around it")
  func selectionFollows() {
    var state = ContactListFeature.State(role: .responder, snapshot: Sample.snapshot())
    state.position.selected = 1
    var first = Sample.alan
    first.name = "Aaron Aaronson"
    state.show(Sample.snapshot(contacts: [first, Sample.alan, Sample.grace]))
    #expect(state.selected == Sample.grace)
    state.show(Sample.snapshot(contacts: [Sample.alan]))
    #expect(state.selected == Sample.alan)
    state.show(Sample.snapshot(contacts: []))
    #expect(state.selected == nil)
    #expect(state.position.selected == 0)
  }

  @Test("CON-5: details open, show changes and close")
  func details() async {
    let store = makeStore()
    await store.send(.opened(Sample.grace.id)) {
      $0.position.selected = 1
      $0.destination = .details(
        ContactDetailsFeature.State(contact: Sample.grace, snapshot: Sample.snapshot()))
    }
    await store.send(.destination(.presented(.details(.closeButtonTapped))))
    await store.receive(.destination(.dismiss)) { $0.destination = nil }
    await store.send(.opened(Sample.id(99)))
  }

  @Test("CON-3: a contact is added")
  func add() async {
    let draft = ContactDraft(name: "Mary Ward", email: "mary@example.org", roles: .responder)
    let mary = Contact(id: Sample.id(9), name: "Mary Ward", roles: .responder, addedAt: Sample.now)
    let store = makeStore {
      $0.contactsClient.add = { (asked: ContactDraft) async throws(ContactsError) in
        #expect(asked == draft)
        return mary
      }
    }
    await store.send(.addButtonTapped) {
      $0.destination = .form(ContactFormFeature.State(adding: .responder))
    }
    await store.send(.destination(.presented(.form(.edited(.name, .insert("Mary Ward")))))) {
      $0.editForm { $0.name.apply(.insert("Mary Ward")) }
    }
    await store.send(
      .destination(.presented(.form(.edited(.email, .insert("mary@example.org")))))
    ) {
      $0.editForm { $0.email.apply(.insert("mary@example.org")) }
    }
    #expect(store.state.hasUnsavedChanges)
    await store.send(.destination(.presented(.form(.saveButtonTapped)))) {
      $0.editForm { $0.isSaving = true }
    }
    await store.receive(.destination(.presented(.form(.saved(mary))))) {
      $0.destination = nil
      $0.awaited = mary.id
    }
  }

  @Test("CON-3: a contact that was just added is selected once the list has it")
  func awaited() {
    var state = ContactListFeature.State(role: .responder, snapshot: Sample.snapshot())
    let mary = Contact(id: Sample.id(9), name: "Mary Ward", roles: .responder, addedAt: Sample.now)
    state.awaited = mary.id
    state.show(Sample.snapshot(contacts: [Sample.alan, Sample.grace, mary]))
    #expect(state.selected == mary)
    #expect(state.awaited == nil)
  }

  @Test("CON-4: removing is confirmed")
  func remove() async {
    let store = makeStore {
      $0.contactsClient.delete = { (id: Contact.ID) async throws(ContactsError) in
        #expect(id == Sample.grace.id)
      }
    }
    await store.send(.opened(Sample.grace.id)) {
      $0.position.selected = 1
      $0.destination = .details(
        ContactDetailsFeature.State(contact: Sample.grace, snapshot: Sample.snapshot()))
    }
    await store.send(.destination(.presented(.details(.removeButtonTapped)))) {
      $0.editDetails { $0.isConfirmingRemoval = true }
    }
    await store.send(.destination(.presented(.details(.removalCancelled)))) {
      $0.editDetails { $0.isConfirmingRemoval = false }
    }
    await store.send(.destination(.presented(.details(.removeButtonTapped)))) {
      $0.editDetails { $0.isConfirmingRemoval = true }
    }
    await store.send(.destination(.presented(.details(.removalConfirmed)))) {
      $0.editDetails {
        $0.isConfirmingRemoval = false
        $0.isRemoving = true
      }
    }
    await store.receive(.destination(.presented(.details(.deleted(Sample.grace))))) {
      $0.destination = nil
    }
  }

  @Test("CON-4: a removal that fails is shown")
  func removeFails() async {
    let store = TestStore(
      initialState: ContactDetailsFeature.State(
        contact: Sample.grace, snapshot: Sample.snapshot())
    ) {
      ContactDetailsFeature()
    } withDependencies: {
      $0.contactsClient.delete = { (_: Contact.ID) async throws(ContactsError) in
        throw .storage(.busy)
      }
    }
    await store.send(.removalConfirmed) { $0.isRemoving = true }
    await store.receive(.deletionFailed(.storage(.busy))) {
      $0.isRemoving = false
      $0.failure = StorageError.busy.text
    }
    await store.send(.removeButtonTapped) {
      $0.isConfirmingRemoval = true
      $0.failure = nil
    }
  }

  @Test("CON-4: the consequence of removing the last responder is known")
  func lastResponder() {
    let only = ContactDetailsFeature.State(
      contact: Sample.grace, snapshot: Sample.snapshot(contacts: [Sample.grace]))
    #expect(only.isLastResponder)
    let oneOfTwo = ContactDetailsFeature.State(
      contact: Sample.grace, snapshot: Sample.snapshot())
    #expect(!oneOfTwo.isLastResponder)
  }

  @Test("CON-3: editing replaces the details by the form, filled")
  func edit() async {
    var renamed = Sample.grace
    renamed.name = "Grace M. Hopper"
    let store = makeStore { [renamed] in
      $0.contactsClient.update = {
        (id: Contact.ID, draft: ContactDraft) async throws(ContactsError) in
        #expect(id == Sample.grace.id)
        #expect(draft.name == "Grace M. Hopper")
        return renamed
      }
    }
    await store.send(.opened(Sample.grace.id)) {
      $0.position.selected = 1
      $0.destination = .details(
        ContactDetailsFeature.State(contact: Sample.grace, snapshot: Sample.snapshot()))
    }
    await store.send(.destination(.presented(.details(.editButtonTapped)))) {
      $0.destination = .form(ContactFormFeature.State(editing: Sample.grace))
    }
    for edit in [TextEdit.kill(.lineStart), .insert("Grace M. Hopper")] {
      await store.send(.destination(.presented(.form(.edited(.name, edit))))) {
        $0.editForm { $0.name.apply(edit) }
      }
    }
    await store.send(.destination(.presented(.form(.saveButtonTapped)))) {
      $0.editForm { $0.isSaving = true }
    }
    await store.receive(.destination(.presented(.form(.saved(renamed))))) {
      $0.destination = nil
    }
  }
}

extension ContactListFeature.State {
  /// Changes the form that is open.
  mutating func editForm(_ change: (inout ContactFormFeature.State) -> Void) {
    guard case .form(var form) = destination else { return }
    change(&form)
    destination = .form(form)
  }

  /// Changes the details that are open.
  mutating func editDetails(_ change: (inout ContactDetailsFeature.State) -> Void) {
    guard case .details(var details) = destination else { return }
    change(&details)
    destination = .details(details)
  }
}

@MainActor @Suite struct ContactFormFeatureTests {
  func makeStore(
    _ state: ContactFormFeature.State = .init(adding: .responder),
    prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<ContactFormFeature> {
    TestStore(initialState: state) {
      ContactFormFeature()
    } withDependencies: {
      prepare(&$0)
    }
  }

  @Test("ONB-2: a field's error shows as it is left, and goes with the next edit")
  func errors() async {
    let store = makeStore()
    await store.send(.edited(.name, .insert("A"))) { $0.name.apply(.insert("A")) }
    await store.send(.nextField) {
      $0.errors[.name] = .nameLength(1)
      $0.focus = .email
    }
    await store.send(.focused(.name)) {
      $0.errors[.email] = .email
      $0.focus = .name
    }
    await store.send(.edited(.name, .insert("l"))) {
      $0.name.apply(.insert("l"))
      $0.errors[.name] = nil
    }
  }

  @Test("Tab and Shift-Tab go round")
  func fields() async {
    var state = ContactFormFeature.State(editing: Sample.grace)
    state.focus = .dependent
    let store = makeStore(state)
    await store.send(.nextField) { $0.focus = .name }
    await store.send(.previousField) { $0.focus = .dependent }
  }

  @Test("Saving with errors saves nothing and goes to the first of them")
  func saveWithErrors() async {
    let store = makeStore()
    await store.send(.saveButtonTapped) {
      $0.errors = [.name: .nameLength(0), .email: .email]
    }
  }

  @Test("CON-1: at least one role holds; CON-3: only a responder needs an address")
  func roles() async {
    let store = makeStore()
    await store.send(.edited(.name, .insert("Mary Ward"))) {
      $0.name.apply(.insert("Mary Ward"))
    }
    await store.send(.saveButtonTapped) {
      $0.errors = [.email: .email]
      $0.focus = .email
    }
    await store.send(.roleToggled(.responder)) {
      $0.roles = []
      $0.errors = [.responder: .roleRequired]
    }
    await store.send(.roleToggled(.dependent)) {
      $0.roles = .dependent
      $0.errors = [:]
    }
  }

  @Test func aFailedSaveKeepsWhatWasTyped() async {
    let store = makeStore(.init(editing: Sample.grace)) {
      $0.contactsClient.update = { (_: Contact.ID, _: ContactDraft) async throws(ContactsError) in
        throw .alreadyExists(name: "Alan Turing")
      }
    }
    await store.send(.saveButtonTapped) { $0.isSaving = true }
    await store.receive(.saveFailed(.alreadyExists(name: "Alan Turing"))) {
      $0.isSaving = false
      $0.failure = ContactsError.alreadyExists(name: "Alan Turing").text
    }
  }

  @Test("Closing a changed form asks first")
  func discard() async {
    let dismissed = LockedCounter()
    let store = makeStore {
      $0.dismiss = DismissEffect { dismissed.increment() }
    }
    await store.send(.edited(.note, .insert("x"))) { $0.note.apply(.insert("x")) }
    await store.send(.closeButtonTapped) { $0.isConfirmingDiscard = true }
    await store.send(.discardCancelled) { $0.isConfirmingDiscard = false }
    #expect(dismissed.value == 0)
    await store.send(.closeButtonTapped) { $0.isConfirmingDiscard = true }
    await store.send(.discardConfirmed)
    #expect(dismissed.value == 1)
  }

  @Test func closingAnUnchangedFormDoesNotAsk() async {
    let dismissed = LockedCounter()
    let store = makeStore(.init(editing: Sample.grace)) {
      $0.dismiss = DismissEffect { dismissed.increment() }
    }
    await store.send(.closeButtonTapped)
    #expect(dismissed.value == 1)
  }

  @Test("ONB-2: a name of 10,000 characters is cut, said to be too long and not saved")
  func longName() async {
    let store = makeStore()
    let long = String(repeating: "a", count: 10_000)
    await store.send(.edited(.name, .insert(long))) { $0.name.apply(.insert(long)) }
    #expect(store.state.name.text.count == 200)
    await store.send(.nextField) {
      $0.errors[.name] = .nameLength(200)
      $0.focus = .email
    }
  }
}
