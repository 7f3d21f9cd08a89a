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

/// The contents of the app's recordings.
@MainActor @Suite struct RecordingTests {
  nonisolated static let error = ErrorText(
    "CODE", "It failed.", recovery: "Try again.", isRetryable: true)

  /// Actions of every feature, with every kind of value.
  nonisolated static let actions: [AppFeature.Action] = [
    .started, .accountFound(Sample.user), .accountFailed(error),
    .changed(.contacts([Sample.grace])),
    .changed(.overview(ContactOverview([Sample.grace, Sample.charles], naming: 1))),
    .changed(
      .history([
        CheckIn(
          id: Sample.id(9), date: Sample.now + .seconds(1) + 0.123456, source: .pingAnswer,
          sequence: 3, margin: .minutes(-5))
      ])),
    .changed(.alerts(Screen.alertReports)),
    .changed(
      .lastNotifications([
        NotificationItem(id: Sample.id(8), kind: .dependentAlert, date: Sample.now, subject: "Ida")
      ])),
    .changed(.watch(WatchStatus(monitors: 2, lastSeen: Sample.now, problem: "mail is not set up"))),
    .settingsAdopted(Appearance(theme: .highContrast, reducesMotion: true), nil),
    .onboarding(.form(.edited(.note, .insert("a\n\u{2028}“b”\u{1F600}")))),
    .onboarding(.creationFailed(.invalid(.nameLength(1)))),
    .main(.tabSelected(.profile)),
    .main(.checkIn(.checkInFailed(.storage(.newerSchema(found: 9, known: 1))))),
    .main(.sheet(IntervalFeature.self, .moved(ListPosition(selected: 3, offset: 1)))),
    .main(.sheet(IntervalFeature.self, .customEdited(.select(.wordLeft)), id: 7)),
    .main(.sheet(EditProfileFeature.self, .saveFailed(.storage(.missing(path: "/x"))))),
    .main(.sheet(SettingsFeature.self, .set(\.theme, .light))),
    .main(.sheet(ContactFormFeature.self, .form(.toggled(.dependent)))),
    .main(.sheet(ContactFormFeature.self, .saveFailed(.contactExists(name: "G")))),
    .main(.closed(7)),
    .main(.alerts(.opened(Sample.id(4)))),
    .main(.emergency(.raised(Sample.alert))),
    .changed(.armed(nil)),
    .changed(
      .armed(
        ArmedAlert(
          id: Sample.id(6), message: "fell", armedAt: Sample.now, firesAt: Sample.now + .seconds(5))
      )),
    .main(.emergency(.armedChanged(nil))),
    .main(.emergency(.cancellationFailed(.storage(.busy)))),
  ]

  @Test(arguments: actions)
  func anAction_isReadAsItWasWritten(action: AppFeature.Action) throws {
    let data = try JSONEncoder().encode(action)
    #expect(try JSONDecoder().decode(AppFeature.Action.self, from: data) == action)
  }

  @Test(arguments: [
    Stage.reminder(.minutes(30)), .deadlinePassed, .nonResponsive, .allClear, .alertOn, .alertOff,
  ])
  func aStage_isReadAsItWasWritten(stage: Stage) throws {
    let data = try JSONEncoder().encode([stage])
    #expect(try JSONDecoder().decode([Stage].self, from: data) == [stage])
  }

