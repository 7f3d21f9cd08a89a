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

@Suite("Killing, overloading and backing up a server", .timeLimit(.minutes(3)))
struct ServerKillTests {
  @Test("After kill -9 under load, acknowledged check-ins are stored and repeated ones count once")
  func killed() async throws {
    let process = try await ServerProcess()
    try await process.start()
    let load = try await CheckInLoad(port: process.port, people: ["Ada"])
    for _ in 0..<6 {
      let unanswered = try await load.run(until: 12) { process.kill() }
      try await process.start()
      try await load.repeatAll(unanswered)
    }
    try await load.expectEachOnce()
    #expect(load.repeated == 24)
  }

  @Test(
    "10,000 slow connections from nine addresses don't delay a check-in from another address"
  )
  func crowd() async throws {
    try #require(Self.raiseFiles() > 10_300, "so many files must be allowed")
    let process = try await ServerProcess()
    try await process.start()
    let load = try await CheckInLoad(port: process.port, people: ["Ada"])
    let token = try #require(load.token)
    let (took, held) = try await RawHTTP.blocking { [port = process.port] in
      let crowd = try (0..<10_000).map { number in
        let connection = try RawHTTP.Connection(port: port, from: 0x7F00_0100 + UInt32(number % 9))
        // Connections beyond the limit for an address are closed at once.
        try? connection.send("GET /v1/me HTTP/1.1\r\nHost: a\r\nX-Slow: ")
        return connection
      }
      let start = ContinuousClock.now
      for _ in 0..<20 {
        let connection = try RawHTTP.Connection(port: port)
        try connection.send(
          RawHTTP.text(
            "POST", "/v1/check-ins",
            headers: ["Authorization": "Bearer \(token)", "Idempotency-Key": UUID().uuidString],
            body: Data(#"{"source":"manual"}"#.utf8)))
        guard try connection.receive().status == 200 else {
          throw RawHTTP.Failure(reason: "not answered")
        }
      }
      let took = (ContinuousClock.now - start) / 20
      return (took, crowd.count { !$0.isClosed })
    }
    print("a check-in beside \(held) slow connections of 10,000: \(took)")
    #expect(held > 8_000)
    #expect(took < .seconds(2))
  }

  /// Raises this process's limit of open files to the maximum.
  private static func raiseFiles() -> UInt {
    var files = rlimit()
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(kind, &files) == 0 else { return 0 }
    files.rlim_cur = files.rlim_max
    setrlimit(kind, &files)
    return files.rlim_cur
  }

  @Test("lifesignal-monitor --once works on a server's store, and the server is ready then")
  func monitor() async throws {
    let process = try await ServerProcess()
    try await process.run(["--once", "--data", process.data], program: "lifesignal-monitor")
    try await process.start()
    let answer = try await RemoteApp(port: process.port).raw(ServerRequest(.get, "/readyz"))
    #expect(answer.status == 200)
  }

  @Test("A backup restores settings and configuration to a new folder, but not over existing ones")
  func backup() async throws {
    let place = try TemporaryFolder()
    let now: @Sendable () -> Date = { Date() }
    let folder = ServerFolder(path: place.path + "/one")
    let store = try ServerStore.sqlite(in: folder.path, now: now)
    _ = try await store.administration.invite(uses: 1, lifetime: .days(1))
    try folder.write(ServerSettings(url: "http://127.0.0.1:1", host: "127.0.0.1", port: 1))
    try place.write("{}", to: "one/config.json5", mode: 0o600)
    try await ServerBackup(folder: folder, now: now).backUp(
      to: place.path + "/copy.tar", isPlain: true)
    let other = ServerFolder(path: place.path + "/two")
    try await ServerBackup(folder: other, now: now).restore(from: place.path + "/copy.tar")
    #expect(try other.settings() == (try folder.settings()))
    // Without its configuration, the monitor there would notify nobody.
    let configuration = other.path + "/config.json5"
    #expect(try String(contentsOfFile: configuration, encoding: .utf8) == "{}")
    let mode = try FileManager.default.attributesOfItem(atPath: configuration)[.posixPermissions]
    #expect(mode as? Int == 0o600)
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
