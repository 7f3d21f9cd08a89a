import Clients
import Domain
import Synchronization

extension MailSettingsClient {
  /// Returns a client that keeps settings in the user's `config.json5` and passwords in the
  /// keychain, behind the gate.
  static func live(
    _ invocation: Invocation, keychain: KeychainClient, auth: AuthClient
  ) -> MailSettingsClient {
    let before = Mutex<PreviousMailSettings?>(nil)
    return MailSettingsClient {
      $0.settings = { () async throws(ClientError) in
        before.withLock { $0 = nil }
        do {
          return try invocation.configuration(try invocation.folders()).configuration.mailTransport
        } catch {
          throw .settings(ConfigurationError(error))
        }
      }
      $0.save = { smtp, password, passphrase async throws(ClientError) in
        // Before writing anything: someone who can't change the password must not change the
        // server.
        try await auth.passGate(.changeSecret, passphrase)
        let folders: Folders
        let bytes: [UInt8]
        let text: String
        do {
          folders = try invocation.folders()
          bytes = try invocation.readFile(folders.configuration, Configuration.sizeLimit) ?? []
          text = try Configuration.json5(String(decoding: bytes, as: UTF8.self), withMail: smtp)
        } catch { throw .settings(ConfigurationError(error)) }
        let saved: SavedPassword
        do throws(KeychainError) { saved = try await .init(in: keychain) } catch {
          throw .keychain(error)
        }
        if let password, smtp.username != nil {
          do throws(KeychainError) {
            try await keychain.set(KeychainClient.smtpPassword, password.value)
          } catch {
            throw .keychain(error)
          }
        }
        do {
          try invocation.machine.writePrivateFile(folders.configuration, Array(text.utf8))
        } catch {
          // The old account stays in force, so it needs its password back.
          try? await saved.restore(in: keychain)
          throw .settings(ConfigurationError(error))
        }
        before.withLock { before in
          before = before ?? PreviousMailSettings(bytes, saved)
          before?.since = Array(text.utf8)
        }
      }
      $0.restore = { () async throws(ClientError) in
        // The caller that saved has passed the gate; this undoes only that.
        guard let found = before.withLock({ $0 }) else { return }
        do {
          let file = try invocation.folders().configuration
          let now = try invocation.readFile(file, Configuration.sizeLimit)
          // Another change was made in the meantime; keep it.
          guard now == found.since else { return before.withLock { $0 = nil } }
          try invocation.machine.writePrivateFile(file, found.configuration)
        } catch {
          throw .settings(ConfigurationError(error))
        }
        do throws(KeychainError) { try await found.password.restore(in: keychain) } catch {
          throw .keychain(error)
        }
        before.withLock { $0 = nil }
      }
    }
  }
}

/// The settings before an account was saved.
private struct PreviousMailSettings: Sendable {
  let configuration: [UInt8]
  let password: SavedPassword
  /// The contents last saved in their place.
  var since: [UInt8] = []

  init(_ configuration: [UInt8], _ password: SavedPassword) {
    // The file was missing or empty.
    self.configuration = configuration.isEmpty ? Array("{}\n".utf8) : configuration
    self.password = password
  }
}

/// A password, and where saving another one would overwrite it.
private enum SavedPassword: Sendable {
  case none
  case file(String)
  case keyring(String)

  init(in keychain: KeychainClient) async throws(KeychainError) {
    let name = KeychainClient.smtpPassword
    let source = try await keychain.source(name)
    let secret: String? =
      switch source {
      case .file, .memory, .keyring: try await keychain.get(name)
      // Saving doesn't touch passwords from these sources.
      case .credentials, .command, nil: nil
      }
    self = secret.map { source == .keyring ? .keyring($0) : .file($0) } ?? .none
  }

  func restore(in keychain: KeychainClient) async throws(KeychainError) {
    let name = KeychainClient.smtpPassword
    switch self {
    case .none: try await keychain.delete(name)
    case .file(let secret): try await keychain.set(name, secret)
    case .keyring(let secret): try await keychain.keepInKeyring(name, secret)
    }
  }
}

extension ConfigurationError {
  fileprivate init(_ error: any Error) {
    switch error {
    case let error as ConfigurationError: self = error
    case let error as CommandFailure: self.init(reason: error.sentence)
    case let error as FileError: self.init(reason: "the file can't be written: \(error.reason)")
    default: self.init(reason: "\(error)")
    }
  }
}
