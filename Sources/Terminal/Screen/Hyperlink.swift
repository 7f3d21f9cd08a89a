/// An address that text can lead to (OSC 8).
///
/// Addresses come from anywhere, so only those are taken that open a page or begin a message:
/// `http`, `https`, `mailto` and `tel`. What may not stand in an address is written in percent
/// (RFC 3986, section 2.1); control characters, and everything else that hides, are dropped.
public struct Hyperlink: Hashable, Sendable {
  /// The address, in printable ASCII.
  public let address: String

  /// Terminals drop longer addresses (VTE's limit is the lowest).
  public static let limit = 2_083
  private static let schemes: Set<String> = ["http", "https", "mailto", "tel"]

  /// The link to an address; `nil` when it is none that may be followed.
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

  /// What no address has unescaped, and what would have to be escaped in XML.
  private static let escaped = Set("\"<>\\^`{|}".utf8)
}
