import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Terminal
import TerminalTesting
import Testing

@testable import Features

@MainActor @Suite struct RelationListTests {
  private func names(
    _ role: Roles, _ contacts: [Contact], order: ContactOrder = .timeLeft
  ) -> [String] {
    let snapshot = Sample.snapshot(contacts: contacts)
    @Shared(.terminalSettings) var settings = TerminalSettings()
    $settings.withLock { $0.lists[.dependent] = order }
    return ContactListFeature.State(role: role, snapshot: snapshot).rows.map(\.name)
  }

  @Test("ORD-1: dependents are sorted: offers, alerts, non-responsive, pinged, then by time left")
  func dependents() {
    #expect(
      names(.dependent, Sample.relations + [Sample.alan]) == [
        "Katherine Johnson", "Charles Babbage", "Emmy Noether", "Mary Somerville",
        "Zoë van Dijk", "Mary Ward", "Alan Turing",
      ])
    #expect(
      names(.dependent, Sample.relations + [Sample.alan], order: .name).suffix(3) == [
        "Mary Ward", "Zoë van Dijk", "Alan Turing",
      ])
  }

  @Test("ORD-3: responders who ping the user come first, the newest ping at the top")
  func responders() {
    var second = Sample.hedy
    second.name = "Ada Yonath"
    second.link?.receivedPing?.sentAt = Sample.now - .hours(1)
    #expect(
      names(.responder, [Sample.alan, second, Sample.grace, Sample.hedy]) == [
        "Hedy Lamarr", "Ada Yonath", "Alan Turing", "Grace Hopper",
      ])
  }

  @Test("ORD-2: a dependent's status follows the clock, not a stored value")
  func clock() {
    var snapshot = Sample.snapshot(contacts: [Sample.pinged])
    let shown = { (snapshot: AccountSnapshot) in
      let contact = snapshot.contacts[0]
      let status = contact.status(at: snapshot.now)
      return (text: status.text(of: contact, in: snapshot), mark: status.mark.text)
    }
    #expect(shown(snapshot).text == "20h" && shown(snapshot).mark == "●")
    snapshot.now = Sample.now + .hours(20) + .minutes(5)
    #expect(shown(snapshot).text == "Overdue 5m" && shown(snapshot).mark == "▲")
    snapshot.now = Sample.now + .hours(25)
    #expect(shown(snapshot).text == "No check-in, overdue 5h")
    snapshot.contacts[0].link?.dependentStatus?.grace = .zero
    snapshot.now = Sample.now + .hours(20)
    #expect(shown(snapshot).text == "No check-in, overdue less than 1m")
    #expect(snapshot.contacts[0].openSentPing(at: Sample.now + .hours(23)) != nil)
    #expect(snapshot.contacts[0].openSentPing(at: Sample.now + .hours(24)) == nil)
  }

  @Test("ORD-4: an age reads just now under a minute and as a date beyond 30 days")
  func ages() {
    let age = { (span: TimeSpan) in
      CivilCalendar.utc.age(of: Sample.now - span, now: Sample.now)
    }
    #expect(age(.seconds(59)) == "just now")
    #expect(age(.seconds(60)) == "1m")
    #expect(age(.minutes(323)) == "5h 23m")
    #expect(age(.hours(53)) == "2d 5h")
    #expect(age(.days(31)) == "2026-10-21")
  }

  @Test("CON-2: a contact who hasn't accepted yet isn't counted as a responder")
  func pendingIsNoResponder() {
    let snapshot = Sample.snapshot(contacts: [Sample.dorothy, Sample.hedy])
    #expect(snapshot.namedResponders == [Sample.hedy])
    #expect(snapshot.situation.calls.offers(of: .dependent) == 0)
    #expect(
      Sample.snapshot(contacts: [Sample.katherine]).situation.calls.offers(of: .dependent) == 1)
  }

  @Test("CON-7: a contact's details close when the contact is gone from the account")
  func goneAccount() {
    var state = MainTabFeature.State(snapshot: Sample.snapshot(contacts: Sample.relations))
    state[ContactDetailsFeature.self] = ContactDetailsFeature.State(
      contact: Sample.mary, snapshot: state.snapshot)
    state.show(Sample.snapshot(contacts: [Sample.charles]))
    #expect(state.path.isEmpty)
  }
}

