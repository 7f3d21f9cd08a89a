import Domain
import FoundationEssentials

/// A request over HTTP.
struct HTTPRequest: Sendable {
  enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
  }

  var method = Method.post
  var url: String
  /// In order; a value with a line break refuses the whole request.
  var headers: [(name: String, value: String)] = []
  /// With a GET there is none.
  var body: [UInt8] = []
}

/// What came of a request.
enum HTTPResult: Equatable, Sendable {
  /// The server answered with a status. What it said after that may have been cut or too long, which
  /// does not change what the status says.
  case reply(HTTPReply)
  case failed(HTTPFault)
}

struct HTTPReply: Equatable, Sendable {
  var status: Int
  /// The field of that name, as the server wrote it.
  var retryAfter: String?
  /// At most ``HTTPTransfer/replyLimit`` bytes.
  var body: [UInt8] = []
  /// Whether the body is all that the server had to say.
  var isWhole = true
}

/// Why there is no status.
enum HTTPFault: Equatable, Sendable {
  /// The request cannot be made as it is; the reason names no secret.
  case unusable(String)
  /// The address leads where nobody is to be reached. `isLiteral` where it was written out, so that
  /// no name's owner can change it.
  case refusedAddress(String, isLiteral: Bool)
  case notTrusted
  /// No connection came about, or it ended before all of the request had left.
  case notSent(HTTPFailureKind)
  /// The request was sent, and its result isn't known.
  case unanswered(HTTPFailureKind)
}

/// What the network did, with libcurl's own words.
struct HTTPFailureKind: Equatable, Sendable {
  enum Cause: Equatable, Sendable { case hostNotFound, timedOut, connectionLost, noConnection }
  var cause: Cause
  var text: String
}
