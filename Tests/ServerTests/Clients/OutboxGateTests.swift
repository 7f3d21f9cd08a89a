import Clients
import Curl
import Domain
import Foundation
import Server
import ServerProtocol
import ServerTesting
import SharedPlatform
import Store
import Synchronization
import TestSupport
import Testing

/// Check-ins behind a gate that a device keeps until the server has checked the passphrase.
@Suite(.timeLimit(.minutes(2))) struct OutboxGateTests: OfflineSuite {
  let offline: OfflineMachine

  init() throws { offline = try OfflineMachine() }

  /// An app whose account has a gate.
  private func makeApp() async throws -> OfflineApp {
    let app = try offline.start()
    try await app.signUp()
    try await app.clients.authClient.updateGate(
      Gate(passphrase: Secret("river stone"), duress: Secret("river sand")))
    _ = try await app.clients.userClient.currentUser()
    pass(3_600)
    return app
  }

  /// Checks in with a passphrase while the server can't be asked.
  @discardableResult private func queue(
    _ app: OfflineApp, _ passphrase: String
  ) async throws -> Date {
    do {
      _ = try await app.clients.checkInClient.$checkIn(.manual, typing: Secret(passphrase))
    } catch ClientError.queued(let date) {
      return date
    }
    throw CancellationError()
  }

  /// Whether a silent alert is on, as its person may learn with the true passphrase.
  private func isSilentAlertOn() async throws -> Bool {
    let auth = world.app(token: token.value).clients.authClient
    return try await auth.$silentAlert(typing: Secret("river stone")) != nil
  }

  @Test("OFF-4, CHK-3: offline, a check-in behind a gate asks for the passphrase before it is kept")
  func asks() async throws {
    let app = try await makeApp()
    await #expect(throws: ClientError.gate(.required)) {
      _ = try await app.clients.checkInClient.checkIn(.manual)
    }
    app.line = .down
    await #expect(throws: ClientError.gate(.required)) {
      _ = try await app.clients.checkInClient.checkIn(.manual)
    }
    #expect(files == [])
    let made = try await queue(app, "river stone")
    #expect(files.count == 1)
    pass(600)
    app.line = .up
    let delivery = try #require(await app.clients.offlineClient.sync().first)
    #expect(delivery.user?.lastCheckIn == made && files == [])
    #expect(try await !isSilentAlertOn())
    #expect(
      try await app.clients.checkInClient.$checkIn(.manual, typing: Secret("river stone"))
        .lastCheckIn == world.now)
  }

  @Test(
    "OFF-4, OUT-5: *back* behind a gate is read online and when kept; wrong, true and duress are told apart by the server",
    arguments: ["river stone", "river sand", "river bank"], [true, false])
  func back(passphrase: String, isOnline: Bool) async throws {
    let app = try await makeApp()
    let checkIn = app.clients.checkInClient
    let outing = try #require(
      try await checkIn.startOuting(OutingDraft(end: "8h", zone: "UTC")).outing)
    let isWrong = passphrase == "river bank"
    if isOnline {
      do {
        _ = try await checkIn.$endOuting(outing.id, typing: Secret(passphrase))
        #expect(!isWrong)
      } catch { #expect(error == .gate(.wrong)) }
    } else {
      app.line = .down
      await #expect(throws: ClientError.queued(at: machine.wall())) {
        _ = try await checkIn.$endOuting(outing.id, typing: Secret(passphrase))
      }
      pass(600)
      app.line = .up
      #expect(await app.clients.offlineClient.sync().map(\.isReceived) == [!isWrong])
    }
    let user = try await app.clients.userClient.currentUser()
    #expect((user.outing == nil) == !isWrong)
    #expect(try await isSilentAlertOn() == (passphrase == "river sand"))
  }

  @Test("OFF-4: true, duress and wrong passphrases leave files of the same size, without the text")
  func sameSize() async throws {
    let app = try await makeApp()
    app.line = .down
    var sizes: Set<Int> = []
    for passphrase in ["river stone", "river sand", "x", String(repeating: "é", count: 256)] {
      try await queue(app, passphrase)
      let file = try #require(files.first)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: outbox + "/" + file))
      sizes.insert(bytes.count)
      for text in [passphrase, Data(passphrase.utf8).base64EncodedString()] where text.count > 3 {
        #expect(bytes.firstRange(of: Data(text.utf8)) == nil)
      }
      try FileManager.default.removeItem(atPath: outbox + "/" + file)
    }
    #expect(sizes.count == 1)
  }

  @Test("OFF-4, CHK-3: a duress passphrase offline looks received and raises the silent alert then")
  func duress() async throws {
    let app = try await makeApp()
    app.line = .down
    let made = try await queue(app, "river sand")
    pass(30)
    // The true one afterwards must not hide it, not even within the minute in which two are one.
    let last = try await queue(app, "river stone")
    pass(600)
    app.line = .up
    let deliveries = await app.clients.offlineClient.sync()
    #expect(deliveries.map(\.isReceived) == [true, true])
    #expect(deliveries.map(\.error) == [nil, nil])
    #expect([made, last].contains(deliveries.last?.user?.lastCheckIn))
    #expect(app.clients.offlineClient.outbox() == Outbox())
    #expect(try await isSilentAlertOn())
  }

  @Test(
    "OFF-4: a wrong passphrase is refused once, never repeated, and its file holds none any more")
  func wrong() async throws {
    let app = try await makeApp()
    app.line = .down
    try await queue(app, "river bank")
    app.line = .up
    let delivery = try #require(await app.clients.offlineClient.sync().first)
    #expect(delivery.error == ClientError.gate(.wrong).text)
    #expect(app.clients.offlineClient.outbox().refused.count == 1)
    let text = try String(contentsOfFile: outbox + "/" + files[0], encoding: .utf8)
    #expect(!text.contains("sealed"))
    #expect(await app.clients.offlineClient.sync() == [])
  }

  @Test("OFF-4, DUR-2: at most three wait, and wrong ones lock the gate as if they were typed")
  func guesses() async throws {
    let app = try await makeApp()
    for _ in 0..<2 {
      app.line = .down
      for guess in ["guess 1", "guess 2", "guess 3"] { try await queue(app, guess) }
      await #expect(
        throws: ClientError.storage(.network(.serverUnreachable("127.0.0.1:\(world.port)")))
      ) {
        _ = try await app.clients.checkInClient.$checkIn(.manual, typing: Secret("guess 4"))
      }
      app.line = .up
      _ = await app.clients.offlineClient.sync()
      for refused in app.clients.offlineClient.outbox().refused {
        await app.clients.offlineClient.dismiss(refused.id)
      }
    }
    let error = await #expect(throws: ClientError.self) {
      _ = try await app.clients.checkInClient.$checkIn(.manual, typing: Secret("river stone"))
    }
    guard case .locked = error?.gateError else {
      Issue.record("the gate is locked: \(String(describing: error))")
      return
    }
  }

  @Test("OFF-4: a sealed passphrase serves its own request only, and only at its own server")
  func bound() async throws {
    let app = try await makeApp()
    app.line = .down
    try await queue(app, "river stone")
    // Who copies the file gives it another key, so that it would count again.
    let name = files[0]
    let text = try String(contentsOfFile: outbox + "/" + name, encoding: .utf8)
    let id = String(name.dropFirst(9).dropLast(5))
    let other = UUID().uuidString
    let copy = text.replacingOccurrences(of: id.uppercased(), with: other)
    #expect(copy != text)
    try Data(copy.utf8).write(
      to: URL(fileURLWithPath: outbox + "/check-in-\(other.lowercased()).json"))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: outbox + "/check-in-\(other.lowercased()).json")
    try FileManager.default.removeItem(atPath: outbox + "/" + name)
    app.line = .up
    let delivery = try #require(await app.clients.offlineClient.sync().first)
    #expect(delivery.error == ClientError.gate(.required).text)
  }

  @Test("OFF-4: who holds the device can't make a sealed check-in younger by what the request says")
  func forgedTime() async throws {
    let app = try await makeApp()
    app.line = .down
    let made = try await queue(app, "river stone")
    let file = outbox + "/" + files[0]
    struct Kept: Decodable {
      var id: UUID
      var body: String
    }
    let kept = try JSONDecoder().decode(
      Kept.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
    pass(6 * 3_600)
    let thief = world.app(token: token.value)
    let now = Int64(world.now.timeIntervalSince1970 * 1_000)
    thief.headers.withLock { $0["LifeSignal-Made"] = "after=\(now); at=\(now); age=0" }
    let answer = try await thief.raw(
      ServerRequest(
        .post, "/v1/check-ins/kept", body: Data(kept.body.utf8), idempotencyKey: kept.id))
    #expect(answer.status == 200)
    let user = try await world.app(token: token.value).clients.userClient.currentUser()
    #expect(abs(user.lastCheckIn.timeIntervalSince(made)) < 0.01)
  }

  @Test("OFF-4: all servers of a store have the same key")
  func oneKey() async throws {
    _ = try await makeApp()
    let other = try ServerWorld(lanes: world.store.lanes, now: { [world] in world.now })
    var keys: [Data?] = []
    for port in [world.port, other.port] {
      let answer = try await HTTPClient.live(keepingConnections: 1).send(
        HTTPRequest(
          method: .get, url: "http://127.0.0.1:\(port)/v1/auth",
          headers: [("Authorization", "Bearer \(token.value ?? "")")]))
      guard case .reply(let reply) = answer else { throw CancellationError() }
      let reference = reply.headers[ServerReference.header.lowercased()]
      keys.append(reference.flatMap { ServerReference($0)?.key })
    }
    #expect(keys[0] != nil && keys[0] == keys[1])
  }
}
