public import Composable
public import Domain
public import FoundationEssentials

/// Checking in, and the rules of the deadline.
public struct CheckInClient: ClientInterface {
  /// Moves the deadline, stamped by the store's clock (CHK-1); a pause that runs goes on. Ends a missed alert (CHK-6); leaves a
  /// manual one alone. A second check-in within 60 s moves the time but adds no history row.
  ///
  /// The passphrase is that of the gate, `nil` where there is none (CHK-3).
  /// - Throws: ``ClientError/gate(_:)``.
  @Endpoint("CheckInClient.checkIn")
  public var checkIn:
    @Sendable (CheckIn.Source, _ passphrase: Secret<String>?) async throws(ClientError) -> User
  /// Expects no check-in until an instant within the next 30 days, where the interval begins again; a
  /// pause that runs is replaced (CHK-7). The passphrase is that of the gate.
  /// - Throws: ``ClientError/checkInFirst`` once the deadline has passed, or while a missed one is
  ///   alerted of; ``ClientError/gate(_:)``.
  @Endpoint("CheckInClient.pause")
  public var pause:
    @Sendable (_ until: Date, _ passphrase: Secret<String>?) async throws(ClientError) -> User
  /// Ends the running pause by a check-in (CHK-7). The passphrase is that of the gate.
  /// - Throws: ``ClientError/notPaused``, ``ClientError/gate(_:)``.
  @Endpoint("CheckInClient.resume")
  public var resume:
    @Sendable (CheckIn.Source, _ passphrase: Secret<String>?) async throws(ClientError) -> User
  /// The last check-ins, newest first, at most this many.
  @Endpoint("CheckInClient.history")
  public var history: @Sendable (_ limit: Int) async throws(ClientError) -> [CheckIn]
  /// The check-ins since an instant, newest first.
  @Endpoint("CheckInClient.historySince")
  public var historySince: @Sendable (Date) async throws(ClientError) -> [CheckIn]
  /// What the last year comes to, now and after every change by anyone (CHK-5).
  @StreamEndpoint("CheckInClient.observeRecord")
  public var observeRecord:
    @Sendable (CivilCalendar) -> AsyncThrowingStream<CheckInRecord, any Error>
  /// Changes how often the person promises to check in; not a check-in (INT-1), but a new deadline
  /// with a sequence of its own. Reminders that would no longer come before it are dropped. A longer
  /// interval passes the gate, and the responders are notified of it (CHK-3).
  /// - Throws: ``ClientError/gate(_:)``.
  @Endpoint("CheckInClient.updateInterval")
  public var updateInterval:
    @Sendable (CheckInInterval, _ passphrase: Secret<String>?) async throws(ClientError) -> User
  /// ``history`` now and after every change by anyone.
  @StreamEndpoint("CheckInClient.observeHistory")
  public var observeHistory: @Sendable (_ limit: Int) -> AsyncThrowingStream<[CheckIn], any Error>

  public init() {}

  /// Checks in where there is no gate.
  public func checkIn(_ source: CheckIn.Source) async throws(ClientError) -> User {
    try await checkIn(source, nil)
  }

  /// Changes the interval where there is no gate.
  public func updateInterval(_ interval: CheckInInterval) async throws(ClientError) -> User {
    try await updateInterval(interval, nil)
  }
}

extension DependencyValues {
  public var checkInClient: CheckInClient {
    get { self[CheckInClient.self] }
    set { self[CheckInClient.self] = newValue }
  }
}
