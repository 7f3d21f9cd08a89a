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

  @Test("CHK-9: selecting a tab shows it, and Enter no longer presses the check-in button")
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

  @Test("An action of a child changes only that child")
  func children() async {
    let second = ListPosition(selected: 1)
    let request = SecretRequest(id: 7, kind: .password)
    let store = makeStore()
    await store.send(.checkIn(.buttonFocusMoved)) { $0.checkIn.isButtonFocused = true }
    await store.send(.responders(.moved(second))) { $0.responders.position = second }
    await store.send(.dependents(.addByCodeButtonTapped)) {
      $0.dependents.destination = .codeEntry(CodeEntryFeature.State(adding: .dependent))
    }
    await store.send(.alerts(.scrolled(3))) { $0.alerts.scrollOffset = 3 }
    await store.send(.profile(.scrolled(2))) { $0.profile.scrollOffset = 2 }
    await store.send(.emergency(.alertCommandChosen)) { $0.emergency.phase = .confirming }
    await store.send(.pings(.failed(StorageError.full.text))) {
      $0.pings.failure = StorageError.full.text
    }
    await store.send(.prompt(.asked(request))) { $0.prompt.request = request }
    // It is for the root, which starts a monitor.
    await store.send(.watchButtonTapped)
  }

  @Test("What the effect of a child sends comes back to that child")
  func effects() async {
    let store = makeStore {
      $0.checkInClient.checkIn = { _ async throws(ClientError) in Sample.user }
    }
    await store.send(.checkIn(.checkInButtonTapped)) { $0.checkIn.isCheckingIn = true }
    await store.receive(.checkIn(.checkedIn(Sample.user))) { $0.checkIn.isCheckingIn = false }
  }

  @Test(
    "A result that concerns the whole app is passed on to the root; other actions aren't",
    arguments: [
      (.checkIn(.destination(.presented(.pause(.saved(Sample.user))))), .paused(Sample.user)),
      (
        .responders(.destination(.presented(.form(.saved(Sample.grace))))),
        .contactSaved(Sample.grace)
      ),
      (
        .dependents(.destination(.presented(.form(.saved(Sample.alan))))),
        .contactSaved(Sample.alan)
      ),
      (.profile(.destination(.presented(.security(.signedOut)))), .signedOut),
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
    var state = MainTabFeature.State(snapshot: Sample.snapshot())
    if isOnProfile {
      state.profile.settings = SettingsFeature.State()
    } else {
      state.checkIn.pause = PauseFeature.State(snapshot: state.snapshot)
    }
    #expect(state.hasSheet != isOnProfile)
    state.selectedTab = .profile
    #expect(state.hasSheet == isOnProfile)
    state.selectedTab = .alerts
    #expect(!state.hasSheet)
  }

  @Test("Unsaved changes on a tab count while another tab is selected")
  func unsavedChanges() async {
    let store = makeStore()
    await store.send(.responders(.addButtonTapped)) {
      $0.responders.destination = .form(ContactFormFeature.State(adding: .responder))
    }
    #expect(!store.state.hasUnsavedChanges)
    let typed = FormAction<ContactFormFeature.Field>.edited(.name, .insert("Mary"))
    await store.send(.responders(.destination(.presented(.form(.form(typed)))))) {
      $0.responders.editForm { $0.form[.name].apply(.insert("Mary")) }
    }
    await store.send(.tabSelected(.checkIn))
    #expect(store.state.hasUnsavedChanges)
  }

  @Test("What is typed in a sheet of a contact, or a responder's code, is unsaved, too")
  func unsavedChangesInSheets() {
    let snapshot = Sample.snapshot()
    func hasUnsavedChanges(_ change: (inout MainTabFeature.State) -> Void) -> Bool {
      var state = MainTabFeature.State(snapshot: snapshot)
      change(&state)
      return state.hasUnsavedChanges
    }
    var details = ContactDetailsFeature.State(contact: Sample.grace, snapshot: snapshot)
    #expect(!hasUnsavedChanges { $0.responders.destination = .details(details) })
    var channels = ChannelsFeature.State(of: Sample.grace.id, snapshot: snapshot)
    var form = ChannelFormFeature.State(of: Sample.grace.id)
    form.form[.address].apply(.insert("grace@"))
    channels.destination = .form(form)
    details.destination = .channels(channels)
    #expect(hasUnsavedChanges { $0.responders.destination = .details(details) })
    var declining = DecliningFeature.State(name: "Grace Hopper")
    declining.form[.code].apply(.insert("7K3"))
    details.destination = .declining(declining)
    #expect(hasUnsavedChanges { $0.responders.destination = .details(details) })
    var reply = ReplyFeature.State()
    #expect(!hasUnsavedChanges { $0.alerts.reply = reply })
    reply.form[.code].apply(.insert("7K3"))
    #expect(hasUnsavedChanges { $0.alerts.reply = reply })
  }
}
