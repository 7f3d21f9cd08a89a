/// Where messages of a kind go: what stands still together when it stands still.
public struct Destination: Hashable, Sendable {
  public var kind: Channel.Kind
  /// The service's name and port; empty where all messages of the kind go through one place.
  public var host: String

  /// The destination of an address, as ``Channel/Kind/checkedAddress(_:)`` lets it pass.
  ///
  /// Mail goes to the one server that is configured, for every recipient.
  public init(kind: Channel.Kind, address: String) {
    self.kind = kind
    switch kind {
    case .email, .desktop: host = ""
    case .webhook, .ntfy:
      let rest = address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address[...]
      host = rest.prefix { $0 != "/" && $0 != "?" }.lowercased()
    case .service: host = Channel.Kind.service(of: address)
    }
  }
}
