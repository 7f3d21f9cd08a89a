package import Clients
package import struct Composable.DependencyValues
import Cryptography
package import Domain
package import FoundationEssentials
import SQLite
package import Server
package import ServerProtocol
package import Store
package import Synchronization
package import Web

/// A server in this process, with a clock moved by the test, and its log.
package final class ServerWorld: Sendable {
  package let server: Server
  package let web: WebServer
  package let store: ServerStore
  private let clock: MovableClock
  package let log = Mutex<[Server.RequestLine]>([])
  /// The instants until which answers were held.
  package let holds = Mutex<[ContinuousClock.Instant]>([])

  package var port: Int { web.port }
  package var now: Date {
    get { clock.now }
    set { clock.now = newValue }
  }

  /// - Parameters:
  ///   - lanes: The lanes of a store, or `nil` for one in memory.
  ///   - now: An external clock, or `nil` for ``now``.
  package init(
    lanes: [Lane]? = nil, now: (@Sendable () -> Date)? = nil,
    makeLane: ((_ now: @escaping @Sendable () -> Date) throws -> Lane)? = nil,
    registration: ServerSettings.Registration = .open,
    metricsToken: String? = nil, url: String = "http://127.0.0.1",
    proxy: String? = nil, minimumApp: String? = nil, requestTimeout: Duration = .seconds(10),
    certificate: (certificate: String, key: String)? = nil
  ) throws {
    let clock = MovableClock()
    self.clock = clock
    let now = now ?? { clock.now }
    store = ServerStore(
      lanes: try lanes ?? [makeLane?(now) ?? EmbeddedPlatform.openLaneInMemory(now: now)],
      hashing: .minimal)
    var settings = ServerSettings(
      url: url, host: "127.0.0.1", port: 0, registration: registration)
    settings.minimumApp = minimumApp
    nonisolated(unsafe) weak var world: ServerWorld?
    server = Server(
      store, settings, metricsToken: metricsToken, now: now,
      log: { line in world?.log.withLock { $0.append(line) } },
      hold: { end in world?.holds.withLock { $0.append(end) } })
    web = try server.listen(certificate: certificate, proxy: proxy, requestTimeout: requestTimeout)
    world = self
  }

  /// Makes the server check the watch status. It does so once a second, which a jump of the test's
  /// clock can skip.
  package func checkMonitors() async { await server.checkMonitors() }

  /// What a monitor beside the server uses.
  package var monitor: MonitorClient {
    let clients = StoreClients(
      store.lanes[0], session: RemoteSession(token: nil, device: "monitor"), makeUUID: { UUID() },
      hashing: .minimal, startMonitor: { (_: Bool) async throws(StorageError) in })
    var values = DependencyValues()
    clients.install(in: &values)
    return values.monitorClient
  }

  /// Sends the heartbeat of a monitor, valid for a minute.
  package func heartbeat(_ id: UUID, _ problem: MonitorProblem? = nil) async throws {
    _ = try await monitor.heartbeat(id, now, .minutes(1), problem)
  }

  /// Sends everything that is due, like a monitor that plans nothing, and returns the messages.
  @discardableResult
  package func deliverAll(_ outcome: DeliveryOutcome = .sent) async throws -> [ClaimedDelivery] {
    let monitor = monitor
    for account in try await monitor.due(now, 100) {
      _ = try await monitor.apply(Plan(), account.user.id, account.revision, now)
    }
    let claimed = try await monitor.claim(now, .minutes(1), ClaimRequest(limit: 100))
    for delivery in claimed {
      let retryAt = outcome == .sent ? nil : now + .minutes(5)
      _ = try await monitor.record(delivery.id, delivery.token, outcome, retryAt, now)
    }
    return claimed
  }

  /// An app that is not signed in.
  package func app(token: String? = nil) -> RemoteApp { RemoteApp(port: port, token: token) }

  /// An app with a new account.
  package func signUp(_ name: String, phone: String? = nil, note: String = "") async throws
    -> RemoteApp
  {
    let app = app()
    _ = try await app.clients.authClient.createAccount(
      NewAccount(
        profile: Profile(name: name, phone: phone, note: note),
        credentials: Credentials(
          email: "\(name.lowercased())@example.org", password: Secret("password of \(name)"))))
    return app
  }
}

private final class MovableClock: Sendable {
  private let date = Mutex(Date(timeIntervalSince1970: 1_790_000_000))
  var now: Date {
    get { date.withLock { $0 } }
    set { date.withLock { $0 = newValue } }
  }
}

/// An app whose clients use a server over HTTP.
package final class RemoteApp: ServerTransport {
  package let port: Int
  private let held: Mutex<String?>
  /// The headers sent with each request in addition to the token.
  package let headers = Mutex<[String: String]>([:])

  package init(port: Int, token: String? = nil) {
    self.port = port
    held = Mutex(token)
  }

  package var token: String? { held.withLock { $0 } }

  package var clients: DependencyValues {
    var values = DependencyValues()
    values.context = .test
    for route in Route.all { route.connect(to: self, in: &values) }
    return values
  }

  package func keep(_ token: Secret<String>?) async throws(StorageError) {
    held.withLock { $0 = token?.value }
  }

  package func changes() -> AsyncStream<Void> { AsyncStream { $0.finish() } }

  package func send(_ request: ServerRequest) async throws(NetworkError) -> ServerAnswer {
    do {
      let answer = try await raw(request)
      return ServerAnswer(status: answer.status, etag: answer.headers["etag"], body: answer.body)
    } catch {
      throw .connectionFailed
    }
  }

  /// Sends a request and returns the answer with its headers.
  package func raw(_ request: ServerRequest) async throws -> RawHTTP.Answer {
    var headers = headers.withLock { $0 }
    if let token { headers["Authorization"] = "Bearer \(token)" }
    if let key = request.idempotencyKey { headers["Idempotency-Key"] = key.uuidString }
    if let etag = request.ifNoneMatch { headers["If-None-Match"] = etag }
    let bytes = RawHTTP.text(
      request.method.rawValue, request.target, headers: headers, body: request.body)
    return try await RawHTTP.blocking { [port] in
      let connection = try RawHTTP.Connection(port: port)
      try connection.send(bytes)
      return try connection.receive()
    }
  }
}
