import Clients
import Composable
import ComposableTesting
import DeliveryTesting
import Domain
import Foundation
import SQLite
import Server
import ServerProtocol
import ServerTesting
import SharedPlatform
import Store
import Synchronization
import TestSupport
import Testing

/// An app with a folder for its server's last answers.
private struct CachingApp {
  let connection: ServerConnection
  let clients: DependencyValues

  init(
    port: Int, folder: TemporaryFolder, token: KeptToken,
    clock: any Clock<Duration> = ContinuousClock(),
    limits: ServerConnection.Limits = .init(), now: @escaping @Sendable () -> Date = { Date() },
    uptime: @escaping @Sendable () -> Uptime? = { nil }
  ) throws {
    connection = try ServerConnection(
      to: JoinedServer(url: "http://127.0.0.1:\(port)"), device: "a laptop",
      tokens: .init(
        load: { () throws(KeychainError) in token.value },
        keep: { (new: String?) throws(KeychainError) in token.value = new }),
      pages: PageCache(path: folder.path + "/data/cache.db", now: now), limits: limits,
      clock: clock, now: now, uptime: uptime)
    var values = DependencyValues()
    values.context = .test
    SharedPlatform(connection).install(in: &values)
    clients = values
  }

  /// The next state of the connection that fulfils a condition.
  func waitFor(_ isIt: (ConnectionState) -> Bool) async -> ConnectionState? {
    for await state in clients.connectionClient.observe() where isIt(state) { return state }
    return nil
  }
}

private final class KeptToken: Sendable {
  private let held = Mutex<String?>(nil)
  init(_ token: String? = nil) { held.withLock { $0 = token } }
  var value: String? {
    get { held.withLock { $0 } }
    set { held.withLock { $0 = newValue } }
  }
}

