import Clients
import Composable
import Domain
import Features
import FoundationEssentials
import InMemoryPlatform
import Terminal

/// A screen that `demo --frame` prints.
enum DemoScreen: String, CaseIterable {
  case checkIn = "check-in"
  case responders, dependents, alerts, profile, onboarding, emergency

  /// Brings the app to the screen by the actions that a person would cause.
  @MainActor func open(in store: StoreOf<AppFeature>) {
    switch self {
    case .checkIn, .onboarding: break
    case .responders: store.send(.main(.tabSelected(.responders)))
    case .dependents: store.send(.main(.tabSelected(.dependents)))
    case .alerts: store.send(.main(.tabSelected(.alerts)))
    case .profile: store.send(.main(.tabSelected(.profile)))
    case .emergency:
      for _ in 0..<AlertTrigger.pressesNeeded {
        store.send(.main(.emergency(.emergencyKeyPressed)))
      }
    }
  }
}

/// `lifesignal demo --frame`: a picture of one screen with sample people at a fixed time.
struct DemoFrame {
  var screen: DemoScreen
  var size: Size
  var format: String
  var appearance: Appearance

  /// The time that every picture shows, so that it is the same every day.
  static let now = Date(timeIntervalSince1970: 1_795_260_180)

  init(_ arguments: ParsedArguments, screen: String) throws(UsageError) {
    self.screen = DemoScreen(rawValue: screen)!
    format = arguments.value("format") ?? "text"
    appearance = Appearance(arguments)
    let parts = (arguments.value("size") ?? "80x24").split(separator: "x").map { Int($0) }
    guard parts.count == 2, let columns = parts[0], let rows = parts[1],
      (1...500).contains(columns), (1...200).contains(rows)
    else {
      throw UsageError(
        message: "--size: write it like 80x24, at most 500x200.", command: "demo")
    }
    size = Size(columns: columns, rows: rows)
  }

  /// The picture in the format asked for.
  @MainActor func render() async -> String {
    let platform = InMemoryPlatform.demo(now: { Self.now })
    let store = Store(initialState: AppFeature.State()) {
      AppFeature()
    } withDependencies: {
      platform.install(in: &$0)
      $0.dateClient = .constant(Self.now)
      // Its timers never fire: a picture stands still.
      $0.continuousClock = TimelessClock()
      if screen == .onboarding {
        $0.authClient.currentUserID = { () async throws(AuthError) in nil }
      }
    }
    let isReady = store.values(of: { $0.onboarding != nil || $0.main?.snapshot.isComplete == true })
    store.send(.started)
    for await isReady in isReady where isReady { break }
    screen.open(in: store)
    let depth = appearance.colorDepth ?? .trueColor
    let host = ViewHost(theme: appearance.theme(isDark: true, depth: depth), colorDepth: depth)
    let frame = host.frame(AppView(store: store), size: size)
    switch format {
    case "svg": return frame.svg(title: "LifeSignal")
    case "ansi": return frame.ansiText(colorDepth: depth)
    default: return frame.text
    }
  }
}

/// A clock on which every sleep lasts for ever.
private struct TimelessClock: Clock {
  typealias Instant = ContinuousClock.Instant
  var now: Instant { ContinuousClock.now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let never = AsyncStream<Never> { _ in }
    for await _ in never {}
    try Task.checkCancellation()
  }
}

extension AccountSnapshot {
  /// Whether every part of the sample account has arrived.
  fileprivate var isComplete: Bool {
    watch != nil && !contacts.isEmpty && !history.isEmpty && !alerts.isEmpty
  }
}
