import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Synchronization
import Terminal
import TerminalTesting
import Testing

@testable import Features

@MainActor @Suite struct EscalationFeatureTests {
  func user(_ reminders: [TimeSpan]) -> User {
    var user = Sample.user
    user.reminders = reminders
    return user
  }

  func makeStore(
    _ user: User, prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<EscalationFeature> {
    TestStore(initialState: EscalationFeature.State(user: user)) {
      EscalationFeature()
    } withDependencies: {
      prepare(&$0)
    }
  }

  @Test("REM-1: the reminders form opens with the current values, common lead times as switches")
  func opens() {
    let form = EscalationFeature.State(user: user([.hours(4), .hours(2), .minutes(45)])).form
    #expect(form.isOn(.twoHours) && !form.isOn(.halfHour) && !form.isOn(.tenMinutes))
    #expect(form[.other].text == "4h, 45m")
    #expect(form[.grace].text == "15m")
    #expect(form[.repeats].text == "1h")
    #expect(!form.isChanged)
  }

  @Test("REM-1, ESC-1, ESC-2: saving stores the lead times, the grace time and the repeat interval")
  func saves() async {
    let saved = user([.hours(4), .minutes(30), .minutes(10)])
    let store = makeStore(Sample.user) {
      $0.userClient.currentUser = { Sample.user }
      $0.userClient.updateEscalation = {
        (reminders: [TimeSpan], grace: TimeSpan, repeatInterval: TimeSpan) in
        #expect(reminders == [.hours(4), .minutes(30), .minutes(10)])
        #expect(grace == .hours(1))
        #expect(repeatInterval == .minutes(90))
        return saved
      }
    }
    await store.sendToForm(
      .toggled(.tenMinutes), .edited(.other, .insert("4h, ")),
      .edited(.grace, .kill(.lineStart)), .edited(.grace, .insert("1h")),
      .edited(.repeats, .kill(.lineStart)), .edited(.repeats, .insert("90m")),
      .saveButtonTapped
    ) { .form($0) }
    #expect(store.state.form.isSaving)
    await store.receive(.saved(saved)) { $0.form.isSaving = false }
  }

  @Test(
    "REM-1, ESC-1: an invalid lead time or grace time shows an error in its field",
    arguments: [
      ("24h", "15m", [.other: .reminderTooLong]), ("0m", "15m", [.other: .reminderTooLong]),
      ("soon", "15m", [.other: .duration("soon")]), ("", "25h", [.grace: .graceRange]),
      ("", "", [.grace: .duration("")]),
    ] as [(String, String, [EscalationFeature.Field: ValidationError])])
  func errors(
    other: String, grace: String, errors: [EscalationFeature.Field: ValidationError]
  ) async {
    let store = makeStore(Sample.user)
    await store.sendToForm(
      .edited(.other, .insert(other)), .edited(.grace, .kill(.lineStart)),
      .edited(.grace, .insert(grace)), .saveButtonTapped
    ) { .form($0) }
    #expect(store.state.form.errors == errors)
  }

  @Test("ESC-2: a repeat interval of 9 minutes or 25 hours is refused", arguments: ["9m", "25h"])
  func repeatRange(_ text: String) async {
    let store = makeStore(Sample.user)
    await store.sendToForm(
      .edited(.repeats, .kill(.lineStart)), .edited(.repeats, .insert(text)), .saveButtonTapped
    ) { .form($0) }
    #expect(store.state.form.errors == [.repeats: .repeatRange])
  }

  @Test("REM-1: a reminder longer than the interval is offered only if already set")
  func shortInterval() async throws {
    var user = user([])
    user.interval = try CheckInInterval(.hours(1))
    func text(_ user: User) -> String {
      let store = Store(initialState: EscalationFeature.State(user: user)) { EscalationFeature() }
      return FrameSnapshot.lines(
        of: EscalationView(store: store), size: Size(columns: 80, rows: 24)
      ).joined(separator: "\n")
    }
    let short = text(user)
    #expect(!short.contains("2h before") && short.contains("Remind me"), "\(short)")
    #expect(EscalationFeature.State(user: user).form.focus == .halfHour)
    user.reminders = [.hours(2)]
    #expect(text(user).contains("2h before"))
    let store = makeStore(user)
    await store.sendToForm(.saveButtonTapped) { .form($0) }
    #expect(store.state.form.errors == [.other: .reminderTooLong])
  }

  @Test("REM-1: saving reminders keeps what another program changed in the meantime")
  func changedElsewhere() async {
    var elsewhere = user([.hours(4), .minutes(10)])
    elsewhere.grace = .hours(1)
    let store = makeStore(user([.hours(4), .minutes(30)])) { [elsewhere] in
      $0.userClient.currentUser = { elsewhere }
      $0.userClient.updateEscalation = {
        (reminders: [TimeSpan], grace: TimeSpan, _: TimeSpan) in
        #expect(reminders == [.hours(4), .hours(2), .minutes(10)] && grace == .hours(1))
        return elsewhere
      }
    }
    await store.sendToForm(.toggled(.twoHours), .saveButtonTapped) { .form($0) }
    await store.receive(.saved(elsewhere)) { $0.form.isSaving = false }
  }

  @Test func aFailureIsShown() async {
    let store = makeStore(Sample.user) {
      $0.userClient.currentUser = { Sample.user }
      $0.userClient.updateEscalation = {
        (_: [TimeSpan], _: TimeSpan, _: TimeSpan) async throws(ClientError) in
        throw .storage(.full)
      }
    }
    await store.sendToForm(.saveButtonTapped) { .form($0) }
    await store.receive(.saveFailed(.storage(.full))) {
      $0.form.failed(StorageError.full.text)
    }
  }

  @Test("REM-1: Profile opens the reminders form and closes the form after saving")
  func fromTheProfile() async {
    let store = TestStore(initialState: MainTabFeature.State(snapshot: Sample.snapshot())) {
      MainTabFeature()
    } withDependencies: {
      $0.userClient.currentUser = { Sample.user }
      $0.userClient.updateEscalation = {
        (_: [TimeSpan], _: TimeSpan, _: TimeSpan) in Sample.user
      }
    }
    await store.send(.profile(.remindersButtonTapped)) {
      $0[EscalationFeature.self] = EscalationFeature.State(user: Sample.user)
    }
    await store.send(.sheet(EscalationFeature.self, .form(.toggled(.tenMinutes)))) {
      _ = $0[EscalationFeature.self]?.form.apply(.toggled(.tenMinutes)) {
        _, _ throws(ValidationError) in
      }
    }
    #expect(store.state.hasUnsavedChanges)
    await store.send(.sheet(EscalationFeature.self, .form(.saveButtonTapped))) {
      $0[EscalationFeature.self]?.form.touched = Set(EscalationFeature.Field.allCases)
      $0[EscalationFeature.self]?.form.isSaving = true
    }
    await store.receive(.sheet(EscalationFeature.self, .saved(Sample.user))) {
      $0[EscalationFeature.self] = nil
    }
  }
}

@MainActor @Suite struct SettingsFeatureTests {
  @Test("A choice in Settings applies at once and is stored for this terminal")
  func choices() async throws {
    let files = SharedFiles.inMemory()
    let store = TestStore(initialState: MainTabFeature.State(snapshot: Sample.snapshot())) {
      MainTabFeature()
    } withDependencies: {
      $0.terminalSettingsFile = "/state/terminal.json"
      $0.sharedFiles = files
    }
    await store.send(.profile(.settingsButtonTapped)) {
      $0[SettingsFeature.self] = SettingsFeature.State()
    }
    await store.send(.sheet(SettingsFeature.self, .set(\.theme, .mono))) {
      $0[SettingsFeature.self]?.theme = .mono
    }
    #expect(store.state.profile.terminalSettings.appearance.theme == .mono)
    await store.send(.sheet(SettingsFeature.self, .focusMoved)) {
      $0[SettingsFeature.self]?.focus = .motion
    }
    await store.send(.sheet(SettingsFeature.self, .set(\.reducesMotion, true))) {
      $0[SettingsFeature.self]?.reducesMotion = true
    }
    await store.send(.sheet(SettingsFeature.self, .closeButtonTapped))
    await store.receive(.closed()) { $0[SettingsFeature.self] = nil }
    await withDependencies {
      $0 = store.dependencies
    } operation: {
      await flushSharedValues()
    }
    let bytes = try #require(try files.read("/state/terminal.json"))
    let kept = try JSONDecoder().decode(TerminalSettings.self, from: Data(bytes))
    #expect(kept.appearance == Appearance(theme: .mono, reducesMotion: true))
  }

