import Clients
import Domain
import FoundationEssentials

extension InMemoryPlatform {
  var contactsClient: ContactsClient {
    ContactsClient {
      $0.contacts = { [store] () async throws(ContactsError) in try store.contactList() }
      $0.overview = { [store] (limit: Int, order: NameOrder) async throws(ContactsError) in
        ContactOverview(order.listed(try store.contactList(), by: \.name), naming: limit)
      }
      $0.add = { [store] (draft: ContactDraft) async throws(ContactsError) in
        try store.addContact(draft)
      }
      $0.update = {
        [store] (read: Contact, draft: ContactDraft, passphrase: Secret<String>?)
          async throws(ContactsError) in
        // What was read and is not any more is refused afterwards.
        try store.pass(
          .weakenContact, passphrase, notAuthenticated: ContactsError.notAuthenticated,
          ContactsError.gate
        ) { _, _ throws(ContactsError) in read.isWeakened(by: draft) }
        return try store.updateContact(read, draft)
      }
      $0.delete = {
        [store] (id: Contact.ID, passphrase: Secret<String>?) async throws(ContactsError) in
        try store.pass(
          .removeContact, passphrase, notAuthenticated: ContactsError.notAuthenticated,
          ContactsError.gate)
        return try store.deleteContact(id)
      }
      $0.lookUp = { [store] (code: AccountCode) async throws(ContactsError) in
        try store.lookUp(code)
      }
      $0.request = { [store] (code: AccountCode, roles: Roles) async throws(ContactsError) in
        try store.requestRelation(code, roles)
      }
      $0.accept = { [store] (id: Contact.ID) async throws(ContactsError) in
        try store.acceptRelation(id)
      }
      $0.decline = { [store] (id: Contact.ID) async throws(ContactsError) in
        try store.declineRelation(id)
      }
      $0.declineByCode = { [store] (typed: Secret<String>) async throws(ContactsError) in
        try store.declineByCode(typed)
      }
      $0.setRoles = {
        [store] (id: Contact.ID, roles: Roles, passphrase: Secret<String>?)
          async throws(ContactsError) in
        try store.pass(
          .removeRole, passphrase, notAuthenticated: ContactsError.notAuthenticated,
          ContactsError.gate
        ) { contents, _ throws(ContactsError) in
          !roles.isSuperset(of: try contents.relation(id).side.roles)
        }
        return try store.setRoles(id, roles)
      }
      $0.resetCode = { [store] () async throws(ContactsError) in try store.resetCode() }
      $0.observe = { [store] in
        store.observe { [now = store.now] contents in
          contents.contacts(
            of: try contents.account(or: ContactsError.notAuthenticated), at: now())
        }
      }
    }
  }
}

extension InMemoryStore {
  fileprivate func contactList() throws(ContactsError) -> [Contact] {
    try read { contents throws(ContactsError) in
      contents.contacts(
        of: try contents.account(or: ContactsError.notAuthenticated), at: now())
    }
  }

  fileprivate func addContact(_ draft: ContactDraft) throws(ContactsError) -> Contact {
    let draft = try checked(draft)
    return try changeAccount(or: ContactsError.notAuthenticated) { account throws(ContactsError) in
      try account.requireFree(draft.channels)
      let contact = account.add(draft, at: now(), makeUUID: makeUUID)
      account.touch()
      return contact
    }
  }

  fileprivate func updateContact(
    _ read: Contact, _ draft: ContactDraft
  ) throws(ContactsError) -> Contact {
    let draft = try checked(draft)
    let updated = try changeAccount(or: ContactsError.notAuthenticated) {
      account throws(ContactsError) in
      let index = try account.index(ofContact: read.id)
      guard account.contacts[index] == read else { throw .changed(account.contacts[index]) }
      try account.requireFree(draft.channels, except: read.id)
      account.replaceContact(at: index, with: draft, at: now(), makeUUID: makeUUID)
      account.touch()
      return account.contacts[index]
    }
    // The responders are notified of each channel that goes (CHK-3).
    write { contents in
      for channel in read.channels where !updated.channels.contains(channel) {
        contents.noticeResponders(
          of: contents.signedIn, ResponderNotice.removedChannel(channel.kind, of: read.name),
          at: now(), makeUUID: makeUUID)
      }
    }
    return updated
  }

  fileprivate func deleteContact(_ id: Contact.ID) throws(ContactsError) {
    let isLinked = read { $0.relations.contains { $0.id == id } }
    if isLinked { return try endRelation(id) }
    try changeAccount(or: ContactsError.notAuthenticated) { account throws(ContactsError) in
      let contact = account.contacts.remove(at: try account.index(ofContact: id))
      for channel in contact.channels { account.secrets[channel.id] = nil }
      account.cancelWords(to: .contact(id), at: now())
      account.touch()
    }
  }
}

private func checked(_ draft: ContactDraft) throws(ContactsError) -> ContactDraft {
  do { return try draft.checked() } catch { throw .invalid(error) }
}

extension Account {
  /// The contact who has one of these addresses, in any case.
  func contact(reachedBy drafts: [ChannelDraft]) -> Contact? {
    for draft in drafts {
      let found = contacts.first { contact in
        contact.channels.contains {
          draft.leadsToSamePlace(as: ChannelDraft($0.kind, $0.address))
        }
      }
      if let found { return found }
    }
    return nil
  }

  fileprivate func index(ofContact id: Contact.ID) throws(ContactsError) -> Int {
    guard let index = contacts.firstIndex(where: { $0.id == id }) else { throw .notFound }
    return index
  }

  fileprivate func requireFree(
    _ channels: [ChannelDraft], except id: Contact.ID? = nil
  ) throws(ContactsError) {
    for channel in channels {
      if let other = contact(reachedBy: [channel]), other.id != id {
        throw .alreadyExists(name: other.name)
      }
    }
  }

  /// Adds a contact; a responder is told so (CON-3).
  @discardableResult
  mutating func add(_ draft: ContactDraft, at now: Date, makeUUID: () -> UUID) -> Contact {
    var contact = Contact(
      id: makeUUID(), name: draft.name, phone: draft.phone, note: draft.note, roles: draft.roles,
      addedAt: now)
    contact.channels = draft.channels.map { makeChannel($0, makeUUID: makeUUID).channel }
    contacts.append(contact)
    welcome(contact, before: nil, at: now, makeUUID: makeUUID)
    return contact
  }

  /// A channel keeps its identity and its secret as long as it leads to the same place.
  fileprivate mutating func replaceContact(
    at index: Int, with draft: ContactDraft, at now: Date, makeUUID: () -> UUID
  ) {
    let old = contacts[index]
    var contact = old
    contact.name = draft.name
    contact.phone = draft.phone
    contact.note = draft.note
    contact.roles = draft.roles
    contact.channels.removeAll { channel in !draft.channels.contains { $0.isFor(channel) } }
    for channel in old.channels where !contact.channels.contains(channel) {
      secrets[channel.id] = nil
      cancelWords(to: .contact(old.id), on: channel, at: now)
    }
    for draft in draft.channels {
      if let kept = old.channels.first(where: draft.isFor) {
        if let token = draft.token { secrets[kept.id] = token }
      } else {
        contact.channels.append(makeChannel(draft, makeUUID: makeUUID).channel)
      }
    }
    contacts[index] = contact
    welcome(contact, before: old, at: now, makeUUID: makeUUID)
  }
}
