import ComposableTesting
import Foundation
import Terminal
import TerminalTesting
import Testing

@testable import ProcessMonitor

@MainActor @Suite struct MonitorTests {
  @Test(arguments: ["sh", "tmux: server", ") R (x", "", "\u{301}x", "a\nb", "(sd-pam)"])
  func aProcessCanHaveAnyName(name: String) {
    let process = Snapshot.Process(line: line(id: 42, name: name))
    #expect(process == .init(id: 42, name: name, time: 12, bytes: 3 * Int(getpagesize())))
  }

  @Test(arguments: ["", "42", "42 (sh", "42 (sh) S 1 1", ") 42 (", "x (sh) S"])
  func aLineThatIsNotWholeIsNoProcess(line: String) {
    #expect(Snapshot.Process(line: line) == nil)
  }

  @Test func aSnapshotOfThisMachineHasThisProcess() {
    let snapshot = Snapshot.read()
    #expect(snapshot.totalTime > snapshot.busyTime)
    #expect((0...1).contains(snapshot.memory))
    #expect(snapshot.processes.contains { $0.id == Int(getpid()) })
  }

  @Test func everySecondTheBusiestProcessesComeFirst() async {
    let clock = TestClock()
    let monitor = Monitor()
    var snapshots = [Self.first, Self.second]
    var frames = 0
    let task = Task {
      await monitor.run(clock: clock, read: { snapshots.removeFirst() }) { frames += 1 }
    }
    await clock.waitForSleeps()
    #expect(monitor.rows.map(\.process.name) == ["daemon", "init", "sleep"])
    #expect(monitor.processor == [])
    await clock.advance(by: .seconds(1))
    await clock.waitForSleeps()
    // Number 2 has ended, number 3 was given to another process, and number 4 has begun.
    #expect(monitor.rows.map(\.process.name) == ["init", "top", "sh"])
    #expect(monitor.rows.map(\.share) == [0.25, 0, 0])
    #expect(monitor.processor == [0.5])
    #expect(monitor.memory == [0.25, 0.5])
    #expect(frames == 2)
    task.cancel()
    await task.value
  }

  @Test func aNameCannotControlTheTerminal() {
    let row = ProcessRow(process: Self.process(7, "\u{1B}[31mred\n\u{7}x"), share: 0.125)
    let lines = FrameSnapshot.lines(of: row, size: Size(columns: 50, rows: 1))
    #expect(lines == ["      7   12.5 %      0 MiB  ␛[31mred…"])
  }

  /// `RECORD_SNAPSHOTS=1 swift test` writes the picture again.
  @Test func thePictureInTheReadmeIsCurrent() throws {
    let monitor = Monitor()
    var snapshot = Snapshot(totalTime: 1, memory: 0.45, processes: Self.compilation)
    for second in 0..<90 {
      monitor.show(snapshot)
      let load = max(2, 45 + 40 * sin(Double(second) / 9) + 12 * sin(Double(second) / 2))
      snapshot.totalTime += 1000
      snapshot.busyTime += Int(10 * load)
      snapshot.memory += 0.01 * sin(Double(second) / 9 - 1)
      for place in snapshot.processes.indices {
        snapshot.processes[place].time += Int(10 * load) * 3 / (4 << (2 * place))
      }
    }
    let view = MonitorView(monitor: monitor) {}
    let picture = FrameSnapshot.frame(of: view, size: Size(columns: 80, rows: 20))
      .svg(title: "Processes", description: ViewHost().spokenLines(of: view))
    let file = URL(filePath: #filePath)
      .appending(path: "../../../../../pictures/examples/processes.svg").standardizedFileURL
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
      try picture.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == picture)
  }

  private static let compilation = [
    process(31_337, "swift-frontend", bytes: 912 << 20),
    process(31_330, "swift-build", bytes: 128 << 20),
    process(812, "postgres: checkpointer", bytes: 54 << 20), process(790, "sshd", bytes: 9 << 20),
    process(2_204, "tmux: server", bytes: 7 << 20), process(1, "systemd", bytes: 13 << 20),
    process(1_655, "(sd-pam)", bytes: 5 << 20), process(655, "cron", bytes: 3 << 20),
  ]

  private static let first = Snapshot(
    busyTime: 100, totalTime: 1000, memory: 0.25,
    processes: [
      process(1, "init", time: 10, bytes: 20), process(2, "sleep", bytes: 10),
      process(3, "daemon", time: 90, bytes: 30),
    ])
  private static let second = Snapshot(
    busyTime: 150, totalTime: 1100, memory: 0.5,
    processes: [
      process(1, "init", time: 35), process(3, "top", bytes: 200), process(4, "sh", bytes: 100),
    ])

  private static func process(
    _ id: Int, _ name: String, time: Int = 0, bytes: Int = 0
  ) -> Snapshot.Process {
    Snapshot.Process(id: id, name: name, time: time, bytes: bytes)
  }

  private func line(id: Int, name: String) -> String {
    "\(id) (\(name)) S 1 1 1 0 -1 4194304 1 1 1 1 7 5 1 1 20 0 1 0 100 12345 3 18446744073709551615"
  }
}
