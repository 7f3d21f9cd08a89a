import Clients
import Composable
import Domain
import EmbeddedPlatform
import FoundationEssentials
@preconcurrency import Glibc
import Monitor
import Synchronization

// MonitorBench [FOLDER]: how the monitor's work grows with the people in a store.

/// How many messages were on their way at once.
final class Carried: Sendable {
  private let contents = Mutex((running: 0, most: 0, count: 0))
  var most: Int { contents.withLock { $0.most } }
  var count: Int { contents.withLock { $0.count } }

  /// Takes each message after a while.
  func courier(_ pause: Duration) -> Courier {
    Courier { [self] _ in
      contents.withLock {
        $0.running += 1
        $0.count += 1
        $0.most = max($0.most, $0.running)
      }
      try? await Task.sleep(for: pause)
      contents.withLock { $0.running -= 1 }
      return .sent
    }
  }
}

extension Duration {
  var milliseconds: Double { self / .milliseconds(1) }
}

func cell(_ number: Double, _ width: Int, _ digits: Int = 1) -> String {
  let factor = digits == 0 ? 1.0 : digits == 1 ? 10 : 100
  let value = (number * factor).rounded() / factor
  let text = digits == 0 ? "\(Int(value))" : "\(value)"
  return String(repeating: " ", count: max(1, width - text.count)) + text
}

/// The most memory that this process has had, in megabytes.
func peakMemory() -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
  return (Int(line.filter(\.isNumber)) ?? 0) / 1_024
}

/// One round over a store: plans what is due, and hands it to a server that takes all at once.
func measure(people: Int, overdue: Int, folder: String) async throws {
  let population = try await Population(people: people, overdue: overdue, folder: folder)
  let now = population.now
  var clients = DependencyValues()
  try EmbeddedPlatform(folders: population.folders, now: { now }).install(in: &clients)
  let stopwatch = Stopwatch()
  let carried = Carried()
  let store = stopwatch.store(clients.monitorClient)
  let loop = MonitorLoop(
    id: UUID(), store: store, courier: carried.courier(.zero),
    dateClient: .constant(now), clock: ContinuousClock(),
    random: WithRandomNumberGenerator(SystemRandomNumberGenerator()))
  let start = ContinuousClock.now
  _ = await loop.runOnce()
  let round = ContinuousClock.now - start
  let (due, apply, claim, record) = (
    stopwatch["due"], stopwatch["apply"], stopwatch["claim"], stopwatch["record"]
  )
  let plan = due.total + apply.total
  let idle = ContinuousClock.now
  _ = try await clients.monitorClient.due(now, 100)
  _ = try await clients.monitorClient.nextWake()
  let idleTime = ContinuousClock.now - idle
  print(
    cell(Double(people), 9, 0) + cell(Double(carried.count), 8, 0)
      + cell(plan.milliseconds, 11)
      + cell(apply.total.milliseconds / Double(max(1, apply.count)), 10, 2)
      + cell(claim.total.milliseconds / Double(max(1, claim.count)), 10, 2)
      + cell(record.total.milliseconds / Double(max(1, record.count)), 10, 2)
      + cell(round.milliseconds, 12) + cell(idleTime.milliseconds, 10, 2)
      + cell(Double(carried.most), 9, 0) + cell(Double(peakMemory()), 8, 0))
}

setvbuf(stdout, nil, _IOLBF, 0)
let arguments = CommandLine.arguments.dropFirst()
let parent = arguments.first ?? FileManager.default.temporaryDirectory.path
let sizes =
  arguments.dropFirst().first.map { [Int($0) ?? 1_000] } ?? [1_000, 10_000, 100_000, 1_000_000]
print(
  "   people     due    plan ms  apply ms  claim ms record ms    round ms   idle ms  at once      MB"
)
for (people, overdue) in sizes.map({ ($0, 100) }) + [(10_000, 10_000)] {
  let folder = "\(parent)/monitor-bench-\(getpid())-\(people)-\(overdue)"
  defer { try? FileManager.default.removeItem(atPath: folder) }
  try await measure(people: people, overdue: overdue, folder: folder)
}
