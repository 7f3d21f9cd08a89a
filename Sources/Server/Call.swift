import Cryptography
import FoundationEssentials
import ServerProtocol
import Web

/// A request for a route, with what its headers say.
struct Call: Sendable {
  let route: Route
  /// Those in the path.
  let arguments: [String: String]
  let query: [String: String]
  let body: Data
  /// The body that came in parts before.
  let heldBody: (id: UUID, parts: Int)?
  let token: String?
  /// Derived from that of the header, which is kept nowhere.
  let key: UUID?
  let invite: String?
  let ifNoneMatch: String?
  let device: String
  /// Of all that the request asks, and of its key: without that nobody can try passwords on it.
  let digest: String

  /// Bytes of a body that comes with its request.
  static let bodyLimit = 64 << 10

  init(
    _ request: WebRequest, _ route: Route, _ arguments: [String: String], isPlain: Bool
  ) throws(ServerRefusal) {
    self.route = route
    self.arguments = arguments
    // What a write asks for stands in its body, which the digest holds.
    query = route.method.isWrite ? [:] : request.query
    body = Data(request.body)
    token = Self.token(of: request)
    let key = request.headers["Idempotency-Key"].flatMap { UUID(uuidString: $0) }
    self.key = key.map { UUID(derivedFrom: "\($0)") }
    invite = request.headers["LifeSignal-Invite"]
    ifNoneMatch = request.headers["If-None-Match"]
    device = String((request.headers["LifeSignal-Device"] ?? "another machine").prefix(64))
    heldBody = try Self.heldBody(request.headers["LifeSignal-Body"])
    guard request.body.count <= Self.bodyLimit else {
      throw ServerRefusal(413, "A body of more than 64 KiB comes in parts.")
    }
    guard key != nil || !route.method.isWrite else {
      throw ServerRefusal(400, "A write needs the header Idempotency-Key with a UUID.")
    }
    guard route.method != .get || request.body.isEmpty else {
      throw ServerRefusal(400, "What only reads has no body.")
    }
    let target = "\(key?.uuidString ?? "") \(route.method.rawValue) \(request.path)\n"
    let parts = request.headers["LifeSignal-Body"] ?? ""
    digest =
      SecureToken(text: target + parts + "\n" + String(decoding: request.body, as: UTF8.self))
      .digest
  }

  /// `ID/COUNT`
  private static func heldBody(_ text: String?) throws(ServerRefusal) -> (id: UUID, parts: Int)? {
    guard let text else { return nil }
    let words = text.split(separator: "/")
    guard words.count == 2, let id = UUID(uuidString: String(words[0])), let parts = Int(words[1]),
      parts > 0
    else { throw ServerRefusal(400, "LifeSignal-Body is ID/COUNT.") }
    return (id, parts)
  }

  /// The token of `Authorization: Bearer TOKEN`.
  static func token(of request: WebRequest) -> String? {
    guard let header = request.headers["Authorization"], header.utf8.count <= 200 else {
      return nil
    }
    let words = header.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
    return String(words[1])
  }

  /// Whether its key is kept for ever: a sign of life or an alert may come again after months.
  var lasts: Bool { route.name == "CheckInClient.checkIn" || route.name == "AlertClient.raise" }

  /// Whether someone who is not signed in has a password hashed.
  var takesHash: Bool {
    [
      "AuthClient.signIn", "AuthClient.createAccount", "AuthClient.resetPassword",
      "ResponseClient.checkIn",
    ].contains(route.name)
  }
}
