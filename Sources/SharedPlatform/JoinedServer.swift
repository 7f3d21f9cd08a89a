import FoundationEssentials

/// The server that the app of this machine has joined.
public struct JoinedServer: Codable, Equatable, Sendable {
  /// `https://HOST[:PORT]`, or `http://…` for one on this machine.
  public var url: String
  /// The SHA-256 of the key by which the server is known, in hexadecimal digits; `nil` if the
  /// system trusts its certificate.
  public var fingerprint: String?

  public init(url: String, fingerprint: String? = nil) {
    self.url = url
    self.fingerprint = fingerprint
  }

  /// Its host and port, as a person writes them.
  public var name: String { String(url.drop { $0 != "/" }.dropFirst(2)) }

  public var isEncrypted: Bool { url.hasPrefix("https://") }

  /// Reads what ``bytes`` wrote; returns `nil` for anything else.
  public init?(bytes: some Sequence<UInt8>) {
    guard let server = try? JSONDecoder().decode(JoinedServer.self, from: Data(bytes)),
      let link = try? ServerLink("lifesignal://join/\(server.name)/x\(server.query)"),
      link.server.url == server.url
    else { return nil }
    if let fingerprint = server.fingerprint, !ServerLink.isFingerprint(fingerprint) { return nil }
    self = server
  }

  /// The query of a link, after the code.
  var query: String { isEncrypted ? "" : "?http" }

  /// The contents of the file that it is kept in.
  public var bytes: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map(Array.init) ?? []
  }
}
