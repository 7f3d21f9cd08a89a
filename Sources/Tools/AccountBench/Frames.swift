import Benching
import Composable
import Domain
import SQLite
import Features
import Glibc
import Terminal

/// The app running in this process, drawn after each event.
@MainActor
private final class OpenApp {
  let session: AppSession
  let host = ViewHost()

  init(_ home: BenchHome) throws {
    let platform = try EmbeddedPlatform(folders: home.folders)
    session = AppSession { platform.install(in: &$0) }
  }

  func draw() { _ = host.render(session.view(), size: Size(columns: 120, rows: 40)) }

  /// Waits until a condition holds, while effects run, and draws.
  func wait(until isSo: (AppSession) -> Bool) async throws {
    while !isSo(session) { try await Task.sleep(for: .milliseconds(1)) }
    draw()
  }

  /// Returns the main thread's cost of a minute that passes.
  func passMinute() -> Cost {
    Cost {
      session.tick()
      draw()
    }
  }

  /// Returns the main thread's cost of a key press and the frame after it.
  func press(_ key: KeyPress) -> Cost {
    Cost {
      _ = host.dispatch(.key(key))
      draw()
    }
  }
}

/// Processor time, which other programs don't affect, and the work done in it.
struct Cost {
  let milliseconds: Double
  /// What the calling thread did; `nil` if all threads worked.
  let work: Work?

  /// Measures the calling thread's cost of some work.
  init(of work: () -> Void) {
    let time = Self.time(CLOCK_THREAD_CPUTIME_ID)
    self.work = Work { work() }
    milliseconds = (Self.time(CLOCK_THREAD_CPUTIME_ID) - time) / 1e6
  }

  /// Measures the cost of some work on all threads, including the store's.
  @MainActor
  init(ofAllThreads work: @MainActor () async throws -> Void) async rethrows {
    let time = Self.time(CLOCK_PROCESS_CPUTIME_ID)
    self.work = nil
    try await work()
    milliseconds = (Self.time(CLOCK_PROCESS_CPUTIME_ID) - time) / 1e6
  }

  /// Returns the time in nanoseconds.
  private static func time(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}

extension Bench {
  /// Prints a row for frames. Each must be in time, so the slowest is compared with the goal.
  func row(_ name: String, _ costs: [Cost]) {
    let work = costs.compactMap(\.work)
    count(name, work)
    let times = costs.map(\.milliseconds).sorted()
    let allocations = work.map(\.allocations).sorted()[work.count / 2]
    row(
      name,
      [figure(times[times.count / 2]), figure(times.last!), figure(16.6), figure(allocations)],
      judged: times.last!, goal: 16.6)
  }

  /// Prints a row for work on all threads, which isn't counted: how often they wait is chance.
  func row(ofAllThreads name: String, _ cost: Cost) {
    let time = figure(cost.milliseconds)
    row(name, [time, time, "–", "–"])
  }
}

/// Makes an event several times: a few times if its work is counted.
@MainActor
private func repeated(_ count: Int, _ measure: () -> Cost) -> [Cost] {
  (0..<(Bench.isCounting ? min(count, 3) : count)).map { _ in measure() }
}

/// Measures the main thread's cost of keys while an alert is on that goes to 100,000 responders.
@MainActor
func measureAlert(of home: BenchHome, _ bench: Bench) async throws {
  bench.table(
    "an alert to 100,000 responders", "median ms", "worst ms", "goal ms", "allocations")
  let app = try OpenApp(home)
  let opening = try await Cost(ofAllThreads: {
    app.session.start()
    try await app.wait { session in
      guard let snapshot = session.snapshot else { return false }
      return snapshot.contacts.count == recipientsOfAlert && !snapshot.alerts.isEmpty
        && snapshot.watch != nil
    }
  })
  bench.row(ofAllThreads: "read the alert (all threads)", opening)
  bench.row("a minute passes", repeated(15) { app.passMinute() })
  for (tab, name) in [
    ("1", "Check-In"), ("2", "Responders"), ("3", "Dependents"), ("4", "Alerts"),
    ("5", "Profile"),
  ] as [(KeyPress, String)] {
    bench.row("open \(name)", [app.press(tab)])
    bench.row("a key on \(name)", repeated(50) { app.press("down") })
  }
  bench.row("open its messages", ["4", "home", "enter"].map { app.press($0) })
  bench.row("scroll them", repeated(50) { app.press("down") })
  bench.row("close them", [app.press("esc")])
  bench.row("open its panel", [app.press("!")])
  bench.row("a key in it", repeated(50) { app.press("down") })
}

/// Measures the main thread's cost of each key. A frame has 16.6 ms.
@MainActor
func measureFrames(of home: BenchHome, _ bench: Bench) async throws {
  bench.table(
    "a key, from the event to the bytes", "median ms", "worst ms", "goal ms", "allocations")
  let app = try OpenApp(home)
  let opening = try await Cost(ofAllThreads: {
    app.session.start()
    try await app.wait { session in
      guard let snapshot = session.snapshot else { return false }
      return !snapshot.contacts.isEmpty && !snapshot.notifications.isEmpty
        && !snapshot.history.isEmpty && snapshot.record.keptSince != nil && snapshot.watch != nil
    }
  })
  bench.row(ofAllThreads: "read all there is (all threads)", opening)
  bench.row("a minute passes", repeated(15) { app.passMinute() })

  for (tab, name) in [("2", "responders"), ("3", "dependents")] as [(KeyPress, String)] {
    bench.row("open the \(name)", [app.press(tab)])
    bench.row("scroll the \(name) by a row", repeated(200) { app.press("down") })
    bench.row("scroll the \(name) by a page", repeated(50) { app.press("pagedown") })
    bench.row("to the end of the \(name) and back", ["end", "home"].map { app.press($0) })
    _ = app.press("/")
    bench.row(
      "each key of a filter of the \(name)", ["a", "d", "a", "l", "o"].map { app.press($0) })
    bench.row(
      "each key that takes that back, for the \(name)", repeated(5) { app.press("backspace") })
    _ = app.press("esc")
  }
  bench.row("each order of the dependents", repeated(6) { app.press("s") })

  bench.row("open the notifications", [app.press("4")])
  bench.row("scroll them by a row", repeated(200) { app.press("down") })
  bench.row("each topic", repeated(12) { app.press("f") })

  bench.row("open the Check-In tab", [app.press("1")])
  bench.row("open the history and the heatmap", [app.press("h")])
  let year = try await Cost(ofAllThreads: {
    try await app.wait { !$0.isReadingHistory }
  })
  bench.row(ofAllThreads: "read the year (all threads)", year)
  bench.row("scroll the year by a row", repeated(200) { app.press("down") })
}
