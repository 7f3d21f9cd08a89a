import Clients
import Domain
import FoundationEssentials

extension MailSettingsClient {
  /// Returns a client that keeps settings in the user's `config.json5` and passwords in the
  /// keychain, behind the gate. A monitor's program sends the test of a candidate.
  static func live(
    _ invocation: Invocation, keychain: KeychainClient, auth: AuthClient
  ) -> MailSettingsClient {
    let candidate = MailCandidate(invocation: invocation, keychain: keychain)
    return MailSettingsClient {
      $0.settings = { () async throws(ClientError) in
        do {
          return try invocation.configuration(try invocation.folders()).configuration.mailTransport
        } catch {
          throw .settings(ConfigurationError(error))
        }
      }
      $0.save = { smtp, password async throws(ClientError) in
        // Before writing anything: someone who can't change the password must not change the
        // server.
        try await auth.passGate(.changeSecret)
        try await candidate.save(smtp, password)
      }
      $0.test = { () async throws(ClientError) in try await candidate.test() }
      $0.keep = { () async throws(ClientError) in try await candidate.promote() }
      $0.discard = { () async throws(ClientError) in try await candidate.discard() }
    }
  }
}

/// A mail account that isn't in use yet: a file like `config.json5` beside it, and a secret beside
/// the password in use. It is left behind if the program ends, and means nothing then.
private struct MailCandidate: Sendable {
  let invocation: Invocation
  let keychain: KeychainClient

  func save(_ smtp: SMTPSettings, _ password: Secret<String>?) async throws(ClientError) {
    try await discard()
    do {
      let folders = try invocation.folders()
      // A file that can't take the account later is refused now.
      _ = try text(with: smtp, folders)
      let text = try Configuration.json5("", withMail: smtp)
      try invocation.machine.writePrivateFile(folders.mailCandidate, Array(text.utf8))
    } catch { throw .settings(ConfigurationError(error)) }
    guard let password, smtp.username != nil else { return }
    try await keeping { () throws(KeychainError) in
      try await keychain.set(KeychainClient.smtpCandidate, password.value)
    }
  }

  func test() async throws(ClientError) -> MailTestResult {
    let smtp = try saved()
    let program: String
    let path: String
    do {
      program = try invocation.machine.monitorProgram()
      path = try invocation.folders().mailCandidate
    } catch { throw .settings(ConfigurationError(error)) }
    let outcome = await invocation.machine.run([program, "--test-mail", path])
    guard let outcome else {
      return MailTestResult(
        failure: "lifesignal-monitor could not be started", to: smtp.from, .smtp(smtp))
    }
    guard outcome.isSuccess else {
      let line = outcome.output.split(separator: "\n").first.map(String.init) ?? ""
      let reason = line.trimmingPrefix("lifesignal-monitor: ").trimmingPrefix("\(smtp.from): ")
      return MailTestResult(
        failure: reason.isEmpty ? "no reason was given" : String(reason), to: smtp.from, .smtp(smtp)
      )
    }
    // A closed sheet has discarded it.
    if !Task.isCancelled { try await promote() }
    return MailTestResult(failure: nil, to: smtp.from, .smtp(smtp))
  }

  /// Puts the candidate into use. Changes that others have made to the file in the meantime stay.
  func promote() async throws(ClientError) {
    let smtp = try saved()
    let (folders, text): (Folders, String)
    do {
      folders = try invocation.folders()
      text = try self.text(with: smtp, folders)
    } catch { throw .settings(ConfigurationError(error)) }
    let before = try await keeping { () throws(KeychainError) in
      try await SavedPassword(in: keychain)
    }
    try await keeping { () throws(KeychainError) in
      guard smtp.username != nil, let secret = try await keychain.get(KeychainClient.smtpCandidate)
      else { return }
      try await keychain.set(KeychainClient.smtpPassword, secret)
    }
    do { try invocation.machine.writePrivateFile(folders.configuration, Array(text.utf8)) } catch {
      // The old account stays in force, so it needs its password back.
      try? await before.restore(in: keychain)
      throw .settings(ConfigurationError(error))
    }
    try await discard()
  }

  func discard() async throws(ClientError) {
    do { _ = try invocation.machine.removeFile(try invocation.folders().mailCandidate) } catch {
      throw .settings(ConfigurationError(error))
    }
    try await keeping { () throws(KeychainError) in
      guard try await keychain.source(KeychainClient.smtpCandidate) != nil else { return }
      try await keychain.delete(KeychainClient.smtpCandidate)
    }
  }

  private func saved() throws(ClientError) -> SMTPSettings {
    do {
      let path = try invocation.folders().mailCandidate
      let bytes = try invocation.readFile(path, Configuration.sizeLimit) ?? []
      if let smtp = try Configuration(json5: Data(bytes)).smtp { return smtp }
    } catch { throw .settings(ConfigurationError(error)) }
    throw .settings(ConfigurationError(reason: "the account to test is gone"))
  }

  /// Returns the text of `config.json5` with an account.
  private func text(with smtp: SMTPSettings, _ folders: Folders) throws -> String {
    let bytes = try invocation.readFile(folders.configuration, Configuration.sizeLimit) ?? []
    return try Configuration.json5(String(decoding: bytes, as: UTF8.self), withMail: smtp)
  }

  private func keeping<Value>(
    _ body: () async throws(KeychainError) -> Value
  ) async throws(ClientError) -> Value {
    do throws(KeychainError) { return try await body() } catch { throw .keychain(error) }
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
    default: self.init(reason: ErrorTransformer.summary(of: error))
    }
  }
}
