public import Clients
import FoundationEssentials
import Glibc
import Store

/// The places where a secret is looked for, in order: systemd's credentials, the command that the
/// person configured, the desktop's keyring, and the file that only its owner can read.
///
/// The tokens of sessions are in the file alone. Anyone who reads the file can read the store
/// beside it as well; and with them in the keyring, the program could not start without the
/// desktop.
struct SecretChain: Sendable {
  let store: Store
  let file: SecretsFile
  let command: EmbeddedPlatform.SecretCommandProvider
  /// The desktop's keyring; `nil` if there is none.
  let keyring: Keyring?

  typealias Found = (secret: String, source: SecretSource)

  func find(_ name: String) async throws(KeychainError) -> Found? {
    if let credentials = file.credentials,
      let secret = try await store.perform({ [file] () throws(KeychainError) in
        try file.credential(name)
      })
    {
      return (secret, .credentials(folder: credentials))
    }
    let isOfSession = KeychainClient.isSessionToken(name)
    if !isOfSession, let command = try command(name) {
      return (
        try await SecretCommandRun(command: command).secret(), .command(program: command.program)
      )
    }
    var isSilent = false
    if !isOfSession, let keyring {
      do {
        if let secret = try await keyring.secret(name) { return (secret, .keyring) }
      } catch { isSilent = error == .noAnswer }
    }
    let secret = try await store.perform { [file] () throws(KeychainError) in try file.kept(name) }
    if let secret { return (secret, .file(path: file.path)) }
    guard !isSilent else { throw Self.keyringIsSilent("it may hold this secret") }
    return nil
  }

  /// Keeps a secret in the file, where a monitor can read it without a desktop.
  func keep(_ name: String, _ secret: String?) async throws(KeychainError) {
    try await store.perform { [file] () throws(KeychainError) in
      try file.set(name, secret)
    }
    // A secret in the keyring would come first.
    guard !KeychainClient.isSessionToken(name), let keyring else { return }
    do { try await keyring.delete(name) } catch {
      guard error == .absent else {
        throw Self.keyringIsSilent("the file was changed, but an older secret there comes first")
      }
    }
  }

  func keepInKeyring(_ name: String, _ secret: String) async throws(KeychainError) {
    guard !KeychainClient.isSessionToken(name), let keyring else { throw Self.noKeyring }
    do { try await keyring.keep(secret, as: name) } catch {
      throw error == .absent ? Self.noKeyring : Self.keyringIsSilent("nothing was changed")
    }
    try await store.perform { [file] () throws(KeychainError) in
      try file.set(name, nil)
    }
  }

  private static let noKeyring = KeychainError.unavailable(
    "the desktop's keyring needs secret-tool (package libsecret-tools) and a session on the desktop"
  )

  private static func keyringIsSilent(_ consequence: String) -> KeychainError {
    .unavailable("the desktop's keyring does not answer; \(consequence)")
  }
}

extension EmbeddedPlatform {
  /// Returns a secret while the store can't be opened, from everywhere but the desktop's keyring.
  public static func secret(
    _ name: String, folders: Folders, command: SecretCommandProvider
  ) async throws(KeychainError) -> String? {
    let file = SecretsFile(
      path: folders.secrets,
      credentials: getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) })
    if let secret = try file.credential(name) { return secret }
    if let command = try command(name) {
      return try await SecretCommandRun(command: command).secret()
    }
    return try file.kept(name)
  }

}

extension SecretChain {
  var client: KeychainClient {
    let chain = self
    return KeychainClient {
      $0.get = { (name: String) async throws(KeychainError) in try await chain.find(name)?.secret }
      $0.set = { (name: String, secret: String) async throws(KeychainError) in
        try await chain.keep(name, secret)
      }
      $0.delete = { (name: String) async throws(KeychainError) in try await chain.keep(name, nil) }
      $0.source = { (name: String) async throws(KeychainError) in try await chain.find(name)?.source
      }
      $0.keepInKeyring = { (name: String, secret: String) async throws(KeychainError) in
        try await chain.keepInKeyring(name, secret)
      }
    }
  }
}
