public import Composable
public import Domain

/// The channels of the user and their contacts: adding, removing and testing them, and the results
/// of the messages on them (CHN-1, CON-5).
public struct ChannelsClient: ClientInterface {
  /// Returns the user's own channels, and the last message on each channel of theirs and of their
  /// outside contacts. A silent alert leaves no trace in it (CHK-3).
  @Endpoint("ChannelsClient.overview")
  public var overview: @Sendable () async throws(ClientError) -> ChannelOverview
  /// Adds a channel to a contact or, with `nil`, to the user. A webhook gets a new secret.
  /// - Throws: ``ClientError/channelExists(name:)`` if another contact, or the user, has it.
  @Endpoint("ChannelsClient.add")
  public var add: @Sendable (ChannelDraft, Contact.ID?) async throws(ClientError) -> NewChannel
  /// Returns a new topic that nobody can guess (``NtfyTopic/isGenerated``), as a suggestion for a
  /// channel.
  @Endpoint("ChannelsClient.newTopic")
  public var newTopic: @Sendable () async throws(ClientError) -> NtfyTopic
  /// Removes a channel of the user or of a contact; the responders are notified of it (CHK-3).
  /// Messages that wait on it are no longer sent, unless they are about a deadline or an alert.
  /// - Throws: ``ClientError/isProfileAddress``, ``ValidationError/channelRequired`` for the last
  ///   channel of a responder, ``ClientError/gate(_:)``.
  @Endpoint("ChannelsClient.remove", gate: .removeChannel)
  public var remove: @Sendable (Channel.ID) async throws(ClientError) -> Void
  /// Switches a topic off on one of the user's channels, or on again (CHN-3). While it is off,
  /// messages about it are not sent there, not even queued ones; the history of notifications still
  /// has them. Switching it on again affects only later messages.
  /// - Throws: ``ClientError/channelNotFound``, also for a channel that is not the user's own:
  ///   nobody chooses what others are sent. Switching off needs the gate's passphrase (CHK-3).
  @Endpoint("ChannelsClient.setMuted", gate: .muteChannel)
  public var setMuted: @Sendable (Topic, Channel.ID, Bool) async throws(ClientError) -> Void
  /// Returns the secret that signs a webhook or opens a topic, or `nil` for none; needs the gate's
  /// passphrase. With the duress passphrase it is returned as well, and a silent alert raised
  /// (CHK-3).
  @Endpoint("ChannelsClient.secret", gate: .showSecret)
  public var secret: @Sendable (Channel.ID) async throws(ClientError) -> Secret<String>?
  /// Replaces a service's secrets, or the token of a topic; needs the gate's passphrase. The
  /// channel, its log and its owner stay (CHN-4).
  /// - Throws: ``ValidationError/accessToken``, also for a channel that has no such secret.
  @Endpoint("ChannelsClient.replaceSecret", gate: .replaceSecret)
  public var replaceSecret: @Sendable (Channel.ID, Secret<String>) async throws(ClientError) -> Void
  /// Has a monitor send a message that says that it is a test. The result is the channel's last
  /// message in the ``overview``.
  /// - Throws: ``ClientError/declined(name:)``.
  @Endpoint("ChannelsClient.sendTest")
  public var sendTest: @Sendable (Channel.ID) async throws(ClientError) -> Void
  /// Returns the last ``Channel/logLength`` messages on a channel, newest first.
  @Endpoint("ChannelsClient.log")
  public var log: @Sendable (Channel.ID) async throws(ClientError) -> [DeliveryReport]
  /// ``overview`` now and after every change by anyone.
  @StreamEndpoint("ChannelsClient.observe")
  public var observe: @Sendable () -> AsyncThrowingStream<ChannelOverview, any Error>
  /// ``log`` now and after every change by anyone; ends with an error when the channel is removed.
  @StreamEndpoint("ChannelsClient.observeLog")
  public var observeLog: @Sendable (Channel.ID) -> AsyncThrowingStream<[DeliveryReport], any Error>

  public init() {}
}

/// A newly added channel. Its secret is shown this once without asking for the passphrase.
public struct NewChannel: Equatable, Codable, Sendable {
  public var channel: Channel
  public var secret: Secret<String>?

  public init(channel: Channel, secret: Secret<String>? = nil) {
    self.channel = channel
    self.secret = secret
  }
}

extension DependencyValues {
  public var channelsClient: ChannelsClient {
    get { self[ChannelsClient.self] }
    set { self[ChannelsClient.self] = newValue }
  }
}
