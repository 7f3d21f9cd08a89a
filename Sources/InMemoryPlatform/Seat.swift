import Clients
import Domain
import FoundationEssentials
import Synchronization

/// The place in front of the store that one program takes: which account it works for.
final class Seat: Sendable {
  /// The address of the account that was asked for by name; `nil` for whoever signed in last.
  let address: String?
  /// Somebody signed out here, and stays so even where an account needs no password.
  private let isSignedOutFlag = Mutex(false)

  init(address: String?) { self.address = address }

  var isSignedOut: Bool {
    get { isSignedOutFlag.withLock { $0 } }
    set { isSignedOutFlag.withLock { $0 = newValue } }
  }

  /// The name of the session's token in the keychain.
  var tokenName: String {
    address.map { KeychainClient.sessionToken(of: $0) } ?? KeychainClient.sessionToken
  }
}

struct StoredSession: Sendable {
  let id: UUID
  var account: User.ID
  var createdAt: Date
  var lastUsedAt: Date
  /// In the order of signing in, which tells sessions of one instant apart.
  var number: Int

  var expiresAt: Date { lastUsedAt + Session.lifetime }
}

extension InMemoryStore.Contents {
  /// The account that a seat works for: that of its session, or one that needs no password where
  /// nobody has signed in.
  func account(at seat: Seat, now: Date) -> User.ID? {
    guard !seat.isSignedOut else { return nil }
    if let token = secrets[seat.tokenName] {
      return sessions[token].flatMap { $0.expiresAt > now ? $0.account : nil }
    }
    return accounts.values.first { account in
      guard account.password == nil, account.user.deletedAt == nil else { return false }
      guard let address = seat.address else { return account.isFirst }
      return account.user.profile.email?.lowercased() == address.lowercased()
    }?.user.id
  }

  /// Whether nobody else has an address, signs in with it, or may take it back.
  func isFree(_ email: String?, except id: User.ID? = nil, at now: Date) -> Bool {
    guard let email = email?.lowercased() else { return true }
    return !accounts.values.contains { account in
      account.user.id != id
        && ([account.user.profile.email, account.signInEmail]
          + account.replacedAddresses.filter { $0.expiresAt > now }.map(\.email))
          .contains { $0?.lowercased() == email }
    }
  }

  /// The account that an address signs in to.
  func account(withEmail email: String) -> Account? {
    accounts.values.first { $0.signInEmail?.lowercased() == email.lowercased() }
  }
}
