/// What the first screen says of a person's contacts. It is read before all of them, of which there may
/// be thousands.
public struct ContactOverview: Equatable, Codable, Sendable {
  /// How many are notified: only those who have consented (CON-2).
  public var responderCount: Int
  /// The first of them by name, as many as were asked for.
  public var firstResponders: [Contact]
  /// By what the responders can be notified; those who have accounts by their own channels.
  public var channelKinds: Set<Channel.Kind>
  /// Those who have accounts, by name: nothing changes about the others by itself.
  public var linked: [Contact]

  public init(
    responderCount: Int, firstResponders: [Contact], channelKinds: Set<Channel.Kind>,
    linked: [Contact]
  ) {
    self.responderCount = responderCount
    self.firstResponders = firstResponders
    self.channelKinds = channelKinds
    self.linked = linked
  }

  /// What is to be said of these contacts.
  /// - Parameters:
  ///   - contacts: All contacts, by name.
  ///   - limit: How many responders are named.
  public init(_ contacts: [Contact], naming limit: Int) {
    self.init(responderCount: 0, firstResponders: [], channelKinds: [], linked: [])
    for contact in contacts {
      if contact.isLinked { linked.append(contact) }
      guard contact.isResponder else { continue }
      responderCount += 1
      if firstResponders.count < limit { firstResponders.append(contact) }
      for channel in contact.channels { channelKinds.insert(channel.kind) }
      channelKinds.formUnion(contact.link?.channelKinds ?? [])
    }
  }
}
