import Clients
import Composable
import Domain
import FoundationEssentials
import SharedPlatform
import Synchronization

/// An app whose clients use a server over libcurl, with the token in memory.
final class JoinedApp: Sendable {
  let connection: ServerConnection
  let clients: DependencyValues

  init(
    _ server: JoinedServer, token: String? = nil, invite: String? = nil,
    limits: ServerConnection.Limits = .init()
  ) throws {
    let kept = Kept(token)
    connection = try ServerConnection(
      to: server, device: "a laptop", invite: invite,
      tokens: .init(
        load: { () throws(KeychainError) in kept.token },
        keep: { (token: String?) throws(KeychainError) in kept.token = token }),
      limits: limits)
    self.kept = kept
    var values = DependencyValues()
    values.context = .test
    SharedPlatform(connection).install(in: &values)
    clients = values
  }

  convenience init(port: Int, token: String? = nil) throws {
    try self.init(JoinedServer(url: "http://127.0.0.1:\(port)"), token: token)
  }

  let kept: Kept

  /// The error of every request while the server doesn't answer.
  var unreachable: ClientError {
    .storage(.network(.serverUnreachable(connection.server.name)))
  }

  final class Kept: Sendable {
    private let held: Mutex<String?>
    init(_ token: String?) { held = Mutex(token) }
    var token: String? {
      get { held.withLock { $0 } }
      set { held.withLock { $0 = newValue } }
    }
  }

  func signUp() async throws -> User {
    try await clients.authClient.createAccount(
      NewAccount(
        profile: Profile(name: "Ida"),
        credentials: Credentials(email: "ida@example.org", password: Secret("four random words"))))
  }
}