  @Test("If terminal.json can't be read or saved, a toast says so; an unreadable file is renamed")
  func failures() async {
    let errors = Mutex<[any Error]>([])
    let files = SharedFiles.inMemory(["/state/terminal.json": Array("garbage{".utf8)])
    let session = AppSession { values in
      values.terminalSettingsFile = "/state/terminal.json"
      values.sharedFiles = files
      values.sharedStorage = SharedStorage()
      values.sharedValueFailed = { _, error, _ in errors.withLock { $0.append(error) } }
      values.continuousClock = TestClock()
    }
    #expect(session.appearance == Appearance())
    let error = errors.withLock { $0.first }
    #expect((error as? SharedFileError)?.path == "/state/terminal.json.unreadable")
    if let error { session.noteSettingsFailure(error) }
    #expect(
      session.store.toast
        == .init(
          "The settings of this terminal can't be read. They are in terminal.json.unreadable.",
          .warning))
    session.noteSettingsFailure(
      SharedFileError(path: "/state/terminal.json", reason: "No space left on device"))
    #expect(
      session.store.toast
        == .init(
          "The settings of this terminal can't be kept: No space left on device.", .warning))
  }

  @Test(
    "Terminal settings with unknown or wrong values keep the values that can be read",
    arguments: [
      (#"{"appearance":{"theme":"plaid"},"recentCommands":["Ping"]}"#, Appearance(), ["Ping"]),
      (#"{"appearance":{"theme":"light"},"lists":7}"#, Appearance(theme: .light), []),
      ("{}", Appearance(), []),
    ] as [(String, Appearance, [String])])
  func otherShapes(json: String, appearance: Appearance, recent: [String]) throws {
    let settings = try JSONDecoder().decode(TerminalSettings.self, from: Data(json.utf8))
    #expect(settings.appearance == appearance && settings.recentCommands == recent)
    #expect(settings.lists == ListChoices())
  }

  @Test("What an earlier version kept with the account replaces no choice made here since")
  func adoption() {
    var old = ListChoices()
    old[.dependent] = .name
    var settings = TerminalSettings()
    settings.adopt(Appearance(theme: .mono, reducesMotion: true), old)
    #expect(settings.hasAdopted && settings.lists == old)
    #expect(settings.appearance == Appearance(theme: .mono, reducesMotion: true))
    settings = TerminalSettings()
    settings.appearance.theme = .light
    settings.lists[.responder] = .dateAdded
    let lists = settings.lists
    settings.adopt(Appearance(theme: .mono, reducesMotion: true), old)
    #expect(settings.appearance == Appearance(theme: .light, reducesMotion: true))
    #expect(settings.lists == lists)
    settings.adopt(nil, nil)
    #expect(settings.appearance.theme == .light && settings.hasAdopted)
  }

  @Test("ORD-1: changing the order of dependents doesn't change the order of responders")
  func order() async {
    let store = TestStore(
      initialState: ContactListFeature.State(role: .dependent, snapshot: Sample.snapshot())
    ) {
      ContactListFeature()
    }
    await store.send(.sortButtonTapped) { $0.sort() }
    #expect(store.state.order == .name)
    #expect(
      ContactListFeature.State(role: .responder, snapshot: Sample.snapshot()).order == .name)
  }

  @Test("ORD-1: a list opens in the stored order and follows a change by another program")
  func rememberedOrder() {
    @Shared(.terminalSettings) var settings = TerminalSettings()
    $settings.withLock { $0.lists[.dependent] = .dateAdded }
    var list = ContactListFeature.State(role: .dependent, snapshot: Sample.snapshot())
    #expect(list.order == .dateAdded)
    $settings.withLock { $0.lists[.dependent] = .name }
    list.show(Sample.snapshot())
    #expect(list.order == .name)
  }
}
