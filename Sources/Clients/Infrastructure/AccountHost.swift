public import Composable

/// Who keeps the accounts that the clients reach, watches them, and sends their messages.
public enum AccountHost: Equatable, Sendable {
  case thisMachine
  /// A server that this machine has joined; its name has a port where that is not the usual one.
  case server(name: String)

  /// `nil` for this machine.
  public var serverName: String? { if case .server(let name) = self { name } else { nil } }
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
