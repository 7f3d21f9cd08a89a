/// The place where messages of a kind go. When it fails, they all wait.
public struct Destination: Hashable, Sendable {
  public var kind: Channel.Kind
  /// The host with its port, or the service's name; empty if all messages of the kind go through
  /// one place.
  public var host: String

  /// Creates the destination of an address, as ``Channel/Kind/checkedAddress(_:)`` returns it.
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
