public import FoundationEssentials

/// The type of a file's content, as an Internet media type (RFC 6838) such as `image/png`.
public struct ContentType: RawRepresentable, Hashable, Codable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let png = ContentType(rawValue: "image/png")
  public static let jpeg = ContentType(rawValue: "image/jpeg")
  public static let pdf = ContentType(rawValue: "application/pdf")
  public static let text = ContentType(rawValue: "text/plain")
  /// Anything else.
  public static let binary = ContentType(rawValue: "application/octet-stream")

  /// Detects the type from the first bytes, because a file's name can say anything.
  public init(of data: Data) {
    let signatures: [(ContentType, [UInt8])] = [
      (.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
      (.jpeg, [0xFF, 0xD8, 0xFF]),
      (.pdf, Array("%PDF-".utf8)),
    ]
    if let (type, _) = signatures.first(where: { data.starts(with: $0.1) }) {
      self = type
    } else {
      self = Self.isText(data) ? .text : .binary
    }
  }

  /// Whether the beginning is UTF-8 without control characters other than tabs, line and page
  /// breaks.
  private static func isText(_ data: Data) -> Bool {
    let start = data.prefix(4_096)
    guard !start.contains(where: { $0 < 0x20 && ![9, 10, 12, 13].contains($0) || $0 == 0x7F })
    else { return false }
    if String(validating: start, as: UTF8.self) != nil { return true }
    // The prefix may end in the middle of a character.
    return start.count == 4_096
      && (1...3).contains { String(validating: start.dropLast($0), as: UTF8.self) != nil }
  }

  /// Whether it is a picture that can be shown.
  public var isPicture: Bool { self == .png || self == .jpeg }
}
