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
    "Every HTTP method sends its path, headers and body and reads the answer",
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

  @Test("CHN-2: if libcurl can't be started for lack of memory, the message is retried")
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

  @Test("A POST without a body is sent as a POST with length 0")
  func emptyPost() async throws {
    let server = try HTTPServer()
    #expect(try await result(HTTPRequest(url: server.url)).reply.status == 200)
    #expect(server.requests.map(\.method) == ["POST"])
    #expect(server.requests.first?.headers["content-length"] == "0")
  }

  @Test("Fault 18: a reply of 50 MB is cut off at 64 KiB, and its status still counts")
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

  @Test("Fault 18: a reply with an endless header counts as incomplete")
  func endlessHeader() async throws {
    let server = try HTTPServer { _, _ in .endlessHeader }
    guard case .reply(let reply) = await result(HTTPRequest(url: server.url)) else {
      Issue.record("the status came first")
      return
    }
    #expect(!reply.isWhole)
  }

  @Test("Fault 18: a reply that is cut off keeps its status and counts as incomplete")
  func cutReply() async throws {
    let server = try HTTPServer { _, _ in .cutReply(503) }
    guard case .reply(let reply) = await result(HTTPRequest(url: server.url)) else {
      Issue.record("no reply")
      return
    }
    #expect(reply.status == 503)
    #expect(!reply.isWhole)
  }

  @Test("A request that needs a whole reply fails if the reply is cut off or too large")
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

  @Test("Cancelling its task ends a request that can be cancelled")
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

  @Test("A Retry-After header is found in any case, and spaces around its value are removed")
  func retryAfter() async throws {
    let server = try HTTPServer { _, _ in .reply(429, headers: ["retry-AFTER": " 120 "]) }
    let reply = try await result(HTTPRequest(url: server.url)).reply
    #expect(reply.status == 429)
    #expect(reply.headers["retry-after"] == "120")
  }

  @Test(
    "Addresses that aren't on the web, contain a user or lack encryption are refused",
    arguments: [
      "", "file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "smtp://127.0.0.1",
      "http://example.org/", "https://user:secret@example.org/", "https://", "dict://127.0.0.1:1/",
    ])
  func unusable(url: String) async {
    #expect(await result(HTTPRequest(url: url)) == .failed(.unusable("the address cannot be used")))
  }

  @Test(
    "A header value with a line break or a null character refuses the whole request",
    arguments: ["a\r\nX: b", "a\0b"])
  func headerInjection(value: String) async throws {
    let server = try HTTPServer()
    let request = HTTPRequest(url: server.url, headers: [(name: "X-One", value: value)])
    #expect(await result(request) == .failed(.unusable("a header field cannot be sent")))
    #expect(server.connections == 0)
  }

  @Test("A name that resolves to this machine is refused before a connection is made")
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
    "A forbidden address is refused in every notation",
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

  @Test("If no server listens, the result says that nothing was sent")
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

  @Test("A request whose connection ends or times out after sending counts as unanswered")
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

  @Test("Fault 18: a server that answers byte by byte is given up at the time limit")
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

  @Test("An HTTPS request to a server with a trusted certificate is sent")
  func trusted() async throws {
    let server = try TLSServer(.https)
    #expect(try await result(host: "127.0.0.1", server).reply.status == 204)
    #expect(server.conversation() == ["POST /hook HTTP/1.1"])
  }

  @Test("A server with an untrusted certificate, or one for another name, gets no request")
  func untrusted() async throws {
    let unknown = try TLSServer(.https)
    #expect(await result(host: "127.0.0.1", unknown, trusted: false) == .failed(.notTrusted))
    #expect(unknown.conversation() == ["BROKEN"])
    let other = try TLSServer(.https)
    #expect(await result(host: "localhost", other) == .failed(.notTrusted))
    #expect(!other.conversation().contains { $0.hasPrefix("POST") })
  }

  @Test("A server without TLS gets nothing of an HTTPS request")
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
