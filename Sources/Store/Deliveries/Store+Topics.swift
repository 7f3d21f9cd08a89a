import Clients
import Domain
import FoundationEssentials

/// What a person does not want to be sent on a channel of their own (CHN-3).
extension Store {
  func mutedTopics(of key: Int) throws(StorageError) -> MutedTopics {
    try mutedTopics(of: [key].json)[key] ?? MutedTopics()
  }

  /// Of several accounts, whose keys come as a JSON list; those who are sent everything are left out.
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
      (try row.read(), Set(words: try row.read()))
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

  /// Writes what one of an account's own channels does not tell.
  func store(
    _ topics: Set<Topic>, mutedOn channel: Channel.ID, of key: Int
  ) throws(StorageError) {
    // The address of the account is a channel with the account's identity, and has no row of its own.
    try database.run(
      "UPDATE account SET muted_topics = ?3 WHERE key = ?1 AND id = ?2", key, channel, topics.words)
    try database.run(
      "UPDATE channel SET muted_topics = ?3 WHERE account = ?1 AND id = ?2", key, channel,
      topics.words)
  }
}

extension Set<Topic> {
  /// The names with spaces between them, in a fixed order.
  fileprivate var words: String { map(\.rawValue).sorted().joined(separator: " ") }

  /// What is no name of a topic is left out: it stays on.
  fileprivate init(words: String) {
    self.init(words.split(separator: " ").compactMap { Topic(rawValue: String($0)) })
  }
}
