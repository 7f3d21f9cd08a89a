public import Composable
public import Domain

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
