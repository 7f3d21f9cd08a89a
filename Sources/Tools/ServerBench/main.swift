import Clients
import struct Composable.DependencyValues
import Cryptography
import Domain
import FoundationEssentials
@preconcurrency import Glibc
import Monitor
import SQLite
import Server
import ServerProtocol
import ServerTesting
import Store
import Synchronization
import Web

// ServerBench [ACCOUNTS [SECONDS [DEVICES]]]: how much a server does on this machine, with SQLite in a temporary
// folder on its disk. The load comes from the same process, over real connections. It ends with one line of JSON.

let words = CommandLine.arguments.dropFirst().compactMap { Int($0) }
let accounts = words.first ?? 1_000
let seconds = words.count > 1 ? words[1] : 4
/// Each takes two files of this process, of which so many may be open.
let devices = words.count > 2 ? words[2] : 9_500

func note(_ text: String) { fputs(text + "\n", stderr) }

/// How long each of many things took, in milliseconds.
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

/// Memory of this process, in bytes.
func residentMemory() -> Int {
  let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
  return (Int(text.split(separator: " ").dropFirst().first ?? "0") ?? 0) * 4_096
}

let folder = FileManager.default.temporaryDirectory.path + "/lifesignal-bench-\(getpid())"
let store = ServerStore(
  lanes: [try EmbeddedPlatform.openLane(folders: Folders(server: folder), now: { Date() })],
  hashing: .minimal)
let server = Server(
  store,
  ServerSettings(url: "http://127.0.0.1", host: "127.0.0.1", port: 0, registration: .open))
let web = try server.listen(patience: .seconds(600), connectionsPerClient: 0)
let port = web.port

func clients(_ session: RemoteSession) -> DependencyValues {
  var values = DependencyValues()
  StoreClients(
    store.lanes[0], session: session, makeUUID: ServerStore.randomUUID, hashing: .minimal,
    startMonitor: { (_: Bool) async throws(StorageError) in }
  ).install(in: &values)
  return values
}

note("\(accounts) accounts")
var tokens: [String] = []
for number in 0..<accounts {
  let session = RemoteSession(token: nil, device: "bench", door: .open)
  _ = try await clients(session).authClient.createAccount(
    NewAccount(
      profile: Profile(name: "Person"),
      credentials: Credentials(email: "p\(number)@example.org", password: Secret("a password"))))
  tokens.append(session.heldToken!)
}
let people = tokens

/// Does something on so many connections or tasks at once, again and again.
/// - Returns: How often in a second.
func rate(
  _ parallel: Int, _ times: Times,
  _ body: @escaping @Sendable (Int) async throws -> () async throws -> Void
)
  async throws -> Double
{
  let clock = ContinuousClock()
  let end = clock.now + .seconds(seconds)
  let start = clock.now
  try await withThrowingTaskGroup(of: Void.self) { group in
    for number in 0..<parallel {
      group.addTask {
        let step = try await body(number)
        while clock.now < end {
          let begin = clock.now
          try await step()
          times.add(begin.duration(to: clock.now))
        }
      }
    }
    try await group.waitForAll()
  }
  return Double(times.count) / (start.duration(to: clock.now) / .seconds(1))
}

// MARK: Check-ins

note("check-ins without HTTP")
let floorTimes = Times()
let floorRate = try await rate(8, floorTimes) { _ in
  {
    _ = try await clients(RemoteSession(token: people.randomElement()!, device: "")).checkInClient
      .checkIn(.manual)
  }
}

