public import Clients
public import Composable
public import Domain

/// The sheet with all that is known of a contact, and what can be done with it (CON-5).
public struct ContactDetailsFeature: Reducer {
  public struct State: Equatable, Sendable {
    public private(set) var contact: Contact
    public private(set) var snapshot: AccountSnapshot
    /// The dialog that spells out what removing means is open (CON-4).
    public var isConfirmingRemoval = false
    public var isRemoving = false
    public var failure: ErrorText?

    public init(contact: Contact, snapshot: AccountSnapshot) {
      self.contact = contact
      self.snapshot = snapshot
    }

    /// Shows a new snapshot, with what is known of the contact now.
    mutating func show(_ snapshot: AccountSnapshot) {
      self.snapshot = snapshot
      if let current = snapshot.contacts.first(where: { $0.id == contact.id }) {
        contact = current
      }
    }

    /// The messages to this contact's name about current and past alerts, newest first.
    public var deliveries: [DeliveryReport] {
      snapshot.alerts.flatMap(\.deliveries).filter { $0.recipient == contact.name }
    }

    /// Whether nobody would be told any more once this contact is gone.
    public var isLastResponder: Bool {
      contact.roles.contains(.responder) && snapshot.responders.count == 1
    }
  }

  public enum Action: Codable, Equatable, Sendable {
    case editButtonTapped
    case removeButtonTapped
    case removalCancelled
    case removalConfirmed
    case deleted(Contact)
    case deletionFailed(ContactsError)
    case closeButtonTapped
  }

  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.dismiss) var dismiss

  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .editButtonTapped, .deleted:
      return .none

    case .removeButtonTapped:
      state.isConfirmingRemoval = true
      state.failure = nil
      return .none

    case .removalCancelled:
      state.isConfirmingRemoval = false
      return .none

    case .removalConfirmed:
      guard !state.isRemoving else { return .none }
      state.isConfirmingRemoval = false
      state.isRemoving = true
      return .run { [contactsClient, contact = state.contact] send in
        do throws(ContactsError) {
          try await contactsClient.delete(contact.id)
          await send(.deleted(contact))
        } catch {
          await send(.deletionFailed(error))
        }
      }

    case .deletionFailed(let error):
      state.isRemoving = false
      state.failure = error.text
      return .none

    case .closeButtonTapped:
      return .run { [dismiss] _ in await dismiss() }
    }
  }
}
