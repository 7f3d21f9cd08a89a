public import FoundationEssentials

extension Channel {
  /// Whether a message on both would arrive twice; the case of letters makes no difference.
  public func leadsToSamePlace(as other: Channel) -> Bool { place == other.place }

  fileprivate var place: Place { Place(kind: kind, address: address.lowercased()) }

  fileprivate struct Place: Hashable {
    var kind: Kind
    var address: String
  }
}

extension Channel {
  /// An account's own channels: its address, whose channel has the account's identity, then those
  /// that were added.
  public static func own(of account: UUID, email: String?, besides further: [Channel]) -> [Channel]
  {
    guard let email else { return further }
    let first = Channel(id: account, kind: .email, address: email)
    return [first] + further.filter { !$0.leadsToSamePlace(as: first) }
  }

  /// The address as it stands in a line: of a webhook only its host, since the rest may be as good as
  /// a key; of a topic its name, with the host where it is not the public one.
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
  /// As much of an address as somebody may see who did not write it: another account's webhooks and
  /// topics are as good as keys.
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
  /// Where the person themselves is notified.
  public func ownChannels(besides further: [Channel]) -> [Channel] {
    Channel.own(of: id, email: profile.email, besides: further)
  }
}

extension [Contact] {
  /// The contacts with each address at one of them, so that nobody is notified twice who was named as an
  /// outside contact and is an account, too. The first of them keeps it: nobody hears of an
  /// alert again because somebody was added.
  public var tellingEachPlaceOnce: [Contact] {
    var told: Set<Channel.Place> = []
    var contacts = self
    let byAge = indices.sorted {
      (self[$0].addedAt, self[$0].id.uuidString) < (self[$1].addedAt, self[$1].id.uuidString)
    }
    for index in byAge {
      contacts[index].channels = self[index].channels.filter { told.insert($0.place).inserted }
    }
    return contacts
  }
}
