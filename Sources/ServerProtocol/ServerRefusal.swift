public import Clients
import Domain
package import FoundationEssentials

/// A failure of a client that carries whatever goes wrong at a server.
public protocol ServerFailure: ClientFailure {
  init(_ error: ClientError)
}

extension ClientError: ServerFailure {
  public init(_ error: ClientError) { self = error }
}

extension StorageError: ServerFailure {
  public init(_ error: ClientError) {
    self =
      if case .storage(let error) = error { error } else {
        .permissionDenied(error.text.description)
      }
  }
}

/// What a server answers when it does not do what it was asked.
package struct ServerRefusal: Codable, Error, Sendable {
  package var status: Int
  /// What a client gets; `nil` for what no client can mean, such as a request that is none.
  package var error: ClientError?
  /// In a sentence.
  package var message: String
  /// Seconds until it makes sense to ask again.
  package var retryAfter: Int?

  private enum CodingKeys: String, CodingKey {
    case error, message
    case retryAfter = "retry_after"
  }

  package init(_ status: Int, _ message: String, retryAfter: Int? = nil) {
    self.status = status
    self.message = message
    self.retryAfter = retryAfter
  }

  package init(_ error: ClientError, now: Date) {
    status = error.status
    self.error = error
    message = error.text.description
    retryAfter =
      error.end.map { max(1, Int($0.timeIntervalSince(now).rounded(.up))) }
      ?? (status == 503 ? 1 : nil)
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    status = 0
    // A newer server may know errors that we do not.
    error = try? values.decodeIfPresent(ClientError.self, forKey: .error)
    message = try values.decodeIfPresent(String.self, forKey: .message) ?? ""
    retryAfter = try values.decodeIfPresent(Int.self, forKey: .retryAfter)
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(error, forKey: .error)
    try values.encode(message, forKey: .message)
    try values.encodeIfPresent(retryAfter, forKey: .retryAfter)
  }

  package var body: Data { (try? WireCoding.encode(self)) ?? Data("{}".utf8) }

  /// Whether a refusal says that the session is over, and not that a password is wrong or a gate shut.
  package static func endsSession(_ answer: ServerAnswer) -> Bool {
    error(of: answer).endsSession
  }

  /// Whether a rule of the product refuses, and not a limit of the server's.
  package static func isOfRule(_ answer: ServerAnswer) -> Bool {
    (try? WireCoding.decode(ServerRefusal.self, from: answer.body))?.error != nil
  }

  /// What a failure means to a client.
  static func error(of answer: ServerAnswer) -> ClientError {
    let refusal = try? WireCoding.decode(ServerRefusal.self, from: answer.body)
    if let error = refusal?.error { return error }
    let reason = refusal.map { String($0.message.outgoing.prefix(200)) } ?? ""
    switch answer.status {
    case 401: return .sessionExpired
    // What this person may not know of is named by an error.
    case 404 where refusal != nil, 405 where refusal != nil:
      return .storage(.network(.operationUnknown))
    case 429:
      return .storage(.network(.rateLimited(retryAfter: refusal?.retryAfter.map { .seconds($0) })))
    case 500...: return .storage(.network(.serverError(answer.status)))
    default:
      return .storage(
        reason.isEmpty ? .network(.unexpectedAnswer(answer.status)) : .unknown(reason))
    }
  }
}

extension ClientError {
  /// The HTTP status that says about the same.
  package var status: Int {
    switch self {
    case .notAuthenticated, .sessionExpired, .invalidCredentials: 401
    case .tooManyAttempts, .tooManyCodes: 429
    case .gate(.locked): 429
    case .gate, .inviteRequired, .invitationOver, .registrationClosed, .accountDisabled,
      .pingNotAllowed, .consentRequired, .declined,
      .fileClosed:
      403
    case .contactNotFound, .channelNotFound, .fileNotFound, .responseCodeUnknown,
      .declineCodeUnknown,
      .codeUnknown, .codeElsewhere:
      404
    case .storage(let error):
      switch error {
      case .documentNotFound: 404
      case .permissionDenied: 403
      case .conflict: 409
      case .serialization: 400
      case .full: 507
      case .busy, .unknown, .unknownOutcome: 503
      case .unimplemented: 501
      default: 500
      }
    case .invalid, .resetCodeInvalid, .emailRequired, .notAnExport, .exportVersion, .exportInvalid:
      422
    case .accountExists, .accountMoved, .cannotMove, .requestRepeated,
      .emailAlreadyInUse, .checkInFirst, .notPaused,
      .alertNotActive, .alertIsOn,
      .alertAlreadyOn, .alertEnded, .contactChanged, .contactExists, .cannotAddSelf,
      .relationExists,
      .pingAlreadyOpen, .pingNotOpen, .channelExists, .isProfileAddress, .tooManyInvitations,
      .invitationUsed, .invitationsNeedServer:
      409
    case .fileDamaged, .keychain, .settings: 500
    case .unimplemented: 501
    }
  }

  /// From when on it makes sense to ask again.
  fileprivate var end: Date? {
    switch self {
    case .tooManyAttempts(let end), .tooManyCodes(let end), .gate(.locked(let end)),
      .gate(.afterReset(let end)):
      end
    default: nil
    }
  }
}
