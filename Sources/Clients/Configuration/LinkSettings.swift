public import Domain

/// Where recipients acknowledge by opening a link (ESC-2, CON-3).
public struct LinkSettings: Equatable, Sendable {
  /// What the links begin with, as the world reaches it, without a slash at its end.
  public var url: String
  /// Where the monitor listens: an IPv4 or IPv6 address, by default this machine only.
  public var host: String
  /// 1 – 65535.
  public var port: Int
  /// The address of a web server in front of it, which is believed when it says whose requests it
  /// passes on; `nil` for none.
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

  /// What is done by pressing the button of a page, by the letter in its path.
  public enum Page: String, CaseIterable, Sendable {
    /// To say that one is responding.
    case alert = "a"
    /// To be a contact no longer.
    case decline = "d"
    /// To check in (CHK-8).
    case checkIn = "c"

    /// The page behind the link of a message.
    public init(_ stage: Stage) {
      self = stage == .contactAdded ? .decline : stage.asksForCheckIn ? .checkIn : .alert
    }
  }

  /// Where a code is given by pressing a button.
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

  /// Whether a text looks like an IPv4 address, or like an IPv6 address.
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
