import Clients
import FoundationEssentials
import Glibc
import Synchronization

/// Secrets from systemd's credentials, then from a file that only its owner can read.
final class SecretsFile: Sendable {
  let path: String
  let credentials: String?
  /// Lets one change at a time through in this process; each reads the whole file and replaces it.
  private let changes = Mutex(())

  /// - Parameter credentials: The folder that `$CREDENTIALS_DIRECTORY` names, or `nil`.
  init(path: String, credentials: String?) {
    self.path = path
    self.credentials = credentials
  }

  /// Returns the secret from systemd's credentials, or else the one in the file.
  func get(_ name: String) throws(KeychainError) -> String? {
    if let secret = try credential(name) { return secret }
    return try kept(name)
  }

  /// Returns a secret from systemd's credentials.
  func credential(_ name: String) throws(KeychainError) -> String? {
    guard let credentials, isCredentialName(name) else { return nil }
    do {
      guard let bytes = try PrivateFiles.credential(credentials + "/" + name) else { return nil }
      return String(decoding: bytes, as: UTF8.self).trimmingSuffix("\n")
    } catch {
      throw .wrapping(error)
    }
  }

  /// Returns a secret from the file.
  func kept(_ name: String) throws(KeychainError) -> String? { try contents()[name] }

  func set(_ name: String, _ secret: String?) throws(KeychainError) {
    try changes.withLock { _ throws(KeychainError) in
      let lock = try lock()
      defer { close(lock) }
      var secrets = try contents()
      guard secrets[name] != secret else { return }
      secrets[name] = secret
      do {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try PrivateFiles.replace(path, with: Array(encoder.encode(secrets)))
      } catch {
        throw .wrapping(error)
      }
    }
  }

  /// Keeps other processes from changing the file until the descriptor is closed.
  private func lock() throws(KeychainError) -> Int32 {
    let path = path + ".lock"
    let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    do throws(StorageError) {
      guard descriptor >= 0 else { throw PrivateFiles.failure("\(path) could not be made") }
      try PrivateFiles.lock(descriptor, LOCK_EX)
    } catch {
      if descriptor >= 0 { close(descriptor) }
      throw .wrapping(error)
    }
    return descriptor
  }

  private func contents() throws(KeychainError) -> [String: String] {
    do {
      guard let bytes = try PrivateFiles.contents(of: path) else { return [:] }
      return try JSONDecoder().decode([String: String].self, from: Data(bytes))
    } catch let error as StorageError {
      throw .wrapping(error)
    } catch {
      // The decoder's message could contain a part of the file.
      throw .unavailable("\(path) isn't a JSON object of strings")
    }
  }

  /// Returns whether a name stays within the folder.
  private func isCredentialName(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && !name.utf8.contains(UInt8(ascii: "/"))
  }
}

extension KeychainError {
  fileprivate static func wrapping(_ error: any Error) -> KeychainError {
    switch error {
    case StorageError.permissionDenied(let detail): .permissionDenied(detail)
    case StorageError.full: .unavailable("the disk is full")
    case StorageError.busy: .unavailable("another process is changing the secrets")
    case StorageError.unknown(let detail), StorageError.serialization(let detail):
      .unavailable(detail)
    default: .unavailable(ErrorTransformer.summary(of: error))
    }
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
