import Clients
import Cryptography
import Domain
import FoundationEssentials
import ServerProtocol
import ServerTesting
import Store
import Synchronization
import Testing

@testable import Server

@Suite("Hostile requests", .timeLimit(.minutes(2)))
struct HostileTests {
  /// Sends bytes and returns the status of the answer, or `nil` if the connection was closed.
  private func status(_ bytes: Data, at world: ServerWorld) async throws -> Int? {
    try await RawHTTP.blocking { [port = world.port] in
      let connection = try RawHTTP.Connection(port: port)
      do {
        try connection.send(bytes)
        return try connection.receive().status
      } catch is RawHTTP.Failure {
        return nil
      }
    }
  }

  private func request(_ head: String, _ body: String = "") -> Data {
    Data((head.replacing("\n", with: "\r\n") + "\r\n\r\n" + body).utf8)
  }

  @Test("A malformed request gets an error or no answer, and the server keeps answering others")
  func malformed() async throws {
    let world = try ServerWorld(requestTimeout: .milliseconds(200))
    let ada = try await world.signUp("Ada")
    let token = "Authorization: Bearer \(ada.token!)"
    let key = "Idempotency-Key: \(UUID())"
    let post = "POST /v1/check-ins HTTP/1.1\nHost: a\n\(token)\n\(key)\n"
    let body = #"{"source":"manual"}"#
    let requests: [Data] = [
      request("GARBAGE"), request("GET"), Data([0, 1, 2, 255, 254, 13, 10, 13, 10]),
      request(post + "Content-Length: 5\nContent-Length: 19", body),
      request(post + "Content-Length: -1", body), request(post + "Content-Length: 1e3", body),
      request(post + "Content-Length: 99999999999999999999", body),
      request(post + "Content-Length: 2147483648", body),
      request(post + "Content-Length: 19\nTransfer-Encoding: chunked", body),
      request(post + "Transfer-Encoding: chunked", "zz\r\n\(body)\r\n0\r\n\r\n"),
      request(post + "Content-Length: 7", "\u{0}\u{1}\u{2}abcd"),
      request(post + "Content-Length: 2", "[]"), request(post + "Content-Length: 0"),
      request(
        "GET /v1/me HTTP/1.1\nHost: a\n"
          + String(repeating: "X-A: \(String(repeating: "b", count: 100))\n", count: 400)),
      request("GET /" + String(repeating: "a/", count: 10_000) + " HTTP/1.1\nHost: a"),
      request("GET /v1/contacts/%00%FF%2e%2e/files HTTP/1.1\nHost: a\n\(token)"),
      request("GET /v1/notifications?limit=%ff&filter=%7b HTTP/1.1\nHost: a\n\(token)"),
      request("TRACE / HTTP/1.1\nHost: a"), request("CONNECT a:1 HTTP/1.1\nHost: a"),
      request(
        "GET /v1/me HTTP/1.1\nHost: a\nAuthorization: Bearer "
          + String(repeating: "f", count: 5_000)),
      request("GET /v1/me HTTP/1.1\nHost: a\nAuthorization: Basic YTpi"),
    ]
    for (number, bytes) in requests.enumerated() {
      let status = try await status(bytes, at: world)
      #expect(status.map { (400...599).contains($0) } ?? true, "request \(number): \(status ?? 0)")
      #expect(status != 500, "request \(number)")
    }
    #expect(try await ada.clients.userClient.currentUser().checkInSequence == 0)
  }

