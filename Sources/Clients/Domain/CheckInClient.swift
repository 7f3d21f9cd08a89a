public import Composable
public import Domain
public import FoundationEssentials

/// Check-ins, pauses and the interval of the deadline.
public struct CheckInClient: ClientInterface {
  /// Moves the deadline, by the time of the store's clock (CHK-1); a running pause goes on. Ends a
  /// missed alert (CHK-6), but not a manual one. A second check-in within 60 s moves the time but
  /// adds no history row.
  /// - Throws: ``ClientError/gate(_:)``.
  @Endpoint("CheckInClient.checkIn", gate: .checkIn)
  public var checkIn: @Sendable (CheckIn.Source) async throws(ClientError) -> User
  /// The same for one that a device has kept (OFF-1). A server that doesn't know the operation
  /// refuses it, instead of counting it from when it arrives.
  /// - Throws: ``ClientError/gate(_:)``.
  @Endpoint("CheckInClient.deliver", gate: .checkIn)
  public var deliver: @Sendable (CheckIn.Source) async throws(ClientError) -> User
  /// Takes a sign of life: checks in if a command that was typed in a shell counts now, and does
  /// nothing otherwise (CHK-10). It is never kept on a device.
  @Endpoint("CheckInClient.sign")
  public var sign: @Sendable () async throws(ClientError) -> Void
  /// Expects no check-in until an instant within the next 30 days, at which the interval starts
  /// again; replaces a running pause (CHK-7).
  /// - Throws: ``ClientError/checkInFirst`` once the deadline has passed, or while an alert about a
  ///   missed one is on; ``ClientError/gate(_:)``.
  @Endpoint("CheckInClient.pause", gate: .pause)
  public var pause: @Sendable (_ until: Date) async throws(ClientError) -> User
  /// Ends the running pause with a check-in (CHK-7).
  /// - Throws: ``ClientError/notPaused``, ``ClientError/gate(_:)``.
  @Endpoint("CheckInClient.resume", gate: .resume)
  public var resume: @Sendable (CheckIn.Source) async throws(ClientError) -> User
  /// Returns the last check-ins, newest first, up to the limit.
  @Endpoint("CheckInClient.history")
  public var history: @Sendable (_ limit: Int) async throws(ClientError) -> [CheckIn]
  /// Returns the check-ins since an instant, newest first.
  @Endpoint("CheckInClient.historySince")
  public var historySince: @Sendable (Date) async throws(ClientError) -> [CheckIn]
  /// The summary of the last year, now and after every change by anyone (CHK-5).
  @StreamEndpoint("CheckInClient.observeRecord")
  public var observeRecord:
    @Sendable (CivilCalendar) -> AsyncThrowingStream<CheckInRecord, any Error>
  /// Changes how often the person promises to check in. This is not a check-in (INT-1), but starts
  /// a new deadline with its own sequence. Reminders that would no longer come before it are
  /// dropped. A longer interval needs the gate's passphrase, and the responders are notified of it
  /// (CHK-3).
  /// - Throws: ``ClientError/gate(_:)``.
  @Endpoint("CheckInClient.updateInterval", gate: .lengthenInterval)
  public var updateInterval: @Sendable (CheckInInterval) async throws(ClientError) -> User
  /// Has the person check in by set times instead of within an interval (SCH-1). This is not a
  /// check-in, and never gives a deadline in the past. Where help would come later, it needs the
  /// gate's passphrase, and the responders are notified of it (CHK-3). ``updateInterval`` goes back.
  /// - Throws: ``ClientError/checkInFirst`` once the deadline has passed,
  ///   ``ValidationError/zone(_:)`` for a zone that isn't known here, ``ClientError/gate(_:)``.
  @Endpoint("CheckInClient.updateSchedule", gate: .laterSchedule)
  public var updateSchedule: @Sendable (SetTimes) async throws(ClientError) -> User
  /// Starts an outing, which goes on until ``endOuting`` (OUT-1). Where the deadline falls into it
  /// and is to wait, it needs the gate's passphrase, and the responders are notified of it (OUT-3).
  /// - Throws: ``ClientError/alreadyOut(until:)``, ``ClientError/checkInFirst``,
  ///   ``ClientError/outingDuringAlert``, ``ClientError/contactNotFound`` if none of the chosen is a
  ///   responder, ``ValidationError/outingEnd(_:)``, ``ValidationError/outingRange``,
  ///   ``ClientError/gate(_:)``.
  @Endpoint("CheckInClient.startOuting", gate: .letDeadlineWait)
  public var startOuting: @Sendable (OutingDraft) async throws(ClientError) -> User
  /// Moves the end of the outing that is on (OUT-3).
  /// - Throws: ``ClientError/notOut``, ``ClientError/outingChanged(_:)`` if its end isn't the one
  ///   that was seen, ``ClientError/outingMissed`` once the responders are notified,
  ///   ``ValidationError/outingRange``, ``ClientError/gate(_:)``.
  @Endpoint("CheckInClient.extendOuting", gate: .extendOuting)
  public var extendOuting: @Sendable (OutingExtension) async throws(ClientError) -> User
  /// Ends an outing and its alert, and checks in (OUT-2). One that has ended already makes it a
  /// check-in alone. It can be kept on a device like a check-in (OUT-5).
  /// - Throws: ``ClientError/gate(_:)``.
  @Endpoint("CheckInClient.endOuting", gate: .checkIn)
  public var endOuting: @Sendable (Outing.ID) async throws(ClientError) -> User
  /// ``history`` now and after every change by anyone.
  @StreamEndpoint("CheckInClient.observeHistory")
  public var observeHistory: @Sendable (_ limit: Int) -> AsyncThrowingStream<[CheckIn], any Error>

  public init() {}
}

extension CheckInClient {
  /// Changes what the person promised, with ``updateInterval`` or ``updateSchedule``.
  public func update(_ promise: Promise) async throws(ClientError) -> User {
    switch promise {
    case .interval(let interval): try await updateInterval(interval)
    case .setTimes(let times): try await updateSchedule(times)
    }
  }
}

extension DependencyValues {
  public var checkInClient: CheckInClient {
    get { self[CheckInClient.self] }
    set { self[CheckInClient.self] = newValue }
  }
}

extension User {
  /// Returns the error of a check-in that was executed so late that its new deadline has passed
  /// (CHK-1), which only the deadline of the person it returned shows; `nil` for one that counts.
  public func latenessOfCheckIn(at now: Date) -> ClientError? {
    deadline.date <= now && !deadline.isPaused(at: now) ? .checkInTooLate : nil
  }
}
