import Clients
import Domain
import FoundationEssentials

/// Notifying outside contacts that they were added, and letting them decline (CON-3).
extension Store {
  /// Notifies a new responder once on each channel, with a code to decline.
  /// - Parameter old: The contact before the change; `nil` for a new one.
  func welcome(_ contact: Contact, before old: Contact?, account: Int) throws(StorageError) {
    guard contact.isResponder else {
      if old?.isResponder == true { try cancelWords(to: .contact(contact.id), account: account) }
      return
    }
    let known = old.map { $0.isResponder ? $0.channels : [] } ?? []
    let channels = contact.channels.filter { !known.contains($0) }
    guard !channels.isEmpty else { return }
    try makeDecliningCode(account, contact: contact.id)
    for channel in channels {
      try insert(
        PlannedDelivery(
          occasion: .account, stage: .contactAdded, recipient: .contact(contact.id),
          recipientName: contact.name, channel: channel.kind, address: channel.address),
        account: account, now: now())
    }
  }

  /// Records that a contact declined: nothing more is sent to them (CON-3). Declining twice counts
  /// once.
  func decline(_ contact: Contact.ID, _ name: String, of account: Int) throws(StorageError) {
    let declined = try database.rowsChanged(
      by: """
        UPDATE contact SET declined_at = ?3
        WHERE account = ?1 AND id = ?2 AND declined_at IS NULL
        """, account, contact, now())
    try forgetKept(contact, of: account)
    try withdraw(contact, of: account)
    guard declined > 0 else { return }
    try cancelWords(to: .contact(contact), account: account)
    try notify(account, .contactDeclined, about: name)
    try touch(account)
  }
}
