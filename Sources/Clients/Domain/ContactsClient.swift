public import Composable
public import Domain

/// The responders and dependents of the user: outside contacts the user has named, and other
/// accounts in the store that they have a relation with (CON-1).
public struct ContactsClient: ClientInterface {
  /// Returns every contact, by name. Another account shows only what the relation lets the user see
  /// (CON-7): before it is active, the name.
  @Endpoint("ContactsClient.contacts")
  public var contacts: @Sendable () async throws(ClientError) -> [Contact]
  /// Returns the summary for the first screen without reading all contacts. It names as many
  /// responders as the limit says, in an order. See ``overview(naming:)``.
  @Endpoint("ContactsClient.overview")
  public var overview:
    @Sendable (_ limit: Int, NameOrder) async throws(ClientError) -> ContactOverview
  /// Adds an outside contact. A responder is notified of being one, once on each channel (CON-3).
  @Endpoint("ContactsClient.add")
  public var add: @Sendable (ContactDraft) async throws(ClientError) -> Contact
  /// Replaces the details of a contact. Its identity and the date it was added stay, and so do
  /// those of each channel whose address stays. A new responder is notified of it (CON-3).
  /// - Throws: ``ClientError/contactChanged(_:)`` if the contact is no longer as it was read, so
  ///   that two terminals don't overwrite each other's changes; ``ClientError/gate(_:)`` if a role
  ///   or a channel is removed (CHK-3).
  @Endpoint("ContactsClient.update", gate: .weakenContact)
  public var update: @Sendable (_ read: Contact, ContactDraft) async throws(ClientError) -> Contact
  /// Deletes an outside contact, or ends a relation at once, whatever its state (CON-2).
  /// - Throws: ``ClientError/gate(_:)``.
  @Endpoint("ContactsClient.delete", gate: .removeContact)
  public var delete: @Sendable (Contact.ID) async throws(ClientError) -> Void
  /// Returns the name of the account with a code, if the user can ask them for a relation.
  /// - Throws: ``ClientError/codeUnknown``, ``ClientError/cannotAddSelf`` and
  ///   ``ClientError/relationExists(name:)``.
  @Endpoint("ContactsClient.lookUp")
  public var lookUp: @Sendable (AccountCode) async throws(ClientError) -> String
  /// Asks the account with a code for a relation with these roles, as the user sees them; it takes
  /// effect once they consent (CON-2).
  @Endpoint("ContactsClient.request")
  public var request: @Sendable (AccountCode, Roles) async throws(ClientError) -> Contact
  /// Consents to a request for a relation.
  @Endpoint("ContactsClient.accept")
  public var accept: @Sendable (Contact.ID) async throws(ClientError) -> Contact
  /// Refuses a request for a relation.
  @Endpoint("ContactsClient.decline")
  public var decline: @Sendable (Contact.ID) async throws(ClientError) -> Void
  /// Records that an outside contact doesn't want to be one, by the code from the message to them:
  /// nothing more is sent to them, except the end of what they were notified of before (CON-3). Using
  /// the code again has no effect.
  /// - Throws: ``ClientError/declineCodeUnknown``, or ``ClientError/tooManyCodes(until:)`` for an
  ///   unknown code after too many others.
  @Endpoint("ContactsClient.declineByCode")
  public var declineByCode: @Sendable (_ typed: Secret<String>) async throws(ClientError) -> Contact
  /// Changes the roles of an active relation, at once (CON-4). Pings that are no longer allowed are
  /// withdrawn. Only the other person can make the user their responder, since that reveals their
  /// details.
  /// - Throws: ``ClientError/consentRequired(name:)``; ``ClientError/gate(_:)`` if a role is
  ///   removed.
  @Endpoint("ContactsClient.setRoles", gate: .removeRole)
  public var setRoles: @Sendable (Contact.ID, Roles) async throws(ClientError) -> Contact
  /// Changes how long a responder waits before they are notified of a missed deadline (ESC-8); zero
  /// for not at all. It never has anyone wait longer in an alert that is on. They are notified of a
  /// longer wait.
  /// - Throws: ``ClientError/contactNotFound``, ``ValidationError/waitRange``;
  ///   ``ClientError/gate(_:)`` for a longer wait.
  @Endpoint("ContactsClient.setWait", gate: .delayResponder)
  public var setWait: @Sendable (Contact.ID, TimeSpan) async throws(ClientError) -> Contact
  /// Has a responder get a message at each check-in, or not (NOT-4): an outside contact at the user's, or
  /// the user at those of a linked contact they respond for. It is each one's own choice.
  /// - Throws: ``ClientError/contactNotFound``; ``ClientError/consentRequired(name:)`` for a linked
  ///   contact who responds for the user.
  @Endpoint("ContactsClient.setCheckInNews")
  public var setCheckInNews: @Sendable (Contact.ID, Bool) async throws(ClientError) -> Contact
  /// Gives the user another code. The old one no longer works; relations stay (QR-1).
  @Endpoint("ContactsClient.resetCode")
  public var resetCode: @Sendable () async throws(ClientError) -> AccountCode
  /// ``contacts`` now and after every change by anyone.
  @StreamEndpoint("ContactsClient.observe")
  public var observe: @Sendable () -> AsyncThrowingStream<[Contact], any Error>
  /// The order in which contacts are listed (ORD-3).
  public internal(set) var order = NameOrder.plain

  public init() {}

  /// Returns ``ContactOverview/init(_:naming:)`` of ``contacts``, much faster if there are many.
  public func overview(naming limit: Int) async throws(ClientError) -> ContactOverview {
    try await overview(limit, order)
  }
}

extension DependencyValues {
  public var contactsClient: ContactsClient {
    get { self[ContactsClient.self] }
    set { self[ContactsClient.self] = newValue }
  }
}
