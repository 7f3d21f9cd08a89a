/// How much an account on a server can have, so that one member takes nothing from the others. An
/// account on its own machine has no such limits.
public enum Quota: String, Equatable, Codable, CaseIterable, Sendable {
  case contacts
  /// Of one contact.
  case channels
  case ownChannels
  /// Stored documents, such as settings, without the emergency documents.
  case documents
  /// The bytes of one stored document.
  case documentSize
  /// The bytes of all of them. A character that isn't ASCII counts as one.
  case documentBytes

  public var limit: Int {
    switch self {
    case .contacts: 500
    case .channels: 10
    case .ownChannels: 20
    case .documents: 1_000
    case .documentSize: 256 << 10
    case .documentBytes: 4 << 20
    }
  }

  /// The limit in words.
  public var limitText: String {
    switch self {
    case .contacts: "\(limit) contacts"
    case .channels: "\(limit) channels for a contact"
    case .ownChannels: "\(limit) channels of your own"
    case .documents: "\(limit) stored documents"
    case .documentSize: "256 KiB in a stored document"
    case .documentBytes: "4 MiB in stored documents"
    }
  }
}
