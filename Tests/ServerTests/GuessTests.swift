import Clients
import Domain
import FoundationEssentials
import ServerTesting
import Synchronization
import TestSupport
import Testing

@testable import Server

/// What the wrong guesses of a stranger, who only knows an address, do to its owner (DUR-2).
@Suite("Limits on wrong passwords and codes", .timeLimit(.minutes(1)))
struct GuessTests {
  static let email = "ada@example.org"
  static let right = Credentials(email: email, password: Secret("password of Ada"))
  static let wrong = Credentials(email: email, password: Secret("a wrong password"))

  /// An app on a network of its own.
  private func app(_ address: String, _ world: ServerWorld) -> RemoteApp {
    let app = world.app()
    app.headers.withLock { $0["X-Forwarded-For"] = address }
    return app
  }

  private func makeWorld(_ engine: Engine) async throws -> ServerWorld {
    let world = try engine.makeWorld(proxy: "127.0.0.1")
    _ = try await world.signUp("Ada")
    return world
  }

  @Test(
    "DUR-2: wrong passphrases lock only their session; too many lock all sessions begun that day",
    arguments: Engine.all)
  func sessions(_ engine: Engine) async throws {
    let world = try engine.makeWorld()
    let ida = try await world.signUp("Ida")
    let credentials = Credentials(
      email: "ida@example.org", password: Secret("password of Ida"))
    try await ida.clients.authClient.updateGate(
      Gate(passphrase: Secret("blue kettle"), duress: nil))
    func guess(_ app: RemoteApp, _ count: Int) async {
      for _ in 0..<count {
        _ = try? await app.clients.checkInClient.$checkIn(.manual, typing: Secret("x"))
      }
    }
    func isLocked(_ app: RemoteApp) async -> Bool {
      do {
        _ = try await app.clients.checkInClient.$checkIn(.manual, typing: Secret("blue kettle"))
        return false
      } catch { return true }
    }
    var thieves: [RemoteApp] = []
    for _ in 1...5 {
      let thief = RemoteApp(port: world.port)
      _ = try await thief.clients.authClient.signIn(credentials)
      thieves.append(thief)
    }
    await guess(thieves[0], 9)
    #expect(await isLocked(thieves[0]))
    #expect(await !isLocked(ida))
    // Who knows the password can't go on with one session after the other.
    for thief in thieves { await guess(thief, 5) }
    #expect(await isLocked(thieves[4]))
    #expect(await isLocked(ida))
    // A session that is older than a day has nothing to do with that.
    world.now = world.now + .days(2)
    for thief in thieves { await guess(thief, 5) }
    #expect(await !isLocked(ida))
  }

  @Test(
    "AUTH-3, DUR-2: wrong passwords lock only the network they come from",
    arguments: Engine.all)
  func passwords(_ engine: Engine) async throws {
    let world = try await makeWorld(engine)
    let stranger = app("203.0.113.5", world)
    for _ in 1...LockOut.freeTries {
      await expect(ClientError.invalidCredentials) { () throws(ClientError) in
        try await stranger.clients.authClient.signIn(Self.wrong)
      }
    }
    await expect(ClientError.tooManyAttempts(until: world.now + .minutes(1))) {
      () throws(ClientError) in
      try await stranger.clients.authClient.signIn(Self.right)
    }
    _ = try await app("198.51.100.7", world).clients.authClient.signIn(Self.right)
    // The person's own password on another network ends no lock of the stranger's.
    await #expect(throws: ClientError.self) {
      try await stranger.clients.authClient.signIn(Self.right)
    }
  }

  @Test("AUTH-3: a request for a reset code takes the same time with and without an account")
  func resetTime() async throws {
    let world = try await makeWorld(.sqlite)
    let clock = ContinuousClock()
    for email in [Self.email, "nobody@example.org", "no address"] {
      let start = clock.now
      let answer = Task { try await world.app().clients.authClient.sendPasswordReset(email) }
      _ = await answer.result
      let held = try #require(world.holds.withLock { $0.popLast() })
      #expect(start + Server.resetTime <= held && held <= clock.now + Server.resetTime, "\(email)")
      #expect(world.holds.withLock { $0.isEmpty })
    }
    _ = try await world.app().clients.authClient.signIn(Self.right)
    #expect(world.holds.withLock { $0.isEmpty })
  }

  @Test(
    "AUTH-3: too many wrong passwords from many networks together lock sign-in to the account",
    arguments: Engine.all)
  func budget(_ engine: Engine) async throws {
    let world = try await makeWorld(engine)
    var tried = 0
    while tried < LockOut.budget {
      let stranger = app("203.0.\(113 + tried / 200).\(1 + tried % 200)", world)
      await expect(ClientError.invalidCredentials) { () throws(ClientError) in
        try await stranger.clients.authClient.signIn(Self.wrong)
      }
      tried += 1
      // Requests of all strangers together are limited, too.
      world.now += 10
    }
    await #expect(throws: ClientError.tooManyAttempts(until: world.now - 10 + .minutes(1))) {
      try await app("198.51.100.7", world).clients.authClient.signIn(Self.right)
    }
  }

  @Test(
    "DUR-2: a mailed reset code works despite a stranger's requests and wrong guesses",
    arguments: Engine.all)
  func codes(_ engine: Engine) async throws {
    let world = try await makeWorld(engine)
    let stranger = app("203.0.113.5", world)
    func mailed() async throws -> [String] {
      try await world.deliverAll().filter { $0.stage == .passwordReset }.map(\.detail)
    }
    let ada = app("198.51.100.7", world)
    try await ada.clients.authClient.sendPasswordReset(Self.email)
    let code = try #require(try await mailed().first)
    var others: [String] = []
    for _ in 0..<8 {
      world.now += 60
      try await stranger.clients.authClient.sendPasswordReset(Self.email)
      others += try await mailed()
    }
    #expect(others.count == ResetRules.mostCodes - 1)
    for _ in 1...LockOut.freeTries {
      await expect(ClientError.resetCodeInvalid) { () throws(ClientError) in
        try await stranger.clients.authClient.resetPassword(
          Self.email, "AAAAAAAA", Secret("battery staple"))
      }
    }
    await #expect(throws: ClientError.tooManyAttempts(until: world.now + .minutes(1))) {
      try await stranger.clients.authClient.resetPassword(
        Self.email, others[0], Secret("battery staple"))
    }
    try await ada.clients.authClient.resetPassword(Self.email, code, Secret("battery staple"))
    // The password is new, so no other code counts any more.
    world.now += 120
    await expect(ClientError.resetCodeInvalid) { () throws(ClientError) in
      try await ada.clients.authClient.resetPassword(Self.email, others[1], Secret("correct horse"))
    }
  }

  @Test(
    "DUR-2: reset codes whose mail failed don't count toward the limit of valid codes",
    arguments: Engine.all)
  func unsent(_ engine: Engine) async throws {
    let world = try await makeWorld(engine)
    let ada = app("198.51.100.7", world)
    for _ in 0..<8 {
      world.now += 60
      try await ada.clients.authClient.sendPasswordReset(Self.email)
      try await world.deliverAll(.retry(reason: "no route to host", after: nil))
    }
    world.now += 60
    try await ada.clients.authClient.sendPasswordReset(Self.email)
    let mail = try #require(try await world.deliverAll().first { $0.stage == .passwordReset })
    try await ada.clients.authClient.resetPassword(
      Self.email, mail.detail, Secret("battery staple"))
  }
}
