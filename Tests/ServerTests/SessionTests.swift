import Clients
import struct Composable.DependencyValues
import Cryptography
import Domain
import FoundationEssentials
import ServerProtocol
import SQLite
import ServerTesting
import Store
import Synchronization
import TestSupport
import Testing

@testable import Server

@Suite("Sessions of a server", .timeLimit(.minutes(1)))
struct SessionTests {
  @Test("No name in the log or the metrics reveals that silent alerts exist (CHK-3)")
  func labels() async throws {
    let labels = Route.all.map(\.label)
    #expect(!labels.contains { $0.lowercased().contains("silent") })
    #expect(Set(labels).count == Set(Route.all.map(\.name)).count)
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    _ = try await ada.clients.authClient.silentAlert()
    let text = try await world.app().raw(ServerRequest(.get, "/metrics")).text
    #expect(text.contains("AuthClient.gateState") && !text.contains("ilentAlert"))
  }

  @Test("AUTH-1: signing up gives a token, with which the person checks in and reads")
  func signUp() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada", phone: "+46701234567")
    #expect(ada.token?.count == 64)
    world.now += 3_600
    let user = try await ada.clients.checkInClient.checkIn(.manual)
    #expect(user.lastCheckIn == world.now && user.checkInSequence == 1)
    #expect(try await ada.clients.checkInClient.history(10).count == 2)
    #expect(try await ada.clients.userClient.currentUser() == user)
  }

  @Test(
    "AUTH-1: a password starts a second session; a wrong one and an unknown address fail alike")
  func signIn() async throws {
    let world = try ServerWorld()
    _ = try await world.signUp("Ada")
    let laptop = world.app()
    laptop.headers.withLock { $0["LifeSignal-Device"] = "laptop" }
    let right = Credentials(email: "ada@example.org", password: Secret("password of Ada"))
    _ = try await laptop.clients.authClient.signIn(right)
    #expect(try await laptop.clients.authClient.sessions().map(\.device).contains("laptop"))
    for email in ["ada@example.org", "nobody@example.org"] {
      await expect(ClientError.invalidCredentials) { () throws(ClientError) in
        try await world.app().clients.authClient.signIn(
          Credentials(email: email, password: Secret("wrong password")))
      }
    }
  }

  @Test("AUTH-2: no token, a wrong token or a token after sign-out gives no access")
  func noSession() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    await expect(ClientError.notAuthenticated) { () throws(ClientError) in
      try await world.app().clients.userClient.currentUser()
    }
    let token = try #require(ada.token)
    let other = (token.hasPrefix("0") ? "1" : "0") + token.dropFirst()
    await expect(ClientError.sessionExpired) { () throws(ClientError) in
      try await world.app(token: other).clients.userClient.currentUser()
    }
    try await ada.clients.authClient.signOut()
    #expect(ada.token == nil)
    await expect(ClientError.sessionExpired) { () throws(ClientError) in
      try await world.app(token: token).clients.userClient.currentUser()
    }
  }

  @Test("AUTH-2: a session that is used stays; an unused session expires after its lifetime")
  func expiry() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    for _ in 0..<3 {
      world.now += Double(Session.lifetime.seconds) - 60
      _ = try await ada.clients.userClient.currentUser()
    }
    world.now += Double(Session.lifetime.seconds) + 1
    await expect(ClientError.sessionExpired) { () throws(ClientError) in
      try await ada.clients.userClient.currentUser()
    }
  }

  @Test("AUTH-2: a server without accounts doesn't reveal that it is empty")
  func emptyServer() async throws {
    let world = try ServerWorld()
    #expect(try await world.app().clients.authClient.state() == .signedOut)
  }

  @Test("AUTH-1: on a server every account needs a password, even the first")
  func noPassword() async throws {
    let world = try ServerWorld()
    await expect(ClientError.emailRequired) { () throws(ClientError) in
      try await world.app().clients.authClient.createAccount(
        NewAccount(profile: Profile(name: "Ada")))
    }
    let ada = try await world.signUp("Ada")
    await expect(ClientError.accountExists) { () throws(ClientError) in
      try await ada.clients.authClient.updatePassword(Secret("password of Ada"), nil)
    }
  }

  @Test("AUTH-1: an account that needs no password at the machine can't be used over the network")
  func localAccount() async throws {
    let world = try ServerWorld()
    // Create the account like the app on the server's machine.
    let local = StoreClients(
      world.store.lanes[0],
      session: LocalSession(address: nil, device: "here", secrets: NoSecrets()),
      makeUUID: { UUID() }, hashing: .minimal,
      startMonitor: { (_: Bool) async throws(StorageError) in })
    _ = try await local.openFurtherAccount(
      NewAccount(profile: Profile(name: "Ida", email: "ida@example.org")))
    await expect(ClientError.notAuthenticated) { () throws(ClientError) in
      try await world.app().clients.userClient.currentUser()
    }
    await expect(ClientError.invalidCredentials) { () throws(ClientError) in
      try await world.app().clients.authClient.signIn(
        Credentials(email: "ida@example.org", password: Secret("")))
    }
  }

  private struct NoSecrets: SecretStore {
    func get(_ name: String) throws(KeychainError) -> String? { nil }
    func set(_ name: String, _ secret: String?) throws(KeychainError) {}
  }

  @Test("Without signing in, a client learns the number of monitors and failing channels, not why")
  func readiness() async throws {
    let world = try ServerWorld(registration: .closed)
    let stranger = world.app().clients.watchClient
    #expect(try await stranger.readiness() == WatchStatus(monitors: 0))
    let store = world.store.clients(for: RemoteSession(token: nil, device: ""))
    var values = DependencyValues()
    store.install(in: &values)
    let problem = MonitorProblem("mail.example.org refuses ada@example.org", kinds: [.email])
    _ = try await values.monitorClient.heartbeat(
      UUID(), { world.now }, TimeSpan.minutes(1), problem)
    #expect(
      try await stranger.readiness()
        == WatchStatus(
          monitors: 1, problem: "nothing can be sent by email", failingKinds: [.email]))
  }

  @Test("A member's invitation works once within seven days, and only with its whole code")
  func membersInvitations() async throws {
    let world = try ServerWorld(registration: .invite)
    func guest(_ code: String?) -> RemoteApp {
      let app = world.app()
      if let code { app.headers.withLock { $0["LifeSignal-Invite"] = code } }
      return app
    }
    func join(_ name: String, _ code: String?) async throws(ClientError) -> RemoteApp {
      let app = guest(code)
      _ = try await app.clients.authClient.createAccount(
        NewAccount(
          profile: Profile(name: name),
          credentials: Credentials(
            email: "\(name.lowercased())@example.org", password: Secret("a good password"))))
      return app
    }
    func invite(_ app: RemoteApp) async throws -> (code: String, id: UUID) {
      let code = SecureToken.invitation
      return (code.text, try await app.clients.invitationClient.add(code.digest, .responder).id)
    }
    func isRefused(_ code: String?, _ end: Invitation.End?) async throws {
      // Let the limit for this address reset.
      world.now += 60
      let error = end.map(ClientError.invitationOver) ?? .inviteRequired
      await expect(error) { () throws(ClientError) in
        try await guest(code).clients.invitationClient.offer()
      }
      await expect(error) { () throws(ClientError) in _ = try await join("Eve", code) }
    }
    let first = try await world.store.administration.invite(uses: 3, lifetime: .days(30))
    // An administrator's invitation makes nobody a contact.
    #expect(try await guest(first).clients.invitationClient.offer() == nil)
    let ada = try await join("Ada", first)
    let (bo, cy) = (try await join("Bo", first), try await join("Cy", first))

    let used = try await invite(ada)
    #expect(
      try await guest(used.code).clients.invitationClient.offer()
        == InvitationOffer(name: "Ada", roles: .dependent))
    _ = try await join("Dan", used.code)
    #expect(try await ada.clients.contactsClient.contacts().map(\.name) == ["Dan"])
    let revoked = try await invite(ada)
    try await ada.clients.invitationClient.revoke(revoked.id)
    let left = try await invite(bo)
    try await bo.clients.authClient.deleteAccount(Secret("a good password"))
    let disabled = try await invite(cy)
    _ = try await world.store.administration.setDisabled(true, email: "cy@example.org")
    // A client with the whole code gets the reason; one with a guess or a part of it doesn't.
    for code in [nil, "guessed", String(used.code.dropLast()), left.code] {
      try await isRefused(code, nil)
    }
    try await isRefused(used.code, .used)
    try await isRefused(revoked.code, .revoked)
    try await isRefused(disabled.code, .memberDisabled)
    // Revoking a used invitation reports who joined with it and changes nothing.
    await expect(ClientError.invitationUsed(by: "Dan", roles: .responder)) {
      () throws(ClientError) in
      try await ada.clients.invitationClient.revoke(used.id)
    }
    try await isRefused(used.code, .used)
    let late = try await invite(ada)
    world.now += 7 * 86_400
    try await ada.clients.invitationClient.revoke(late.id)
    try await isRefused(late.code, .expired)
    try await isRefused(used.code, .used)
    try await isRefused(disabled.code, .expired)
    // A malformed digest makes no invitation.
    for digest in ["", "guessed", String(repeating: "G", count: 64)] {
      await #expect(throws: ClientError.self) {
        _ = try await ada.clients.invitationClient.add(digest, .responder)
      }
    }
    #expect(try await ada.clients.invitationClient.invitations() == [])
    // After a month, the invitations are deleted.
    world.now += 30 * 86_400
    _ = try await world.store.administration.invite(uses: 1, lifetime: .days(1))
    for code in [used.code, revoked.code, late.code, disabled.code] {
      try await isRefused(code, nil)
    }
  }

  @Test(
    "AUTH-2: a disabled person learns so with their session or password; nobody else does"
  )
  func disabled() async throws {
    let world = try ServerWorld()
    let (ada, bo) = (try await world.signUp("Ada"), try await world.signUp("Bo"))
    func signIn(_ password: String) async -> ClientError? {
      do throws(ClientError) {
        _ = try await world.app().clients.authClient.signIn(
          Credentials(email: "ada@example.org", password: Secret(password)))
        return nil
      } catch { return error }
    }
    _ = try await ada.clients.contactsClient.add(
      ContactDraft(name: "Cy", email: "cy@example.org", roles: .responder))
    try await world.deliverAll()
    let administration = world.store.administration
    #expect(try await administration.setDisabled(true, email: "ada@example.org"))
    #expect(try await ada.clients.authClient.state() == .signedOut)
    // Once, however often it is said: their responder can ask how they are.
    #expect(try await administration.setDisabled(true, email: "ada@example.org"))
    #expect(try await world.deliverAll().map(\.detail) == [ResponderNotice.disabled])
    #expect(await signIn("a wrong password") == .invalidCredentials)
    #expect(await signIn("password of Ada") == .accountDisabled)
    // This holds for repeated requests, and after someone else has signed in.
    world.now += 60
    _ = try await bo.clients.authClient.signIn(
      Credentials(email: "bo@example.org", password: Secret("password of Bo")))
    for _ in 1...2 {
      await expect(ClientError.accountDisabled) { () throws(ClientError) in
        try await ada.clients.checkInClient.checkIn(.manual)
      }
    }
    await expect(ClientError.accountDisabled) { () throws(ClientError) in
      try await ada.clients.alertClient.raise("")
    }
    await expect(ClientError.notAuthenticated) { () throws(ClientError) in
      try await world.app().clients.userClient.currentUser()
    }
    // Sessions that ended this way don't come back.
    #expect(try await administration.setDisabled(false, email: "ada@example.org"))
    await expect(ClientError.sessionExpired) { () throws(ClientError) in
      try await ada.clients.userClient.currentUser()
    }
    #expect(await signIn("password of Ada") == nil)
    #expect(try await bo.clients.userClient.currentUser().profile.name == "Bo")
  }

  @Test(
    "An invitation requested twice with one key is made once, and no answer contains its digest")
  func repeatedInvitation() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    let digest = SecureToken.invitation.digest
    let route = try #require(Route.all.first { $0.name == "InvitationClient.add" })
    let request = try route.request(values: [digest, Roles.responder])
    let (first, second) = (try await ada.raw(request), try await ada.raw(request))
    #expect(first.status == 200 && first.text == second.text && !first.text.contains(digest))
    #expect(try await ada.clients.invitationClient.invitations().count == 1)
  }

  @Test("On a server with closed registration, members can't invite anyone")
  func closedRegistration() async throws {
    let now = Date(timeIntervalSince1970: 1_790_000_000)
    let lane = try EmbeddedPlatform.openLaneInMemory(now: { now })
    let open = try ServerWorld(lanes: [lane])
    let token = try await open.signUp("Ada").token
    let closed = try ServerWorld(lanes: [lane], registration: .closed)
    let ada = closed.app(token: token)
    await expect(ClientError.registrationClosed) { () throws(ClientError) in
      try await ada.clients.invitationClient.add(SecureToken.invitation.digest, .responder)
    }
    #expect(try await ada.clients.invitationClient.invitations() == [])
    await expect(ClientError.registrationClosed) { () throws(ClientError) in
      try await closed.app().clients.invitationClient.offer()
    }
  }

  @Test("An invitation opens as many accounts as it allows, and none after it expires")
  func invitations() async throws {
    let world = try ServerWorld(registration: .invite)
    func join(_ name: String, _ code: String?) async -> ClientError? {
      let app = world.app()
      if let code { app.headers.withLock { $0["LifeSignal-Invite"] = code } }
      do throws(ClientError) {
        _ = try await app.clients.authClient.createAccount(
          NewAccount(
            profile: Profile(name: name),
            credentials: Credentials(
              email: "\(name)@example.org", password: Secret("a good password"))))
        return nil
      } catch {
        return error
      }
    }
    #expect(await join("ada", nil) == .inviteRequired)
    #expect(await join("ada", "guessed") == .inviteRequired)
    let code = try await world.store.administration.invite(uses: 2, lifetime: .days(7))
    #expect(await join("ada", code) == nil)
    // A failed sign-up doesn't use up the invitation.
    #expect(await join("ada", code) == .invalid(.emailTaken))
    #expect(await join("bo", code) == nil)
    #expect(await join("cy", code) == .invitationOver(.used))
    let late = try await world.store.administration.invite(uses: 1, lifetime: .days(7))
    world.now += 7 * 86_400
    #expect(await join("cy", late) == .invitationOver(.expired))
    let closed = try ServerWorld(registration: .closed)
    await expect(ClientError.registrationClosed) { () throws(ClientError) in
      try await closed.app().clients.authClient.createAccount(
        NewAccount(
          profile: Profile(name: "Ada"),
          credentials: Credentials(email: "ada@example.org", password: Secret("a good password"))))
    }
  }

  @Test("An administrator can disable and enable an account and make a code for a new password")
  func administration() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    let administration = world.store.administration
    #expect(try await administration.setDisabled(true, email: "ADA@example.org"))
    await expect(ClientError.accountDisabled) { () throws(ClientError) in
      try await ada.clients.userClient.currentUser()
    }
    let right = Credentials(email: "ada@example.org", password: Secret("password of Ada"))
    await expect(ClientError.accountDisabled) { () throws(ClientError) in
      try await world.app().clients.authClient.signIn(right)
    }
    #expect(try await administration.accounts().map(\.isDisabled) == [true])
    #expect(try await administration.setDisabled(false, email: "ada@example.org"))
    _ = try await ada.clients.authClient.signIn(right)
    let code = try #require(
      try await administration.makeResetCode(email: "ada@example.org"))
    try await world.app().clients.authClient.resetPassword(
      "ada@example.org", code, Secret("another password"))
    await expect(ClientError.sessionExpired) { () throws(ClientError) in
      try await ada.clients.userClient.currentUser()
    }
    #expect(try await !administration.setDisabled(true, email: "nobody@example.org"))
    #expect(try await administration.makeResetCode(email: "nobody@example.org") == nil)
  }

  @Test("CHK-3: a check-in under duress gets the usual answer and raises the silent alert")
  func duress() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    try await ada.clients.authClient.updateGate(
      Gate(passphrase: Secret("open sesame"), duress: Secret("close sesame")))
    let key = UUID()
    func checkIn(_ passphrase: String) async throws -> RawHTTP.Answer {
      try await ada.raw(
        .init(
          .post, "/v1/check-ins",
          body: Data(#"{"passphrase":"\#(passphrase)","source":"manual"}"#.utf8),
          idempotencyKey: UUID()))
    }
    #expect(try await checkIn("wrong").status == 403)
    let free = try await checkIn("open sesame")
    #expect(try await ada.clients.authClient.$silentAlert(typing: Secret("open sesame")) == nil)
    let forced = try await checkIn("close sesame")
    #expect(forced.status == free.status)
    #expect(Set(forced.headers.keys) == Set(free.headers.keys))
    // Sent twice with the same key; the second answer is the stored one.
    let request = ServerRequest(
      .post, "/v1/check-ins",
      body: Data(#"{"passphrase":"close sesame","source":"manual"}"#.utf8), idempotencyKey: key)
    let (first, second) = (try await ada.raw(request), try await ada.raw(request))
    #expect(first.body == second.body && first.status == second.status)
    #expect(!first.text.contains("duress"))
    #expect(
      try await ada.clients.authClient.$silentAlert(typing: Secret("open sesame"))?.kind == .duress)
    #expect(try await ada.clients.alertClient.history(10).isEmpty)
  }
}
