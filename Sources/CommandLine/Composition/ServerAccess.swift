import Clients
import Composable
import Domain
import FoundationEssentials
import SQLite
import SharedPlatform
import System

/// Access to servers, and to the one that this machine has joined.
struct ServerAccess: Sendable {
  /// Returns the server that this machine has joined.
  var joined: @Sendable (Folders) throws(StorageError) -> JoinedServer? = { _ in nil }
  /// Returns a closure that sets the clients of a server.
  /// - Parameter invite: The code of an invitation, to create an account.
  var open:
    @Sendable (Folders, JoinedServer, _ invite: String?, _ account: String?) throws(StorageError) ->
      StoreAccess.ClientProvider = { (_, _, _, _) throws(StorageError) in
        throw .unimplemented("ServerAccess.open")
      }
  /// Returns a closure that sets the clients of this machine's own store, even if it has joined a
  /// server.
  var openHere: @Sendable (Folders) throws(StorageError) -> StoreAccess.ClientProvider = {
    (_) throws(StorageError) in throw .unimplemented("ServerAccess.openHere")
  }
  /// Asks a server for its identity.
  var identify: @Sendable (JoinedServer) async throws(NetworkError) -> ServerConnection.Identity = {
    (_) async throws(NetworkError) in throw .connectionFailed
  }
  /// Asks a server for its statement.
  var statement: @Sendable (JoinedServer) async throws(NetworkError) -> ServerConnection.Statement =
    { (_) async throws(NetworkError) in throw .connectionFailed }

  /// Reads the joined server from the user's folders.
  /// - Parameters:
  ///   - now: The clock.
  ///   - uptime: How long this machine has been running.
  static func live(
    now: @escaping @Sendable () -> Date, uptime: @escaping @Sendable () -> Uptime?
  ) -> ServerAccess {
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
            pages: PageCache(path: folders.pageCache, now: now),
            references: .kept(in: folders), outbox: OutboxFolder(folders), now: now,
            uptime: uptime)
        } catch { throw .permissionDenied(error.errorDescription) }
        return { values in
          machine.install(in: &values)
          SharedPlatform(connection, address: account) {
            SyncLauncher(folders, account: account).start()
          }
          .install(in: &values)
        }
      },
      identify: { (server: JoinedServer) async throws(NetworkError) in
        try await anonymousConnection(to: server, now: now).identify()
      },
      statement: { (server: JoinedServer) async throws(NetworkError) in
        try await anonymousConnection(to: server, now: now).statement()
      })
  }

  /// Opens a connection that reveals nothing about the user.
  private static func anonymousConnection(
    to server: JoinedServer, now: @escaping @Sendable () -> Date
  ) throws(NetworkError) -> ServerConnection {
    do throws(KeychainError) {
      return try ServerConnection(to: server, device: "", tokens: .none, now: now)
    } catch { throw .connectionFailed }
  }
}

extension ServerConnection.TokenKeeper {
  /// Keeps the token of one account on one server.
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

extension ServerClock.Keeper {
  /// Keeps the reference in a file. One that can't be read or written costs a question to the
  /// server.
  fileprivate static func kept(in folders: Folders) -> Self {
    Self(
      load: {
        (try? EmbeddedPlatform.privateBytes(of: folders.serverReference)).flatMap {
          $0.map { Data($0) }
        }
      },
      keep: {
        try? EmbeddedPlatform.keepPrivate(Array($0), as: "reference.json", in: folders.outbox)
      })
  }
}

extension KeychainClient {
  /// Returns the name of the token of an account on a server.
  static func sessionToken(of account: String? = nil, at server: JoinedServer) -> String {
    (account.map(sessionToken(of:)) ?? sessionToken) + "@" + server.url
  }
}

extension Invocation {
  /// Returns the server that this machine has joined; `nil` if it keeps its own accounts.
  func joinedServer() throws -> JoinedServer? { try storeAccess.servers.joined(try folders()) }
}
