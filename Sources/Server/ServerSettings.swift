import Clients
import Domain
import FoundationEssentials
import Web

/// The settings of a server, in `server.json` of its folder.
package struct ServerSettings: Codable, Equatable, Sendable {
  /// Who can create an account.
  package enum Registration: String, Codable, CaseIterable, Sendable {
    case invite, open, closed
  }

  /// The address at which the world reaches it, without a slash at its end.
  package var url: String
  /// The IPv4 or IPv6 address that it listens on.
  package var host: String
  package var port: Int
  package var registration: Registration
  /// The file with PostgreSQL's connection string; `nil` for SQLite in the folder.
  package var databaseFile: String?
  /// Files in PEM; `nil` if a proxy provides encryption.
  package var tlsCertificate: String?
  package var tlsKey: String?
  /// The address of a proxy in front of the server, which is trusted to name the clients whose
  /// requests it passes on.
  package var proxy: String?
  /// The public key to which backups are sealed, in base64; `nil` for a server from before they were.
  package var backupKey: String?
  /// The identity of the store; `nil` for a server from before it had one.
  package var store: String?
  /// The oldest version of an app that is answered; `nil` for any.
  package var minimumApp: String?

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

  /// The reason why settings can't be used.
  package struct Fault: Error, Equatable {
    package var reason: String
  }

  /// Validates what was typed. HTTP is allowed for this machine only.
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

  /// Returns the settings with addresses as the system writes them. A name isn't accepted: it may
  /// lead elsewhere tomorrow, and a proxy's name would match no address.
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

  /// Whether the connected address is the caller's, or a proxy names it. Behind a proxy that isn't
  /// configured, all callers would count as one.
  var knowsAddresses: Bool { isPlain || tlsCertificate != nil || proxy != nil }

  /// The host and port of its address, as in a link.
  var authority: String {
    String(url.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" })
  }

  /// Returns the link with which an app joins. The fingerprint is that of the certificate's key,
  /// which the app compares.
  package func joinLink(code: String, fingerprint: String?) -> String {
    "lifesignal://join/\(authority)/\(code)" + (isPlain ? "?http" : "")
      + (fingerprint.map { "#" + $0 } ?? "")
  }
}
