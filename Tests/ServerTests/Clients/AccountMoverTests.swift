import Clients
import ComposableTesting
import Composable
import Cryptography
import Domain
import Foundation
import Monitor
import PostgreSQL
import PostgresTesting
import SQLite
import ServerTesting
import Store
import Synchronization
import TestSupport
import Testing

@testable import SharedPlatform

/// Moving an account from a machine to a server, with real stores and planners on both sides.
@Suite("Moving an account to a server", .timeLimit(.minutes(5)))
struct AccountMoverTests {
  /// Counts the requests to both sides, so that a move can be interrupted at any of them.
  final class Steps: Sendable {
    private let left: Mutex<Int?>
    private let count = Mutex(0)
    private let look: @Sendable () async throws -> Void

    /// - Parameter look: A check to run at each step.
    init(endingAfter left: Int? = nil, look: @escaping @Sendable () async throws -> Void = {}) {
      self.left = Mutex(left)
      self.look = look
    }
    var taken: Int { count.withLock { $0 } }

    struct Crash: Error {}

    /// Counts a point before or after a request, at which the move can be interrupted.
    func take() async throws(ClientError) {
      do { try await look() } catch { throw .storage(.unknown("\(error)")) }
      count.withLock { $0 += 1 }
      let isOver = left.withLock { left in
        guard let number = left else { return false }
        left = number - 1
        return number <= 0
      }
      if isOver { throw .storage(.network(.connectionFailed)) }
    }
  }

  /// The kind of database of the server's store.
  enum ServerStore: CaseIterable {
    case sqlite, postgres

    static var allCases: [ServerStore] {
      PostgresServer.absence == nil ? [.sqlite, .postgres] : [.sqlite]
    }
  }

  final class Scene: Sendable {
    static let start = Date(timeIntervalSince1970: 1_795_247_520)
    let local: EmbeddedPlatform
    let server: EmbeddedPlatform
    /// The server's store with the access of its monitors.
    let monitored: EmbeddedPlatform
    private let database: PostgresDatabase?
    private let folder: TemporaryFolder?
    private let clock = Mutex(Scene.start)
    var now: Date {
      get { clock.withLock { $0 } }
      set { clock.withLock { $0 = newValue } }
    }

    init(_ store: ServerStore = .sqlite) throws {
      nonisolated(unsafe) weak var scene: Scene?
      let now: @Sendable () -> Date = { scene?.now ?? Scene.start }
      local = EmbeddedPlatform.inMemory(now: now)
      switch store {
      case .sqlite:
        server = EmbeddedPlatform.inMemory(now: now)
        monitored = server
        (database, folder) = (nil, nil)
      case .postgres:
        let (database, folder) = (
          try PostgresServer.shared.get().makeDatabase(), try TemporaryFolder()
        )
        let folders = try #require(Folders(environment: ["HOME": folder.path]))
        func open(as user: PostgresDatabase.User) throws -> EmbeddedPlatform {
          let postgres = PostgresPlatform(database.connection(as: user), now: now)
          return try EmbeddedPlatform(
            place: postgres.makePlace().place, folders: folders, now: now, hashing: .minimal,
            keyring: false)
        }
        server = try open(as: .server)
        monitored = try open(as: .monitor)
        (self.database, self.folder) = (database, folder)
      }
      scene = self
    }

    func clients(_ platform: EmbeddedPlatform) -> DependencyValues {
      var values = DependencyValues()
      values.context = .test
      platform.install(in: &values)
      values.continuousClock = ImmediateClock()
      return values
    }
    var here: DependencyValues { clients(local) }
    var there: DependencyValues { clients(server) }

    /// Plans all due accounts of a store, like a monitor.
    func watch(_ platform: EmbeddedPlatform) async throws {
      let monitor = clients(platform).monitorClient
      _ = try await monitor.heartbeat(UUID(), { self.now }, .minutes(1), nil)
      let plans = try await monitor.due(now, 10).map {
        AccountPlan(
          account: $0.user.id, revision: $0.revision,
          plan: Planner.plan($0, now: now, makeID: { UUID() }))
      }
      _ = try await monitor.apply(plans, now)
    }
  }

