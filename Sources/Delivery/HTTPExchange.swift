import Domain
import FoundationEssentials

/// An HTTP request.
struct HTTPRequest: Sendable {
  enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
  }

  var method = Method.post
  var url: String
  /// The header fields in order. A value with a line break makes the whole request fail.
  var headers: [(name: String, value: String)] = []
  /// The body, which a GET request doesn't send.
  var body: [UInt8] = []
}

/// The result of a request.
enum HTTPResult: Equatable, Sendable {
  /// The server answered with a status. The rest of its answer may be truncated or too long, which
  /// doesn't change what the status means.
  case reply(HTTPReply)
  case failed(HTTPFault)
}

struct HTTPReply: Equatable, Sendable {
  var status: Int
  /// The Retry-After field as the server wrote it.
  var retryAfter: String?
  /// At most ``HTTPTransfer/replyLimit`` bytes.
  var body: [UInt8] = []
  /// Whether the body is complete.
  var isWhole = true
}

/// Why a request got no status.
enum HTTPFault: Equatable, Sendable {
  /// The request can't be made as it is. The reason contains no secret.
  case unusable(String)
  /// The address is one that requests must not reach. `isLiteral` if it was written as an IP
  /// address, so that no change in DNS can fix it.
  case refusedAddress(String, isLiteral: Bool)
  case notTrusted
  /// The connection failed, or ended before the whole request was sent.
  case notSent(HTTPFailureKind)
  /// The request was sent, but its result is unknown.
  case unanswered(HTTPFailureKind)
}

/// A network failure, with libcurl's description of it.
struct HTTPFailureKind: Equatable, Sendable {
  enum Cause: Equatable, Sendable { case hostNotFound, timedOut, connectionLost, noConnection }
  var cause: Cause
  var text: String
}
