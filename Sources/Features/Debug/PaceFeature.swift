import Clients
public import Composable
public import Domain
public import FoundationEssentials
import Terminal

/// The pace of the demo's clock. Only the demo uses it; the app doesn't know about it.
public struct PaceFeature: Reducer {
  public struct State: Equatable, Sendable {
    /// The chosen multiple of real time, 1 – 10,000.
    var speed: Int
    var isStopped = false
    /// Whether the clock is held at real time, such as during the five presses of an alert.
    var isHeld = false
    public var now: Date
    let calendar: CivilCalendar

    public init(speed: Int, now: Date, calendar: CivilCalendar) {
      self.speed = min(max(speed, PaceFeature.speeds.lowerBound), PaceFeature.speeds.upperBound)
      self.now = now
      self.calendar = calendar
    }

    /// The current multiple of real time, or 0 while the clock is stopped.
    var actualSpeed: Int { isStopped ? 0 : isHeld ? 1 : speed }
  }

  public enum Action: Codable, Equatable, Sendable {
    case started
    case fasterButtonTapped
    case slowerButtonTapped
    case stopButtonTapped
    /// A phase that must run in real time has begun or ended.
    case heldChanged(Bool)
    /// The timer fired, so the time shown must be updated.
    case ticked
  }

  private enum CancelID: Hashable, Sendable { case timer }

  @Dependency(\.paceClient) var paceClient
  @Dependency(\.dateClient) var dateClient
  @Dependency(\.continuousClock) var clock

  public static let speeds = 1...10_000
  /// The speeds that the keys step through: real time, a minute in six seconds or in one, an hour
  /// in six seconds or in one, and the maximum.
  static let steps = [1, 10, 60, 600, 3_600, 10_000]
  /// The shortest time between two updates of the clock on screen.
  static let shortestTick = Duration.milliseconds(100)

  /// Creates the feature.
  public init() {}

  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .started: return adoptPace(state)
      case .fasterButtonTapped:
        // Changing the speed also restarts a stopped clock.
        state.isStopped = false
        state.speed = Self.steps.first { $0 > state.speed } ?? Self.speeds.upperBound
        return adoptPace(state)
      case .slowerButtonTapped:
        state.isStopped = false
        state.speed = Self.steps.last { $0 < state.speed } ?? Self.speeds.lowerBound
        return adoptPace(state)
      case .stopButtonTapped:
        state.isStopped.toggle()
        return adoptPace(state)
      case .heldChanged(let isHeld):
        guard isHeld != state.isHeld else { return .none }
        state.isHeld = isHeld
        return adoptPace(state)
      case .ticked: state.now = dateClient.now()
      }
      return .none
    }
  }

  /// Sets the clock's speed and updates the time shown as often as it changes visibly.
  private func adoptPace(_ state: State) -> Effect<Action> {
    let speed = state.actualSpeed
    let interval = max(Self.shortestTick, .milliseconds(1_000 / max(1, speed)))
    return .run { [paceClient, clock] send in
      paceClient.setSpeed(speed)
      await send(.ticked)
      guard speed > 0 else { return }
      for await _ in clock.timer(interval: interval) { await send(.ticked) }
    }
    .cancellable(id: CancelID.timer, cancelInFlight: true)
  }
}

extension AppFeature.State {
  /// Whether the demo's clock must run in real time because an alert is being raised or cancelled.
  var runsInRealTime: Bool {
    guard let emergency = currentEmergency else { return false }
    switch emergency.phase {
    case .raised: return false
    case .idle: return emergency.trigger.presses > 0
    default: return true
    }
  }
}

/// The app with a line above it that shows the demo's time and speed and the keys that change it.
struct PaceView: View {
  private let store: StoreOf<PaceFeature>
  private let app: DebugView

  init(store: StoreOf<PaceFeature>, app: DebugView) {
    self.store = store
    self.app = app
  }

  var body: some View {
    SizeReader { size in
      VStack(spacing: 0) {
        // In a small window the app needs every line.
        if size.rows > AppView.smallest.rows { PaceLine(store: store, columns: size.columns) }
        app.frame(maxWidth: .max, maxHeight: .max, alignment: .topLeading)
      }
      .overlay {
        // Covers the watch status, so that nobody mistakes a demo alert for a real one.
        if size.rows <= AppView.smallest.rows {
          FloatingPanel(alignment: .topTrailing) {
            Text("   DEMO    ").bold().background(.warning)
          }
        }
      }
    }
    .command("+", "Faster", isHidden: true, scope: .global) { store.send(.fasterButtonTapped) }
    .command("-", "Slower", isHidden: true, scope: .global) { store.send(.slowerButtonTapped) }
    .command("0", stopTitle, isHidden: true, scope: .global) { store.send(.stopButtonTapped) }
  }

  private var stopTitle: String { store.isStopped ? "Start the clock" : "Stop the clock" }
}

struct PaceLine: View {
  let store: StoreOf<PaceFeature>
  let columns: Int

  var body: some View {
    HStack(spacing: 2) {
      Text(" Demo").bold().foreground(.accent)
      Text(columns < 80 ? "nothing is sent" : "sample people; nothing is stored or sent")
        .foreground(.dim)
      Spacer()
      Text(clockText).bold()
      HStack(spacing: 1) {
        Text("-").bold().foreground(.accent).onTap { store.send(.slowerButtonTapped) }
        Text(speedText).bold().foreground(store.isStopped ? .warning : .text)
        Text("+").bold().foreground(.accent).onTap { store.send(.fasterButtonTapped) }
      }
      (Text("0").bold().foreground(.accent)
        + Text(store.isStopped ? " start " : " stop ").foreground(.dim))
        .onTap { store.send(.stopButtonTapped) }
    }
    .lineLimit(1).frame(maxWidth: .max).background(.inactiveSelection)
  }

  private var clockText: String {
    let time = store.calendar.time(of: store.now)
    return "\(time.weekdayName) \(time.clock)"
  }

  private var speedText: String { store.isStopped ? "stopped" : "×\(store.actualSpeed)" }
}
