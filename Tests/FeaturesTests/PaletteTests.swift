import Clients
import Composable
import ComposableFoundation
import ComposableTesting
import Domain
import Terminal
import TerminalTesting
import Testing

@testable import Features

@MainActor @Suite struct PaletteTests {
  func makeStore() -> StoreOf<AppFeature> {
    Store(initialState: Screen.signedIn()) {
      AppFeature()
    } withDependencies: {
      $0.checkInClient.historySince = { _ in [] }
    }
  }

  /// Presses keys in the app's views, rendering a frame before each.
  func press(_ keys: [KeyPress], in store: StoreOf<AppFeature>) {
    let host = ViewHost()
    for key in keys {
      _ = host.frame(AppView(store: store), size: Size(columns: 80, rows: 24))
      _ = host.dispatch(.key(key))
    }
  }

  @Test(
    "The command palette opens with : or Ctrl-P and runs the chosen command",
    arguments: [":", "ctrl+p"])
  func palette(key: KeyPress) {
    let store = makeStore()
    press([key, "h", "i", "s", "t", "enter"], in: store)
    #expect(store.palette == nil)
    #expect(store.main?[HistoryFeature.self] != nil)
  }

  @Test("Esc closes the command palette and changes nothing")
  func closes() {
    let store = makeStore()
    press([":", "p", "esc"], in: store)
    #expect(store.state == Screen.signedIn())
  }

  @Test(
    "PAL-1: every command of every tab is found by its title from every tab",
    arguments: MainTabFeature.Tab.allCases)
  func everywhere(_ tab: MainTabFeature.Tab) throws {
    let store = makeStore()
    store.send(.main(.tabSelected(tab)))
    let main = try #require(store.scope(state: \.main, action: AppFeature.Action.mainCase))
    for placed in main.commandsOfTabs {
      let title = placed.command.fullTitle
      store.send(.paletteButtonTapped)
      store.send(.paletteEdited(.insert(title)))
      let lines = FrameSnapshot.lines(
        of: AppView(store: store), size: Size(columns: 80, rows: 24))
      #expect(lines.contains { $0.contains(title) && !$0.contains("│  \(title)") }, "\(title)")
      store.send(.paletteClosed)
    }
    #expect(main.commandsOfTabs.count > 30)
  }

  @Test(
    "PAL-1: a synonym finds a command, which opens its tab and runs",
    arguments: [
      ("theme", .profile, "Settings"), ("mail", .profile, "Send mail through"),
      ("duress", .profile, "gate"),
      ("set a password", .profile, "Profile › Security › Set a password"),
      ("drill", .alerts, "Rehearse an alert?"), ("holiday", .checkIn, "Pause"),
      ("qr", .responders, "code"), ("export", .responders, "lifesignal export"),
      ("help", .responders, "╭ Keys"),
      ("ping mary w", .dependents, "Ping Mary Ward?"), ("sign out", .profile, "Set a password"),
      ("delete the account", .profile, "Profile › Security › Delete"),
    ] as [(String, MainTabFeature.Tab, String)])
  func synonyms(query: String, tab: MainTabFeature.Tab, shown: String) {
    let store = Store(
      initialState: Screen.signedIn {
        $0.contacts += [Sample.mary]
      }
    ) {
      AppFeature()
    } withDependencies: {
      $0.continuousClock = TestClock()
      $0.authClient.sessions = { () async throws(ClientError) in [] }
      $0.mailSettingsClient.settings = { () async throws(ClientError) in nil }
      $0.keychainClient.source = { _ async throws(KeychainError) in nil }
    }
    store.send(.main(.tabSelected(.responders)))
    store.send(.paletteButtonTapped)
    store.send(.paletteEdited(.insert(query)))
    press(["enter"], in: store)
    #expect(store.palette == nil && store.main?.selectedTab == tab)
    let text = FrameSnapshot.lines(of: AppView(store: store), size: Size(columns: 80, rows: 24))
    #expect(text.contains { $0.contains(shown) }, "\(text.joined(separator: "\n"))")
  }

  @Test("PAL-1: the palette opens over a sheet, but not over unsaved changes or during a countdown")
  func overASheet() {
    let store = makeStore()
    press(["5", "t", ":"], in: store)
    #expect(store.palette != nil)
    press(["h", "i", "s", "t", "enter"], in: store)
    #expect(store.main?.selectedTab == .checkIn && store.main?[HistoryFeature.self] != nil)
    let changed = makeStore()
    press(["5", "e", "x", "ctrl+p"], in: changed)
    #expect(changed.state.hasUnsavedChanges && changed.palette == nil)
    let raising = Store(
      initialState: Screen.changing(Screen.signedIn()) {
        $0.main?.emergency.begin(.init(Sample.alert.id, secondsLeft: 4))
      }
    ) { AppFeature() }
    press([":", "ctrl+p"], in: raising)
    #expect(raising.palette == nil)
  }

