public import Composable
public import Domain

/// The services that notice when the machine with the monitor goes silent (WCH-2).
public struct StandbyClient: ClientInterface {
  /// Returns the standby of the signed-in account.
  @Endpoint("StandbyClient.standby")
  public var standby: @Sendable () async throws(ClientError) -> Standby
  /// Changes the standby; a monitor then does what follows from it. Replacing or removing a part
  /// needs the gate's passphrase (CHK-3).
  @Endpoint("StandbyClient.update", gate: .changeStandby)
  public var update: @Sendable (Standby) async throws(ClientError) -> Void
  /// Returns a monitor's standby tasks, for every account of the store.
  @Endpoint("StandbyClient.duties")
  public var duties: @Sendable () async throws(StorageError) -> [StandbyDuty]
  /// Records the message that waits for an account at the ntfy server, or `nil` for none.
  @Endpoint("StandbyClient.record")
  public var record:
    @Sendable (_ account: User.ID, _ waiting: WaitingMessage?) async throws(StorageError) -> Void
  /// Records what a part's service said: an empty text if it accepted what it was sent, otherwise
  /// why it didn't.
  @Endpoint("StandbyClient.recordAnswer")
  public var recordAnswer:
    @Sendable (_ account: User.ID, _ part: StandbyDuty.Part, _ answer: String)
      async throws(StorageError) -> Void

  public init() {}
}

extension DependencyValues {
  public var standbyClient: StandbyClient {
    get { self[StandbyClient.self] }
    set { self[StandbyClient.self] = newValue }
  }
}
