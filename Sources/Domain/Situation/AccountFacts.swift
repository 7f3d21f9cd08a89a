public import FoundationEssentials

/// What is known of an account at one time, from which its ``Situation`` is judged.
public struct AccountFacts: Equatable, Sendable {
  /// All contacts by name, or `nil` while they aren't known.
  public var contacts: [Contact]?
  /// The summary of the contacts, which can be known before them, or `nil`.
  public var overview: ContactOverview?
  /// The alerts, newest first.
  public var alerts: [AlertReport]
  /// The person's own channels, and the last message on every channel.
  public var channels: ChannelOverview
  /// Who watches, or `nil` while that isn't known.
  public var watch: WatchStatus?
  public var now: Date

  public init(
    contacts: [Contact]?, overview: ContactOverview? = nil, alerts: [AlertReport] = [],
    channels: ChannelOverview = ChannelOverview(), watch: WatchStatus? = nil, now: Date
  ) {
    self.contacts = contacts
    self.overview = overview ?? contacts.map { ContactOverview($0, naming: 0) }
    self.alerts = alerts
    self.channels = channels
    self.watch = watch
    self.now = now
  }

  /// The responders in order, or only the first ones while not all contacts are known.
  var responders: some Sequence<Contact> {
    (contacts ?? overview?.firstResponders ?? []).lazy.filter(\.isResponder)
  }
}
