/// An address that text can link to (OSC 8).
///
/// Addresses come from anywhere, so only schemes that open a page or start a message are accepted:
/// `http`, `https`, `mailto` and `tel`. Characters not allowed in an address are percent-encoded
/// (RFC 3986, section 2.1); control characters and other invisible characters are dropped.
public struct Hyperlink: Hashable, Sendable {
  /// The address in printable ASCII.
  public let address: String

  /// The maximum length in bytes: terminals ignore longer addresses (VTE has the lowest limit).
  public static let limit = 2_083
  private static let schemes: Set<String> = ["http", "https", "mailto", "tel"]

  /// Creates a link to an address; `nil` if it isn't one that can be followed safely.
  public init?(_ address: String) {
    let cleaned = address.strippingControls(keepingLines: false)
    guard let colon = cleaned.firstIndex(of: ":"), cleaned.index(after: colon) < cleaned.endIndex,
      Self.schemes.contains(cleaned[..<colon].lowercased())
    else { return nil }
    var encoded = ""
    for byte in cleaned.utf8 {
      if (0x21...0x7E).contains(byte), !Self.escaped.contains(byte) {
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    guard encoded.utf8.count <= Self.limit else { return nil }
    self.address = encoded
  }

  /// Characters that must be escaped in an address or in XML.
  private static let escaped = Set("\"<>\\^`{|}".utf8)
}

/// The addresses that styles refer to by number, which keeps a style free of references.
///
/// Views register their links while they are built and the writer looks up the addresses; both
/// share the table.
final class LinkTable {
  /// The number of an address.
  struct ID: Hashable, Sendable {
    let number: UInt32
    /// No link.
    static let none = ID(number: 0)
  }

  private var links: [Hyperlink] = []
  private var numbers: [Hyperlink: ID] = [:]

  /// Bounds the memory of a program that runs for months and draws text from other people.
  private static let limit = 4_096

  /// Whether the table must be emptied before the next frame, which invalidates all numbers.
  var isFull: Bool { links.count > Self.limit }

  /// Returns the number of an address, adding it if it is new.
  func id(for link: Hyperlink) -> ID {
    if let known = numbers[link] { return known }
    links.append(link)
    let id = ID(number: UInt32(links.count))
    numbers[link] = id
    return id
  }

  /// The address with a number; `nil` for ``ID/none``.
  subscript(id: ID) -> Hyperlink? {
    id == .none ? nil : links[Int(id.number) - 1]
  }

  /// Removes all addresses.
  func removeAll() {
    links.removeAll()
    numbers.removeAll()
  }
}
