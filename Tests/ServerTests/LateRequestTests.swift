import Clients
import Domain
import FoundationEssentials
import ServerProtocol
import ServerTesting
import Synchronization
import Testing

/// Requests that a server executes long after they were made: it was frozen, or its line was.
@Suite("Requests that the server runs late", .timeLimit(.minutes(1)))
struct LateRequestTests {
  /// Makes the app's next requests as of a time that is in the past for the server.
  private func make(_ app: RemoteApp, at date: Date, age: TimeSpan = .zero) {
    app.headers.withLock {
      $0["LifeSignal-Made"] =
        RequestTime(after: date - .minutes(1), at: date, age: Double(age.seconds)).header
    }
  }

  @Test(
    "CHK-1: a check-in that a frozen server runs late counts from when the person made it",
    arguments: Engine.all)
  func frozen(_ engine: Engine) async throws {
    let world = try engine.makeWorld()
    let ada = try await world.signUp("Ada")
    world.now = world.now + .hours(2)
    make(ada, at: world.now)
    let made = world.now
    world.now = world.now + .minutes(40)
    let user = try await ada.clients.checkInClient.checkIn(.manual)
    #expect(user.lastCheckIn == made)
    #expect(try await ada.clients.checkInClient.history(1).map(\.date) == [made])
    // A moment makes no difference.
    make(ada, at: world.now - .seconds(29))
    #expect(try await ada.clients.checkInClient.checkIn(.manual).lastCheckIn == world.now)
  }

  @Test(
    "CHK-1: a check-in made before the last one changes nothing, whatever the device's clock says",
    arguments: Engine.all)
  func overtaken(_ engine: Engine) async throws {
    let world = try engine.makeWorld()
    let ada = try await world.signUp("Ada")
    let made = world.now + .minutes(1)
    world.now = world.now + .hours(1)
    let last = try await ada.clients.checkInClient.checkIn(.manual)
    make(ada, at: made)
    #expect(try await ada.clients.checkInClient.checkIn(.manual) == last)
    make(ada, at: world.now, age: .hours(3))
    #expect(try await ada.clients.checkInClient.checkIn(.manual) == last)
    #expect(try await ada.clients.checkInClient.history(9).count == 2)
  }

