public import FoundationEssentials

/// A way to reach a person (CHN-1).
public struct Channel: Identifiable, Hashable, Codable, Sendable {
  public package(set) var id: UUID
  public var kind: Kind
  /// The address, as ``Kind/checkedAddress(_:)`` returns it.
  public var address: String

  public init(id: UUID, kind: Kind, address: String) {
    self.id = id
    self.kind = kind
    self.address = address
  }

  /// Reads a channel. One of a kind that only a newer server knows is shown as a service whose
  /// address nothing accepts, so that nobody stores it in place of the real one.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let name = try values.decode(String.self, forKey: .kind)
    kind = try values.decode(Kind.self, forKey: .kind)
    id = try values.decode(UUID.self, forKey: .id)
    let address = try values.decode(String.self, forKey: .address)
    self.address = kind.rawValue == name ? address : "\(name)\(Self.newerKindNote)\(address)"
  }

  /// Stands between the kind and the address of a channel that only a newer version knows.
  fileprivate static let newerKindNote = " (needs a newer lifesignal): "

  private enum CodingKeys: CodingKey { case id, kind, address }

  public enum Kind: String, Hashable, Codable, CaseIterable, Sendable {
    /// The address is an e-mail address.
    case email
    /// An HTTPS POST of JSON; the address is its URL.
    case webhook
    /// A message to a topic of an ntfy server; the address is the topic's URL, such as
    /// `https://ntfy.sh/7Qm2xK4v`.
    case ntfy
    /// A notification on the desktop of the machine on which the monitor runs; the address is
    /// ``desktopAddress``.
    case desktop
    /// A messaging service that a file declares (CHN-4); the address is the service's name and
    /// those of its fields that are not secret, such as `telegram:123456789`.
    case service
  }

  /// The address of every desktop channel: a monitor has only one desktop.
  public static let desktopAddress = "desktop"
}

extension Channel.Kind {
  /// The kind as it is named in a sentence.
  public var title: String { self == .email ? "e-mail" : rawValue }

  /// Returns the address to store for the text that was typed.
  ///
  /// - Throws: ``ValidationError/email``, ``ValidationError/webAddress``, ``ValidationError/topic``,
  ///   ``ValidationError/newerChannel`` or ``ValidationError/serviceField(_:)``.
  public func checkedAddress(_ text: String) throws(ValidationError) -> String {
    switch self {
    case .email: return try ProfileRules.email(text)
    case .webhook:
      guard let address = WebAddress(text) else { throw .webAddress }
      return address.text
    case .ntfy:
      // A name alone is a topic on the public server.
      let trimmed = text.trimmingWhitespace()
      let url = trimmed.contains("/") ? trimmed : "https://ntfy.sh/\(trimmed)"
      guard let address = WebAddress(url),
        let topic = address.path.dropFirst().split(
          separator: "/", omittingEmptySubsequences: false
        ).last,
        (1...64).contains(topic.utf8.count),
        topic.utf8.allSatisfy({ WebAddress.isWord($0) || $0 == 0x2D || $0 == 0x5F })
      else { throw .topic }
      return address.text
    case .desktop: return Channel.desktopAddress
    case .service:
      let address = text.trimmingWhitespace()
      if address.contains(Channel.newerKindNote) { throw .newerChannel }
      let name = address.prefix { $0 != ":" }
      guard name.count < address.count, !address.hasPrefix("\(name)://"),
        (2...32).contains(name.utf8.count),
        name.utf8.allSatisfy({ $0 == 0x2D || WebAddress.isWord($0) && !(0x41...0x5A).contains($0) }
        ),
        (1...1_000).contains(address.utf8.count - name.utf8.count - 1),
        address.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
      else { throw .serviceField("service") }
      return address
    }
  }

  /// Returns the service that an address of this kind names.
  public static func service(of address: String) -> String { String(address.prefix { $0 != ":" }) }
}

/// The address of a web service: `https://host[:port][/path][?query]` in ASCII, without a user, a
/// password or a fragment. Plain `http://` is allowed only for this machine.
struct WebAddress {
  /// The address with its scheme and host in lower case.
  let text: String
  /// The path with its leading slash; empty if there is none.
  let path: Substring

  /// - Returns: `nil` for any other text, or one of more than 2,000 bytes.
  init?(_ text: String) {
    let trimmed = text.trimmingWhitespace()
    guard trimmed.utf8.count <= 2_000, trimmed.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      !trimmed.contains(where: { "\"<>\\^`{|}#@".contains($0) })
    else { return nil }
    let scheme: String
    if trimmed.lowercased().hasPrefix("https://") {
      scheme = "https://"
    } else if trimmed.lowercased().hasPrefix("http://") {
      scheme = "http://"
    } else {
      return nil
    }
    let rest = trimmed.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    guard let host = Self.host(of: authority) else { return nil }
    guard scheme == "https://" || Self.isThisMachine(host) else { return nil }
    let tail = rest.dropFirst(authority.count)
    path = tail.prefix { $0 != "?" }
    self.text = scheme + authority.lowercased() + tail
  }

  /// Returns the host in lower case, or `nil` if the host or the port is not valid.
  private static func host(of authority: Substring) -> String? {
    let host: Substring
    let port: Substring
    if authority.hasPrefix("["), let close = authority.firstIndex(of: "]") {
      host = authority[...close]
      port = authority[authority.index(after: close)...]
      guard
        host.dropFirst().dropLast().utf8.allSatisfy({
          isHexadecimal($0) || $0 == 0x3A || $0 == 0x2E
        })
      else { return nil }
    } else {
      host = authority.prefix { $0 != ":" }
      port = authority.dropFirst(host.count)
      let labels = host.split(separator: ".", omittingEmptySubsequences: false)
      let isName = labels.allSatisfy { label in
        (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
          && label.utf8.allSatisfy { isWord($0) || $0 == 0x2D }
      }
      guard isName, host.utf8.count <= 253 else { return nil }
    }
    guard
      port.isEmpty
        || (port.first == ":" && (Int(port.dropFirst()).map { (1...65_535).contains($0) } ?? false))
    else { return nil }
    return host.lowercased()
  }

  private static func isThisMachine(_ host: String) -> Bool {
    ["localhost", "127.0.0.1", "[::1]"].contains(host)
  }

  static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
