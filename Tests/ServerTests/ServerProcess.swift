import Clients
import Domain
import Foundation
import PostgreSQL
import PostgresTesting
import ServerProtocol
import ServerTesting
import Synchronization
import TestSupport
import Testing

/// The server program with its own folder and a fixed port.
final class ServerProcess: Sendable {
  let folder = try! TemporaryFolder()
  let port: Int
  private let running = Mutex<Foundation.Process?>(nil)

  /// - Parameter database: A shared PostgreSQL database, or `nil` for a file in the folder.
  init(over database: PostgresDatabase? = nil) async throws {
    // A port that is free at the moment.
    port = try ServerWorld().port
    let file = folder.path + "/database"
    func write(_ user: PostgresDatabase.User) throws {
      guard let database else { return }
      try folder.write(database.connection(as: user).fileText, to: "database", mode: 0o600)
    }
    try write(.postgres)
    try await run(
      [
        "init", "--data", folder.path + "/data", "--url", "http://127.0.0.1:\(port)", "--listen",
        "127.0.0.1:\(port)", "--registration", "open",
      ] + (database == nil ? [] : ["--database-file", file]))
    // The administrator's setup is done, so use the server's user from now on.
    try write(.server)
  }

  var data: String { folder.path + "/data" }

  deinit { kill() }

  private static func path(_ name: String) -> String {
    let tests = try! FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    var folder = URL(filePath: tests).deletingLastPathComponent()
    while folder.pathComponents.count > 1 {
      let program = folder.appending(path: name).path
      if FileManager.default.isExecutableFile(atPath: program) { return program }
      folder.deleteLastPathComponent()
    }
    return name
  }

  private func make(_ arguments: [String], _ program: String) -> Foundation.Process {
    let process = Foundation.Process()
    process.executableURL = URL(filePath: Self.path(program))
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return process
  }

  func run(_ arguments: [String], program: String = "lifesignal-server") async throws {
    let process = make(arguments, program)
    try process.run()
    try await RawHTTP.blocking { process.waitUntilExit() }
    #expect(process.terminationStatus == 0)
  }

  func start() async throws {
    let process = make(["run", "--data", data], "lifesignal-server")
    try process.run()
    running.withLock { $0 = process }
    // This can take long on a busy machine. The suite's time limit catches a server that hangs.
    while process.isRunning {
      let answer = try? await RemoteApp(port: port).raw(ServerRequest(.get, "/healthz"))
      if answer?.status == 200 { return }
      await Task.yield()
    }
    throw RawHTTP.Failure(reason: "it does not start")
  }

  func kill() {
    running.withLock {
      guard let process = $0 else { return }
      Foundation.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      $0 = nil
    }
  }
}

/// Devices that check in continuously and record the answers.
final class CheckInLoad: Sendable {
  private let apps: [RemoteApp]
  private struct Contents {
    var acknowledged: Set<UUID> = []
    var repeated = 0
  }
  private let contents = Mutex(Contents())

  /// The session token of the first device.
  var token: String? { apps[0].token }
  var repeated: Int { contents.withLock(\.repeated) }
  private var count: Int { contents.withLock(\.acknowledged.count) }

  init(port: Int, people: [String]) async throws {
    apps = people.map { _ in RemoteApp(port: port) }
    for (app, name) in zip(apps, people) {
      _ = try await app.clients.authClient.createAccount(
        NewAccount(
          profile: Profile(name: name),
          credentials: Credentials(
            email: "\(name)@example.org", password: Secret("a good password"))))
    }
  }

  /// A request without an answer.
  struct Unanswered: Sendable {
    var app: RemoteApp
    var key: UUID
  }

  /// Lets four devices check in until the server stops answering.
  /// - Parameter end: Stops the server, called once `more` check-ins have been acknowledged.
  func run(until more: Int, _ end: @Sendable () -> Void) async throws -> [Unanswered] {
    try await withThrowingTaskGroup(of: Unanswered.self) { group in
      for number in 0..<4 {
        let app = apps[number % apps.count]
        group.addTask {
          while true {
            let key = UUID()
            guard let answer = try? await Self.checkIn(app, key), answer.status == 200 else {
              return Unanswered(app: app, key: key)
            }
            self.contents.withLock { _ = $0.acknowledged.insert(key) }
          }
        }
      }
      let goal = count + more
      while count < goal { await Task.yield() }
      end()
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// Repeats requests with the same keys until they are answered, as apps do.
  func repeatAll(_ unanswered: [Unanswered]) async throws {
    for one in unanswered {
      var answer = try await Self.checkIn(one.app, one.key)
      // A lane notices only now that its connection is gone.
      for _ in 0..<20 where answer.status == 503 {
        answer = try await Self.checkIn(one.app, one.key)
      }
      #expect(answer.status == 200, "\(answer.text)")
      contents.withLock {
        $0.acknowledged.insert(one.key)
        $0.repeated += 1
      }
    }
  }

  /// Expects that each check-in was counted exactly once.
  func expectEachOnce() async throws {
    var sum = 0
    for app in apps { sum += try await app.clients.userClient.currentUser().checkInSequence }
    #expect(sum == count)
  }

  static func checkIn(_ app: RemoteApp, _ key: UUID) async throws -> RawHTTP.Answer {
    try await app.raw(
      ServerRequest(
        .post, "/v1/check-ins", body: Data(#"{"source":"manual"}"#.utf8), idempotencyKey: key))
  }
}
