import Clients
import Domain

/// The place in front of the store that one program takes: which account it works for.
struct Seat {
  /// The address of the account that was asked for by name; `nil` for whoever signed in last.
  let address: String?
  /// The machine's name, as the list of sessions shows it.
  let device: String
  var token: Token = .unread

  enum Token: Equatable {
    /// The keychain has not been asked yet.
    case unread
    case none
    case session(String)
    /// Somebody signed out here, and stays so even where an account needs no password.
    case signedOut
  }

  /// The name of the session's token in the keychain.
  var tokenName: String {
    address.map { KeychainClient.sessionToken(of: $0) } ?? KeychainClient.sessionToken
  }
}
