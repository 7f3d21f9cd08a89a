import Clients
import Composable
import ComposableTesting
import Curl
import DeliveryTesting
import Domain
import Foundation
import ServerTesting
import SharedPlatform
import Synchronization
import TestSupport
import Testing

/// Check-ins that a device keeps until its server has received them.
@Suite(.timeLimit(.minutes(2))) struct OutboxTests: OfflineSuite {
  let offline: OfflineMachine

  init() throws { offline = try OfflineMachine() }

  private func makeApp(
    signedUp: Bool = true, clock: any Clock<Duration> = ContinuousClock()
  ) async throws -> OfflineApp {
    let app = try offline.start(clock)
    if signedUp { try await app.signUp() }
    return app
  }

  /// Checks in while the server can't be asked.
  private func queue(_ app: OfflineApp) async throws -> Date {
    do {
      _ = try await app.clients.checkInClient.checkIn(.manual)
    } catch ClientError.queued(let date) {
      return date
    }
    throw CancellationError()
  }

  private func history(_ app: OfflineApp) async throws -> [Date] {
    try await app.clients.checkInClient.history(9).map(\.date)
  }

  @Test("OFF-1: an answered check-in leaves no file, and counts like any other")
  func online() async throws {
    let app = try await makeApp()
    pass(600)
    let user = try await app.clients.checkInClient.checkIn(.manual)
    #expect(user.lastCheckIn == world.now)
    #expect(files == [] && app.starts.withLock { $0 } == 0)
    #expect(app.clients.offlineClient.outbox() == Outbox())
    #expect(try await app.clients.checkInClient.history(1).first?.receivedAt == nil)
  }

  @Test("OUT-5: *back* is kept offline and ends its outing, and no other, whenever it is received")
  func back() async throws {
    let app = try await makeApp()
    let checkIn = app.clients.checkInClient
    let draft = OutingDraft(end: "4h", zone: "UTC", text: "red tent")
    let outing = try #require(try await checkIn.startOuting(draft).outing)
    pass(3_600)
    app.line = .down
    // Going out for longer, or again, needs the server.
    await #expect(throws: ClientError.self) {
      try await checkIn.extendOuting(OutingExtension(outing, by: .hours(1)))
    }
    await #expect(throws: ClientError.self) { try await checkIn.startOuting(draft) }
    #expect(files == [])
    await #expect(throws: ClientError.queued(at: machine.wall())) {
      try await checkIn.endOuting(outing.id)
    }
    #expect(app.clients.offlineClient.outbox().waiting.map(\.outing) == [outing.id])
    app.line = .up
    pass(7_200)
    let user = try await app.clients.userClient.currentUser()
    #expect(user.outing == outing)
    #expect(await app.clients.offlineClient.sync().map(\.isReceived) == [true])
    let received = try await app.clients.userClient.currentUser()
    #expect(received.outing == nil)
    #expect(try await checkIn.history(1).first?.source == .outing)
    // A repetition that comes late ends no later outing.
    let next = try #require(try await checkIn.startOuting(draft).outing)
    _ = try await checkIn.endOuting(outing.id)
    #expect(try await app.clients.userClient.currentUser().outing == next)
  }

  @Test("ESC-4, OUT-3, OUT-5: *back* received late gives the deadline that waited a grace time")
  func backLate() async throws {
    let app = try await makeApp()
    let checkIn = app.clients.checkInClient
    let draft = OutingDraft(end: "4d", zone: "UTC", holdsDeadline: true)
    let outing = try #require(try await checkIn.startOuting(draft).outing)
    #expect(outing.holdsDeadline)
    app.line = .down
    await #expect(throws: ClientError.self) { try await checkIn.endOuting(outing.id) }
    pass(2 * 86_400)
    app.line = .up
    #expect(await app.clients.offlineClient.sync().map(\.isReceived) == [true])
    let user = try await app.clients.userClient.currentUser()
    #expect(user.outing == nil && user.deadline.date < world.now)
    #expect(user.deadline.graceEnd == world.now + .minutes(15))
  }

  @Test("OFF-1, OFF-3: a check-in made offline is received later and counts from when it was made")
  func offline() async throws {
    let app = try await makeApp()
    pass(3_600)
    app.line = .down
    let made = try await queue(app)
    #expect(made == machine.wall())
    #expect(files.count == 1 && app.starts.withLock { $0 } == 1)
    #expect(app.clients.offlineClient.outbox().waiting.map(\.madeAt) == [made])
    // Nobody may read it, or what it is sent with.
    let mode = try FileManager.default.attributesOfItem(atPath: outbox + "/" + files[0])
    #expect(mode[.posixPermissions] as? Int == 0o600)
    pass(7_200)
    #expect(await app.clients.offlineClient.sync().map(\.isReceived) == [false])
    #expect(files.count == 1)
    app.line = .up
    let deliveries = await app.clients.offlineClient.sync()
    #expect(deliveries.map(\.isReceived) == [true])
    #expect(deliveries.first?.user?.lastCheckIn == made)
    #expect(files == [] && app.clients.offlineClient.outbox() == Outbox())
    let last = try #require(try await app.clients.checkInClient.history(1).first)
    #expect(last.date == made && last.receivedAt == world.now)
  }

  @Test("OFF-1: a check-in whose answer was lost is sent again under its key and counts once")
  func lostAnswer() async throws {
    let app = try await makeApp()
    pass(3_600)
    app.line = .deaf
    let made = try await queue(app)
    #expect(
      try await world.app(token: token.value).clients.userClient.currentUser().lastCheckIn == made)
    pass(3_600)
    app.line = .up
    #expect(await app.clients.offlineClient.sync().map(\.isReceived) == [true])
    #expect(try await history(app).count == 2 && files == [])
  }

  @Test(
    "OFF-1: only the server's own answer ends the wait: no login page, proxy or overload",
    arguments: Line.allCases.filter { ![.up, .deaf, .abandoned].contains($0) })
  func impostors(_ line: Line) async throws {
    let app = try await makeApp()
    pass(3_600)
    app.line = line
    let made = try await queue(app)
    #expect(await app.clients.offlineClient.sync().map(\.isReceived) == [false])
    #expect(app.clients.offlineClient.outbox().waiting.map(\.madeAt) == [made])
    app.line = .up
    #expect(await app.clients.offlineClient.sync().first?.user?.lastCheckIn == made)
  }

  @Test("OFF-1: check-ins made one after another are sent in that order, and the last one counts")
  func order() async throws {
    let app = try await makeApp()
    app.line = .down
    var made: [Date] = []
    for _ in 0..<3 {
      pass(1_800)
      made.append(try await queue(app))
    }
    app.line = .up
    let deliveries = await app.clients.offlineClient.sync()
    #expect(deliveries.map(\.checkIn.madeAt) == made)
    #expect(try await history(app).prefix(3) == [made[2], made[1], made[0]])
  }

  @Test("OFF-1: a check-in on which the server fails or that it refuses holds up no later one")
  func heldUp() async throws {
    let json = ["Content-Type": "application/json"]
    let failing = Mutex<String?>(nil)
    let server = try HTTPServer { request, _ in
      let key = request.headers["idempotency-key"]
      failing.withLock { $0 = $0 ?? key }
      return failing.withLock { $0 } == key
        ? .reply(500, headers: json, body: #"{"message":"oops"}"#)
        : .reply(409, headers: json, body: #"{"error":{"requestRepeated":{}},"message":"x"}"#)
    }
    token.value = "token"
    let app = try OfflineApp(port: server.port, outbox: outbox, token: token, machine: machine)
    app.line = .down
    for _ in 0..<3 {
      pass(120)
      _ = try await queue(app)
    }
    app.line = .up
    let deliveries = await app.clients.offlineClient.sync()
    #expect(deliveries.map(\.isReceived) == [false, true, true])
    #expect(app.clients.offlineClient.outbox().waiting.count == 1)
  }

  @Test("OFF-5: the check-ins of another account on the device are neither shown nor sent")
  func otherAccount() async throws {
    let app = try await makeApp()
    app.line = .down
    pass(120)
    _ = try await queue(app)
    let other = OfflineApp.Token()
    let bo = try OfflineApp(
      port: world.port, outbox: outbox, token: other, machine: machine, account: "bo@example.org")
    try await bo.signUp("Bo")
    bo.line = .down
    pass(120)
    _ = try await queue(bo)
    bo.line = .up
    #expect(await bo.clients.offlineClient.sync().map(\.isReceived) == [true])
    #expect(app.clients.offlineClient.outbox().waiting.count == 1 && files.count == 1)
  }

  @Test("OFF-3: a check-in older than the last one elsewhere changes nothing")
  func overtaken() async throws {
    let app = try await makeApp()
    pass(3_600)
    app.line = .down
    _ = try await queue(app)
    pass(3_600)
    let other = world.app(token: token.value)
    let last = try await other.clients.checkInClient.checkIn(.manual)
    app.line = .up
    let delivery = try #require(await app.clients.offlineClient.sync().first)
    #expect(delivery.user == last)
    #expect(try await history(app).count == 2)
  }

  @Test(
    "OFF-3: after a restart, a check-in counts from the time known before it, never from later",
    arguments: [-86_400.0, 0, 86_400])
  func restarted(jump: Double) async throws {
    let app = try await makeApp()
    let known = world.now
    pass(3_600)
    app.line = .down
    // The clock is wrong after the start.
    machine.restart(after: 60)
    world.now += 60
    machine.jump(jump)
    let second = try await makeApp(signedUp: false)
    second.line = .down
    _ = try await queue(second)
    machine.restart(after: 60)
    world.now += 60
    let third = try await makeApp(signedUp: false)
    let user = try #require(await third.clients.offlineClient.sync().first?.user)
    // Nothing was kept of the server's time here, so it moves nothing.
    #expect(user.lastCheckIn == known)
  }

  @Test("OFF-3: a stopped virtual machine's wall clock makes a check-in older, never younger")
  func stoppedMachine() async throws {
    let app = try await makeApp()
    pass(3_600)
    app.line = .down
    let made = try await queue(app)
    // The host slept: the uptime stood still.
    world.now += 7_200
    machine.jump(7_200)
    app.line = .up
    #expect(await app.clients.offlineClient.sync().first?.user?.lastCheckIn == made)
  }

  @Test("OFF-5: what was made in a session that has ended is refused, and not sent in a later one")
  func endedSession() async throws {
    let app = try await makeApp()
    pass(3_600)
    app.line = .down
    _ = try await queue(app)
    app.line = .up
    // The next sign-in begins another session.
    let other = world.app()
    _ = try await other.clients.authClient.signIn(
      Credentials(email: "ida@example.org", password: Secret("four random words")))
    _ = try await other.clients.authClient.revokeOtherSessions()
    let delivery = try #require(await app.clients.offlineClient.sync().first)
    #expect(!delivery.isReceived && delivery.error == ClientError.sessionExpired.text)
    let refused = try #require(app.clients.offlineClient.outbox().refused.first)
    token.value = other.token
    let again = try await makeApp(signedUp: false)
    #expect(await again.clients.offlineClient.sync().isEmpty)
    #expect(try await history(again).count == 1)
    await again.clients.offlineClient.dismiss(refused.id)
    #expect(files == [])
  }

  @Test("CHK-3: a gate set elsewhere since refuses what waits, and asks a person who is there")
  func gateSetElsewhere() async throws {
    let app = try await makeApp()
    pass(3_600)
    app.line = .down
    _ = try await queue(app)
    let other = world.app(token: token.value)
    try await other.clients.authClient.updateGate(Gate(passphrase: Secret("river stone")))
    app.line = .up
    await #expect(throws: ClientError.gate(.required)) {
      _ = try await app.clients.checkInClient.checkIn(.manual)
    }
    #expect(files.count == 1)
    let delivery = try #require(await app.clients.offlineClient.sync().first)
    #expect(delivery.error == ClientError.gate(.required).text)
    #expect(app.clients.offlineClient.outbox().refused.count == 1)
  }

  @Test("OFF-1: a server that knows no kept check-ins gets a new one at once, and no old one")
  func oldServer() async throws {
    let (json, world) = (["Content-Type": "application/json"], world)
    let server = try HTTPServer { request, _ in
      .reply(
        request.path == "/v1/check-ins" ? 409 : 404, headers: json,
        body: request.path == "/v1/check-ins"
          ? #"{"error":{"checkInFirst":{}},"message":"x"}"#
          : #"{"message":"There is nothing here."}"#)
    }
    token.value = "token"
    let app = try OfflineApp(port: server.port, outbox: outbox, token: token, machine: machine)
    // Its answer to the plain request shows here.
    await #expect(throws: ClientError.checkInFirst) {
      _ = try await app.clients.checkInClient.checkIn(.manual)
    }
    app.line = .down
    _ = try await queue(app)
    app.line = .up
    let delivery = try #require(await app.clients.offlineClient.sync().first)
    #expect(delivery.error?.code == "SERVER_TOO_OLD")
    #expect(app.clients.offlineClient.outbox().refused.count == 1)
    _ = world
  }

  @Test("OFF-1: damaged files and those of other formats, servers or accounts stay and aren't sent")
  func strangers() async throws {
    let app = try await makeApp()
    pass(60)
    app.line = .down
    _ = try await queue(app)
    let own = files[0]
    let text = try String(contentsOfFile: outbox + "/" + own, encoding: .utf8)
    let id = UUID().uuidString.lowercased()
    func plant(_ name: String, _ text: String) {
      let path = outbox + "/" + name
      FileManager.default.createFile(
        atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
    }
    plant("check-in-\(id).json", "{")
    plant("check-in-x.json", text)
    plant("check-in-\(UUID().uuidString.lowercased()).json", text)
    try FileManager.default.createSymbolicLink(
      atPath: outbox + "/check-in-link.json", withDestinationPath: outbox + "/" + own)
    #expect(app.clients.offlineClient.strangers().count == 4)
    app.line = .up
    #expect(await app.clients.offlineClient.sync().map(\.isReceived) == [true])
    #expect(files.count == 4)
  }

  @Test("OFF-1: while 200 check-ins wait, another one isn't said to be kept")
  func full() async throws {
    let app = try await makeApp()
    app.line = .down
    for _ in 0..<200 {
      pass(61)
      _ = try await queue(app)
    }
    await #expect(
      throws: ClientError.storage(.network(.serverUnreachable(app.connection.server.name)))
    ) { _ = try await app.clients.checkInClient.checkIn(.manual) }
    #expect(files.count == 200)
  }

  @Test("OFF-1: if no file can be written, a check-in still reaches a server that answers")
  func noFolder() async throws {
    let app = try await makeApp()
    // A folder that others can enter isn't used.
    try FileManager.default.createDirectory(
      atPath: outbox, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let blocker = outbox + "/file"
    FileManager.default.createFile(atPath: blocker, contents: nil)
    let other = try OfflineApp(
      port: world.port, outbox: blocker, token: token, machine: machine)
    pass(3_600)
    #expect(try await other.clients.checkInClient.checkIn(.manual).lastCheckIn == world.now)
    other.line = .down
    await #expect(
      throws: ClientError.storage(.network(.serverUnreachable(app.connection.server.name)))
    ) { _ = try await other.clients.checkInClient.checkIn(.manual) }
  }

  @Test("OFF-1: two programs with one outbox send each check-in once")
  func twoPrograms() async throws {
    let app = try await makeApp()
    let other = try await makeApp(signedUp: false)
    app.line = .down
    for _ in 0..<5 {
      pass(120)
      _ = try await queue(app)
    }
    app.line = .up
    async let one = app.clients.offlineClient.sync()
    async let two = other.clients.offlineClient.sync()
    let received = await (one + two).filter(\.isReceived).map(\.checkIn.id)
    #expect(Set(received).count == 5 && received.count == 5)
    #expect(try await history(app).count == 6)
  }

  @Test("OFF-2: an app sees what waits, and sends it once the server answers again")
  func observed() async throws {
    let clock = TestClock()
    let app = try await makeApp(clock: clock)
    pass(3_600)
    app.line = .down
    let seen = SeenOutboxes()
    let observation = Task {
      for await outbox in app.clients.offlineClient.observe() {
        seen.list.withLock { $0.append(outbox) }
      }
    }
    defer { observation.cancel() }
    /// The observer may not wait for the clock yet.
    func last(_ count: Int) async -> Outbox? {
      while seen.list.withLock(\.count) < count { await clock.advance(by: .seconds(1)) }
      return seen.list.withLock(\.last)
    }
    #expect(await last(1) == Outbox())
    let made = try await queue(app)
    #expect(await last(2)?.waiting.map(\.madeAt) == [made])
    app.line = .up
    _ = try await app.clients.userClient.currentUser()
    #expect(await last(3) == Outbox())
    #expect(try await history(app).first == made)
  }
}

/// What an observer has been shown.
private final class SeenOutboxes: Sendable {
  let list = Mutex<[Outbox]>([])
}
