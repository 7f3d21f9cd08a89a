import AllocationCounter
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

  /// Returns the main thread's cost of a key press and the frame after it.
  func press(_ key: KeyPress) -> Cost {
    Cost {
      _ = host.dispatch(.key(key))
      draw()
    }
  }
}

/// Processor time, which other programs don't affect, and calls to the allocator.
struct Cost {
  var milliseconds: Double
  /// The allocations of the thread that did the work; `nil` if there were several threads.
  var allocations: Int?

  /// Measures the calling thread's cost of some work.
  init(of work: () -> Void) {
    let (time, count) = (Self.time(CLOCK_THREAD_CPUTIME_ID), allocation_count())
    work()
    milliseconds = (Self.time(CLOCK_THREAD_CPUTIME_ID) - time) / 1e6
    allocations = Int(allocation_count() - count)
  }

  /// Measures the cost of some work on all threads, including the store's.
  @MainActor
  init(ofAllThreads work: () async throws -> Void) async rethrows {
    let time = Self.time(CLOCK_PROCESS_CPUTIME_ID)
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

/// Measures the main thread's cost of keys while an alert is on that goes to 100,000 responders.
@MainActor
func measureAlert(of home: BenchHome, _ table: Table) async throws {
  let app = try OpenApp(home)
  let opening = try await Cost(ofAllThreads: {
    app.session.start()
    try await app.wait { session in
      guard let snapshot = session.snapshot else { return false }
      return snapshot.contacts.count == recipientsOfAlert && !snapshot.alerts.isEmpty
        && snapshot.watch != nil
    }
  })
  table.printLine("read the alert (all threads)", [opening], goal: nil)
  table.printLine(
    "a minute passes",
    (0..<15).map { _ in
      Cost {
        app.session.tick()
        app.draw()
      }
    })
  for (tab, name) in [
    ("1", "Check-In"), ("2", "Responders"), ("3", "Dependents"), ("4", "Alerts"),
    ("5", "Profile"),
  ] as [(KeyPress, String)] {
    table.printLine("open \(name)", [app.press(tab)])
    table.printLine("a key there", (0..<50).map { _ in app.press("down") })
  }
  table.printLine("open its messages", ["4", "home", "enter"].map { app.press($0) })
  table.printLine("scroll them", (0..<50).map { _ in app.press("down") })
  table.printLine("close them", [app.press("esc")])
  table.printLine("open its panel", [app.press("!")])
  table.printLine("a key there", (0..<50).map { _ in app.press("down") })
}

/// Measures the main thread's cost of each key. A frame has 16.6 ms.
@MainActor
func measureFrames(of home: BenchHome, _ table: Table) async throws {
  let app = try OpenApp(home)
  let opening = try await Cost(ofAllThreads: {
    app.session.start()
    try await app.wait { session in
      guard let snapshot = session.snapshot else { return false }
      return !snapshot.contacts.isEmpty && !snapshot.notifications.isEmpty
        && !snapshot.history.isEmpty && snapshot.record.keptSince != nil && snapshot.watch != nil
    }
  })
  table.printLine("read all there is (all threads)", [opening], goal: nil)
  table.printLine(
    "a minute passes",
    (0..<15).map { _ in
      Cost {
        app.session.tick()
        app.draw()
      }
    })

  for (tab, name) in [("2", "responders"), ("3", "dependents")] as [(KeyPress, String)] {
    table.printLine("open the \(name)", [app.press(tab)])
    table.printLine("scroll the \(name) by a row", (0..<200).map { _ in app.press("down") })
    table.printLine("scroll the \(name) by a page", (0..<50).map { _ in app.press("pagedown") })
    table.printLine("to their end and back", ["end", "home"].map { app.press($0) })
    _ = app.press("/")
    table.printLine("each key of a filter", ["a", "d", "a", "l", "o"].map { app.press($0) })
    table.printLine(
      "each key that takes it back", (0..<5).map { _ in app.press("backspace") })
    _ = app.press("esc")
  }
  table.printLine("each order of the dependents", (0..<6).map { _ in app.press("s") })

  table.printLine("open the notifications", [app.press("4")])
  table.printLine("scroll them by a row", (0..<200).map { _ in app.press("down") })
  table.printLine("each topic", (0..<12).map { _ in app.press("f") })

  table.printLine("open the Check-In tab", [app.press("1")])
  table.printLine("open the history and the heatmap", [app.press("h")])
  let year = try await Cost(ofAllThreads: {
    try await app.wait { !$0.isReadingHistory }
  })
  table.printLine("read the year (all threads)", [year], goal: nil)
  table.printLine("scroll the year by a row", (0..<200).map { _ in app.press("down") })
}
