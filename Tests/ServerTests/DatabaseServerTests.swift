import Clients
import Domain
import FoundationEssentials
import PostgreSQL
import PostgresTesting
import ServerProtocol
import ServerTesting
import Store
import Testing

@testable import Server

@Suite(
  "Servers over one PostgreSQL database",
  .enabled(if: PostgresServer.absence == nil, "PostgreSQL is not installed"),
  .timeLimit(.minutes(2)))
struct DatabaseServerTests {
  /// A server of its own, with two connections.
  private static func server(over database: PostgresDatabase) throws -> ServerWorld {
    let platform = PostgresPlatform(database.connection(as: .server))
    return try ServerWorld(lanes: [try platform.makeLane(), try platform.makeLane()])
  }

  @Test(
    "A change at one server is visible at the other and wakes the devices that wait there")
  func two() async throws {
    let database = try PostgresServer.shared.get().makeDatabase()
    func server() throws -> ServerWorld { try Self.server(over: database) }
    let (one, two) = (try server(), try server())
    let ada = try await one.signUp("Ada")
    let phone = two.app(token: ada.token)
    var known = try ChangeTests.after(
      await phone.raw(ServerRequest(.get, "/v1/changes")))
    let before = try await phone.clients.checkInClient.history(10)
    async let written = ada.clients.checkInClient.updateInterval(CheckInInterval(.hours(8)))
    while try await phone.clients.userClient.currentUser().interval.span != .hours(8) {
      known = try ChangeTests.after(
        await phone.raw(ServerRequest(.get, "/v1/changes", query: ["after": "\(known)"])))
    }
    #expect(try await written == phone.clients.userClient.currentUser())
    #expect(try await phone.clients.checkInClient.history(10) == before)
    let drafts = ["Bo", "Cem", "Dag", "Eve"].map {
      ContactDraft(name: $0, email: "\($0)@example.org", roles: .responder)
    }
    try await withThrowingTaskGroup { group in
      for (index, draft) in drafts.enumerated() {
        let app = index.isMultiple(of: 2) ? ada : phone
        group.addTask { _ = try await app.clients.contactsClient.add(draft) }
      }
      try await group.waitForAll()
    }
    #expect(try await ada.clients.contactsClient.contacts().map(\.name) == drafts.map(\.name))
    #expect(try await phone.clients.contactsClient.contacts().map(\.name) == drafts.map(\.name))
    try await phone.clients.authClient.revokeOtherSessions()
    try await phone.clients.authClient.signOut()
    await #expect(throws: ClientError.self) { try await ada.clients.userClient.currentUser() }
  }

  @Test("None of 200 check-ins at two servers is lost while their tables are migrated")
  func migration() async throws {
    let database = try PostgresServer.shared.get().makeDatabase()
    func server() throws -> ServerWorld { try Self.server(over: database) }
    let (one, two) = (try server(), try server())
    let ada = try await one.signUp("Ada")
    let phone = two.app(token: ada.token)
    let before = try await ada.clients.userClient.currentUser().checkInSequence
    try await withThrowingTaskGroup { group in
      for app in [ada, phone] {
        group.addTask {
          for _ in 0..<100 { _ = try await app.clients.checkInClient.checkIn(.manual) }
        }
      }
      group.addTask { try database.migrateToTomorrow() }
      try await group.waitForAll()
    }
    #expect(try await phone.clients.userClient.currentUser().checkInSequence == before + 200)
    // A program that starts now finds the new tables, and goes on as well.
    let three = try server()
    _ = try await three.app(token: ada.token).clients.checkInClient.checkIn(.manual)
  }

  @Test(
    "Without polling, NOTIFY wakes devices at another server, even after its connections were cut"
  )
  func hints() async throws {
    let database = try PostgresServer.shared.get().makeDatabase()
    let connection = database.connection(as: .server)
    func server() throws -> ServerWorld {
      // Without its own thread, the place has no timer.
      let place = PostgresPlace(
        connection, clock: nil, runsOnCallersThread: true, hints: ChangeHints(connection))
      return try ServerWorld(lanes: [try Lane(place, waits: false, now: { Date() })])
    }
    let (one, two) = (try server(), try server())
    let ada = try await one.signUp("Ada")
    let phone = two.app(token: ada.token)
    for round in 0..<3 {
      if round == 2 {
        try PostgresConnection(database.connection(as: .postgres)).script(
          """
          SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
          WHERE datname = current_database() AND query SIMILAR TO '(LISTEN|NOTIFY)%'
          """)
      }
      let known = try ChangeTests.after(await phone.raw(ServerRequest(.get, "/v1/changes")))
      async let waiting = phone.raw(ServerRequest(.get, "/v1/changes", query: ["after": known]))
      while two.server.hub.count == 0 { await Task.yield() }
      _ = try await ada.clients.checkInClient.checkIn(.manual)
      #expect(try ChangeTests.after(try await waiting) != known)
    }
  }
}
