public import Composable
public import Domain

extension SharedCode {
  /// The code, where the account that it belongs to is looked for here at all.
  /// - Throws: ``ClientError/codeElsewhere(_:here:)`` for that of another server.
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

  /// Who keeps the accounts. A platform says it.
  public var accountHost: AccountHost {
    get { self[AccountHostKey.self] }
    set { self[AccountHostKey.self] = newValue }
  }
}
