import Clients
import Domain
import FoundationEssentials
import ServerProtocol
import ServerTesting
import Store
import Synchronization
import TestSupport
import Testing

@testable import Server

@Suite("Repeated requests", .timeLimit(.minutes(1)))
struct RepeatTests {
  private let checkIn = Data(#"{"source":"manual"}"#.utf8)

  @Test("A write that is sent twice with one key happens once and gets the same answer")
  func twice() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    let request = ServerRequest(.post, "/v1/check-ins", body: checkIn, idempotencyKey: UUID())
    world.now += 60
    let first = try await ada.raw(request)
    world.now += 60
    let second = try await ada.raw(request)
    #expect(first.status == 200 && second.status == 200 && first.body == second.body)
    #expect(try await ada.clients.userClient.currentUser().checkInSequence == 1)
  }

  @Test("A key that is used again for another request is refused with 422 and does nothing")
  func otherBody() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    let key = UUID()
    _ = try await ada.raw(ServerRequest(.post, "/v1/check-ins", body: checkIn, idempotencyKey: key))
    let other = ServerRequest(
      .post, "/v1/alerts", body: Data(#"{"message":"help"}"#.utf8), idempotencyKey: key)
    #expect(try await ada.raw(other).status == 422)
    #expect(try await ada.clients.alertClient.history(10).isEmpty)
    // Keys of other accounts don't conflict.
    let bo = try await world.signUp("Bo")
    #expect(try await bo.raw(other).status == 200)
  }

  @Test("A write without a key is refused with 400")
  func noKey() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    let answer = try await ada.raw(ServerRequest(.post, "/v1/check-ins", body: checkIn))
    #expect(answer.status == 400)
    #expect(try await ada.clients.userClient.currentUser().checkInSequence == 0)
  }

  @Test("A write that was refused can be sent again with the same key")
  func refused() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    let cancel = ServerRequest(
      .post, "/v1/alerts/cancel", body: Data("{}".utf8), idempotencyKey: UUID())
    #expect(try await ada.raw(cancel).status == 409)
    _ = try await ada.clients.alertClient.raise("help")
    #expect(try await ada.raw(cancel).status == 200)
    #expect(try await ada.raw(cancel).status == 200)
  }

  @Test("A sign-in that is repeated with the same key is refused with 409 and gets no token")
  func signIn() async throws {
    let world = try ServerWorld()
    _ = try await world.signUp("Ada")
    let request = ServerRequest(
      .post, "/v1/sessions",
      body: Data(#"{"email":"ada@example.org","password":"password of Ada"}"#.utf8),
      idempotencyKey: UUID())
    let app = world.app()
    let first = try await app.raw(request)
    #expect(first.status == 200 && first.text.contains("token"))
    let second = try await app.raw(request)
    #expect(second.status == 409 && !second.text.contains("token"))
    // The same key with another password is a different request.
    var other = request
    other.body = Data(#"{"email":"ada@example.org","password":"password of Bo"}"#.utf8)
    #expect(try await app.raw(other).status == 422)
  }

  @Test("Twenty identical requests at once happen once")
  func atOnce() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    let request = ServerRequest(.post, "/v1/check-ins", body: checkIn, idempotencyKey: UUID())
    let answers = try await withThrowingTaskGroup(of: RawHTTP.Answer.self) { group in
      for _ in 0..<20 { group.addTask { try await ada.raw(request) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.allSatisfy { [200, 409].contains($0.status) })
    #expect(answers.contains { $0.status == 200 })
    #expect(try await ada.clients.userClient.currentUser().checkInSequence == 1)
  }

  @Test("After 8 days the server still knows a check-in's key, but not the keys of other writes")
  func pruning() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    let checkIn = ServerRequest(.post, "/v1/check-ins", body: checkIn, idempotencyKey: UUID())
    let read = ServerRequest(.post, "/v1/notifications/read", idempotencyKey: UUID())
    _ = try await ada.raw(checkIn)
    _ = try await ada.raw(read)
    world.now += 8 * 86_400
    try await world.store.administration.pruneRequests()
    #expect(try await world.store.administration.statistics().requests == 1)
    // The answer is no longer stored, but the fact that the request was carried out is.
    #expect(try await ada.raw(checkIn).status == 409)
    #expect(try await ada.clients.userClient.currentUser().checkInSequence == 1)
  }

  @Test("A large document is uploaded in parts; a part that is sent twice counts once")
  func parts() async throws {
    let world = try ServerWorld()
    let ada = try await world.signUp("Ada")
    var file = Data("%PDF-1.4\n".utf8)
    file += Data(repeating: 0x2A, count: 3_000_000)
    let body = Data(
      #"{"data":"\#(file.base64EncodedString())","metadata":{"name":"card.pdf","contentType":"application/pdf","access":"always"}}"#
        .utf8)
    let id = UUID()
    let size = BodyParts.partSize
    let parts = stride(from: 0, to: body.count, by: size).map {
      body[$0..<min($0 + size, body.count)]
    }
    for (number, part) in parts.enumerated() {
      let request = ServerRequest(.put, "/v1/bodies/\(id)/\(number)", body: Data(part))
      #expect(try await ada.raw(request).status == 204)
      #expect(try await ada.raw(request).status == 204)
    }
    ada.headers.withLock { $0["LifeSignal-Body"] = "\(id)/\(parts.count)" }
    let request = ServerRequest(.post, "/v1/files", idempotencyKey: UUID())
    let bo = try await world.signUp("Bo")
    bo.headers.withLock { $0["LifeSignal-Body"] = "\(id)/\(parts.count)" }
    #expect(try await bo.raw(request).status == 409)
    let answer = try await ada.raw(request)
    #expect(answer.status == 200, "\(answer.text.prefix(200))")
    ada.headers.withLock { $0["LifeSignal-Body"] = nil }
    let document = try #require(try await ada.clients.documentsClient.documents().first)
    #expect(document.size == file.count)
    let url = try await ada.clients.fileStorageClient.url(document.id)
    #expect(try await ada.clients.fileStorageClient.download(url) == file)
  }
}
