import Clients
import DeliveryTesting
import Domain
import FoundationEssentials
import Testing

@testable import Curl
@testable import Delivery

/// Exchanges with a real, misbehaving server on this machine.
@Suite(.timeLimit(.minutes(2)))
struct HTTPClientTests {
  func result(
    _ request: HTTPRequest, timeout: Duration = .seconds(20)
  ) async -> HTTPResult {
    var request = request
    request.limits = .init(connect: .seconds(20), total: timeout)
    return await HTTPClient.live.send(request)
  }

  @Test(
    "Every method sends what it was given and reads the answer",
    arguments: [HTTPRequest.Method.get, .post, .put, .delete])
  func methods(method: HTTPRequest.Method) async throws {
    let server = try HTTPServer { _, _ in .reply(201, body: "grüß dich") }
    let body = method == .get ? "" : "ä\0b"
    let result = await result(
      HTTPRequest(
        method: method, url: server.url + "/p?q=1",
        headers: [(name: "X-One", value: "1"), (name: "Content-Type", value: "text/x")],
        body: Data(body.utf8)))
    let reply = try result.reply
    #expect(reply.status == 201)
    #expect(reply.body == Data("grüß dich".utf8))
    #expect(reply.isWhole)
    let request = try #require(server.requests.first)
    #expect(request.method == method.rawValue)
    #expect(request.path == "/p?q=1")
    #expect(request.body == body)
    #expect(request.headers["x-one"] == "1")
    #expect(request.headers["content-type"] == "text/x")
    #expect(request.headers["user-agent"] == "LifeSignal")
    #expect(request.headers["expect"] == nil)
    #expect(server.connections == 1)
  }

  @Test("CHN-2: where there is no memory to begin with, it is tried again")
  func noMemory() async throws {
    let server = try HTTPServer()
    let result = HTTPTransfer.run(
      HTTPRequest(url: server.url), CurlHandles(most: 0, make: { nil }))
    #expect(
      DeliveryOutcome(result, service: "the webhook", now: start)
        == .retry(
          reason: "the webhook could not be reached (libcurl could not be started)", after: nil))
    #expect(server.connections == 0)
  }

  @Test("An empty POST is one")
  func emptyPost() async throws {
    let server = try HTTPServer()
    #expect(try await result(HTTPRequest(url: server.url)).reply.status == 200)
    #expect(server.requests.map(\.method) == ["POST"])
    #expect(server.requests.first?.headers["content-length"] == "0")
  }

  @Test("Fault 18: a reply of 50 MB is cut off at 64 KiB, and its status holds")
  func largeReply() async throws {
    let server = try HTTPServer { _, _ in .large(200, bytes: 50_000_000) }
    guard case .reply(let reply) = await result(HTTPRequest(url: server.url)) else {
      Issue.record("no reply")
      return
    }
    #expect(reply.status == 200)
    #expect(!reply.isWhole)
    #expect(reply.body.count <= HTTPRequest(url: server.url).replyLimit)
    #expect(server.bytesSent < 20_000_000)
  }

  @Test("Fault 18: a header without end is no answer")
  func endlessHeader() async throws {
    let server = try HTTPServer { _, _ in .endlessHeader }
    guard case .reply(let reply) = await result(HTTPRequest(url: server.url)) else {
      Issue.record("the status came first")
      return
    }
    #expect(!reply.isWhole)
  }

  @Test("Fault 18: a reply that is cut has the status that it began with")
  func cutReply() async throws {
    let server = try HTTPServer { _, _ in .cutReply(503) }
    guard case .reply(let reply) = await result(HTTPRequest(url: server.url)) else {
      Issue.record("no reply")
      return
    }
    #expect(reply.status == 503)
    #expect(!reply.isWhole)
  }

  @Test("A request that accepts no cut reply fails where the reply is cut or too large")
  func wholeReplies() async throws {
    for (answer, fault) in [
      (HTTPServer.Answer.large(200, bytes: 70_000), "replyTooLarge"),
      (.endlessHeader, "replyTooLarge"), (.cutReply(200), "unanswered"),
    ] {
      let server = try HTTPServer { _, _ in answer }
      var request = HTTPRequest(url: server.url)
      request.acceptsCutReplies = false
      guard case .failed(let error) = await result(request) else {
        Issue.record("\(answer) was accepted")
        continue
      }
      #expect("\(error)".hasPrefix(fault), "\(error)")
    }
  }

  @Test("A request that can be cancelled ends with its task")
  func cancellation() async throws {
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    let server = try HTTPServer { _, _ in
      arrival.yield()
      return .silence
    }
    var request = HTTPRequest(url: server.url)
    request.isCancellable = true
    let task = Task { [request] in await result(request, timeout: .seconds(100)) }
    for await _ in arrivals { break }
    task.cancel()
    #expect(await task.value == .failed(.cancelled))
  }

  @Test("Redirects are not followed")
  func redirect() async throws {
    let trap = try HTTPServer()
    let server = try HTTPServer { _, _ in .reply(302, headers: ["Location": trap.url + "/"]) }
    #expect(try await result(HTTPRequest(url: server.url)).reply.status == 302)
    #expect(trap.connections == 0)
    #expect(server.connections == 1)
  }

  @Test("Retry-After is read as it was written")
  func retryAfter() async throws {
    let server = try HTTPServer { _, _ in .reply(429, headers: ["retry-AFTER": " 120 "]) }
    let reply = try await result(HTTPRequest(url: server.url)).reply
    #expect(reply.status == 429)
    #expect(reply.headers["retry-after"] == "120")
  }

  @Test(
    "What is no web address, names a user, or would go out without encryption is not used",
    arguments: [
      "", "file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "smtp://127.0.0.1",
      "http://example.org/", "https://user:secret@example.org/", "https://", "dict://127.0.0.1:1/",
    ])
  func unusable(url: String) async {
    #expect(await result(HTTPRequest(url: url)) == .failed(.unusable("the address cannot be used")))
  }

  @Test("A field with a line break refuses the whole request", arguments: ["a\r\nX: b", "a\0b"])
  func headerInjection(value: String) async throws {
    let server = try HTTPServer()
    let request = HTTPRequest(url: server.url, headers: [(name: "X-One", value: value)])
    #expect(await result(request) == .failed(.unusable("a header field cannot be sent")))
    #expect(server.connections == 0)
  }

  @Test("A name that leads to this machine is refused when it is about to be reached")
  func rebinding() async throws {
    // libcurl resolves every name below localhost to this machine.
    let server = try HTTPServer()
    let url = "https://rebind.localhost:\(server.port)/"
    #expect(
      await result(HTTPRequest(url: url))
        == .failed(.refusedAddress("this machine itself", isLiteral: false)))
    #expect(server.connections == 0)
  }

  @Test(
    "An address that is written out is refused in each of its spellings",
    arguments: [
      "https://169.254.169.254/latest", "https://2852039166/", "https://0xA9.0xFE.0xA9.0xFE/",
      "https://0251.0376.0251.0376/", "https://[::ffff:169.254.169.254]/", "https://[fe80::1]/",
      "https://0.0.0.0/", "https://224.0.0.1/",
    ])
  func literal(url: String) async {
    guard
      case .failed(.refusedAddress(_, isLiteral: true)) = await result(HTTPRequest(url: url))
    else {
      Issue.record("\(url) was not refused")
      return
    }
  }

  @Test("Nobody there, nothing sent")
  func refusedConnection() async throws {
    let server = try HTTPServer()
    let url = server.url
    server.close()
    guard case .failed(.notSent(let kind)) = await result(HTTPRequest(url: url)) else {
      Issue.record("it was sent")
      return
    }
    #expect(kind.cause == .noConnection)
  }

  @Test("A connection that ends, or a time that is up, after the request had left leaves it open")
  func unanswered() async throws {
    for (answer, cause) in [
      (HTTPServer.Answer.cut, HTTPFailureKind.Cause.connectionLost), (.silence, .timedOut),
      (.raw("nonsense\r\n"), .connectionLost),
    ] {
      let server = try HTTPServer { _, _ in answer }
      let result = await result(HTTPRequest(url: server.url), timeout: .milliseconds(500))
      guard case .failed(.unanswered(let kind)) = result else {
        Issue.record("\(answer): \(result)")
        continue
      }
      #expect(kind.cause == cause)
    }
  }

  @Test("Fault 18: a server that answers a byte at a time is given up in time")
  func drip() async throws {
    let header = try HTTPServer { _, _ in .dripHeader }
    let first = await result(HTTPRequest(url: header.url), timeout: .milliseconds(500))
    guard case .reply(let begun) = first else {
      Issue.record("\(first)")
      return
    }
    #expect(begun.status == 200 && !begun.isWhole)
    let body = try HTTPServer { _, _ in .drip(200) }
    let second = await result(HTTPRequest(url: body.url), timeout: .milliseconds(500))
    guard case .reply(let reply) = second else {
      Issue.record("\(second)")
      return
    }
    #expect(reply.status == 200 && !reply.isWhole)
  }
}

