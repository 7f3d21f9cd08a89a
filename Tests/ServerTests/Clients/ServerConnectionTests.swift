import Clients
import Composable
import ComposableTesting
import Cryptography
import DeliveryTesting
import Domain
import Foundation
import ServerProtocol
import ServerTesting
import SharedPlatform
import Synchronization
import TestSupport
import Testing

@Suite struct ServerConnectionTests {
  @Test("A person signs up, checks in, and signs in on another device")
  func online() async throws {
    let world = try ServerWorld()
    let app = try JoinedApp(port: world.port)
    let user = try await app.signUp()
    #expect(app.kept.token != nil)
    #expect(try await app.clients.checkInClient.checkIn(.manual).id == user.id)
    let other = try JoinedApp(port: world.port)
    let credentials = Credentials(email: "ida@example.org", password: Secret("four random words"))
    #expect(try await other.clients.authClient.signIn(credentials) == user.id)
    #expect(
      try await other.clients.authClient.sessions().map(\.device) == ["a laptop", "a laptop"])
    #expect(try await other.clients.contactsClient.overview(naming: 3).responderCount == 0)
    #expect(try await other.clients.watchClient.status().monitors == 0)
    try await other.clients.watchClient.start()
  }

  @Test(
    "A server's statement has its version and how far its clock is from this machine's",
    arguments: [-90, 0, 90])
  func statement(lead: Int) async throws {
    let world = try ServerWorld()
    func ask(port: Int) async throws -> ServerConnection.Statement {
      try await ServerConnection(
        to: JoinedServer(url: "http://127.0.0.1:\(port)"), device: "",
        tokens: .init(
          load: { () throws(KeychainError) in nil }, keep: { (_: String?) throws(KeychainError) in }
        ),
        now: { Date() - .seconds(lead) }
      ).statement()
    }
    let statement = try await ask(port: world.port)
    #expect(statement.version == Version.current)
    // The server's date has whole seconds, and the machine may be busy.
    #expect(try abs(#require(statement.clockLead).seconds - lead) <= 10)
    let other = try HTTPServer { _, _ in .reply(200, body: "a web page") }
    await #expect(throws: NetworkError.notLifeSignal(200)) {
      _ = try await ask(port: other.port)
    }
  }

  @Test("The Date of every answer updates how far the server's clock is from this machine's")
  func clockLead() async throws {
    let device = Date(timeIntervalSince1970: 2 * 3_600)
    let server = try HTTPServer { _, number in
      // The dates are an hour apart. The third answer has none.
      let date = "Thu, 01 Jan 1970 0\(number):00:00 GMT"
      let headers = ["Content-Type": "application/json", "Date": date]
      return .reply(
        200, headers: headers.filter { $0.key != "Date" || number < 3 }, body: "[]")
    }
    let connection = try ServerConnection(
      to: JoinedServer(url: server.url), device: "",
      tokens: .init(
        load: { () throws(KeychainError) in nil }, keep: { (_: String?) throws(KeychainError) in }),
      now: { device })
    var values = DependencyValues()
    values.context = .test
    SharedPlatform(connection).install(in: &values)
    #expect(values.connectionClient.clockLead() == .zero)
    for lead in [TimeSpan.hours(-1), .zero, .zero] {
      _ = try await values.contactsClient.contacts()
      #expect(abs(values.connectionClient.clockLead().seconds - lead.seconds) <= 1)
      #expect(values.dateClient.now() == device + values.connectionClient.clockLead())
    }
  }

  @Test("A wrong password ends no session; the token of a revoked session is deleted")
  func revoked() async throws {
    let world = try ServerWorld()
    let app = try JoinedApp(port: world.port)
    _ = try await app.signUp()
    await #expect(throws: ClientError.invalidCredentials) {
      try await app.clients.authClient.deleteAccount(Secret("another password"))
    }
    let token = try #require(app.kept.token)
    let second = try JoinedApp(port: world.port, token: token)
    let sessions = try await second.clients.authClient.sessions()
    try await second.clients.authClient.revokeSession(try #require(sessions.first).id)
    #expect(app.kept.token != nil)
    await #expect(throws: ClientError.sessionExpired) {
      try await app.clients.userClient.currentUser()
    }
    #expect(app.kept.token == nil)
  }

  @Test("An app with an outdated token takes the token of another program on this machine")
  func followed() async throws {
    let world = try ServerWorld()
    let app = try JoinedApp(port: world.port, token: "stale")
    let other = try JoinedApp(port: world.port)
    let user = try await other.signUp()
    app.kept.token = other.kept.token
    #expect(try await app.clients.userClient.currentUser().id == user.id)
  }

  @Test("A large upload is sent in parts and can be read back in parts")
  func parts() async throws {
    let world = try ServerWorld()
    let app = try JoinedApp(port: world.port)
    _ = try await app.signUp()
    let data = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    var last: UploadEvent?
    let metadata = StorageMetadata(
      name: "a.txt", contentType: ContentType(of: data), access: .always)
    for await event in app.clients.fileStorageClient.upload(data, metadata) { last = event }
    guard case .completed(let document) = last else {
      Issue.record("\(String(describing: last))")
      return
    }
    #expect(document.size == data.count)
    let part = try await app.clients.fileStorageClient.read(
      StoredFileURL(document.id), 100_000, 200_000)
    #expect(part == data[100_000..<300_000])
  }

  @Test("Observers get a new value after another device changes it")
  func observed() async throws {
    let world = try ServerWorld()
    let app = try JoinedApp(port: world.port)
    _ = try await app.signUp()
    let other = try JoinedApp(port: world.port, token: app.kept.token)
    var users = app.clients.userClient.observeCurrentUser().makeAsyncIterator()
    let first = try #require(try await users.next())
    var records = app.clients.checkInClient.observeRecord(CivilCalendar.utc).makeAsyncIterator()
    #expect(try await records.next()?.marks.count == 1)
    world.now += 3_600
    _ = try await other.clients.checkInClient.checkIn(.manual)
    let second = try #require(try await users.next())
    #expect(second.lastCheckIn == first.lastCheckIn + .hours(1))
  }

  @Test("An observed value fails when the server goes away, so that the screen can say so")
  func goneWhileObserved() async throws {
    let server = try HTTPServer { request, _ in
      request.path.hasPrefix("/v1/observed") && request.headers["if-none-match"] == nil
        ? .reply(200, headers: ["Content-Type": "application/json", "ETag": "\"1\""], body: "[]")
        : .cut
    }
    let app = try JoinedApp(port: server.port, token: "token")
    var alerts = app.clients.alertClient.observe(3).makeAsyncIterator()
    #expect(try await alerts.next()?.isEmpty == true)
    await #expect(throws: app.unreachable) {
      _ = try await alerts.next()
    }
  }

  @Test("An error in the body counts even if the status is 200")
  func errorInASuccess() async throws {
    let server = try HTTPServer { _, _ in
      .reply(200, headers: Self.json, body: #"{"error":{"contactNotFound":{}},"message":"x"}"#)
    }
    let app = try JoinedApp(port: server.port, token: "token")
    await #expect(throws: ClientError.contactNotFound) {
      _ = try await app.clients.contactsClient.contacts()
    }
    // An operation without a result accepts any body otherwise.
    await #expect(throws: ClientError.contactNotFound) {
      try await app.clients.notificationClient.markAllAsRead()
    }
  }

  @Test(
    "A failed request is logged with its route, status and retries, but without its code or token")
  func loggedRequest() async throws {
    let server = try HTTPServer { _, _ in .reply(502, headers: ["Content-Type": "text/html"]) }
    let app = try JoinedApp(port: server.port, token: "secret")
    let entries = Mutex<[LogEntry]>([])
    var values = app.clients
    values.dateClient = .constant(Date(timeIntervalSince1970: 0))
    values.errorLogger = ErrorLogger(
      write: { entry in entries.withLock { $0.append(entry) } }, entries: { _, _ in [] })
    values.logClientCalls()
    await withDependencies {
      $0 = values
    } operation: {
      _ = try? await values.responseClient.invitation("7K3QF9ZD2M")
    }
    let entry = try #require(entries.withLock(\.self).first)
    #expect(entry.code == "SERVER_UNREACHABLE")
    #expect(entry.call?.endpoint == "GET /v1/responses/{code}")
    #expect(entry.call?.status == 502)
    #expect(entry.call?.retries == 2)
    #expect(!entry.jsonLine.contains("7K3QF") && !entry.jsonLine.contains("secret"))
  }

  private static let json = ["Content-Type": "application/json"]

  @Test(
    "Each kind of wrong answer has its own error; no answer, or a proxy's, means unreachable",
    arguments: [
      (
        HTTPServer.Answer.reply(200, headers: ["Content-Type": "text/html"], body: "<p>Sign in"),
        NetworkError?.some(.notLifeSignal(200))
      ),
      (.reply(302, headers: ["Location": "http://127.0.0.1:1/"]), .notLifeSignal(302)),
      (.reply(404, headers: ["Content-Type": "text/html"]), .notLifeSignal(404)),
      (.reply(200, headers: json, body: "{"), .answerUnreadable),
      (.reply(200, headers: json, body: #"{"id": 7}"#), .answerUnreadable),
      (.reply(200, headers: json, body: "\u{0}"), .answerUnreadable),
      (.reply(426, headers: json, body: "{}"), .versionRefused),
      (.reply(429, headers: ["Retry-After": "7"]), .rateLimited(retryAfter: .seconds(7))),
      (.reply(502, headers: ["Content-Type": "text/html"]), nil),
      (.large(200, bytes: 2 << 20), .answerTooLarge), (.endlessHeader, .answerTooLarge),
      (.cut, nil), (.cutReply(200), nil), (.silence, nil),
      (.drip(200), nil), (.raw("SSH-2.0-OpenSSH\r\n"), nil),
    ])
  func lying(answer: HTTPServer.Answer, error: NetworkError?) async throws {
    let server = try HTTPServer { _, _ in answer }
    var limits = ServerConnection.Limits()
    limits.read = .milliseconds(500)
    limits.retries.maxRetries = 0
    limits.answer = 1 << 20
    let app = try JoinedApp(
      JoinedServer(url: "http://127.0.0.1:\(server.port)"), token: "token", limits: limits)
    await #expect(throws: error.map { .storage(.network($0)) } ?? app.unreachable) {
      try await app.clients.userClient.currentUser()
    }
    #expect(server.requests.count == 1, "nothing is followed")
    #expect(app.kept.token == "token")
  }

  @Test(
    "From a newer server, unknown fields are ignored; unknown errors show the server's sentence")
  func newer() async throws {
    let server = try HTTPServer { request, _ in
      switch request.path {
      case "/v1/watch":
        .reply(200, headers: Self.json, body: #"{"monitors":2,"orbit":{"height":[7]}}"#)
      case "/v1/notifications/unread":
        .reply(
          418, headers: Self.json,
          body: #"{"error":{"teapot":{}},"message":"It is tea time.","kettle":1}"#)
      default:
        // A case that this version of the app doesn't know.
        .reply(200, headers: Self.json, body: #"{"signedInElsewhere":{"_0":"Mars"}}"#)
      }
    }
    let app = try JoinedApp(port: server.port, token: "token")
    #expect(try await app.clients.watchClient.status() == WatchStatus(monitors: 2))
    await #expect(throws: ClientError.storage(.unknown("It is tea time."))) {
      try await app.clients.notificationClient.unreadCount()
    }
    await #expect(throws: ClientError.storage(.network(.answerUnreadable))) {
      try await app.clients.authClient.state()
    }
    #expect(app.kept.token == "token")
  }

  @Test("A server's text is cleaned and shortened, and no error contains a token or a password")
  func words() async throws {
    let words = "no\\u001b]0;x\\u0007 \\u202eevil" + String(repeating: "!", count: 500)
    let server = try HTTPServer { _, _ in
      .reply(418, headers: Self.json, body: #"{"message":"\#(words)"}"#)
    }
    let app = try JoinedApp(port: server.port, token: "token-of-ida")
    do {
      _ = try await app.clients.authClient.updatePassword(Secret("old one"), Secret("new one"))
      Issue.record("it was refused")
    } catch {
      let text = "\(error) \(error.text.sentence)"
      #expect(
        !text.contains("token-of-ida") && !text.contains("old one") && !text.contains("new one"))
      #expect(!text.unicodeScalars.contains { $0.value < 32 || $0.value == 0x202E })
      #expect(error.text.description.count < 300)
    }
  }

  @Test("WCH-1: a waiting device is notified when a monitor comes or goes")
  func monitors() async throws {
    let world = try ServerWorld()
    let app = try JoinedApp(port: world.port)
    _ = try await app.signUp()
    var statuses = app.clients.watchClient.observe().makeAsyncIterator()
    #expect(try await statuses.next()?.monitors == 0)
    let monitor = UUID()
    let start = world.now
    try await world.heartbeat(monitor)
    #expect(try await statuses.next() == WatchStatus(monitors: 1))
    #expect(try await app.clients.watchClient.status().lastSeen == start)
    await world.checkMonitors()
    world.now += 3_600
    #expect(try await statuses.next()?.monitors == 0)
  }

  @Test(
    "AUTH-2: a waiting device learns at once that its session was ended elsewhere")
  func endedWhileWaiting() async throws {
    let world = try ServerWorld()
    let app = try JoinedApp(port: world.port)
    let user = try await app.signUp()
    let other = try JoinedApp(port: world.port)
    let credentials = Credentials(email: "ida@example.org", password: Secret("four random words"))
    #expect(try await other.clients.authClient.signIn(credentials) == user.id)
    var states = other.clients.authClient.observeState().makeAsyncIterator()
    #expect(try await states.next() == .signedIn(user.id))
    try await app.clients.authClient.revokeOtherSessions()
    #expect(try await states.next() == .signedOut)
  }

  @Test("AUTH-2: a signed-out app finds the session of another program on this machine")
  func begunElsewhere() async throws {
    let world = try ServerWorld()
    let app = try JoinedApp(port: world.port)
    let user = try await app.signUp()
    let other = try JoinedApp(port: world.port)
    #expect(try await other.connection.nextChange(after: nil) == nil)
    #expect(try await other.clients.authClient.state() == .signedOut)
    // Programs of one machine have one keychain.
    other.kept.token = app.kept.token
    #expect(try await other.connection.nextChange(after: nil) != nil)
    #expect(try await other.clients.authClient.state() == .signedIn(user.id))
  }

  @Test("If the server is away, a check-in, a spooled alert and an invitation fail as unreachable")
  func away() async throws {
    let server = try HTTPServer()
    let app = try JoinedApp(port: server.port, token: "token")
    server.close()
    await #expect(throws: app.unreachable) {
      _ = try await app.clients.checkInClient.checkIn(.manual)
    }
    await #expect(throws: app.unreachable) {
      _ = try await app.clients.alertClient.spool(UUID(), "help", .zero)
    }
    await #expect(throws: app.unreachable) {
      _ = try await app.clients.invitationClient.create(.responder)
    }
  }

  @Test("After a lost answer, inviting again uses the same code until the server has confirmed it")
  func lostInvitation() async throws {
    let isAway = Mutex(true)
    let made = Invitation(
      id: UUID(), roles: .responder, createdAt: Date(timeIntervalSince1970: 0),
      expiresAt: Date(timeIntervalSince1970: 1))
    let text = String(decoding: try WireCoding.encode(made), as: UTF8.self)
    let server = try HTTPServer { _, _ in
      if isAway.withLock(\.self) { return .cut }
      return .reply(200, headers: ["Content-Type": "application/json"], body: text)
    }
    var limits = ServerConnection.Limits()
    limits.retries.maxRetries = 0
    let app = try JoinedApp(
      JoinedServer(url: "http://127.0.0.1:\(server.port)"), token: "token", limits: limits)
    func create(_ roles: Roles) async throws -> (digest: String, code: String?) {
      var link: String?
      do throws(ClientError) {
        link = try await app.clients.invitationClient.create(roles).link.value
      } catch {
        #expect(error == .storage(.network(.unanswered)))
      }
      let body = try #require(server.requests.last).body
      let digest = try #require(body.split(separator: "\"").first { $0.count == 64 })
      return (String(digest), try link.map { try ServerLink($0).code })
    }
    let lost = try await create(.responder)
    let other = try await create(.dependent)
    #expect(lost.code == nil && other.digest != lost.digest)
    isAway.withLock { $0 = false }
    let found = try await create(.responder)
    #expect(found.digest == lost.digest)
    #expect(SecureToken(text: try #require(found.code)).digest == lost.digest)
    #expect(try await create(.responder).digest != lost.digest)
    // It isn't reused after another sign-in.
    isAway.withLock { $0 = true }
    let last = try await create(.responder)
    try await app.connection.keep(Secret("another token"))
    #expect(try await create(.responder).digest != last.digest)
  }

  @Test("A typed invitation goes to its own server only; a link to another server is refused")
  func typedInvitation() async throws {
    let server = try HTTPServer { _, _ in
      .reply(200, headers: ["Content-Type": "application/json"], body: "[]")
    }
    let app = try JoinedApp(port: server.port)
    let (client, here) = (app.clients.invitationClient, app.connection.server.name)
    func shown() async throws -> String? {
      _ = try await app.clients.contactsClient.contacts()
      return server.requests.last?.headers["lifesignal-invite"]
    }
    #expect(try await shown() == nil)
    for typed in ["abc", " lifesignal://join/\(here)/abc?http\n"] {
      try await client.setInvitation(typed)
      #expect(try await shown() == "abc", "\(typed)")
    }
    for typed in ["a b", "é", "lifesignal://join/\(here)", "lifesignal://join/\(here)/a%20b?http"] {
      await expect(ClientError.inviteRequired) { () throws(ClientError) in
        try await client.setInvitation(typed)
      }
    }
    await expect(ClientError.codeElsewhere("ls.example.org", here: here)) {
      () throws(ClientError) in
      try await client.setInvitation("lifesignal://join/ls.example.org/def")
    }
    // An invalid link changes nothing.
    #expect(try await shown() == "abc")
    try await client.setInvitation("")
    #expect(try await shown() == nil)
  }

  @Test("Only the key in the link is trusted; a server with another key gets no request")
  func pinned() async throws {
    let world = try ServerWorld(certificate: (Self.certificate, Self.privateKey))
    let url = "https://127.0.0.1:\(world.port)"
    let right = try JoinedApp(JoinedServer(url: url, fingerprint: Self.keyDigest))
    _ = try await right.signUp()
    // An invitation's link contains the same key.
    let made = try await right.clients.invitationClient.create(.responder)
    #expect(
      try ServerLink(made.link.value).server == JoinedServer(url: url, fingerprint: Self.keyDigest))
    let asked = world.log.withLock { $0.count }
    let other = JoinedServer(url: url, fingerprint: String(repeating: "0a", count: 32))
    let wrong = try JoinedApp(other, token: "token")
    await #expect(throws: ClientError.storage(.network(.otherKey))) {
      try await wrong.clients.userClient.currentUser()
    }
    let unknown = try JoinedApp(JoinedServer(url: url), token: "token")
    await #expect(throws: ClientError.storage(.network(.notTrusted))) {
      try await unknown.clients.userClient.currentUser()
    }
    #expect(world.log.withLock { $0.count } == asked)
    let identity = try await unknown.connection.identify()
    #expect(identity.fingerprint == Self.keyDigest && !identity.isTrusted)
  }

  private static let keyDigest =
    "26bf2687f7f017456f1500b953635da3e9a576d12921553d0fe1d903fa19af5d"
  private static let certificate = """
    -----BEGIN CERTIFICATE-----
    MIIBNDCB56ADAgECAhRleXawoPHTfhL+AMQYhMyDSZInhTAFBgMrZXAwDzENMAsG
    A1UEAwwEdGVzdDAgFw0yNjExMjUwOTU2NDhaGA8yMTI2MTEwMTA5NTY0OFowDzEN
    MAsGA1UEAwwEdGVzdDAqMAUGAytlcAMhAGJTKxQbEACyUGtdETd9ptOfc/DD7FX3
    6xybLukiippco1MwUTAdBgNVHQ4EFgQUcmKmBAFcV4FdxanuwxUE+9TLBSAwHwYD
    VR0jBBgwFoAUcmKmBAFcV4FdxanuwxUE+9TLBSAwDwYDVR0TAQH/BAUwAwEB/zAF
    BgMrZXADQQBuItyj4mNkzGpGRkcQp8ddOPV4CBjVYvj6+euhTxE6Dek8Tw00RQRT
    RRKgCHF6smZoUOq/f0+4beC9KzPJJHYC
    -----END CERTIFICATE-----
    """
  private static let privateKey = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIBozBU2gxEYvmrutFtu7EqIu52YKYy4Dv62SpVqOza73
    -----END PRIVATE KEY-----
    """
}
