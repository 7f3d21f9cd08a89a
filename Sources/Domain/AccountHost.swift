/// The host that keeps the accounts, watches their deadlines and sends their messages.
public enum AccountHost: Equatable, Sendable {
  case thisMachine
  /// A server that this machine has joined; the name includes the port unless it is the default.
  case server(name: String)

  /// The host as it is named in a sentence.
  public var name: String { serverName ?? "this computer" }

  /// Says who else can read what is kept there; `nil` for this machine. Nothing is encrypted so that a
  /// server's own people couldn't read it: its monitor writes the messages.
  public var readersText: String? {
    serverName.map { "The people who run \($0) can read this." }
  }

  /// The server's name, or `nil` for this machine.
  public var serverName: String? { if case .server(let name) = self { name } else { nil } }
}