  /// Creates an account with a lot of data.
  private func fill(_ scene: Scene, checkIns: Int, contacts: Int) async throws {
    let here = scene.here
    _ = try await here.authClient.createAccount(
      NewAccount(
        profile: Profile(
          name: "Ada", phone: "+442071838750", note: "Penicillin", email: "ada@example.org"),
        interval: try CheckInInterval(.hours(36)), responders: []))
    for number in 0..<contacts {
      _ = try await here.contactsClient.add(
        ContactDraft(
          name: "Responder " + Self.letters(number), note: "Note \(number)",
          channels: [
            ChannelDraft(.email, "r\(number)@example.org"),
            number.isMultiple(of: 2)
              ? ChannelDraft(.webhook, "https://example.org/\(number)")
              : ChannelDraft(.ntfy, "https://ntfy.sh/r\(number)", token: Secret("tk_\(number)")),
          ], roles: .responder))
    }
    _ = try await here.channelsClient.add(
      ChannelDraft(.ntfy, "https://ntfy.sh/ada", token: Secret("tk_ada")), nil)
    let own = try await here.channelsClient.overview().own
    try await here.channelsClient.setMuted(.reminders, own[1].id, true)
    for _ in 0..<checkIns {
      scene.now = scene.now + .minutes(2)
      _ = try await here.checkInClient.checkIn(.manual)
    }
    _ = try await here.userClient.updateEscalation(
      [.hours(2), .minutes(10)], .minutes(30), .hours(2))
    _ = try await here.storageClient.setDocument(
      try CollectionPath("settings").document("theme"), Data(#"{"name":"dark"}"#.utf8), nil)
    for (name, access) in [("card.txt", EmergencyDocument.Access.always), ("b.txt", .duringAlert)] {
      let data = Data("\(name) says hello".utf8)
      for await _ in here.fileStorageClient.upload(
        data, StorageMetadata(name: name, contentType: ContentType(of: data), access: access))
      {}
    }
    try await here.standbyClient.update(Standby(heartbeat: "https://hc.example.org/1"))
    try await here.authClient.updateGate(
      Gate(passphrase: Secret("blue kettle"), duress: Secret("green kettle")))
    // A past alert with its deliveries.
    _ = try await here.alertClient.raise("fell on the stairs")
    _ = try await here.alertClient.$cancel(typing: Secret("blue kettle"))
    try await scene.watch(scene.local)
  }

  /// A number written in letters, since names can't contain digits.
  private static func letters(_ number: Int) -> String {
    String("\(number)".map { Character(UnicodeScalar($0.asciiValue! + 49)) })
  }

  /// Moves the account as the command does, with steps that can be interrupted.
  private func move(_ scene: Scene, _ steps: Steps = Steps()) async throws -> Bool {
    let (here, there) = (scene.here.counting(steps), scene.there.counting(steps))
    let passphrase = Secret("blue kettle")
    let prepared = try await here.transferClient.$prepareMove(typing: passphrase)
    if case .signedIn = try await there.authClient.state() {
    } else {
      try await steps.take()
      _ = try await there.authClient.createAccount(
        NewAccount(
          profile: Profile(name: "Ada", email: "ada@example.org"),
          credentials: Credentials(email: "ada@example.org", password: Secret("four random words")),
          isArriving: true))
      try await steps.take()
    }
    let mover = AccountMover(from: here, to: there, server: "ls.example.org")
    let typing = TypedSecrets(for: .moveAccount, passphrase: passphrase)
    try await typing.during { try await mover.bring(prepared) }
    if try await mover.arrive(within: .zero) { return true }
    try await scene.watch(scene.monitored)
    return try await mover.arrive(within: .zero)
  }

  private func expectSame(
    _ here: AccountMove, _ there: AccountMove, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var (here, there) = (here.export, there.export)
    #expect(here.files.count == there.files.count, sourceLocation: sourceLocation)
    for (one, other) in zip(here.files, there.files) {
      #expect(one.name == other.name && one.size == other.size, sourceLocation: sourceLocation)
      #expect(one.access == other.access, sourceLocation: sourceLocation)
    }
    (here.files, there.files) = ([], [])
    #expect(here.user == there.user, sourceLocation: sourceLocation)
    #expect(here.checkIns == there.checkIns, sourceLocation: sourceLocation)
    #expect(here.contacts == there.contacts, sourceLocation: sourceLocation)
    #expect(here == there, sourceLocation: sourceLocation)
  }

  @Test(
    "A move copies 1,000 check-ins, 50 contacts, documents and channels field by field",
    arguments: ServerStore.allCases)
  func everything(_ store: ServerStore) async throws {
    let scene = try Scene(store)
    try await fill(scene, checkIns: 1_000, contacts: 50)
    try await scene.watch(scene.monitored)
    let before = try await scene.here.transferClient.$prepareMove(typing: Secret("blue kettle"))
    #expect(before.export.checkIns.count == 1_001 && before.secrets.count == 51)
    #expect(try await move(scene))
    let after = try await scene.there.transferClient.$prepareMove(typing: Secret("blue kettle"))
    expectSame(before, after)
    #expect(before.secrets == after.secrets && before.gate == after.gate)
    #expect(before.standby == after.standby && before.takesLinks == after.takesLinks)
    #expect(try await scene.there.userClient.currentUser().deadline == before.export.user.deadline)
    for document in after.export.files {
      let bytes = try await scene.there.fileStorageClient.download(StoredFileURL(document.id))
      #expect(bytes == Data("\(document.name) says hello".utf8))
    }
    // The message that someone was named isn't sent again.
    let due = try await scene.there.monitorClient.claim(
      scene.now, .minutes(1), ClaimRequest(limit: 100))
    #expect(due.filter { $0.stage == .contactAdded }.isEmpty)
  }

  @Test(
    "A move interrupted at any step can be repeated: nothing doubles, and one side always watches",
    arguments: ServerStore.allCases)
  func crashes(_ store: ServerStore) async throws {
    let whole = try Scene(store)
    try await fill(whole, checkIns: 5, contacts: 3)
    let counted = Steps()
    #expect(try await move(whole, counted))
    #expect(counted.taken > 10)
    for end in 0..<counted.taken {
      let scene = try Scene(store)
      try await fill(scene, checkIns: 5, contacts: 3)
      let before = try await scene.here.transferClient.$prepareMove(typing: Secret("blue kettle"))
      _ = try? await move(scene, Steps(endingAfter: end))
      try await scene.expectWatched(after: "\(end) steps")
      #expect(try await move(scene), "\(end)")
      #expect(try await move(scene), "\(end), done twice")
      expectSame(
        before, try await scene.there.transferClient.$prepareMove(typing: Secret("blue kettle")))
      try await scene.expectWatched(after: "\(end) steps and a repeat")
      // From here on, only the server watches.
      #expect(try await scene.watchers() == [false, true], "\(end)")
    }
  }

  /// A clock that follows the scene's time and never waits.
  struct SceneClock: Clock {
    let scene: Scene
    let start = ContinuousClock.now
    let minimumResolution = Duration.zero
    var now: ContinuousClock.Instant {
      start + .seconds(scene.now.timeIntervalSince(Scene.start))
    }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {}
  }

  /// A monitor like the one in the program, with its log.
  final class Watcher: Sendable {
    private let loop: MonitorLoop<SceneClock>
    private let lines: Lines
    let alerts = Mutex<[String]>([])

    final class Lines: Sendable {
      let all = Mutex<[String]>([])
    }

    init(_ clients: DependencyValues, in scene: Scene) {
      let lines = Lines()
      self.lines = lines
      nonisolated(unsafe) weak var watcher: Watcher?
      loop = MonitorLoop(
        id: UUID(), store: clients.monitorClient,
        deliveryService: DeliveryService { delivery in
          if delivery.stage.isCall {
            watcher?.alerts.withLock { $0.append(delivery.recipientName) }
          }
          return .sent
        }, dateClient: clients.dateClient, clock: SceneClock(scene: scene),
        random: WithRandomNumberGenerator(SystemRandomNumberGenerator()),
        log: MonitorLog { _, line in lines.all.withLock { $0.append(line) } })
      watcher = self
    }

    func takesATurn() async { _ = await loop.runOnce() }

    var misses: [String] { lines.all.withLock { $0 }.filter { $0.contains("missed deadline") } }

    /// The last place in the log where the deadline is watched, or `nil` if there is none yet.
    var place: String? {
      lines.all.withLock { $0 }.last { $0.contains("its deadline is watched") }?
        .split(separator: " ").last.map(String.init)
    }
  }

  @Test(
    "WCH-1: during a move, at least one of the two monitors watches the deadline at every step",
    arguments: ServerStore.allCases)
  func monitors(_ store: ServerStore) async throws {
    let scene = try Scene(store)
    try await fill(scene, checkIns: 5, contacts: 3)
    let old = Watcher(scene.here, in: scene)
    let new = Watcher(scene.clients(scene.monitored), in: scene)
    let places = Mutex<[String]>([])
    @Sendable func look() async throws {
      scene.now = scene.now + .seconds(30)
      await old.takesATurn()
      await new.takesATurn()
      let (here, there) = (old.place ?? "here", new.place ?? "elsewhere")
      #expect(here == "here" || there == "here", "at \(scene.now)")
      places.withLock { if $0.last != "\(here), \(there)" { $0.append("\(here), \(there)") } }
    }
    let steps = Steps(look: look)
    #expect(try await move(scene, steps))
    #expect(steps.taken > 10)
    try await look()
    // Both watch for a while, then only the server's monitor does.
    #expect(places.withLock { $0 } == ["here, elsewhere", "here, here", "elsewhere, here"])
    let end = try await scene.there.userClient.currentUser().deadline.graceEnd
    while scene.now <= end + .minutes(1) {
      scene.now = scene.now + .minutes(30)
      try await look()
    }
    #expect(old.misses.isEmpty && new.misses.count == 1, "\(old.misses), \(new.misses)")
    #expect(old.alerts.withLock { $0 } == [])
    #expect(Set(new.alerts.withLock { $0 }).count == 3, "each responder")
  }

  @Test(
    "WCH-1: a server watches an account opened for a move only after it arrives or checks in",
    arguments: ServerStore.allCases)
  func opened(_ store: ServerStore) async throws {
    for arrives in [true, false] {
      let scene = try Scene(store)
      try await fill(scene, checkIns: 1, contacts: 1)
      _ = try await scene.there.authClient.createAccount(
        NewAccount(
          profile: Profile(name: "Ada"),
          responders: [
            ContactDraft(
              name: "Bo", channels: [ChannelDraft(.email, "bo@example.org")], roles: .responder)
          ],
          credentials: Credentials(email: "ada@example.org", password: Secret("four random words")),
          isArriving: true))
      #expect(try await scene.watchers() == [true, false])
      #expect(
        try await scene.there.watchClient.status().fault?.contains("isn't watched here yet") == true
      )
      if arrives {
        _ = try await scene.there.transferClient.arrive()
      } else {
        _ = try await scene.there.checkInClient.checkIn(.manual)
      }
      #expect(try await scene.watchers() == [true, true])
    }
  }

  @Test("A new account from an older app, without the field isArriving, doesn't count as moving in")
  func olderApp() throws {
    let new = NewAccount(profile: Profile(name: "Ada"), isArriving: true)
    var members = try #require(
      JSONSerialization.jsonObject(with: JSONEncoder().encode(new)) as? [String: Any])
    #expect(
      try JSONDecoder().decode(
        NewAccount.self, from: JSONSerialization.data(withJSONObject: members)) == new)
    members["isArriving"] = nil
    #expect(
      try !JSONDecoder().decode(
        NewAccount.self, from: JSONSerialization.data(withJSONObject: members)
      ).isArriving)
  }

  @Test("A check-in during a move isn't lost; after it, this machine refuses check-ins and changes")
  func checkInBetween() async throws {
    let scene = try Scene()
    try await fill(scene, checkIns: 2, contacts: 1)
    let passphrase = Secret("blue kettle")
    let prepared = try await scene.here.transferClient.$prepareMove(typing: passphrase)
    scene.now = scene.now + .hours(1)
    let user = try await scene.here.checkInClient.$checkIn(.manual, typing: passphrase)
    _ = try await scene.there.authClient.createAccount(
      NewAccount(
        profile: Profile(name: "Ada"),
        credentials: Credentials(email: "ada@example.org", password: Secret("four random words"))))
    let mover = AccountMover(from: scene.here, to: scene.there, server: "ls.example.org")
    let typing = TypedSecrets(for: .moveAccount, passphrase: passphrase)
    try await typing.during { try await mover.bring(prepared) }
    #expect(try await scene.there.userClient.currentUser().lastCheckIn == user.lastCheckIn)
    await #expect(throws: ClientError.cannotMove(.movedBefore(to: "ls.example.org"))) {
      try await scene.here.checkInClient.$checkIn(.manual, typing: passphrase)
    }
    // Other changes are refused too, since the server wouldn't get them. Alerts can still be raised
    // here.
    await #expect(throws: ClientError.cannotMove(.movedBefore(to: "ls.example.org"))) {
      try await scene.here.checkInClient.$pause(scene.now + .days(1), typing: passphrase)
    }
    await #expect(throws: ClientError.cannotMove(.movedBefore(to: "ls.example.org"))) {
      try await scene.here.checkInClient.updateInterval(CheckInInterval(.hours(8)))
    }
    await #expect(throws: ClientError.cannotMove(.movedBefore(to: "ls.example.org"))) {
      try await scene.here.contactsClient.add(
        ContactDraft(
          name: "Finn", channels: [ChannelDraft(.email, "finn@example.org")], roles: .responder))
    }
    // A check-in on the server counts although the move isn't finished: the server watches from
    // then on.
    scene.now = scene.now + .hours(1)
    _ = try await scene.there.checkInClient.$checkIn(.manual, typing: passphrase)
    #expect(try await scene.there.watchClient.status().fault == nil)
  }

  @Test("ALT-8, CON-1: an alert, a drill, a missed deadline or another account prevents a move")
  func obstacles() async throws {
    let scene = try Scene()
    try await fill(scene, checkIns: 1, contacts: 1)
    let here = scene.here
    let passphrase = Secret("blue kettle")
    func refusal() async -> AccountMove.Obstacle? {
      do throws(ClientError) {
        _ = try await here.transferClient.$prepareMove(typing: passphrase)
        return nil
      } catch {
        guard case .cannotMove(let obstacle) = error else {
          Issue.record("\(error)")
          return nil
        }
        return obstacle
      }
    }
    #expect(await refusal() == nil)
    let prepared = try await here.transferClient.$prepareMove(typing: passphrase)
    _ = try await here.alertClient.raise("")
    #expect(await refusal() == .alert)
    // The same for an alert raised during the move.
    await #expect(throws: ClientError.cannotMove(.alert)) {
      try await here.transferClient.completeMove(prepared, "ls.example.org")
    }
    _ = try await here.alertClient.$cancel(typing: passphrase)
    let armed = UUID()
    _ = try await here.alertClient.arm(armed, "", .seconds(5))
    #expect(await refusal() == .alert)
    try await here.alertClient.disarm(armed)
    _ = try await here.alertClient.drill()
    #expect(await refusal() == .drill)
    _ = try await here.alertClient.endDrill()
    _ = try await here.checkInClient.$pause(scene.now + .days(2), typing: passphrase)
    #expect(await refusal() == nil)
    _ = try await here.checkInClient.$resume(.manual, typing: passphrase)
    scene.now = scene.now + .hours(37)
    #expect(await refusal() == .deadline)
    _ = try await here.checkInClient.$checkIn(.manual, typing: passphrase)
    _ = try await scene.local.openFurtherAccount(
      NewAccount(
        profile: Profile(name: "Otto"),
        credentials: Credentials(email: "otto@example.org", password: Secret("four random words"))))
    #expect(await refusal() == .otherAccounts)
  }

  @Test(
    "CHK-3: a move with the duress passphrase looks the same and sends the silent alert from here")
  func duress() async throws {
    var shown: [[String]] = []
    for passphrase in ["blue kettle", "green kettle"].map({ Secret($0) }) {
      let scene = try Scene()
      try await fill(scene, checkIns: 1, contacts: 1)
      let (here, there) = (scene.here, scene.there)
      let prepared = try await here.transferClient.$prepareMove(typing: passphrase)
      _ = try await there.authClient.createAccount(
        NewAccount(
          profile: Profile(name: "Ada"),
          credentials: Credentials(email: "ada@example.org", password: Secret("four random words")))
      )
      let mover = AccountMover(from: here, to: there, server: "ls.example.org")
      let typing = TypedSecrets(for: .moveAccount, passphrase: passphrase)
      try await typing.during { try await mover.bring(prepared) }
      _ = try await mover.arrive(within: .zero)
      try await scene.watch(scene.monitored)
      #expect(try await mover.arrive(within: .zero))
      shown.append([
        "\(try await there.alertClient.history(9).map(\.alert.kind))",
        "\(try await here.alertClient.history(9).map(\.alert.kind))",
        "\(try await there.notificationClient.notifications(99, NotificationFilter()).map(\.kind))",
      ])
      try await scene.watch(scene.local)
      let calls = try await here.monitorClient.claim(
        scene.now, .minutes(1), ClaimRequest(limit: 100)
      ).filter { $0.alert?.kind == .duress }
      #expect(calls.isEmpty == (passphrase.value == "blue kettle"))
    }
    #expect(shown[0] == shown[1])
  }

  @Test("A server refuses a move with a costly or missing passphrase hash, or into a used account")
  func hostile() async throws {
    let scene = try Scene()
    try await fill(scene, checkIns: 1, contacts: 1)
    let move = try await scene.here.transferClient.$prepareMove(typing: Secret("blue kettle"))
    let there = scene.there
    _ = try await there.authClient.createAccount(
      NewAccount(
        profile: Profile(name: "Ada"),
        credentials: Credentials(email: "ada@example.org", password: Secret("four random words"))))
    var costly = move
    costly.gate.gate = Secret("$argon2id$v=19$m=4194304,t=3,p=1$c29tZXNhbHQ$aGFzaA")
    await #expect(throws: ClientError.cannotMove(.invalid)) {
      try await there.transferClient.receiveMove(costly)
    }
    var unsealed = move
    unsealed.gate.gate = nil
    await #expect(throws: ClientError.cannotMove(.invalid)) {
      try await there.transferClient.receiveMove(unsealed)
    }
    try await there.transferClient.receiveMove(move)
    #expect(try await there.transferClient.arrive() == false)
    await #expect(throws: ClientError.cannotMove(.notEmpty)) {
      try await there.transferClient.receiveMove(move)
    }
  }
}

