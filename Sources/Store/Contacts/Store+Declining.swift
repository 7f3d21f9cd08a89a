import Clients
import Domain
import FoundationEssentials

/// Notifying outside contacts that they were added, and letting them decline (CON-3).
extension Store {
  /// Notifies a new responder once on each channel, with a code to decline.
  /// - Parameter old: The contact before the change; `nil` for a new one.
  /// - Parameter isImported: Whether the contact comes from an import, whose introductions aren't
  ///   delayed.
  func welcome(
    _ contact: Contact, before old: Contact?, account: Int, isImported: Bool = false
  ) throws(StorageError) {
    guard contact.isResponder else {
      if old?.isResponder == true { try cancelMessages(to: .contact(contact.id), account: account) }
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
      if session.isRemote, !isImported {
        try delayIntroduction(to: contact.id, at: channel, account: account)
      }
    }
  }

  /// Delays an introduction on a server as long as the account has introduced itself to many new
  /// addresses within a day, so that no member makes it a source of unwanted mail. No alert waits
  /// for it.
  private func delayIntroduction(
    to contact: Contact.ID, at channel: Channel, account: Int
  ) throws(StorageError) {
    let last = try database.value(
      Date.self,
      """
      SELECT not_before FROM delivery WHERE account = ?1 AND stage = ?2
        AND NOT (recipient = ?3 AND channel = ?4 AND address = ?5)
      ORDER BY not_before DESC LIMIT 1 OFFSET ?6
      """, account, Stage.contactAdded, Recipient.contact(contact), channel.kind, channel.address,
      ContactRules.introductionsADay - 1)
    guard let last, last + .days(1) > now() else { return }
    try database.run(
      """
      UPDATE delivery SET not_before = ?6, planned_at = ?6
      WHERE account = ?1 AND stage = ?2 AND recipient = ?3 AND channel = ?4 AND address = ?5
        AND state = 'pending'
      """, account, Stage.contactAdded, Recipient.contact(contact), channel.kind, channel.address,
      last + .days(1))
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
    try cancelMessages(to: .contact(contact), account: account)
    try notify(account, .contactDeclined, about: name)
    try touch(account)
  }
}
