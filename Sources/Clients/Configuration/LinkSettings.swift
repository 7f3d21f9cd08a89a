public import Domain

/// The pages that recipients open from a link to acknowledge (ESC-2, CON-3).
public struct LinkSettings: Equatable, Sendable {
  /// The public beginning of every link, without a trailing slash.
  public var url: String
  /// The address on which the monitor listens, IPv4 or IPv6; by default only this machine can reach
  /// it.
  public var host: String
  /// 1 – 65535.
  public var port: Int
  /// The address of a web server in front of it, which is trusted to say whose requests it passes
  /// on; `nil` for none.
  public var proxy: String?

  public init(
    url: String, host: String = "127.0.0.1", port: Int = 8_737, proxy: String? = nil
  ) {
    self.url = url
    self.host = host
    self.port = port
    self.proxy = proxy
  }

  /// Whether the links themselves are HTTPS.
  public var isEncrypted: Bool { url.hasPrefix("https://") }

  /// The pages, by the letter in their path. Pressing the button of a page does what it is for.
  public enum Page: String, CaseIterable, Sendable {
    /// Says that the recipient is responding.
    case alert = "a"
    /// Declines to be a contact.
    case decline = "d"
    /// Checks in (CHK-8).
    case checkIn = "c"

    /// Creates the page for the link in a message about a stage.
    public init(_ stage: Stage) {
      self = stage == .contactAdded ? .decline : stage.asksForCheckIn ? .checkIn : .alert
    }
  }

  /// Returns the link to the page whose button answers with a code.
  public func link(for code: String, _ page: Page = .alert) -> String {
    "\(url)/\(page.rawValue)/\(code)"
  }
}

/// `links: {url: "https://ls.example.org", listen: "127.0.0.1:8737", proxy: "127.0.0.1"}`
struct LinkSection: ConfigurationSection {
  enum CodingKeys: String, CodingKey, CaseIterable { case url, listen, proxy }

  private var url: String
  private var listen: String?
  private var proxy: String?

  func checked(_ text: String) throws(ConfigurationError) -> LinkSettings {
    var address = try text.address(url, in: "links")
    while address.hasSuffix("/") { address.removeLast() }
    guard proxy.map({ Self.isAddress($0, isLong: $0.contains(":")) }) ?? true else {
      throw ConfigurationError(
        line: text.line(ofKey: "proxy", in: "links"),
        reason: "links.proxy must be an address, such as “127.0.0.1”")
    }
    guard let listen else { return LinkSettings(url: address, proxy: proxy) }
    guard let colon = listen.lastIndex(of: ":"),
      let port = Int(listen[listen.index(after: colon)...]),
      (1...65_535).contains(port)
    else { throw listenFault(text) }
    var host = String(listen[..<colon])
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    if isBracketed { host = String(host.dropFirst().dropLast()) }
    guard Self.isAddress(host, isLong: isBracketed) else { throw listenFault(text) }
    return LinkSettings(url: address, host: host, port: port, proxy: proxy)
  }

  /// Whether a text looks like an IPv6 address if `isLong`, else like an IPv4 address.
  private static func isAddress(_ text: String, isLong: Bool) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        isLong
          ? UInt8(ascii: ":") == byte || Character(UnicodeScalar(byte)).isHexDigit
          : UInt8(ascii: ".") == byte || (0x30...0x39).contains(byte)
      }
  }

  private func listenFault(_ text: String) -> ConfigurationError {
    ConfigurationError(
      line: text.line(ofKey: "listen", in: "links"),
      reason: "links.listen must be an address and a port, such as “127.0.0.1:8737”")
  }
}
