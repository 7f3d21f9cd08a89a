public import FoundationEssentials

/// A file that a person keeps for their responders: a medical card, an address, an itinerary, a
/// photo (DOC-1).
public struct EmergencyDocument: Identifiable, Equatable, Codable, Sendable {
  public let id: UUID
  /// The name, as ``FileName/cleaned(_:)`` returns it; unique among a person's documents.
  public var name: String
  public var contentType: ContentType
  /// The size in bytes.
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

  /// When responders can open a document.
  public enum Access: String, Equatable, Codable, CaseIterable, Sendable {
    case always
    /// While an alert of the person is on: one raised by hand, a missed deadline, or a silent one.
    case duringAlert = "alert"

    /// Whether a responder can open it now.
    public func isOpen(isAlertOn: Bool) -> Bool { self == .always || isAlertOn }
  }
}

/// The rules for emergency documents and pictures (DOC-1).
public enum DocumentRules {
  /// How many documents a person can have.
  public static let countLimit = 20
  /// How many bytes a document or a picture can have: 10 MB.
  public static let sizeLimit = 10_000_000

  public static func checkSize(_ count: Int) throws(ValidationError) {
    guard count <= sizeLimit else { throw .fileSize }
  }

  /// Checks that there is room for one more document.
  public static func checkCount(_ count: Int) throws(ValidationError) {
    guard count < countLimit else { throw .documentCount }
  }

  /// Returns the cleaned form of a name that was typed for a document.
  public static func name(_ text: String) throws(ValidationError) -> String {
    guard !text.trimmingWhitespace().isEmpty else { throw .documentName }
    return FileName.cleaned(text)
  }

  /// Returns the name, or the first numbered form of it that no other document has, such as
  /// `card (2).pdf`. Case is ignored, as some file systems ignore it.
  public static func freeName(_ name: String, besides others: [String]) -> String {
    let taken = Set(others.map { $0.lowercased() })
    return FileName.numbered(name).first { !taken.contains($0.lowercased()) } ?? name
  }
}

extension EmergencyDocument {
  /// The size as it is shown: `812 B`, `48 kB`, `3.2 MB`.
  public var sizeText: String {
    guard size >= 1_000 else { return "\(size) B" }
    // Rounded to its unit, so that 999,999 bytes are 1.0 MB.
    let kilobytes = (size + 500) / 1_000
    guard kilobytes >= 1_000 else { return "\(kilobytes) kB" }
    let tenths = (size + 50_000) / 100_000
    return "\(tenths / 10).\(tenths % 10) MB"
  }
}

extension EmergencyDocument.Access {
  /// When responders can open it, as it is shown on screen.
  public var displayText: String {
    switch self {
    case .always: "always"
    case .duringAlert: "during an alert"
    }
  }
}
