import Clients
import Cryptography
import Domain
import FoundationEssentials

/// Codes with which the recipients of a message answer it.
extension Store {
  // MARK: Making codes

  /// Makes the code with which a responder acknowledges an alert, unless there is one: every
  /// message about the alert carries the same (ESC-2).
  func makeResponseCode(
    _ account: Int, alert: Int, responder: Contact.ID, now: Date
  ) throws(StorageError) {
    let code = ResponseCode.make(from: SecureRandom.bytes(ResponseCode.length))
    try database.run(
      """
      INSERT INTO response_code (code, digest, account, alert, responder, created_at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (alert, responder) WHERE alert IS NOT NULL DO NOTHING
      """, code, SecureToken(text: code).digest, account, alert, responder, now)
  }

  /// Makes the code with which a contact declines, unless there is one (CON-3).
  func makeDecliningCode(_ account: Int, contact: Contact.ID) throws(StorageError) {
    let code = ResponseCode.make(from: SecureRandom.bytes(ResponseCode.length))
    try database.run(
      """
      INSERT INTO response_code (code, digest, account, responder, created_at)
      VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING
      """, code, SecureToken(text: code).digest, account, contact, now())
  }

  /// Returns the code with which the recipient of a message answers it.
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

  /// A typed code, with what it was sent for.
  private struct FoundCode {
    var account: Int
    var person: String
    /// The alert that it answers; `nil` for a code to decline with.
    var alert: Int?
    var responder: Contact.ID
    var name: String
    /// Whether it was typed in the program of the alert's person, where no silent alert must show
    /// (ALT-9).
    var isOwn: Bool
  }

  /// Finds a typed code, in any case and spacing; returns `nil` if nobody was sent it.
  ///
  /// Fifty random bits can't be guessed at any rate. Wrong codes are counted all the same, so that
  /// a client that tries many is refused. The right one always counts, because a stranger's guesses
  /// must not keep a responder from answering.
  /// - Parameters:
  ///   - account: The account whose contacts' codes to decline are the only ones that count; `nil`
  ///     for every code.
  ///   - isTyped: Whether it was typed in a program rather than opened as a link.
  private func find(
    _ typed: String, decliningFor account: Int? = nil, isTyped: Bool
  ) throws -> FoundCode? {
    typealias Row = (account: Int, person: String, alert: Int?, id: UUID, isSilent: Bool)
    let found = try database.row(
      """
      SELECT response_code.account, account.name, alert, responder, coalesce(kind, '') = 'duress'
      FROM response_code
        JOIN account ON account.key = response_code.account
        LEFT JOIN alert ON alert.key = response_code.alert
      WHERE \(Self.isTyped)
      """, Self.digest(typed), ResponseCode.normalized(typed), ResponseCode.plain(typed)
    ) { row throws(StorageError) -> Row in
      (try row.read(), try row.read(), try row.read(), try row.read(), try row.read())
    }
    // Also if nobody is signed in: the person may have been forced to sign out.
    let isOwn = try isTyped && found.map { try (currentKey() ?? $0.account) == $0.account } ?? false
    // An account's wrong codes lock nobody else out.
    let place = account.map { "declining-code \($0)" } ?? "response-code"
    guard let found, account == nil || (found.account == account && found.alert == nil),
      !found.isSilent || !isOwn,
      // A responder kept for a silent alert isn't among the contacts any more, and must not show.
      let name = try responderName(found.id, of: found.account, orKept: !isOwn)
    else {
      if let end = try lock(at: place) { throw ClientError.tooManyCodes(until: end) }
      try countWrongTry(at: place)
      return nil
    }
    try forgetWrongTries(at: place)
    return FoundCode(
      account: found.account, person: found.person, alert: found.alert, responder: found.id,
      name: name, isOwn: isOwn)
  }

  /// A condition on the row of a typed code. Its parameters are the digest and the two spellings.
  private static let isTyped = """
    (response_code.digest = ?1
      OR response_code.digest IS NULL AND response_code.code IN (?2, ?3))
    """

  private static func digest(_ typed: String) -> String {
    SecureToken(text: ResponseCode.normalized(typed)).digest
  }

  /// Records that one of the account's contacts declined, by the code that they were sent (CON-3).
  func declineByCode(_ typed: Secret<String>) throws(ClientError) -> Contact {
    let contact = try write { () throws -> Contact? in
      let key = try requireCurrentKey()
      guard let found = try find(typed.value, decliningFor: key, isTyped: true)
      else { return nil }
      try decline(found.responder, found.name, of: key)
      return try self.contact(found.responder, of: key)
    }
    guard let contact else { throw .declineCodeUnknown }
    return contact
  }

