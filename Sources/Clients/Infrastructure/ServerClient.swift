public import Composable
public import Domain

/// A server that keeps accounts and files for several machines (`docs/server.md`).
///
/// Whoever is signed in is named by the token of a session, which is in no log and no recording. A
/// server that does not know it any more answers ``ServerClientError/unauthorized``: sign in again.
public struct ServerClient: Sendable {
  /// Tells the server by which token this device is reached.
  public var registerDevice:
    @Sendable (_ token: Secret<String>, _ session: Secret<String>) async throws(ServerClientError)
      -> RegisteredDevice
  /// Opens an account.
  public var registerUser:
    @Sendable (ServerRegistration) async throws(ServerClientError) -> UserData
  /// Signs in.
  public var loginUser: @Sendable (Credentials) async throws(ServerClientError) -> LoginResponse
  /// All files of whoever is signed in, in the server's order.
  public var getFiles:
    @Sendable (_ session: Secret<String>) async throws(ServerClientError) -> [ServerFile]
  /// Adds a file of at most ``DocumentRules/sizeLimit`` bytes.
  public var addFile:
    @Sendable (NewServerFile, _ session: Secret<String>) async throws(ServerClientError) ->
      ServerFile

  public init(
    registerDevice:
      @escaping @Sendable (Secret<String>, Secret<String>) async throws(ServerClientError) ->
      RegisteredDevice,
    registerUser:
      @escaping @Sendable (ServerRegistration) async throws(ServerClientError) -> UserData,
    loginUser:
      @escaping @Sendable (Credentials) async throws(ServerClientError) -> LoginResponse,
    getFiles:
      @escaping @Sendable (Secret<String>) async throws(ServerClientError) -> [ServerFile],
    addFile:
      @escaping @Sendable (NewServerFile, Secret<String>) async throws(ServerClientError) ->
      ServerFile
  ) {
    self.registerDevice = registerDevice
    self.registerUser = registerUser
    self.loginUser = loginUser
    self.getFiles = getFiles
    self.addFile = addFile
  }
}

extension ServerClient: TestDependencyKey {
  public static var testValue: Self {
    func missing(_ name: String) -> ServerClientError { .unimplemented("ServerClient.\(name)") }
    return Self(
      registerDevice: unimplemented(
        "ServerClient.registerDevice", throwing: missing("registerDevice")),
      registerUser: unimplemented("ServerClient.registerUser", throwing: missing("registerUser")),
      loginUser: unimplemented("ServerClient.loginUser", throwing: missing("loginUser")),
      getFiles: unimplemented("ServerClient.getFiles", throwing: missing("getFiles")),
      addFile: unimplemented("ServerClient.addFile", throwing: missing("addFile")))
  }
}

extension DependencyValues {
  public var serverClient: ServerClient {
    get { self[ServerClient.self] }
    set { self[ServerClient.self] = newValue }
  }
}
