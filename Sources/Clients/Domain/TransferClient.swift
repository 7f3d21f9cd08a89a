public import Composable
public import Domain

/// Taking an account out of a store, and into one.
public struct TransferClient: ClientInterface {
  /// Everything of the signed-in account but secrets and silent alerts.
  @Endpoint("TransferClient.exportAccount")
  public var exportAccount: @Sendable () async throws(ClientError) -> AccountExport
  /// Opens the account in a store that has none. Into the signed-in account it adds what is missing:
  /// contacts and documents, and the history where it is the same account's. All of it or nothing. The
  /// passphrase is that of the gate of the account that is there.
  /// - Throws: ``ClientError/gate(_:)``.
  @Endpoint("TransferClient.importAccount")
  public var importAccount:
    @Sendable (AccountExport, _ passphrase: Secret<String>?) async throws(ClientError) ->
      ImportReport

  /// All that is to move to a server, behind the gate if one is set.
  /// - Throws: ``ClientError/cannotMove(_:)``, ``ClientError/gate(_:)``.
  @Endpoint("TransferClient.prepareMove")
  public var prepareMove:
    @Sendable (_ passphrase: Secret<String>?) async throws(ClientError) -> AccountMove
  /// Marks the account as moved to a server, so that it takes no check-ins here, unless it has changed since
  /// it was prepared. Its monitor goes on.
  /// - Returns: Whether it is marked.
  @Endpoint("TransferClient.completeMove")
  public var completeMove:
    @Sendable (AccountMove, _ server: String) async throws(ClientError) -> Bool
  /// Has no monitor of this store watch the deadline of an account that has moved.
  @Endpoint("TransferClient.standDown")
  public var standDown: @Sendable () async throws(ClientError) -> Void
  /// The server to which every account of this store has moved, and which watches them; `nil` where anything is
  /// watched here. Nobody need be signed in.
  @Endpoint("TransferClient.movedTo")
  public var movedTo: @Sendable () async throws(ClientError) -> String?
  /// Checks in to the account that moved from here, as it was then: it is this machine's again and watched here,
  /// whatever the server does.
  /// - Throws: ``ClientError/gate(_:)``.
  @Endpoint("TransferClient.reclaim")
  public var reclaim:
    @Sendable (CheckIn.Source, _ passphrase: Secret<String>?) async throws(ClientError) -> User
  /// Puts what was moved in the place of a new account, or of what an earlier try has brought. Nobody watches
  /// its deadline here before ``arrive``.
  /// - Throws: ``ClientError/cannotMove(_:)``.
  @Endpoint("TransferClient.receiveMove")
  public var receiveMove: @Sendable (AccountMove) async throws(ClientError) -> Void
  /// Has the monitors watch the deadline of an account that has moved here.
  /// - Returns: Whether one has looked at it since.
  @Endpoint("TransferClient.arrive")
  public var arrive: @Sendable () async throws(ClientError) -> Bool

  public init() {}

  /// Imports where there is no gate.
  public func importAccount(_ export: AccountExport) async throws(ClientError) -> ImportReport {
    try await importAccount(export, nil)
  }
}

/// What an import has done.
public struct ImportReport: Equatable, Codable, Sendable {
  /// Whether the account was opened, rather than added to.
  public var opened = false
  public var contacts = 0
  public var checkIns = 0
  public var alerts = 0
  public var notifications = 0
  public var documents = 0

  public init() {}
}

extension DependencyValues {
  public var transferClient: TransferClient {
    get { self[TransferClient.self] }
    set { self[TransferClient.self] = newValue }
  }
}
