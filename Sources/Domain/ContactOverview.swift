/// A summary of a person's contacts for the first screen, read before the full list, which can have
/// thousands of entries.
public struct ContactOverview: Equatable, Codable, Sendable {
  /// The number of responders who are notified: only those who have consented (CON-2).
  public var responderCount: Int
  /// The first responders by name, as many as were asked for.
  public var firstResponders: [Contact]
  /// The kinds of channels on which the responders can be notified, including the own channels of
  /// those with accounts.
  public var channelKinds: Set<Channel.Kind>
  /// The contacts with accounts, by name. Only these can change without the user.
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

  /// Summarises contacts.
  /// - Parameters:
  ///   - contacts: All contacts, by name.
  ///   - limit: How many responders to name.
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
