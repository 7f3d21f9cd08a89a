public import FoundationEssentials

/// The topics that a person has switched off on each of their own channels (CHN-3).
///
/// Only what is off is stored, so that a new channel carries everything and a new topic is sent
/// everywhere.
public struct MutedTopics: Equatable, Sendable {
  /// Has no empty sets, so that equal choices compare as equal.
  private var topics: [Channel.ID: Set<Topic>] = [:]

  public init() {}

  /// The topics switched off on a channel.
  public subscript(channel: Channel.ID) -> Set<Topic> {
    get { topics[channel] ?? [] }
    set { topics[channel] = newValue.isEmpty ? nil : newValue }
  }

  public var isEmpty: Bool { topics.isEmpty }

  /// The channels with topics switched off, in any order.
  public var channels: some Collection<Channel.ID> { topics.keys }

  /// Switches a topic off on a channel, or on again.
  public mutating func set(_ topic: Topic, _ channel: Channel.ID, isMuted: Bool) {
    if isMuted { self[channel].insert(topic) } else { self[channel].remove(topic) }
  }

  /// Whether the person lets a message about a stage out on a channel.
  public func allows(_ stage: Stage, on channel: Channel.ID) -> Bool {
    stage.topic.map { !self[channel].contains($0) } ?? true
  }

  /// Returns the topics that are switched off on all of the channels; none if there are no
  /// channels.
  public func mutedEverywhere(among channels: [Channel]) -> [Topic] {
    Topic.allCases.filter { topic in
      !channels.isEmpty && !channels.contains { !self[$0.id].contains(topic) }
    }
  }
}

/// Encoded as a list in a fixed order, so that the same choices give the same bytes.
extension MutedTopics: Codable {
  private struct Entry: Codable {
    var channel: Channel.ID
    var topics: [String]
  }

  /// Reads the list; topics that this version does not know are left out and so stay on.
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
