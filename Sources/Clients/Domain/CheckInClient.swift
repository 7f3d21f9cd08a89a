public import Composable
public import Domain

/// Checking in, and the rules of the deadline.
public struct CheckInClient: Sendable {
  /// Moves the deadline, stamped by the store's clock (CHK-1). Ends a missed alert (CHK-6); leaves a
  /// manual one alone. A second check-in within 60 s moves the time but adds no history row.
  ///
  /// The passphrase is that of the gate, `nil` where there is none (CHK-3).
  /// - Throws: ``CheckInError/gate(_:)``.
  public var checkIn:
    @Sendable (CheckIn.Source, _ passphrase: Secret<String>?) async throws(CheckInError) -> User
  /// The last check-ins, newest first, at most this many.
  public var history: @Sendable (_ limit: Int) async throws(CheckInError) -> [CheckIn]
  /// Changes how often the person promises to check in; not a check-in (INT-1), but a new deadline
  /// with a sequence of its own. Reminders that would no longer come before it are dropped.
  public var updateInterval: @Sendable (CheckInInterval) async throws(CheckInError) -> User
  /// ``history`` now and after every change by anyone.
  public var observeHistory: @Sendable (_ limit: Int) -> AsyncThrowingStream<[CheckIn], any Error>

  public init(
    checkIn:
      @escaping @Sendable (CheckIn.Source, Secret<String>?) async throws(CheckInError) -> User,
    history: @escaping @Sendable (Int) async throws(CheckInError) -> [CheckIn],
    updateInterval: @escaping @Sendable (CheckInInterval) async throws(CheckInError) -> User,
    observeHistory: @escaping @Sendable (Int) -> AsyncThrowingStream<[CheckIn], any Error>
  ) {
    self.checkIn = checkIn
    self.history = history
    self.updateInterval = updateInterval
    self.observeHistory = observeHistory
  }

  /// Checks in where there is no gate.
  public func checkIn(_ source: CheckIn.Source) async throws(CheckInError) -> User {
    try await checkIn(source, nil)
  }
}

extension CheckInClient: TestDependencyKey {
  public static var testValue: Self {
    Self(
      checkIn: unimplemented(
        "CheckInClient.checkIn", throwing: CheckInError.unimplemented("CheckInClient.checkIn")),
      history: unimplemented(
        "CheckInClient.history", throwing: CheckInError.unimplemented("CheckInClient.history")),
      updateInterval: unimplemented(
        "CheckInClient.updateInterval",
        throwing: CheckInError.unimplemented("CheckInClient.updateInterval")),
      observeHistory: unimplemented("CheckInClient.observeHistory", placeholder: .finished()))
  }
}

extension DependencyValues {
  public var checkInClient: CheckInClient {
    get { self[CheckInClient.self] }
    set { self[CheckInClient.self] = newValue }
  }
}