  /// Answers a message with the code that it carried.
  /// - Parameter isTyped: Whether it was typed in a program rather than opened as a link.
  func respond(_ typed: String, isTyped: Bool) throws(ClientError) -> Response {
    let response = try write { () throws -> Response? in
      guard let found = try find(typed, isTyped: isTyped) else { return nil }
      let name = found.name
      let isAboutUser = try isTyped && found.account == currentKey()
      guard let alert = found.alert else {
        try decline(found.responder, name, of: found.account)
        return Response(
          kind: .declined, person: found.person, responder: name, isAboutUser: isAboutUser)
      }
      guard let on = try standing(alert, isOwn: found.isOwn) else {
        throw ClientError.alertEnded(person: found.person)
      }
      try acknowledge(
        on.alert, of: found.account, isDrill: on.isDrill, by: found.responder, name: name)
      return Response(
        kind: .acknowledged, person: found.person, responder: name, isAboutUser: isAboutUser)
    }
    guard let response else { throw .responseCodeUnknown }
    return response
  }

  func withdraw(_ typed: String, isTyped: Bool) throws(ClientError) {
    let isKnown = try write { () throws -> Bool in
      guard let found = try find(typed, isTyped: isTyped), let alert = found.alert else {
        return false
      }
      guard let on = try standing(alert, isOwn: found.isOwn) else {
        throw ClientError.alertEnded(person: found.person)
      }
      try withdraw(found.responder, from: on.alert, isDrill: on.isDrill, of: found.account)
      return true
    }
    guard isKnown else { throw .responseCodeUnknown }
  }

  func invitation(for typed: String) throws(ClientError) -> ResponseInvitation {
    try read {
      let found = try database.row(
        """
        SELECT response_code.account, account.name, account.phone, account.note,
          account.home_address, account.way_in, last_check_in,
          \(CheckIn.lastSource(of: "account.key")), responder, alert, EXISTS (
            SELECT 1 FROM contact WHERE contact.id = responder AND declined_at IS NOT NULL)
        FROM response_code JOIN account ON account.key = response_code.account
        WHERE \(Self.isTyped)
        """, Self.digest(typed), ResponseCode.normalized(typed), ResponseCode.plain(typed)
      ) { row throws(StorageError) in
        (
          account: try row.read(Int.self), person: try row.read(String.self),
          phone: try row.read(String?.self), note: try row.read(String.self),
          address: try row.read(String?.self), access: try row.read(String?.self),
          lastCheckIn: try row.read(Date.self), lastSource: try row.read(CheckIn.Source?.self),
          responder: try row.read(UUID.self),
          alert: try row.read(Int?.self), hasDeclined: try row.read(Bool.self)
        )
      }
      guard let found, let name = try responderName(found.responder, of: found.account) else {
        throw ClientError.responseCodeUnknown
      }
      guard let code = found.alert else {
        return ResponseInvitation(
          person: found.person, responder: name, hasResponded: found.hasDeclined)
      }
      guard let on = try standing(code, isOwn: false) else {
        throw ClientError.alertEnded(person: found.person)
      }
      let alert = try alert(on.alert)
      return ResponseInvitation(
        person: found.person, responder: name,
        hasResponded: alert.acknowledgements.contains { $0.responder == found.responder },
        hasWithdrawn: try hasWithdrawn(found.responder, from: on.alert),
        call: ResponseInvitation.Call(
          alert: alert, phone: found.phone, note: found.note, lastCheckIn: found.lastCheckIn,
          lastSource: found.lastSource, address: found.address,
          access: on.isDrill ? nil : found.access))
    }
  }

  private func hasWithdrawn(_ responder: Contact.ID, from alert: Int) throws(StorageError) -> Bool {
    try database.value(
      Int.self,
      """
      SELECT 1 FROM acknowledgement
      WHERE alert = ?1 AND responder = ?2 AND withdrawn_at IS NOT NULL
      """, alert, responder) != nil
  }

  /// Returns the alert that a code answers: its own while that is on. If that ended while a silent
  /// alert was on, the code answers the silent one (CHK-3), except where its person could see it.
  private func standing(
    _ alert: Int, isOwn: Bool
  ) throws(StorageError) -> (alert: Int, isDrill: Bool)? {
    try database.row(
      """
      SELECT key, kind = 'drill' FROM alert WHERE key = ?1 AND resolved_at IS NULL
      UNION ALL
      SELECT silent.key, silent.kind = 'drill' FROM alert JOIN alert AS silent ON silent.account = alert.account
      WHERE alert.key = ?1 AND ?2 = 0 AND alert.kind <> 'drill' AND silent.kind = 'duress'
        AND silent.resolved_at IS NULL AND alert.resolved_at >= silent.raised_at
      LIMIT 1
      """, alert, isOwn
    ) { row throws(StorageError) in (try row.read(), try row.read()) }
  }

  /// Returns the name of the person that a code was sent to, as long as they are a contact.
  /// - Parameter orKept: Whether a responder who is kept only for a silent alert counts, too.
  func responderName(
    _ id: Contact.ID, of account: Int, orKept: Bool = true
  ) throws(StorageError) -> String? {
    try database.value(
      String.self,
      """
      SELECT name FROM contact WHERE account = ?2 AND id = ?1
      UNION ALL
      SELECT peer.name FROM relation
        JOIN account AS peer ON peer.key = iif(requester = ?2, addressee, requester)
      WHERE relation.id = ?1 AND state = 'active' AND ?2 IN (requester, addressee)
      UNION ALL
      SELECT name FROM kept_channel WHERE account = ?2 AND responder = ?1 AND ?3 <> 0
      """, id, account, orKept)
  }
}
