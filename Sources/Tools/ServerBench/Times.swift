import FoundationEssentials
@preconcurrency import Glibc
import ServerTesting
import Synchronization

/// Durations of many operations, in milliseconds.
final class Times: Sendable {
  private let times = Mutex<[Double]>([])
  var count: Int { times.withLock { $0.count } }
  func add(_ time: Duration) { times.withLock { $0.append(time / .milliseconds(1)) } }
  func percentile(_ part: Double) -> Double {
    times.withLock { times in
      guard !times.isEmpty else { return 0 }
      return times.sorted()[min(times.count - 1, Int(Double(times.count) * part))]
    }
  }
}

extension [Double] {
  var median: Double { isEmpty ? 0 : sorted()[count / 2] }
}

func tenths(_ number: Double) -> Double { (number * 10).rounded() / 10 }

func note(_ text: String) { fputs(text + "\n", stderr) }

/// Returns the resident memory of this process, in bytes.
func residentMemory() -> Int {
  let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
  return (Int(text.split(separator: " ").dropFirst().first ?? "0") ?? 0) * 4_096
}

// MARK: Requests

func changes(_ token: String, after known: String) -> Data {
  RawHTTP.text("GET", "/v1/changes?after=\(known)", headers: ["Authorization": "Bearer \(token)"])
}

func lastChange(_ connection: RawHTTP.Connection, _ token: String) throws -> String {
  try connection.send(
    RawHTTP.text("GET", "/v1/changes", headers: ["Authorization": "Bearer \(token)"]))
  return try lastChange(from: connection)
}

func lastChange(from connection: RawHTTP.Connection) throws -> String {
  let answer = try connection.receive()
  guard let known = try? JSONDecoder().decode([String: String].self, from: answer.body)["after"]
  else {
    throw RawHTTP.Failure(reason: "\(answer.status) \(answer.text)")
  }
  return known
}

func post(_ connection: RawHTTP.Connection, _ path: String, _ body: String, _ token: String) throws
{
  try connection.send(
    RawHTTP.text(
      "POST", path,
      headers: [
        "Authorization": "Bearer \(token)", "Idempotency-Key": UUID().uuidString,
      ], body: Data(body.utf8)))
}

// MARK: Check-ins

/// Makes check-ins of random people over several connections for some seconds.
/// - Returns: The check-ins per second.
func checkIns(
  port: Int, connections: Int, seconds: Int, people: [String], _ times: Times
) async throws -> Double {
  let clock = ContinuousClock()
  let start = clock.now
  try await withThrowingTaskGroup(of: Void.self) { group in
    for _ in 0..<connections {
      group.addTask {
        try await RawHTTP.blocking {
          let connection = try RawHTTP.Connection(port: port)
          while clock.now < start + .seconds(seconds) {
            let begin = clock.now
            try post(
              connection, "/v1/check-ins", #"{"source":"manual"}"#, people.randomElement()!)
            let answer = try connection.receive()
            // 503 asks to retry after too many conflicts; such an answer is not a check-in.
            if answer.status == 503 { continue }
            guard answer.status == 200 else { throw RawHTTP.Failure(reason: answer.text) }
            times.add(begin.duration(to: clock.now))
          }
        }
      }
    }
    try await group.waitForAll()
  }
  return Double(times.count) / (start.duration(to: clock.now) / .seconds(1))
}
