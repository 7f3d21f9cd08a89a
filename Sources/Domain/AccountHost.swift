/// Who keeps the accounts that the clients reach, watches them, and sends their messages.
public enum AccountHost: Equatable, Sendable {
  case thisMachine
  /// A server that this machine has joined; its name has a port where that is not the usual one.
  case server(name: String)

  /// As a sentence names it.
  public var name: String { serverName ?? "this computer" }

  /// `nil` for this machine.
  public var serverName: String? { if case .server(let name) = self { name } else { nil } }
}
