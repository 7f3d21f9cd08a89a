public import Composable
public import Domain

extension SharedCode {
  /// Returns the code, if its account can be on a host.
  /// - Throws: ``ClientError/codeElsewhere(_:here:)`` for the code of another server.
  public func code(at host: AccountHost) throws(ClientError) -> AccountCode {
    guard let server, server != host.serverName?.lowercased() else { return code }
    throw .codeElsewhere(server, here: host.serverName)
  }
}

extension DependencyValues {
  private enum AccountHostKey: DependencyKey {
    static var liveValue: AccountHost { .thisMachine }
    static var testValue: AccountHost { .thisMachine }
  }

  /// The host that keeps the accounts, set by the platform.
  public var accountHost: AccountHost {
    get { self[AccountHostKey.self] }
    set { self[AccountHostKey.self] = newValue }
  }
}
