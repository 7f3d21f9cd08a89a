import Clients
import Domain
import Foundation
import ServerProtocol
import ServerTesting
import Store
import Synchronization
import TestSupport
import Testing

@testable import Server

@Suite("A server that is killed", .timeLimit(.minutes(3)))
struct ServerKillTests {
  /// The program, with a folder of its own and a port that stays.
  private final class Process: Sendable {
    let folder = try! TemporaryFolder()
    let port: Int
    private let running = Mutex<Foundation.Process?>(nil)

    init() async throws {
      // A port that is free just now.
      port = try ServerWorld().port
      try await run([
        "init", "--data", folder.path, "--url", "http://127.0.0.1:\(port)", "--listen",
        "127.0.0.1:\(port)", "--registration", "open",
      ])
    }

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
      let process = make(["run", "--data", folder.path], "lifesignal-server")
      try process.run()
      running.withLock { $0 = process }
      for _ in 0..<2_000 {
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

  private final class Keys: Sendable {
    private let keys = Mutex<Set<UUID>>([])
    var count: Int { keys.withLock { $0.count } }
    func insert(_ key: UUID) { keys.withLock { _ = $0.insert(key) } }
  }

  @Test("kill -9 under load: what was acknowledged is stored, what is repeated happened once")
  func killed() async throws {
    let process = try await Process()
    try await process.start()
    let app = RemoteApp(port: process.port)
    _ = try await app.clients.authClient.createAccount(
      NewAccount(
        profile: Profile(name: "Ada"),
        credentials: Credentials(email: "ada@example.org", password: Secret("a good password"))))
    let acknowledged = Keys()
    var repeated = 0
    for _ in 0..<6 {
      // Four devices check in until the server is gone; each goes on with what it got no answer to.
      let unanswered = try await withThrowingTaskGroup(of: UUID?.self) { group in
        for _ in 0..<4 {
          group.addTask {
            while true {
              let key = UUID()
              do {
                let answer = try await Self.checkIn(app, key)
                guard answer.status == 200 else { return key }
                acknowledged.insert(key)
              } catch {
                return key
              }
            }
          }
        }
        let goal = acknowledged.count + 12
        while acknowledged.count < goal { await Task.yield() }
        process.kill()
        return try await group.reduce(into: [UUID]()) { keys, key in
          if let key { keys.append(key) }
        }
      }
      try await process.start()
      for key in unanswered {
        let answer = try await Self.checkIn(app, key)
        #expect(answer.status == 200, "\(answer.text)")
        acknowledged.insert(key)
        repeated += 1
      }
    }
    let count = acknowledged.count
    let user = try await app.clients.userClient.currentUser()
    #expect(user.checkInSequence == count)
    #expect(repeated == 24)
  }

  private static func checkIn(_ app: RemoteApp, _ key: UUID) async throws -> RawHTTP.Answer {
    try await app.raw(
      ServerRequest(
        .post, "/v1/check-ins", body: Data(#"{"source":"manual"}"#.utf8), idempotencyKey: key))
  }

  @Test("The monitor watches a server's store, in which nobody is signed in")
  func monitor() async throws {
    let process = try await Process()
    try await process.run(["--once", "--data", process.folder.path], program: "lifesignal-monitor")
    try await process.start()
    let answer = try await RemoteApp(port: process.port).raw(ServerRequest(.get, "/readyz"))
    #expect(answer.status == 200)
  }

  @Test("A backup comes back in another folder, with its accounts and files")
  func backup() async throws {
    let place = try TemporaryFolder()
    let now: @Sendable () -> Date = { Date() }
    let folder = ServerFolder(path: place.path + "/one")
    let store = try ServerStore.sqlite(in: folder.path, now: now)
    _ = try await store.administration.invite(uses: 1, lifetime: .days(1))
    try folder.write(ServerSettings(url: "http://127.0.0.1:1", host: "127.0.0.1", port: 1))
    try await ServerBackup(folder: folder, now: now).backUp(to: place.path + "/copy.tar")
    let other = ServerFolder(path: place.path + "/two")
    try await ServerBackup(folder: other, now: now).restore(from: place.path + "/copy.tar")
    #expect(try other.settings() == (try folder.settings()))
    await #expect(throws: ServerFolder.Fault.self) {
      try await ServerBackup(folder: other, now: now).restore(from: place.path + "/copy.tar")
    }
    try place.write("no tar", to: "wrong.tar")
    await #expect(throws: ServerFolder.Fault.self) {
      try await ServerBackup(folder: ServerFolder(path: place.path + "/three"), now: now)
        .restore(from: place.path + "/wrong.tar")
    }
  }
}
