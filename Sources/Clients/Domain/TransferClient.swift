public import Composable
public import Domain

/// The export, import and move of accounts.
public struct TransferClient: ClientInterface {
  /// Returns everything in the signed-in account except secrets and silent alerts.
  @Endpoint("TransferClient.exportAccount")
  public var exportAccount: @Sendable () async throws(ClientError) -> AccountExport
  /// Opens the account in a store that has none. To a signed-in account it adds what is missing:
  /// contacts and documents, and the history if it is the same account's. Imports everything or
  /// nothing. The gate is that of the signed-in account.
  /// - Throws: ``ClientError/gate(_:)``.
  @Endpoint("TransferClient.importAccount", gate: .importAccount)
  public var importAccount: @Sendable (AccountExport) async throws(ClientError) -> ImportReport

  /// Returns everything that moves to a server; needs the gate's passphrase if there is a gate.
  /// - Throws: ``ClientError/cannotMove(_:)``, ``ClientError/gate(_:)``.
  @Endpoint("TransferClient.prepareMove", gate: .moveAccount)
  public var prepareMove: @Sendable () async throws(ClientError) -> AccountMove
  /// Marks the account as moved to a server, so that it takes no check-ins here, unless it has
  /// changed since it was prepared. The monitor keeps watching it.
  /// - Returns: Whether it was marked.
  @Endpoint("TransferClient.completeMove")
  public var completeMove:
    @Sendable (AccountMove, _ server: String) async throws(ClientError) -> Bool
  /// Stops the monitors of this store from watching the deadline of an account that has moved.
  @Endpoint("TransferClient.stopWatching")
  public var stopWatching: @Sendable () async throws(ClientError) -> Void
  /// Returns the server to which every account of this store has moved and which watches them, or
  /// `nil` if anything is watched here. Nobody needs to be signed in.
  @Endpoint("TransferClient.movedTo")
  public var movedTo: @Sendable () async throws(ClientError) -> String?
  /// Checks in to the account that moved from here, as it was then: it belongs to this machine
  /// again and is watched here, whatever the server does.
  /// - Throws: ``ClientError/gate(_:)``.
  @Endpoint("TransferClient.reclaim", gate: .checkIn)
  public var reclaim: @Sendable (CheckIn.Source) async throws(ClientError) -> User
  /// Replaces a new account, or the result of an earlier attempt, with the account that is moving.
  /// Its deadline is not watched here before ``arrive``.
  /// - Throws: ``ClientError/cannotMove(_:)``.
  @Endpoint("TransferClient.receiveMove")
  public var receiveMove: @Sendable (AccountMove) async throws(ClientError) -> Void
  /// Makes the monitors watch the deadline of an account that has moved here.
  /// - Returns: Whether a monitor has planned for it since.
  @Endpoint("TransferClient.arrive")
  public var arrive: @Sendable () async throws(ClientError) -> Bool

  public init() {}
}

/// The result of an import.
public struct ImportReport: Equatable, Codable, Sendable {
  /// Whether the account was opened, rather than added to.
  public var opened = false
  public var contacts = 0
  public var checkIns = 0
  public var alerts = 0
  public var notifications = 0
  public var documents = 0

  public init() {}

  public static func += (report: inout ImportReport, step: ImportReport) {
    report.opened = report.opened || step.opened
    report.contacts += step.contacts
    report.checkIns += step.checkIns
    report.alerts += step.alerts
    report.notifications += step.notifications
    report.documents += step.documents
  }
}

extension DependencyValues {
  public var transferClient: TransferClient {
    get { self[TransferClient.self] }
    set { self[TransferClient.self] = newValue }
  }
}
