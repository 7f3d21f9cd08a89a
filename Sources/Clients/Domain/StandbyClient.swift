public import Composable
public import Domain

/// Who notices when the machine that watches falls silent (WCH-2).
public struct StandbyClient: ClientInterface {
  /// That of the signed-in account.
  @Endpoint("StandbyClient.standby")
  public var standby: @Sendable () async throws(ClientError) -> Standby
  /// Changes it; a monitor sees to what follows from it. What replaces or takes away something passes
  /// the gate (CHK-3).
  @Endpoint("StandbyClient.update")
  public var update:
    @Sendable (Standby, _ passphrase: Secret<String>?) async throws(ClientError) -> Void
  /// What a monitor has to keep up, for every account of the store.
  @Endpoint("StandbyClient.duties")
  public var duties: @Sendable () async throws(StorageError) -> [StandbyDuty]
  /// Records what waits for an account at the ntfy server, `nil` for nothing.
  @Endpoint("StandbyClient.record")
  public var record:
    @Sendable (_ account: User.ID, _ waiting: WaitingMessage?) async throws(StorageError) -> Void

  public init() {}

  /// Changes it where there is no gate.
  public func update(_ standby: Standby) async throws(ClientError) {
    try await update(standby, nil)
  }
}

extension DependencyValues {
  public var standbyClient: StandbyClient {
    get { self[StandbyClient.self] }
    set { self[StandbyClient.self] = newValue }
  }
}