  @Test(
    "CHK-3: a pause, removal or cancel older than 2 minutes is refused, an alert never",
    arguments: Engine.all)
  func weakening(_ engine: Engine) async throws {
    let world = try engine.makeWorld()
    let ada = try await world.signUp("Ada")
    let contact = try await ada.clients.contactsClient.add(
      ContactDraft(name: "Bo", email: "bo@example.org", roles: .responder))
    make(ada, at: world.now)
    world.now = world.now + .seconds(119)
    _ = try await ada.clients.checkInClient.pause(world.now + .hours(5))
    world.now = world.now + .seconds(2)
    await #expect(throws: ClientError.requestTooOld) {
      _ = try await ada.clients.checkInClient.pause(world.now + .days(5))
    }
    await #expect(throws: ClientError.requestTooOld) {
      try await ada.clients.contactsClient.delete(contact.id)
    }
    world.now = world.now + .hours(3)
    #expect(try await ada.clients.alertClient.raise("fell").isActive)
    await #expect(throws: ClientError.requestTooOld) {
      _ = try await ada.clients.alertClient.cancel()
    }
    ada.headers.withLock { $0["LifeSignal-Made"] = nil }
    #expect(try await !ada.clients.alertClient.cancel().isActive)
  }

  @Test(
    "CHK-3: a duress passphrase in a request refused as late still raises the silent alert",
    arguments: Engine.all)
  func lateUnderDuress(_ engine: Engine) async throws {
    for isForced in [false, true] {
      let world = try engine.makeWorld()
      let ada = try await world.signUp("Ada")
      let (pass, duress) = (Secret("river stone"), Secret("maple leaf"))
      try await ada.clients.authClient.updateGate(Gate(passphrase: pass, duress: duress))
      make(ada, at: world.now)
      world.now = world.now + .minutes(5)
      await #expect(throws: ClientError.requestTooOld) {
        _ = try await ada.clients.checkInClient.$pause(
          world.now + .hours(5), typing: isForced ? duress : pass)
      }
      ada.headers.withLock { $0["LifeSignal-Made"] = nil }
      #expect(try await (ada.clients.authClient.$silentAlert(typing: pass) != nil) == isForced)
    }
  }

  @Test(
    "CHK-7: a request made before a pause or an alert began doesn't end the pause or the alert",
    arguments: Engine.all)
  func beforeThePause(_ engine: Engine) async throws {
    let world = try engine.makeWorld()
    let ada = try await world.signUp("Ada")
    let made = world.now + .minutes(1)
    world.now = world.now + .minutes(2)
    let paused = try await ada.clients.checkInClient.pause(world.now + .days(2))
    _ = try await ada.clients.alertClient.raise("fell")
    make(ada, at: made)
    world.now = world.now + .seconds(50)
    let user = try await ada.clients.checkInClient.resume(.manual)
    #expect(user.pausedUntil == paused.pausedUntil && user.lastCheckIn == made)
    await #expect(throws: ClientError.requestTooOld) {
      _ = try await ada.clients.alertClient.cancel()
    }
    ada.headers.withLock { $0["LifeSignal-Made"] = nil }
    #expect(try await ada.clients.checkInClient.resume(.manual).pausedUntil == nil)
    _ = try await ada.clients.alertClient.cancel()
  }

  @Test(
    "ALT-2: a cancel made before the person called for help again doesn't end the alert",
    arguments: Engine.all)
  func beforeTheSecondCall(_ engine: Engine) async throws {
    let world = try engine.makeWorld()
    let ada = try await world.signUp("Ada")
    let alert = try await ada.clients.alertClient.raise("fell")
    let made = world.now + .minutes(1)
    world.now = world.now + .seconds(100)
    #expect(try await ada.clients.alertClient.raise("still here").id == alert.id)
    make(ada, at: made)
    await #expect(throws: ClientError.requestTooOld) {
      _ = try await ada.clients.alertClient.cancel()
    }
    ada.headers.withLock { $0["LifeSignal-Made"] = nil }
    #expect(try await ada.clients.alertClient.cancel().id == alert.id)
  }

  @Test(
    "PNG-2: a late answer doesn't answer a ping that was sent after the answer was made",
    arguments: Engine.all)
  func pings(_ engine: Engine) async throws {
    let world = try engine.makeWorld()
    let (ada, bo) = (try await world.signUp("Ada"), try await world.signUp("Bo"))
    let code = try await ada.clients.userClient.currentUser().code
    let link = try await bo.clients.contactsClient.request(code, .dependent)
    let asked = try #require(try await ada.clients.contactsClient.contacts().first)
    _ = try await ada.clients.contactsClient.accept(asked.id)
    make(ada, at: world.now)
    world.now = world.now + .minutes(5)
    _ = try await bo.clients.pingClient.send(link.id)
    await #expect(throws: ClientError.pingNotOpen) {
      _ = try await ada.clients.pingClient.answerAll()
    }
    ada.headers.withLock { $0["LifeSignal-Made"] = nil }
    _ = try await ada.clients.pingClient.answerAll()
  }

  @Test(
    "Every answer to a signed-in person has the server's time and whether they see a gate",
    arguments: Engine.all)
  func reference(_ engine: Engine) async throws {
    let world = try engine.makeWorld()
    let ada = try await world.signUp("Ada")
    let id = try await ada.clients.userClient.currentUser().id
    func reference(_ app: RemoteApp, _ request: ServerRequest) async throws -> ServerReference? {
      try await app.raw(request).headers[ServerReference.header.lowercased()]
        .flatMap(ServerReference.init)
    }
    let requests = [
      ServerRequest(.get, "/v1/me"), ServerRequest(.get, "/v1/auth"),
      ServerRequest(.post, "/v1/pause/end", body: Data("{}".utf8), idempotencyKey: UUID()),
    ]
    for request in requests {
      let found = try #require(try await reference(ada, request))
      // The public key to which passphrases are sealed.
      #expect(found.key?.count == 32)
      #expect(
        found
          == ServerReference(time: world.now, account: id, hasGate: false, key: found.key),
        "\(request.path)")
      #expect(try await reference(world.app(), request) == nil)
      #expect(try await reference(world.app(token: "0"), request) == nil)
    }
    let gate = Gate(passphrase: Secret("river stone"), duress: Secret("maple leaf"))
    try await ada.clients.authClient.updateGate(gate)
    #expect(try await reference(ada, requests[0])?.hasGate == true)
    // Removed under duress, it seems to be gone.
    try await ada.clients.authClient.$updateGate(nil, typing: Secret("maple leaf"))
    #expect(try await reference(ada, requests[0])?.hasGate == false)
  }
}
