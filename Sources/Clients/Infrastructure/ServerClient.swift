public import Composable
public import Domain

/// A server that keeps accounts and files for several machines (`docs/server.md`).
///
/// The signed-in account is named by the token of a session, which is in no log and no recording. A
/// server that does not know it any more answers ``ServerClientError/tokenExpired``: sign in again.
public struct ServerClient: ClientInterface {
  /// Tells the server by which token this device is reached.
  public var registerDevice:
    @Sendable (_ token: Secret<String>, _ session: Secret<String>) async throws(ServerClientError)
      -> RegisteredDevice = unimplemented("ServerClient.registerDevice")
  /// Opens an account.
  public var registerUser:
    @Sendable (ServerRegistration) async throws(ServerClientError) -> UserData = unimplemented(
      "ServerClient.registerUser")
  /// Signs in.
  public var loginUser: @Sendable (Credentials) async throws(ServerClientError) -> LoginResponse =
    unimplemented("ServerClient.loginUser")
  /// All files of the signed-in account, in the server's order.
  public var getFiles:
    @Sendable (_ session: Secret<String>) async throws(ServerClientError) -> [ServerFile] =
      unimplemented("ServerClient.getFiles")
  /// Adds a file of at most ``DocumentRules/sizeLimit`` bytes.
  public var addFile:
    @Sendable (NewServerFile, _ session: Secret<String>) async throws(ServerClientError) ->
      ServerFile = unimplemented("ServerClient.addFile")

  public init() {}
}

extension DependencyValues {
  public var serverClient: ServerClient {
    get { self[ServerClient.self] }
    set { self[ServerClient.self] = newValue }
  }
}
