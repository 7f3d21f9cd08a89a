public import Composable
public import Domain

/// The responders and dependents of the user: outside contacts named by the user, and other
/// accounts of the store that they have a relation with (CON-1).
public struct ContactsClient: ClientInterface {
  /// Every contact, by name. Of another account only what the relation lets the user see is there
  /// (CON-7): before it is active, the name.
  @Endpoint("ContactsClient.contacts")
  public var contacts: @Sendable () async throws(ClientError) -> [Contact]
  /// What the first screen says of the contacts, without reading all of them; as many responders are
  /// named as the limit says, in an order. See ``overview(naming:)``.
  @Endpoint("ContactsClient.overview")
  public var overview:
    @Sendable (_ limit: Int, NameOrder) async throws(ClientError) -> ContactOverview
  /// Adds an outside contact. A responder is notified of it once on each channel (CON-3).
  @Endpoint("ContactsClient.add")
  public var add: @Sendable (ContactDraft) async throws(ClientError) -> Contact
  /// Replaces what is known of a contact; its identity and the date it was added stay, and those of
  /// a channel as long as it leads to the same place. A new responder is notified of it (CON-3).
  /// - Throws: ``ClientError/contactChanged(_:)`` where the contact is not any more as it was read, so that
  ///   of two terminals none overwrites unseen what the other wrote; ``ClientError/gate(_:)`` where
  ///   a role or a channel goes (CHK-3).
  @Endpoint("ContactsClient.update")
  public var update:
    @Sendable (_ read: Contact, ContactDraft, _ passphrase: Secret<String>?)
      async throws(ClientError) -> Contact
  /// Deletes an outside contact, or ends a relation at once, whatever its state (CON-2). The
  /// passphrase is that of the gate.
  /// - Throws: ``ClientError/gate(_:)``.
  @Endpoint("ContactsClient.delete")
  public var delete:
    @Sendable (Contact.ID, _ passphrase: Secret<String>?) async throws(ClientError) -> Void
  /// The name of the account with a code, if the user could ask them.
  /// - Throws: ``ClientError/codeUnknown``, ``ClientError/cannotAddSelf`` and
  ///   ``ClientError/relationExists(name:)``.
  @Endpoint("ContactsClient.lookUp")
  public var lookUp: @Sendable (AccountCode) async throws(ClientError) -> String
  /// Asks the account with a code for a relation with these roles, as the user sees them; it counts from
  /// their consent on (CON-2).
  @Endpoint("ContactsClient.request")
  public var request: @Sendable (AccountCode, Roles) async throws(ClientError) -> Contact
  /// Consents to what somebody asked.
  @Endpoint("ContactsClient.accept")
  public var accept: @Sendable (Contact.ID) async throws(ClientError) -> Contact
  /// Refuses what somebody asked.
  @Endpoint("ContactsClient.decline")
  public var decline: @Sendable (Contact.ID) async throws(ClientError) -> Void
  /// Takes an outside contact at their word that they do not want to be one, by the code from the
  /// message to them: nothing more is sent to them, save the end of what they were notified of
  /// before (CON-3). Once they have declined, the code does nothing more.
  /// - Throws: ``ClientError/code(_:)``.
  @Endpoint("ContactsClient.declineByCode")
  public var declineByCode: @Sendable (_ typed: Secret<String>) async throws(ClientError) -> Contact
  /// Changes the roles of an active relation, at once (CON-4). Pings that are no longer allowed are
  /// withdrawn. Only the other can make the user their responder, since that opens what is theirs.
  /// - Throws: ``ClientError/consentRequired(name:)``; ``ClientError/gate(_:)`` where a role goes.
  @Endpoint("ContactsClient.setRoles")
  public var setRoles:
    @Sendable (Contact.ID, Roles, _ passphrase: Secret<String>?) async throws(ClientError) ->
      Contact
  /// Gives the user another code. The old one is unknown from then on; relations stay (QR-1).
  @Endpoint("ContactsClient.resetCode")
  public var resetCode: @Sendable () async throws(ClientError) -> AccountCode
  /// ``contacts`` now and after every change by anyone.
  @StreamEndpoint("ContactsClient.observe")
  public var observe: @Sendable () -> AsyncThrowingStream<[Contact], any Error>
  /// The order in which contacts are listed (ORD-3).
  public internal(set) var order = NameOrder.plain

  public init() {}

  /// ``ContactOverview/init(_:naming:)`` of ``contacts``, much sooner where there are many.
  public func overview(naming limit: Int) async throws(ClientError) -> ContactOverview {
    try await overview(limit, order)
  }

  /// Changes a contact where there is no gate.
  public func update(
    _ read: Contact, _ draft: ContactDraft
  ) async throws(ClientError) -> Contact { try await update(read, draft, nil) }

  /// Deletes a contact where there is no gate.
  public func delete(_ id: Contact.ID) async throws(ClientError) { try await delete(id, nil) }

  /// Changes roles where there is no gate.
  public func setRoles(_ id: Contact.ID, _ roles: Roles) async throws(ClientError) -> Contact {
    try await setRoles(id, roles, nil)
  }
}

extension DependencyValues {
  public var contactsClient: ContactsClient {
    get { self[ContactsClient.self] }
    set { self[ContactsClient.self] = newValue }
  }
}
