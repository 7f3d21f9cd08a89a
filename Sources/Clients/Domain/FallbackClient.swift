public import Composable
public import Domain
public import FoundationEssentials

/// The store as a monitor uses it while nothing can be written to it: the disk is full, the file
/// system is read-only, or another process holds the lock.
///
/// Reading needs no write, and ``adopt`` later stores what could not be written.
public struct FallbackClient: ClientInterface {
  /// Returns a page of the accounts that need attention at `now` or have messages that are due,
  /// longest waiting first. An account that can't be read is left out, and the page says so.
  public var waiting:
    @Sendable (_ now: Date, _ offset: Int, _ limit: Int) async throws(StorageError) -> WaitingPage =
      unimplemented("FallbackClient.waiting")
  /// Returns one account, due or not, or `nil` if there is none.
  public var account: @Sendable (User.ID) async throws(StorageError) -> MonitoredAccount? =
    unimplemented("FallbackClient.account")
  /// Returns an armed alert as it is now, or `nil` if the person has stopped it (ALT-7).
  public var present: @Sendable (ArmedAlert) async -> ArmedAlert? =
    unimplemented("FallbackClient.present", placeholder: nil)
  /// Returns the secrets of the channels on which an account's messages go out.
  public var secrets: @Sendable (User.ID) async throws(StorageError) -> [ChannelSecret] =
    unimplemented("FallbackClient.secrets")
  /// Adds to a message what the store has for it: its secret and code, and everything if it was
  /// planned before.
  /// - Returns: `nil` if the store has it as sent, cancelled, given up or being sent.
  public var equip:
    @Sendable (_ message: ClaimedDelivery, _ now: Date) async throws(StorageError)
      -> ClaimedDelivery? = unimplemented("FallbackClient.equip")
  /// Writes what a monitor did for an account in one transaction, and marks the account as due.
  /// Doing it twice has no further effect; for an account that is gone nothing is written.
  public var adopt: @Sendable (_ memory: AccountMemory) async throws(StorageError) -> Void =
    unimplemented("FallbackClient.adopt")

  public init() {}
}

/// A page of the accounts that wait for a monitor.
public struct WaitingPage: Equatable, Sendable {
  public var accounts: [MonitoredAccount]
  /// The offset of the next page, or `nil` after the last.
  public var next: Int?
  /// Whether there were accounts that can't be read.
  public var hasUnreadable = false

  public init(accounts: [MonitoredAccount], next: Int? = nil) {
    self.accounts = accounts
    self.next = next
  }
}

/// The secret that signs or opens what is sent to one place.
public struct ChannelSecret: Equatable, Sendable {
  public struct Place: Hashable, Sendable {
    public var kind: Channel.Kind
    public var address: String

    public init(kind: Channel.Kind, address: String) {
      self.kind = kind
      self.address = address
    }
  }

  public var place: Place
  public var secret: Secret<String>

  public init(place: Place, secret: Secret<String>) {
    self.place = place
    self.secret = secret
  }
}

extension DependencyValues {
  public var fallbackClient: FallbackClient {
    get { self[FallbackClient.self] }
    set { self[FallbackClient.self] = newValue }
  }
}
