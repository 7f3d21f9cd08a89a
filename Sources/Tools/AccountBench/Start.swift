import Benching
import Glibc
import Terminal
import TerminalTesting

/// Texts on the first screen once all of its parts are loaded: the number of responders, the last
/// check-ins, the year's figures, and the unread notifications.
private let complete = [
  "\(Account.responders) responders are notified", "manual", "usually", "Alerts 100",
]

/// Measures the time from the program's start to the last byte of a complete frame, and its memory.
@MainActor
func measureStart(of home: BenchHome, _ bench: Bench) throws {
  for isCold in [false, true] {
    var times: [Double] = []
    var memory: [Double] = []
    for run in 0...15 {
      if isCold { home.cool() }
      let start = ContinuousClock.now
      let app = try home.open()
      try app.wait { screen in complete.allSatisfy { screen.contains($0) } }
      let time = start.duration(to: .now) / .milliseconds(1)
      // The first run doesn't count: it may find cold caches.
      if run > 0 { times.append(time) }
      // Data loaded in the background, such as the year's record, counts as memory.
      settle(app)
      memory.append(peakMemory(of: app.process))
      app.press("q")
      try app.waitForExit()
    }
    bench.row(
      isCold
        ? "start, with neither program nor store in the file cache"
        : "start to the first complete frame",
      times, goal: isCold ? nil : 50)
    if !isCold { bench.row("largest resident set, MiB", memory, goal: nil) }
  }
}

/// Measures how long after each key the last byte of the response arrives, including both ways
/// through the pseudo-terminal.
@MainActor
func measureKeys(of home: BenchHome, _ bench: Bench) throws {
  let app = try home.open()
  try app.wait { $0.contains("are notified") }
  settle(app)
  for (name, setUp, keys) in [
    ("a scroll key, to the last byte of the answer", "2", String(repeating: "j", count: 60)),
    ("a filter key, to the last byte of the answer", "/", "lovelace"),
  ] {
    app.send(setUp)
    settle(app)
    bench.row(name, keys.map { answerTime(of: app, to: $0) }, goal: 16.6)
  }
}

extension Bench {
  /// Prints a row for repeated measurements, and compares their median with the goal.
  func row(_ name: String, _ values: [Double], goal: Double?) {
    let sorted = values.sorted()
    let median = sorted[sorted.count / 2]
    row(
      name, [figure(median), figure(sorted.last!), goal.map(figure) ?? "–"], judged: median,
      goal: goal)
  }
}

/// Returns the time to the last byte of the response to a key, in milliseconds.
private func answerTime(of app: PTY, to key: Character) -> Double {
  let start = ContinuousClock.now
  app.send(String(key))
  return start.duration(to: settle(app)) / .milliseconds(1)
}

/// Reads until nothing has arrived for a while.
/// - Returns: When the last bytes arrived.
@discardableResult
private func settle(_ app: PTY) -> ContinuousClock.Instant {
  var last = ContinuousClock.now
  while last.duration(to: .now) < .milliseconds(100) {
    let count = app.output.count
    app.read(milliseconds: 20)
    if app.output.count > count { last = .now }
  }
  return last
}

private func peakMemory(of process: pid_t) -> Double {
  guard let file = fopen("/proc/\(process)/status", "r") else { return 0 }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 256)
  while fgets(&line, Int32(line.count), file) != nil {
    let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    if text.hasPrefix("VmHWM:") { return (Double(text.filter(\.isNumber)) ?? 0) / 1_024 }
  }
  return 0
}
