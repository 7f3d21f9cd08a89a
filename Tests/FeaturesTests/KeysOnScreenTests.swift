import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Terminal
import TerminalTesting
import Testing

@testable import Features

/// The keys on whole screens, and what the help bar says about them.
@MainActor @Suite struct KeysOnScreenTests {
  private let host = ViewHost()
  private let normal = Size(columns: 80, rows: 24)

  private func makeStore(
    _ state: AppFeature.State, _ prepare: @escaping (inout DependencyValues) -> Void = { _ in }
  ) -> StoreOf<AppFeature> {
    Store(initialState: state) {
      AppFeature()
    } withDependencies: {
      $0.continuousClock = TestClock()
      $0.dateClient = .constant(Sample.now)
      $0.alertClient.disarm = { (_: Alert.ID) async throws(ClientError) in }
      $0.checkInClient.checkIn = { (_) async throws(ClientError) -> User in
        throw .storage(.busy)
      }
      prepare(&$0)
    }
  }

  private func state(_ screen: String) throws -> AppFeature.State {
    try #require(Screen.all.first { $0.name == screen }).state()
  }

  private func store(_ screen: String) throws -> StoreOf<AppFeature> {
    makeStore(try state(screen))
  }

  private func press(_ key: KeyPress, in store: StoreOf<AppFeature>) {
    _ = host.frame(AppView(store: store), size: normal)
    _ = host.dispatch(.key(key))
  }

  @Test(
    "ALT-2: during an alert x opens the cancel panel, in a contact's or alert's sheet too",
    arguments: ["contact-details", "alert-details", "check-in-alert"])
  func cancel(screen: String) throws {
    let store = try store(screen)
    press("x", in: store)
    #expect(store.main?.emergency.phase == Self.confirming)
  }

  /// The phase in which `x` has opened the panel that cancels an alert.
  private static let confirming = EmergencyFeature.Phase.confirmingCancellation(
    .init(openedAt: Sample.now))

  @Test("ALT-2: in a window that is too small, x opens the cancel panel if an alert is on")
  func cancelInSmallWindow() throws {
    for (screen, isOn) in [("check-in-alert", true), ("standby", false)] {
      let store = try store(screen)
      _ = host.frame(AppView(store: store), size: Size(columns: 59, rows: 17))
      _ = host.dispatch(.key("x"))
      #expect((store.main?.emergency.phase == Self.confirming) == isOn, "\(screen)")
    }
  }

  @Test(
    "CHK-7: Esc returns from confirming a pause to choosing its end, and closes resuming",
    .timeLimit(.minutes(1)))
  func pauseBack() async throws {
    let store = try store("pause-confirmation")
    press("esc", in: store)
    #expect(store.main?[PauseFeature.self]?.step == .choosing)
    let resuming = try self.store("pause-resumption")
    press("esc", in: resuming)
    for await isPausing in resuming.values(of: { $0.main?[PauseFeature.self] != nil })
    where !isPausing { break }
  }

  @Test("ALT-2: x on the panel of a raised alert doesn't start cancelling")
  func typedTooLate() throws {
    let store = try store("emergency-raised")
    press("x", in: store)
    #expect(store.main?.emergency.phase == .raised(Sample.alert))
  }

  @Test("ALT-2: the quit question on an alert's panel says that Esc twice, then x cancels it")
  func quitFromThePanel() throws {
    for key in ["q", "ctrl+c"] as [KeyPress] {
      let store = try store("emergency-raised")
      press(key, in: store)
      #expect(store.isConfirmingQuit)
      let text = host.frame(AppView(store: store), size: normal).text
        .split { $0.isWhitespace || $0 == "│" }.joined(separator: " ")
      #expect(text.contains("Esc twice, then x cancels it"), "\(text)")
      for key in ["x", "esc", "esc"] as [KeyPress] { press(key, in: store) }
      #expect(store.main?.emergency.phase == .idle && !store.isConfirmingQuit)
      press("x", in: store)
      #expect(store.main?.emergency.phase == Self.confirming)
    }
  }

  @Test("ALT-2: an x within a sentence or 20 presses of x at once don't cancel an alert")
  func sentence() throws {
    for screen in ["check-in-alert", "contact-details", "alert-details"] {
      let store = try store(screen)
      // Where the panel is closed, letters do what they always do there.
      for key in ["x", "x", "t"] as [KeyPress] { press(key, in: store) }
      #expect(store.main?.emergency.phase == .idle, "\(screen)")
      // All at once, as a paste without markers or a key that is held: none of it counts.
      for _ in 0..<20 { press("x", in: store) }
      #expect(store.main?.emergency.phase == Self.confirming, "\(screen)")
    }
  }

