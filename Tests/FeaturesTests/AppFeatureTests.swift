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

@MainActor @Suite struct AppFeatureTests {
  let clock = TestClock()

  func makeStore(
    _ state: AppFeature.State = .init(), prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<AppFeature> {
    .app(state, on: clock) {
      $0.authClient.requestedAddress = { nil }
      $0.authClient.observeState = { .finished() }
      prepare(&$0)
    }
  }

  /// A state with an account signed in.
  let signedIn = AppFeature.State.signedIn()

  /// Sets up streams that never yield a value and a monitor that starts.
  nonisolated static func quiet(_ values: inout DependencyValues) {
    values.authClient.requestedAddress = { nil }
    values.authClient.observeState = { .finished() }
    values.userClient.observeCurrentUser = { AsyncThrowingStream { _ in } }
    values.contactsClient.observe = { AsyncThrowingStream { _ in } }
    values.contactsClient.overview = {
      (_: Int, _: NameOrder) async throws(ClientError) in throw .notAuthenticated
    }
    values.checkInClient.observeHistory = { _ in AsyncThrowingStream { _ in } }
    values.checkInClient.observeRecord = { _ in AsyncThrowingStream { _ in } }
    values.alertClient.observe = { _ in AsyncThrowingStream { _ in } }
    values.alertClient.observeArmed = { AsyncThrowingStream { _ in } }
    values.alertClient.arm = { (id, message, delay) async throws(ClientError) in
      delay > .zero
        ? .armed(EmergencyFeatureTests.armed(message, delay, id)) : .raised(Sample.alert)
    }
    values.attentionClient.call = { _, _, _ in }
    values.uuid = .incrementing
    values.notificationClient.observe = { _, _ in AsyncThrowingStream { _ in } }
    values.watchClient.observe = { AsyncThrowingStream { _ in } }
    values.channelsClient.observe = { AsyncThrowingStream { _ in } }
    values.watchClient.start = { () async throws(StorageError) in }
    values.storageClient.document = { (path: DocumentPath) async throws(StorageError) in
      // Settings of an earlier version are adopted later.
      guard path == .firstMessage else { throw .busy }
      return nil
    }
  }

  @Test("ONB-1: without an account the app starts with onboarding, then shows the tabs")
  func onboarding() async {
    let store = makeStore {
      Self.quiet(&$0)
      $0.authClient.state = { () async throws(ClientError) in .newcomer }
    }
    await store.send(.started)
    await store.receive(.accountMissing) {
      $0.onboarding = OnboardingFeature.State(calendar: .utc)
    }
    await store.send(.onboarding(.finished(Sample.user)))
    await store.receive(.accountFound(Sample.user)) {
      $0.onboarding = nil
      $0.main = .opened()
    }
    await store.skipInFlightEffects()
  }

  @Test("AUTH-1: with an account the app starts with the tabs")
  func account() async {
    let store = makeStore {
      Self.quiet(&$0)
      $0.authClient.state = { () async throws(ClientError) in .signedIn(Sample.user.id) }
      $0.userClient.currentUser = { () async throws(ClientError) in Sample.user }
    }
    await store.send(.started)
    await store.receive(.accountFound(Sample.user)) {
      $0.main = .opened()
    }
    await store.skipInFlightEffects()
  }

  @Test("ONB-4: an unfinished test message comes back at the next start until finished or put off")
  func firstMessageLeft() async {
    let deleted = LockedCounter()
    let store = makeStore {
      Self.quiet(&$0)
      $0.authClient.state = { () async throws(ClientError) in .signedIn(Sample.user.id) }
      $0.userClient.currentUser = { () async throws(ClientError) in Sample.user }
      $0.storageClient.document = { (path: DocumentPath) async throws(StorageError) in
        guard path == .firstMessage else { throw .busy }
        return Document(path: path, version: 1, json: Data(#"{"responder":"Grace Hopper"}"#.utf8))
      }
      $0.storageClient.deleteDocument = { (path: DocumentPath) async throws(StorageError) in
        #expect(path == .firstMessage)
        _ = deleted.increment()
      }
      $0.contactsClient.contacts = { () async throws(ClientError) in [Sample.alan, Sample.grace] }
      $0.mailSettingsClient.settings = { () async throws(ClientError) in nil }
    }
    let channel = Sample.grace.channels[0]
    let draft = ChannelDraft(channel.kind, channel.address)
    await store.send(.started)
    await store.receive(.accountFound(Sample.user)) { $0.main = .opened() }
    await store.receive(.firstMessageLeft(responder: "Grace Hopper", draft)) {
      $0.onboarding = OnboardingFeature.State(
        resuming: .init(user: Sample.user, responder: "Grace Hopper", channel: draft),
        calendar: .utc, host: .thisMachine)
    }
    #expect(store.state.onboarding?.account?.responders.first?.channels == [draft])
    await store.receive(.onboarding(.firstMessage(.opened)))
    await store.receive(.onboarding(.firstMessage(.settingsRead(nil)))) {
      $0.onboarding?.firstMessage?.hasMail = false
    }
    await store.send(.onboarding(.firstMessage(.finishButtonTapped)))
    await store.receive(.onboarding(.finished(Sample.user)))
    await store.receive(.accountFound(Sample.user)) {
      $0.onboarding = nil
      $0.main = .opened()
    }
    #expect(deleted.value == 1)
    await store.skipInFlightEffects()
  }

  @Test("A link opened before the account is loaded selects its tab afterwards")
  func link() async {
    let store = makeStore {
      Self.quiet(&$0)
      $0.authClient.state = { () async throws(ClientError) in .signedIn(Sample.user.id) }
      $0.userClient.currentUser = { () async throws(ClientError) in Sample.user }
    }
    await store.send(.linkOpened(.profile)) { $0.link = .profile }
    await store.send(.started)
    await store.receive(.accountFound(Sample.user)) {
      $0.link = nil
      $0.main = .opened()
      $0.main?.selectedTab = .profile
    }
    await store.skipInFlightEffects()
  }

  @Test("The app says that there are no responders only after reading the contacts")
  func reading() async {
    var state = AppFeature.State()
    state.main = .opened()
    let store = makeStore(state)
    #expect(store.state.main?.snapshot.hasNoResponders == false)
    await store.send(.changed(.contacts([]))) {
      $0.show { $0.contacts = [] }
    }
    #expect(store.state.main?.snapshot.hasNoResponders == true)
    await store.send(.changed(.history([]))) {
      var snapshot = $0.main!.snapshot
      #expect(!snapshot.isHistoryKnown)
      snapshot.history = []
      $0.main?.show(snapshot)
    }
    await store.skipInFlightEffects()
  }

  @Test("The first screen counts responders from an overview until the contacts are read")
  func overview() async {
    let sooner = ContactOverview([Sample.alan, Sample.grace], naming: 1)
    let store = makeStore {
      Self.quiet(&$0)
      $0.authClient.state = { () async throws(ClientError) in .signedIn(Sample.user.id) }
      $0.userClient.currentUser = { () async throws(ClientError) in Sample.user }
      $0.contactsClient.overview = {
        (limit: Int, order: NameOrder) async throws(ClientError) in
        #expect(limit == AccountSnapshot.namedResponderLimit && !order.isOfLanguage)
        return sooner
      }
    }
    await store.send(.started)
    await store.receive(.accountFound(Sample.user)) {
      $0.main = .opened()
    }
    await store.receive(.changed(.overview(sooner))) {
      $0.show { $0.expect(sooner) }
    }
    #expect(store.state.main?.snapshot.responderCount == 2)
    #expect(store.state.main?.snapshot.areContactsKnown == false)
    await store.send(.changed(.contacts([Sample.grace]))) {
      $0.show { $0.contacts = [Sample.grace] }
    }
    #expect(store.state.main?.snapshot.responderCount == 1)
    // An overview that arrives after the contacts is ignored.
    await store.send(.changed(.overview(sooner)))
    #expect(store.state.main?.snapshot.responderCount == 1)
    await store.skipInFlightEffects()
  }

  @Test("A link to a contact waits until contacts are read; an unknown contact shows a warning")
  func linkToContact() async {
    let link = DeepLink.contact(Sample.id(250))
    let store = makeStore(
      .signedIn(AccountSnapshot(user: Sample.user, now: Sample.now, calendar: .utc)))
    await store.send(.linkOpened(link)) { $0.link = link }
    await store.send(.changed(.contacts([Sample.grace]))) {
      $0.link = nil
      $0.show { $0.contacts = [Sample.grace] }
      $0.toast = ToastMessage("This contact doesn't exist.", .warning)
    }
    await store.skipInFlightEffects()
  }

  @Test("An unreadable store shows an error; trying again works once the store can be read")
  func failure() async {
    let isBroken = Mutex(true)
    let store = makeStore {
      $0.authClient.state = { () async throws(ClientError) in
        if isBroken.withLock({ $0 }) { throw .storage(.busy) }
        return .newcomer
      }
    }
    await store.send(.started)
    await store.receive(.accountFailed(StorageError.busy.text)) {
      $0.failure = StorageError.busy.text
      $0.emergency = EmergencyFeature.State()
      $0.unread = .unread(now: Sample.now, calendar: .utc)
    }
    isBroken.withLock { $0 = false }
    await store.send(.retryButtonTapped)
    await store.receive(.accountMissing) {
      $0.failure = nil
      $0.emergency = nil
      $0.unread = nil
      $0.onboarding = OnboardingFeature.State(calendar: .utc)
    }
  }

  @Test func anAccountThatCannotBeReadIsSaid() async {
    let store = makeStore {
      $0.authClient.state = { () async throws(ClientError) in .signedIn(Sample.user.id) }
      $0.userClient.currentUser = { () async throws(ClientError) in throw .notAuthenticated }
    }
    await store.send(.started)
    await store.receive(.accountFailed(ClientError.notAuthenticated.text)) {
      $0.failure = ClientError.notAuthenticated.text
      $0.emergency = EmergencyFeature.State()
      $0.unread = .unread(now: Sample.now, calendar: .utc)
    }
    await store.skipInFlightEffects()
  }

  @Test("Contacts read from the store appear on the Responders and Check-In tabs")
  func streams() async {
    let store = makeStore {
      Self.quiet(&$0)
      $0.authClient.state = { () async throws(ClientError) in .signedIn(Sample.user.id) }
      $0.userClient.currentUser = { () async throws(ClientError) in Sample.user }
      $0.contactsClient.observe = {
        AsyncThrowingStream { $0.yield([Sample.grace]) }
      }
    }
    await store.send(.started)
    await store.receive(.accountFound(Sample.user)) {
      $0.main = .opened()
    }
    await store.receive(.changed(.contacts([Sample.grace]))) {
      $0.show { $0.contacts = [Sample.grace] }
    }
    #expect(store.state.main?.responders.rows == [Sample.grace])
    #expect(store.state.main?.checkIn.snapshot.namedResponders == [Sample.grace])
    await store.skipInFlightEffects()
  }

  @Test("Settings that an earlier version stored with the account are adopted once")
  func adoption() async {
    // Its own storage has the settings, so its initial state must be made by the store.
    let store = TestStore(initialState: AppFeature.State()) {
      AppFeature()
    } withDependencies: {
      $0.continuousClock = TestClock()
      $0.dateClient = .constant(Sample.now)
      Self.quiet(&$0)
      $0.authClient.state = { () async throws(ClientError) in .signedIn(Sample.user.id) }
      $0.userClient.currentUser = { () async throws(ClientError) in Sample.user }
      $0.storageClient.document = { (path: DocumentPath) async throws(StorageError) in
        switch path {
        case .appearance: Document(path: path, version: 1, json: Data(#"{"theme":"mono"}"#.utf8))
        case .lists: Document(path: path, version: 1, json: Data(#"{"dependents":"name"}"#.utf8))
        default: nil
        }
      }
    }
    await store.send(.started)
    await store.receive(.accountFound(Sample.user)) {
      $0.main = .opened()
    }
    var lists = ListChoices()
    lists[.dependent] = .name
    await store.receive(.settingsAdopted(Appearance(theme: .mono), lists)) { [lists] in
      $0.$terminalSettings.withLock {
        $0.hasAdopted = true
        $0.appearance.theme = .mono
        $0.lists = lists
      }
      $0.show { _ in }
    }
    #expect(store.state.main?.dependents.order == .name)
    await store.send(.accountFound(Sample.user))
    await store.skipInFlightEffects()
  }

  @Test("CHK-4: the clock ticks only when a visible time changes")
  func tick() async {
    let now = Mutex(Sample.now)
    let store = makeStore(signedIn) {
      $0.dateClient.now = { now.withLock { $0 } }
    }
    await store.send(.resumed)
    // 22h 00m 00s are left, so the text changes to 21h 59m a second later.
    now.withLock { $0 = $0 + .seconds(1) }
    await clock.advance(by: .milliseconds(900))
    await clock.advance(by: .milliseconds(100))
    await store.receive(.ticked) {
      $0.show { $0.now = Sample.now + .seconds(1) }
    }
    now.withLock { $0 = $0 + .seconds(60) }
    await clock.advance(by: .seconds(59))
    await clock.advance(by: .seconds(1))
    await store.receive(.ticked) {
      $0.show { $0.now = Sample.now + .seconds(61) }
    }
    await store.skipInFlightEffects()
  }

  @Test("CHK-1: a check-in shows a message with the next deadline for 3 seconds")
  func toast() async {
    var later = Sample.user
    later.lastCheckIn = Sample.now - .seconds(30)
    let store = makeStore(signedIn)
    await store.send(.main(.checkIn(.checkedIn(later)))) {
      $0.show { $0.user = later }
      $0.toast = ToastMessage("Checked in. Next deadline tomorrow 07:59.")
    }
    await clock.advance(by: .seconds(3))
    await store.receive(.toastExpired) { $0.toast = nil }
    await store.skipInFlightEffects()
  }

  @Test("CHK-1: a second check-in within a minute says that both count as one")
  func repeatedCheckIn() async {
    var (state, later) = (signedIn, Sample.user)
    state.show {
      $0.history = [
        CheckIn(
          id: Sample.id(50), date: Sample.now - .seconds(20), source: .manual, sequence: 1,
          margin: .hours(1))
      ]
    }
    later.lastCheckIn = Sample.now
    let store = makeStore(state) { [later] in
      $0.checkInClient.checkIn = { (_) async throws(ClientError) in later }
    }
    await store.send(.main(.checkIn(.checkInButtonTapped))) {
      $0.main?.checkIn.request.isRunning = true
      $0.main?.checkIn.checkInBefore = Sample.now - .seconds(20)
    }
    await store.receive(.main(.checkIn(.checkedIn(later)))) {
      $0.main?.checkIn.request.isRunning = false
      $0.show { $0.user = later }
      $0.toast = ToastMessage(
        "Checked in. Two check-ins within a minute count as one. Next deadline tomorrow 08:00.")
    }
    await store.skipInFlightEffects()
  }

  @Test("CHK-7: a check-in during a pause shows when the pause ends")
  func checkInDuringPause() async {
    var later = Sample.user
    later.lastCheckIn = Sample.now
    later.pausedUntil = Sample.now + .days(2)
    let store = makeStore(signedIn)
    await store.send(.main(.checkIn(.checkedIn(later)))) {
      $0.show { $0.user = later }
      $0.toast = ToastMessage("Checked in. You are still paused until Mon 08:00; p resumes.")
    }
    await store.skipInFlightEffects()
  }

  @Test(
    "CHK-1: a check-in whose new deadline has already passed is reported as too late")
  func lateCheckIn() async {
    var (state, later) = (signedIn, Sample.user)
    state.show { $0.alerts = [AlertReport(alert: Sample.alert)] }
    later.lastCheckIn = Sample.now - later.interval.span
    let store = makeStore(state)
    await store.send(.main(.checkIn(.checkedIn(later)))) {
      $0.show { $0.user = later }
      $0.toast = ToastMessage(
        "You are NOT checked in: Your check-in arrived too late to count. Check in again.",
        .danger)
    }
    await store.skipInFlightEffects()
  }

  @Test("CHK-6: a check-in during an alert says that the alert is still on")
  func checkInDuringAlert() async {
    var (state, later) = (signedIn, Sample.user)
    state.show { $0.alerts = [AlertReport(alert: Sample.alert)] }
    later.lastCheckIn = Sample.now
    let store = makeStore(state)
    await store.send(.main(.checkIn(.checkedIn(later)))) {
      $0.show { $0.user = later }
      $0.toast = ToastMessage(
        "Checked in. Your alert is still on: x cancels it. Next deadline tomorrow 08:00.", .warning)
    }
    await store.skipInFlightEffects()
  }

  @Test("ALT-2: a failed all-clear replaces the message that said it was sent")
  func unsentEnd() async {
    var state = signedIn
    state.show { $0.alerts = [CheckInFeatureTests.ended(.pending)] }
    state.toast = .endIsSent
    let store = makeStore(state)
    let failed = [CheckInFeatureTests.ended(.failed, error: "550 no such user")]
    await store.send(.changed(.alerts(failed))) {
      $0.show { $0.alerts = failed }
      $0.toast = ToastMessage(
        "NOT SENT to Grace: your alert is over. Call them yourself.", .danger)
    }
    await store.skipInFlightEffects()
  }

  @Test("WCH-1: a monitor that can't be started shows an error for 3 seconds")
  func monitor() async {
    let store = makeStore(signedIn) {
      $0.watchClient.start = { () async throws(StorageError) in throw .unknown("no program") }
    }
    await store.send(.main(.watchButtonTapped))
    await store.receive(.monitorFailed(StorageError.unknown("no program").text)) {
      $0.toast = ToastMessage(
        "No monitor could be started: The store failed: no program.", .danger)
    }
    await clock.advance(by: .seconds(3))
    await store.receive(.toastExpired) { $0.toast = nil }
  }

  @Test(
    "ALT-2: cancelling an alert says who is notified, that nobody had been, or why nobody can be",
    arguments: [
      (
        [], WatchStatus(monitors: 1), ToastMessage("Alert cancelled. Nobody had been notified.")
      ),
      (
        [.sent], WatchStatus(monitors: 1),
        ToastMessage("Alert cancelled. Everyone who was sent it is being notified.")
      ),
      (
        [.pending], WatchStatus(monitors: 1),
        ToastMessage("Alert cancelled. Everyone who was sent it is being notified.")
      ),
      (
        [.pending], WatchStatus(monitors: 1, problem: "mail is not set up"),
        ToastMessage("Alert cancelled. Nobody had been notified.")
      ),
      (
        [.failed, .sent], WatchStatus(monitors: 0),
        ToastMessage(
          "Alert cancelled. Nobody can be notified: no monitor is running.", .danger)
      ),
    ] as [([DeliveryState], WatchStatus, ToastMessage)])
  func cancelled(states: [DeliveryState], watch: WatchStatus, toast: ToastMessage) async {
    var state = signedIn
    var snapshot = state.main!.snapshot
    snapshot.watch = watch
    snapshot.alerts = [
      AlertReport(
        alert: Sample.alert,
        deliveries: states.enumerated().map { index, delivery in
          DeliveryReport(
            id: UUID(UInt64(index)), stage: .alertOn, recipientID: .contact(Sample.grace.id),
            recipient: "Grace", channel: .email,
            address: "grace@navy.example", state: delivery, date: Sample.now)
        })
    ]
    state.main!.show(snapshot)
    let store = makeStore(state)
    await store.send(.main(.emergency(.cancelled(Sample.alert)))) { $0.toast = toast }
    await clock.advance(by: .seconds(3))
    await store.receive(.toastExpired) { $0.toast = nil }
  }

  @Test(
    "CHN-1: saving a contact who has only mail warns if mail isn't set up",
    arguments: [
      (WatchStatus(monitors: 1), ToastMessage("Grace Hopper saved.")),
      (
        WatchStatus(monitors: 1, problem: "mail is not set up", failingKinds: [.email]),
        ToastMessage(
          "Grace Hopper saved, but can't be notified: mail is not set up.", .warning)
      ),
      (
        WatchStatus(monitors: 1, problem: "ntfy refuses us", failingKinds: [.ntfy]),
        ToastMessage("Grace Hopper saved.")
      ),
    ])
  func saved(watch: WatchStatus, toast: ToastMessage) async {
    var state = signedIn
    var snapshot = state.main!.snapshot
    snapshot.watch = watch
    state.main!.show(snapshot)
    state.main!.selectedTab = .responders
    state.main![ContactFormFeature.self] = ContactFormFeature.State(adding: .responder)
    let store = makeStore(state)
    await store.send(.main(.sheet(ContactFormFeature.self, .saved(Sample.grace)))) {
      $0.main?[ContactFormFeature.self] = nil
      $0.toast = toast
    }
    await store.receive(.main(.responders(.saved(Sample.grace)))) {
      $0.main?.responders.select(Sample.grace.id)
    }
    await store.skipInFlightEffects()
  }

  @Test(
    "ALT-3: an alert starts a monitor, and another if no message has been attempted",
    arguments: [
      ([], 1), ([(.pending, nil, nil)], 1), ([(.pending, "451 later", nil)], 0),
      ([(.sent, nil, nil)], 0),
      // A server that is slow to answer is no reason.
      ([(.pending, nil, Sample.now)], 0), ([(.pending, nil, nil), (.pending, nil, Sample.now)], 0),
    ] as [([(DeliveryState, String?, Date?)], Int)],
    // Where mail isn't set up, another monitor couldn't send it either.
    [nil, "mail isn't set up"])
  func raisedStartsMonitor(
    messages: (messages: [(DeliveryState, String?, Date?)], others: Int), problem: String?
  ) async {
    let starts = LockedCounter()
    let insistences = LockedCounter()
    let report = AlertReport(
      alert: Sample.alert,
      deliveries: messages.messages.map { state, error, begunAt in
        var delivery = DeliveryReport(
          id: Sample.id(40), stage: .alertOn, recipientID: .contact(Sample.grace.id),
          recipient: "Grace", channel: .email,
          address: "grace@navy.example", state: state, date: Sample.now, error: error)
        delivery.begunAt = begunAt
        return delivery
      })
    let store = makeStore(signedIn) {
      $0.watchClient.start = { () async throws(StorageError) in starts.increment() }
      $0.watchClient.startAnother = { () async throws(StorageError) in insistences.increment() }
      $0.watchClient.status = { () async throws(StorageError) in
        WatchStatus(
          monitors: 1, problem: problem, failingKinds: problem.map { _ in [Channel.Kind.email] })
      }
      $0.alertClient.history = { (_: Int) async throws(ClientError) in [report] }
    }
    await store.send(.main(.emergency(.raised(Sample.alert)))) {
      $0.main?.emergency.lastFinishedAlert = Sample.alert.id
      $0.main?.emergency.phase = .raised(Sample.alert)
    }
    await clock.advance(by: .seconds(3))
    await store.finish()
    #expect(starts.value == 1)
    #expect(
      insistences.value == (problem == nil || messages.messages.isEmpty ? messages.others : 0))
  }

  @Test(
    "ALT-3: an alert starts a monitor unless the account is known to have no contacts",
    arguments: [(nil, 1), ([], 0)] as [([Contact]?, Int)])
  func raisedBeforeContactsAreRead(contacts: [Contact]?, count: Int) async {
    let starts = LockedCounter()
    var state = AppFeature.State()
    state.main = MainTabFeature.State(
      snapshot: AccountSnapshot(
        user: Sample.user, contacts: contacts, now: Sample.now, calendar: .utc))
    let store = makeStore(state) {
      $0.watchClient.start = { () async throws(StorageError) in starts.increment() }
      $0.alertClient.history = { (_: Int) async throws(ClientError) in [] }
    }
    await store.send(.main(.emergency(.raised(Sample.alert)))) {
      $0.main?.emergency.lastFinishedAlert = Sample.alert.id
      $0.main?.emergency.phase = .raised(Sample.alert)
    }
    await clock.advance(by: .seconds(3))
    await store.finish()
    #expect(starts.value == count)
  }

  @Test("WCH-1: a monitor that stops is replaced once")
  func deadMonitorIsReplaced() async {
    let starts = LockedCounter()
    let store = makeStore(signedIn) {
      $0.watchClient.start = { () async throws(StorageError) in starts.increment() }
    }
    for monitors in [0, 1, 0] {
      let watch = WatchStatus(monitors: monitors)
      await store.send(.changed(.watch(watch))) { $0.show { $0.watch = watch } }
    }
    await store.send(.changed(.watch(WatchStatus(monitors: 0))))
    await store.skipInFlightEffects()
    #expect(starts.value == 1)
  }

  @Test("q quits at once if no form has unsaved changes")
  func quit() async {
    let store = makeStore(signedIn)
    await store.send(.quitButtonTapped) { $0.isFinished = true }
  }

  @Test("ALT-3: during an alert q asks before quitting and says if the monitor keeps sending")
  func quitDuringAlert() async {
    var state = signedIn
    state.show { $0.alerts = [AlertReport(alert: Sample.alert)] }
    let store = makeStore(state)
    await store.send(.quitButtonTapped) { $0.isConfirmingQuit = true }
    await store.send(.main(.emergency(.cancelButtonTapped))) {
      $0.isConfirmingQuit = false
      $0.main?.emergency.phase = .confirmingCancellation(.init(openedAt: Sample.now))
    }
    await store.send(.main(.emergency(.stopButtonTapped))) { $0.main?.emergency.phase = .idle }
    await store.send(.quitButtonTapped) { $0.isConfirmingQuit = true }
    await store.send(.quitConfirmed) {
      $0.isConfirmingQuit = false
      $0.isFinished = true
    }
    func dialog(_ change: (inout AccountSnapshot) -> Void) -> String {
      let screen = Screen.changing(
        Screen.signedIn {
          $0.alerts = Screen.alertReports
          change(&$0)
        }
      ) { $0.isConfirmingQuit = true }
      return Screen.lines(Screen.store(screen)).joined(separator: " ")
    }
    #expect(dialog { _ in }.contains("the monitor keeps"))
    #expect(dialog { $0.watch = WatchStatus(monitors: 0) }.contains("press w to start one"))
    #expect(
      dialog { $0.watch = WatchStatus(monitors: 1, problem: "mail is not set up") }
        .contains("Nobody would be notified: mail is not set up"))
    #expect(!dialog { $0.watch = nil }.contains("monitor"))
  }

  @Test("ONB-4: q quits the last step of onboarding without asking, because the account is stored")
  func quitAtFirstMessage() async {
    var state = AppFeature.State()
    state.onboarding = OnboardingFeature.State(calendar: .utc)
    state.onboarding?.form[.name] = TextInput("Ada", limit: 200)
    state.onboarding?.firstMessage = FirstMessageFeature.State(
      user: Sample.user, responder: "Grace Hopper", channel: ChannelDraft(.ntfy, "grace"))
    let store = makeStore(state)
    await store.send(.quitButtonTapped) { $0.isFinished = true }
  }

  @Test("q asks before quitting if a form has unsaved changes")
  func quitAsks() async {
    var state = AppFeature.State()
    state.onboarding = OnboardingFeature.State(calendar: .utc)
    state.onboarding?.form[.name] = TextInput("Ada", limit: 200)
    let store = makeStore(state)
    await store.send(.quitButtonTapped) { $0.isConfirmingQuit = true }
    await store.send(.quitCancelled) { $0.isConfirmingQuit = false }
    await store.send(.quitButtonTapped) { $0.isConfirmingQuit = true }
    await store.send(.quitConfirmed) {
      $0.isConfirmingQuit = false
      $0.isFinished = true
    }
  }

  @Test("A second Ctrl-C quits without an answer to the quit question")
  func quitTwice() async {
    var state = signedIn
    state.show { $0.alerts = [AlertReport(alert: Sample.alert)] }
    let store = makeStore(state)
    await store.send(.quitButtonTapped) { $0.isConfirmingQuit = true }
    await store.send(.quitButtonTapped) {
      $0.isConfirmingQuit = false
      $0.isFinished = true
    }
  }

  @Test(
    "ALT-1: quitting asks while an alert isn't stored yet, and a second press doesn't quit",
    arguments: [
      .raising, .writingMessage, .storing, .failed(StorageError.full.text),
    ] as [EmergencyFeature.Phase])
  func quitWhileRaising(phase: EmergencyFeature.Phase) async {
    var state = signedIn
    state.main?.emergency.phase = phase
    let store = makeStore(state)
    await store.send(.quitButtonTapped) { $0.isConfirmingQuit = true }
    // Pressed again by a panicking hand, it would lose the alert.
    await store.send(.quitButtonTapped)
    await store.send(.quitCancelled) { $0.isConfirmingQuit = false }
    await store.send(.quitButtonTapped) { $0.isConfirmingQuit = true }
    await store.send(.quitConfirmed) {
      $0.isConfirmingQuit = false
      $0.isFinished = true
    }
  }

  @Test(
    "ALT-1: sending the alert from the quit question closes the question and keeps the app open")
  func quitSends() async {
    var state = signedIn
    state.main?.emergency.begin(.init(Sample.alert.id, secondsLeft: 4))
    let store = makeStore(state) {
      Self.quiet(&$0)
      $0.alertClient.arm = { (_, _, _) async throws(ClientError) in .raised(Sample.alert) }
    }
    await store.send(.quitButtonTapped) { $0.isConfirmingQuit = true }
    await store.send(.sendAlertButtonTapped) { $0.isConfirmingQuit = false }
    await store.receive(.main(.emergency(.sendNowButtonTapped))) {
      $0.main?.emergency.phase = .storing
      $0.main?.emergency.armed?.secondsLeft = 0
      $0.main?.emergency.armed?.isStoring = true
    }
    await store.receive(.main(.emergency(.raised(Sample.alert)))) {
      $0.main?.emergency.lastFinishedAlert = Sample.alert.id
      $0.main?.emergency.phase = .raised(Sample.alert)
      $0.main?.emergency.armed = nil
    }
    await store.skipInFlightEffects()
  }

  @Test("ALT-7: after a sign-out the app says that a stored alert is sent anyway")
  func armed() async {
    var state = signedIn
    state.main?.emergency.begin(.init(Sample.alert.id))
    #expect(state.isRaisingAlert)
    #expect(!state.isAlertArmed)
    // A server may have stored it.
    state.main?.emergency.armed?.mayBeStored = true
    #expect(state.mayAlertBeArmed && !state.isAlertArmed)
    state.main?.emergency.armed?.isStored = true
    #expect(state.isAlertArmed)
    let store = makeStore(state) {
      $0.authClient.state = { () async throws(ClientError) in .signedOut }
    }
    await store.send(.authStateChanged(.signedOut)) { $0.main = nil }
    let notice = "You have been signed out. Your alert is sent anyway."
    await store.receive(.signInNeeded(email: nil, notice: notice)) {
      $0.authentication = AuthenticationFeature.State(notice: notice)
    }
  }

  @Test("ALT-7: an alert armed or raised by another program of the user appears in the app")
  func armedElsewhere() async {
    let clock = TestClock()
    let store = makeStore(signedIn) {
      Self.quiet(&$0)
      $0.continuousClock = clock
    }
    let armed = ArmedAlert(
      id: Sample.alert.id, message: "fell", armedAt: Sample.now, firesAt: Sample.now + .seconds(5))
    await store.send(.changed(.armed(armed)))
    await store.receive(.main(.emergency(.armedChanged(armed)))) {
      $0.main?.emergency.begin(.init(armed, at: Sample.now))
      $0.main?.emergency.message = EmergencyFeature.State.messageInput("fell")
    }
    #expect(store.state.main?.emergency.armed?.secondsLeft == 5)
    let reports = [AlertReport(alert: Sample.alert)]
    await store.send(.changed(.alerts(reports))) { $0.show { $0.alerts = reports } }
    await store.receive(.main(.emergency(.raised(Sample.alert)))) {
      $0.main?.emergency.lastFinishedAlert = Sample.alert.id
      $0.main?.emergency.phase = .raised(Sample.alert)
      $0.main?.emergency.armed = nil
      $0.main?.emergency.message = EmergencyFeature.State.messageInput()
    }
    await store.skipInFlightEffects()
  }

  @Test("ALT-7: stopping an alert shows the message that nobody was notified")
  func stopped() async {
    let store = makeStore(signedIn) { Self.quiet(&$0) }
    await store.send(.main(.emergency(.disarmed))) {
      $0.toast = ToastMessage("Stopped. Nobody was notified.")
    }
    await store.skipInFlightEffects()
  }

  @Test("ALT-1: the quit question closes when the alert is raised")
  func quitOvertaken() async {
    var state = signedIn
    state.main?.emergency.phase = .storing
    state.isConfirmingQuit = true
    let store = makeStore(state) { Self.quiet(&$0) }
    await store.send(.main(.emergency(.raised(Sample.alert)))) {
      $0.main?.emergency.lastFinishedAlert = Sample.alert.id
      $0.isConfirmingQuit = false
      $0.main?.emergency.phase = .raised(Sample.alert)
    }
    await store.skipInFlightEffects()
  }

  @Test func keysSheet() async {
    let store = makeStore(signedIn)
    await store.send(.keysButtonTapped) { $0.isShowingKeys = true }
    await store.send(.keysClosed) { $0.isShowingKeys = false }
  }

  @Test func tabs() async {
    let store = makeStore(signedIn)
    for tab in MainTabFeature.Tab.allCases.reversed() {
      await store.send(.main(.tabSelected(tab))) { $0.main?.selectedTab = tab }
    }
  }
}
