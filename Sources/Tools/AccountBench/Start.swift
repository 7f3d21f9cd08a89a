import Glibc
import Terminal
import TerminalTesting

/// What stands on the first screen once each of its parts has been read: who would be notified, the last
/// check-ins, the year's figures, and what is unread.
private let complete = [
  "\(Account.responders) responders are notified", "manual", "median margin", "Alerts 100",
]

/// From the start of the program to the last byte of a frame that lacks nothing, and what it takes of
/// the memory.
func measureStart(of home: BenchHome, _ table: Table) throws {
  for isCold in [false, true] {
    var times: [Double] = []
    var memory: [Double] = []
    for run in 0...15 {
      if isCold { home.cool() }
      let start = ContinuousClock.now
      let app = try home.open()
      try app.wait { screen in complete.allSatisfy { screen.contains($0) } }
      let time = start.duration(to: .now) / .milliseconds(1)
      // The first is not counted: it may find nothing in the caches.
      if run > 0 { times.append(time) }
      // What is read beside it, such as the year's record, counts for the memory.
      settle(app)
      memory.append(peakMemory(of: app.process))
      app.press("q")
      try app.waitForExit()
    }
    table.printLine(
      isCold ? "start, nothing in the cache of files" : "start to the first complete frame",
      times, goal: isCold ? nil : 50)
    if !isCold { table.printLine("largest resident set, MiB", memory, goal: nil) }
  }
}

/// Keys that are pressed in the running program: how long after each the last byte of the answer
/// comes. It includes both ways through the pseudo-terminal.
func measureKeys(of home: BenchHome, _ table: Table) throws {
  let app = try home.open()
  try app.wait { $0.contains("are notified") }
  settle(app)
  for (name, setUp, keys) in [
    ("a key of a scroll through the responders", "2", String(repeating: "j", count: 60)),
    ("a key of a filter", "/", "lovelace"),
  ] {
    app.send(setUp)
    settle(app)
    table.printLine(name, keys.map { answerTime(of: app, to: $0) }, goal: 16.6)
  }
}

/// The time to the last byte of the answer to a key, in milliseconds.
private func answerTime(of app: PTY, to key: Character) -> Double {
  let start = ContinuousClock.now
  app.send(String(key))
  return start.duration(to: settle(app)) / .milliseconds(1)
}

/// Reads until nothing has come for a while.
/// - Returns: When the last bytes came.
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
