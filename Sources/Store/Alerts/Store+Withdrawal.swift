import Clients
import Domain
import FoundationEssentials

/// Taking it back that one is responding (PAGE-1).
extension Store {
  /// Takes a responder's word about an alert back, and about the others that are on for the same person, unless
  /// it is a drill; notifies everyone who may have been sent it. The planner repeats the calls again if nobody else
  /// responds (ESC-2).
  func withdraw(
    _ responder: Contact.ID, from alert: Int, isDrill: Bool, of person: Int
  ) throws(StorageError) {
    let words = try database.rows(
      """
      UPDATE acknowledgement SET withdrawn_at = ?3, withdrawals = withdrawals + 1
      WHERE responder = ?2 AND withdrawn_at IS NULL AND alert IN (
        SELECT key FROM alert WHERE account = ?1 AND resolved_at IS NULL
          AND (key = ?4 OR kind <> 'drill' AND ?5 = 0))
      RETURNING alert, name, withdrawals
      """, person, responder, now(), alert, isDrill
    ) { row throws(StorageError) -> (alert: Int, name: String, withdrawals: Int) in
      (try row.read(), try row.read(), try row.read())
    }
    var isShown = false
    for word in words {
      let identity = Acknowledgement(
        responder: responder, name: word.name, date: now(), withdrawals: word.withdrawals - 1
      ).identity
      try takeBack(identity, word.name, alert: word.alert, of: person)
      if try self.isShown(word.alert) { isShown = true }
    }
    // Nothing about a silent alert may reach its person (CHK-3).
    if isShown, let name = words.first?.name { try notify(person, .alertWithdrawn, about: name) }
    try requestAttention(for: person)
    try noteChange(forPeersOf: person)
  }

  private func takeBack(
    _ word: UUID, _ name: String, alert: Int, of person: Int
  ) throws(StorageError) {
    let told = try database.rows(
      """
      SELECT alert.id, delivery.id, recipient, recipient_name, channel, address
      FROM delivery JOIN alert ON alert.key = delivery.alert
      WHERE delivery.alert = ?1 AND stage = ?2 AND (state = 'sent' OR recorded = 0 OR doubtful = 1)
      ORDER BY delivery.key
      """, alert, Stage.acknowledged(word)
    ) { row throws(StorageError) -> PlannedDelivery in
      let (id, message): (UUID, UUID) = (try row.read(), try row.read())
      return PlannedDelivery(
        occasion: .alert(id), stage: .withdrawn(word), recipient: try row.read(),
        recipientName: try row.read(), channel: try row.read(), address: try row.read(),
        inReplyTo: MessageID(delivery: message), detail: name)
    }
    for message in told { try insert(message, account: person, now: now()) }
  }
}
