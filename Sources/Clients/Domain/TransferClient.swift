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
