import Clients
import Cryptography
import Domain
import FoundationEssentials
import ServerProtocol
import Web

/// A request for a route, with its headers.
struct Call: Sendable {
  let route: Route
  /// The arguments in the path.
  let arguments: [String: String]
  let query: [String: String]
  let body: Data
  /// The body that arrived in parts before.
  let heldBody: (id: UUID, parts: Int)?
  let token: String?
  /// The key derived from that of the header, which isn't kept anywhere.
  let key: UUID?
  /// The key of the header.
  let requestID: UUID?
  let invite: String?
  /// When it was made, as far as the device says.
  let made: RequestTime?
  let ifNoneMatch: String?
  let device: String
  /// The client, as far as its address tells; see ``Web/WebRequest/client``.
  let network: String
  /// The digest of the whole request and its key. Without the key, nobody can try passwords on it.
  let digest: String

  /// The largest size of a body that comes with its request, in bytes.
  static let bodyLimit = 64 << 10

  init(
    _ request: WebRequest, _ route: Route, _ arguments: [String: String], isPlain: Bool
  ) throws(ServerRefusal) {
    self.route = route
    self.arguments = arguments
    // The arguments of a write are in its body, which the digest includes.
    query = route.method.isWrite ? [:] : request.query
    body = Data(request.body)
    token = Self.token(of: request)
    let key = request.headers["Idempotency-Key"].flatMap { UUID(uuidString: $0) }
    requestID = key
    self.key = key.map { UUID(derivedFrom: "\($0)") }
    invite = request.headers["LifeSignal-Invite"]
    made = request.headers["LifeSignal-Made"].map(RequestTime.init(header:))
    ifNoneMatch = request.headers["If-None-Match"]
    network = request.client
    device = Self.device(request.headers["LifeSignal-Device"])
    heldBody = try Self.heldBody(request.headers["LifeSignal-Body"])
    guard request.body.count <= Self.bodyLimit else {
      throw ServerRefusal(413, "Send a body of more than 64 KiB in parts.")
    }
    guard key != nil || !route.method.isWrite else {
      throw ServerRefusal(400, "A write needs the header Idempotency-Key with a UUID.")
    }
    guard route.method != .get || request.body.isEmpty else {
      throw ServerRefusal(400, "A request that only reads has no body.")
    }
    let target = "\(key?.uuidString ?? "") \(route.method.rawValue) \(request.path)\n"
    let parts = request.headers["LifeSignal-Body"] ?? ""
    digest =
      SecureToken(text: target + parts + "\n" + String(decoding: request.body, as: UTF8.self))
      .digest
  }

  /// Returns the name of a device as it can be shown in one line.
  private static func device(_ name: String?) -> String {
    let name = (name ?? "").outgoing.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return name.isEmpty ? "another machine" : String(name.prefix(64))
  }

  /// Parses `ID/COUNT`.
  private static func heldBody(_ text: String?) throws(ServerRefusal) -> (id: UUID, parts: Int)? {
    guard let text else { return nil }
    let words = text.split(separator: "/")
    guard words.count == 2, let id = UUID(uuidString: String(words[0])), let parts = Int(words[1]),
      parts > 0
    else { throw ServerRefusal(400, "LifeSignal-Body must be ID/COUNT.") }
    return (id, parts)
  }

  /// Returns the token of `Authorization: Bearer TOKEN`.
  static func token(of request: WebRequest) -> String? {
    guard let header = request.headers["Authorization"], header.utf8.count <= 200 else {
      return nil
    }
    let words = header.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
    return String(words[1])
  }

  /// Whether its key is kept for ever: a check-in or an alert may be repeated after months.
  var lasts: Bool { route.isCheckIn || route.name == "AlertClient.raise" }

  /// Whether it brings a whole account.
  var isImport: Bool {
    ["TransferClient.importAccount", "TransferClient.receiveMove"].contains(route.name)
  }

  /// Whether it can read or write as much as an account has.
  var isHeavy: Bool {
    [
      "StorageClient.query", "StorageClient.observeCollection", "TransferClient.exportAccount",
      "TransferClient.importAccount", "TransferClient.receiveMove", "CheckInClient.historySince",
      "FileStorageClient.upload", "FileStorageClient.read",
    ].contains(route.name)
  }

  /// Whether it hashes a password for someone who isn't signed in.
  var takesHash: Bool {
    [
      "AuthClient.signIn", "AuthClient.createAccount", "AuthClient.resetPassword",
      "ResponseClient.checkIn",
    ].contains(route.name)
  }
}
