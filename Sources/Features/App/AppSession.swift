import Clients
public import Composable
public import Domain
public import FoundationEssentials
public import Terminal

/// The app as a program runs it: what happens in it, what it shows, and what the program has to know.
@MainActor
public final class AppSession {
  let store: StoreOf<AppFeature>
  let debug: DebugSession

  /// Makes the app with the clients of a platform.
  /// - Parameter recording: Where its actions are written down.
  public init(
    recording: AppRecording.Output? = nil, provide: @escaping (inout DependencyValues) -> Void
  ) {
    if let recording {
      var clients = DependencyValues.current
      provide(&clients)
      let now = clients.dateClient.now
      let recorder = ActionRecorder<AppFeature.Action>(
        header: RecordingHeader(
          program: recording.program, date: now(), timeZone: recording.timeZone),
        now: now, write: recording.write)
      store = Store(initialState: AppFeature.State()) {
        AppFeature().recordingActions(to: recorder)
      } withDependencies: {
        $0 = clients
        $0.dateClient.now = recorder.now
        recorder.install(in: &$0)
      }
    } else {
      store = Store(initialState: AppFeature.State()) {
        AppFeature()
      } withDependencies: {
        provide(&$0)
      }
    }
    debug = DebugSession(app: store)
  }

  // MARK: What happens

  /// The program has started, perhaps by a link.
  public func start(at link: DeepLink? = nil) {
    if let link { store.send(.linkOpened(link)) }
    store.send(.started)
  }

  /// The program goes on after it was stopped.
  public func resume() { store.send(.resumed) }

  /// Something visible changes now.
  public func tick() { store.send(.ticked) }

  /// Shows or hides the debug overlay.
  public func toggleDebugOverlay() { debug.overlay.send(.debugKeyPressed) }

  /// Calls a function after each change of what is shown.
  public func observe(
    app: @escaping @MainActor () -> Void, overlay: @escaping @MainActor () -> Void
  ) -> [ObservationToken] {
    [
      store.observe { app() }, debug.overlay.observe({ $0.lastMoment }) { _ in overlay() },
      debug.overlay.observe({ $0.effects }) { _ in overlay() },
    ]
  }

  /// Calls a function when something begins or ends that takes a person's own time: an alert is being
  /// raised or cancelled.
  public func observeOwnTime(_ changed: @escaping @MainActor (Bool) -> Void) -> ObservationToken {
    store.observe({ $0.takesItsTime }, onChange: changed)
  }

  // MARK: What it shows

  /// The app and its overlays; in the demo with the line that says how fast the time goes.
  public func view(pace: StoreOf<PaceFeature>? = nil) -> some View {
    Group {
      if let pace {
        PaceView(store: pace, app: DebugView(session: debug))
      } else {
        DebugView(session: debug)
      }
    }
  }

  /// What the person chose for every screen.
  public var appearance: Appearance { store.main?.snapshot.appearance ?? Appearance() }

  /// What the store has told so far; `nil` while nobody is signed in.
  public var snapshot: AccountSnapshot? { store.main?.snapshot }

  /// Whether the check-ins of the last year are still being read.
  public var isReadingHistory: Bool {
    store.main?.checkIn.destination[CheckInFeature.Destination.history]?.isLoading ?? false
  }

  /// Waits until every stream's first element has come and an alert that was begun is stored, or there is
  /// nothing to wait for.
  public func complete() async {
    for await isComplete in store.values(of: \.isComplete) where isComplete { return }
  }

  // MARK: How it ends

  /// Whether the person has left.
  public var isFinished: Bool { store.isFinished }

  /// The alert that was begun here and is not raised yet, with its message (ALT-7).
  public var ownArmedAlert: (id: Alert.ID, message: String)? {
    guard let emergency = store.currentEmergency, let armed = emergency.armed, armed.isOwn,
      emergency.phase != .stopping
    else { return nil }
    return (armed.id, emergency.message.text)
  }
}

extension AppFeature.State {
  /// Whether every stream's first element has come, or there is nothing to wait for.
  var isComplete: Bool {
    if onboarding != nil || failure != nil { return true }
    guard let snapshot = main?.snapshot, !isRaisingAlert || isAlertArmed else { return false }
    return snapshot.watch != nil && !snapshot.contacts.isEmpty && !snapshot.history.isEmpty
      && !snapshot.alerts.isEmpty && !snapshot.notifications.isEmpty
      && snapshot.record != CheckInRecord()
  }
}

/// A recording of the app, and where it leads.
public struct AppRecording: Sendable {
  private let recording: Recording<AppFeature.Action>

  /// Where a recording is written, and what its first line says.
  public struct Output: Sendable {
    let program: String
    let timeZone: String?
    let write: @Sendable (_ line: String) -> Void

    /// Makes an output.
    public init(
      program: String, timeZone: String?, write: @escaping @Sendable (_ line: String) -> Void
    ) {
      (self.program, self.timeZone, self.write) = (program, timeZone, write)
    }
  }

  /// Reads a recording.
  public init(_ data: Data) throws(RecordingError) { recording = try Recording(data) }

  /// Its first line.
  public var header: RecordingHeader { recording.header }
  /// Whether the last line was cut off and left out.
  public var isCutOff: Bool { recording.isCutOff }
  /// When each action was reduced.
  public var dates: [Date] { recording.actions.map(\.date) }

  /// The app's state after all actions: they alone lead to the same state again.
  @MainActor public func finalState() -> any Sendable {
    var replay = Replay(initialState: AppFeature.State(), header: header) {
      AppFeature()
    } withDependencies: {
      let date = $0.date
      $0.dateClient = DateClient(now: { date.now }, calendar: .local)
    }
    for action in recording.actions { replay.reduce(action) }
    return replay.state
  }
}