  @Test("JSON nested 60,000 levels deep or with huge numbers is refused")
  func deepBodies() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    for body in [
      String(repeating: "[", count: 60_000), String(repeating: #"{"a":"#, count: 10_000),
      #"{"source":1e999}"#, #"{"source":"\ud800"}"#, #"{"source":"manual","source":"x"}"#,
      #"{"delay":{"seconds":99999999999999999999999}}"#,
    ] {
      let answer = try await ada.raw(
        ServerRequest(.post, "/v1/check-ins", body: Data(body.utf8), idempotencyKey: UUID()))
      #expect(
        [400, 422].contains(answer.status) || body.contains("x"),
        "\(body.prefix(20)) \(answer.status)")
    }
  }

  @Test("Text from a refused request appears in no answer and no log line")
  func reflection() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    let planted = "planted-4711"
    for request in [
      ServerRequest(
        .post, "/v1/check-ins", body: Data(#"{"source":"\#(planted)"}"#.utf8),
        idempotencyKey: UUID()),
      ServerRequest(
        .post, "/v1/pings", body: Data(#"{"contact":"\#(planted)"}"#.utf8), idempotencyKey: UUID()),
      ServerRequest(.get, "/v1/\(planted)"), ServerRequest(.get, "/v1/files/\(planted)"),
      ServerRequest(
        .post, "/v1/sessions",
        body: Data(#"{"email":"\#(planted)@example.org","password":"\#(planted)"}"#.utf8),
        idempotencyKey: UUID()),
    ] {
      let answer = try await ada.raw(request)
      #expect(answer.status >= 400 && !answer.text.contains(planted), "\(answer.text)")
      #expect(answer.headers["cache-control"] == "no-store")
      #expect(answer.headers["set-cookie"] == nil)
      #expect(answer.headers["access-control-allow-origin"] == nil)
    }
    let lines = try world.log.withLock {
      try String(decoding: JSONEncoder().encode($0), as: UTF8.self)
    }
    #expect(!lines.contains(planted) && !lines.contains("ada@") && !lines.contains(ada.token!))
    #expect(lines.contains("CheckInClient.checkIn"))
  }

  @Test("Requests sent in one packet are answered in order")
  func pipelining() async throws {
    let world = try ServerWorld()
    let one = RawHTTP.text("GET", "/healthz")
    let statuses = try await RawHTTP.blocking { [port = world.port] in
      let connection = try RawHTTP.Connection(port: port)
      try connection.send(one + one + RawHTTP.text("GET", "/v1/nothing") + one)
      return try (0..<4).map { _ in try connection.receive().status }
    }
    #expect(statuses == [200, 200, 404, 200])
  }

  @Test("A body that is too large is refused with 413 before it is read")
  func largeBody() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    let request = ServerRequest(
      .post, "/v1/alerts",
      body: Data(#"{"message":"\#(String(repeating: "a", count: 70_000))"}"#.utf8),
      idempotencyKey: UUID())
    #expect(try await ada.raw(request).status == 413)
    let head = "POST /v1/alerts HTTP/1.1\nHost: a\nContent-Length: 2000000000"
    let bytes = self.request(head)
    #expect(try await status(bytes, at: world) == 413)
  }

  @Test("300 connections with unfinished headers don't delay other clients")
  func slowHeaders() async throws {
    let world = try ServerWorld()
    let slow = try await RawHTTP.blocking { [port = world.port] in
      try (0..<300).map { _ in
        let connection = try RawHTTP.Connection(port: port)
        try connection.send("GET /v1/me HTTP/1.1\r\nHost: a\r\nX-Slow: ")
        return connection
      }
    }
    let answer = try await world.app().raw(ServerRequest(.get, "/healthz"))
    #expect(answer.status == 200 && slow.count == 300)
  }

  @Test("Sign-in attempts are limited for each address, whichever accounts they try")
  func guessing() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    var statuses: [Int] = []
    for number in 0..<30 {
      let body = #"{"email":"a\#(number)@example.org","password":"guess \#(number)"}"#
      statuses.append(
        try await world.app().raw(
          ServerRequest(.post, "/v1/sessions", body: Data(body.utf8), idempotencyKey: UUID())
        ).status)
    }
    #expect(statuses.prefix(15).allSatisfy { $0 == 401 })
    #expect(statuses.suffix(5).allSatisfy { $0 == 429 })
    // Signed-in clients aren't affected.
    _ = try await ada.clients.checkInClient.checkIn(.manual)
    world.now += 60
    let right = Credentials(email: "ada@example.org", password: Secret("password of Ada"))
    _ = try await world.app().clients.authClient.signIn(right)
  }

  @Test("Finding out who has an account needs an invitation and works only a few times")
  func addresses() async throws {
    func check(_ email: String, at world: ServerWorld, _ invite: String?) async -> ClientError? {
      let app = world.app()
      if let invite { app.headers.withLock { $0["LifeSignal-Invite"] = invite } }
      do throws(ClientError) {
        try await app.clients.authClient.checkSignUp(
          Credentials(email: email, password: Secret("a good password")))
        return nil
      } catch {
        return error
      }
    }
    for isKnown in [true, false] {
      let world = try ServerWorld(
        registration: .invite, url: isKnown ? "http://127.0.0.1" : "https://ls.example.org")
      let code = try await world.store.administration.invite(uses: 2, lifetime: .days(7))
      let ada = world.app()
      ada.headers.withLock { $0["LifeSignal-Invite"] = code }
      _ = try await ada.clients.authClient.createAccount(
        NewAccount(
          profile: Profile(name: "Ada"),
          credentials: Credentials(email: "ada@example.org", password: Secret("a good password"))))
      #expect(await check("ada@example.org", at: world, nil) == .inviteRequired)
      #expect(await check("bo@example.org", at: world, nil) == .inviteRequired)
      #expect(await check("ada@example.org", at: world, code) == .emailAlreadyInUse)
      var errors: [ClientError?] = []
      for number in 0..<30 {
        errors.append(await check("a\(number)@example.org", at: world, code))
      }
      #expect(errors.first == .some(nil) && !errors.contains(.inviteRequired))
      #expect(errors.suffix(5).allSatisfy { $0 != nil })
    }
  }

  @Test("Looking up who sent an invitation is limited to a few tries, whatever the code")
  func offers() async throws {
    // This also holds behind a proxy that isn't configured, where client addresses are unknown.
    for url in ["http://127.0.0.1", "https://ls.example.org"] {
      let world = try ServerWorld(registration: .invite, url: url)
      let app = world.app()
      app.headers.withLock { $0["LifeSignal-Invite"] = "guessed" }
      var statuses: [Int] = []
      for _ in 0..<30 {
        statuses.append(try await app.raw(ServerRequest(.get, "/v1/invitations/shown")).status)
      }
      #expect(statuses.first == 403 && statuses.suffix(5).allSatisfy { $0 == 429 }, "\(url)")
      #expect(world.log.withLock { $0.allSatisfy { $0.operation == "InvitationClient.offer" } })
    }
  }

  @Test(
    "Each session has a limited number of requests at once, and password hashing a limited queue")
  func limits() {
    let limits = RequestLimits()
    for _ in 0..<RequestLimits.inFlight { #expect(limits.begin("a")) }
    #expect(!limits.begin("a") && limits.begin("b"))
    limits.end("a")
    #expect(limits.begin("a"))
    for _ in 0..<RequestLimits.hashes { #expect(limits.beginHash()) }
    #expect(!limits.beginHash())
    limits.endHash()
    #expect(limits.beginHash())
    let now = Date(timeIntervalSince1970: 1_000)
    for _ in 0..<Int(RequestLimits.burst) { #expect(limits.take("c", now: now) == nil) }
    #expect(limits.take("c", now: now) == 3)
    #expect(limits.take("c", now: now - 100) == 3)
    #expect(limits.take("c", now: now + 3) == nil)
  }

  @Test("ALT-3: a device with too many requests at once still gets its alert through")
  func alertBeyondLimits() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    let session = SecureToken(text: ada.token!).digest
    for _ in 0..<RequestLimits.inFlight { #expect(world.server.limits.begin(session)) }
    await #expect(throws: ClientError.storage(.network(.rateLimited(retryAfter: .seconds(1))))) {
      _ = try await ada.clients.checkInClient.checkIn(.manual)
    }
    #expect(try await ada.clients.alertClient.raise("help").message == "help")
    guard case .raised = try await ada.clients.alertClient.arm(UUID(), "", .zero) else {
      Issue.record("an alert is on")
      return
    }
  }

  @Test("GET /readyz says which channels fail, but not why")
  func failingChannels() async throws {
    let world = try ServerWorld()
    #expect(try await world.app().raw(ServerRequest(.get, "/readyz")).status == 503)
    world.now += 1
    try await world.heartbeat(
      UUID(), MonitorProblem("mail is not set up on the server", kinds: [.email]))
    let answer = try await world.app().raw(ServerRequest(.get, "/readyz"))
    #expect(answer.status == 200 && answer.text == "ready, but nothing can be sent by email\n")
    world.now += 1
    try await world.heartbeat(UUID())
    #expect(
      try await world.store.administration.readiness().problem?.text
        == "mail is not set up on the server")
  }

  @Test("The server's readiness is checked at most once a second, however many clients ask")
  func readiness() async {
    let checks = Mutex(0)
    let now = Mutex(Date(timeIntervalSince1970: 1_000))
    let readiness = Readiness(now: { now.withLock(\.self) }) {
      checks.withLock { $0 += 1 }
      return (true, true, 1, nil)
    }
    await withTaskGroup { group in
      for _ in 0..<20 { group.addTask { #expect(await readiness.latest()?.monitors == 1) } }
    }
    #expect(checks.withLock(\.self) == 1)
    now.withLock { $0 += 1 }
    _ = await readiness.latest()
    #expect(checks.withLock(\.self) == 2)
    // A clock that was set back doesn't keep an old answer.
    now.withLock { $0 -= 3_600 }
    _ = await readiness.latest()
    #expect(checks.withLock(\.self) == 3)
  }

  @Test(
    "A device's name is shown in one line of at most 64 characters, without control characters")
  func deviceName() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    for (name, shown) in [
      ("phone", "phone"), ("a\u{1B}[31mb\u{202E}gpj", "a[31mbgpj"), ("\u{7}", "another machine"),
      (String(repeating: "x", count: 100), String(repeating: "x", count: 64)),
    ] {
      let app = world.app()
      app.headers.withLock { $0["LifeSignal-Device"] = name }
      _ = try await app.clients.authClient.signIn(
        Credentials(email: "ada@example.org", password: Secret("password of Ada")))
      #expect(try await ada.clients.authClient.sessions().map(\.device).contains(shown), "\(shown)")
    }
  }

  @Test(
    "A storage error sent to clients names no table or value and keeps only the engine's code",
    arguments: [
      ("CHECK constraint failed: length(name) BETWEEN 1 AND 200 (SQLite 275)", " (SQLite 275)"),
      ("duplicate key (email)=(ada@example.org) (PostgreSQL 23505)", " (PostgreSQL 23505)"),
      ("duplicate key (email)=(ada@example.org)", ""), ("no room (SQLite 13) left", ""), ("", ""),
    ])
  func internals(_ reason: String, _ code: String) throws {
    let refusal = ServerRefusal(ClientError.storage(.unknown(reason)), now: Date())
    #expect(refusal.error == .storage(.unknown("the server's store failed" + code)))
  }

  @Test("A link with an unknown code gets a 404 page that says there is nothing to do")
  func pages() async throws {
    let world = try ServerWorld()
    let answer = try await world.app().raw(ServerRequest(.get, "/a/7K3QF9ZD2M"))
    #expect(answer.status == 404 && answer.text.contains("Nothing to do here"))
    #expect(answer.headers["content-security-policy"]?.contains("default-src 'none'") == true)
  }

  @Test("Behind a proxy that isn't configured, client addresses count as unknown")
  func unknownAddresses() {
    var settings = ServerSettings(url: "https://ls.example.org", host: "127.0.0.1", port: 1)
    #expect(!settings.knowsAddresses)
    settings.proxy = "127.0.0.1"
    #expect(settings.knowsAddresses)
  }

  @Test("GET /metrics needs its token if one is set; without one it answers this machine")
  func metrics() async throws {
    let world = try ServerWorld(metricsToken: "secret")
    #expect(try await world.app().raw(ServerRequest(.get, "/metrics")).status == 404)
    let answer = try await world.app(token: "secret").raw(ServerRequest(.get, "/metrics"))
    #expect(answer.status == 200 && answer.text.contains("lifesignal_accounts 0"))
    let open = try ServerWorld()
    #expect(try await open.app().raw(ServerRequest(.get, "/metrics")).status == 200)
    #expect(try await open.app().raw(ServerRequest(.get, "/readyz")).status == 503)
  }
}
