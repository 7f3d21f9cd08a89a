import Clients
import Domain
import FoundationEssentials

extension InMemoryPlatform {
  var contactsClient: ContactsClient {
    ContactsClient(
      contacts: { [store] () async throws(ContactsError) in try store.contactList() },
      add: { [store] (draft: ContactDraft) async throws(ContactsError) in
        try store.addContact(draft)
      },
      update: { [store] (read: Contact, draft: ContactDraft) async throws(ContactsError) in
        try store.updateContact(read, draft)
      },
      delete: { [store] (id: Contact.ID) async throws(ContactsError) in
        try store.deleteContact(id)
      },
      lookUp: { [store] (code: AccountCode) async throws(ContactsError) in
        try store.lookUp(code)
      },
      request: { [store] (code: AccountCode, roles: Roles) async throws(ContactsError) in
        try store.requestRelation(code, roles)
      },
      accept: { [store] (id: Contact.ID) async throws(ContactsError) in
        try store.acceptRelation(id)
      },
      decline: { [store] (id: Contact.ID) async throws(ContactsError) in
        try store.declineRelation(id)
      },
      setRoles: { [store] (id: Contact.ID, roles: Roles) async throws(ContactsError) in
        try store.setRoles(id, roles)
      },
      resetCode: { [store] () async throws(ContactsError) in try store.resetCode() },
      observe: { [store] in
        store.observe { [now = store.now] contents in
          contents.contacts(
            of: try contents.account(or: ContactsError.notAuthenticated), at: now())
        }
      })
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
      try account.requireFree(draft.email)
      let contact = Contact(draft, at: now(), makeUUID: makeUUID)
      account.contacts.append(contact)
      account.touch()
      return contact
    }
  }

  fileprivate func updateContact(
    _ read: Contact, _ draft: ContactDraft
  ) throws(ContactsError) -> Contact {
    let draft = try checked(draft)
    return try changeAccount(or: ContactsError.notAuthenticated) { account throws(ContactsError) in
      let index = try account.index(ofContact: read.id)
      guard account.contacts[index] == read else { throw .changed(account.contacts[index]) }
      try account.requireFree(draft.email, except: read.id)
      account.contacts[index].replace(with: draft, makeUUID: makeUUID)
      account.touch()
      return account.contacts[index]
    }
  }

  fileprivate func deleteContact(_ id: Contact.ID) throws(ContactsError) {
    let isLinked = read { $0.relations.contains { $0.id == id } }
    if isLinked { return try endRelation(id) }
    try changeAccount(or: ContactsError.notAuthenticated) { account throws(ContactsError) in
      account.contacts.remove(at: try account.index(ofContact: id))
      account.touch()
    }
  }
}

private func checked(_ draft: ContactDraft) throws(ContactsError) -> ContactDraft {
  do { return try draft.checked() } catch { throw .invalid(error) }
}

extension ContactDraft {
  /// The draft as it is stored; the store is the last to look at it.
  func checked() throws(ValidationError) -> ContactDraft {
    try ContactDraft(
      validating: name, email: email ?? "", phone: phone ?? "", note: note, roles: roles)
  }
}

extension Account {
  /// The contact with this address in any case.
  func contact(withEmail email: String?) -> Contact? {
    guard let email = email?.lowercased() else { return nil }
    return contacts.first { $0.email?.lowercased() == email }
  }

  fileprivate func index(ofContact id: Contact.ID) throws(ContactsError) -> Int {
    guard let index = contacts.firstIndex(where: { $0.id == id }) else { throw .notFound }
    return index
  }

  fileprivate func requireFree(
    _ email: String?, except id: Contact.ID? = nil
  ) throws(ContactsError) {
    if let other = contact(withEmail: email), other.id != id {
      throw .alreadyExists(name: other.name)
    }
  }
}

extension Contact {
  init(_ draft: ContactDraft, at now: Date, makeUUID: () -> UUID) {
    self.init(
      id: makeUUID(), name: draft.name, phone: draft.phone, note: draft.note, roles: draft.roles,
      addedAt: now)
    replaceEmail(with: draft.email, makeUUID: makeUUID)
  }

  fileprivate mutating func replace(with draft: ContactDraft, makeUUID: () -> UUID) {
    name = draft.name
    phone = draft.phone
    note = draft.note
    roles = draft.roles
    replaceEmail(with: draft.email, makeUUID: makeUUID)
  }

  /// A channel keeps its identity as long as its address stays.
  private mutating func replaceEmail(with address: String?, makeUUID: () -> UUID) {
    guard address != email else { return }
    channels.removeAll { $0.kind == .email }
    if let address {
      channels.append(Channel(id: makeUUID(), kind: .email, address: address))
    }
  }
}