extension AccountMoverTests.Scene {
  /// Whether this machine and whether the server would raise an alert after the deadline.
  func watchers() async throws -> [Bool] {
    let back = now
    defer { now = back }
    now = try await here.userClient.currentUser().deadline.date + .hours(2)
    var watchers: [Bool] = []
    for platform in [local, monitored] {
      watchers.append(
        try await clients(platform).monitorClient.due(now, 10).contains {
          Planner.plan($0, now: now, makeID: { UUID() }).missedAlert != nil
            && !$0.responders.isEmpty
        })
    }
    return watchers
  }

  func expectWatched(after place: String) async throws {
    #expect(try await watchers().contains(true), "\(place)")
  }
}

extension DependencyValues {
  /// Counts a step before and after each request of a move.
  fileprivate func counting(_ steps: AccountMoverTests.Steps) -> DependencyValues {
    var values = self
    let transfer = transferClient
    values.transferClient.completeMove = {
      (move: AccountMove, server: String) async throws(ClientError) in
      try await steps.take()
      let value = try await transfer.completeMove(move, server)
      try await steps.take()
      return value
    }
    values.transferClient.receiveMove = { (move: AccountMove) async throws(ClientError) in
      try await steps.take()
      try await transfer.receiveMove(move)
      try await steps.take()
    }
    values.transferClient.arrive = { () async throws(ClientError) in
      try await steps.take()
      let value = try await transfer.arrive()
      try await steps.take()
      return value
    }
    values.transferClient.stopWatching = { () async throws(ClientError) in
      try await steps.take()
      try await transfer.stopWatching()
      try await steps.take()
    }
    let files = fileStorageClient
    values.fileStorageClient.upload = { data, metadata in
      let (stream, continuation) = AsyncStream.makeStream(of: UploadEvent.self)
      Task {
        do throws(ClientError) {
          try await steps.take()
          for await event in files.upload(data, metadata) { continuation.yield(event) }
        } catch { continuation.yield(.failed(error)) }
        continuation.finish()
      }
      return stream
    }
    values.fileStorageClient.delete = { (id: EmergencyDocument.ID) async throws(ClientError) in
      try await steps.take()
      try await files.delete(id)
      try await steps.take()
    }
    let profile = userProfileClient
    values.userProfileClient.update = {
      (name: String, change: PictureChange) async throws(ClientError) in
      try await steps.take()
      let user = try await profile.update(name, change)
      try await steps.take()
      return user
    }
    return values
  }
}
