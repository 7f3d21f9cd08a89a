import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Terminal
import Testing

@testable import Features

/// What the app says of check-ins that the server hasn't received (OFF-1, OFF-2).
@MainActor @Suite struct OutboxTests {
  private nonisolated static let checkIn = Outbox.CheckIn(
    id: Sample.id(70), madeAt: Sample.now - .minutes(12))
  nonisolated static let waiting = Outbox(checkIns: [checkIn])
  nonisolated static let refused = Outbox(checkIns: [
    Outbox.CheckIn(
      id: Sample.id(70), madeAt: Sample.now - .minutes(12),
      refusal: ClientError.sessionExpired.text)
  ])

  private func makeStore(
    _ state: AppFeature.State = .signedIn(),
    prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<AppFeature> {
    TestStore.app(state, on: TestClock()) {
      $0.attentionClient = AttentionClient { _, _, _ in }
      prepare(&$0)
    }
  }

  @Test("OFF-2: a check-in that is kept shows as not received, and not as an error or a success")
  func queued() async {
    let store = makeStore {
      $0.checkInClient.checkIn = { (_) async throws(ClientError) in throw .queued(at: Sample.now) }
    }
    await store.send(.main(.checkIn(.checkInButtonTapped))) {
      $0.main?.checkIn.request.isRunning = true
    }
    await store.receive(.main(.checkIn(.checkInFailed(.queued(at: Sample.now))))) {
      $0.main?.checkIn.request.isRunning = false
    }
    await store.send(.changed(.outbox(Self.waiting))) {
      $0.show { $0.outbox = Self.waiting }
    }
    #expect(
      store.state.main?.snapshot.queuedText
        == "Checked in at 07:48 on this device – not received yet. Your responders still see a"
        + " deadline of tomorrow 06:00."
    )
    await store.skipInFlightEffects()
  }

  @Test("OFF-2: on another tab, a check-in that waits for the server shows a warning")
  func elsewhere() async {
    var state = AppFeature.State.signedIn()
    state.main?.selectedTab = .profile
    let store = makeStore(state)
    await store.send(.main(.checkIn(.checkInFailed(.queued(at: Sample.now))))) {
      $0.toast = ToastMessage(
        ClientError.queued(at: Sample.now).text.description, .warning)
    }
    await store.skipInFlightEffects()
  }

  @Test("OFF-3: once a check-in is received, the app shows from when it counts")
  func received() async {
    var state = AppFeature.State.signedIn()
    state.show { $0.outbox = Self.waiting }
    var later = Sample.user
    later.lastCheckIn = Self.checkIn.madeAt
    let store = makeStore(state) { [later] in
      $0.userClient.currentUser = { () async throws(ClientError) in later }
    }
    await store.send(.changed(.outbox(Outbox()))) { $0.show { $0.outbox = Outbox() } }
    await store.receive(.checkInsReceived([Self.checkIn], later)) {
      $0.show { $0.user = later }
      $0.toast = ToastMessage("Received: your check-in of today 07:48 counts.")
    }
    await store.skipInFlightEffects()
  }

  @Test("OFF-5: a refused check-in rings once, stays until dismissed, and asks for another one")
  func refusal() async {
    let rung = LockedCounter()
    let dismissed = LockedCounter()
    let store = makeStore {
      $0.attentionClient = AttentionClient { _, text, rings in
        if rings, text == "Your check-in was NOT received" { rung.increment() }
      }
      $0.offlineClient.dismiss = { id in
        if id == Sample.id(70) { dismissed.increment() }
      }
    }
    await store.send(.changed(.outbox(Self.refused))) {
      $0.show { $0.outbox = Self.refused }
    }
    await store.send(.changed(.outbox(Self.refused)))
    while rung.value == 0 { await Task.yield() }
    #expect(rung.value == 1)
    let text = frame(store.state)
    #expect(text.contains("Your check-in of 07:48 was NOT received: You have been signed out."))
    await store.send(.main(.checkIn(.refusalDismissed(Sample.id(70))))).finish()
    #expect(dismissed.value == 1)
    await store.skipInFlightEffects()
  }

  private func frame(_ state: AppFeature.State, columns: Int = 120) -> String {
    ViewHost().frame(
      AppView(store: Store(initialState: state) { AppFeature() }),
      size: Size(columns: columns, rows: 40)
    ).text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test(
    "OFF-1: while an alert waits, the screen says so and who to call; so does one that was stopped"
  )
  func alerts() {
    for (mayBeSent, isStopped, text) in [
      (false, false, "NOT SENT yet: your alert of 07:48. Call Alan"),
      (true, false, "Perhaps NOT SENT yet: your alert of 07:48. Call Alan"),
      (
        true, true, "It isn't known yet whether your alert of 07:48 was sent before you stopped it."
      ),
    ] {
      var state = Screen.signedIn()
      state.show {
        $0.host = .server(name: "family.example")
        $0.connection = .offline(since: Sample.now - .hours(1), asOf: Sample.now)
        $0.outbox = Outbox(alerts: [
          .init(
            id: Sample.id(71), raisedAt: Sample.now - .minutes(12), mayBeSent: mayBeSent,
            isStopped: isStopped)
        ])
      }
      let shown = frame(state)
      #expect(shown.contains(text), "\(shown)")
      #expect(shown.contains("1 queued"))
    }
  }

  @Test("OFF-5: quitting asks while a check-in was refused")
  func quitting() async {
    var state = AppFeature.State.signedIn()
    state.show { $0.outbox = Self.refused }
    let store = makeStore(state)
    await store.send(.quitButtonTapped) { $0.isConfirmingQuit = true }
    #expect(frame(store.state).contains("You are not checked in"))
    await store.send(.quitConfirmed) {
      $0.isConfirmingQuit = false
      $0.isFinished = true
    }
  }

  @Test("OFF-1: an alert that was stopped after it may have been sent asks to call the responders")
  func stopped() async {
    let store = makeStore()
    await store.send(.main(.emergency(.disarmFailed(.queued(at: Sample.now))))) {
      $0.toast = ToastMessage(ArmedAlert.maybeSentText, .danger)
    }
    await store.skipInFlightEffects()
  }

  @Test(
    "OFF-2: while a check-in waits, no tab says “Checked in” without “not received”",
    arguments: [80, 120, 160])
  func words(columns: Int) {
    for tab in MainTabFeature.Tab.allCases {
      for connection in [
        ConnectionState.connected, .reconnecting(asOf: Sample.now),
        .offline(since: Sample.now - .hours(1), asOf: Sample.now),
      ] {
        var state = Screen.signedIn()
        state.main?.selectedTab = tab
        state.show {
          $0.host = .server(name: "family.example")
          $0.outbox = Self.waiting
          $0.connection = connection
        }
        let text = frame(state, columns: columns)
        #expect(!text.contains("Checked in") || text.contains("not received"), "\(tab)")
        if case .offline = connection { #expect(text.contains("1 queued"), "\(tab)") }
        if tab == .checkIn { #expect(text.contains("not received yet"), "\(connection)") }
      }
    }
  }
}
