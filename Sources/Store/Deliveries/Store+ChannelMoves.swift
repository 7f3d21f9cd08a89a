import Clients
import Domain
import FoundationEssentials

extension Store {
  /// Gives a channel the address to which its service says that the recipient has moved, and its
  /// messages as well, so that none is sent twice. The person gets a notification.
  ///
  /// A message that the person must not see leaves no trace here (ALT-9): the service says the same
  /// again at the next one.
  func moveChannel(
    of delivery: UUID, _ token: UUID, to address: String
  ) throws(StorageError) {
    try write(StorageError.self, .other) {
      let found = try database.row(
        """
        SELECT delivery.account, recipient, recipient_name, channel, address FROM delivery
        LEFT JOIN alert ON alert.key = delivery.alert
        WHERE delivery.id = ?1 AND token = ?2 AND coalesce(alert.kind, '') <> 'duress'
        """, delivery, token
      ) { row throws(StorageError) -> MovedChannel in
        MovedChannel(
          account: try row.read(), recipient: try row.read(), name: try row.read(),
          kind: try row.read(), address: try row.read())
      }
      guard let found, found.kind == .service, found.address != address,
        Channel.Kind.service(of: found.address) == Channel.Kind.service(of: address),
        (try? found.kind.checkedAddress(address)) == address,
        try !isInUse(address, by: found)
      else { return }
      let isOwn = found.recipient == .owner
      try database.run(
        """
        UPDATE channel SET address = ?4, may_be_private = 0
        WHERE account = ?1 AND kind = ?2 AND address = ?3
          AND iif(?5 = 1, contact IS NULL, contact = (SELECT key FROM contact WHERE id = ?6))
        """, found.account, found.kind, found.address, address, isOwn, found.recipient)
      try database.run(
        """
        UPDATE delivery SET address = ?5
        WHERE account = ?1 AND recipient = ?2 AND channel = ?3 AND address = ?4
        """, found.account, found.recipient, found.kind, found.address, address)
      try notify(
        found.account, .info, about: isOwn ? "" : found.name,
        detail: "A channel has moved: \(found.address) is now \(address)."
          + " Messages go there; you don't need to do anything.")
      try touch(found.account)
    }
  }

  /// Whether somebody's channel or message of the account has the address already.
  private func isInUse(_ address: String, by found: MovedChannel) throws(StorageError) -> Bool {
    try database.value(
      Bool.self,
      """
      SELECT EXISTS (
          SELECT 1 FROM channel WHERE account = ?1 AND kind = ?2 AND address = ?3)
        OR EXISTS (
          SELECT 1 FROM delivery WHERE account = ?1 AND channel = ?2 AND address = ?3)
      """, found.account, found.kind, address) ?? false
  }
}

/// The channel that a message goes to.
private struct MovedChannel {
  var account: Int
  var recipient: Recipient
  var name: String
  var kind: Channel.Kind
  var address: String
}
