import Clients
import Domain
import FoundationEssentials
import Web

/// What a server is set up with, in `server.json` of its folder.
package struct ServerSettings: Codable, Equatable, Sendable {
  /// Who may open an account.
  package enum Registration: String, Codable, CaseIterable, Sendable {
    case invite, open, closed
  }

  /// As the world reaches it, without a slash at its end.
  package var url: String
  /// An IPv4 or IPv6 address.
  package var host: String
  package var port: Int
  package var registration: Registration
  /// Where the connection to PostgreSQL is described; `nil` for SQLite in the folder.
  package var databaseFile: String?
  /// Files in PEM; `nil` where a proxy brings encryption.
  package var tlsCertificate: String?
  package var tlsKey: String?
  /// The address of a web server in front of it, which is believed when it says whose requests it passes on.
  package var proxy: String?

  package init(
    url: String, host: String, port: Int, registration: Registration = .invite,
    databaseFile: String? = nil
  ) {
    self.url = url
    self.host = host
    self.port = port
    self.registration = registration
    self.databaseFile = databaseFile
  }

  /// Why settings can't be used.
  package struct Fault: Error, Equatable {
    package var reason: String
  }

  /// Checks what was typed: HTTP for this machine only.
  package init(
    url: String, listen: String, registration: Registration, databaseFile: String?
  ) throws(Fault) {
    guard var url = try? Channel.Kind.webhook.checkedAddress(url), !url.contains("?") else {
      throw Fault(reason: "--url must be an https address, or http for this machine")
    }
    while url.hasSuffix("/") { url.removeLast() }
    guard let colon = listen.lastIndex(of: ":"),
      let port = Int(listen[listen.index(after: colon)...]),
      (0...65_535).contains(port)
    else { throw Fault(reason: "--listen must be an address and a port, such as 127.0.0.1:8738") }
    var host = String(listen[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    self.init(
      url: url, host: host, port: port, registration: registration, databaseFile: databaseFile)
    self = try checked()
  }

  /// With its addresses as the system writes them. A name is none: it may lead elsewhere tomorrow, and a proxy's name
  /// would be believed of nobody.
  func checked() throws(Fault) -> ServerSettings {
    var settings = self
    guard let host = ClientAddress.canonical(host) else {
      throw Fault(
        reason: "--listen needs an IP address, such as 127.0.0.1:8738 or [::1]:8738, and no name")
    }
    settings.host = host
    if let proxy {
      guard let address = ClientAddress.canonical(proxy) else {
        throw Fault(
          reason: "--trusted-proxy needs an IP address, such as 127.0.0.1 or ::1, and no name")
      }
      settings.proxy = address
    }
    return settings
  }

  /// Whether the world reaches it without encryption.
  var isPlain: Bool { url.hasPrefix("http://") }

  /// Whether the address that is connected is that of who asks, or a proxy names it. Behind a proxy that is not
  /// named here all would count as one.
  var knowsAddresses: Bool { isPlain || tlsCertificate != nil || proxy != nil }

  /// The host and port of its address, as a link names them.
  var authority: String {
    String(url.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" })
  }

  /// The link by which an app joins. A fingerprint is that of the certificate's key, which the app compares.
  package func joinLink(code: String, fingerprint: String?) -> String {
    "lifesignal://join/\(authority)/\(code)" + (isPlain ? "?http" : "")
      + (fingerprint.map { "#" + $0 } ?? "")
  }
}
