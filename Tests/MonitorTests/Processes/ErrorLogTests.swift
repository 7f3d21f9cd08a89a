import Clients
import Composable
import DeliveryTesting
import Domain
import Foundation
import Testing

/// The built program, sending the error log.
@Suite(.timeLimit(.minutes(2))) struct ErrorLogTests {
  private func note(_ numbers: ClosedRange<Int>, _ clients: DependencyValues) async {
    for number in numbers {
      await clients.errorLogger.write(
        LogEntry(
          timestamp: Date(timeIntervalSince1970: 1_795_000_000), level: .error, code: "STORE_BUSY",
          message: "StorageError.busy",
          context: .init(function: "f", file: "x.swift", line: number)))
    }
  }

  private func lines(_ request: HTTPServer.Request) -> [Int] {
    request.body.split(separator: "\n").compactMap { LogEntry(jsonLine: $0)?.context.line }
  }

  @Test("Monitors that are killed four times still send every line of the error log, in order")
  func killed() async throws {
    let home = try Home()
    try await home.openAccount()
    let (requests, arrivals) = AsyncStream<Int>.makeStream()
    // The service doesn't answer the first three requests, so that a monitor is killed while it
    // waits.
    let server = try HTTPServer { _, number in
      arrivals.yield(number)
      return number <= 3 ? .silence : .reply(200)
    }
    try home.configure("{error_log: {url: \"\(server.url)/in\"}}")
    let clients = try home.clients()
    try await clients.keychainClient.set(KeychainClient.errorLogToken, "hunter2")
    var iterator = requests.makeAsyncIterator()
    for round in 1...4 {
      await note(round * 10...round * 10 + 9, clients)
      let process = try home.start()
      _ = await iterator.next()
      await process.kill()
    }
    await note(50...59, clients)
    let process = try home.start()
    var taken: [Int] {
      server.requests.dropFirst(3).flatMap(lines).filter { (10...59).contains($0) }
    }
    while Set(taken) != Set(10...59) { _ = await iterator.next() }
    process.send(SIGTERM)
    _ = await process.exitCode()
    #expect(
      server.requests.map { $0.headers["authorization"] }.allSatisfy { $0 == "Bearer hunter2" })
    #expect(!process.output.contains("hunter2"))
    // Entries are repeated only if the killed monitor couldn't record that they were sent.
    var seen: Set<Int> = []
    let inOrder = taken.filter { seen.insert($0).inserted }
    #expect(inOrder == Array(10...59))
  }

  @Test("Without error_log in the settings, no line of the error log is sent")
  func optIn() async throws {
    let home = try Home()
    try await home.openAccount()
    let server = try HTTPServer()
    try home.configure("{heartbeat: {url: \"\(server.url)/ping\"}}")
    await note(1...3, try home.clients())
    let (code, output) = try await home.run("--once")
    #expect(code == 0, "\(output)")
    #expect(Set(server.requests.map(\.path)).isSubset(of: ["/ping", "/ping/fail"]))
  }
}
