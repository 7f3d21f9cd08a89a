import Clients
import Domain
import FoundationEssentials

/// Withdrawing a response (PAGE-1).
extension Store {
  /// A response that was withdrawn.
  private struct WithdrawnAcknowledgement {
    var key: Int
    var alert: Alert.ID
    var isSilent: Bool
    var acknowledgement: Acknowledgement
  }

  /// Withdraws a response to an alert, and to the others that are on for the same person unless it
  /// is a drill. Notifies everyone who may have been sent it. The planner repeats the calls if
  /// nobody else responds (ESC-2).
  /// - Parameter alert: The alert, or `nil` for a responder who leaves, who withdraws from all but
  ///   drills. Their response to a silent alert that they are kept for stays, because its person
  ///   may have been forced to remove them (CHK-3).
  func withdraw(
    _ responder: Contact.ID, from alert: Int? = nil, isDrill: Bool = false, of person: Int
  ) throws(StorageError) {
    let withdrawn = try database.rows(
      """
      UPDATE acknowledgement SET withdrawn_at = ?3, withdrawals = withdrawals + 1
      WHERE responder = ?2 AND withdrawn_at IS NULL AND alert IN (
        SELECT key FROM alert WHERE account = ?1 AND resolved_at IS NULL
          AND (key = coalesce(?4, -1) OR kind <> 'drill' AND ?5 = 0)
          AND (?4 IS NOT NULL OR kind <> 'duress' OR NOT EXISTS (
            SELECT 1 FROM kept_channel WHERE kept_channel.account = ?1 AND kept_channel.responder = ?2)))
      RETURNING alert, (SELECT id FROM alert WHERE key = acknowledgement.alert),
        (SELECT kind = 'duress' FROM alert WHERE key = acknowledgement.alert), name, at, withdrawals
      """, person, responder, now(), alert, isDrill
    ) { row throws(StorageError) -> WithdrawnAcknowledgement in
      WithdrawnAcknowledgement(
        key: try row.read(), alert: try row.read(), isSilent: try row.read(),
        acknowledgement: Acknowledgement(
          responder: responder, name: try row.read(), date: try row.read(),
          withdrawals: try row.read(Int.self) - 1))
    }
    guard let first = withdrawn.first else { return }
    // People who are notified about a visible alert aren't notified about a silent one as well.
    let ordered = withdrawn.filter { !$0.isSilent } + withdrawn.filter(\.isSilent)
    var notified: Set<String> = []
    for acknowledgement in ordered {
      try notifyOfWithdrawal(acknowledgement, of: person, besides: &notified)
    }
    // The person must not learn anything about a silent alert (CHK-3).
    let isSeen = withdrawn.contains { !$0.isSilent }
    if isSeen { try notify(person, .alertWithdrawn, about: first.acknowledgement.name) }
    try requestAttention(for: person, isSeen: isSeen)
    try noteChange(forPeersOf: person)
  }

  /// Notifies those who may have been sent the response, even about another alert that is over by
  /// now. A withdrawal from several alerts is sent once. If the response is being sent now, the
  /// withdrawal waits, so that it doesn't arrive first.
  private func notifyOfWithdrawal(
    _ withdrawn: WithdrawnAcknowledgement, of person: Int, besides notified: inout Set<String>
  ) throws(StorageError) {
    let identity = withdrawn.acknowledgement.identity
    let messages = try database.rows(
      """
      SELECT delivery.id, recipient, recipient_name, channel, address,
        iif(state = 'pending', leased_until, NULL)
      FROM delivery
      WHERE delivery.account = ?1 AND stage = ?2
        AND (state = 'sent' OR recorded = 0 OR doubtful = 1)
        AND (delivery.alert = ?3 OR EXISTS (
          SELECT 1 FROM acknowledgement AS given
          WHERE given.alert = delivery.alert AND given.responder = ?4 AND given.at = ?5))
      ORDER BY delivery.alert <> ?3, delivery.key
      """, person, Stage.acknowledged(identity), withdrawn.key, withdrawn.acknowledgement.responder,
      withdrawn.acknowledgement.date
    ) { row throws(StorageError) -> (PlannedDelivery, leasedUntil: Date?) in
      let message: UUID = try row.read()
      return (
        PlannedDelivery(
          occasion: .alert(withdrawn.alert), stage: .withdrawn(identity), recipient: try row.read(),
          recipientName: try row.read(), channel: try row.read(), address: try row.read(),
          inReplyTo: MessageID(delivery: message), detail: withdrawn.acknowledgement.name),
        try row.read()
      )
    }
    for (message, leasedUntil) in messages {
      let place = "\(message.recipient) \(message.channel) \(message.address)"
      guard !(withdrawn.isSilent && message.recipient == .owner), notified.insert(place).inserted
      else {
        continue
      }
      try insert(message, account: person, now: max(now(), leasedUntil ?? now()))
    }
  }
}
