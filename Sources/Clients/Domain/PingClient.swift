public import Composable
public import Domain

/// “Please check in”: pings of responders to dependents (PNG-1). How they stand is part of
/// ``Contact/link``.
public struct PingClient: ClientInterface {
  /// Pings a dependent; one may be open at a time.
  @Endpoint("PingClient.send")
  public var send: @Sendable (Contact.ID) async throws(ClientError) -> Ping
  /// Takes an open ping back; the dependent is notified (PNG-2).
  @Endpoint("PingClient.withdraw")
  public var withdraw: @Sendable (Ping.ID) async throws(ClientError) -> Ping
  /// Answers one ping, which is a check-in (PNG-2). The passphrase is that of the gate, `nil` where
  /// there is none (CHK-3).
  @Endpoint("PingClient.answer")
  public var answer:
    @Sendable (Ping.ID, _ passphrase: Secret<String>?) async throws(ClientError) -> User
  /// Answers every open ping with one check-in.
  @Endpoint("PingClient.answerAll")
  public var answerAll: @Sendable (_ passphrase: Secret<String>?) async throws(ClientError) -> User

  public init() {}
}

extension DependencyValues {
  public var pingClient: PingClient {
    get { self[PingClient.self] }
    set { self[PingClient.self] = newValue }
  }
}
