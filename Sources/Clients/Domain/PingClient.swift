public import Composable
public import Domain

/// “Please check in”: pings from responders to dependents (PNG-1). Their state is part of
/// ``Contact/link``.
public struct PingClient: ClientInterface {
  /// Pings a dependent; only one ping can be open at a time.
  @Endpoint("PingClient.send")
  public var send: @Sendable (Contact.ID) async throws(ClientError) -> Ping
  /// Withdraws an open ping; the dependent is notified (PNG-2).
  @Endpoint("PingClient.withdraw")
  public var withdraw: @Sendable (Ping.ID) async throws(ClientError) -> Ping
  /// Answers one ping, which is a check-in (PNG-2).
  @Endpoint("PingClient.answer", gate: .answerPings)
  public var answer: @Sendable (Ping.ID) async throws(ClientError) -> User
  /// Answers every open ping with one check-in.
  @Endpoint("PingClient.answerAll", gate: .answerPings)
  public var answerAll: @Sendable () async throws(ClientError) -> User

  public init() {}
}

extension DependencyValues {
  public var pingClient: PingClient {
    get { self[PingClient.self] }
    set { self[PingClient.self] = newValue }
  }
}
