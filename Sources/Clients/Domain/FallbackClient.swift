public import Composable
public import Domain
public import FoundationEssentials

/// The store as a monitor uses it while nothing can be written to it: the disk is full, the file
/// system was made read-only, somebody holds the lock.
///
/// Looking needs no write, and ``adopt`` makes up for what was not written.
public struct FallbackClient: ClientInterface {
  /// A part of the accounts that need attention at `now` or have messages that are due, longest
  /// waiting first. One that cannot be read is left out.
  public var waiting:
    @Sendable (_ now: Date, _ offset: Int, _ limit: Int) async throws(StorageError) -> WaitingPage =
      unimplemented("FallbackClient.waiting")
  /// One account, due or not; `nil` where there is none.
  public var account: @Sendable (User.ID) async throws(StorageError) -> MonitoredAccount? =
    unimplemented("FallbackClient.account")
  /// Adds to a message what the store has for it: its secret and code, and all of a message that was
  /// planned before.
  /// - Returns: `nil` when the store has it as sent, cancelled, given up or being sent.
  public var equip:
    @Sendable (_ message: ClaimedDelivery, _ now: Date) async throws(StorageError)
      -> ClaimedDelivery? = unimplemented("FallbackClient.equip")
  /// Writes what a monitor did for an account in one transaction, and has the account looked at.
  /// Doing so twice is doing so once; of an account that is gone nothing is written.
  public var adopt: @Sendable (_ memory: AccountMemory) async throws(StorageError) -> Void =
    unimplemented("FallbackClient.adopt")

  public init() {}
}

/// A part of the accounts that wait for a monitor.
public struct WaitingPage: Equatable, Sendable {
  public var accounts: [MonitoredAccount]
  /// Where the next part begins, or `nil` after the last.
  public var next: Int?

  public init(accounts: [MonitoredAccount], next: Int? = nil) {
    self.accounts = accounts
    self.next = next
  }
}

extension DependencyValues {
  public var fallbackClient: FallbackClient {
    get { self[FallbackClient.self] }
    set { self[FallbackClient.self] = newValue }
  }
}
