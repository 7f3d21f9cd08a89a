import Clients
import Composable
import ComposableFoundation
import ComposableTesting
import Domain
import FoundationEssentials
import Terminal
import TerminalTesting
import Testing

@testable import Features

/// The overlay together with a running app.
@MainActor @Suite struct DebugSessionTests {
  let clock = TestClock()

  private func makeSession(
    _ state: AppFeature.State = Screen.signedIn(),
    prepare: @escaping @Sendable (inout DependencyValues) -> Void = { _ in }
  ) -> DebugSession {
    DebugSession(
      app: Store(initialState: state) {
        AppFeature()
      } withDependencies: {
        $0.dateClient = .constant(Sample.now)
        $0.continuousClock = clock
        prepare(&$0)
      })
  }

  private func lines(_ session: DebugSession, columns: Int = 80, rows: Int = 24) -> [String] {
    FrameSnapshot.lines(of: view(session), size: Size(columns: columns, rows: rows))
  }

  private func view(_ session: DebugSession) -> DebugView {
    DebugView(session: session, calendar: .utc)
  }

  private func press(_ keys: KeyPress..., in session: DebugSession) {
    let host = ViewHost()
    for key in keys {
      _ = host.render(view(session), size: Size(columns: 80, rows: 24))
      host.dispatch(.key(key))
    }
  }