/// The data an app shows while its server is away, and its removal when the app must no longer show
/// it.
@Suite(.timeLimit(.minutes(2))) struct LastKnownTests {
  private let folder: TemporaryFolder
  private let token = KeptToken()
  init() throws { folder = try TemporaryFolder() }

  private func isKept(_ text: String) throws -> Bool {
    try ["", "-wal"].contains { suffix in
      let path = folder.path + "/data/cache.db" + suffix
      guard FileManager.default.fileExists(atPath: path) else { return false }
      return try Data(contentsOf: URL(filePath: path)).firstRange(of: Data(text.utf8)) != nil
    }
  }

  private func signUp(_ app: CachingApp) async throws -> User {
    try await app.clients.authClient.createAccount(
      NewAccount(
        profile: Profile(name: "Ida", note: "Penicillin"),
        credentials: Credentials(email: "ida@example.org", password: Secret("four random words"))))
  }

  /// A local port on which nothing listens.
  private func emptyPort() throws -> Int {
    let server = try HTTPServer()
    server.close()
    return server.port
  }

  /// Fills the folder from a server and returns the account.
  private func fill(_ world: ServerWorld, at date: Date) async throws -> User {
    let app = try CachingApp(port: world.port, folder: folder, token: token, now: { date })
    _ = try await signUp(app)
    _ = try await app.clients.contactsClient.add(
      ContactDraft(name: "Bo", email: "bo@example.org", roles: .responder))
    var users = app.clients.userClient.observeCurrentUser().makeAsyncIterator()
    let user = try #require(try await users.next())
    var states = app.clients.authClient.observeState().makeAsyncIterator()
    _ = try await states.next()
    var contacts = app.clients.contactsClient.observe().makeAsyncIterator()
    _ = try await contacts.next()
    var alerts = app.clients.alertClient.observe(100).makeAsyncIterator()
    _ = try await alerts.next()
    var statuses = app.clients.watchClient.observe().makeAsyncIterator()
    _ = try await statuses.next()
    _ = try await app.clients.checkInClient.historySince(date - .days(366))
    return user
  }

  private let then = Date(timeIntervalSince1970: 1_790_000_000)

  @Test(
    "WCH-1: until the server answers, an app shows what its own session last knew, with its age")
  func away() async throws {
    let world = try ServerWorld(now: { [then] in then })
    let user = try await fill(world, at: then)
    // Pages belong to an address and a token, so a server at the same address counts as the same
    // server.
    let port = world.port
    let now = then + .hours(20)
    let app = try CachingApp(port: port, folder: folder, token: token, now: { now })
    #expect(app.clients.connectionClient.lastUser() == nil, "only for who says how old it is")
    app.clients.connectionClient.showLastKnown()
    #expect(app.clients.connectionClient.lastUser() == user)
    #expect(app.clients.connectionClient.state() == .reconnecting(asOf: then))
    #expect(app.clients.accountHost.serverName == "127.0.0.1:\(port)")
    let other = try CachingApp(port: port, folder: folder, token: KeptToken("stolen"), now: { now })
    other.clients.connectionClient.showLastKnown()
    #expect(other.clients.connectionClient.lastUser() == nil)
  }

  @Test(
    "ESC-5: if a device's clock is 10 days off, times on screen follow the server's clock",
    arguments: [TimeSpan.days(10), .days(-10)])
  func wrongClock(lead: TimeSpan) async throws {
    let world = try ServerWorld(now: { [then] in then })
    let user = try await fill(world, at: then - lead)
    let app = try CachingApp(
      port: world.port, folder: folder, token: token, now: { [then] in then - lead })
    #expect(app.clients.dateClient.now() == then - lead, "no answer has said the server's time yet")
    app.clients.connectionClient.showLastKnown()
    #expect(app.clients.connectionClient.lastUser() == user)
    #expect(app.clients.connectionClient.state().asOf == then)
    _ = try await app.clients.contactsClient.contacts()
    #expect(app.clients.dateClient.now() == then)
    #expect(app.clients.connectionClient.clockLead() == lead)
  }

  @Test("ESC-5: after a device's clock is set, a waiting app learns the server's time again")
  func clockSet() async throws {
    let device = JumpingClock(then)
    let server = try HTTPServer { [then] request, _ in
      var headers = ["Content-Type": "application/json", "ETag": "\"1\""]
      headers[ServerReference.header] =
        ServerReference(time: then, account: UUID(), hasGate: false).text
      if request.path == "/healthz" { return .reply(200, body: "alive\n") }
      guard request.path.hasPrefix("/v1/changes") else {
        return .reply(200, headers: headers, body: "[]")
      }
      return request.path.contains("after")
        ? .silence : .reply(200, headers: headers, body: #"{"after":"1"}"#)
    }
    let clock = TestClock()
    let app = try CachingApp(
      port: server.port, folder: folder, token: KeptToken("token"), clock: clock, now: device.wall,
      uptime: { Uptime(boot: device.running.boot, seconds: device.running.seconds) })
    var contacts = app.clients.contactsClient.observe().makeAsyncIterator()
    #expect(try await contacts.next() != nil)
    #expect(app.clients.dateClient.now() == then)
    // An answer that was under way says the time, too.
    await clock.advance(until: {
      if app.clients.dateClient.now() == then { device.jump(3 * 86_400) }
      return server.requests.contains { $0.path == "/v1/auth" }
    })
    await clock.advance(until: { app.clients.dateClient.now() == then })
  }

  /// A read that was cut may end after another one was answered.
  @Test(
    "Observed data starts with the last known values and is fresh once the server answers",
    arguments: [false, true])
  func observed(isLate: Bool) async throws {
    let world = try ServerWorld(now: { [then] in then })
    let user = try await fill(world, at: then)
    let gate = Mutex(true)
    let cuts = Mutex(isLate ? 3 : 0)
    let isConnected = DispatchSemaphore(value: 0)
    let server = try HTTPServer { request, _ in
      if request.path.hasPrefix("/v1/observed/contacts") {
        let isCut = cuts.withLock { cuts in
          cuts -= 1
          return cuts >= 0
        }
        if isCut {
          isConnected.wait()
          isConnected.signal()
          return .cut
        }
        if gate.withLock({ $0 }) { return .cut }
        return .reply(
          200, headers: ["Content-Type": "application/json", "ETag": "\"n\""], body: "[]")
      }
      if gate.withLock({ $0 }) { return .cut }
      if request.path.hasPrefix("/v1/changes") {
        return request.path.contains("after")
          ? .silence
          : .reply(200, headers: ["Content-Type": "application/json"], body: #"{"after":"1"}"#)
      }
      return .cut
    }
    // Copy the pages to the other server's address.
    let pages = PageCache(path: folder.path + "/data/cache.db", now: { [then] in then })
    let clock = TestClock()
    let app = try CachingApp(
      port: server.port, folder: folder, token: token, clock: clock, now: { [then] in then })
    let own = ServerConnection.owner(token.value ?? "", at: "http://127.0.0.1:\(world.port)")
    let others = ServerConnection.owner(token.value ?? "", at: server.url)
    for name in ["/v1/contacts", "/v1/me"] {
      pages.keep(try #require(pages.page(name, of: own)), as: name, of: others)
    }
    app.clients.connectionClient.showLastKnown()
    var contacts = app.clients.contactsClient.observe().makeAsyncIterator()
    #expect(try await contacts.next()?.map(\.name) == ["Bo"])
    #expect(try await app.clients.contactsClient.overview(naming: 3).responderCount == 1)
    #expect(app.clients.connectionClient.lastUser() == user)
    // Armed alerts aren't cached, so this stream waits rather than failing.
    let armed = Task {
      var iterator = app.clients.alertClient.observeArmed().makeAsyncIterator()
      return try? await iterator.next()
    }
    gate.withLock { $0 = false }
    await clock.advance(until: {
      if case .connected = app.connection.connection { true } else { false }
    })
    isConnected.signal()
    await clock.advance(until: {
      server.requests.count { $0.path.hasPrefix("/v1/observed/contacts") } > (isLate ? 3 : 0)
    })
    #expect(try await contacts.next()?.isEmpty == true)
    armed.cancel()
  }

  @Test(
    "NOT-2: observed notifications begin with a server's answer; cached ones are read separately"
  )
  func notifications() async throws {
    let world = try ServerWorld(now: { [then] in then })
    _ = try await fill(world, at: then)
    let app = try CachingApp(
      port: world.port, folder: folder, token: token, now: { [then] in then })
    _ = try await app.clients.notificationClient.addLocal(.info, "old", "")
    var items = app.clients.notificationClient.observe(500, .all).makeAsyncIterator()
    let first = try #require(try await items.next())
    #expect(first.map(\.subject) == ["old"])

    let other = try CachingApp(
      port: world.port, folder: folder, token: token, now: { [then] in then })
    let connection = other.clients.connectionClient
    #expect(connection.lastNotifications(500) == [], "only for who says how old it is")
    connection.showLastKnown()
    #expect(connection.lastNotifications(500) == first && connection.shownAsOf() == then)
    #expect(connection.lastNotifications(499) == [])
    #expect(connection.lastContacts()?.map(\.name) == ["Bo"])
    _ = try await app.clients.notificationClient.addLocal(.info, "new", "")
    var others = other.clients.notificationClient.observe(500, .all).makeAsyncIterator()
    #expect(try await others.next()?.map(\.subject) == ["new", "old"])
  }

  @Test("Disabling an account deletes its cached data on the device but keeps the session token")
  func disabled() async throws {
    let world = try ServerWorld(now: { [then] in then })
    _ = try await fill(world, at: then)
    let app = try CachingApp(
      port: world.port, folder: folder, token: token, now: { [then] in then })
    _ = try await world.store.administration.setDisabled(true, email: "ida@example.org")
    for _ in 1...2 {
      await expect(ClientError.accountDisabled) { () throws(ClientError) in
        try await app.clients.userClient.currentUser()
      }
    }
    #expect(token.value != nil)
    #expect(try !isKept("Penicillin"))
  }

  @Test("A read that the server refuses fails despite cached data, and the cache is deleted")
  func refused() async throws {
    let world = try ServerWorld(now: { [then] in then })
    _ = try await fill(world, at: then)
    let app = try CachingApp(
      port: world.port, folder: folder, token: token, now: { [then] in then })
    app.clients.connectionClient.showLastKnown()
    let other = try CachingApp(port: world.port, folder: folder, token: KeptToken(token.value))
    try await other.clients.authClient.signOut()
    await #expect(throws: ClientError.sessionExpired) {
      try await app.clients.userClient.currentUser()
    }
    #expect(try !isKept("Penicillin") && !isKept("bo@example.org"))
  }

  @Test(
    "AUTH-2: signing out, being revoked or deleting the account leaves no cached data on a device",
    arguments: ["sign-out", "revoked", "observed", "deleted", "sign-in"])
  func ended(how: String) async throws {
    let world = try ServerWorld(now: { [then] in then })
    _ = try await fill(world, at: then)
    #expect(try isKept("Penicillin"))
    let app = try CachingApp(
      port: world.port, folder: folder, token: token, now: { [then] in then })
    app.clients.connectionClient.showLastKnown()
    #expect(app.clients.connectionClient.lastUser() != nil)
    let elsewhere = try CachingApp(
      port: world.port, folder: TemporaryFolder(), token: KeptToken(token.value))
    switch how {
    case "sign-out": try await app.clients.authClient.signOut()
    case "deleted": try await app.clients.authClient.deleteAccount(Secret("four random words"))
    case "sign-in":
      _ = try await app.clients.authClient.signIn(
        Credentials(email: "ida@example.org", password: Secret("four random words")))
    case "revoked":
      try await elsewhere.clients.authClient.signOut()
      await #expect(throws: ClientError.sessionExpired) {
        try await app.clients.userClient.currentUser()
      }
    default:
      try await elsewhere.clients.authClient.signOut()
      // Asking for the sign-in state isn't answered with 401.
      var states = app.clients.authClient.observeState().makeAsyncIterator()
      while let state = try await states.next() { if case .signedOut = state { break } }
    }
    #expect(try !isKept("Penicillin"))
    #expect(app.clients.connectionClient.lastUser() == nil)
  }

  @Test(
    "Offline, a command that shows its data's age can read the cache; any other command fails"
  )
  func commands() async throws {
    let server = try HTTPServer { request, _ in
      switch request.path {
      case "/v1/me":
        .reply(200, headers: ["Content-Type": "application/json", "ETag": "\"1\""], body: Self.ida)
      default: .reply(503, headers: ["Content-Type": "application/json"], body: "{}")
      }
    }
    let kept = KeptToken("token")
    let app = try CachingApp(
      port: server.port, folder: folder, token: kept, now: { [then] in then })
    let user = try await app.clients.userClient.currentUser()
    #expect(user.profile.name == "Ida")
    let unreachable = ClientError.storage(.network(.serverUnreachable("127.0.0.1:\(server.port)")))
    await #expect(throws: unreachable) { try await app.clients.contactsClient.contacts() }
    server.close()
    let later = then + .hours(1)
    let second = try CachingApp(port: server.port, folder: folder, token: kept, now: { later })
    await #expect(throws: unreachable) { try await second.clients.userClient.currentUser() }
    second.clients.connectionClient.showLastKnown()
    #expect(try await second.clients.userClient.currentUser() == user)
    #expect(second.clients.connectionClient.state().asOf == then)
    await #expect(throws: unreachable) { try await second.clients.contactsClient.contacts() }
    await #expect(throws: unreachable) { try await second.clients.checkInClient.checkIn(.manual) }
  }

  private static let ida: String = {
    let user = User(
      id: UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
      profile: Profile(name: "Ida"),
      lastCheckIn: Date(timeIntervalSince1970: 1_790_000_000),
      createdAt: Date(timeIntervalSince1970: 1_790_000_000))
    return (try? String(decoding: WireCoding.encode(user), as: UTF8.self)) ?? ""
  }()

  @Test("No device caches secrets, codes, files, logs or who is watching")
  func routes() {
    let kept = Set(Route.all.filter(\.isKept).map(\.path.description))
    for word in [
      "watch", "armed", "sessions", "codes", "responses", "links", "files", "secret", "export",
      "log",
    ] {
      #expect(!kept.contains { $0.contains(word) }, "\(word)")
    }
    #expect(Route.all.filter(\.isKept).allSatisfy { $0.method == .get })
    #expect(kept.count == 13)
  }

  // MARK: Connection

  @Test(
    "WCH-1: a server that hangs with open connections is shown as away within 20 seconds")
  func hung() async throws {
    let isHung = Mutex(false)
    let server = try HTTPServer { request, _ in
      if isHung.withLock({ $0 }) { return .silence }
      if request.path == "/healthz" { return .reply(200, body: "alive\n") }
      if request.path.hasPrefix("/v1/changes") {
        return request.path.contains("after")
          ? .silence
          : .reply(200, headers: ["Content-Type": "application/json"], body: #"{"after":"1"}"#)
      }
      return .reply(
        200, headers: ["Content-Type": "application/json", "ETag": "\"1\""], body: "[]")
    }
    let limits = ServerConnection.Limits()
    #expect(limits.pulse + limits.beat < .seconds(20))
    var quick = limits
    quick.beat = .milliseconds(200)
    quick.read = .milliseconds(200)
    let clock = TestClock()
    let app = try CachingApp(
      port: server.port, folder: folder, token: KeptToken("token"), clock: clock, limits: quick)
    app.clients.connectionClient.showLastKnown()
    var alerts = app.clients.alertClient.observe(3).makeAsyncIterator()
    #expect(try await alerts.next() != nil)
    #expect(await app.waitFor { $0 == .connected } != nil)
    // The first change causes another request. Wait for it, since its stream would end if it hung.
    while server.requests.count(where: { $0.path.hasPrefix("/v1/observed/alerts") }) < 2 {
      await Task.yield()
    }
    await clock.waitForSleeps()
    await clock.advance(by: limits.pulse)
    await clock.waitForSleeps()
    #expect(app.connection.connection == .connected)
    #expect(server.requests.contains { $0.path == "/healthz" })
    isHung.withLock { $0 = true }
    // On a busy machine, the next pulse may not have started to wait yet.
    await clock.advance(until: { app.connection.connection.isAway })
    #expect(app.connection.connection.asOf != nil)
    // The state becomes `offline` only after three more seconds, so that short outages don't show.
    await clock.advance(until: {
      if case .offline = app.connection.connection { true } else { false }
    })
    isHung.withLock { $0 = false }
    await clock.advance(until: { app.connection.connection == .connected })
  }

  @Test(
    "In a second outage, data is dated to the last answer, even if the app started offline"
  )
  func secondOutage() async throws {
    let isAway = Mutex(false)
    let date = Mutex(then)
    let server = try HTTPServer { request, _ in
      if isAway.withLock(\.self) { return .cut }
      if request.path == "/healthz" { return .reply(200, body: "alive\n") }
      let headers = ["Content-Type": "application/json", "ETag": "\"1\""]
      if request.path.hasPrefix("/v1/changes") {
        return request.path.contains("after")
          ? .silence : .reply(200, headers: headers, body: #"{"after":"1"}"#)
      }
      // Nothing has changed since.
      return request.headers["if-none-match"] == nil
        ? .reply(200, headers: headers, body: "[]") : .reply(304)
    }
    let token = KeptToken("token")
    let first = try CachingApp(
      port: server.port, folder: folder, token: token, now: { [then] in then })
    _ = try await first.clients.checkInClient.historySince(then)
    var histories = first.clients.checkInClient.observeHistory(1).makeAsyncIterator()
    _ = try await histories.next()

    isAway.withLock { $0 = true }
    date.withLock { $0 = then + .hours(1) }
    let clock = TestClock()
    let app = try CachingApp(
      port: server.port, folder: folder, token: token, clock: clock,
      now: { date.withLock(\.self) })
    app.clients.connectionClient.showLastKnown()
    // Restart the stream after a failure, as the app does.
    let observer = Task {
      while !Task.isCancelled {
        do { for try await _ in app.clients.checkInClient.observeRecord(.utc) {} } catch {}
      }
    }
    defer { observer.cancel() }
    await clock.advance(until: { app.connection.hasFailed && app.connection.shownAsOf != nil })
    #expect(app.connection.connection.asOf == then)

    func waits() -> Int { server.requests.count { $0.path.contains("changes?after") } }
    let before = waits()
    isAway.withLock { $0 = false }
    date.withLock { $0 = then + .hours(2) }
    await clock.advance(until: {
      app.connection.connection == .connected && app.connection.shownAsOf == nil
    })
    // Wait until the app waits for changes again: data read before that may have changed.
    await clock.advance(until: { waits() > before })
    _ = try await app.clients.checkInClient.historySince(then)
    date.withLock { $0 = then + .hours(5) }
    _ = try await app.clients.contactsClient.contacts()
    isAway.withLock { $0 = true }
    // Earlier answers keep the time at which they were current.
    await clock.advance(until: { app.connection.connection.isAway })
    date.withLock { $0 = then + .hours(6) }
    #expect(app.connection.connection.asOf == then + .hours(5))
    // Reading cached data doesn't change its time.
    _ = try await app.clients.checkInClient.historySince(then)
    #expect(app.connection.connection.asOf == then + .hours(5))
  }

  @Test("Cached data not read again after a change is dated to the last read before the change")
  func changedSince() async throws {
    let isAway = Mutex(false)
    let date = Mutex(then)
    let server = try HTTPServer { request, _ in
      if isAway.withLock(\.self) { return .cut }
      if request.path == "/healthz" { return .reply(200, body: "alive\n") }
      let headers = ["Content-Type": "application/json"]
      guard request.path.hasPrefix("/v1/changes") else {
        return .reply(200, headers: headers, body: "[]")
      }
      if request.path.hasSuffix("after=2") { return .silence }
      let last = request.path.hasSuffix("after=1") ? 2 : 1
      return .reply(200, headers: headers, body: "{\"after\":\"\(last)\"}")
    }
    let clock = TestClock()
    var limits = ServerConnection.Limits()
    limits.retries.maxRetries = 0
    let app = try CachingApp(
      port: server.port, folder: folder, token: KeptToken("token"), clock: clock, limits: limits,
      now: { date.withLock(\.self) })
    app.clients.connectionClient.showLastKnown()
    _ = try await app.clients.alertClient.history(3)
    date.withLock { $0 = then + .hours(3) }
    var contacts = app.clients.contactsClient.observe().makeAsyncIterator()
    _ = try await contacts.next()
    await clock.advance(until: { server.requests.contains { $0.path.hasSuffix("after=2") } })
    date.withLock { $0 = then + .hours(5) }
    _ = try await app.clients.contactsClient.contacts()
    isAway.withLock { $0 = true }
    // The streams may have ended, so make requests until the app notices.
    while !app.connection.connection.isAway {
      _ = try? await app.clients.contactsClient.contacts()
    }
    _ = try await app.clients.alertClient.history(3)
    #expect(app.connection.shownAsOf == then)
  }

  @Test("The timeout of an older request doesn't mark a server as away that has answered since")
  func late() async throws {
    let server = try HTTPServer { request, _ in
      request.path.hasPrefix("/v1/alerts")
        ? .silence
        : .reply(200, headers: ["Content-Type": "application/json"], body: "[]")
    }
    var limits = ServerConnection.Limits()
    limits.read = .milliseconds(300)
    let app = try CachingApp(
      port: server.port, folder: folder, token: KeptToken("token"), limits: limits)
    let slow = Task { try await app.clients.alertClient.history(3) }
    while !server.requests.contains(where: { $0.path.hasPrefix("/v1/alerts") }) {
      await Task.yield()
    }
    _ = try await app.clients.contactsClient.contacts()
    await #expect(throws: ClientError.self) { try await slow.value }
    #expect(app.connection.connection == .connected)
  }
}

extension TestClock {
  /// Advances the clock until a condition holds that depends on other threads.
  fileprivate func advance(until isSo: () -> Bool) async {
    while !isSo() { await advance(by: .seconds(1)) }
  }
}
