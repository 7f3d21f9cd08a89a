import Clients
import DeliveryTesting
import Domain
import FoundationEssentials
import Synchronization
import Testing

@testable import Delivery

/// The error log, sent to a service.
@Suite(.timeLimit(.minutes(2)))
struct LogSenderTests {
  /// A log in memory and a clock that only the test moves.
  final class World: Sendable {
    struct State {
      var now = start
      var lines: [Int] = []
      /// The number of lines already sent.
      var sent = 0
      var isClaimed = false
      var token: Result<String?, KeychainError> = .success("hunter2")
      var log: [String] = []
      var removal: StorageError?
    }
    let state = Mutex(State())

    init(_ lines: [Int]) { state.withLock { $0.lines = lines } }

    func wait(_ seconds: Int) { state.withLock { $0.now = $0.now + .seconds(seconds) } }
    var log: [String] { state.withLock { $0.log } }
    var sent: Int { state.withLock { $0.sent } }

    static func entry(_ line: Int) -> LogEntry {
      LogEntry(
        timestamp: start, level: .error, code: "STORE_BUSY", message: "StorageError.busy",
        context: .init(function: "f", file: "x.swift", line: line))
    }

    var outbox: LogOutboxClient {
      LogOutboxClient {
        $0.claim = { [self] in
          state.withLock { state in
            defer { state.isClaimed = true }
            return !state.isClaimed
          }
        }
        $0.next = { [self] limit in
          state.withLock { state in
            let lines = state.lines.dropFirst(state.sent).prefix(limit)
            guard !lines.isEmpty else { return nil }
            return LogBatch(
              entries: lines.map(Self.entry), start: .init(file: "a", offset: state.sent),
              end: .init(file: "a", offset: state.sent + lines.count))
          }
        }
        $0.markSent = { [self] (batch: LogBatch) async throws(StorageError) in
          let failure = state.withLock { state in
            if state.removal == nil { state.sent = batch.end.offset }
            return state.removal
          }
          if let failure { throw failure }
        }
        $0.release = { [self] in state.withLock { $0.isClaimed = false } }
      }
    }

    func sender(_ limits: TransferLimits = .init(connect: .seconds(20))) -> LogSender {
      LogSender(
        outbox: outbox,
        token: { [self] () async throws(KeychainError) in
          try state.withLock { $0.token }.get()
        },
        dateClient: DateClient(now: { [self] in state.withLock { $0.now } }, calendar: .utc),
        limits: limits, log: { [self] line in state.withLock { $0.log.append(line) } })
    }
  }

  /// The lines in each request to a server.
  private func lines(_ server: HTTPServer) -> [[Int]] {
    server.requests.map { request in
      request.body.split(separator: "\n").compactMap { LogEntry(jsonLine: $0)?.context.line }
    }
  }

  private func service(_ server: HTTPServer) -> ErrorLogSettings {
    ErrorLogSettings(url: server.url + "/in")
  }

  @Test("Lines of the error log are sent once, as JSON with the token")
  func arrive() async throws {
    let (server, world) = (try HTTPServer(), World([1, 2, 3]))
    let sender = world.sender()
    await sender.send(to: service(server))?.value
    let request = try #require(server.requests.first)
    #expect(request.method == "POST" && request.path == "/in")
    #expect(request.headers["content-type"] == "application/x-ndjson")
    #expect(request.headers["authorization"] == "Bearer hunter2")
    #expect(request.headers["idempotency-key"] == "a.0-a.3")
    #expect(request.body == [1, 2, 3].map { World.entry($0).jsonLine + "\n" }.joined())
    world.wait(10)
    await sender.send(to: service(server))?.value
    #expect(server.connections == 1, "there is nothing more to send")
    #expect(world.log == [])
  }

  @Test("Log lines are sent in batches of 100, at most 20 batches at a time")
  func batches() async throws {
    let (server, world) = (try HTTPServer(), World(Array(1...2_345)))
    let sender = world.sender()
    await sender.send(to: service(server))?.value
    #expect(lines(server).map(\.count) == Array(repeating: 100, count: 20))
    await sender.send(to: service(server))?.value
    #expect(lines(server).flatMap(\.self) == Array(1...2_345))
  }

