import Clients
import struct Composable.DependencyValues
import Cryptography
import Domain
import FoundationEssentials
@preconcurrency import Glibc
import PostgresTesting
import Server
import ServerProtocol
import ServerTesting
import Store
import Web

// ServerBench [sqlite|postgresql] [ACCOUNTS [SECONDS [DEVICES]]]: measures how much load a server
// handles on this machine. By default it measures PostgreSQL if that is installed, otherwise
// SQLite; both on this machine's disk. The load comes from the same machine, over real connections.
// The last line of output is JSON.

if CommandLine.arguments.dropFirst().first == "hold" {
  let words = CommandLine.arguments
  Devices.hold(port: Int(words[2])!, count: Int(words[3])!, after: words[4])
  exit(0)
}

let engine =
  CommandLine.arguments.compactMap { BenchStore.Engine(rawValue: $0) }.first
  ?? (PostgresServer.programs == nil ? .sqlite : .postgresql)
let words = CommandLine.arguments.dropFirst().compactMap { Int($0) }
let accounts = words.first ?? 1_000
let seconds = words.count > 1 ? words[1] : 5
let devices = words.count > 2 ? words[2] : 10_000
let connections = 8

let bench = try BenchStore(engine)
let clock = ContinuousClock()
let hashing = PasswordHashing.minimal
func makeServer() throws -> (store: ServerStore, server: Server, web: WebServer) {
  let store = ServerStore(lanes: try bench.serverLanes(), hashing: hashing)
  let server = Server(
    store,
    ServerSettings(url: "http://127.0.0.1", host: "127.0.0.1", port: 0, registration: .open))
  return (store, server, try server.listen(requestTimeout: .seconds(600), connectionsPerClient: 0))
}
let (store, server, web) = try makeServer()

func clients(_ session: RemoteSession) -> DependencyValues {
  var values = DependencyValues()
  StoreClients(
    store.lanes[0], session: session, makeUUID: ServerStore.randomUUID, hashing: hashing,
    startMonitor: { (_: Bool) async throws(StorageError) in }
  ).install(in: &values)
  return values
}

note("\(accounts) accounts in \(engine.rawValue)")
var tokens: [String] = []
for number in 0..<accounts {
  let session = RemoteSession(token: nil, device: "bench", signUpPolicy: .open(code: nil))
  _ = try await clients(session).authClient.createAccount(
    NewAccount(
      profile: Profile(name: "Person"),
      credentials: Credentials(email: "p\(number)@example.org", password: Secret("a password"))))
  tokens.append(session.heldToken!)
}
let people = tokens

// MARK: Check-ins

/// Measures the engine without HTTP: with pgbench, or with the store's own operation.
func floorRate() async throws -> Double {
  if let rate = try await bench.pgbench(
    connections: connections, seconds: seconds, accounts: bench.accountKeys())
  {
    return rate
  }
  let (start, count) = (clock.now, Times())
  try await withThrowingTaskGroup(of: Void.self) { group in
    for _ in 0..<connections {
      group.addTask {
        while clock.now < start + .seconds(seconds) {
          let session = RemoteSession(token: people.randomElement()!, device: "")
          _ = try await clients(session).checkInClient.checkIn(.manual)
          count.add(.zero)
        }
      }
    }
    try await group.waitForAll()
  }
  return Double(count.count) / (start.duration(to: clock.now) / .seconds(1))
}

var (floorRates, rates, slowest): ([Double], [Double], [Double]) = ([], [], [])
// The first round is a warm-up.
for round in 0...3 {
  let floor = try await floorRate()
  let times = Times()
  let rate = try await checkIns(
    port: web.port, connections: connections, seconds: seconds, people: people, times)
  note("floor \(Int(floor))/s, over HTTP \(Int(rate))/s, p99 \(tenths(times.percentile(0.99))) ms")
  if round > 0 {
    floorRates.append(floor)
    rates.append(rate)
    slowest.append(times.percentile(0.99))
  }
}

// MARK: Waiting devices

note("\(devices) waiting devices")
let known = try lastChange(RawHTTP.Connection(port: web.port), people[0])
let before = residentMemory()
let crowd = try Devices(devices, port: web.port, after: known, people: people)
// A few may have been notified of the last check-ins and no longer wait.
var waited = (count: -1, turns: 0)
while waited.count < devices, waited.turns < 40 {
  try await Task.sleep(for: .milliseconds(50))
  let count = server.waitingDevices
  waited = (count, count == waited.count ? waited.turns + 1 : 0)
}
let held = server.waitingDevices
let bytes = held == 0 ? 0 : (residentMemory() - before) / held
note("\(held) wait, \(bytes) bytes each")
crowd.end()

// MARK: Alerts

// Another server on the same database; with SQLite there is only one.
let (_, otherServer, otherWeb) = engine == .sqlite ? (store, server, web) : try makeServer()
note("alerts")
let alertTimes = Times()
let ada = clients(RemoteSession(token: people[0], device: ""))
let bo = clients(RemoteSession(token: people[1], device: ""))
let relation = try await bo.contactsClient.request(
  try await ada.userClient.currentUser().code, .dependent)
_ = try await ada.contactsClient.accept(relation.id)
let device = try RawHTTP.Connection(port: otherWeb.port)
let own = try RawHTTP.Connection(port: web.port)
for _ in 0..<200 {
  // Skip earlier changes, then wait.
  var known = try lastChange(device, people[1])
  while true {
    try device.send(changes(people[1], after: known))
    try await Task.sleep(for: .milliseconds(.random(in: 40...60)))
    guard device.hasAnswer else { break }
    known = try lastChange(from: device)
  }
  let begin = clock.now
  try post(own, "/v1/alerts", #"{"message":""}"#, people[0])
  _ = try await RawHTTP.blocking { try device.receive() }
  alertTimes.add(begin.duration(to: clock.now))
  _ = try await RawHTTP.blocking { try own.receive() }
  _ = try await ada.alertClient.cancel()
}
note("p50 \(tenths(alertTimes.percentile(0.5))) ms, p99 \(tenths(alertTimes.percentile(0.99))) ms")

// MARK: Monitors

var claims: [String] = []
var round = 0
for monitors in [1, 2, 4] {
  let anybody = clients(RemoteSession(token: nil, device: ""))
  var medians: [Double] = []
  for _ in 0..<3 {
    // Half of them at a time: a person is mailed five codes a day at most.
    round += 1
    for number in 0..<accounts where number % 2 == round % 2 {
      try await anybody.authClient.sendPasswordReset("p\(number)@example.org")
    }
    let waiting = try await store.administration.statistics().waitingDeliveries
    medians.append(try await bench.claims(monitors))
    note("\(waiting) messages, \(monitors) monitors: \(Int(medians.last!))/s")
  }
  claims.append("\(Int(medians.median))")
}

print(
  """
  {"check_ins_per_second": \(Int(rates.median)), \
  "floor_check_ins_per_second": \(Int(floorRates.median)), \
  "p99_ms_at_8": \(tenths(slowest.median)), "bytes_per_waiting_device": \(bytes), \
  "alert_p99_ms": \(tenths(alertTimes.percentile(0.99))), \
  "claims_per_second": [\(claims.joined(separator: ", "))], \
  "waiting_devices": \(held), "store": "\(engine.rawValue)"}
  """)
withExtendedLifetime((server, otherServer)) { bench.remove() }
exit(0)
