import Clients
import Composable
import Domain
import SQLite
import FoundationEssentials
@preconcurrency import Glibc
import Monitor
import Synchronization

// MonitorBench [FOLDER [PEOPLE [OVERDUE]]]: measures how the monitor's work grows with the number
// of people in a store.
//
// A wake is the time from waking until the first messages are being sent: reading who is due,
// planning, writing the plans, claiming. Beside the elapsed time it prints the processor time,
// which other programs hardly affect, and the longest time that a write kept others waiting.

/// Counts messages, and how many were being sent at once.
final class Carried: Sendable {
  private let contents = Mutex((running: 0, most: 0, count: 0))
  var most: Int { contents.withLock { $0.most } }
  var count: Int { contents.withLock { $0.count } }

  /// Returns a service that accepts each message after a pause.
  func deliveryService(_ pause: Duration) -> DeliveryService {
    DeliveryService { [self] _ in
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

/// Returns the peak memory of this process, in megabytes.
func peakMemory() -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
  return (Int(line.filter(\.isNumber)) ?? 0) / 1_024
}

/// Measures one round over a store: plans what is due, and delivers it to a server that accepts
/// everything at once.
func measure(people: Int, overdue: Int, folder: String) async throws {
  let population = try await Population(people: people, overdue: overdue, folder: folder)
  let now = population.now
  let platform = try EmbeddedPlatform(folders: population.folders, now: { now })
  let clients = DependencyValues(platform.install)
  let stopwatch = Stopwatch()
  let carried = Carried()
  let store = stopwatch.store(clients.monitorClient)
  let loop = MonitorLoop(
    id: UUID(), store: store, deliveryService: carried.deliveryService(.zero),
    dateClient: .constant(now), clock: ContinuousClock(),
    random: WithRandomNumberGenerator(SystemRandomNumberGenerator()))
  let start = Moment.now
  _ = await loop.runOnce()
  let round = ContinuousClock.now - start.clock
  // A wake ends when the first messages are being sent.
  let wake = stopwatch["claim"].firstEnd ?? start
  let idle = ContinuousClock.now
  _ = try await clients.monitorClient.due(now, 100)
  _ = try await clients.monitorClient.nextWake()
  let idleTime = ContinuousClock.now - idle
  var inspection = (pieces: 0, longest: Duration.zero, all: Duration.zero)
  var isLast = false
  while !isLast {
    let begun = ContinuousClock.now
    let answer = try await clients.upkeepClient.inspect(now)
    let taken = ContinuousClock.now - begun
    inspection.pieces += 1
    inspection.all += taken
    inspection.longest = max(inspection.longest, taken)
    switch answer {
    case .whole(let isEnd): isLast = isEnd
    case .rebuilt(let fault), .damaged(let fault): fatalError(fault)
    }
  }
  print(
    cell(Double(people), 9, 0) + cell(Double(carried.count), 8, 0)
      + cell((wake.clock - start.clock).milliseconds, 9)
      + cell((wake.work - start.work).milliseconds, 10)
      + cell(stopwatch["apply"].longest.milliseconds, 10)
      + cell(stopwatch["claim"].mean.milliseconds, 10, 2)
      + cell(stopwatch["record"].mean.milliseconds, 10, 2)
      + cell(round.milliseconds, 12) + cell(idleTime.milliseconds, 10, 2)
      + cell(Double(carried.most), 9, 0) + cell(Double(peakMemory()), 8, 0)
      + cell(Double(inspection.pieces), 8, 0) + cell(inspection.longest.milliseconds, 10, 1)
      + cell(inspection.all / .seconds(1), 10, 1))
}

setvbuf(stdout, nil, _IOLBF, 0)
let arguments = CommandLine.arguments.dropFirst()
let parent = arguments.first ?? FileManager.default.temporaryDirectory.path
let numbers = arguments.dropFirst().compactMap { Int($0) }
let cases: [(people: Int, overdue: Int)] =
  if let people = numbers.first {
    [(people, numbers.dropFirst().first ?? 100)]
  } else {
    [(1_000, 100), (10_000, 100), (100_000, 100), (1_000_000, 100), (10_000, 10_000)]
  }
print(
  "   people     due  wake ms   work ms  longest   claim ms record ms    round ms   idle ms  at once      MB  pieces  longest ms  all s"
)
for (people, overdue) in cases {
  let folder = "\(parent)/monitor-bench-\(getpid())-\(people)-\(overdue)"
  defer { try? FileManager.default.removeItem(atPath: folder) }
  try await measure(people: people, overdue: overdue, folder: folder)
}
