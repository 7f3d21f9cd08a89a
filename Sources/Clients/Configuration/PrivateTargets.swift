/// The hosts that channels of a server's members can lead to although they are in a private network
/// or on the server's own machine: `private_targets` in `config.json5`, such as
/// `["hooks.internal", "192.168.1.5:8443"]`.
public struct PrivateTargets: Equatable, Sendable {
  /// Each a host, with a port or for every port.
  private var hosts: [String]

  public init() { hosts = [] }

  init(_ hosts: [String], in text: String) throws(ConfigurationError) {
    for host in hosts {
      let isPlain =
        !host.isEmpty && host.utf8.count <= 260
        && host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/@%?#\\".utf8.contains($0) }
      guard isPlain else {
        throw ConfigurationError(
          line: text.line(ofKey: "private_targets"),
          reason: "private_targets has hosts such as hooks.internal or 192.168.1.5:8443")
      }
    }
    self.hosts = hosts.map { $0.lowercased() }
  }

  /// Returns whether a channel's address leads to one of them.
  /// - Parameter address: A URL.
  public func allows(_ address: String) -> Bool {
    guard !hosts.isEmpty, let authority = Self.authority(of: address) else { return false }
    return hosts.contains(authority) || hosts.contains(Self.host(of: authority))
  }

  /// Returns the host of a channel's address, without brackets and port; `nil` without one.
  /// - Parameter address: A URL, or a service and its fields.
  package static func host(ofAddress address: String) -> String? {
    authority(of: address.percentDecoded).map { host in
      let host = Self.host(of: host)
      return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }
  }

  /// Returns the host of a channel's address with its port.
  private static func authority(of address: String) -> String? {
    guard let start = address.firstRange(of: "://") else { return nil }
    let authority = address[start.upperBound...].prefix { !"/?#".contains($0) }
    return authority.isEmpty ? nil : authority.lowercased()
  }

  private static func host(of authority: String) -> String {
    guard !authority.hasPrefix("[") else {
      return authority.firstIndex(of: "]").map { String(authority[...$0]) } ?? authority
    }
    return String(authority.prefix { $0 != ":" })
  }
}
