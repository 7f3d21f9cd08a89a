public import Composable
public import Domain
public import FoundationEssentials

/// The store as a monitor uses it: what is due, what was planned, who delivers it, and the result.
///
/// What writes does so in one transaction each time, but for ``apply``, which may take a few, and
/// ``heartbeat``, which ends old pings in another (PNG-1): what is wrong with those is no failure of
/// the heartbeat. The order that loses nothing is `due` → `apply` → `claim` → send → `record`; a crash
/// between any two of them leaves work that another monitor finds.
public struct MonitorClient: ClientInterface {
  /// Announces that a monitor is alive until `now` + `lease`, with the problem it has, if any.
  ///
  /// `now` is asked while nobody else can write: a monitor that is stopped on its way here would else
  /// bring a time that others have left behind, as if the clock had been set back (ESC-5).
  ///
  /// After a gap – nobody watched for longer than ``WatchStatus/longestGap``, or the clock was set –
  /// a new watch begins: every account is looked at again, and nothing waits for an instant that
  /// was far away on the old clock (ESC-4, ESC-5). Without a new watch the same comes of a monitor that
  /// believes only now, later than another one, that the clock was set back, or that went before it did.
  /// - Returns: how many other monitors are alive.
  public var heartbeat:
    @Sendable (
      _ monitor: UUID, _ now: @escaping @Sendable () -> Date, _ lease: TimeSpan,
      _ problem: MonitorProblem?
    ) async throws(StorageError) -> Int = unimplemented("MonitorClient.heartbeat")
  /// Ends the lease of a monitor that stops in good order; when it was last seen stays known.
  public var resign: @Sendable (_ monitor: UUID) async throws(StorageError) -> Void = unimplemented(
    "MonitorClient.resign")
  /// Accounts that need attention at `now`, longest waiting first.
  public var due:
    @Sendable (_ now: Date, _ limit: Int) async throws(StorageError) -> [MonitoredAccount] =
      unimplemented("MonitorClient.due")
  /// Writes plans, all in one transaction or in few, and raises the revisions. Alerts and deliveries
  /// that exist already are left as they are, but for a cancelled delivery, which is wanted again.
  ///
  /// Each plan is kept whole or not at all; one that cannot be written fails alone (ESC-6). What a
  /// result says is on disk when this returns.
  /// - Returns: for each plan, in their order, `false` when the account had changed since it was read,
  ///   so that nothing was written.
  public var apply:
    @Sendable (_ plans: [AccountPlan], _ now: Date) async throws(StorageError)
      -> [Result<Bool, StorageError>] = unimplemented("MonitorClient.apply")
  /// Takes pending deliveries whose time has come and which nobody holds, until `now` + `lease`.
  /// Those of accounts that need attention first are left.
  ///
  /// Calls go before all else, what was never tried before what was, and then one message of each
  /// account after the other, the oldest first: nobody waits for another's many messages (ESC-6).
  public var claim:
    @Sendable (_ now: Date, _ lease: TimeSpan, _ request: ClaimRequest)
      async throws(StorageError) -> [ClaimedDelivery] = unimplemented("MonitorClient.claim")
  /// Records how an attempt ended; a delivery to be tried again becomes due at `retryAt`, or has
  /// failed where that is `nil`.
  /// - Returns: `false`, with nothing written, when the token is not the current one.
  public var record:
    @Sendable (
      _ delivery: UUID, _ token: UUID, _ outcome: DeliveryOutcome, _ retryAt: Date?, _ now: Date
    ) async throws(StorageError) -> Bool = unimplemented("MonitorClient.record")
  /// The next instant at which ``due`` or ``claim`` will have something, or `nil` for never.
  public var nextWake: @Sendable () async throws(StorageError) -> Date? = unimplemented(
    "MonitorClient.nextWake")
  /// What waits in files because the store could not be written (ALT-7), a few at most: armed alerts,
  /// and then those that were stopped.
  public var spooled: @Sendable () async -> [SpooledAlert] = { [] }
  /// Writes one of ``spooled`` to the store and removes its file; twice is once.
  public var takeSpooled: @Sendable (SpooledAlert) async throws(StorageError) -> Void = {
    (_: SpooledAlert) async throws(StorageError) in
  }
  /// An element whenever somebody may have written to the store; coalesced, never replayed.
  public var changes: @Sendable () -> AsyncStream<Void> = unimplemented(
    "MonitorClient.changes", placeholder: AsyncStream { $0.finish() })

  public init() {}
}

extension MonitorClient {
  /// Announces that a monitor is alive at a time that does not pass in the meantime.
  public func heartbeat(
    _ monitor: UUID, _ now: Date, _ lease: TimeSpan, _ problem: MonitorProblem?
  ) async throws(StorageError) -> Int {
    try await heartbeat(monitor, { now }, lease, problem)
  }

  /// Writes one plan.
  /// - Returns: `false`, with nothing written, when the account has changed since it was read.
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
