import Clients
import Cryptography
import Domain
import FoundationEssentials

extension ResponseError: StoreFailure {
  static func wrapping(_ error: any Error) -> Self {
    error as? ResponseError ?? .storage(.wrapping(error))
  }
}

/// The codes by which those who were sent a message answer it.
extension SQLiteStore {
  // MARK: Making

  /// Makes the code by which a responder acknowledges an alert, unless there is one: it is the same in
  /// every message about the alert (ESC-2).
  func makeResponseCode(
    _ account: Int, alert: Int, responder: Contact.ID, now: Date
  ) throws(StorageError) {
    try database.run(
      """
      INSERT INTO response_code (code, account, alert, responder, created_at)
      VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (alert, responder) WHERE alert IS NOT NULL DO NOTHING
      """, ResponseCode.make(from: SecureRandom.bytes(ResponseCode.length)), account, alert,
      responder, now)
  }

  /// What the recipient of a message answers it by.
  func responseCode(
    for delivery: ClaimedDelivery, alert: Int?
  ) throws(StorageError) -> Secret<String>? {
    guard delivery.stage.isCall || delivery.stage == .contactAdded,
      case .contact(let responder) = delivery.recipient
    else { return nil }
    let occasion =
      alert == nil
      ? "alert IS NULL AND account = (SELECT key FROM account WHERE id = ?1)" : "alert = ?1"
    return try database.value(
      String.self, "SELECT code FROM response_code WHERE \(occasion) AND responder = ?2",
      alert ?? delivery.user.id as any SQLBindable, responder
    ).map { Secret(ResponseCode.displayText($0)) }
  }

  // MARK: Answering

  /// Fifty random bits cannot be guessed at any pace. Wrong codes are counted all the same, so that
  /// whoever tries many is told to wait; the right one always counts, because a stranger's guesses
  /// must not keep a responder from answering.
  func respond(_ typed: String) throws(ResponseError) -> Response {
    let response = try write(ResponseError.self) { () throws -> Response? in
      let found = try database.row(
        """
        SELECT response_code.account, account.name, alert, responder FROM response_code
          JOIN account ON account.key = response_code.account
        WHERE response_code.code IN (?1, ?2)
        """, ResponseCode.normalized(typed), ResponseCode.plain(typed)
      ) { row throws(StorageError) -> (account: Int, person: String, alert: Int?, id: UUID) in
        (try row.read(), try row.read(), try row.read(), try row.read())
      }
      guard let found, let name = try responderName(found.id, of: found.account) else {
        if let end = try lock(at: Self.codePlace) {
          throw ResponseError.tooManyAttempts(until: end)
        }
        try countWrongTry(at: Self.codePlace)
        return nil
      }
      try forgetWrongTries(at: Self.codePlace)
      let isAboutUser = try currentKey() == found.account
      guard let alert = found.alert else {
        try decline(found.id, name, of: found.account)
        return Response(
          kind: .declined, person: found.person, responder: name, isAboutUser: isAboutUser)
      }
      let isDrill = try database.value(
        Bool.self, "SELECT kind = 'drill' FROM alert WHERE key = ?1 AND resolved_at IS NULL", alert)
      guard let isDrill else { throw ResponseError.alertEnded(person: found.person) }
      try acknowledge(alert, of: found.account, isDrill: isDrill, by: found.id, name: name)
      return Response(
        kind: .acknowledged, person: found.person, responder: name, isAboutUser: isAboutUser)
    }
    guard let response else { throw .unknownCode }
    return response
  }

  func look(_ typed: String) throws(ResponseError) -> Response {
    try read(ResponseError.self) {
      let found = try database.row(
        """
        SELECT account.key, account.name, responder, response_code.alert IS NOT NULL
        FROM response_code
          JOIN account ON account.key = response_code.account
          LEFT JOIN alert ON alert.key = response_code.alert
        WHERE response_code.code IN (?1, ?2) AND iif(
          response_code.alert IS NULL,
          NOT EXISTS (
            SELECT 1 FROM contact WHERE contact.account = account.key
              AND contact.id = responder AND declined_at IS NOT NULL),
          alert.resolved_at IS NULL AND NOT EXISTS (
            SELECT 1 FROM acknowledgement WHERE acknowledgement.alert = response_code.alert
              AND acknowledgement.responder = response_code.responder))
        """, ResponseCode.normalized(typed), ResponseCode.plain(typed)
      ) { row throws(StorageError) -> (account: Int, person: String, id: UUID, isAlert: Bool) in
        (try row.read(), try row.read(), try row.read(), try row.read())
      }
      guard let found, let name = try responderName(found.id, of: found.account) else {
        throw ResponseError.unknownCode
      }
      return Response(
        kind: found.isAlert ? .acknowledged : .declined, person: found.person, responder: name)
    }
  }

  private static let codePlace = "response-code"

  /// Who a code was sent to, as long as the person knows them.
  private func responderName(
    _ id: Contact.ID, of account: Int
  ) throws(StorageError) -> String? {
    try database.value(
      String.self,
      """
      SELECT name FROM contact WHERE account = ?2 AND id = ?1
      UNION ALL
      SELECT peer.name FROM relation
        JOIN account AS peer ON peer.key = iif(requester = ?2, addressee, requester)
      WHERE relation.id = ?1 AND state = 'active' AND ?2 IN (requester, addressee)
      """, id, account)
  }
}
