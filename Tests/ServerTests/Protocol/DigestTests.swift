import Clients
import Domain
import FoundationEssentials
import ServerProtocol
import Testing
import Web

@testable import Server

/// The digest of a request, by which a server recognises a repetition months later (OFF-1). What waits
/// on devices relies on it: a change would refuse every check-in that waits.
@Suite struct DigestTests {
  private func digest(
    _ method: WebRequest.Method, _ path: String, key: String, body: String
  ) throws -> String {
    var request = WebRequest(method, path, body: Array(body.utf8))
    request.headers["Idempotency-Key"] = key
    let parts = path.split(separator: "/").map(String.init)
    let (route, arguments) = try #require(Route.find(method.route, parts))
    return try Call(request, route, arguments, isPlain: false).digest
  }

  @Test("OFF-1: the digest of a check-in that waits is the same in every version of the server")
  func checkIn() throws {
    let key = "0F6B4B8E-3F0C-4D55-9C4B-2F6A1E7D9A10"
    let body = #"{"passphrase":null,"source":"manual"}"#
    #expect(
      try digest(.post, "/v1/check-ins/kept", key: key, body: body)
        == "a42a57016f7fab7530bf70bd1395430e82545eef66881222788e0368734b8946")
    #expect(
      try digest(.post, "/v1/check-ins/kept", key: key.lowercased(), body: body)
        == digest(.post, "/v1/check-ins/kept", key: key, body: body))
    #expect(
      try digest(.post, "/v1/check-ins", key: key, body: body)
        != digest(.post, "/v1/check-ins/kept", key: key, body: body))
  }

  @Test("OFF-1: the body of a check-in that waits is the same in every version of the app")
  func body() throws {
    let route = try #require(Route.all.first { $0.name == "CheckInClient.deliver" })
    let request = try route.request(values: [CheckIn.Source.manual, Secret<String>?.none])
    #expect(
      String(decoding: request.body, as: UTF8.self) == #"{"passphrase":null,"source":"manual"}"#)
    #expect(request.path == "/v1/check-ins/kept" && request.method == .post)
  }
}
