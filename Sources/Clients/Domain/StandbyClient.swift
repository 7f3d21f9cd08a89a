public import Composable
public import Domain

/// Who notices when the machine that watches falls silent (WCH-2).
public struct StandbyClient: Sendable {
  /// That of the signed-in account.
  public var standby: @Sendable () async throws(UserError) -> Standby
  /// Changes it; a monitor sees to what follows from it. What replaces or takes away something passes
  /// the gate (CHK-3).
  public var update:
    @Sendable (Standby, _ passphrase: Secret<String>?) async throws(UserError) -> Void
  /// What a monitor has to keep up, for every account of the store.
  public var duties: @Sendable () async throws(StorageError) -> [StandbyDuty]
  /// Records what waits for an account at the ntfy server, `nil` for nothing.
  public var record:
    @Sendable (_ account: User.ID, _ waiting: WaitingMessage?) async throws(StorageError) -> Void

  public init(
    standby: @escaping @Sendable () async throws(UserError) -> Standby,
    update: @escaping @Sendable (Standby, Secret<String>?) async throws(UserError) -> Void,
    duties: @escaping @Sendable () async throws(StorageError) -> [StandbyDuty],
    record: @escaping @Sendable (User.ID, WaitingMessage?) async throws(StorageError) -> Void
  ) {
    self.standby = standby
    self.update = update
    self.duties = duties
    self.record = record
  }

  /// Changes it where there is no gate.
  public func update(_ standby: Standby) async throws(UserError) { try await update(standby, nil) }
}

extension StandbyClient: TestDependencyKey {
  public static var testValue: Self {
    Self(
      standby: unimplemented(
        "StandbyClient.standby", throwing: UserError.unimplemented("StandbyClient.standby")),
      update: unimplemented(
        "StandbyClient.update", throwing: UserError.unimplemented("StandbyClient.update")),
      duties: unimplemented(
        "StandbyClient.duties", throwing: StorageError.unimplemented("StandbyClient.duties")),
      record: unimplemented(
        "StandbyClient.record", throwing: StorageError.unimplemented("StandbyClient.record")))
  }
}

extension DependencyValues {
  public var standbyClient: StandbyClient {
    get { self[StandbyClient.self] }
    set { self[StandbyClient.self] = newValue }
  }
}