@MainActor @Suite struct RelationDetailsTests {
  private func makeStore(
    _ contact: Contact, prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<ContactDetailsFeature> {
    TestStore(
      initialState: ContactDetailsFeature.State(
        contact: contact, snapshot: Sample.snapshot(contacts: [contact]))
    ) {
      ContactDetailsFeature()
    } withDependencies: {
      prepare(&$0)
    }
  }

  @Test("CON-5: a contact's details offer exactly the actions that are possible now")
  func offers() {
    let offers = { (contact: Contact) in
      ContactDetailsFeature.State(
        contact: contact, snapshot: Sample.snapshot(contacts: [contact])
      ).availableOperations
    }
    #expect(offers(Sample.grace) == [.edit, .channels, .declining, .roles, .wait, .news, .remove])
    #expect(offers(Sample.katherine) == [.accept, .decline])
    #expect(offers(Sample.dorothy) == [.remove])
    #expect(offers(Sample.mary) == [.roles, .wait, .news, .remove, .ping, .documents])
    #expect(offers(Sample.pinged) == [.roles, .news, .remove, .withdraw, .documents])
    #expect(offers(Sample.hedy) == [.roles, .wait, .remove, .answer])
    #expect(offers(Sample.charles) == [.roles, .news, .remove, .ping, .acknowledge, .documents])
    #expect(!offers(Sample.attended).contains(.acknowledge))
    #expect(offers(Sample.attended).contains(.stopResponding))
  }

  @Test("PNG-1: sending a ping asks first")
  func ping() async {
    let store = makeStore(Sample.mary) {
      $0.pingClient.send = { (id: Contact.ID) async throws(ClientError) in
        #expect(id == Sample.mary.id)
        return Ping(id: Sample.id(71), sentAt: Sample.now)
      }
    }
    await store.send(.pingButtonTapped) { $0.question = .ping }
    await store.send(.questionCancelled) { $0.question = nil }
    await store.send(.pingButtonTapped) { $0.question = .ping }
    await store.send(.pingConfirmed) {
      $0.question = nil
      $0.request.isRunning = true
    }
    await store.receive(.done(.pinged)) { $0.request.isRunning = false }
  }

  @Test("PNG-2: a ping can be withdrawn by its sender or answered by a check-in")
  func endPing() async {
    let sender = makeStore(Sample.pinged) {
      $0.pingClient.withdraw = { (id: Ping.ID) async throws(ClientError) in
        #expect(id == Sample.id(64))
        return Ping(id: id, sentAt: Sample.now, state: .withdrawn, endedAt: Sample.now)
      }
    }
    await sender.send(.withdrawButtonTapped) { $0.request.isRunning = true }
    await sender.receive(.done(.withdrawn)) { $0.request.isRunning = false }

    let receiver = makeStore(Sample.hedy) {
      $0.pingClient.answer = { (id: Ping.ID) async throws(ClientError) in
        #expect(id == Sample.id(70))
        return Sample.user
      }
    }
    await receiver.send(.answerButtonTapped) { $0.request.isRunning = true }
    await receiver.receive(.done(.answered(Sample.user))) { $0.request.isRunning = false }
  }

  @Test("ESC-2: a responder can acknowledge a dependent's active alert in the app")
  func acknowledge() async {
    let store = makeStore(Sample.charles) {
      $0.alertClient.acknowledge = { (id: Alert.ID) async throws(ClientError) in
        #expect(id == Sample.id(61))
        return Sample.alert
      }
    }
    await store.send(.acknowledgeButtonTapped) { $0.request.isRunning = true }
    await store.receive(.done(.acknowledged)) { $0.request.isRunning = false }
  }

  @Test("PAGE-1: a responder can withdraw their response in the app, after a question")
  func stopResponding() async {
    let store = makeStore(Sample.charles) {
      $0.alertClient.withdraw = { (id: Alert.ID) async throws(ClientError) in
        #expect(id == Sample.id(61))
        return Sample.alert
      }
    }
    await store.send(.stopRespondingButtonTapped) { $0.question = .withdrawal }
    await store.send(.questionCancelled) { $0.question = nil }
    await store.send(.stopRespondingButtonTapped) { $0.question = .withdrawal }
    await store.send(.withdrawalConfirmed) {
      $0.question = nil
      $0.request.isRunning = true
    }
    await store.receive(.done(.stoppedResponding)) { $0.request.isRunning = false }
  }

  @Test("The question about withdrawing a response closes when the alert is over")
  func withdrawalIsPast() {
    var contact = Sample.attended
    var state = ContactDetailsFeature.State(
      contact: contact, snapshot: Sample.snapshot(contacts: [contact]))
    state.question = .withdrawal
    state.show(Sample.snapshot(contacts: [contact]))
    #expect(state.question == .withdrawal)
    contact.link?.dependentStatus?.alert = nil
    state.show(Sample.snapshot(contacts: [contact]))
    #expect(state.question == nil)
  }

  @Test("CON-2: an offered relation can be accepted or declined; a failure shows an error")
  func answerOffer() async {
    let store = makeStore(Sample.katherine) {
      $0.contactsClient.accept = { (_: Contact.ID) async throws(ClientError) in
        throw .contactNotFound
      }
      $0.contactsClient.decline = { (id: Contact.ID) async throws(ClientError) in
        #expect(id == Sample.katherine.id)
      }
    }
    await store.send(.acceptButtonTapped) { $0.request.isRunning = true }
    await store.receive(.failed(ClientError.contactNotFound.text, retry: .acceptButtonTapped)) {
      $0.request.isRunning = false
      $0.request.failure = Failure(ClientError.contactNotFound.text, retry: .acceptButtonTapped)
    }
    await store.send(.declineButtonTapped) {
      $0.request.isRunning = true
      $0.request.failure = nil
    }
    await store.receive(.done(.declined)) { $0.request.isRunning = false }
  }

  @Test("CON-1: choosing no role for a contact asks to remove the contact")
  func lastRole() async {
    let store = TestStore(
      initialState: MainTabFeature.State(snapshot: Sample.snapshot(contacts: [Sample.mary]))
    ) {
      MainTabFeature()
    }
    await store.send(.dependents(.opened(Sample.mary.id))) {
      $0[ContactDetailsFeature.self] = ContactDetailsFeature.State(
        contact: Sample.mary, snapshot: $0.snapshot)
    }
    await store.send(.sheet(ContactDetailsFeature.self, .rolesButtonTapped)) {
      $0[RolesFeature.self] = RolesFeature.State(contact: Sample.mary)
    }
    await store.send(.sheet(RolesFeature.self, .moved(ListPosition(selected: 3)), id: 1)) {
      $0[RolesFeature.self]?.position = ListPosition(selected: 3)
    }
    await store.send(.sheet(RolesFeature.self, .chooseButtonTapped, id: 1))
    await store.receive(.sheet(RolesFeature.self, .noneChosen, id: 1)) {
      $0[RolesFeature.self] = nil
    }
    await store.receive(.sheet(ContactDetailsFeature.self, .noRoleChosen)) {
      $0[ContactDetailsFeature.self]?.question = .removal
    }
  }

  @Test("CON-5: the phone number in a contact's details can be copied")
  func copy() async {
    let store = makeStore(Sample.mary) {
      $0.clipboardClient.copy = { #expect($0 == "+442071838750") }
    }
    await store.send(.copyButtonTapped)
    await store.receive(.done(.copied))
  }

  @Test("CON-5: a contact's details can be scrolled")
  func scrolling() async {
    let store = makeStore(Sample.mary)
    await store.send(.scrolled(3)) { $0.scrollOffset = 3 }
  }
}

@MainActor @Suite struct RolesFeatureTests {
  private func makeStore(
    _ contact: Contact, prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<RolesFeature> {
    TestStore(initialState: RolesFeature.State(contact: contact)) {
      RolesFeature()
    } withDependencies: {
      prepare(&$0)
    }
  }

  @Test("CON-4: a change of roles shows its consequences before confirmation")
  func change() async {
    var changed = Sample.mary
    changed.roles = .responder
    let store = makeStore(Sample.mary) { [changed] in
      $0.contactsClient.setRoles = {
        (id: Contact.ID, roles: Roles) async throws(ClientError) in
        #expect(id == changed.id && roles == .responder)
        return changed
      }
    }
    await store.send(.moved(ListPosition(selected: 0))) {
      $0.position = ListPosition(selected: 0)
    }
    await store.send(.chooseButtonTapped) { $0.proposed = .responder }
    #expect(
      store.state.consequences == [
        "You no longer respond for Mary Ward.",
        "You no longer see how they are, and an open ping is withdrawn.",
        "Mary Ward is notified of the change.",
      ])
    await store.send(.confirmButtonTapped) { $0.request.isRunning = true }
    await store.receive(.saved(changed)) { $0.request.isRunning = false }
  }

  @Test("ESC-8: a responder's sheet chooses when they are notified, and shows it from then on")
  func wait() async {
    var changed = Sample.grace
    changed.wait = ResponderWait(span: .minutes(30), earlier: .zero, changedAt: Sample.now)
    let store = TestStore(initialState: WaitFeature.State(contact: Sample.grace)) {
      WaitFeature()
    } withDependencies: { [changed] in
      $0.contactsClient.setWait = { (id: Contact.ID, span: TimeSpan) async throws(ClientError) in
        guard id == changed.id, span == .minutes(30) else { throw .contactNotFound }
        return changed
      }
    }
    await store.send(.moved(ListPosition(selected: 2))) { $0.position.selected = 2 }
    await store.send(.chooseButtonTapped) { $0.request.isRunning = true }
    await store.receive(.saved(changed)) { $0.request.isRunning = false }
    #expect(WaitFeature.State(contact: changed).position.selected == 2)
    // One that was typed as a command is selected, too, so that Enter changes nothing.
    var typed = changed
    typed.wait?.span = .minutes(45)
    let state = WaitFeature.State(contact: typed)
    #expect(state.choices[state.position.selected] == .minutes(45))
    let facts = ViewHost().frame(
      ContactFacts(contact: changed, snapshot: Sample.snapshot()),
      size: Size(columns: 70, rows: 10))
    #expect(facts.text.contains("30m later, if nobody is responding"))
  }

  @Test("ESC-8: choosing the present time changes nothing; a failure is shown")
  func waitFails() async {
    let store = TestStore(initialState: WaitFeature.State(contact: Sample.grace)) {
      WaitFeature()
    } withDependencies: {
      $0.contactsClient.setWait = { (_: Contact.ID, _: TimeSpan) async throws(ClientError) in
        throw .contactNotFound
      }
    }
    await store.send(.moved(ListPosition(selected: 1))) { $0.position.selected = 1 }
    await store.send(.chooseButtonTapped) { $0.request.isRunning = true }
    await store.receive(.saveFailed(.contactNotFound)) {
      $0.request.isRunning = false
      $0.request.failure = Failure(ClientError.contactNotFound.text)
    }
    await store.send(.errorDismissed) { $0.request.failure = nil }
  }

  @Test("CON-4: adding the dependent role to a responder says that you respond for them")
  func newDependent() {
    var state = RolesFeature.State(contact: Sample.grace)
    state.proposed = [.responder, .dependent]
    #expect(state.consequences == ["You respond for Grace Hopper."])
  }

  @Test("CON-7: choosing to respond for a contact with an account needs their consent")
  func consent() async {
    let store = makeStore(Sample.hedy)
    await store.send(.moved(ListPosition(selected: 2))) {
      $0.position = ListPosition(selected: 2)
    }
    await store.send(.chooseButtonTapped) {
      $0.request.failure = Failure(ClientError.consentRequired(name: "Hedy Lamarr").text)
    }
  }

  @Test("CON-3: changing the roles of a contact without an account keeps their address")
  func outside() async {
    let store = makeStore(Sample.grace) {
      $0.contactsClient.update = {
        (read: Contact, draft: ContactDraft) async throws(ClientError) in
        #expect(read == Sample.grace && draft.email == Sample.grace.email)
        #expect(draft.roles == [.responder, .dependent])
        throw .storage(.busy)
      }
    }
    await store.send(.moved(ListPosition(selected: 2))) {
      $0.position = ListPosition(selected: 2)
    }
    await store.send(.chooseButtonTapped) { $0.proposed = [.responder, .dependent] }
    await store.send(.confirmButtonTapped) { $0.request.isRunning = true }
    await store.receive(.saveFailed(.storage(.busy))) {
      $0.request.isRunning = false
      $0.request.failure = Failure(StorageError.busy.text)
    }
  }
}

@MainActor @Suite struct CodeFeatureTests {
  nonisolated private static let link = "lifesignal://add/6f1c2d80-0000-4000-8000-00000000beef"

  private func makeStore(
    prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<CodeFeature> {
    TestStore(initialState: CodeFeature.State(code: Sample.code)) {
      CodeFeature()
    } withDependencies: {
      $0.qrCodeClient.modules = { (text: String) async throws(QRCodeError) in
        [[text == Self.link]]
      }
      prepare(&$0)
    }
  }

  @Test("QR-1: the user's code is shown as a QR code and copied as a link")
  func open() async {
    let store = makeStore { $0.clipboardClient.copy = { #expect($0 == Self.link) } }
    await store.send(.opened)
    await store.receive(.drawn([[true]])) { $0.modules = [[true]] }
    await store.send(.copyButtonTapped) { $0.message = "Copied, if your terminal allows it." }
  }

  @Test("QR-1: resetting the code asks first, then shows the new QR code")
  func reset() async {
    let new = AccountCode(Sample.id(80))
    let store = makeStore {
      $0.contactsClient.resetCode = { () async throws(ClientError) in new }
    }
    await store.send(.resetButtonTapped) { $0.isConfirmingReset = true }
    await store.send(.resetCancelled) { $0.isConfirmingReset = false }
    await store.send(.resetButtonTapped) { $0.isConfirmingReset = true }
    await store.send(.resetConfirmed) {
      $0.isConfirmingReset = false
      $0.request.isRunning = true
    }
    await store.receive(.wasReset(new)) {
      $0 = CodeFeature.State(code: new)
      $0.message = "This is your new code. The old one no longer works."
    }
    await store.receive(.drawn([[false]])) { $0.modules = [[false]] }
  }

  @Test("QR-1: the QR code is saved as a picture; an existing file shows an error")
  func save() async {
    let store = makeStore {
      $0.qrCodeClient.save = { (_: [[Bool]], path: String) async throws(QRCodeError) in
        if path.hasSuffix(".png") { throw .exists(path: path) }
        #expect(path == "/home/ada/c.svg")
      }
      $0.fileClient.path = { $0.replacing("~", with: "/home/ada") }
    }
    // Without a QR code there is nothing to save.
    await store.send(.saveButtonTapped)
    await store.send(.drawn([[true]])) { $0.modules = [[true]] }
    await store.send(.saveButtonTapped) {
      $0.path = TextInput("lifesignal-code.png", limit: 1_000)
    }
    await store.send(.pathConfirmed)
    await store.receive(.failed(QRCodeError.exists(path: "lifesignal-code.png").text)) {
      $0.request.failure = Failure(QRCodeError.exists(path: "lifesignal-code.png").text)
    }
    for edit in [TextEdit.kill(.lineStart), .insert("~/c.svg")] {
      await store.send(.pathEdited(edit)) {
        $0.path?.apply(edit)
        $0.request.failure = nil
      }
    }
    await store.send(.pathConfirmed)
    await store.receive(.saved(path: "~/c.svg")) {
      $0.path = nil
      $0.message = "Saved as ~/c.svg."
    }
  }
}

@MainActor @Suite struct CodeEntryFeatureTests {
  @Test("CON-2: a code typed in any spelling shows its owner's name before the request is sent")
  func ask() async {
    let store = TestStore(initialState: CodeEntryFeature.State(adding: .responder)) {
      CodeEntryFeature()
    } withDependencies: {
      $0.contactsClient.lookUp = { (code: AccountCode) async throws(ClientError) in
        #expect(code == Sample.code)
        return "Mary Ward"
      }
      $0.contactsClient.request = {
        (code: AccountCode, roles: Roles) async throws(ClientError) in
        #expect(code == Sample.code && roles == .responder)
        return Sample.dorothy
      }
    }
    let typed = TextEdit.insert("6F1C 2D80 00004000 8000 00000000BEEF")
    await store.send(.form(.edited(.code, typed))) { $0.form[.code].apply(typed) }
    await store.send(.form(.saveButtonTapped)) {
      $0.form.touched = Set(CodeEntryFeature.Field.allCases)
      $0.form.isSaving = true
    }
    let found = CodeEntryFeature.Found(code: Sample.code, name: "Mary Ward")
    await store.receive(.found(found)) {
      $0.form.isSaving = false
      $0.found = found
    }
    await store.send(.askButtonTapped) { $0.request.isRunning = true }
    await store.receive(.requested(Sample.dorothy)) { $0.request.isRunning = false }
  }

  @Test("A code of another server isn't looked up; the error names both servers")
  func otherServer() async {
    let code = SharedCode(Sample.code, server: "example.org")
    let error = ClientError.codeElsewhere("example.org", here: "family.example")
    let store = TestStore(initialState: CodeEntryFeature.State(adding: .responder, code: code)) {
      CodeEntryFeature()
    } withDependencies: {
      $0.accountHost = .server(name: "family.example")
    }
    await store.send(.form(.saveButtonTapped)) {
      $0.form.touched = Set(CodeEntryFeature.Field.allCases)
      $0.form.isSaving = true
    }
    await store.receive(.failed(error)) {
      $0.form.isSaving = false
      $0.form.failure = error.text
    }
    #expect(
      error.text.sentence == "That code belongs to example.org; you are on family.example."
        + " Both of you need to be on the same server.")
  }

  @Test("CON-2: an unknown code shows an error in the form")
  func refused() async {
    let store = TestStore(
      initialState: CodeEntryFeature.State(
        adding: .dependent, code: SharedCode(Sample.code))
    ) {
      CodeEntryFeature()
    } withDependencies: {
      $0.contactsClient.lookUp = { (_: AccountCode) async throws(ClientError) in
        throw .codeUnknown
      }
    }
    await store.send(.form(.saveButtonTapped)) {
      $0.form.touched = Set(CodeEntryFeature.Field.allCases)
      $0.form.isSaving = true
    }
    await store.receive(.failed(.codeUnknown)) {
      $0.form.isSaving = false
      $0.form.failure = ClientError.codeUnknown.text
    }
  }

  @Test("QR-1: a picture of a QR code shows the name of the code's owner")
  func picture() async {
    let store = TestStore(initialState: CodeEntryFeature.State(adding: .responder)) {
      CodeEntryFeature()
    } withDependencies: {
      $0.fileClient.path = { "/home/ada" + $0.dropFirst() }
      $0.fileClient.contents = { (path: String, limit: Int) async throws(LocalFileError) in
        #expect(path == "/home/ada/my code.PNG" && limit == QRCodeClient.sizeLimit)
        return Data([1, 2])
      }
      $0.qrCodeClient.text = { (picture: Data) async throws(QRCodeError) in
        #expect(picture == Data([1, 2]))
        return Sample.code.link
      }
      $0.contactsClient.lookUp = { (code: AccountCode) async throws(ClientError) in
        #expect(code == Sample.code)
        return "Mary Ward"
      }
    }
    await save("'~/my code.PNG' ", in: store)
    let found = CodeEntryFeature.Found(code: Sample.code, name: "Mary Ward")
    await store.receive(.found(found)) {
      $0.form.isSaving = false
      $0.found = found
    }
  }

  @Test(
    "QR-1: a picture without a LifeSignal code shows why the code can't be used",
    arguments: [Result<String, QRCodeError>.success("https://example.org"), .failure(.noCode)])
  func wrongPicture(outcome: Result<String, QRCodeError>) async {
    let store = TestStore(initialState: CodeEntryFeature.State(adding: .responder)) {
      CodeEntryFeature()
    } withDependencies: {
      $0.fileClient.path = { $0 }
      $0.fileClient.contents = { (_: String, _: Int) async throws(LocalFileError) in Data() }
      $0.qrCodeClient.text = { (_: Data) async throws(QRCodeError) in try outcome.get() }
    }
    await save("a.jpg", in: store)
    let error: QRCodeError = if case .failure(let error) = outcome { error } else { .otherCode }
    await store.receive(.pictureFailed(error)) {
      $0.form.isSaving = false
      $0.form.failure = error.text
    }
  }

  @Test("QR-1: a picture file that can't be read shows why")
  func noFile() async {
    let error = LocalFileError.notFound(path: "a.jpeg")
    let store = TestStore(initialState: CodeEntryFeature.State(adding: .responder)) {
      CodeEntryFeature()
    } withDependencies: {
      $0.fileClient.path = { $0 }
      $0.fileClient.contents = { (_: String, _: Int) async throws(LocalFileError) in throw error }
    }
    await save("a.jpeg", in: store)
    await store.receive(.fileFailed(error)) {
      $0.form.isSaving = false
      $0.form.failure = error.text
    }
  }

  private func save(
    _ text: String, in store: TestStore<CodeEntryFeature.State, CodeEntryFeature.Action>
  ) async {
    await store.send(.form(.edited(.code, .insert(text)))) { $0.form[.code].apply(.insert(text)) }
    await store.send(.form(.saveButtonTapped)) {
      $0.form.touched = Set(CodeEntryFeature.Field.allCases)
      $0.form.isSaving = true
    }
  }

  @Test(
    "QR-1: a dropped file's path is read with quotes, with backslashes or as a file URL",
    arguments: [
      ("/a/b.png", "/a/b.png"), (" 'a b.png' ", "a b.png"), ("\"c.jpeg\"", "c.jpeg"),
      (#"/my\ code\(1\).JPG"#, "/my code(1).JPG"), (#"a\\b.png"#, #"a\b.png"#),
      ("file:///my%20c%C3%B6de.png", "/my cöde.png"), ("file:///100%.png", "/100%.png"),
    ])
  func droppedFile(typed: String, path: String) throws {
    #expect(try TypedCode(parsing: typed) == .picture(path: path))
  }

  @Test(
    "QR-1: text that isn't the path of a PNG or JPEG must be a code",
    arguments: ["", ".png", "a.gif", "png"])
  func noPicture(typed: String) {
    #expect(throws: ValidationError.code) { try TypedCode(parsing: typed) }
    #expect((try? TypedCode(parsing: Sample.code.link)) == .code(SharedCode(Sample.code)))
  }

  @Test("QR-1: an empty code isn't looked up")
  func noCode() async {
    let store = TestStore(initialState: CodeEntryFeature.State(adding: .responder)) {
      CodeEntryFeature()
    }
    await store.send(.form(.saveButtonTapped)) {
      $0.form.touched = Set(CodeEntryFeature.Field.allCases)
      $0.form.errors = [.code: .code]
    }
  }
}

@MainActor @Suite struct ContactFactsTests {
  private func text(_ contact: Contact) -> String {
    let snapshot = Sample.snapshot(contacts: [contact])
    let lines = FrameSnapshot.lines(
      of: ContactFacts(contact: contact, snapshot: snapshot), size: Size(columns: 80, rows: 20))
    return lines.joined(separator: "\n")
  }

  @Test("CON-5: a contact's details show their alert, the pings, and whether they declined")
  func standing() {
    let linked = text(Sample.charles)
    #expect(linked.contains("ALERT 5m") && linked.contains("Grace Hopper is responding"))
    #expect(text(Sample.pinged).contains("your ping") && text(Sample.hedy).contains("their ping"))
    #expect(!text(Sample.grace).contains("○"))
    var declined = Sample.grace
    declined.declinedAt = Sample.now
    #expect(text(declined).contains("declined"))
  }

  @Test(
    "CON-7: an offer says which of the two people would respond for the other",
    arguments: [
      (.responder, "asks to respond for you"), (.dependent, "asks you to respond for them"),
      ([.responder, .dependent], "asks that you respond for each other"),
    ] as [(Roles, String)])
  func offer(roles: Roles, words: String) {
    let contact = Sample.linked(67, "Katherine Johnson", roles: roles, state: .offered)
    let status = contact.status(at: Sample.now)
    #expect(status.text(of: contact, in: Sample.snapshot()) == words)
  }
}

@MainActor @Suite struct PingsFeatureTests {
  @Test("PNG-2: the sender of the newest ping is listed first")
  func order() {
    var earlier = Sample.linked(71, "Ada Yonath", roles: .responder)
    earlier.link?.receivedPing = Ping(id: Sample.id(72), sentAt: Sample.now - .minutes(9))
    let state = PingsFeature.State(snapshot: Sample.snapshot(contacts: [earlier, Sample.hedy]))
    #expect(state.senders == [Sample.hedy, earlier])
  }

  @Test("PNG-2: all open pings are answered by one check-in")
  func answerAll() async {
    let store = TestStore(
      initialState: PingsFeature.State(snapshot: Sample.snapshot(contacts: Sample.relations))
    ) {
      PingsFeature()
    } withDependencies: {
      $0.pingClient.answerAll = { () async throws(ClientError) in Sample.user }
    }
    #expect(store.state.senders == [Sample.hedy])
    await store.send(.answerAllButtonTapped) { $0.request.isRunning = true }
    await store.receive(.answered(Sample.user)) { $0.request.isRunning = false }
  }

  @Test("CHK-3: with a gate, answering pings asks for the passphrase first")
  func gate() async {
    var user = Sample.user
    user.locks = .gate
    let person = Typist("blue kettle")
    let store = TestStore(
      initialState: PingsFeature.State(
        snapshot: Sample.snapshot(user: user, contacts: Sample.relations))
    ) {
      PingsFeature()
    } withDependencies: {
      person.answers(in: &$0)
      $0.pingClient.answerAll = { () async throws(ClientError) in
        try person.requirePassphrase(for: .answerPings)
        return Sample.user
      }
    }
    await store.send(.answerAllButtonTapped) { $0.request.isRunning = true }
    await store.receive(.answered(Sample.user)) { $0.request.isRunning = false }
    #expect(person.asked == [.passphrase(.answerPings)])
  }

  @Test("PNG-2: a failed answer to pings shows an error until no ping is open")
  func failure() async {
    let store = TestStore(
      initialState: PingsFeature.State(snapshot: Sample.snapshot(contacts: Sample.relations))
    ) {
      PingsFeature()
    } withDependencies: {
      $0.pingClient.answerAll = { () async throws(ClientError) in
        throw .storage(.busy)
      }
    }
    await store.send(.answerAllButtonTapped) { $0.request.isRunning = true }
    await store.receive(.failed(StorageError.busy.text)) {
      $0.request.isRunning = false
      $0.request.failure = Failure(StorageError.busy.text)
    }
    var state = store.state
    state.show(Sample.snapshot(contacts: []))
    #expect(state.request.failure == nil)
  }
}
