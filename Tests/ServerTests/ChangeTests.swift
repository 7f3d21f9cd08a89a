import Clients
import Domain
import FoundationEssentials
import ServerProtocol
import ServerTesting
import Store
import Synchronization
import Testing
import Web

@testable import Server

@Suite("Waiting for changes", .timeLimit(.minutes(1)))
struct ChangeTests {
  static func after(_ answer: RawHTTP.Answer) throws -> String {
    try #require(JSONDecoder().decode([String: String].self, from: answer.body)["after"])
  }

  @Test(
    "A change by another device of the same account wakes a waiting device; other accounts' don't")
  func told() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    let bo = try await world.signUp("Bo")
    let first = try await ada.raw(ServerRequest(.get, "/v1/changes"))
    let known = try Self.after(first)
    async let waiting = ada.raw(ServerRequest(.get, "/v1/changes", query: ["after": "\(known)"]))
    while world.server.hub.count == 0 { await Task.yield() }
    _ = try await bo.clients.checkInClient.checkIn(.manual)
    #expect(world.server.hub.count == 1)
    _ = try await world.app(token: ada.token).clients.checkInClient.checkIn(.manual)
    let told = try await waiting
    #expect(told.status == 200)
    #expect(try Self.after(told) != known)
    #expect(world.server.hub.count == 0)
  }

  @Test("A device that asks with an outdated or foreign cursor gets an answer at once")
  func missed() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    let known = try Self.after(try await ada.raw(ServerRequest(.get, "/v1/changes")))
    _ = try await ada.clients.checkInClient.checkIn(.manual)
    let other = try ServerWorld()
    let elsewhere = try await other.signUp("Ada").raw(ServerRequest(.get, "/v1/changes"))
    for cursor in [known, try Self.after(elsewhere), "999999999", "", "x\u{0}\"", known + "="] {
      let answer = try await ada.raw(ServerRequest(.get, "/v1/changes", query: ["after": cursor]))
      #expect(try Self.after(answer) != known)
    }
  }

  @Test("A change cursor always has the same length and never comes twice")
  func opaque() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    var cursors: Set<String> = []
    for _ in 0..<12 {
      cursors.insert(try Self.after(try await ada.raw(ServerRequest(.get, "/v1/changes"))))
      _ = try await ada.clients.checkInClient.checkIn(.manual)
    }
    #expect(cursors.count == 12)
    #expect(Set(cursors.map(\.count)) == [169])
  }

  @Test(
    "A change noted just before a device waits wakes the device at once; the end answers everyone")
  func raced() {
    let hub = ChangeHub()
    let answers = Mutex<[String]>([])
    func wait(_ account: Int, since notificationCount: Int, watch: String? = "one") {
      hub.add(account, since: notificationCount, watch: watch, now: .now) { response in
        let answer = response(["after": "known"])
        answers.withLock { $0.append(String(decoding: answer.data ?? Data(), as: UTF8.self)) }
      }
    }
    let before = hub.notificationCount
    hub.notify([1], after: "one")
    wait(1, since: before)
    #expect(answers.withLock { $0 } == [#"{"after":"one."}"#])
    wait(2, since: before)
    wait(1, since: hub.notificationCount)
    #expect(hub.count == 2)
    hub.notify(nil, after: "all")
    #expect(hub.count == 0)
    wait(3, since: before)
    #expect(answers.withLock { $0.count } == 4)
    wait(3, since: hub.notificationCount)
    hub.end()
    wait(4, since: hub.notificationCount)
    #expect(hub.count == 0)
    #expect(answers.withLock { $0.suffix(2) } == [#"{"after":"known"}"#, #"{"after":"known"}"#])
  }

  @Test(
    "A change of monitors wakes devices that wait or start waiting; the first check wakes none"
  )
  func monitors() {
    let hub = ChangeHub()
    let answers = Mutex<[String]>([])
    func wait(watch: String?) {
      hub.add(1, since: hub.notificationCount, watch: watch, now: .now) { response in
        let answer = response(["after": "known"])
        answers.withLock { $0.append(String(decoding: answer.data ?? Data(), as: UTF8.self)) }
      }
    }
    // Before the first check there is nothing to compare with.
    wait(watch: "a")
    hub.note(watch: "a")
    hub.note(watch: "a")
    #expect(hub.count == 1)
    hub.note(watch: "b")
    #expect(answers.withLock { $0 } == [#"{"after":".b"}"#])
    // The client read the watch status before the check and waits after it.
    wait(watch: "a")
    wait(watch: nil)
    #expect(answers.withLock { $0.count } == 3)
    wait(watch: "b")
    #expect(hub.count == 1)
  }

  @Test("The server's first check of its monitors wakes no waiting device (WCH-1)")
  func sameMonitors() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    let known = try Self.after(try await ada.raw(ServerRequest(.get, "/v1/changes")))
    async let waiting = ada.raw(ServerRequest(.get, "/v1/changes", query: ["after": known]))
    while world.server.hub.count == 0 { await Task.yield() }
    await world.server.checkMonitors()
    #expect(world.server.hub.count == 1)
    world.server.hub.end()
    #expect(try Self.after(try await waiting) == known)
  }

  @Test("Of many devices that arrive at once, a few are checked at a time, in order and each once")
  func arrivals() {
    let arrivals = Arrivals(limit: 2)
    func come(_ token: String) -> Bool {
      arrivals.add(Arrivals.Arrival(token: token, known: nil, answer: { _ in }))
    }
    #expect(["a", "b", "c", "d"].map(come) == [true, true, false, false])
    #expect(arrivals.next()?.token == "c" && arrivals.next()?.token == "d")
    #expect(!come("e") && arrivals.next()?.token == "e")
    #expect(arrivals.next() == nil && arrivals.next() == nil)
    #expect(come("f"))
  }

  @Test("A device that waits longer than the limit gets an answer with an unchanged cursor")
  func patience() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    let known = try Self.after(try await ada.raw(ServerRequest(.get, "/v1/changes")))
    async let waiting = ada.raw(ServerRequest(.get, "/v1/changes", query: ["after": "\(known)"]))
    while world.server.hub.count == 0 { await Task.yield() }
    world.server.hub.sweep(now: ContinuousClock.now + ChangeHub.waitLimit - .seconds(1))
    #expect(world.server.hub.count == 1)
    world.server.hub.sweep(now: ContinuousClock.now + ChangeHub.waitLimit)
    #expect(try Self.after(try await waiting) == known)
  }

  @Test("Waiting for changes without a session is refused with 401")
  func nobody() async throws {
    let world = try ServerWorld()
    #expect(
      try await world.app().raw(ServerRequest(.get, "/v1/changes", query: ["after": "0"])).status
        == 401)
    #expect(world.server.hub.count == 0)
  }

  @Test("An observed list that hasn't changed is answered with 304 and no body")
  func etag() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    let first = try await ada.raw(ServerRequest(.get, "/v1/observed/contacts"))
    let etag = try #require(first.headers["etag"])
    let again = try await ada.raw(ServerRequest(.get, "/v1/observed/contacts", ifNoneMatch: etag))
    #expect(again.status == 304 && again.body.isEmpty)
    _ = try await ada.clients.contactsClient.add(
      ContactDraft(
        name: "Bo", channels: [ChannelDraft(.email, "bo@example.org")], roles: .responder))
    let changed = try await ada.raw(ServerRequest(.get, "/v1/observed/contacts", ifNoneMatch: etag))
    #expect(changed.status == 200 && changed.headers["etag"] != etag)
  }

  @Test("Deleting an account wakes its waiting devices")
  func deleted() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    let known = try Self.after(try await ada.raw(ServerRequest(.get, "/v1/changes")))
    let phone = world.app(token: ada.token)
    async let waiting = phone.raw(ServerRequest(.get, "/v1/changes", query: ["after": "\(known)"]))
    while world.server.hub.count == 0 { await Task.yield() }
    try await ada.clients.authClient.deleteAccount(Secret("password of Ada"))
    #expect(try await waiting.status == 200)
    #expect(
      try await phone.raw(ServerRequest(.get, "/v1/changes", query: ["after": "0"])).status == 401)
  }

  @Test(
    "A server that shuts down finishes begun requests, answers waiting devices, takes no new ones")
  func end() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    let known = try Self.after(try await ada.raw(ServerRequest(.get, "/v1/changes")))
    async let waiting = ada.raw(ServerRequest(.get, "/v1/changes", query: ["after": known]))
    while world.server.hub.count == 0 { await Task.yield() }
    // A request whose header has arrived but whose body hasn't.
    let body = #"{"source":"manual"}"#
    let slow = try await RawHTTP.blocking { [port = world.port] in
      let connection = try RawHTTP.Connection(port: port)
      try connection.send(
        "POST /v1/check-ins HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(ada.token!)\r\n"
          + "Idempotency-Key: \(UUID())\r\nContent-Length: \(body.utf8.count)\r\n\r\n{")
      return connection
    }
    while !world.web.hasRequests(2) { await Task.yield() }
    async let ended: Void = world.server.end(world.web, within: .seconds(30))
    #expect(try Self.after(try await waiting) == known)
    await #expect(throws: (any Error).self) {
      try await world.app().raw(ServerRequest(.get, "/healthz"))
    }
    let answer = try await RawHTTP.blocking {
      try slow.send(String(body.dropFirst()))
      return try slow.receive()
    }
    #expect(answer.status == 200)
    await ended
    #expect(try await world.store.administration.statistics().checkInsToday > 0)
  }
}
