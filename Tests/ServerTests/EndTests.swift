import Clients
import Domain
import Foundation
import ServerProtocol
import ServerTesting
import Synchronization
import TestSupport
import Testing

@testable import Server

@Suite("A server that is asked to end", .timeLimit(.minutes(2)))
struct EndTests {
  @Test("SIGTERM ends the program with 0 at once, and who waits for changes gets an answer")
  func terminated() async throws {
    let folder = try TemporaryFolder()
    let port = try ServerWorld().port
    let address = "127.0.0.1:\(port)"
    try await RawHTTP.blocking {
      let setUp = try Self.start([
        "init", "--data", folder.path, "--url", "http://" + address, "--listen", address,
        "--registration", "open",
      ])
      setUp.waitUntilExit()
      #expect(setUp.terminationStatus == 0)
    }
    let server = try Self.start(["run", "--data", folder.path])
    defer { server.terminate() }
    let app = RemoteApp(port: port)
    for _ in 0..<2_000 where (try? await app.raw(ServerRequest(.get, "/healthz"))) == nil {
      await Task.yield()
    }
    _ = try await app.clients.authClient.createAccount(
      NewAccount(
        profile: Profile(name: "Ada"),
        credentials: Credentials(email: "ada@example.org", password: Secret("a good password"))))
    let known = try ChangeTests.after(await app.raw(ServerRequest(.get, "/v1/changes")))
    async let waiting = app.raw(ServerRequest(.get, "/v1/changes", query: ["after": known]))
    while try await !app.raw(ServerRequest(.get, "/metrics")).text.contains("waiting_devices 1\n") {
      await Task.yield()
    }
    let start = ContinuousClock.now
    kill(server.processIdentifier, SIGTERM)
    #expect(try ChangeTests.after(try await waiting) == known)
    try await RawHTTP.blocking { server.waitUntilExit() }
    #expect(server.terminationReason == .exit && server.terminationStatus == 0)
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  private static func start(_ arguments: [String]) throws -> Process {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    var folder = URL(filePath: tests).deletingLastPathComponent()
    let process = Process()
    while folder.pathComponents.count > 1 {
      let program = folder.appending(path: "lifesignal-server")
      if FileManager.default.isExecutableFile(atPath: program.path) {
        process.executableURL = program
      }
      folder.deleteLastPathComponent()
    }
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }
}
