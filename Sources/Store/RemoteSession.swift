package import Clients
package import Cryptography
package import Domain
package import FoundationEssentials
import Synchronization

/// The session of a person who calls over a network. Their token says who they are; without one
/// they are nobody, whatever accounts there are.
package final class RemoteSession: StoreSession {
  package let device: String
  package let network: String?
  package let signUpPolicy: SignUpPolicy
  package let request: KeyedRequest?
  private let given: RequestTime?
  private let latest = Mutex<Date?>(nil)
  private let held: Mutex<String?>

  /// - Parameters:
  ///   - token: The caller's token; `nil` for none.
  ///   - device: The name of the caller's device in the list of sessions.
  ///   - network: The network that the caller's guesses are counted by; `nil` for none.
  ///   - signUpPolicy: Whether the caller can create an account.
  package init(
    token: String?, device: String, network: String? = nil, signUpPolicy: SignUpPolicy = .closed,
    request: KeyedRequest? = nil, made: RequestTime? = nil
  ) {
    held = Mutex(token)
    self.device = device
    self.network = network
    self.signUpPolicy = signUpPolicy
    self.request = request
    given = made
  }

  package var made: RequestTime? {
    guard let latest = latest.withLock({ $0 }) else { return given }
    var made = given ?? RequestTime()
    made.at = min(made.at ?? latest, latest)
    made.after = made.after.map { min($0, latest) }
    return made
  }

  /// Notes that what is requested was made by a date, whatever the request says.
  package func limit(madeBy date: Date) { latest.withLock { $0 = date } }

  package var address: String? { nil }
  package var isRemote: Bool { true }

  /// The present token, which is a new one after signing in.
  package var heldToken: String? { held.withLock { $0 } }

  package func token() throws(StorageError) -> SessionToken {
    held.withLock { $0 }.map(SessionToken.token) ?? .signedOut
  }

  package func keep(_ token: SecureToken) throws(KeychainError) {
    held.withLock { $0 = token.text }
  }

  package func forget(isSignedOut: Bool) throws(KeychainError) { held.withLock { $0 = nil } }
  package func needsNoToken() {}
}
