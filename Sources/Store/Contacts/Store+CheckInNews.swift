import Clients
import Domain
import FoundationEssentials

/// Messages to responders at each check-in, as each of them chooses (NOT-4).
extension Store {
  /// - Parameter id: An outside contact who responds for the person, or a linked one the person
  ///   responds for.
  func setCheckInNews(_ id: Contact.ID, _ isWanted: Bool) throws(ClientError) -> Contact {
    try writeHere { key in
      let contact = try (contacts(of: key) + linkedContacts(of: key)).first { $0.id == id }
      guard var contact, contact.isActive else { throw ClientError.contactNotFound }
      var account = key
      if contact.isLinked {
        guard contact.roles.contains(.dependent) || !isWanted, let side = try relation(id, of: key)
        else {
          throw ClientError.consentRequired(name: contact.name)
        }
        account = side.peer
      } else if isWanted, !contact.isResponder {
        throw ClientError.contactNotFound
      }
      try store(isWanted, newsTo: id, account: account)
      try touch(key)
      contact.hearsCheckIns = isWanted ? true : nil
      return contact
    }
  }

  /// Ends what only a responder gets: their response, and messages that wait for them.
  func stopNotifying(_ responder: Contact.ID, of account: Int) throws {
    try withdraw(responder, of: account)
    try cancelMessages(to: .contact(responder), account: account)
    try store(false, newsTo: responder, account: account)
  }

  func store(
    _ isWanted: Bool, newsTo responder: Contact.ID, account: Int
  ) throws(StorageError) {
    try database.run(
      isWanted
        ? "INSERT INTO check_in_news (account, responder) VALUES (?1, ?2) ON CONFLICT DO NOTHING"
        : "DELETE FROM check_in_news WHERE account = ?1 AND responder = ?2", account, responder)
  }

  /// Sends the responders who chose it that the person has checked in: at most six times a day, and
  /// of automatic check-ins once. Never while an alert is on, which a check-in says nothing of (CHK-6).
  func sendNews(of source: CheckIn.Source, _ key: Int) throws {
    let now = now()
    guard try !isAlertShown(of: key), try unstoppedAlert(of: key) == nil else { return }
    let wanting = try database.rows(
      "SELECT responder, automatic_at FROM check_in_news WHERE account = ?1", key
    ) { row throws(StorageError) -> (responder: Contact.ID, automatic: Date?) in
      (try row.read(), try row.read())
    }
    let responders = try responders(of: key).filter { responder in
      guard let wanted = wanting.first(where: { $0.responder == responder.id }) else {
        return false
      }
      let wasSent = wanted.automatic.map { $0 > now - .days(1) && $0 <= now } ?? false
      return try !(source == .automatic && wasSent) && isOpenToNews(responder, of: key)
    }
    guard !responders.isEmpty else { return }
    if source == .automatic {
      for responder in responders {
        try database.run(
          "UPDATE check_in_news SET automatic_at = ?3 WHERE account = ?1 AND responder = ?2", key,
          responder.id, now)
      }
    }
    for responder in responders {
      try cancelReassurances(of: key, "checked_in", to: .contact(responder.id))
    }
    try insert(
      .checkedIn(makeUUID()), to: responders, of: key, about: .account,
      source.isTrue ? "" : source.rawValue)
    // Under duress, nobody else learns that all is well (CHK-3).
    if try !isUnderDuress(key) {
      try notifyResponders(
        of: key, .info, detail: ResponderNotice.checkedIn, among: responders)
    }
  }

  /// Whether a responder was sent fewer than six such messages within a day, and those on all of their
  /// channels leave enough of the twenty for others (NOT-5).
  private func isOpenToNews(_ responder: Contact, of key: Int) throws(StorageError) -> Bool {
    let sent = try database.row(
      """
      SELECT count(DISTINCT stage), count(*) FROM delivery INDEXED BY delivery_recipient
      WHERE account = ?1 AND recipient = ?2 AND state IN ('pending', 'sent', 'failed')
        AND planned_at > ?3 AND stage GLOB 'checked_in:*'
      """, key, Recipient.contact(responder.id), now() - .days(1)
    ) { row throws(StorageError) -> (messages: Int, rows: Int) in (try row.read(), try row.read()) }
    guard let sent else { return true }
    return sent.messages < ContactRules.checkInNewsADay
      && sent.rows + responder.channels.count <= ContactRules.checkInNewsRowsADay
  }

  /// Cancels messages that say that all is well and haven't been sent: they are no longer news, or
  /// no longer true.
  /// - Parameters:
  ///   - name: The stage's name; `nil` for both kinds.
  ///   - recipient: `nil` for all.
  func cancelReassurances(
    of key: Int, _ name: String? = nil, to recipient: Recipient? = nil
  ) throws(StorageError) {
    try database.run(
      """
      UPDATE delivery SET state = 'cancelled', finished_at = ?2
      WHERE account = ?1 AND state = 'pending' AND sequence = -1
        AND (stage GLOB 'reassurance:*' AND coalesce(?3, 'reassurance') = 'reassurance'
          OR stage GLOB 'checked_in:*' AND coalesce(?3, 'checked_in') = 'checked_in')
        AND recipient = coalesce(?4, recipient) AND coalesce(leased_until, 0) <= ?2
      """, key, now(), name, recipient)
  }

  /// Cancels a message that says that all is well if an alert is on: one that was being sent when the
  /// alert was raised, and whose sender has gone since.
  /// - Returns: Whether it is cancelled.
  func cancelReassurance(
    _ message: ClaimedDelivery, key: Int, of account: Int, at now: Date
  ) throws(StorageError) -> Bool {
    switch message.stage {
    case .reassurance, .checkedIn: break
    default: return false
    }
    return try database.rowsChanged(
      by: """
        UPDATE delivery SET state = 'cancelled', finished_at = ?3
        WHERE key = ?1 AND EXISTS (
          SELECT 1 FROM alert WHERE alert.account = ?2 AND resolved_at IS NULL
            AND kind IN ('manual', 'missed', 'outing'))
        """, key, account, now) == 1
  }

  /// Notes which of an account's outside contacts are sent its check-ins.
  func addNews(to contacts: inout [Contact], of account: Int) throws(StorageError) {
    guard !contacts.isEmpty else { return }
    let wanting = try database.column(
      UUID.self, "SELECT responder FROM check_in_news WHERE account = ?1", account)
    guard !wanting.isEmpty else { return }
    let chosen = Set(wanting)
    for index in contacts.indices where chosen.contains(contacts[index].id) {
      contacts[index].hearsCheckIns = true
    }
  }
}
