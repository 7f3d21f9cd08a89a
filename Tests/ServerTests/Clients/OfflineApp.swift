import Clients
import Composable
import Curl
import Domain
import Foundation
import ServerTesting
import SharedPlatform
import Synchronization
import TestSupport
import Testing

/// The line between an app and its server.
enum Line: CaseIterable, CustomTestStringConvertible {
  case up
  /// Nothing leaves the machine.
  case down
  /// Requests arrive, and no answer comes back.
  case deaf
  /// Requests arrive, and nobody waits for the answer.
  case abandoned
  /// The page on which a hotel asks for a name, with every address.
  case login
  /// A proxy that answers JSON of its own.
  case proxy
  case missingPage
  case overloaded

  var testDescription: String { "\(self)" }

  private static let json = ["content-type": "application/json"]

  func send(_ request: HTTPRequest) async -> HTTPResult {
    switch self {
    case .up: return await HTTPClient.live(keepingConnections: 1).send(request)
    case .down: return .failed(.notSent(.init(cause: .noConnection, text: "no route")))
    case .deaf:
      _ = await HTTPClient.live(keepingConnections: 1).send(request)
      return .failed(.unanswered(.init(cause: .connectionLost, text: "lost")))
    case .abandoned:
      _ = await HTTPClient.live(keepingConnections: 1).send(request)
      return .failed(.cancelled)
    case .login:
      return .reply(
        HTTPReply(
          status: 200, headers: ["content-type": "text/html"], body: Data("<form>".utf8)))
    case .proxy:
      return .reply(HTTPReply(status: 200, headers: Self.json, body: Data(#"{"ok":true}"#.utf8)))
    case .missingPage:
      return .reply(
        HTTPReply(status: 404, headers: Self.json, body: Data(#"{"message":"Not Found"}"#.utf8)))
    case .overloaded:
      return .reply(
        HTTPReply(
          status: 503, headers: Self.json,
          body: Data(#"{"error":{"storage":{"_0":{"busy":{}}}},"message":"busy"}"#.utf8)))
    }
  }
}

/// An app on a machine of its own, whose line and clocks the test moves.
final class OfflineApp: Sendable {
  /// The token of its session, which outlives the program.
  final class Token: Sendable {
    private let held = Mutex<String?>(nil)
    var value: String? {
      get { held.withLock { $0 } }
      set { held.withLock { $0 = newValue } }
    }
  }

  let connection: ServerConnection
  let clients: DependencyValues
  let starts = Mutex(0)
  private let held: Mutex<(line: Line, count: Int)> = Mutex((.up, 0))

  var line: Line {
    get { held.withLock(\.line) }
    set { held.withLock { $0.line = newValue } }
  }
  /// Called before each request.
  var onRequest: (@Sendable () -> Void)? {
    get { hook.withLock { $0 } }
    set { hook.withLock { $0 = newValue } }
  }
  private let hook = Mutex<(@Sendable () -> Void)?>(nil)
  /// Called after each answer, before the client has it.
  var onAnswer: (@Sendable () async -> Void)? {
    get { answerHook.withLock { $0 } }
    set { answerHook.withLock { $0 = newValue } }
  }
  private let answerHook = Mutex<(@Sendable () async -> Void)?>(nil)
  /// The number of requests.
  var count: Int { held.withLock(\.count) }

  init(
    port: Int, outbox: String, token: OfflineApp.Token, machine: JumpingClock,
    account: String? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) throws {
    nonisolated(unsafe) weak var app: OfflineApp?
    var limits = ServerConnection.Limits()
    limits.retries = RetryPolicy(maxRetries: 0, firstDelay: 0, factor: 1, jitter: 0)
    connection = try ServerConnection(
      to: JoinedServer(url: "http://127.0.0.1:\(port)"), device: "a laptop",
      tokens: .init(
        load: { () throws(KeychainError) in token.value },
        keep: { (new: String?) throws(KeychainError) in token.value = new }),
      outbox: OutboxFolder(path: outbox), limits: limits,
      http: HTTPClient { request in
        app?.held.withLock { $0.count += 1 }
        app?.onRequest?()
        let answer = await (app?.line ?? .up).send(request)
        await app?.onAnswer?()
        return answer
      },
      clock: clock, now: machine.wall,
      uptime: { Uptime(boot: machine.running.boot, seconds: machine.running.seconds) })
    var values = DependencyValues()
    values.context = .test
    SharedPlatform(connection, address: account) { app?.starts.withLock { $0 += 1 } }.install(
      in: &values)
    clients = values
    app = self
  }

  /// Creates an account whose session the device keeps.
  func signUp(_ name: String = "Ida") async throws {
    _ = try await clients.authClient.createAccount(
      NewAccount(
        profile: Profile(name: name),
        credentials: Credentials(
          email: "\(name.lowercased())@example.org", password: Secret("four random words"))))
    // The first answer of the session, from which the device knows the server's time.
    _ = try await clients.userClient.currentUser()
  }
}

/// A server in this process, and a machine that is offline when the test says so. Several programs can
/// run on it.
final class OfflineMachine: Sendable {
  private let folder: TemporaryFolder
  let world: ServerWorld
  let token = OfflineApp.Token()
  let machine: JumpingClock

  init() throws {
    folder = try TemporaryFolder()
    world = try ServerWorld()
    machine = JumpingClock(world.now)
  }

  /// The folder of what waits.
  var outbox: String { folder.path + "/outbox" }

  /// Lets time pass, by all clocks.
  func pass(_ seconds: Double) {
    world.now += seconds
    machine.advance(seconds)
  }

  func start(_ clock: any Clock<Duration> = ContinuousClock()) throws -> OfflineApp {
    try OfflineApp(
      port: world.port, outbox: outbox, token: token, machine: machine, clock: clock)
  }

  /// The files of what waits.
  var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: outbox)) ?? [])
      .filter { $0.hasSuffix(".json") && $0 != "reference.json" }.sorted()
  }
}

/// A suite over one ``OfflineMachine``.
protocol OfflineSuite { var offline: OfflineMachine { get } }

extension OfflineSuite {
  var world: ServerWorld { offline.world }
  var token: OfflineApp.Token { offline.token }
  var machine: JumpingClock { offline.machine }
  var outbox: String { offline.outbox }
  var files: [String] { offline.files }
  func pass(_ seconds: Double) { offline.pass(seconds) }
}
