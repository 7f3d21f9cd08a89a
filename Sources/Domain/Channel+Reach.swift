public import FoundationEssentials

extension Channel {
  /// Whether a message on both would arrive twice, ignoring case.
  public func hasSameAddress(as other: Channel) -> Bool { place == other.place }

  fileprivate var place: Place { Place(kind: kind, address: address.lowercased()) }

  fileprivate struct Place: Hashable {
    var kind: Kind
    var address: String
  }
}

extension Channel {
  /// Returns an account's own channels: first its e-mail address, as a channel with the account's
  /// identity, then those that were added.
  public static func own(of account: UUID, email: String?, besides further: [Channel]) -> [Channel]
  {
    guard let email else { return further }
    let first = Channel(id: account, kind: .email, address: email)
    return [first] + further.filter { !$0.hasSameAddress(as: first) }
  }

  /// The address in short. A webhook shows only its host, since the rest can be as good as a key; a
  /// topic shows its name, with the host unless it is the public server.
  public var shortAddress: String {
    let rest = address.drop { $0 != "/" }.drop { $0 == "/" }
    switch kind {
    case .email, .service: return address
    case .desktop: return "the monitor's desktop"
    case .webhook: return String(rest.prefix { $0 != "/" && $0 != "?" })
    case .ntfy:
      let topic = rest.prefix { $0 != "?" }
      return String(topic.hasPrefix("ntfy.sh/") ? topic.dropFirst("ntfy.sh/".count) : topic)
    }
  }
}

extension Channel.Kind {
  /// Returns the part of an address that people other than its owner can see: another account's
  /// webhooks and topics are as good as keys.
  public func addressForOthers(_ address: String) -> String {
    switch self {
    case .email, .desktop: return address
    case .webhook, .ntfy:
      let host = address.drop { $0 != "/" }.drop { $0 == "/" }.prefix { $0 != "/" && $0 != "?" }
      return String(host)
    case .service: return Channel.Kind.service(of: address)
    }
  }
}

extension User {
  /// Returns the channels on which the person themselves is notified.
  public func ownChannels(besides further: [Channel]) -> [Channel] {
    Channel.own(of: id, email: profile.email, besides: further)
  }
}

extension [Contact] {
  /// The contacts with each address kept by only one of them, so that a person who is both an
  /// outside contact and an account is not notified twice. Who waits least keeps it (ESC-8), of those
  /// the contact added first, so that adding a contact never sends an alert again.
  public var withUniqueAddresses: [Contact] {
    var reached: Set<Channel.Place> = []
    var contacts = self
    let byAge = indices.sorted {
      let (one, other) = (self[$0], self[$1])
      return (one.waitSpan, one.addedAt, one.id.uuidString)
        < (other.waitSpan, other.addedAt, other.id.uuidString)
    }
    for index in byAge {
      contacts[index].channels = self[index].channels.filter { reached.insert($0.place).inserted }
    }
    return contacts
  }
}
