import Clients
import Domain
import FoundationEssentials
import ServerProtocol
import ServerTesting
import Testing

@testable import Server

@Suite("Changes", .timeLimit(.minutes(1)))
struct ChangeTests {
  static func after(_ answer: RawHTTP.Answer) throws -> Int {
    try JSONDecoder().decode([String: Int].self, from: answer.body)["after"] ?? -1
  }

  @Test("A device that waits hears of what another of its account does, and of nobody else's")
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
    #expect(try Self.after(told) > known)
    #expect(world.server.hub.count == 0)
  }

  @Test("What changed before a device waits is answered at once, and so is a number from elsewhere")
  func missed() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    let known = try Self.after(try await ada.raw(ServerRequest(.get, "/v1/changes")))
    _ = try await ada.clients.checkInClient.checkIn(.manual)
    for number in ["\(known)", "999999999", "-1", "x"] {
      let answer = try await ada.raw(ServerRequest(.get, "/v1/changes", query: ["after": number]))
      #expect(try Self.after(answer) > known)
    }
  }

  @Test("A device that has waited long gets an answer: nothing came")
  func patience() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    let known = try Self.after(try await ada.raw(ServerRequest(.get, "/v1/changes")))
    async let waiting = ada.raw(ServerRequest(.get, "/v1/changes", query: ["after": "\(known)"]))
    while world.server.hub.count == 0 { await Task.yield() }
    world.server.hub.sweep(now: ContinuousClock.now + ChangeHub.patience - .seconds(1))
    #expect(world.server.hub.count == 1)
    world.server.hub.sweep(now: ContinuousClock.now + ChangeHub.patience)
    #expect(try Self.after(try await waiting) == known)
  }

  @Test("Nobody waits without a session")
  func nobody() async throws {
    let world = try ServerWorld()
    #expect(
      try await world.app().raw(ServerRequest(.get, "/v1/changes", query: ["after": "0"])).status
        == 401)
    #expect(world.server.hub.count == 0)
  }

  @Test("What has not changed is not sent again")
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

  @Test("The account that is deleted wakes its devices")
  func deleted() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    let known = try Self.after(try await ada.raw(ServerRequest(.get, "/v1/changes")))
    let phone = world.app(token: ada.token)
    async let waiting = phone.raw(ServerRequest(.get, "/v1/changes", query: ["after": "\(known)"]))
    while world.server.hub.count == 0 { await Task.yield() }
    try await ada.clients.authClient.deleteAccount(Secret("password of Ada"), nil)
    #expect(try await waiting.status == 200)
    #expect(
      try await phone.raw(ServerRequest(.get, "/v1/changes", query: ["after": "0"])).status == 401)
  }
}
