import Clients
import Domain
import FoundationEssentials

extension Store {
  func contacts() throws(ClientError) -> [Contact] {
    try read { key in
      var contacts = try contacts(of: key)
      contacts += try linkedContacts(of: key)
      return contacts.byName
    }
  }

  func addContact(_ draft: ContactDraft) throws(ClientError) -> Contact {
    try write {
      let draft = try draft.checked()
      let key = try requireKeyHere()
      try requireFree(draft.channels, account: key)
      try requireRoom(.channels, for: draft.channels.count, of: key)
      try requireRoom(.contacts, for: 1, of: key)
      let id = try insertContact(draft, account: key)
      try touch(key)
      return try contact(id, of: key)
    }
  }

  func updateContact(
    _ read: Contact, _ draft: ContactDraft
  ) throws(ClientError) -> Contact {
    try write {
      let draft = try draft.checked()
      let key = try requireKeyHere()
      let id = read.id
      let old = try contact(id, of: key)
      // What a draft can't change doesn't stand against it; older apps don't know of it.
      var (stored, seen) = (old, read)
      (stored.wait, stored.hearsCheckIns) = (nil, nil)
      (seen.wait, seen.hearsCheckIns) = (nil, nil)
      guard stored == seen else { throw ClientError.contactChanged(old) }
      try requireFree(draft.channels, account: key, except: id)
      if draft.channels.count > old.channels.count {
        try requireRoom(.channels, for: draft.channels.count, of: key)
      }
      try database.run(
        """
        UPDATE contact SET name = ?3, phone = ?4, note = ?5, roles = ?6
        WHERE account = ?1 AND id = ?2
        """, key, id, draft.name, draft.phone, draft.note, draft.roles.rawValue)
      try replaceChannels(of: old, with: draft.channels, account: key)
      try welcome(contact(id, of: key), before: old, account: key)
      if !draft.roles.contains(.responder) { try stopNotifying(id, of: key) }
      try touch(key)
      return try contact(id, of: key)
    }
  }

  func deleteContact(_ id: Contact.ID) throws(ClientError) {
    try writeHere { key in
      let deleted = try database.rowsChanged(
        by: "DELETE FROM contact WHERE account = ?1 AND id = ?2", key, id)
      try forgetWait(of: id, account: key)
      if deleted == 1 {
        try stopNotifying(id, of: key)
        return try touch(key)
      }
      guard try endRelation(id, of: key) else { throw ClientError.contactNotFound }
    }
  }

  // MARK: Rows

  /// Returns an account's outside contacts, all or those with a role, whether they declined or not.
  func contacts(
    of account: Int, with roles: Roles = []
  ) throws(StorageError) -> [Contact] {
    var contacts: [Contact] = []
    var last: Int?
    try database.visit(
      """
      SELECT contact.key, channel.id, channel.kind, channel.address,
        contact.id, name, phone, note, roles, added_at, declined_at
      FROM contact LEFT JOIN channel ON channel.contact = contact.key
      WHERE contact.account = ?1 AND roles & ?2 = ?2 ORDER BY contact.key, channel.key
      """, account, roles.rawValue
    ) { row throws(StorageError) in
      let key: Int = try row.read()
      let channel = try Channel(joining: &row)
      if key != last {
        contacts.append(try Contact(reading: &row))
        last = key
      }
      if let channel { contacts[contacts.count - 1].channels.append(channel) }
      return true
    }
    try addWaits(to: &contacts, of: account)
    try addNews(to: &contacts, of: account)
    return contacts
  }

  func contact(_ id: Contact.ID, of account: Int) throws -> Contact {
    let contact = try database.row(
      """
      SELECT id, name, phone, note, roles, added_at, declined_at FROM contact
      WHERE account = ?1 AND id = ?2
      """, account, id, read: Contact.init(reading:))
    guard var contact else { throw ClientError.contactNotFound }
    contact.channels = try database.rows(
      """
      SELECT channel.id, channel.kind, channel.address
      FROM channel JOIN contact ON contact.key = channel.contact
      WHERE contact.account = ?1 AND contact.id = ?2 ORDER BY channel.key
      """, account, id
    ) { row throws(StorageError) in
      Channel(id: try row.read(), kind: try row.read(), address: try row.read())
    }
    contact.wait = try waits(of: [account].json)[account]?.first { $0.responder == id }?.wait
    var contacts = [contact]
    try addNews(to: &contacts, of: account)
    return contacts[0]
  }

