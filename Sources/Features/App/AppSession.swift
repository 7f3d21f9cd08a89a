import Clients
public import Composable
public import ComposableFoundation
public import Domain
public import FoundationEssentials
public import Terminal

/// The app as the program runs it: its inputs, its view, and the state that the program needs.
@MainActor
public final class AppSession {
  let store: StoreOf<AppFeature>
  let debug: DebugSession
  private let isRecorded: Bool

  /// Makes the app with the clients of a platform.
  /// - Parameter recording: The output that records its actions.
  public init(
    recording: AppRecording.Output? = nil, provide: @escaping (inout DependencyValues) -> Void
  ) {
    isRecorded = recording != nil
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

  // MARK: Input

  /// Starts the app, optionally at a link.
  public func start(at link: DeepLink? = nil) {
    if isRecorded { store.send(.settingsRecorded(store.terminalSettings)) }
    if let link { store.send(.linkOpened(link)) }
    store.send(.started)
  }

  /// Updates the app after the process was suspended.
  public func resume() { store.send(.resumed) }

  /// Notes whether the terminal has the keyboard focus.
  public func setActive(_ isActive: Bool) { store.send(.activeChanged(isActive)) }

  /// Updates the time shown.
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

  /// Calls a function when a phase begins or ends that runs in real time even in the demo: raising
  /// or cancelling an alert.
  public func observeRealTimePhases(_ changed: @escaping @MainActor (Bool) -> Void)
    -> ObservationToken
  {
    store.observe({ $0.runsInRealTime }, onChange: changed)
  }

  // MARK: Output

  /// The app and its overlays. The demo adds a line with the pace of its clock.
  public func view(pace: StoreOf<PaceFeature>? = nil) -> some View {
    Group {
      if let pace {
        PaceView(store: pace, app: DebugView(session: debug))
      } else {
        DebugView(session: debug)
      }
    }
  }

  /// The chosen look of the screen.
  public var appearance: Appearance { store.terminalSettings.appearance }

  /// The data loaded so far, or `nil` if nobody is signed in.
  public var snapshot: AccountSnapshot? { store.main?.snapshot }

  /// Whether the check-ins of the last year are still being read.
  public var isReadingHistory: Bool {
    store.main?.path.contains { $0[HistoryFeature.self]?.request.isRunning == true } ?? false
  }

  /// Waits until every stream has sent its first element and a begun alert is stored. Returns at
  /// once if there is nothing to wait for.
  public func complete() async {
    for await isComplete in store.values(of: \.isComplete) where isComplete { return }
  }

  // MARK: End

  /// Whether the person has quit.
  public var isFinished: Bool { store.isFinished }

  /// The alert that was armed here and isn't raised yet, with its message (ALT-7).
  public var ownArmedAlert: (id: Alert.ID, message: String)? {
    guard let emergency = store.currentEmergency, let armed = emergency.armed, armed.isOwn,
      emergency.phase != .stopping
    else { return nil }
    return (armed.id, emergency.message.text)
  }
}

extension AppFeature.State {
  /// Whether every stream has sent its first element, or there is nothing to wait for.
  var isComplete: Bool {
    if onboarding != nil || failure != nil { return true }
    guard let snapshot = main?.snapshot, !isRaisingAlert || isAlertArmed else { return false }
    return snapshot.watch != nil && !snapshot.contacts.isEmpty && !snapshot.history.isEmpty
      && !snapshot.alerts.isEmpty && !snapshot.notifications.isEmpty
      && snapshot.record != CheckInRecord() && snapshot.channels != ChannelOverview()
  }
}

/// A recording of the app's actions, which can be replayed.
public struct AppRecording: Sendable {
  private let recording: Recording<AppFeature.Action>

  /// The output of a recording and the contents of its first line.
  public struct Output: Sendable {
    let program: String
    let timeZone: String?
    let write: @Sendable (_ line: String) -> Void

    /// Creates an output.
    public init(
      program: String, timeZone: String?, write: @escaping @Sendable (_ line: String) -> Void
    ) {
      (self.program, self.timeZone, self.write) = (program, timeZone, write)
    }
  }

  /// Reads a recording.
  public init(_ data: Data) throws(RecordingError) { recording = try Recording(data) }

  /// The recording's first line.
  public var header: RecordingHeader { recording.header }
  /// Whether the last line was cut off and left out.
  public var isCutOff: Bool { recording.isCutOff }
  /// The time at which each action was reduced.
  public var dates: [Date] { recording.actions.map(\.date) }

  /// Returns the app's state after all actions. Replaying the same actions always gives the same
  /// state.
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

extension AppSession {
  /// Says that this terminal's settings can't be read or kept.
  public func noteSettingsFailure(_ error: any Error) {
    let error = error as? SharedFileError ?? SharedFileError(path: "", reason: "unknown error")
    store.send(.settingsFailed(error.settingsText))
  }
}