  @Test("ALT-2: keys other than x or letters of cancel close the cancel panel and do nothing else")
  func otherKeys() throws {
    for key in ["esc", "enter", "tab", "down", "ctrl+g", "2", "c"] as [KeyPress] {
      let store = try store("emergency-cancelling")
      press(key, in: store)
      let isWord = key == "c"
      #expect((store.main?.emergency.phase == .idle) == !isWord, "\(key)")
      #expect(store.main?.selectedTab == .checkIn && store.main?.checkIn.request.isRunning == false)
    }
  }

  @Test("ALT-2: the cancel panel reads Cyrillic keys, and Ctrl-C closes the panel and asks to quit")
  func keysOfThePanel() throws {
    let store = try store("emergency-cancelling")
    for key in ["с", "ф", "т", "с", "у"] as [KeyPress] { press(key, in: store) }
    guard case .confirmingCancellation(let cancellation) = store.main?.emergency.phase else {
      Issue.record("The panel was closed.")
      return
    }
    #expect(cancellation.typed == "cance")
    press("ctrl+c", in: store)
    #expect(store.isConfirmingQuit && store.main?.emergency.phase == .idle)
  }

  @Test(
    "c, ! and digits work in every keyboard layout; only a Latin lower-case q quits",
    arguments: [
      ("с", "ψ", "２", "！"), ("ב", "ㅊ", "é", "﹗"), ("ｃ", "Ｃ", "ě", "!"), ("C", "ؤ", "٢", "¡"),
    ] as [(KeyPress, KeyPress, KeyPress, KeyPress)])
  func layouts(checkIn: KeyPress, other: KeyPress, two: KeyPress, call: KeyPress) throws {
    for key in [checkIn, other] {
      let store = try store("check-in")
      press(key, in: store)
      #expect(store.main?.checkIn.request.isRunning == true, "\(key)")
    }
    let store = try store("check-in")
    press(two, in: store)
    #expect(store.main?.selectedTab == .responders)
    press(call, in: store)
    #expect(store.main?.emergency.trigger.presses == 1)
    for key in ["й", "ｑ", "Q", "ض", "ㅂ"] as [KeyPress] {
      press(key, in: store)
      #expect(!store.isFinished && !store.isConfirmingQuit, "\(key)")
    }
  }

  @Test("In a text field, keys of another layout are typed as letters")
  func layoutsInFields() throws {
    let store = makeStore(try state("emergency-message")) {
      $0.alertClient.arm = { (id, message, delay) async throws(ClientError) in
        .armed(
          ArmedAlert(
            id: id, message: message, armedAt: Sample.now,
            firesAt: Sample.now + delay))
      }
    }
    for key in ["с", "！", "é"] as [KeyPress] { press(key, in: store) }
    #expect(store.main?.emergency.message.text == "fell on the stairsс！é")
    #expect(store.main?.emergency.trigger.presses == 0)
  }

  @Test("ALT-7: the quit question shows the alert's countdown; Esc stops the alert or goes back")
  func quitFromTheCountdown() throws {
    // Esc while typing a message keeps the alert, and so does Esc here.
    for (phase, esc) in [(EmergencyFeature.Phase.raising, "Stop"), (.writingMessage, "Stay")] {
      let state = Screen.changing(try state("quit-while-armed")) {
        $0.main?.emergency.phase = phase
      }
      for size in [AppView.smallest, normal, Size(columns: 120, rows: 40)] {
        let store = makeStore(state)
        let frame = host.frame(AppView(store: store), size: size).text
        #expect(frame.contains("Your alert is sent in 4 seconds"), "\(frame)")
        #expect(frame.contains("Esc \(esc)"), "\(frame)")
        _ = host.dispatch(.key("esc"))
        #expect(store.main?.emergency.phase == (esc == "Stop" ? .stopping : phase))
        #expect(!store.isConfirmingQuit)
      }
    }
  }

