import Clients
import Domain
import FoundationEssentials

/// The order in which responders are notified of a missed deadline (ESC-8).
extension Store {
  func setWait(_ id: Contact.ID, _ span: TimeSpan) throws(ClientError) -> Contact {
    try writeHere { key in
      let span = try ResponderWait.checked(span)
      let before = try responder(id, of: key)
      let now = now().stored
      if span != before.waitSpan {
        // What was shortest in an alert that is on stays so, however often it changes.
        let isMissed = try database.value(
          Date.self,
          "SELECT max(raised_at) FROM alert WHERE account = ?1 AND kind IN ('missed', 'outing') AND resolved_at IS NULL",
          key)
        let earlier = isMissed.flatMap { before.wait?.span(inAlertRaisedAt: $0) } ?? before.waitSpan
        try store(ResponderWait(span: span, earlier: earlier, changedAt: now), of: id, account: key)
      }
      if span > before.waitSpan {
        let stage = Stage.responderNotice(makeUUID())
        for channel in try responders(of: key).first(where: { $0.id == id })?.channels ?? [] {
          try insert(
            PlannedDelivery(
              occasion: .account, stage: stage, recipient: .contact(id),
              recipientName: before.name, channel: channel.kind, address: channel.address,
              detail: ResponderNotice.wait(span)), account: key, now: now)
        }
        if let peer = try relation(id, of: key)?.peer {
          try notify(peer, .info, about: name(of: key), detail: ResponderNotice.wait(span))
        }
      }
      try touch(key)
      return try responder(id, of: key)
    }
  }

  /// Returns a contact of either kind who responds for an account.
  func responder(_ id: Contact.ID, of key: Int) throws -> Contact {
    guard
      let contact = try (contacts(of: key) + linkedContacts(of: key)).first(where: { $0.id == id }),
      contact.roles.contains(.responder)
    else { throw ClientError.contactNotFound }
    return contact
  }

  func store(
    _ wait: ResponderWait?, of responder: Contact.ID, account: Int
  ) throws(StorageError) {
    guard let wait else { return }
    try database.run(
      """
      INSERT INTO responder_wait (account, responder, wait, earlier, changed_at)
      VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (account, responder)
      DO UPDATE SET wait = ?3, earlier = ?4, changed_at = ?5
      """, account, responder, wait.span, wait.earlier, wait.changedAt)
  }

  /// Shows a missed deadline to a linked responder whose turn has come, once.
  func showInTurn(_ alert: Int, to responder: Contact.ID, of account: Int) throws(StorageError) {
    let peer = try database.value(
      Int.self,
      """
      SELECT iif(requester = ?1, addressee, requester)
      FROM relation JOIN responder_wait ON responder = relation.id AND account = ?1
      WHERE relation.id = ?2 AND wait > 0 AND 1 = (
        SELECT count(*) FROM delivery WHERE alert = ?3 AND recipient = ?4 AND stage = ?5)
      """, account, responder, alert, Recipient.contact(responder), Stage.nonResponsive)
    guard let peer,
      let name = try database.value(String.self, "SELECT name FROM account WHERE key = ?1", account)
    else { return }
    let isOuting = try database.value(
      Bool.self, "SELECT kind = 'outing' FROM alert WHERE key = ?1 AND resolved_at IS NULL", alert)
    guard let isOuting else { return }
    try notify(peer, isOuting ? .dependentNotBack : .dependentNonResponsive, about: name)
  }

  func forgetWait(of responder: Contact.ID, account: Int) throws(StorageError) {
    try database.run(
      "DELETE FROM responder_wait WHERE account = ?1 AND responder = ?2", account, responder)
  }

  /// Adds to contacts how long they wait.
  func addWaits(to contacts: inout [Contact], of account: Int) throws(StorageError) {
    guard !contacts.isEmpty else { return }
    let waits = try waits(of: [account].json)[account] ?? []
    contacts.add(waits)
  }

  /// Returns the waits of accounts.
  func waits(
    of list: String
  ) throws(StorageError) -> [Int: [(responder: Contact.ID, wait: ResponderWait)]] {
    try database.grouped(
      """
      SELECT responder_wait.account, responder, wait, earlier, changed_at
      FROM json_each(?1) AS listed CROSS JOIN responder_wait
        ON responder_wait.account = listed.value
      """, list
    ) { row throws(StorageError) in
      (
        try row.read(),
        ResponderWait(span: try row.read(), earlier: try row.read(), changedAt: try row.read())
      )
    }
  }
}

extension [Contact] {
  mutating func add(_ waits: [(responder: Contact.ID, wait: ResponderWait)]) {
    guard !waits.isEmpty else { return }
    let waits = Dictionary(waits.map { ($0.responder, $0.wait) }, uniquingKeysWith: { $1 })
    for index in indices { self[index].wait = waits[self[index].id] }
  }
}
