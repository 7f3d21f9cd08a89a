public import Composable
public import Domain

/// “Please check in”: pings of responders to dependents (PNG-1). How they stand is part of
/// ``Contact/link``.
public struct PingClient: ClientInterface {
  /// Pings a dependent; one may be open at a time.
  public var send: @Sendable (Contact.ID) async throws(ClientError) -> Ping = unimplemented(
    "PingClient.send")
  /// Takes an open ping back; the dependent is told (PNG-2).
  public var withdraw: @Sendable (Ping.ID) async throws(ClientError) -> Ping = unimplemented(
    "PingClient.withdraw")
  /// Answers one ping, which is a check-in (PNG-2). The passphrase is that of the gate, `nil` where
  /// there is none (CHK-3).
  public var answer:
    @Sendable (Ping.ID, _ passphrase: Secret<String>?) async throws(ClientError) -> User =
      unimplemented("PingClient.answer")
  /// Answers every open ping with one check-in.
  public var answerAll:
    @Sendable (_ passphrase: Secret<String>?) async throws(ClientError) -> User =
      unimplemented("PingClient.answerAll")

  public init() {}
}

extension DependencyValues {
  public var pingClient: PingClient {
    get { self[PingClient.self] }
    set { self[PingClient.self] = newValue }
  }
}
