package import Clients
package import Cryptography
package import Domain
import Synchronization

/// The caller behind a store handle, which decides the account that the handle works for.
package protocol StoreSession: Sendable {
  /// The address of the account that was requested by name; `nil` for the one that signed in last.
  var address: String? { get }
  /// The name of the device in the list of sessions.
  var device: String { get }
  /// Whether the caller is on a network: then no account is open without a password.
  var isRemote: Bool { get }
  /// The network that the caller's guesses are counted by (AUTH-3), such as an address; `nil` on
  /// this machine.
  var network: String? { get }
  /// Whether the caller can create an account.
  var signUpPolicy: SignUpPolicy { get }
  /// The request that a write is for, if its repetition must be recognised.
  var request: KeyedRequest? { get }
  /// When the request was made, as far as its device says; `nil` on this machine.
  var made: RequestTime? { get }
  /// Returns the token. This runs where the store does, and can wait for a disk.
  func token() throws(StorageError) -> SessionToken
  /// Looks for a token that another program may have kept when it began the newest session.
  /// - Returns: Whether there is another one.
  func findToken(of newest: Session.ID) throws(StorageError) -> Bool
  /// Keeps the token of a session that has begun.
  func keep(_ token: SecureToken) throws(KeychainError)
  /// Forgets the token.
  /// - Parameter isSignedOut: Whether the person signed out.
  func forget(isSignedOut: Bool) throws(KeychainError)
  /// Opens an account without a password that was just created.
  func needsNoToken()
}

extension StoreSession {
  package func findToken(of newest: Session.ID) throws(StorageError) -> Bool { false }
}

/// Who can create an account.
package enum SignUpPolicy: Equatable, Sendable {
  /// Anyone; with an invitation, they become a contact of the member who made it.
  case open(code: String?)
  case closed
  /// Anyone with an invitation.
  case invited(code: String?)

  var isOpen: Bool { if case .open = self { true } else { false } }
}

/// The token that a session presents to the store.
package enum SessionToken: Equatable, Sendable {
  /// Nobody has signed in here: an account that needs no password is open.
  case missing
  case token(String)
  /// The person signed out here, and stays so even if an account needs no password.
  case signedOut
}

/// The session of a program on the machine of the store. Its token is in the keychain.
package final class LocalSession: StoreSession {
  package let address: String?
  package let device: String
  package let secrets: any SecretStore
  package let made: RequestTime?
  /// `nil` until it was read from the keychain.
  private let known = Mutex<SessionToken?>(nil)
  /// The session whose token was last sought.
  private let lastSought = Mutex<Session.ID?>(nil)

  /// - Parameter made: When what is asked was made, for simulations.
  package init(
    address: String?, device: String, secrets: any SecretStore, made: RequestTime? = nil
  ) {
    self.made = made
    self.address = address
    self.device = device
    self.secrets = secrets
  }

  package var isRemote: Bool { false }
  package var network: String? { nil }
  package var signUpPolicy: SignUpPolicy { .open(code: nil) }
  package var request: KeyedRequest? { nil }

  /// The name of the token in the keychain.
  private var name: String {
    address.map { KeychainClient.sessionToken(of: $0) } ?? KeychainClient.sessionToken
  }

  package func token() throws(StorageError) -> SessionToken {
    if let token = known.withLock({ $0 }) { return token }
    let token = try kept() ?? .missing
    known.withLock { $0 = token }
    return token
  }

  package func findToken(of newest: Session.ID) throws(StorageError) -> Bool {
    // Once for each session, because it can start a program.
    let isNew = lastSought.withLock { last in
      defer { last = newest }
      return last != newest
    }
    guard isNew, let token = try kept() else { return false }
    return known.withLock { known in
      defer { known = token }
      return known != token
    }
  }

  /// Returns the token in the keychain, if there is one.
  private func kept() throws(StorageError) -> SessionToken? {
    do throws(KeychainError) { return try secrets.get(name).map(SessionToken.token) } catch {
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