extension HTTPResult {
  /// The reply; a test fails where there is none.
  var reply: HTTPReply {
    get throws {
      if case .reply(let reply) = self { return reply }
      throw NoReply(result: self)
    }
  }

  private struct NoReply: Error { var result: HTTPResult }
}

/// HTTP over TLS with a server in Python.
@Suite(
  .enabled("needs python3 and openssl") { TLSServer.obstacle == nil }, .timeLimit(.minutes(1)))
struct HTTPSClientTests {
  func result(host: String, _ server: TLSServer, trusted: Bool = true) async -> HTTPResult {
    await HTTPClient.live(authorities: trusted ? server.certificate : nil).send(
      HTTPRequest(
        url: "https://\(host):\(server.port)/hook", body: Data("{}".utf8),
        limits: .init(connect: .seconds(20))))
  }

  @Test("A certificate that is vouched for is believed")
  func trusted() async throws {
    let server = try TLSServer(.https)
    #expect(try await result(host: "127.0.0.1", server).reply.status == 204)
    #expect(server.conversation() == ["POST /hook HTTP/1.1"])
  }

  @Test("One that nobody vouches for, or for another name, gets nothing")
  func untrusted() async throws {
    let unknown = try TLSServer(.https)
    #expect(await result(host: "127.0.0.1", unknown, trusted: false) == .failed(.notTrusted))
    #expect(unknown.conversation() == ["BROKEN"])
    let other = try TLSServer(.https)
    #expect(await result(host: "localhost", other) == .failed(.notTrusted))
    #expect(!other.conversation().contains { $0.hasPrefix("POST") })
  }

  @Test("A server without TLS gets nothing")
  func plainServer() async throws {
    let server = try HTTPServer()
    let result = await HTTPClient.live.send(
      HTTPRequest(
        url: "https://127.0.0.1:\(server.port)/",
        limits: .init(connect: .seconds(2), total: .seconds(2))))
    guard case .failed(.notSent) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(server.requests.isEmpty)
  }
}
