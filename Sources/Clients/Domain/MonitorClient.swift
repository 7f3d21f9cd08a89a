public import Composable
public import Domain
public import FoundationEssentials

/// The store as a monitor uses it: finding what is due, applying plans, claiming deliveries and
/// recording their outcomes.
///
/// Each operation that writes does so in one transaction, except ``apply``, which can take a few,
/// and ``heartbeat``, which ends old pings in another one (PNG-1), so that their failure is no
/// failure of the heartbeat. The order that loses nothing is `due` → `apply` → `claim` → send →
/// `record`; a crash between any two of them leaves work that another monitor finds.
public struct MonitorClient: ClientInterface {
  /// Announces that a monitor is alive until `now` + `lease`, with the problem it has, if any.
  ///
  /// `now` is called while no other process can write: a monitor that was suspended on its way here
  /// would otherwise bring a time that others have passed, as if the clock had been set back
  /// (ESC-5).
  ///
  /// After a gap – no monitor ran for longer than ``WatchStatus/longestGap``, or the clock was set –
  /// a new watch begins: every account is planned again, and nothing waits for an instant that was
  /// far away on the old clock (ESC-4, ESC-5). Without a new watch the same is done if this monitor,
  /// or one whose lease has expired, was last seen well after `now`: it went by the old clock while
  /// another monitor already knew that the clock had been set back.
  /// - Returns: The number of other monitors that are alive.
  public var heartbeat:
    @Sendable (
      _ monitor: UUID, _ now: @escaping @Sendable () -> Date, _ lease: TimeSpan,
      _ problem: MonitorProblem?
    ) async throws(StorageError) -> Int = unimplemented("MonitorClient.heartbeat")
  /// Ends the lease of a monitor that shuts down in an orderly way; the time it was last seen is
  /// kept.
  public var resign: @Sendable (_ monitor: UUID) async throws(StorageError) -> Void = unimplemented(
    "MonitorClient.resign")
  /// Returns the accounts that need attention at `now`, longest waiting first.
  public var due:
    @Sendable (_ now: Date, _ limit: Int) async throws(StorageError) -> [MonitoredAccount] =
      unimplemented("MonitorClient.due")
  /// Writes plans, in one or a few transactions, and raises the revisions. Alerts and deliveries
  /// that exist already are left as they are, except for a cancelled delivery, which becomes
  /// pending again.
  ///
  /// Each plan is written whole or not at all; one that can't be written fails alone (ESC-6).
  /// Results are on disk when this returns.
  /// - Returns: For each plan, in their order, `false` if the account had changed since it was read
  ///   and nothing was written.
  public var apply:
    @Sendable (_ plans: [AccountPlan], _ now: Date) async throws(StorageError)
      -> [Result<Bool, StorageError>] = unimplemented("MonitorClient.apply")
  /// Claims pending deliveries that are due and not claimed, until `now` + `lease`. Those of
  /// accounts that must be planned first are left.
  ///
  /// Calls come first, then messages that were never tried, then the others; among these, one
  /// message of each account in turn, oldest first, so that nobody waits for another person's many
  /// messages (ESC-6).
  ///
  /// Where a server refuses access or asks to wait, one message at a time tries it, and the others
  /// of the same login or token wait (CHN-2).
  public var claim:
    @Sendable (_ now: Date, _ lease: TimeSpan, _ request: ClaimRequest)
      async throws(StorageError) -> [ClaimedDelivery] = unimplemented("MonitorClient.claim")
  /// Extends a claim until `end`, because the attempt is still under way.
  /// - Returns: `false` if the token is not the current one: another monitor has the message.
  public var renew:
    @Sendable (_ delivery: UUID, _ token: UUID, _ end: Date) async throws(StorageError) -> Bool =
      unimplemented("MonitorClient.renew")
  /// Records the outcome of an attempt. A delivery to be tried again becomes due at `retryAt`; with
  /// `nil` it has failed.
  /// - Returns: `false`, with nothing written, if the token is not the current one.
  public var record:
    @Sendable (
      _ delivery: UUID, _ token: UUID, _ outcome: DeliveryOutcome, _ retryAt: Date?, _ now: Date
    ) async throws(StorageError) -> Bool = unimplemented("MonitorClient.record")
  /// Gives the channel of a claimed delivery the address to which its service says that the
  /// recipient has moved.
  public var moveChannel:
    @Sendable (
      _ delivery: UUID, _ token: UUID, _ address: String
    ) async throws(StorageError) -> Void = {
      (_: UUID, _: UUID, _: String) async throws(StorageError) in
    }
  /// Returns the next instant at which ``due`` or ``claim`` has something, or `nil` for never.
  public var nextWake: @Sendable () async throws(StorageError) -> Date? = unimplemented(
    "MonitorClient.nextWake")
  /// Returns what waits in files because the store could not be written (ALT-7), a few at a time:
  /// armed alerts first, then those that were stopped.
  public var spooled: @Sendable () async -> [SpooledAlert] = { [] }
  /// Writes one of ``spooled`` to the store and removes its file; doing it twice has no further
  /// effect.
  public var takeSpooled: @Sendable (SpooledAlert) async throws(StorageError) -> Void = {
    (_: SpooledAlert) async throws(StorageError) in
  }
  /// Emits an element whenever the store may have been written; coalesced, never replayed.
  public var changes: @Sendable () -> AsyncStream<Void> = unimplemented(
    "MonitorClient.changes", placeholder: AsyncStream { $0.finish() })

  public init() {}
}

extension MonitorClient {
  /// Announces that a monitor is alive, at a fixed time.
  public func heartbeat(
    _ monitor: UUID, _ now: Date, _ lease: TimeSpan, _ problem: MonitorProblem?
  ) async throws(StorageError) -> Int {
    try await heartbeat(monitor, { now }, lease, problem)
  }

  /// Writes one plan.
  /// - Returns: `false`, with nothing written, if the account has changed since it was read.
  public func apply(
    _ plan: Plan, _ account: User.ID, _ revision: Int, _ now: Date
  ) async throws(StorageError) -> Bool {
    let results = try await apply(
      [AccountPlan(account: account, revision: revision, plan: plan)], now)
    return try results[0].get()
  }
}

extension DependencyValues {
  public var monitorClient: MonitorClient {
    get { self[MonitorClient.self] }
    set { self[MonitorClient.self] = newValue }
  }
}
