import Clients
import Domain
import Foundation
import PostgreSQL
import PostgresTesting
import ServerProtocol
import ServerTesting
import Store
import Testing

@testable import Server

@Suite(
  "Faults of a server's database",
  .enabled(if: PostgresServer.absence == nil, "PostgreSQL is not installed"),
  .timeLimit(.minutes(3)))
struct DatabaseFaultTests {
  @Test(
    "If the answer to COMMIT is lost, the repeated request is done once and answered (200 times)"
  )
  func lostAnswers() async throws {
    let database = try PostgresServer.shared.get().makeDatabase()
    let proxy = try FaultyProxy(to: database.socket)
    defer { proxy.close() }
    let platform = PostgresPlatform(
      database.connection(as: .server, throughPort: proxy.port))
    let world = try ServerWorld(lanes: [try platform.makeLane()])
    let ada = try await world.signUp("Ada")
    let eye = try PostgresConnection(database.connection(as: .server))
    for number in 1...200 {
      // Every other request is committed before the connection breaks.
      let isKept = number.isMultiple(of: 2)
      proxy.set(isKept ? .cutAfterCommit : .cutBeforeCommit)
      let key = UUID()
      let lost = try await CheckInLoad.checkIn(ada, key)
      #expect(lost.status == 503, "\(lost.text)")
      proxy.set(nil)
      let kept = try eye.value(
        Int.self, "SELECT count(*) FROM lifesignal.request WHERE answer IS NOT NULL AND lasts = 1")
      #expect(kept == (isKept ? number : number - 1))
      let answer = try await CheckInLoad.checkIn(ada, key)
      #expect(answer.status == 200, "\(answer.text)")
      let user = try JSONDecoder().decode(User.self, from: answer.body)
      #expect(user.checkInSequence == number)
    }
    #expect(try await ada.clients.userClient.currentUser().checkInSequence == 200)
  }

  @Test(
    "After kill -9 of server or PostgreSQL under load, every acknowledged check-in is stored once"
  )
  func killed() async throws {
    let postgres = try PostgresServer()
    let database = try postgres.makeDatabase()
    let process = try await ServerProcess(over: database)
    try await process.start()
    let load = try await CheckInLoad(port: process.port, people: ["Ada", "Bo", "Cem", "Dag"])
    for round in 0..<8 {
      let isServer = round.isMultiple(of: 2)
      let unanswered = try await load.run(until: 12) {
        if isServer { process.kill() } else { postgres.kill() }
      }
      if isServer { try await process.start() } else { try postgres.start() }
      try await load.repeatAll(unanswered)
    }
    try await load.expectEachOnce()
  }
}
