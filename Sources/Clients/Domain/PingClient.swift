public import Composable
public import Domain

/// “Please check in”: pings of responders to dependents (PNG-1). How they stand is part of
/// ``Contact/link``.
public struct PingClient: Sendable {
  /// Pings a dependent; one may be open at a time.
  public var send: @Sendable (Contact.ID) async throws(PingError) -> Ping
  /// Takes an open ping back; the dependent is told (PNG-2).
  public var withdraw: @Sendable (Ping.ID) async throws(PingError) -> Ping
  /// Answers one ping, which is a check-in (PNG-2). The passphrase is that of the gate, `nil` where
  /// there is none (CHK-3).
  public var answer:
    @Sendable (Ping.ID, _ passphrase: Secret<String>?) async throws(PingError) -> User
  /// Answers every open ping with one check-in.
  public var answerAll: @Sendable (_ passphrase: Secret<String>?) async throws(PingError) -> User

  public init(
    send: @escaping @Sendable (Contact.ID) async throws(PingError) -> Ping,
    withdraw: @escaping @Sendable (Ping.ID) async throws(PingError) -> Ping,
    answer: @escaping @Sendable (Ping.ID, Secret<String>?) async throws(PingError) -> User,
    answerAll: @escaping @Sendable (Secret<String>?) async throws(PingError) -> User
  ) {
    self.send = send
    self.withdraw = withdraw
    self.answer = answer
    self.answerAll = answerAll
  }
}

extension PingClient: TestDependencyKey {
  public static var testValue: Self {
    Self(
      send: unimplemented(
        "PingClient.send", throwing: PingError.unimplemented("PingClient.send")),
      withdraw: unimplemented(
        "PingClient.withdraw", throwing: PingError.unimplemented("PingClient.withdraw")),
      answer: unimplemented(
        "PingClient.answer", throwing: PingError.unimplemented("PingClient.answer")),
      answerAll: unimplemented(
        "PingClient.answerAll", throwing: PingError.unimplemented("PingClient.answerAll")))
  }
}

extension DependencyValues {
  public var pingClient: PingClient {
    get { self[PingClient.self] }
    set { self[PingClient.self] = newValue }
  }
}
