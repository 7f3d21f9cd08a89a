public import FoundationEssentials

/// A file that a person keeps for those who respond for them: a medical card, an address, an
/// itinerary, a photo (DOC-1).
public struct EmergencyDocument: Identifiable, Equatable, Codable, Sendable {
  public let id: UUID
  /// As ``FileName/cleaned(_:)`` leaves it; no two documents of a person share one.
  public var name: String
  public var contentType: ContentType
  /// In bytes.
  public var size: Int
  public var access: Access
  public var addedAt: Date

  public init(
    id: UUID, name: String, contentType: ContentType, size: Int, access: Access, addedAt: Date
  ) {
    self.id = id
    self.name = name
    self.contentType = contentType
    self.size = size
    self.access = access
    self.addedAt = addedAt
  }

  /// When responders may open a document.
  public enum Access: String, Equatable, Codable, CaseIterable, Sendable {
    case always
    /// While an alert of the person is on: one raised by hand, a missed deadline, or a silent one.
    case duringAlert = "alert"

    /// Whether a responder may open it now.
    public func isOpen(isAlertOn: Bool) -> Bool { self == .always || isAlertOn }
  }
}

/// The rules for emergency documents and pictures (DOC-1).
public enum DocumentRules {
  /// How many documents a person may have.
  public static let countLimit = 20
  /// How many bytes a document or a picture may have: 10 MB.
  public static let sizeLimit = 10_000_000

  public static func checkSize(_ count: Int) throws(ValidationError) {
    guard count <= sizeLimit else { throw .fileSize }
  }

  /// Whether there is room for one more.
  public static func checkCount(_ count: Int) throws(ValidationError) {
    guard count < countLimit else { throw .documentCount }
  }

  /// A name that was typed for a document, cleaned.
  public static func name(_ text: String) throws(ValidationError) -> String {
    guard !text.trimmingWhitespace().isEmpty else { throw .documentName }
    return FileName.cleaned(text)
  }

  /// The name, or the next one with a number that no other document has: `card (2).pdf`. Upper and
  /// lower case make no difference, since some disks know none.
  public static func freeName(_ name: String, besides others: [String]) -> String {
    let taken = Set(others.map { $0.lowercased() })
    return FileName.numbered(name).first { !taken.contains($0.lowercased()) } ?? name
  }
}

extension EmergencyDocument {
  /// The size as a person reads it: `812 B`, `48 kB`, `3.2 MB`.
  public var sizeText: String {
    guard size >= 1_000 else { return "\(size) B" }
    // Rounded in its unit, so that 999,999 bytes are 1.0 MB.
    let kilobytes = (size + 500) / 1_000
    guard kilobytes >= 1_000 else { return "\(kilobytes) kB" }
    let tenths = (size + 50_000) / 100_000
    return "\(tenths / 10).\(tenths % 10) MB"
  }
}

extension EmergencyDocument.Access {
  /// When responders may open it, in the words of the screen.
  public var displayText: String {
    switch self {
    case .always: "always"
    case .duringAlert: "during an alert"
    }
  }
}
