public import Clients
import Domain
package import FoundationEssentials

/// A client's failure that can carry any failure of a server.
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

/// A server's answer when it doesn't do what was requested.
package struct ServerRefusal: Codable, Error, Sendable {
  package var status: Int
  /// The error for the client; `nil` for a fault that no client makes, such as a malformed request.
  package var error: ClientError?
  /// The reason, as a sentence.
  package var message: String
  /// The seconds until it makes sense to try again.
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
    let error = error.withoutInternals
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

  /// Returns whether a refusal means that the session is over, rather than a wrong password or a
  /// closed gate.
  package static func endsSession(_ answer: ServerAnswer) -> Bool {
    error(of: answer).endsSession
  }

  /// Returns whether a rule of the product refuses, rather than a limit of the server.
  package static func isOfRule(_ answer: ServerAnswer) -> Bool {
    (try? WireCoding.decodeAnswer(ServerRefusal.self, from: answer.body))?.error != nil
  }

  /// Returns the error in the body of an answer whose status says that there is none.
  package static func errorInBody(of answer: ServerAnswer) -> ClientError? {
    let beginning = answer.body.prefix(256)
    guard beginning.firstRange(of: Data(#""error""#.utf8)) != nil else { return nil }
    return (try? WireCoding.decodeAnswer(ServerRefusal.self, from: answer.body))?.error
  }

  /// The server knows no such request: it is older than the app.
  package static let unknownRequest = ServerRefusal(404, "There is nothing here.")
  /// Another request was made under the same key.
  package static let otherRequest = ServerRefusal(422, "This key was used for another request.")

  /// Whether an answer is this refusal, and not the one of a proxy that says nearly the same.
  package func isAnswer(_ answer: ServerAnswer) -> Bool {
    let refusal = try? WireCoding.decodeAnswer(Self.self, from: answer.body)
    return answer.status == status && refusal?.error == nil && refusal?.message == message
  }

  /// Returns the error of a client for an answer.
  package static func error(of answer: ServerAnswer) -> ClientError {
    let refusal = try? WireCoding.decodeAnswer(ServerRefusal.self, from: answer.body)
    if let error = refusal?.error { return error }
    if answer.status == 401 { return .sessionExpired }
    let error = ErrorTransformer.networkError(
      status: answer.status, retryAfter: refusal?.retryAfter.map { .seconds($0) })
    let reason = refusal.map { String($0.message.outgoing.prefix(200)) } ?? ""
    if case .unexpectedAnswer = error, !reason.isEmpty { return .storage(.unknown(reason)) }
    return .storage(.network(error))
  }
}

extension ClientError {
  /// The error without what the store's engine says: that names tables and constraints, and may
  /// quote what somebody else has stored. Its code stays.
  fileprivate var withoutInternals: ClientError {
    guard case .storage(.unknown(let reason)) = self else { return self }
    let code = reason.firstMatch(of: /\ \((?:SQLite|PostgreSQL) [0-9A-Z]+\)$/)?.output ?? ""
    return .storage(.unknown("the server's store failed\(code)"))
  }

  /// The HTTP status that is closest in meaning.
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
      .alreadyOut, .notOut, .outingChanged, .outingMissed, .outingDuringAlert, .signsWithGate,
      .alertNotActive, .alertIsOn,
      .alertAlreadyOn, .alertEnded, .contactChanged, .contactExists, .cannotAddSelf,
      .relationExists,
      .pingAlreadyOpen, .pingNotOpen, .channelExists, .testTooSoon, .isProfileAddress,
      .tooManyInvitations,
      .invitationUsed, .invitationsNeedServer, .queued, .requestTooOld, .checkInTooLate,
      .limitReached:
      409
    case .fileDamaged, .keychain, .settings: 500
    case .unimplemented: 501
    }
  }

  /// The time from which it makes sense to try again.
  fileprivate var end: Date? {
    switch self {
    case .tooManyAttempts(let end), .tooManyCodes(let end), .gate(.locked(let end)),
      .gate(.afterReset(let end)):
      end
    default: nil
    }
  }
}
