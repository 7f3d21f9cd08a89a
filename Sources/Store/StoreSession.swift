package import Clients
package import Cryptography
import Domain
import Synchronization

/// Who asks a store through one handle: which account the handle works for follows from it.
package protocol StoreSession: Sendable {
  /// The address of the account that was asked for by name; `nil` for the one who signed in last.
  var address: String? { get }
  /// The machine's name, as the list of sessions shows it.
  var device: String { get }
  /// Whether they ask over a network: then no account is open without a password.
  var isRemote: Bool { get }
  /// Whether they may open an account.
  var door: Door { get }
  /// The write that is asked for, where its repeat is to be known.
  var request: KeyedRequest? { get }
  /// Runs where the store does, and may wait for a disk.
  func token() throws(StorageError) -> SessionToken
  /// Keeps the token of a session that has begun.
  func keep(_ token: SecureToken) throws(KeychainError)
  /// - Parameter isSignedOut: Whether a person wanted it so.
  func forget(isSignedOut: Bool) throws(KeychainError)
  /// Has an account without a password open that was made just now.
  func needsNoToken()
}

/// Who may open an account.
package enum Door: Equatable, Sendable {
  /// Anyone; who has an invitation becomes a contact of the member who made it.
  case open(code: String?)
  case closed
  /// Who has an invitation.
  case invited(code: String?)

  var isOpen: Bool { if case .open = self { true } else { false } }
}

/// What a session shows the store.
package enum SessionToken: Equatable, Sendable {
  /// Nobody has signed in here: an account that needs no password is open.
  case missing
  case token(String)
  /// Somebody signed out here, and stays so even where an account needs no password.
  case signedOut
}

/// The session of a program on the machine of the store. Its token lies in the keychain.
package final class LocalSession: StoreSession {
  package let address: String?
  package let device: String
  package let secrets: any SecretStore
  /// `nil` until the keychain was asked.
  private let known = Mutex<SessionToken?>(nil)

  package init(address: String?, device: String, secrets: any SecretStore) {
    self.address = address
    self.device = device
    self.secrets = secrets
  }

  package var isRemote: Bool { false }
  package var door: Door { .open(code: nil) }
  package var request: KeyedRequest? { nil }

  /// The name of the token in the keychain.
  private var name: String {
    address.map { KeychainClient.sessionToken(of: $0) } ?? KeychainClient.sessionToken
  }

  package func token() throws(StorageError) -> SessionToken {
    if let token = known.withLock({ $0 }) { return token }
    do throws(KeychainError) {
      let token = try secrets.get(name).map(SessionToken.token) ?? .missing
      known.withLock { $0 = token }
      return token
    } catch {
      throw .permissionDenied(error.errorDescription)
    }
  }

  package func keep(_ token: SecureToken) throws(KeychainError) {
    try secrets.set(name, token.text)
    known.withLock { $0 = .token(token.text) }
  }

  package func forget(isSignedOut: Bool) throws(KeychainError) {
    try secrets.set(name, nil)
    known.withLock { $0 = isSignedOut ? .signedOut : .missing }
  }

  package func needsNoToken() { known.withLock { $0 = .missing } }
}