  @Test(
    "PAL-1: the palette lists each command once, with a title that names its object",
    arguments: MainTabFeature.Tab.allCases)
  func titles(_ tab: MainTabFeature.Tab) throws {
    let store = makeStore()
    store.send(.main(.tabSelected(tab)))
    store.send(.paletteButtonTapped)
    let size = Size(columns: 80, rows: 24)
    var titles: [String] = []
    // Read the whole list by selecting each row.
    for first in 0..<70 {
      store.send(.paletteMoved(ListPosition(selected: first)))
      let line = FrameSnapshot.lines(of: AppView(store: store), size: size)
        .first { $0.contains("│ ▌") }
      guard let row = line?.split(separator: "│ ▌").last else { continue }
      titles.append(row.split(separator: "  ").first.map(String.init) ?? "")
    }
    let listed = titles.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
    #expect(listed.count >= 25 && Set(listed).count == listed.count, "\(listed)")
    let meaningless = ["Edit", "Button", "Picture", "Mail", "Open", "Dismiss", "Commands", "Keys"]
    #expect(Set(listed).isDisjoint(with: meaningless), "\(listed)")
  }

  @Test("ALT-1: an alert's countdown covers the palette and the sheet of keys")
  func alertOverPalette() {
    for open in [AppFeature.Action.paletteButtonTapped, .keysButtonTapped] {
      let store = makeStore()
      store.send(open)
      #expect(Screen.lines(store).contains { $0.contains("╭ Commands") || $0.contains("╭ Keys") })
      let raising = Store(
        initialState: Screen.changing(store.state) {
          $0.main?.emergency.begin(.init(Sample.alert.id, secondsLeft: 4))
        }
      ) { AppFeature() }
      let lines = Screen.lines(raising)
      #expect(lines.contains { $0.contains("Sends in 4 seconds") })
      #expect(!lines.contains { $0.contains("╭ Commands") || $0.contains("╭ Keys") })
      #expect(lines.last?.contains("Esc Stop") == true)
    }
  }

  @Test("PAL-1: the palette lists the most recently used command first")
  func recent() {
    let store = makeStore()
    let (pause, history) = ("Pause check-ins", "Show the check-in history")
    for title in [pause, history, pause] { store.send(.paletteUsed(title)) }
    #expect(store.terminalSettings.recentCommands == [pause, history])
    store.send(.paletteButtonTapped)
    let lines = FrameSnapshot.lines(of: AppView(store: store), size: Size(columns: 80, rows: 24))
    #expect(lines.contains { $0.contains("▌Pause check-ins") })
  }

  @Test("ALT-1: the palette's alert command asks for a typed word before the countdown")
  func alert() {
    let store = makeStore()
    press([":", "a", "l", "e", "r", "t", "enter"], in: store)
    #expect(store.main?.emergency.phase == .confirming)
  }
}

@MainActor @Suite struct AlertConfirmationTests {
  @Test("ALT-1: only the whole word alert, in any case, starts the countdown")
  func confirmation() async {
    let clock = TestClock()
    let store = TestStore(initialState: EmergencyFeature.State()) {
      EmergencyFeature()
    } withDependencies: {
      $0.continuousClock = clock
      $0.uuid = .incrementing
      $0.watchClient.start = { () async throws(StorageError) in }
      $0.alertClient.arm = { (_, _, _) async throws(ClientError) in .stopped }
    }
    await store.send(.alertCommandChosen) { $0.phase = .confirming }
    await store.send(.confirmationEdited(.insert("aler"))) {
      $0.confirmation.apply(.insert("aler"))
    }
    // A wrong word raises nothing, and the field shows an error.
    await store.send(.confirmationSubmitted) { $0.isConfirmationWrong = true }
    await store.send(.confirmationEdited(.insert("T "))) {
      $0.confirmation.apply(.insert("T "))
      $0.isConfirmationWrong = false
    }
    await store.send(.confirmationSubmitted) {
      $0.begin(.init(EmergencyFeatureTests.armedID))
      $0.armed?.isStoring = true
    }
    // This test's store answers that the alert was stopped.
    await store.receive(.disarmed) {
      $0.lastFinishedAlert = EmergencyFeatureTests.armedID
      $0.phase = .idle
      $0.armed = nil
    }
    await store.send(.confirmationSubmitted)
  }
}