  @Test("The quit question doesn't offer Ctrl-C")
  func quitOnce() throws {
    for screen in ["quit", "quit-during-alert", "quit-while-armed"] {
      _ = host.frame(AppView(store: try store(screen)), size: normal)
      #expect(!host.commands.contains { $0.key == "ctrl+c" && !$0.isHidden }, "\(screen)")
    }
    let onboarding = Screen.changing(Screen.onboarding(.person)) { $0.isConfirmingQuit = true }
    _ = host.frame(AppView(store: makeStore(onboarding)), size: normal)
    #expect(!host.commands.contains { $0.key == "ctrl+c" && !$0.isHidden })
  }

  @Test("ALT-1: in a text field ! is typed as a letter; Esc leaves the field, then ! counts")
  func emergencyKeyInFields() async {
    var fields = 0
    for screen in Screen.all {
      let state = screen.state()
      guard let main = state.main, state.isEmergencyIdle, !state.isAlertOn,
        main.emergency.trigger.presses == 0
      else { continue }
      let store = makeStore(state)
      press("!", in: store)
      if store.main?.emergency.trigger.presses == 1 { continue }
      fields += 1
      for _ in 1...4 { press("!", in: store) }
      let bar = host.frame(AppView(store: store), size: normal).lines.last ?? ""
      #expect(bar.contains("In a field ! is a letter: Esc leaves it"), "\(screen.name): \(bar)")
      #expect(store.state.isEmergencyIdle, "\(screen.name)")
      #expect(store.main?.emergency.trigger.presses == 0, "\(screen.name)")
      let typing = makeStore(state)
      press("x", in: typing)
      for _ in 1...2 where typing.main?.emergency.trigger.presses == 0 {
        press("esc", in: typing)
        // An effect closes the sheet, so give it time.
        for _ in 1...50 where typing.main?.emergency.trigger.presses == 0 {
          await Task.yield()
          press("!", in: typing)
        }
      }
      #expect(typing.main?.emergency.trigger.presses == 1, "\(screen.name)")
    }
    #expect(fields > 5)
  }

  private func text(_ state: AppFeature.State, columns: Int = 80) -> String {
    host.frame(AppView(store: makeStore(state)), size: Size(columns: columns, rows: 24)).text
  }

  @Test("ALT-7: the alert's panel shows each text that was sent on a line of its own")
  func textsOfAnAlert() {
    let alert = Alert(
      id: Sample.id(177), kind: .manual, message: "fell on the stairs\ndoor is open",
      raisedAt: Sample.now)
    for phase in [EmergencyFeature.Phase.raised(alert), .writingSecondMessage(alert)] {
      let text = text(Screen.changing(Screen.signedIn()) { $0.main?.emergency.phase = phase })
      #expect(text.contains("“fell on the stairs”") && text.contains("“door is open”"))
    }
  }

  @Test("A check-in that a wrong clock dated ahead shows a warning and what to do")
  func clockAhead() {
    for hours in [0, 26] {
      let state = Screen.signedIn { $0.user.lastCheckIn = Sample.now + .hours(hours) }
      #expect(text(state).contains("A clock was wrong: your last check-in is dated") == (hours > 0))
      #expect(text(state, columns: 140).contains("the deadline counts from now") == (hours > 0))
    }
  }