  @Test("While the log service is away, lines wait with growing pauses and arrive in the end")
  func outage() async throws {
    let server = try HTTPServer { _, number in .reply(number <= 3 ? 503 : 200) }
    let world = World([1, 2])
    let sender = world.sender()
    var times: [Int] = []
    var before = 0
    for minute in 0...8 {
      await sender.send(to: service(server))?.value
      if server.connections > before { times.append(minute) }
      before = server.connections
      world.wait(60)
    }
    #expect(times == [0, 1, 3, 7])
    #expect(lines(server) == Array(repeating: [1, 2], count: 4))
    #expect(Set(server.requests.map { $0.headers["idempotency-key"] }) == ["a.0-a.2"])
    #expect(
      world.log == [
        "error log: the error log's service asked us to try again later (503)",
        "error log: the service accepts it again",
      ])
  }

  @Test(
    "A log service's Retry-After is followed, up to an hour",
    arguments: [(300, 5), (9_999, 60)])
  func retryAfter(seconds: Int, minutes: Int) async throws {
    let server = try HTTPServer { _, _ in .reply(429, headers: ["Retry-After": "\(seconds)"]) }
    let world = World([1])
    let sender = world.sender()
    await sender.send(to: service(server))?.value
    world.wait(60 * minutes - 1)
    #expect(sender.send(to: service(server)) == nil)
    world.wait(1)
    await sender.send(to: service(server))?.value
    #expect(server.connections == 2)
  }

  @Test(
    "A log line that the service refuses doesn't hold up the others", arguments: [400, 413, 422])
  func refused(status: Int) async throws {
    let server = try HTTPServer { request, _ in
      .reply(
        request.body.contains(#""line":5,"#) || request.body.contains(#""line":5}"#) ? status : 200)
    }
    let world = World(Array(1...10))
    let sender = world.sender()
    await sender.send(to: service(server))?.value
    #expect(world.sent == 10)
    #expect(
      world.log == [
        "error log: a line isn't sent: the error log's service refused the message (\(status))"
      ])
  }

  @Test(
    "A log service that redirects or refuses is asked less and less often, and no line is lost",
    arguments: [301, 401, 403, 404, 410])
  func unwelcome(status: Int) async throws {
    let server = try HTTPServer { _, _ in
      .reply(status, headers: ["Location": "http://127.0.0.1/x"])
    }
    let world = World([1])
    let sender = world.sender()
    for _ in 1...3 {
      await sender.send(to: service(server))?.value
      world.wait(61)
    }
    #expect(server.requests.map(\.path) == ["/in", "/in"], "neither followed nor pressed")
    #expect(world.sent == 0)
    #expect(world.log.count == 1)
  }

  @Test(
    "If the log service hangs, hangs up or answers nonsense, sending ends and the lines stay",
    arguments: [
      HTTPServer.Answer.silence, .cut, .raw("SSH-2.0-x\r\n"),
    ])
  func misbehaving(answer: HTTPServer.Answer) async throws {
    let server = try HTTPServer { _, _ in answer }
    let world = World([1])
    await world.sender(.init(connect: .seconds(20), total: .milliseconds(500)))
      .send(to: service(server))?.value
    #expect(world.sent == 0)
    #expect(world.log.count == 1)
    #expect(!world.log.joined().contains("hunter2"))
  }

  @Test("A log service that answers 200 and then never ends its reply has accepted the lines")
  func lostAnswer() async throws {
    let server = try HTTPServer { _, number in
      number == 1 ? .large(200, bytes: 1 << 30) : .reply(200)
    }
    let world = World([1])
    await world.sender().send(to: service(server))?.value
    #expect(world.sent == 1, "the status says that it was taken")
    #expect(server.bytesSent < 1 << 24)
  }

  @Test(
    "If sent log lines can't be marked as sent, the same lines go again with the same key"
  )
  func killed() async throws {
    let (server, world) = (try HTTPServer(), World([1, 2]))
    world.state.withLock { $0.removal = .full }
    await world.sender().send(to: service(server))?.value
    world.state.withLock {
      $0.removal = nil
      $0.isClaimed = false
    }
    await world.sender().send(to: service(server))?.value
    #expect(server.requests.map { $0.headers["idempotency-key"] } == ["a.0-a.2", "a.0-a.2"])
    #expect(world.sent == 2)
  }

  @Test(
    "An unreadable or malformed token sends no log lines; without a token, they go without one"
  )
  func token() async throws {
    let (server, world) = (try HTTPServer(), World([1]))
    let sender = world.sender()
    world.state.withLock { $0.token = .failure(.unavailable("the command failed")) }
    await sender.send(to: service(server))?.value
    #expect(server.connections == 0)
    #expect(world.log == ["error log: The saved secrets can't be read: the command failed."])
    world.state.withLock { $0.token = .success(nil) }
    world.wait(60)
    await sender.send(to: service(server))?.value
    #expect(server.requests.map { $0.headers["authorization"] } == [nil])
    world.state.withLock {
      $0.lines.append(2)
      $0.token = .success("hunter2\r\nX-Evil: 1")
    }
    world.wait(60)
    await sender.send(to: service(server))?.value
    #expect(server.connections == 1, "a token with a line break is no token")
    #expect(!world.log.joined().contains("hunter2"))
  }

  @Test("While this or another program sends the log, nothing is sent a second time")
  func oneAtATime() async throws {
    let gate = Gate()
    let server = try HTTPServer { _, _ in
      gate.wait()
      return .reply(200)
    }
    let world = World([1])
    let sender = world.sender()
    let first = sender.send(to: service(server))
    #expect(sender.send(to: service(server)) == nil)
    gate.open()
    await first?.value
    world.state.withLock {
      $0.isClaimed = true
      $0.lines.append(2)
    }
    world.wait(60)
    await sender.send(to: service(server))?.value
    #expect(server.connections == 1)
  }

  @Test(
    "A changed log address is tried at once, and setting the clock back delays nothing")
  func changes() async throws {
    let away = try HTTPServer { _, _ in .reply(500) }
    let (server, world) = (try HTTPServer(), World([1]))
    let sender = world.sender()
    await sender.send(to: service(away))?.value
    await sender.send(to: service(server))?.value
    #expect(world.sent == 1)
    world.state.withLock { $0.lines.append(2) }
    world.wait(-90_000)
    await sender.send(to: service(server))?.value
    #expect(world.sent == 2)
  }
}