  /// Returns the contact who has one of these addresses, in any case.
  func contact(
    of account: Int, reachedBy channels: [ChannelDraft]
  ) throws(StorageError) -> (id: Contact.ID, name: String)? {
    for channel in channels {
      let found = try database.row(
        """
        SELECT contact.id, contact.name FROM channel JOIN contact ON contact.key = channel.contact
        WHERE channel.account = ?1 AND channel.kind = ?2 AND channel.address = ?3
        """, account, channel.kind, channel.address
      ) { row throws(StorageError) in (id: try row.read(UUID.self), name: try row.read(String.self))
      }
      if let found { return found }
    }
    return nil
  }

  private func requireFree(
    _ channels: [ChannelDraft], account: Int, except id: Contact.ID? = nil
  ) throws {
    for channel in channels {
      if let other = try contact(of: account, reachedBy: [channel]), other.id != id {
        throw ClientError.contactExists(name: other.name)
      }
    }
  }

  /// Adds a contact, and notifies them if they are a responder (CON-3).
  func insertContact(_ draft: ContactDraft, account: Int) throws -> Contact.ID {
    let id = makeUUID()
    try database.run(
      """
      INSERT INTO contact (account, id, name, phone, note, roles, added_at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      """, account, id, draft.name, draft.phone, draft.note, draft.roles.rawValue, now())
    for channel in draft.channels { try insertChannel(channel, contact: id, account: account) }
    try welcome(contact(id, of: account), before: nil, account: account)
    return id
  }

  /// Replaces the channels of a contact. A channel keeps its identifier and its secret as long as
  /// it leads to the same place. The responders are notified of each removed channel (CHK-3),
  /// unless this corrects an address that was added a short while ago; and not on a channel that is
  /// added in its place, where nobody knows the old one.
  private func replaceChannels(
    of contact: Contact, with drafts: [ChannelDraft], account: Int
  ) throws(StorageError) {
    let removed = contact.channels.filter { channel in !drafts.contains { $0.isFor(channel) } }
    for channel in removed {
      try database.run("DELETE FROM channel WHERE account = ?1 AND id = ?2", account, channel.id)
      try cancelMessages(to: .contact(contact.id), on: channel, account: account)
    }
    let isReplaced = drafts.contains { !contact.channels.contains(where: $0.isFor) }
    for channel in removed {
      if isReplaced, try wasJustAdded(channel, to: contact.id, of: account) { continue }
      let notice = ResponderNotice.removedChannel(
        channel.kind, of: contact.name, isReplaced: isReplaced)
      try noticeResponders(of: account, notice)
    }
    for draft in drafts {
      if let kept = contact.channels.first(where: draft.isFor) {
        guard let token = draft.token else { continue }
        try database.run(
          "UPDATE channel SET secret = ?3 WHERE account = ?1 AND id = ?2", account, kept.id,
          token.value)
      } else {
        try insertChannel(draft, contact: contact.id, account: account)
      }
    }
  }

  /// Returns whether a contact got their first message on a channel a short while ago. Correcting
  /// it then takes away nothing that was there before.
  private func wasJustAdded(
    _ channel: Channel, to contact: Contact.ID, of account: Int
  ) throws(StorageError) -> Bool {
    try database.value(
      Int.self,
      """
      SELECT 1 FROM delivery WHERE account = ?1 AND recipient = ?2 AND channel = ?3 AND address = ?4
        AND stage = ?5 AND planned_at > ?6 AND planned_at <= ?7
      """, account, Recipient.contact(contact), channel.kind, channel.address, Stage.contactAdded,
      now() - ResponderNotice.correctionTime, now()) != nil
  }
}

extension Channel {
  /// Reads a channel of an outer join, which may be missing, and always its three columns.
  fileprivate init?(joining row: inout RowReader) throws(StorageError) {
    guard let id: UUID = try row.read() else {
      row.skip(2)
      return nil
    }
    self.init(id: id, kind: try row.read(), address: try row.read())
  }
}

extension Contact {
  /// The columns that ``init(reading:)`` reads, in its order.
  static let columns = """
    contact.id, contact.name, contact.phone, contact.note, contact.roles, contact.added_at,
    contact.declined_at
    """

  init(reading row: inout RowReader) throws(StorageError) {
    self.init(
      id: try row.read(), name: try row.read(), phone: try row.read(), note: try row.read(),
      roles: try row.read(), addedAt: try row.read(), declinedAt: try row.read())
  }
}
