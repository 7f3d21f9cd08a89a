import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Terminal
import Testing

@testable import Features

@MainActor @Suite struct MainTabFeatureTests {
  private func makeStore(
    _ state: MainTabFeature.State = .init(snapshot: Sample.snapshot()),
    prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<MainTabFeature> {
    TestStore(initialState: state) {
      MainTabFeature()
    } withDependencies: {
      prepare(&$0)
    }
  }

  /// A snapshot with this many notifications; a later one is newer than all before.
  private func snapshot(notifications count: UInt8) -> AccountSnapshot {
    var snapshot = Sample.snapshot()
    snapshot.notifications = (0..<count).reversed().map {
      NotificationItem(
        id: Sample.id(90 + $0), kind: .contactAdded, date: Sample.now + .minutes(Int($0)))
    }
    return snapshot
  }

  // MARK: Choosing a tab

  @Test("CHK-9: selecting a tab shows the tab and takes the focus from the check-in button")
  func selectsATab() async {
    var state = MainTabFeature.State(snapshot: Sample.snapshot())
    state.checkIn.isButtonFocused = true
    let store = makeStore(state)
    await store.send(.tabSelected(.profile)) {
      $0.selectedTab = .profile
      $0.checkIn.isButtonFocused = false
    }
    for tab in [MainTabFeature.Tab.alerts, .dependents, .responders, .checkIn] {
      await store.send(.tabSelected(tab)) { $0.selectedTab = tab }
    }
  }

  @Test("Opening the Alerts tab selects the newest row")
  func opensAlerts() async {
    var state = MainTabFeature.State(snapshot: snapshot(notifications: 1))
    // The selection stays on its row when a newer one arrives.
    state.show(snapshot(notifications: 2))
    #expect(state.alerts.position.selected == 1)
    let store = makeStore(state)
    await store.send(.tabSelected(.alerts)) {
      $0.selectedTab = .alerts
      $0.alerts.position.selected = 0
    }
  }

  @Test("Opening the Alerts tab keeps the row that the person chose")
  func keepsTheChosenAlert() async {
    let chosen = ListPosition(selected: 2)
    let store = makeStore(.init(snapshot: snapshot(notifications: 3)))
    await store.send(.alerts(.moved(chosen))) { $0.alerts.move(to: chosen) }
    await store.send(.tabSelected(.alerts)) { $0.selectedTab = .alerts }
    #expect(store.state.alerts.position == chosen)
  }

  @Test("Selecting the Alerts tab while it is open keeps its selection")
  func selectsAlertsAgain() async {
    var state = MainTabFeature.State(snapshot: snapshot(notifications: 1))
    state.selectedTab = .alerts
    state.show(snapshot(notifications: 2))
    let store = makeStore(state)
    await store.send(.tabSelected(.alerts))
    #expect(store.state.alerts.position.selected == 1)
  }

  // MARK: Snapshots

  @Test("A new snapshot reaches every tab and the pings, and leaves the selected tab selected")
  func showsASnapshot() {
    var state = MainTabFeature.State(snapshot: Sample.snapshot(contacts: []))
    state.selectedTab = .dependents
    var changed = Sample.snapshot(contacts: Sample.relations)
    changed.user.profile.name = "Ada King"
    changed.now = Sample.now + .hours(1)
    state.show(changed)
    #expect(state.snapshot == changed)
    #expect(state.checkIn.snapshot == changed)
    #expect(state.responders.snapshot == changed)
    #expect(state.dependents.snapshot == changed)
    #expect(state.alerts.snapshot == changed)
    #expect(state.profile.snapshot == changed)
    #expect(state.pings.snapshot == changed)
    #expect(state.selectedTab == .dependents)
    // What is derived from it follows.
    #expect(state.responders.rows.map(\.id).contains(Sample.hedy.id))
    #expect(state.dependents.rows.map(\.id).contains(Sample.charles.id))
    #expect(state.pings.senders.map(\.id) == [Sample.hedy.id])
  }

  // MARK: Children

  @Test("An action of a child feature changes only that feature's state")
  func children() async {
    let second = ListPosition(selected: 1)
    let request = SecretRequest(id: 7, kind: .password)
    let store = makeStore()
    await store.send(.checkIn(.buttonFocusMoved)) { $0.checkIn.isButtonFocused = true }
    await store.send(.responders(.moved(second))) { $0.responders.position = second }
    await store.send(.dependents(.addByCodeButtonTapped)) {
      $0[CodeEntryFeature.self] = CodeEntryFeature.State(adding: .dependent)
    }
    await store.send(.alerts(.scrolled(3))) { $0.alerts.scrollOffset = 3 }
    await store.send(.profile(.scrolled(2))) { $0.profile.scrollOffset = 2 }
    await store.send(.emergency(.alertCommandChosen)) { $0.emergency.phase = .confirming }
    await store.send(.pings(.failed(StorageError.full.text))) {
      $0.pings.request.failure = Failure(StorageError.full.text)
    }
    await store.send(.prompt(.asked(request))) { $0.prompt.request = request }
    // It is for the root, which starts a monitor.
    await store.send(.watchButtonTapped)
  }

  @Test("The result of a child feature's effect returns to that feature")
  func effects() async {
    let store = makeStore {
      $0.checkInClient.checkIn = { _ async throws(ClientError) in Sample.user }
    }
    await store.send(.checkIn(.checkInButtonTapped)) { $0.checkIn.request.isRunning = true }
    await store.receive(.checkIn(.checkedIn(Sample.user))) { $0.checkIn.request.isRunning = false }
  }

  @Test(
    "A result that concerns the whole app is passed on to the root; other actions aren't",
    arguments: [
      (.sheet(PauseFeature.self, .saved(Sample.user)), .paused(Sample.user)),
      (.sheet(ContactFormFeature.self, .saved(Sample.grace)), .contactSaved(Sample.grace)),
      (.sheet(ContactFormFeature.self, .saved(Sample.alan), id: 1), .contactSaved(Sample.alan)),
      (.sheet(SecurityFeature.self, .signedOut), .signedOut),
      (.watchButtonTapped, .queued),
      (.tabSelected(.alerts), nil),
      (.responders(.addButtonTapped), nil),
    ] as [(MainTabFeature.Action, DelegateAction?)])
  func delegates(action: MainTabFeature.Action, delegate: DelegateAction?) {
    #expect(action.delegate == delegate)
  }

  // MARK: Sheets

  @Test("A sheet takes the keys only while its own tab is selected", arguments: [true, false])
  func sheets(isOnProfile: Bool) async {
    let store = makeStore()
    let tab: MainTabFeature.Tab = isOnProfile ? .profile : .checkIn
    if isOnProfile {
      await store.send(.tabSelected(tab)) { $0.selectedTab = tab }
      #expect(!store.state.hasSheet)
      await store.send(.profile(.settingsButtonTapped)) {
        $0[SettingsFeature.self] = SettingsFeature.State()
      }
    } else {
      #expect(!store.state.hasSheet)
      await store.send(.checkIn(.pauseButtonTapped)) {
        $0[PauseFeature.self] = PauseFeature.State(snapshot: $0.snapshot)
      }
    }
    #expect(store.state.hasSheet)
    await store.send(.tabSelected(.alerts)) {
      $0.selectedTab = .alerts
      $0.path.removeAll()
    }
    #expect(!store.state.hasSheet)
  }

  @Test("Unsaved changes on a tab count while another tab is selected")
  func unsavedChanges() async {
    let store = makeStore()
    await store.send(.responders(.addButtonTapped)) {
      $0[ContactFormFeature.self] = ContactFormFeature.State(adding: .responder)
    }
    #expect(!store.state.hasUnsavedChanges)
    let typed = FormAction<ContactFormFeature.Field>.edited(.name, .insert("Mary"))
    await store.send(.sheet(ContactFormFeature.self, .form(typed))) {
      $0[ContactFormFeature.self]?.form[.name].apply(.insert("Mary"))
    }
    await store.send(.tabSelected(.checkIn))
    await store.send(.tabSelected(.profile))
    #expect(store.state.hasUnsavedChanges)
  }

  @Test("Text typed in a contact's sheet or as a responder's code counts as unsaved")
  func unsavedChangesInSheets() {
    let snapshot = Sample.snapshot()
    func hasUnsavedChanges(_ sheets: OpenSheet...) -> Bool {
      var state = MainTabFeature.State(snapshot: snapshot)
      for sheet in sheets { state.path.append(sheet) }
      return state.hasUnsavedChanges
    }
    let details = OpenSheet(
      ContactDetailsFeature.self, .init(contact: Sample.grace, snapshot: snapshot))
    #expect(!hasUnsavedChanges(details))
    let channels = OpenSheet(ChannelsFeature.self, .init(of: Sample.grace.id, snapshot: snapshot))
    var form = ChannelFormFeature.State(of: Sample.grace.id)
    #expect(!hasUnsavedChanges(details, channels, OpenSheet(ChannelFormFeature.self, form)))
    form.form[.address].apply(.insert("grace@"))
    #expect(hasUnsavedChanges(details, channels, OpenSheet(ChannelFormFeature.self, form)))
    var declining = DecliningFeature.State(name: "Grace Hopper")
    #expect(!hasUnsavedChanges(details, OpenSheet(DecliningFeature.self, declining)))
    declining.form[.code].apply(.insert("7K3"))
    #expect(hasUnsavedChanges(details, OpenSheet(DecliningFeature.self, declining)))
    var reply = ReplyFeature.State()
    #expect(!hasUnsavedChanges(OpenSheet(ReplyFeature.self, reply)))
    reply.form[.code].apply(.insert("7K3"))
    #expect(hasUnsavedChanges(OpenSheet(ReplyFeature.self, reply)))
  }

  // MARK: The path of sheets

  /// Opens the details of Grace, her channels above them, and a form for one more above these. Their
  /// ids are 0, 1 and 2.
  private func openThreeSheets(in store: TestStoreOf<MainTabFeature>) async {
    await store.send(.responders(.opened(Sample.grace.id))) {
      $0.responders.select(Sample.grace.id)
      $0[ContactDetailsFeature.self] = ContactDetailsFeature.State(
        contact: Sample.grace, snapshot: $0.snapshot)
    }
    await store.send(.sheet(ContactDetailsFeature.self, .channelsButtonTapped)) {
      $0[ChannelsFeature.self] = ChannelsFeature.State(of: Sample.grace.id, snapshot: $0.snapshot)
    }
    await store.send(.sheet(ChannelsFeature.self, .addButtonTapped, id: 1)) {
      $0[ChannelFormFeature.self] = ChannelFormFeature.State(
        of: Sample.grace.id, services: ChannelsFeatureTests.services)
    }
    #expect(store.state.path.ids == [0, 1, 2])
  }

  @Test("Selecting a tab closes all sheets, the tab's own too", arguments: [false, true])
  func selectingATabClosesAllSheets(isOwn: Bool) async {
    var state = MainTabFeature.State(snapshot: Sample.snapshot())
    state.selectedTab = .responders
    let store = makeStore(state)
    await openThreeSheets(in: store)
    await store.send(.tabSelected(isOwn ? .responders : .profile)) {
      $0.selectedTab = isOwn ? .responders : .profile
      $0.path.removeAll()
    }
  }

  @Test("When a sheet closes, all above it close with it, and those beneath it stay open")
  func closesWithAllAbove() async {
    let store = makeStore()
    await openThreeSheets(in: store)
    await store.send(.sheet(ChannelsFeature.self, .closeButtonTapped, id: 1))
    await store.receive(.closed(1)) { $0.path.pop(from: 1) }
    #expect(store.state.path.ids == [0])
    await store.send(.sheet(ContactDetailsFeature.self, .rolesButtonTapped)) {
      $0[RolesFeature.self] = RolesFeature.State(contact: Sample.grace)
    }
    #expect(store.state.path.ids == [0, 3])
    await store.send(.sheet(ContactDetailsFeature.self, .done(.removed(Sample.grace)))) {
      $0.path.removeAll()
    }
  }

  @Test("When a sheet is done, the one beneath it shows the result, and all others stay open")
  func sheetBeneathFollows() async {
    let new = NewChannel(channel: ChannelsFeatureTests.hook)
    let store = makeStore()
    await openThreeSheets(in: store)
    await store.send(.sheet(ChannelFormFeature.self, .saved(new), id: 2)) {
      $0.path.pop(from: 2)
    }
    await store.receive(.sheet(ChannelsFeature.self, .added(new), id: 1)) {
      $0[ChannelsFeature.self]?.notice = "Added."
      $0[ChannelsFeature.self]?.shown = new
    }
    #expect(store.state.path.ids == [0, 1])
  }

  @Test(
    "CON-7: when a contact with an account is removed elsewhere, their details and all above close")
  func contactIsGone() {
    var state = MainTabFeature.State(
      snapshot: Sample.snapshot(contacts: [Sample.grace, Sample.mary]))
    state[ContactDetailsFeature.self] = ContactDetailsFeature.State(
      contact: Sample.mary, snapshot: state.snapshot)
    state[RolesFeature.self] = RolesFeature.State(contact: Sample.mary)
    let opened = state.path.ids
    state.show(Sample.snapshot(contacts: [Sample.mary]))
    #expect(state.path.ids == opened && opened.count == 2)
    state.show(Sample.snapshot(contacts: [Sample.grace]))
    #expect(state.path.isEmpty)
  }

  @Test("When a contact without an account is removed elsewhere, their details stay open")
  func contactWithoutAccountIsGone() {
    var state = MainTabFeature.State(snapshot: Sample.snapshot(contacts: [Sample.grace]))
    state[ContactDetailsFeature.self] = ContactDetailsFeature.State(
      contact: Sample.grace, snapshot: state.snapshot)
    state.show(Sample.snapshot(contacts: []))
    #expect(state[ContactDetailsFeature.self]?.contact == Sample.grace)
  }

  @Test("DOC-1: when a contact is no longer a dependent, their documents close; the details stay")
  func roleIsGone() {
    var snapshot = Sample.snapshot(contacts: [Sample.mary])
    var state = MainTabFeature.State(snapshot: snapshot)
    state[ContactDetailsFeature.self] = ContactDetailsFeature.State(
      contact: Sample.mary, snapshot: snapshot)
    state[SharedDocumentsFeature.self] = SharedDocumentsFeature.State(contact: Sample.mary)
    let opened = state.path.ids
    state.show(snapshot)
    #expect(state.path.ids == opened && opened.count == 2)
    snapshot.contacts[0].roles = .responder
    state.show(snapshot)
    #expect(state.path.ids == Array(opened.prefix(1)))
    #expect(state[ContactDetailsFeature.self]?.contact == snapshot.contacts[0])
  }

  @Test("When a sheet has closed, its actions reach nobody, not even a sheet opened in its place")
  func actionOfAClosedSheet() async {
    let store = makeStore()
    let closed = [
      MainTabFeature.Action.sheet(PauseFeature.self, .chooseButtonTapped),
      .sheet(PauseFeature.self, .saved(Sample.user)), .closed(),
    ]
    await store.send(.checkIn(.pauseButtonTapped)) {
      $0[PauseFeature.self] = PauseFeature.State(snapshot: $0.snapshot)
    }
    await store.send(.sheet(PauseFeature.self, .closeButtonTapped))
    await store.receive(.closed()) { $0.path.removeAll() }
    for action in closed { await withKnownIssue { await store.send(action) } }
    #expect(store.state.path.isEmpty)
    await store.send(.checkIn(.pauseButtonTapped)) {
      $0[PauseFeature.self] = PauseFeature.State(snapshot: $0.snapshot)
    }
    let state = store.state
    #expect(state.path.ids == [1])
    for action in closed { await withKnownIssue { await store.send(action) } }
    #expect(store.state == state)
  }

  /// One action of each sheet.
  private static let actions: [SheetAction] = [
    SheetAction(IntervalFeature.self, .closeButtonTapped),
    SheetAction(PauseFeature.self, .closeButtonTapped),
    SheetAction(HistoryFeature.self, .closeButtonTapped),
    SheetAction(StandbyFeature.self, .closeButtonTapped),
    SheetAction(ContactDetailsFeature.self, .closeButtonTapped),
    SheetAction(ContactFormFeature.self, .form(.saveButtonTapped)),
    SheetAction(RolesFeature.self, .closeButtonTapped),
    SheetAction(WaitFeature.self, .closeButtonTapped),
    SheetAction(OutingFeature.self, .form(.saveButtonTapped)),
    SheetAction(BackFeature.self, .backButtonTapped),
    SheetAction(LaterFeature.self, .closeButtonTapped),
    SheetAction(SharedDocumentsFeature.self, .closeButtonTapped),
    SheetAction(DecliningFeature.self, .form(.saveButtonTapped)),
    SheetAction(CodeEntryFeature.self, .form(.saveButtonTapped)),
    SheetAction(CodeFeature.self, .closeButtonTapped),
    SheetAction(InvitationsFeature.self, .closeButtonTapped),
    SheetAction(ReplyFeature.self, .form(.saveButtonTapped)),
    SheetAction(EditProfileFeature.self, .form(.saveButtonTapped)),
    SheetAction(PictureFeature.self, .form(.saveButtonTapped)),
    SheetAction(EscalationFeature.self, .form(.saveButtonTapped)),
    SheetAction(SettingsFeature.self, .closeButtonTapped),
    SheetAction(ErrorLogFeature.self, .closeButtonTapped),
    SheetAction(DocumentsFeature.self, .closeButtonTapped),
    SheetAction(MailFeature.self, .form(.saveButtonTapped)),
    SheetAction(ChannelsFeature.self, .closeButtonTapped),
    SheetAction(ChannelFormFeature.self, .form(.saveButtonTapped)),
    SheetAction(ChannelLogFeature.self, .closeButtonTapped),
    SheetAction(ChannelTopicsFeature.self, .closeButtonTapped),
    SheetAction(SecurityFeature.self, .closeButtonTapped),
    SheetAction(UnsentFeature.self, .closeButtonTapped),
    SheetAction(PasswordFeature.self, .form(.saveButtonTapped)),
    SheetAction(GateFormFeature.self, .form(.saveButtonTapped)),
    SheetAction(SilentAlertFeature.self, .closeButtonTapped),
    SheetAction(DeletionFeature.self, .form(.saveButtonTapped)),
  ]

  private struct Ignored: Decodable {}

  @Test("When an action of a sheet is recorded, it is kept under its feature's name and read again")
  func recordedActions() throws {
    // The list above has each sheet once.
    #expect(Self.actions.count == SheetPath.features.count)
    #expect(
      Set(Self.actions.map { ObjectIdentifier($0.feature) })
        == Set(SheetPath.features.map { ObjectIdentifier($0) }))
    var names: Set<String> = []
    for action in Self.actions {
      let data = try JSONEncoder().encode(action)
      let read = try JSONDecoder().decode(SheetAction.self, from: data)
      #expect(read == action && ObjectIdentifier(read.feature) == ObjectIdentifier(action.feature))
      let keys = try JSONDecoder().decode([String: Ignored].self, from: data).keys
      #expect(keys.map { $0 + "Feature" } == [String(describing: action.feature)])
      names.formUnion(keys)
      let recorded = MainTabFeature.Action.path(.element(id: 7, action: action))
      let replayed = try JSONDecoder().decode(
        MainTabFeature.Action.self, from: JSONEncoder().encode(recorded))
      #expect(replayed == recorded)
    }
    #expect(names.count == SheetPath.features.count)
  }

  @Test("When a recorded action names a sheet that doesn't exist, it can't be read")
  func unknownSheet() {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(SheetAction.self, from: Data(#"{"Nothing":{}}"#.utf8))
    }
  }
}