note("check-ins over HTTP")
let httpTimes = Times()
let clock = ContinuousClock()
let httpEnd = clock.now + .seconds(seconds)
let httpStart = clock.now
try await withThrowingTaskGroup(of: Void.self) { group in
  for _ in 0..<8 {
    group.addTask {
      try await RawHTTP.blocking {
        let connection = try RawHTTP.Connection(port: port)
        while clock.now < httpEnd {
          let begin = clock.now
          try connection.send(
            RawHTTP.text(
              "POST", "/v1/check-ins",
              headers: [
                "Authorization": "Bearer \(people.randomElement()!)",
                "Idempotency-Key": UUID().uuidString,
              ], body: Data(#"{"source":"manual"}"#.utf8)))
          let answer = try connection.receive()
          guard answer.status == 200 else { throw RawHTTP.Failure(reason: answer.text) }
          httpTimes.add(begin.duration(to: clock.now))
        }
      }
    }
  }
  try await group.waitForAll()
}
let httpRate = Double(httpTimes.count) / (httpStart.duration(to: clock.now) / .seconds(1))

// MARK: Devices that wait

func changes(_ token: String, after number: Int) -> Data {
  RawHTTP.text("GET", "/v1/changes?after=\(number)", headers: ["Authorization": "Bearer \(token)"])
}

func last(_ connection: RawHTTP.Connection, _ token: String) throws -> Int {
  try connection.send(
    RawHTTP.text("GET", "/v1/changes", headers: ["Authorization": "Bearer \(token)"]))
  return try JSONDecoder().decode([String: Int].self, from: connection.receive().body)["after"] ?? 0
}

note("\(devices) waiting devices")
// Each connection is two files of this process.
let before = residentMemory()
var waiting: [RawHTTP.Connection] = []
let known = try last(RawHTTP.Connection(port: port), people[0])
for number in 0..<devices {
  guard let connection = try? RawHTTP.Connection(port: port) else { break }
  try connection.send(changes(people[number % people.count], after: known))
  waiting.append(connection)
}
for _ in 0..<200 where server.waitingDevices < waiting.count {
  try await Task.sleep(for: .milliseconds(50))
}
let held = server.waitingDevices
let bytes = held == 0 ? 0 : (residentMemory() - before) / held
note("\(held) wait")

// MARK: From an alert to a device

note("alerts")
let alertTimes = Times()
let ada = clients(RemoteSession(token: people[0], device: ""))
let bo = clients(RemoteSession(token: people[1], device: ""))
let relation = try await bo.contactsClient.request(
  try await ada.userClient.currentUser().code, .dependent)
_ = try await ada.contactsClient.accept(relation.id)
let device = try RawHTTP.Connection(port: port)
let own = try RawHTTP.Connection(port: port)
for _ in 0..<100 {
  let known = try last(device, people[1])
  try device.send(changes(people[1], after: known))
  try await Task.sleep(for: .milliseconds(5))
  let begin = clock.now
  try own.send(
    RawHTTP.text(
      "POST", "/v1/alerts",
      headers: ["Authorization": "Bearer \(people[0])", "Idempotency-Key": UUID().uuidString],
      body: Data(#"{"message":""}"#.utf8)))
  _ = try await RawHTTP.blocking { try device.receive() }
  alertTimes.add(begin.duration(to: clock.now))
  _ = try await RawHTTP.blocking { try own.receive() }
  _ = try await ada.alertClient.cancel(nil)
}
waiting = []

// MARK: Monitors

var claims: [String] = []
for monitors in [1, 2, 4] {
  note("\(monitors) monitors")
  let anybody = clients(RemoteSession(token: nil, device: ""))
  for number in 0..<accounts {
    try await anybody.authClient.sendPasswordReset("p\(number)@example.org")
  }
  note("\(try await store.administration.statistics().waitingDeliveries) messages")
  // Each has the file open by itself, as processes have.
  let stores = try (0..<monitors).map { _ in
    var values = DependencyValues()
    StoreClients(
      try EmbeddedPlatform.openLane(folders: Folders(server: folder), now: { Date() }),
      session: RemoteSession(token: nil, device: ""), makeUUID: ServerStore.randomUUID,
      hashing: .minimal,
      startMonitor: { (_: Bool) async throws(StorageError) in }
    ).install(in: &values)
    return values.monitorClient
  }
  // Nothing is sent for an account before its plan.
  while true {
    let due = try await stores[0].due(Date(), 100)
    if due.isEmpty { break }
    let now = Date()
    let plans = due.map {
      AccountPlan(
        account: $0.user.id, revision: $0.revision,
        plan: Planner.plan($0, now: now, makeID: ServerStore.randomUUID))
    }
    _ = try await stores[0].apply(plans, now)
  }
  let start = clock.now
  let sent = try await withThrowingTaskGroup(of: Int.self) { group in
    for monitor in stores {
      group.addTask {
        var sent = 0
        while true {
          let claimed = try await monitor.claim(Date(), .seconds(90), ClaimRequest(limit: 8))
          if claimed.isEmpty { return sent }
          for delivery in claimed {
            _ = try await monitor.record(delivery.id, delivery.token, .sent, nil, Date())
          }
          sent += claimed.count
        }
      }
    }
    var sum = 0
    for try await part in group { sum += part }
    return sum
  }
  claims.append("\(Int(Double(sent) / (start.duration(to: clock.now) / .seconds(1))))")
}

func tenths(_ number: Double) -> Double { (number * 10).rounded() / 10 }
print(
  """
  {"check_ins_per_second": \(Int(httpRate)), "floor_check_ins_per_second": \(Int(floorRate)), \
  "p99_ms_at_8": \(tenths(httpTimes.percentile(0.99))), "bytes_per_waiting_device": \(bytes), \
  "waiting_devices": \(held), "alert_p99_ms": \(tenths(alertTimes.percentile(0.99))), \
  "claims_per_second": [\(claims.joined(separator: ", "))], "store": "sqlite"}
  """)
try? FileManager.default.removeItem(atPath: folder)
exit(0)