  @Test("REM-1: if no reminder can be sent, the screens say no reminders and Profile says why")
  func unsentReminders() {
    for kinds in [[.email], [.webhook]] as [Set<Channel.Kind>] {
      let isFailing = kinds == [.email]
      var state = Screen.signedIn {
        $0.watch = WatchStatus(
          monitors: 1, lastSeen: Sample.now,
          problem: "mail is not set up; run lifesignal mail setup", failingKinds: kinds)
      }
      #expect(text(state).contains("no reminders") == isFailing)
      #expect(text(state).contains("reminder 30m") != isFailing)
      #expect(text(state, columns: 120).contains("◐ mail is not set up") == isFailing)
      state.main?.selectedTab = .profile
      #expect(
        text(state).contains("! No reminder is sent: mail is not set up; press m on Profile.")
          == isFailing)
    }
  }

  @Test("ALT-1: no toast covers an alert's countdown or panel; a warning appears afterwards")
  func toastOverAnAlert() async throws {
    let clock = TestClock()
    for screen in ["emergency-countdown", "emergency-raised", "emergency-message"] {
      var state = try self.state(screen)
      for size in [AppView.smallest, normal, Size(columns: 120, rows: 40)] {
        state.toast = nil
        let plain = host.frame(AppView(store: makeStore(state)), size: size).text
        state.toast = .init("Checked in. Next deadline tomorrow 22:17.")
        #expect(host.frame(AppView(store: makeStore(state)), size: size).text == plain)
      }
    }
    var state = try self.state("emergency-raised")
    state.toast = .init("Grace is no longer responding.", .danger)
    let store = TestStore(initialState: state) {
      AppFeature()
    } withDependencies: {
      $0.continuousClock = clock
    }
    await store.send(.toastExpired) { $0.isToastHeld = true }
    await store.send(.main(.emergency(.stopButtonTapped))) { $0.main?.emergency.phase = .idle }
    // After that, the toast stays for at least the usual time.
    await clock.advance(by: AppFeature.toastDuration)
    await store.receive(.toastExpired) { $0.isToastHeld = false }
    await clock.advance(by: AppFeature.toastDuration)
    await store.receive(.toastExpired) { $0.toast = nil }
  }

  @Test("ALT-1: the countdown is above the details of another alert, and Esc stops the countdown")
  func countdownIsTopmost() throws {
    var state = try #require(Screen.all.first { $0.name == "alert-details" }).state()
    state.main?.emergency.begin(.init(Sample.alert.id, secondsLeft: 4))
    let store = makeStore(state)
    press("esc", in: store)
    #expect(store.main?.emergency.phase == .stopping)
    #expect(store.main?.alerts.opened != nil)
  }

  @Test("The sheet of keys is above an alert's details, and Esc closes the sheet of keys")
  func keysAreTopmost() throws {
    var state = try #require(Screen.all.first { $0.name == "alert-details" }).state()
    state.isShowingKeys = true
    let store = makeStore(state)
    press("esc", in: store)
    #expect(!store.isShowingKeys && store.main?.alerts.opened != nil)
  }

  /// A store whose check-ins fail.
  private func checkingIn(_ state: AppFeature.State) -> StoreOf<AppFeature> {
    Store(initialState: state) {
      AppFeature()
    } withDependencies: {
      $0.continuousClock = TestClock()
      $0.dateClient = .constant(Sample.now)
      $0.checkInClient.checkIn = {
        (_: CheckIn.Source) async throws(ClientError) in
        throw .storage(.busy)
      }
    }
  }

  @Test("CHK-9: only c on the Check-In tab checks in; no other letter, digit or Enter does")
  func noAccident() async throws {
    let letters = (UInt8(ascii: "a")...UInt8(ascii: "z")).map {
      KeyPress(String(UnicodeScalar($0)))!
    }
    let others: [KeyPress] = ["enter", "space", "C", "G", "1", "2", "3", "4", "5", "esc"]
    for tab in MainTabFeature.Tab.allCases {
      var state = Screen.signedIn()
      state.main?.selectedTab = tab
      for key in letters + others {
        let store = checkingIn(state)
        press(key, in: store)
        // The key counts, not the letter: with Caps Lock it is the same one.
        let isKey = tab == .checkIn && (key == "c" || key == "C")
        #expect(store.main?.checkIn.request.isRunning == isKey, "\(key) on \(tab)")
      }
    }
  }

  @Test("CHK-9: Enter checks in only while the check-in button has the focus")
  func focusedButton() {
    let store = checkingIn(Screen.signedIn())
    press("enter", in: store)
    #expect(store.main?.checkIn.request.isRunning == false)
    press("tab", in: store)
    press("enter", in: store)
    #expect(store.main?.checkIn.request.isRunning == true)
    #expect(store.main?.checkIn.isButtonFocused == false)

    let other = checkingIn(Screen.signedIn())
    press("tab", in: other)
    press("4", in: other)
    press("1", in: other)
    press("enter", in: other)
    #expect(other.main?.checkIn.request.isRunning == false)
  }

  @Test("CHK-9: Ctrl-G checks in from every screen of a signed-in user")
  func fromEverywhere() {
    for screen in Screen.all {
      let state = screen.state()
      guard let main = state.main, main.emergency.phase == .idle, main.pings.senders.isEmpty,
        main.prompt.request == nil
      else { continue }
      let store = checkingIn(state)
      press("ctrl+g", in: store)
      #expect(store.main?.checkIn.request.isRunning == true, "\(screen.name)")
    }
  }

  @Test("CHK-9: with an open ping, Ctrl-G answers on every tab, g only on the Check-In tab")
  func answers() throws {
    let state = try #require(
      Screen.all.first { $0.state().main?.pings.senders.isEmpty == false }
    ).state()
    for tab in MainTabFeature.Tab.allCases {
      for key in ["g", "ctrl+g"] as [KeyPress] {
        var state = state
        state.main?.selectedTab = tab
        let store = Store(initialState: state) {
          AppFeature()
        } withDependencies: {
          $0.continuousClock = TestClock()
          $0.dateClient = .constant(Sample.now)
          $0.pingClient.answerAll = { () async throws(ClientError) in
            throw .storage(.busy)
          }
        }
        press(key, in: store)
        #expect(
          store.main?.pings.request.isRunning == (key == "ctrl+g" || tab == .checkIn),
          "\(key), \(tab)")
      }
    }
  }

  @Test("CHK-9: a letter or digit is typed into the field that has the focus")
  func typed() throws {
    let store = try store("contact-form")
    for key in ["c", "g", "1"] as [KeyPress] { press(key, in: store) }
    #expect(store.main?.selectedTab != .checkIn && store.main?.checkIn.request.isRunning == false)
    #expect(
      host.frame(AppView(store: store), size: normal).text.contains("cg1"))
  }

  @Test("Letters typed while the kind of channel has the focus go into the address")
  func typedIntoTheKind() throws {
    let onboarding = makeStore(Screen.onboarding(.responder))
    press("tab", in: onboarding)
    #expect(onboarding.onboarding?.form.focus == .responderKind)
    for key in ["space", "left", "b", "o", "@"] as [KeyPress] { press(key, in: onboarding) }
    #expect(onboarding.onboarding?.responderKind == .email)
    #expect(onboarding.onboarding?.form[.responderAddress].text == "bo@")
    #expect(onboarding.onboarding?.form.focus == .responderAddress)
  }

  @Test("Esc on a changed form asks, and Esc again throws the changes away")
  func escTwice() throws {
    let store = try store("contact-form")
    press("esc", in: store)
    #expect(host.frame(AppView(store: store), size: normal).text.contains("Throw away"))
    press("enter", in: store)
    #expect(!host.frame(AppView(store: store), size: normal).text.contains("Throw away"))
    press("esc", in: store)
    #expect(host.commands.isEmpty == false)
    _ = host.frame(AppView(store: store), size: normal)
    let discard = try #require(host.commands.first { $0.key == "esc" })
    #expect(discard.title == "Throw away")
  }

  @Test("An error says what to do, and r is offered only if trying again can help")
  func recovery() throws {
    for (error, isRetryable) in [(ClientError.notAuthenticated, false), (.storage(.busy), true)] {
      let state = Screen.changing(Screen.signedIn()) {
        $0.main?.checkIn.request.failure = Failure(error.text)
      }
      let frame = host.frame(AppView(store: makeStore(state)), size: Size(columns: 120, rows: 24))
      let text = frame.text.split(separator: "\n").joined(separator: " ")
      #expect(frame.text.contains("r Try again") == isRetryable, "\(error)")
      #expect(host.commands.contains { $0.key == "r" } == isRetryable, "\(error)")
      if let recovery = error.text.recovery?.split(separator: " ").first {
        #expect(text.contains(recovery), "\(frame.text)")
      }
    }
  }

  @Test("Errors in sheets and lists say what to do")
  func recoveryInSheets() {
    func says(_ text: String, _ view: some View, canRetry: Bool? = nil) {
      let shown = host.frame(view, size: normal).text.split { $0.isWhitespace || $0 == "│" }
      #expect(shown.joined(separator: " ").contains(text), "\(shown)")
      if let canRetry { #expect(host.commands.contains { $0.key == "r" } == canRetry) }
    }
    let snapshot = Sample.snapshot()
    for (error, recovery) in [
      (ClientError.notAuthenticated, "Sign in"), (.storage(.busy), "Try again in a moment."),
    ] {
      var standby = StandbyFeature.State()
      standby.failure = error.text
      says(
        recovery,
        StandbyView(
          store: Store(initialState: standby) { StandbyFeature() }, snapshot: snapshot),
        canRetry: error.text.isRetryable)
    }
    var alerts = AlertsFeature.State(snapshot: snapshot)
    alerts.failure = Failure(ClientError.alertIsOn.text)
    says(
      "End the alert",
      AlertsView(store: Store(initialState: alerts) { AlertsFeature() }))
    var pause = PauseFeature.State(snapshot: snapshot)
    pause.step = .resuming
    pause.request.failure = Failure(ClientError.checkInFirst.text)
    says(
      "Check in first, then do it again.",
      PauseView(store: Store(initialState: pause) { PauseFeature() }))
    var interval = IntervalFeature.State(snapshot: snapshot)
    interval.proposed = .interval(CheckInInterval.presets[0])
    interval.request.failure = Failure(ClientError.storage(.busy).text)
    says(
      "Try again in a moment.",
      IntervalView(
        store: Store(initialState: interval) { IntervalFeature() }, snapshot: snapshot))
  }

  @Test("The reason why a message waits is shown in full beside its channel", arguments: [60, 80])
  func waitingReason(columns: Int) {
    let mail = Sample.reachable.channels[0]
    var snapshot = Sample.snapshot()
    snapshot.channels.last[mail.id] = DeliveryReport(
      id: Sample.id(81), stage: .alertOn, recipientID: .contact(Sample.reachable.id),
      recipient: Sample.reachable.name, channel: .email, address: mail.address, state: .pending,
      date: Sample.now, error: "451 4.7.1 The mailbox is busy now, come back a little later")
    let frame = host.frame(
      ContactFacts(contact: Sample.reachable, snapshot: snapshot),
      size: Size(columns: columns, rows: 20))
    #expect(frame.text.contains("later"), "\(frame.text)")
  }

  @Test("A long toast doesn't cover the border of a panel", arguments: [60, 80, 100, 120])
  func toast(columns: Int) {
    for tab in MainTabFeature.Tab.allCases {
      var state = Screen.changing(Screen.signedIn()) { $0.main?.selectedTab = tab }
      let size = Size(columns: columns, rows: 30)
      func borders() -> Int {
        host.frame(AppView(store: makeStore(state)), size: size).text.count {
          "│─╯╰╮╭".contains($0)
        }
      }
      let count = borders()
      state.toast = .init(String(repeating: "Checked in, and more than fits. ", count: 6))
      #expect(borders() == count, "\(tab)")
    }
  }

  @Test("The time left at a check-in is never cut off", arguments: [60, 80, 100, 120])
  func margin(columns: Int) {
    let state = Screen.signedIn {
      $0.history = [
        CheckIn(
          id: Sample.id(50), date: Sample.now - .days(1), source: .commandLine, sequence: 3,
          margin: .minutes(23 * 60 + 59))
      ]
    }
    let frame = host.frame(
      AppView(store: makeStore(state)), size: Size(columns: columns, rows: columns == 60 ? 18 : 30))
    #expect(frame.text.contains("23h 59m left"), "\(frame.text)")
  }

  @Test("CHK-5: a margin under a minute reads “less than 1m left” or “less than 1m late”")
  func marginOfSeconds() {
    for (margin, text) in [(5, "less than 1m left"), (-5, "less than 1m late"), (-60, "1m late")] {
      let checkIn = CheckIn(
        id: Sample.id(50), date: Sample.now, source: .manual, sequence: 3,
        margin: .seconds(margin))
      let row = CheckInRow(checkIn: checkIn, snapshot: Sample.snapshot())
      let lines = FrameSnapshot.lines(of: row, size: Size(columns: 60, rows: 1))
      #expect(lines.first?.hasSuffix(" \(text)") == true, "\(lines)")
    }
  }

  @Test("ONB-4: onboarding names no channel before a choice and promises no mail before setup")
  func promisesWhatIsSetUp() {
    func text(_ state: AppFeature.State) -> String {
      host.frame(AppView(store: makeStore(state)), size: normal).text
        .split { $0.isWhitespace || $0 == "│" }.joined(separator: " ")
    }
    for step in OnboardingFeature.Step.allCases where step < .responder {
      let promise = text(Screen.onboarding(step))
      #expect(promise.contains("your responder is notified 15 minutes later"), "\(promise)")
      #expect(!promise.contains("ntfy"), "\(promise)")
    }
    let mail = Screen.changing(Screen.onboarding(.responder)) {
      $0.onboarding?.choose(.email)
      $0.onboarding?.form[.responderName] = TextInput("Grace", limit: 200)
    }
    #expect(
      text(mail).contains(
        "Grace gets a message that they are your responder, once mail is set up."))
    #expect(!text(mail).contains("Enter sends"))
  }

  @Test("ONB-4: if mail isn't set up, the app says to press m on Profile, not to run a command")
  func mailIsSetUpHere() {
    let state = Screen.signedIn {
      $0.watch = WatchStatus(
        monitors: 1, lastSeen: Sample.now, problem: "mail is not set up; run lifesignal mail setup",
        failingKinds: [.email])
    }
    for size in [normal, Size(columns: 120, rows: 40)] {
      let text = host.frame(AppView(store: makeStore(state)), size: size).text
      #expect(text.contains("mail is not set up; press m on Profile"), "\(text)")
      #expect(!text.contains("lifesignal mail setup"), "\(text)")
    }
  }

  @Test("A sheet over Profile leaves no part of the picture's frame", arguments: [60, 80, 120])
  func portraitBeneathASheet(columns: Int) {
    let size = Size(columns: columns, rows: 24)
    var state = Screen.changing(Screen.signedIn()) { $0.main?.selectedTab = .profile }
    #expect(host.frame(AppView(store: makeStore(state)), size: size).text.contains(" AL "))
    state.main?[MailFeature.self] = MailFeature.State(address: "ada@example.org")
    let rows = host.frame(AppView(store: makeStore(state)), size: size).lines
    #expect(
      !rows.contains { $0.contains("─────╯ │") || $0.contains("╭─────") && $0.contains("╮ │") })
  }

  @Test("ONB-1: onboarding says in full what will happen at 60 × 18")
  func promise() {
    let state = Screen.changing(Screen.onboarding(.responder)) {
      $0.onboarding?.suggest(NtfyTopic(random: Array(0..<20)))
    }
    let frame = host.frame(AppView(store: makeStore(state)), size: AppView.smallest)
    let text = frame.text.split { $0.isWhitespace || $0 == "│" }.joined(separator: " ")
    #expect(text.contains("if this computer is on."), "\(frame.text)")
    // The topic is shown in full.
    #expect(text.contains("Topic lifesignal-") && !frame.text.contains("…"), "\(frame.text)")
  }

  @Test("A long emergency note can be scrolled to its end on the Profile tab at 60 × 18")
  func longNote() {
    let state = Screen.changing(
      Screen.signedIn {
        $0.user.profile.note = String(repeating: "Penicillin allergy. ", count: 30) + "THE END"
      }
    ) { $0.main?.selectedTab = .profile }
    let store = makeStore(state)
    func text() -> String { host.frame(AppView(store: store), size: AppView.smallest).text }
    #expect(!text().contains("THE END"))
    _ = host.dispatch(.key("end"))
    #expect(text().contains("THE END"))
  }

  @Test("CON-1: the reason why a role can't be chosen is shown in full at 60 × 18")
  func rolesError() throws {
    let name = "Ada Augusta Byron, Countess of Lovelace and Ockham"
    var contact = Sample.alan
    contact.name = name
    var roles = RolesFeature.State(contact: contact)
    roles.request.failure = Failure(ClientError.consentRequired(name: name).text)
    let store = Store(initialState: roles) { RolesFeature() }
    let frame = host.frame(RolesView(store: store), size: AppView.smallest)
    #expect(frame.text.contains("that role."), "\(frame.text)")
  }

  @Test(
    "The help bar shows ? and the key that raises or cancels an alert on every tab",
    arguments: MainTabFeature.Tab.allCases)
  func helpBar(tab: MainTabFeature.Tab) {
    for isOn in [false, true] {
      let state = Screen.changing(Screen.signedIn { $0.alerts = isOn ? Screen.alertReports : [] }) {
        $0.main?.selectedTab = tab
      }
      let bar = host.frame(AppView(store: makeStore(state)), size: normal).lines.last ?? ""
      #expect(
        bar.contains("? Keys") && bar.contains(isOn ? "x Cancel alert" : "! ×5 Alert"), "\(bar)")
    }
  }

  @Test("The help bar of a full sheet shows Esc Close")
  func wayOut() throws {
    let bar =
      host.frame(AppView(store: try store("contact-details")), size: normal).lines.last ?? ""
    #expect(bar.contains("Esc Close") && bar.contains("? Keys"), "\(bar)")
  }

  @Test(
    "The sheet of keys shows every key at 80 × 24 and 60 × 18",
    arguments: MainTabFeature.Tab.allCases)
  func keySheet(tab: MainTabFeature.Tab) {
    var state = Screen.signedIn {
      $0.notifications = Screen.notifications
      $0.alerts = Screen.alertReports
    }
    state.main?.selectedTab = tab
    for size in [normal, AppView.smallest] {
      state.isShowingKeys = false
      _ = host.frame(AppView(store: makeStore(state)), size: size)
      let titles = Set(host.commands.filter { $0.key != nil }.map(\.title))
      #expect(titles.count > 10)
      state.isShowingKeys = true
      let text = host.frame(AppView(store: makeStore(state)), size: size).text
      #expect(titles.filter { !text.contains($0) } == [])
    }
  }

  @Test(
    "Enter is offered as Open only in a list that has rows",
    arguments: [
      ("responders", true), ("dependents", true), ("alerts", true), ("alerts-empty", false),
    ])
  func enter(screen: String, opens: Bool) throws {
    _ = host.frame(AppView(store: try store(screen)), size: normal)
    #expect(host.commands.contains { $0.key == "enter" && $0.title == "Open" } == opens)
  }

  @Test("The palette's Open command opens the selected row as Enter does")
  func enterOpens() throws {
    let contacts = try store("responders")
    press("enter", in: contacts)
    #expect(contacts.main?[ContactDetailsFeature.self] != nil)
    let other = try store("responders")
    _ = host.frame(AppView(store: other), size: normal)
    try #require(host.commands.first { $0.title == "Open" }).action()
    #expect(other.main?.path.map(\.self) == contacts.main?.path.map(\.self))
    let alerts = try store("alerts")
    _ = host.frame(AppView(store: alerts), size: normal)
    try #require(host.commands.first { $0.title == "Open" }).action()
    #expect(alerts.main?.alerts.opened == alerts.main?.alerts.rows.first?.id)
  }

  @Test("CHK-7: during a pause the tabs keep their names, and the help bar offers p Resume")
  func paused() throws {
    let lines = host.frame(AppView(store: try store("check-in-paused")), size: normal).lines
    #expect(lines[0].contains("5 Profile"))
    #expect(lines.last?.contains("p Resume") == true)
  }

  @Test("ALT-3: at 60 × 18 an unsent alert shows NOT SENT YET, emergency numbers and responders")
  func unreachable() throws {
    let text = host.frame(
      AppView(store: try store("emergency-unreachable")), size: AppView.smallest
    )
    .text
    #expect(text.contains("NOT SENT YET"))
    #expect(text.contains("Emergency services: 999\u{A0}or\u{A0}112"))
    #expect(text.contains("✗ Responder 1") && text.contains("✗ Responder 6"))
    #expect(text.contains("Esc closes this, the alert stays on"))
  }

  @Test("ALT-3: a message sent on another day shows the day")
  func days() {
    func line(_ date: Date) -> String {
      let report = DeliveryReport(
        id: Sample.id(30), stage: .alertOn, recipientID: .contact(Sample.grace.id),
        recipient: "Grace Hopper", channel: .email,
        address: "grace@navy.example", state: .sent, date: date)
      return FrameSnapshot.lines(
        of: DeliveryLine(delivery: report, snapshot: Sample.snapshot(), showsRecipient: false),
        size: Size(columns: 60, rows: 1))[0]
    }
    let clock = CivilCalendar.utc.time(of: Sample.now).clock
    #expect(line(Sample.now) == "✓ alert            ✉ sent \(clock)")
    #expect(line(Sample.now - .days(1)) == "✓ alert            ✉ sent yesterday \(clock)")
    let old = Sample.now - .days(8)
    #expect(
      line(old) == "✓ alert            ✉ sent \(CivilCalendar.utc.time(of: old).dateText) \(clock)")
  }

  @Test("ALT-6: a message sent in a drill is labelled as a drill")
  func drill() {
    func line(_ stage: Stage) -> String {
      let report = DeliveryReport(
        id: Sample.id(30), stage: stage, recipientID: .contact(Sample.grace.id),
        recipient: "Grace Hopper", channel: .email, address: "grace@navy.example", state: .sent,
        date: Sample.now, isDrill: true)
      return FrameSnapshot.lines(
        of: DeliveryLine(delivery: report, snapshot: Sample.snapshot(), showsRecipient: false),
        size: Size(columns: 60, rows: 1))[0]
    }
    #expect(line(.alertOn).hasPrefix("✓ drill            ✉ sent"))
    #expect(line(.alertOff).hasPrefix("✓ drill over       ✉ sent"))
  }

  @Test("An alert's sheet is high enough to show all its text at 120 × 40")
  func height() throws {
    let frame = host.frame(
      AppView(store: try store("names-alert")), size: Size(columns: 120, rows: 40))
    #expect(frame.text.contains("no route to host"))
    // Without a scrollbar, everything fits.
    #expect(!frame.text.contains("┃"))
  }
}