  @Test func nothingIsNoted_untilTheOverlayIsOpened() {
    let session = makeSession()
    session.app.send(.ticked)
    #expect(session.overlay.history == nil)
    press("f12", in: session)
    #expect(session.overlay.history?.initialState == session.app.state)
    #expect(session.overlay.dependencies == ["ContinuousClock", "DateClient"])
    session.app.send(.main(.tabSelected(.alerts)))
    session.app.send(.main(.tabSelected(.profile)))
    press("f12", in: session)
    session.app.send(.keysButtonTapped)
    #expect(
      session.overlay.history?.entries.map(\.action) == [
        .main(.tabSelected(.alerts)), .main(.tabSelected(.profile)), .keysButtonTapped,
      ])
    #expect(session.overlay.history?.entries.last?.state == session.app.state)
  }

  @Test func effects_areShownWhileTheyRun() {
    let session = makeSession()
    session.app.send(.ticked)
    press("f12", in: session)
    #expect(session.overlay.effects.map(\.ids) == [["AppFeature.CancelID.tick"]])
    session.app.send(.changed(.failed(.alerts, StorageError.busy.text)))
    session.app.send(.main(.emergency(.emergencyKeyPressed)))
    #expect(
      session.overlay.effects.map(\.ids).contains(["EmergencyFeature.CancelID.bar"]))
  }

  @Test func steppingBack_showsTheAppAsItWasAndDoesNotTouchIt() {
    let session = makeSession()
    press("f12", in: session)
    session.app.send(.main(.tabSelected(.profile)))
    let now = session.app.state
    press("left", "space", in: session)
    #expect(lines(session).joined().contains("Next check-in"))
    #expect(session.app.state == now)
    // Keys of the app do nothing in the meantime.
    press("c", "4", "q", in: session)
    #expect(session.app.state == now)
    press("esc", in: session)
    #expect(!lines(session).joined().contains("Next check-in"))
  }

  @Test func inOneLine_keysGoToTheApp() {
    let session = makeSession()
    press("f12", "space", "4", in: session)
    #expect(session.app.main?.selectedTab == .alerts)
    #expect(lines(session)[22].contains("tabSelected(.alerts) main"))
  }

  @Test("ALT-1: ! works over the debug overlay, which disappears during the alert's countdown")
  func emergency() {
    let session = makeSession {
      $0.uuid = .incrementing
      $0.watchClient.start = { () async throws(StorageError) in }
      $0.alertClient.arm = { (id, message, delay) async throws(ClientError) in
        .armed(EmergencyFeatureTests.armed(message, delay, id))
      }
      $0.alertClient.disarm = { (_: Alert.ID) async throws(ClientError) in }
    }
    press("f12", in: session)
    session.app.send(.main(.tabSelected(.profile)))
    press("left", "!", in: session)
    #expect(session.overlay.recordedState == nil)
    #expect(session.app.main?.emergency.trigger.presses == 1)
    press("!", "!", "!", "!", in: session)
    #expect(session.app.main?.emergency.armed?.secondsLeft == 5)
    #expect(!lines(session).joined().contains("Debug"))
    press("esc", in: session)
    session.app.send(.main(.emergency(.disarmed)))
    #expect(session.app.main?.emergency.phase == .idle)
    #expect(lines(session).joined().contains("Debug"))
  }

  @Test func theOverlay_standsOverSheets() {
    let session = makeSession()
    session.app.send(.main(.checkIn(.intervalButtonTapped)))
    press("f12", in: session)
    press("esc", in: session)
    #expect(session.overlay.form == .hidden)
    #expect(session.app.main?[IntervalFeature.self] != nil)
  }

  @Test func aWindowThatIsTooSmall_hasNoOverlay() {
    let session = makeSession()
    press("f12", in: session)
    #expect(lines(session, columns: 59).joined().contains("needs 60 × 18"))
    #expect(lines(session, columns: 60, rows: 18).joined().contains("Debug"))
    for size in [Size(columns: 1, rows: 1), Size(columns: 300, rows: 2), .zero] {
      _ = lines(session, columns: size.columns, rows: size.rows)
    }
  }

  // MARK: Snapshots

  /// A session with some actions.
  private func busySession() -> DebugSession {
    let session = makeSession()
    session.overlay.send(.debugKeyPressed)
    session.app.send(.ticked)
    session.app.send(.main(.tabSelected(.responders)))
    session.app.send(.main(.responders(.addButtonTapped)))
    for letter in ["M", "a"] {
      session.app.send(
        .main(.sheet(ContactFormFeature.self, .form(.edited(.name, .insert(letter))))))
    }
    session.app.send(.main(.closed()))
    var user = Sample.user
    user.lastCheckIn = Sample.now
    session.app.send(.main(.checkIn(.checkedIn(user))))
    session.app.send(.toastExpired)
    // Use fixed line numbers, so that the snapshot doesn't change with the code.
    session.overlay.send(
      .effectsChanged(
        [("AppFeature.swift", 224, ["AppFeature.CancelID.streams"])].flatMap {
          Array(repeating: $0, count: 6)
        }.appending(("AppFeature.swift", 269, ["AppFeature.CancelID.tick"]))
          .appending(("EmergencyFeature.swift", 197, []))
          .map {
            EffectInFlight(
              location: IssueLocation(fileID: "Features/\($0.0)", line: $0.1), ids: $0.2)
          }))
    session.overlay.send(.callsChanged(calls))
    return session
  }

  private var calls: [ClientCall] {
    var sent = LogEntry.Call(milliseconds: 38)
    sent.endpoint = "POST /v1/check-ins"
    sent.status = 200
    var failed = LogEntry.Call(milliseconds: 1_204)
    failed.endpoint = "GET /v1/contacts/{id}"
    failed.cause = "no answer: time is up"
    failed.retries = 2
    return [
      ClientCall(
        operation: "WatchClient.status", start: Sample.now, details: .init(milliseconds: 1)),
      ClientCall(operation: "CheckInClient.checkIn", start: Sample.now, details: sent),
      ClientCall(
        operation: "ContactsClient.contact", start: Sample.now,
        error: NetworkError.serverUnreachable("family.example").text.line, details: failed),
    ]
  }

  private func expect(_ session: DebugSession, _ name: String) {
    for size in [Size(columns: 80, rows: 24), Size(columns: 120, rows: 40)] {
      expectFrame(view(session), size: size, named: "\(name)-\(size.columns)x\(size.rows)")
    }
  }

  @Test func pictureOfChanges() { expect(busySession(), "debug") }

  @Test func pictureOfARecordedState() {
    let session = busySession()
    press("left", "left", in: session)
    expect(session, "debug-recorded")
  }

  @Test func pictureOfTheStart() {
    let session = busySession()
    session.overlay.send(.moved(ListPosition(selected: 0)))
    expect(session, "debug-start")
  }

  @Test func picturesOfTheOtherPanes() {
    let session = busySession()
    press("tab", in: session)
    expectFrame(view(session), size: Size(columns: 80, rows: 24), named: "debug-effects-80x24")
    press("tab", in: session)
    expectFrame(view(session), size: Size(columns: 80, rows: 24), named: "debug-calls-80x24")
    press("tab", in: session)
    expectFrame(view(session), size: Size(columns: 80, rows: 24), named: "debug-dependencies-80x24")
  }

  @Test func pictureOfTheLine() {
    let session = busySession()
    press("left", "space", in: session)
    expect(session, "debug-line")
  }

  @Test func everyCharacter_hasAFormInASCII() {
    let session = busySession()
    let size = Size(columns: 120, rows: 40)
    let text = FrameSnapshot.frame(of: view(session), size: size, theme: .dark.ascii).text
    #expect(text.utf8.allSatisfy { $0 < 0x80 }, "\(text)")
  }
}

extension Array {
  fileprivate func appending(_ element: Element) -> Self { self + [element] }
}
