import Clients
import Domain

extension MailSettingsClient {
  /// The person's `config.json5` and the keychain, behind the gate.
  static func live(
    _ invocation: Invocation, keychain: KeychainClient, auth: AuthClient
  ) -> MailSettingsClient {
    MailSettingsClient {
      $0.settings = { () async throws(ClientError) in
        do {
          return try invocation.configuration(try invocation.folders()).configuration.mailTransport
        } catch {
          throw .settings(ConfigurationError(error))
        }
      }
      $0.save = {
        (smtp: SMTPSettings, password: Secret<String>?, passphrase: Secret<String>?)
          async throws(ClientError) in
        // Before anything is written: who may not change the password may not change the server.
        try await auth.passGate(.changeSecret, passphrase)
        let folders: Folders
        let text: String
        do {
          folders = try invocation.folders()
          let bytes = try invocation.readFile(folders.configuration, Configuration.sizeLimit) ?? []
          text = try Configuration.json5(String(decoding: bytes, as: UTF8.self), withMail: smtp)
        } catch { throw .settings(ConfigurationError(error)) }
        if let password, smtp.username != nil {
          do throws(KeychainError) {
            try await keychain.set(KeychainClient.smtpPassword, password.value)
          } catch {
            throw .keychain(error)
          }
        }
        do { try invocation.machine.writePublicFile(folders.configuration, Array(text.utf8)) } catch
        {
          throw .settings(ConfigurationError(error))
        }
      }
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
