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

  /// The tabs with Responders selected.
  private func makeTabs(
    prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<MainTabFeature> {
    var state = MainTabFeature.State(snapshot: Sample.snapshot())
    state.selectedTab = .responders
    return TestStore(initialState: state) {
      MainTabFeature()
    } withDependencies: {
      prepare(&$0)
    }
  }

  /// Opens the details of Grace, whose id is 0.
  private func openGrace(in store: TestStoreOf<MainTabFeature>) async {
    await store.send(.responders(.opened(Sample.grace.id))) {
      $0.responders.position.selected = 1
      $0[ContactDetailsFeature.self] = ContactDetailsFeature.State(
        contact: Sample.grace, snapshot: Sample.snapshot())
    }
  }

  @Test("CON-1: the Responders and Dependents lists show the contacts with that role")
  func rows() {
    let snapshot = Sample.snapshot()
    #expect(
      ContactListFeature.State(role: .responder, snapshot: snapshot).rows
        == [Sample.alan, Sample.grace])
    #expect(
      ContactListFeature.State(role: .dependent, snapshot: snapshot).rows == [Sample.alan])
  }

  @Test("ORD-4: typing filters the contact list, ignoring case")
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

  @Test(
    "ORD-4: a filter finds names without their accents and people by phone number",
    arguments: [
      ("akesson", "Björn Åkesson"), ("BJORN", "Björn Åkesson"), ("lodz", "Łódź Office"),
      ("strasse", "Straße 4"), ("åk", "Björn Åkesson"), ("7946", "Mum (mobile)"),
      ("020 7946", "Mum (mobile)"), ("+44 20", "Mum (mobile)"), ("mobile", "Mum (mobile)"),
    ])
  func filterFolds(typed: String, found: String) {
    let people = [
      ("Björn Åkesson", nil), ("Łódź Office", nil), ("Straße 4", nil),
      ("Mum (mobile)", "+442079460018"), ("Zed", "+4915112345678"),
    ]
    var state = ContactListFeature.State(
      role: .responder,
      snapshot: Sample.snapshot(
        contacts: people.map { name, phone in
          Contact(id: UUID(), name: name, phone: phone, roles: .responder, addedAt: Sample.now)
        }))
    state.filter.apply(.edit(.insert(typed)))
    #expect(state.rows.map(\.name) == [found])
  }

  @Test("ORD-1, ORD-3: a deadline or ping that expires moves its contact in the list")
  func timeMoves() {
    let ann = Sample.linked(80, "Ann Aarons", roles: .responder)
    var snapshot = Sample.snapshot(contacts: [ann] + Sample.relations)
    var dependents = ContactListFeature.State(role: .dependent, snapshot: snapshot)
    var responders = ContactListFeature.State(role: .responder, snapshot: snapshot)
    // Nothing expires within 30 seconds.
    snapshot.now = Sample.now + .seconds(30)
    let (before, asked) = (dependents.rows, responders.rows)
    dependents.show(snapshot)
    responders.show(snapshot)
    #expect(dependents.rows == before && responders.rows == asked)
    #expect(responders.rows.first == Sample.hedy)
    // Two hours later Zoë has missed her deadline, and a day later Hedy's ping has expired.
    snapshot.now = Sample.now + .hours(2)
    dependents.show(snapshot)
    #expect(dependents.rows.map(\.id).firstIndex(of: Sample.dueSoon.id) == 3)
    #expect(before.map(\.id).firstIndex(of: Sample.dueSoon.id) == 4)
    snapshot.now = Sample.now + .days(2)
    responders.show(snapshot)
    #expect(responders.rows.prefix(2) == [ann, Sample.hedy])
    for state in [dependents, responders] {
      let fresh = ContactListFeature.State(role: state.role, snapshot: state.snapshot)
      #expect(fresh.rows == state.rows)
    }
  }

  @Test("ORD-1: dependents can be sorted by time left, name or date added; the selection stays")
  func sortDependents() async {
    let added: [(name: String, days: Int)] = [("Ann", 5), ("Bob", 1), ("Cid", 3)]
    let contacts = added.enumerated().map { index, contact in
      Contact(
        id: Sample.id(UInt8(index + 1)), name: contact.name, roles: .dependent,
        addedAt: Sample.now - .days(contact.days))
    }
    let store = TestStore(
      initialState: ContactListFeature.State(
        role: .dependent, snapshot: Sample.snapshot(contacts: contacts))
    ) {
      ContactListFeature()
    }
    #expect(store.state.order == .timeLeft)
    #expect(store.state.rows.map(\.name) == ["Ann", "Bob", "Cid"])
    await store.send(.sortButtonTapped) { $0.sort() }
    #expect(store.state.order == .name)
    #expect(store.state.rows.map(\.name) == ["Ann", "Bob", "Cid"])
    await store.send(.sortButtonTapped) {
      $0.sort()
      $0.position.selected = 2
    }
    #expect(store.state.order == .dateAdded)
    #expect(store.state.rows.map(\.name) == ["Bob", "Cid", "Ann"])
    #expect(store.state.selected?.name == "Ann")
  }

  @Test("ORD-3: responders are sorted by name or by the date they were added")
  func sortResponders() {
    var state = ContactListFeature.State(role: .responder, snapshot: Sample.snapshot())
    #expect(state.order == .name && state.isSortable)
    let byName = state.rows.map(\.name)
    state.sort()
    #expect(state.order == .dateAdded)
    #expect(state.rows.map(\.addedAt) == state.rows.map(\.addedAt).sorted(by: >))
    state.sort()
    #expect(state.order == .name && state.rows.map(\.name) == byName)
  }

  @Test("ORD-4: of 10,000 contacts only the rows in sight are built")
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
    struct Row: View, Equatable {
      let name: String
      var body: some View { Text(name) }
    }
    var built = 0
    let view = ContactListView(store: store, title: "Responders") { contact, _ in
      built += 1
      return Row(name: contact.name)
    } empty: {
      EmptyView()
    }
    let frame = FrameSnapshot.frame(of: view, size: Size(columns: 60, rows: 20))
    #expect(built <= 20)
    #expect(frame.lines.last?.contains(" 1/10000 ") == true)
    store.send(.filter(.edit(.insert("19999"))))
    #expect(store.rows.map(\.name) == ["Person 19999"])
  }

  @Test("The selection stays with its contact when the list around the contact changes")
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

  @Test("CON-5: a contact's details open and close")
  func details() async {
    let store = makeTabs()
    await openGrace(in: store)
    await store.send(.sheet(ContactDetailsFeature.self, .closeButtonTapped))
    await store.receive(.closed()) { $0[ContactDetailsFeature.self] = nil }
    await store.send(.responders(.opened(Sample.id(99))))
  }

  @Test("CON-3: adding a contact saves the typed name and address and closes the form")
  func add() async {
    let draft = ContactDraft(name: "Mary Ward", email: "mary@example.org", roles: .responder)
    let mary = Contact(id: Sample.id(9), name: "Mary Ward", roles: .responder, addedAt: Sample.now)
    let store = makeTabs {
      $0.contactsClient.add = { (asked: ContactDraft) async throws(ClientError) in
        #expect(asked == draft)
        return mary
      }
    }
    await store.send(.responders(.addButtonTapped)) {
      $0[ContactFormFeature.self] = ContactFormFeature.State(adding: .responder)
    }
    for (field, text) in [
      (ContactFormFeature.Field.name, "Mary Ward"), (.address, "mary@example.org"),
    ] {
      await store.send(.sheet(ContactFormFeature.self, .form(.edited(field, .insert(text))))) {
        $0[ContactFormFeature.self]?.form[field].apply(.insert(text))
      }
    }
    #expect(store.state.hasUnsavedChanges)
    await store.send(.sheet(ContactFormFeature.self, .form(.saveButtonTapped))) {
      $0[ContactFormFeature.self]?.form.touched = Set(ContactFormFeature.Field.allCases)
      $0[ContactFormFeature.self]?.form.isSaving = true
    }
    await store.receive(.sheet(ContactFormFeature.self, .saved(mary))) {
      $0[ContactFormFeature.self] = nil
    }
    await store.receive(.responders(.saved(mary))) { $0.responders.awaited = mary.id }
  }

  @Test("CON-3: a contact that was just added is selected when the list contains the contact")
  func awaited() {
    var state = ContactListFeature.State(role: .responder, snapshot: Sample.snapshot())
    let mary = Contact(id: Sample.id(9), name: "Mary Ward", roles: .responder, addedAt: Sample.now)
    state.awaited = mary.id
    state.show(Sample.snapshot(contacts: [Sample.alan, Sample.grace, mary]))
    #expect(state.selected == mary)
    #expect(state.awaited == nil)
  }

  @Test("CON-4: removing a contact asks first")
  func remove() async {
    let store = makeTabs {
      $0.contactsClient.delete = {
        (id: Contact.ID) async throws(ClientError) in
        #expect(id == Sample.grace.id)
      }
    }
    await openGrace(in: store)
    await store.send(.sheet(ContactDetailsFeature.self, .removeButtonTapped)) {
      $0[ContactDetailsFeature.self]?.question = .removal
    }
    await store.send(.sheet(ContactDetailsFeature.self, .questionCancelled)) {
      $0[ContactDetailsFeature.self]?.question = nil
    }
    await store.send(.sheet(ContactDetailsFeature.self, .removeButtonTapped)) {
      $0[ContactDetailsFeature.self]?.question = .removal
    }
    await store.send(.sheet(ContactDetailsFeature.self, .removalConfirmed)) {
      $0[ContactDetailsFeature.self]?.question = nil
      $0[ContactDetailsFeature.self]?.request.isRunning = true
    }
    await store.receive(.sheet(ContactDetailsFeature.self, .done(.removed(Sample.grace)))) {
      $0[ContactDetailsFeature.self] = nil
    }
  }

  @Test("CON-4: a failed removal of a contact shows an error")
  func removeFails() async {
    let store = TestStore(
      initialState: ContactDetailsFeature.State(
        contact: Sample.grace, snapshot: Sample.snapshot())
    ) {
      ContactDetailsFeature()
    } withDependencies: {
      $0.contactsClient.delete = {
        (_: Contact.ID) async throws(ClientError) in
        throw .storage(.busy)
      }
    }
    await store.send(.removalConfirmed) { $0.request.isRunning = true }
    await store.receive(.failed(StorageError.busy.text, retry: .removalConfirmed)) {
      $0.request.isRunning = false
      $0.request.failure = Failure(StorageError.busy.text, retry: .removalConfirmed)
    }
    await store.send(.removeButtonTapped) {
      $0.question = .removal
      $0.request.failure = nil
    }
  }

  @Test("CON-4: a contact's details know if the contact is the last responder")
  func lastResponder() {
    let only = ContactDetailsFeature.State(
      contact: Sample.grace, snapshot: Sample.snapshot(contacts: [Sample.grace]))
    #expect(only.isLastResponder)
    let oneOfTwo = ContactDetailsFeature.State(
      contact: Sample.grace, snapshot: Sample.snapshot())
    #expect(!oneOfTwo.isLastResponder)
  }

  @Test("CON-3: Edit replaces a contact's details by a form with the contact's data")
  func edit() async {
    var renamed = Sample.grace
    renamed.name = "Grace M. Hopper"
    let store = makeTabs { [renamed] in
      $0.contactsClient.update = {
        (read: Contact, draft: ContactDraft) async throws(ClientError) in
        #expect(read == Sample.grace)
        #expect(draft.name == "Grace M. Hopper")
        return renamed
      }
    }
    await openGrace(in: store)
    await store.send(.sheet(ContactDetailsFeature.self, .editButtonTapped)) {
      $0[ContactDetailsFeature.self] = nil
      $0[ContactFormFeature.self] = ContactFormFeature.State(editing: Sample.grace)
    }
    for edit in [TextEdit.kill(.lineStart), .insert("Grace M. Hopper")] {
      await store.send(.sheet(ContactFormFeature.self, .form(.edited(.name, edit)), id: 1)) {
        $0[ContactFormFeature.self]?.form[.name].apply(edit)
      }
    }
    await store.send(.sheet(ContactFormFeature.self, .form(.saveButtonTapped), id: 1)) {
      $0[ContactFormFeature.self]?.form.touched = Set(ContactFormFeature.Field.allCases)
      $0[ContactFormFeature.self]?.form.isSaving = true
    }
    await store.receive(.sheet(ContactFormFeature.self, .saved(renamed), id: 1)) {
      $0[ContactFormFeature.self] = nil
    }
    // It is selected, as it was before.
    await store.receive(.responders(.saved(renamed)))
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

  let everyField = Set(ContactFormFeature.Field.allCases)

  @Test("Saving a contact form with errors saves nothing and shows each error")
  func saveWithErrors() async {
    let store = makeStore()
    await store.send(.form(.saveButtonTapped)) {
      $0.form.touched = everyField
      $0.form.errors = [.name: .nameLength(0), .address: .email]
    }
  }

  @Test("CON-1: a contact without a role isn't saved; CON-3: only a responder needs an address")
  func roles() async {
    let store = makeStore()
    await store.sendToForm(
      .edited(.name, .insert("Mary Ward")), .saveButtonTapped
    ) { .form($0) }
    #expect(store.state.form.errors == [.address: .email] && store.state.form.focus == .address)
    await store.sendToForm(.toggled(.responder)) { .form($0) }
    #expect(store.state.form.errors == [.responder: .roleRequired, .dependent: .roleRequired])
    #expect(store.state.draft == nil)
    await store.sendToForm(.toggled(.dependent)) { .form($0) }
    #expect(store.state.form.errors.isEmpty)
    #expect(store.state.draft?.roles == .dependent)
  }

  @Test func aFailedSaveKeepsWhatWasTyped() async {
    let store = makeStore(.init(editing: Sample.grace)) {
      $0.contactsClient.update = {
        (_: Contact, _: ContactDraft) async throws(ClientError) in
        throw .contactExists(name: "Alan Turing")
      }
    }
    await store.send(.form(.edited(.note, .insert("x")))) { $0.form[.note].apply(.insert("x")) }
    await store.send(.form(.saveButtonTapped)) {
      $0.form.touched = everyField
      $0.form.isSaving = true
    }
    await store.receive(.saveFailed(.contactExists(name: "Alan Turing"))) {
      $0.form.isSaving = false
      $0.form.failure = ClientError.contactExists(name: "Alan Turing").text
    }
  }

  /// A form that tried to save Grace and found that her note was changed in the meantime.
  func metNewer() async -> (TestStoreOf<ContactFormFeature>, newer: Contact) {
    var newer = Sample.grace
    newer.note = "has a key"
    let store = makeStore(.init(editing: Sample.grace)) { [newer] in
      $0.contactsClient.update = {
        (read: Contact, draft: ContactDraft) async throws(ClientError) in
        guard read == newer else { throw .contactChanged(newer) }
        var saved = newer
        saved.note = draft.note
        return saved
      }
    }
    await store.sendToForm(.edited(.note, .insert("mine")), .saveButtonTapped) { .form($0) }
    await store.receive(.saveFailed(.contactChanged(newer))) {
      $0.form.isSaving = false
      $0.newer = newer
    }
    return (store, newer)
  }

  @Test("CON-6: saving over a newer change fails, and the newer version can be edited instead")
  func newer() async {
    let (store, newer) = await metNewer()
    await store.send(.newerButtonTapped) { $0 = ContactFormFeature.State(editing: newer) }
    #expect(!store.state.hasChanges)
  }

  @Test("CON-6: after seeing the newer change, the user can save their own version over it")
  func keep() async {
    let (store, newer) = await metNewer()
    store.exhaustivity = .off  // Which contact the form replaces next is private.
    await store.send(.keepButtonTapped) { $0.newer = nil }
    store.exhaustivity = .on
    #expect(store.state.form[.note].text == "mine")
    await store.sendToForm(.saveButtonTapped) { .form($0) }
    var saved = newer
    saved.note = "mine"
    await store.receive(.saved(saved)) { $0.form.isSaving = false }
  }

  @Test("Closing a changed contact form asks first")
  func discard() async {
    let dismissed = LockedCounter()
    let store = makeStore {
      $0.dismiss = DismissEffect { dismissed.increment() }
    }
    await store.send(.form(.edited(.note, .insert("x")))) { $0.form[.note].apply(.insert("x")) }
    await store.send(.form(.closeButtonTapped)) { $0.form.isConfirmingDiscard = true }
    #expect(dismissed.value == 0)
    await store.send(.form(.discardConfirmed)) { $0.form.isConfirmingDiscard = false }
    #expect(dismissed.value == 1)
  }

  @Test("ONB-2: a name of 10,000 characters is cut to 200 and reported as too long")
  func longName() async {
    let store = makeStore()
    let long = String(repeating: "a", count: 10_000)
    await store.send(.form(.edited(.name, .insert(long)))) { $0.form[.name].apply(.insert(long)) }
    #expect(store.state.form[.name].text.count == 200)
    await store.send(.form(.nextField)) {
      $0.form.touched = [.name]
      $0.form.errors[.name] = .nameLength(200)
      $0.form.focus = .kind
    }
  }
}
