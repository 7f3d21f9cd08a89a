import Clients
import Composable
import Domain
import FoundationEssentials
import SQLite
import SharedPlatform
import System

/// How the program comes to a server, and knows which one this machine has joined.
struct ServerAccess: Sendable {
  /// The server that this machine has joined.
  var joined: @Sendable (Folders) throws(StorageError) -> JoinedServer? = { _ in nil }
  /// What sets the clients that ask a server.
  /// - Parameter invite: The code of an invitation, for who opens an account.
  var open:
    @Sendable (Folders, JoinedServer, _ invite: String?, _ account: String?) throws(StorageError) ->
      StoreAccess.ClientProvider = { (_, _, _, _) throws(StorageError) in
        throw .unimplemented("ServerAccess.open")
      }
  /// What sets the clients of this machine's own store, whatever server it has joined.
  var openHere: @Sendable (Folders) throws(StorageError) -> StoreAccess.ClientProvider = {
    (_) throws(StorageError) in throw .unimplemented("ServerAccess.openHere")
  }
  /// What a server shows of itself.
  var identify: @Sendable (JoinedServer) async throws(NetworkError) -> ServerConnection.Identity = {
    (_) async throws(NetworkError) in throw .connectionFailed
  }
  /// What a server says of itself.
  var statement: @Sendable (JoinedServer) async throws(NetworkError) -> ServerConnection.Statement =
    { (_) async throws(NetworkError) in throw .connectionFailed }

  /// The settings in the person's folders.
  /// - Parameter now: What the time is.
  static func live(now: @escaping @Sendable () -> Date) -> ServerAccess {
    ServerAccess(
      joined: { (folders: Folders) throws(StorageError) in
        guard let bytes = try EmbeddedPlatform.privateBytes(of: folders.joinedServer) else {
          return nil
        }
        guard let server = JoinedServer(bytes: bytes) else {
          throw .permissionDenied(
            "\(folders.joinedServer) doesn't name a server; join it again, or run lifesignal leave")
        }
        return server
      },
      open: { (folders, server, invite, account) throws(StorageError) in
        let machine = try EmbeddedPlatform.withoutStore(
          folders: folders, fault: .ofServer(server.name), now: now,
          secretCommand: { (name: String) throws(KeychainError) in
            try (try? SettingsFile(path: folders.configuration).read())?.secretCommand(name)
          })
        let connection: ServerConnection
        do throws(KeychainError) {
          connection = try ServerConnection(
            to: server, device: EmbeddedPlatform.hostName, invite: invite,
            tokens: .kept(by: machine, for: server, account),
            pages: PageCache(path: folders.pageCache, now: now), now: now)
        } catch { throw .permissionDenied(error.errorDescription) }
        return { values in
          machine.install(in: &values)
          SharedPlatform(connection, address: account).install(in: &values)
        }
      },
      identify: { (server: JoinedServer) async throws(NetworkError) in
        try await stranger(to: server, now: now).identify()
      },
      statement: { (server: JoinedServer) async throws(NetworkError) in
        try await stranger(to: server, now: now).statement()
      })
  }

  /// A way to a server that shows nothing of who asks.
  private static func stranger(
    to server: JoinedServer, now: @escaping @Sendable () -> Date
  ) throws(NetworkError) -> ServerConnection {
    do throws(KeychainError) {
      return try ServerConnection(to: server, device: "", tokens: .none, now: now)
    } catch { throw .connectionFailed }
  }
}

extension ServerConnection.TokenKeeper {
  /// A token that is for one server and one account only.
  fileprivate static func kept(
    by machine: EmbeddedPlatform, for server: JoinedServer, _ account: String?
  ) -> Self {
    let name = KeychainClient.sessionToken(of: account, at: server)
    return Self(
      load: { () throws(KeychainError) in try machine.keptSecret(name) },
      keep: { (token: String?) throws(KeychainError) in try machine.keepSecret(name, token) })
  }

  fileprivate static let none = Self(
    load: { () throws(KeychainError) in nil }, keep: { (_: String?) throws(KeychainError) in })
}

extension KeychainClient {
  /// The name of the token of an account on a server.
  static func sessionToken(of account: String? = nil, at server: JoinedServer) -> String {
    (account.map(sessionToken(of:)) ?? sessionToken) + "@" + server.url
  }
}

extension Invocation {
  /// The server that this machine has joined; `nil` where it keeps its accounts itself.
  func joinedServer() throws -> JoinedServer? { try storeAccess.servers.joined(try folders()) }
}
