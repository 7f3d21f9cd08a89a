import Clients
import Domain
import FoundationEssentials

/// Topics that a person has muted on their own channels (CHN-3).
extension Store {
  func mutedTopics(of key: Int) throws(StorageError) -> MutedTopics {
    try mutedTopics(of: [key].json)[key] ?? MutedTopics()
  }

  /// Returns the muted topics of several accounts, whose keys come as a JSON list. Accounts without
  /// any are left out.
  func mutedTopics(of list: String) throws(StorageError) -> [Int: MutedTopics] {
    try database.grouped(
      """
      SELECT account.key, account.id, account.muted_topics
      FROM json_each(?1) AS listed CROSS JOIN account ON account.key = listed.value
      WHERE account.muted_topics <> ''
      UNION ALL
      SELECT channel.account, channel.id, channel.muted_topics
      FROM json_each(?1) AS listed CROSS JOIN channel ON channel.account = listed.value
      WHERE channel.contact IS NULL AND channel.muted_topics <> ''
      """, list
    ) { row throws(StorageError) -> (channel: Channel.ID, topics: Set<Topic>) in
      (try row.read(), Set(stored: try row.read()))
    }.mapValues { entries in
      entries.reduce(into: MutedTopics()) { $0[$1.channel].formUnion($1.topics) }
    }
  }

  func setMuted(_ topic: Topic, _ id: Channel.ID, _ isMuted: Bool) throws(ClientError) {
    try write { key in
      let own = try user(key).ownChannels(besides: ownChannels(of: key))
      guard own.contains(where: { $0.id == id }) else { throw ClientError.channelNotFound }
      var muted = try mutedTopics(of: key)
      muted.set(topic, id, isMuted: isMuted)
      try store(muted[id], mutedOn: id, of: key)
      try touch(key)
    }
  }

  /// Stores the topics that are muted on one of an account's own channels.
  func store(
    _ topics: Set<Topic>, mutedOn channel: Channel.ID, of key: Int
  ) throws(StorageError) {
    // The address of the account is a channel with the account's identifier, and has no row.
    try database.run(
      "UPDATE account SET muted_topics = ?3 WHERE key = ?1 AND id = ?2", key, channel, topics.stored
    )
    try database.run(
      "UPDATE channel SET muted_topics = ?3 WHERE account = ?1 AND id = ?2", key, channel,
      topics.stored)
  }
}

extension Set<Topic> {
  /// The names, separated by spaces, in a fixed order.
  fileprivate var stored: String { map(\.rawValue).sorted().joined(separator: " ") }

  /// Parses the names. An unknown one is left out, so that its topic stays on.
  fileprivate init(stored text: String) {
    self.init(text.split(separator: " ").compactMap { Topic(rawValue: String($0)) })
  }
}
