public import Composable
public import Domain

/// The ways to reach the user and their contacts: adding and removing them, trying whether they work,
/// and how the messages on them fared (CHN-1, CON-5).
public struct ChannelsClient: ClientInterface {
  /// The user's own channels, and the last message on each channel of theirs and of their outside
  /// contacts. Of a silent alert there is no trace in it (CHK-3).
  @Endpoint("ChannelsClient.overview")
  public var overview: @Sendable () async throws(ClientError) -> ChannelOverview
  /// Adds a channel to a contact, or with `nil` to the user. A webhook gets a new secret.
  /// - Throws: ``ClientError/channelExists(name:)`` where another contact, or the user, has it.
  @Endpoint("ChannelsClient.add")
  public var add: @Sendable (ChannelDraft, Contact.ID?) async throws(ClientError) -> NewChannel
  /// Makes a topic that nobody can guess (``NtfyTopic/isGenerated``), to be suggested for a channel.
  @Endpoint("ChannelsClient.newTopic")
  public var newTopic: @Sendable () async throws(ClientError) -> NtfyTopic
  /// Removes a channel of the user's own or of a contact. What was still to be sent on it about
  /// neither a deadline nor an alert is not sent any more.
  /// - Throws: ``ClientError/isProfileAddress``, and ``ValidationError/channelRequired`` for the last
  ///   one of a responder; ``ClientError/gate(_:)``. The responders are notified of it (CHK-3).
  @Endpoint("ChannelsClient.remove")
  public var remove:
    @Sendable (Channel.ID, _ passphrase: Secret<String>?) async throws(ClientError) -> Void
  /// Switches a topic off on a channel of the user's own, or on again (CHN-3). What is off is not sent
  /// there any more, nor what was queued; the history of notifications has it all the same. Switching
  /// it on again sends it from now on.
  /// - Throws: ``ClientError/channelNotFound`` for a channel that is not the user's own, too: what others
  ///   are sent nobody else chooses. Switching off passes the gate (CHK-3).
  @Endpoint("ChannelsClient.setMuted")
  public var setMuted:
    @Sendable (Topic, Channel.ID, Bool, _ passphrase: Secret<String>?) async throws(ClientError) ->
      Void
  /// What signs a webhook or opens a topic, behind the gate if one is set; `nil` for none. Under
  /// duress it is shown as well, and a silent alert raised (CHK-3).
  @Endpoint("ChannelsClient.secret")
  public var secret:
    @Sendable (Channel.ID, _ passphrase: Secret<String>?) async throws(ClientError) -> Secret<
      String
    >?
  /// Replaces a service's secrets, or the token of a topic, behind the gate if one is set: the channel, its log
  /// and its owner stay (CHN-4).
  /// - Throws: ``ValidationError/accessToken`` for a channel that has no such secret, too.
  @Endpoint("ChannelsClient.replaceSecret")
  public var replaceSecret:
    @Sendable (Channel.ID, Secret<String>, _ passphrase: Secret<String>?) async throws(ClientError)
      ->
      Void
  /// Has a monitor send a message that says that it is a test. Its result is the channel's
  /// last message in the ``overview``.
  /// - Throws: ``ClientError/declined(name:)``.
  @Endpoint("ChannelsClient.sendTest")
  public var sendTest: @Sendable (Channel.ID) async throws(ClientError) -> Void
  /// The last ``Channel/logLength`` messages on a channel, newest first.
  @Endpoint("ChannelsClient.log")
  public var log: @Sendable (Channel.ID) async throws(ClientError) -> [DeliveryReport]
  /// ``overview`` now and after every change by anyone.
  @StreamEndpoint("ChannelsClient.observe")
  public var observe: @Sendable () -> AsyncThrowingStream<ChannelOverview, any Error>
  /// ``log`` now and after every change by anyone; ends with an error when the channel is removed.
  @StreamEndpoint("ChannelsClient.observeLog")
  public var observeLog: @Sendable (Channel.ID) -> AsyncThrowingStream<[DeliveryReport], any Error>

  public init() {}

  /// Removes a channel where there is no gate.
  public func remove(_ id: Channel.ID) async throws(ClientError) { try await remove(id, nil) }

  /// Switches a topic off or on where there is no gate.
  public func setMuted(
    _ topic: Topic, _ id: Channel.ID, _ isMuted: Bool
  ) async throws(ClientError) { try await setMuted(topic, id, isMuted, nil) }
}

/// A channel that was just added, with its secret, which is shown this once without being asked for.
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
