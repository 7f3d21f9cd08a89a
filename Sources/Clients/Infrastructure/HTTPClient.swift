public import FoundationEssentials

/// Sends HTTP requests: without redirects, cookies or a proxy, and with a limit for everything.
///
/// The server connection, webhooks, ntfy, services, heartbeats and the sending of the error log all
/// use it; where they differ is a value of their ``HTTPRequest``.
public struct HTTPClient: Sendable {
  public var send: @Sendable (HTTPRequest) async -> HTTPResult

  public init(send: @escaping @Sendable (HTTPRequest) async -> HTTPResult) { self.send = send }
}

/// Time limits for a request to a web server, in which one that is far away or busy still answers.
public struct TransferLimits: Equatable, Sendable {
  /// The time to find the server and connect, including encryption.
  public var connect: Duration
  /// The time for the whole request, most of which can pass before the answer begins. After it, the
  /// message may have been sent.
  public var total: Duration

  /// - Parameters:
  ///   - connect: By default, a name server that is silent and a satellite's delay fit.
  ///   - total: By default, a server that answers after a minute succeeds.
  public init(connect: Duration = .seconds(30), total: Duration = .seconds(120)) {
    self.connect = connect
    self.total = total
  }

  /// The limits of a heartbeat, which the next one follows in a minute.
  public static let heartbeat = TransferLimits(connect: .seconds(20), total: .seconds(50))
}

/// An HTTP request, and the rules by which it is sent.
public struct HTTPRequest: Sendable {
  public enum Method: String, CaseIterable, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
  }

  /// How a server proves its identity.
  public enum Trust: Equatable, Sendable {
    /// By a certificate of an authority that the system trusts.
    case authorities
    /// By its public key, with this SHA-256 hash in hexadecimal digits.
    case key(fingerprint: String)
    /// Not at all: only its certificate is read, which the reply contains.
    case none
  }

  /// Where a request may go.
  public enum Reach: Equatable, Sendable {
    /// Wherever the URL leads, with or without encryption: a person has chosen that server.
    case anywhere
    /// Only with encryption, and to no address that means the machine or the network itself. This
    /// machine is reached only if the URL names it, and also without encryption.
    case web(privateNetworks: Bool = true, thisMachine: Bool = true)

    /// - Parameter staysOutside: Whether only addresses can be reached that everybody can.
    public static func web(staysOutside: Bool) -> Self {
      .web(privateNetworks: !staysOutside, thisMachine: !staysOutside)
    }
  }

  public var method: Method
  public var url: String
  /// The header fields in order. A value with a line break makes the whole request fail.
  public var headers: [(name: String, value: String)]
  /// The body, which a GET request doesn't send.
  public var body: Data
  public var limits: TransferLimits
  public var reach: Reach
  public var trust = Trust.authorities
  /// The most bytes of a reply's body to read.
  public var replyLimit = 65_536
  /// Whether a reply that is cut off, or longer than its limit, is a reply all the same: its status
  /// is the result of the request.
  public var acceptsCutReplies = true
  /// Whether cancelling the task ends the request, within a second.
  public var isCancellable = false

  public init(
    method: Method = .post, url: String, headers: [(name: String, value: String)] = [],
    body: Data = Data(), limits: TransferLimits = .init(), reach: Reach = .web()
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.limits = limits
    self.reach = reach
  }
}

/// The result of a request.
public enum HTTPResult: Equatable, Sendable {
  /// The server answered with a status.
  case reply(HTTPReply)
  case failed(HTTPFault)
}

public struct HTTPReply: Equatable, Sendable {
  public var status: Int
  /// The header fields by their names in lower case.
  public var headers: [String: String]
  public var body: Data
  /// Whether the body is complete.
  public var isWhole: Bool
  /// The server's certificate as PEM, if any server was to be trusted.
  public var certificate: String?

  public init(
    status: Int, headers: [String: String] = [:], body: Data = Data(), isWhole: Bool = true
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.isWhole = isWhole
  }
}

extension HTTPReply {
  public var isJSON: Bool { headers["content-type"]?.hasPrefix("application/json") == true }
}

/// Why a request got no status.
public enum HTTPFault: Error, Equatable, Sendable {
  /// The library that sends requests isn't installed, or has no memory now.
  case notStarted
  /// The request can't be made as it is. The reason contains no secret.
  case unusable(String)
  /// The address is one that requests must not reach. `isLiteral` if it was written as an IP
  /// address, so that no change in DNS can fix it.
  case refusedAddress(String, isLiteral: Bool)
  case notTrusted
  /// The server has another key than the expected one.
  case otherKey
  case replyTooLarge
  /// The connection failed, or ended before the whole request was sent.
  case notSent(HTTPFailureKind)
  /// The request was sent, but its result is unknown.
  case unanswered(HTTPFailureKind)
  case cancelled
}

extension HTTPFault {
  /// The fault without any address, for logs.
  public var summary: String {
    switch self {
    case .notStarted: "libcurl can't be loaded"
    case .unusable: "unusable request"
    case .refusedAddress: "refused address"
    case .notTrusted: "certificate isn't trusted"
    case .otherKey: "another key"
    case .replyTooLarge: "answer is too large"
    case .notSent(let kind): "not sent: \(kind.cause.rawValue)"
    case .unanswered(let kind): "no answer: \(kind.cause.rawValue)"
    case .cancelled: "cancelled"
    }
  }
}

/// A network failure, with libcurl's description of it.
public struct HTTPFailureKind: Equatable, Sendable {
  public enum Cause: String, Sendable {
    case hostNotFound = "the host's name is unknown"
    case timedOut = "time is up"
    case connectionLost = "connection lost"
    case noConnection = "no connection"
  }

  public var cause: Cause
  public var text: String

  public init(cause: Cause, text: String) {
    self.cause = cause
    self.text = text
  }
}
