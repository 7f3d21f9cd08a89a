public import Composable
public import Domain

/// Who notices when the machine that watches falls silent (WCH-2).
public struct StandbyClient: ClientInterface {
  /// That of the signed-in account.
  public var standby: @Sendable () async throws(ClientError) -> Standby = unimplemented(
    "StandbyClient.standby")
  /// Changes it; a monitor sees to what follows from it. What replaces or takes away something passes
  /// the gate (CHK-3).
  public var update:
    @Sendable (Standby, _ passphrase: Secret<String>?) async throws(ClientError) -> Void =
      unimplemented("StandbyClient.update")
  /// What a monitor has to keep up, for every account of the store.
  public var duties: @Sendable () async throws(StorageError) -> [StandbyDuty] = unimplemented(
    "StandbyClient.duties")
  /// Records what waits for an account at the ntfy server, `nil` for nothing.
  public var record:
    @Sendable (_ account: User.ID, _ waiting: WaitingMessage?) async throws(StorageError) -> Void =
      unimplemented("StandbyClient.record")

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
