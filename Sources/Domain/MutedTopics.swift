public import FoundationEssentials

/// Which topics a person has switched off on which of their own channels (CHN-3).
///
/// What is off is kept, so that a new channel carries everything, and a new topic goes everywhere.
public struct MutedTopics: Equatable, Sendable {
  /// Without empty sets, so that equal choices are equal.
  private var topics: [Channel.ID: Set<Topic>] = [:]

  public init() {}

  /// What a channel does not tell.
  public subscript(channel: Channel.ID) -> Set<Topic> {
    get { topics[channel] ?? [] }
    set { topics[channel] = newValue.isEmpty ? nil : newValue }
  }

  public var isEmpty: Bool { topics.isEmpty }

  /// The channels that do not tell everything, in any order.
  public var channels: some Collection<Channel.ID> { topics.keys }

  /// Switches a topic off on a channel, or on again.
  public mutating func set(_ topic: Topic, _ channel: Channel.ID, isMuted: Bool) {
    if isMuted { self[channel].insert(topic) } else { self[channel].remove(topic) }
  }

  /// Whether a message goes out on a channel, as far as the person decides.
  public func tells(_ stage: Stage, on channel: Channel.ID) -> Bool {
    stage.topic.map { !self[channel].contains($0) } ?? true
  }

  /// What none of the channels tells, though there are some.
  public func toldNowhere(among channels: [Channel]) -> [Topic] {
    Topic.allCases.filter { topic in
      !channels.isEmpty && !channels.contains { !self[$0.id].contains(topic) }
    }
  }
}

/// As a list in a fixed order, so that the same choices are the same bytes.
extension MutedTopics: Codable {
  private struct Entry: Codable {
    var channel: Channel.ID
    var topics: [String]
  }

  /// A topic that this version does not know stays on.
  public init(from decoder: any Decoder) throws {
    for entry in try decoder.singleValueContainer().decode([Entry].self) {
      self[entry.channel].formUnion(entry.topics.compactMap(Topic.init))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(
      topics.map { Entry(channel: $0.key, topics: $0.value.map(\.rawValue).sorted()) }
        .sorted { $0.channel.uuidString < $1.channel.uuidString })
  }
}
