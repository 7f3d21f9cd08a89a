import Clients
import ComposableTesting
import DeliveryTesting
import Domain
import Foundation
import ServerProtocol
import SharedPlatform
import Testing

/// Requests that are repeated, and those that aren't.
@Suite struct ServerRetryTests {
  @Test("A write whose answer is lost is sent up to three times with the same key")
  func repeats() async throws {
    let server = try HTTPServer { _, number in
      switch number {
      case 1: .cut
      case 2:
        .reply(503, headers: ["Content-Type": "application/json", "Retry-After": "0"], body: "{}")
      default: .reply(204)
      }
    }
    let app = try JoinedApp(port: server.port, token: "token")
    try await app.clients.notificationClient.markAllAsRead()
    #expect(server.requests.count == 3)
    #expect(Set(server.requests.map { $0.headers["idempotency-key"] }).count == 1)
    #expect(server.requests.allSatisfy { $0.headers["authorization"] == "Bearer token" })
    let dead = try HTTPServer { _, _ in .cut }
    let other = try JoinedApp(port: dead.port, token: "token")
    await #expect(throws: ClientError.storage(.network(.unanswered))) {
      try await other.clients.notificationClient.markAllAsRead()
    }
    #expect(dead.requests.count == 3)
  }

  @Test("A read is sent again if its answer is lost, but not if the server can't be reached")
  func repeatedRead() async throws {
    let server = try HTTPServer { _, number in
      switch number {
      case 1: .cut
      case 2: .reply(502, headers: ["Content-Type": "text/html"])
      default: .reply(200, headers: ["Content-Type": "application/json"], body: "[]")
      }
    }
    let app = try JoinedApp(port: server.port, token: "token")
    #expect(try await app.clients.alertClient.history(3).isEmpty)
    #expect(server.requests.count == 3)
    // A clock on which no time passes: a pause would never end.
    server.close()
    let other = try ServerConnection(
      to: app.connection.server, device: "a laptop",
      tokens: .init(
        load: { () throws(KeychainError) in nil }, keep: { (_: String?) throws(KeychainError) in }),
      clock: TestClock())
    await #expect(throws: NetworkError.serverUnreachable(other.server.name)) {
      try await other.send(ServerRequest(.get, "/v1/alerts"))
    }
  }

  @Test(
    "ALT-3: an alert to a hanging server keeps one key and fails as unanswered, not as unsent"
  )
  func hanging() async throws {
    let server = try HTTPServer { _, _ in .silence }
    var limits = ServerConnection.Limits()
    limits.write = .milliseconds(500)
    let app = try JoinedApp(
      JoinedServer(url: "http://127.0.0.1:\(server.port)"), token: "token", limits: limits)
    await #expect(throws: ClientError.storage(.network(.unanswered))) {
      _ = try await app.clients.alertClient.raise("help")
    }
    #expect(Set(server.requests.map { $0.headers["idempotency-key"] }).count == 1)
  }

  @Test(
    "A write refused with 429 is sent again after Retry-After, but not with a locked passphrase")
  func limited() async throws {
    let server = try HTTPServer { _, number in
      number == 1
        ? .reply(
          429, headers: json.merging(["Retry-After": "0"]) { $1 }, body: #"{"message":"x"}"#)
        : .reply(204)
    }
    let app = try JoinedApp(port: server.port, token: "token")
    try await app.clients.notificationClient.markAllAsRead()
    #expect(Set(server.requests.map { $0.headers["idempotency-key"] }).count == 1)
    #expect(server.requests.count == 2)
    // A request with a wrong passphrase isn't repeated automatically.
    let locked = try HTTPServer { _, _ in
      .reply(
        429, headers: json.merging(["Retry-After": "0"]) { $1 },
        body: #"{"error":{"gate":{"_0":{"locked":{"until":1790000000000}}}},"message":"x"}"#)
    }
    let other = try JoinedApp(port: locked.port, token: "token")
    await #expect(throws: ClientError.self) {
      try await other.clients.notificationClient.markAllAsRead()
    }
    #expect(locked.requests.count == 1)
  }

  private let json = ["Content-Type": "application/json"]
}