  @Test func aSession_replaysToTheSameFinalState() async throws {
    let lines = Mutex<[String]>([])
    let clock = TestClock()
    let seconds = Mutex(0)
    // A clock that never returns the same time twice.
    let now: @Sendable () -> Date = {
      Sample.now
        + .seconds(
          seconds.withLock { seconds in
            seconds += 1
            return seconds
          })
    }
    let header = RecordingHeader(program: "test", date: Sample.now)
    let recorder = ActionRecorder<AppFeature.Action>(header: header, now: now) { line in
      lines.withLock { $0.append(line) }
    }
    let store = TestStore(initialState: AppFeature.State()) {
      AppFeature().recordingActions(to: recorder)
    } withDependencies: {
      AppFeatureTests.quiet(&$0)
      $0.continuousClock = clock
      $0.dateClient = DateClient(now: recorder.now, calendar: .utc)
      $0.authClient.state = { () async throws(ClientError) in .signedIn(Sample.user.id) }
      $0.userClient.currentUser = { () async throws(ClientError) in Sample.user }
      $0.contactsClient.observe = {
        AsyncThrowingStream { $0.yield([Sample.grace, Sample.alan]) }
      }
      $0.checkInClient.checkIn = { _ async throws(ClientError) in Sample.user }
      $0.alertClient.arm = { (id, message, delay) async throws(ClientError) in
        guard delay > .zero else { return .raised(Sample.alert) }
        return .armed(
          ArmedAlert(
            id: id, message: message, armedAt: Sample.now, firesAt: Sample.now + delay))
      }
      recorder.install(in: &$0)
    }
    store.exhaustivity = .off  // The replay is compared with the final state.
    await store.send(.started)
    await store.send(.main(.checkIn(.checkInButtonTapped)))
    await store.send(.main(.tabSelected(.responders)))
    await store.send(.main(.responders(.addButtonTapped)))
    await store.send(
      .main(.sheet(ContactFormFeature.self, .form(.edited(.name, .insert("Mary"))))))
    await store.send(.main(.sheet(ContactFormFeature.self, .form(.closeButtonTapped))))
    await store.send(.main(.sheet(ContactFormFeature.self, .form(.discardConfirmed))))
    for _ in 0..<5 { await store.send(.main(.emergency(.emergencyKeyPressed))) }
    await clock.advance(by: .seconds(2))
    await store.send(.main(.emergency(.sendNowButtonTapped)))
    await store.send(.quitButtonTapped)
    await store.skipInFlightEffects()

    let text = lines.withLock { $0.joined(separator: "\n") + "\n" }
    let recording = try Recording<AppFeature.Action>(Data(text.utf8))
    // No client answers in a replay: it uses the test dependencies.
    var replay = Replay(initialState: AppFeature.State(), header: recording.header) {
      AppFeature()
    } withDependencies: {
      let date = $0.date
      $0.dateClient = DateClient(now: { date.now }, calendar: .utc)
    }
    for action in recording.actions { replay.reduce(action) }
    #expect(replay.state == store.state)
    #expect(replay.state.isFinished)
    #expect(replay.state.main?.snapshot.contacts.count == 2)
    #expect(replay.state.main?.path.isEmpty == true)
    #expect(replay.state.toast?.text.hasPrefix("Checked in. Next deadline") == true)
    #expect(recording.actions.map(\.action).contains(.main(.emergency(.raised(Sample.alert)))))
    #expect(recording.actions.map(\.action).contains(.main(.emergency(.countdownTicked))))
  }
}

/// An example of a feature that handles a passphrase correctly.
private struct Lock: Reducer {
  struct State: Equatable, Sendable {
    var passphrase = TextInput(isSecure: true)
    var hint = TextInput()
    var isOpen = false
  }

  enum Action: Codable, Equatable, Sendable {
    case passphraseEdited(TextEdit)
    case hintEdited(TextEdit)
    case openButtonTapped
    case opened
  }

  /// Compares the passphrase outside the recorded state.
  let check: @Sendable (String) -> Bool

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .passphraseEdited(let edit): state.passphrase.apply(edit)
    case .hintEdited(let edit): state.hint.apply(edit)
    case .openButtonTapped:
      return .run { [check, passphrase = state.passphrase.text] send in
        if check(passphrase) { await send(.opened) }
      }
    case .opened: state.isOpen = true
    }
    return .none
  }
}

@MainActor @Suite struct SecureRecordingTests {
  @Test func aTypedPassphrase_isNowhereInTheRecordingNorInTheReplay() async throws {
    let lines = Mutex<[String]>([])
    let recorder = ActionRecorder<Lock.Action>(
      header: RecordingHeader(program: "test", date: Sample.now)
    ) { line in lines.withLock { $0.append(line) } }
    let store = Store(initialState: Lock.State()) {
      Lock(check: { $0 == "xylophonePQ" }).recordingActions(to: recorder)
    }
    let host = ViewHost()
    func dispatch(_ event: Event) {
      let form = VStack {
        TextField(
          "Passphrase", input: store.passphrase, isFocused: true,
          onEdit: { store.send(.passphraseEdited($0)) })
      }
      _ = host.render(form, size: Size(columns: 40, rows: 2))
      host.dispatch(event)
    }
    for letter in "xylophone" { dispatch(.key(.character(letter))) }
    dispatch(.paste("PQ"))
    store.send(.hintEdited(.insert("an instrument")))
    #expect(store.passphrase.text == "xylophonePQ")
    await store.send(.openButtonTapped).finish()
    #expect(store.isOpen)

    let text = lines.withLock { $0.joined(separator: "\n") + "\n" }
    #expect(text.contains("an instrument"))
    // Neither as a whole nor letter by letter.
    #expect(!text.contains("PQ"))
    for letter in "xylophone" { #expect(!text.contains("\"\(letter)\"")) }

    let recording = try Recording<Lock.Action>(Data(text.utf8))
    var replay = Replay(initialState: Lock.State(), header: recording.header) {
      Lock(check: { _ in false })
    }
    for action in recording.actions { replay.reduce(action) }
    #expect(replay.state.isOpen)
    #expect(replay.state.passphrase.text == "•••••••••••")
    #expect(replay.state.passphrase.cursor == store.passphrase.cursor)
    let changes = difference(Lock.State(), store.state)
    #expect(changes.contains("text: •••••••••••"))
    #expect(!changes.contains("xyl"))
  }
}
