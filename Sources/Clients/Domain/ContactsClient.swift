public import Composable
public import Domain

/// The people whom the user named: responders and dependents.
public struct ContactsClient: Sendable {
  /// Every contact, by name.
  public var contacts: @Sendable () async throws(ContactsError) -> [Contact]
  public var add: @Sendable (ContactDraft) async throws(ContactsError) -> Contact
  /// Replaces what is known of a contact; its identity and the date it was added stay.
  /// - Throws: ``ContactsError/changed(_:)`` where the contact is not any more as it was read, so that
  ///   of two terminals none overwrites unseen what the other wrote.
  public var update:
    @Sendable (_ read: Contact, ContactDraft) async throws(ContactsError) -> Contact
  public var delete: @Sendable (Contact.ID) async throws(ContactsError) -> Void
  /// ``contacts`` now and after every change by anyone.
  public var observe: @Sendable () -> AsyncThrowingStream<[Contact], any Error>

  public init(
    contacts: @escaping @Sendable () async throws(ContactsError) -> [Contact],
    add: @escaping @Sendable (ContactDraft) async throws(ContactsError) -> Contact,
    update: @escaping @Sendable (Contact, ContactDraft) async throws(ContactsError) -> Contact,
    delete: @escaping @Sendable (Contact.ID) async throws(ContactsError) -> Void,
    observe: @escaping @Sendable () -> AsyncThrowingStream<[Contact], any Error>
  ) {
    self.contacts = contacts
    self.add = add
    self.update = update
    self.delete = delete
    self.observe = observe
  }
}

extension ContactsClient: TestDependencyKey {
  public static var testValue: Self {
    Self(
      contacts: unimplemented(
        "ContactsClient.contacts", throwing: ContactsError.unimplemented("ContactsClient.contacts")),
      add: unimplemented(
        "ContactsClient.add", throwing: ContactsError.unimplemented("ContactsClient.add")),
      update: unimplemented(
        "ContactsClient.update", throwing: ContactsError.unimplemented("ContactsClient.update")),
      delete: unimplemented(
        "ContactsClient.delete", throwing: ContactsError.unimplemented("ContactsClient.delete")),
      observe: unimplemented("ContactsClient.observe", placeholder: .finished()))
  }
}

extension DependencyValues {
  public var contactsClient: ContactsClient {
    get { self[ContactsClient.self] }
    set { self[ContactsClient.self] = newValue }
  }
}
