import Clients
import Cryptography
import Domain
import FoundationEssentials

extension StoreClients {
  var authClient: AuthClient {
    AuthClient {
      $0.requestedAddress = { [session] in session.address }
      $0.state = { () async throws(ClientError) in
        let state = try await store.authState()
        if case .signedIn = state { try await store.useSession() }
        return state
      }
      $0.observeState = { store.observe { try $0.authState() } }
      $0.createAccount = createAccount
      $0.checkSignUp = { credentials async throws(ClientError) in
        let email = try ClientError.checking { () throws(ValidationError) in
          _ = try SecretRules.password(credentials.password.value)
          return try ProfileRules.email(credentials.email)
        }
        _ = try await store.invitationOffer()
        guard try await store.isEmailFree(email) else { throw .emailAlreadyInUse }
      }
      $0.signIn = signIn
      $0.signOut = signOut
      $0.updatePassword = updatePassword
      $0.sendPasswordReset = { email async throws(ClientError) in
        try await store.sendPasswordReset(email)
      }
      $0.resetPassword = resetPassword
      $0.sendAddressCode = { () async throws(ClientError) in try await store.sendAddressCode() }
      $0.confirmAddress = { code async throws(ClientError) in try await store.confirmAddress(code) }
      $0.takeBack = { code async throws(ClientError) in try await store.takeBack(code) }
      $0.sessions = { () async throws(ClientError) in try await store.sessions() }
      $0.revokeSession = { id async throws(ClientError) in try await store.revokeSession(id) }
      $0.revokeOtherSessions = { () async throws(ClientError) in
        try await store.revokeOtherSessions()
      }
      $0.updateGate = updateGate
      $0.silentAlert = { () async throws(ClientError) in
        guard try await passGate(.endSilentAlert) == .open else { return nil }
        return try await store.silentAlert()
      }
      $0.endSilentAlert = { () async throws(ClientError) in
        guard try await pass(.endSilentAlert) == .open else { return }
        try await store.endSilentAlert()
      }
      $0.passGate = { operation async throws(ClientError) in
        do throws(ClientError) {
          try await pass(operation)
        } catch .notAuthenticated {
          guard try await !store.hasAnyGate() else { throw .notAuthenticated }
        }
      }
      $0.deleteAccount = deleteAccount
    }
  }
}

/// Signing in and out, and the account's password. A hash takes a tenth of a second or more, and is
/// computed while the store goes on.
extension StoreClients {
  /// The hashing for people who open an account, or who have a reset code.
  private var strangers: PasswordHashing { hashing.waiting(at: .stranger("new password")) }

  private func createAccount(_ new: NewAccount) async throws(ClientError) -> User {
    guard new.credentials != nil || !session.isRemote else { throw .emailRequired }
    // Checked before the work of a hash, and again when the account is created.
    _ = try await store.invitationOffer()
    var hash: String?
    if let credentials = new.credentials {
      hash = try await hashing.hash(new: credentials.password)
    }
    return try await store.atomically { [hash, session] store throws(ClientError) in
      let (key, user) = try store.createAccount(new, password: hash)
      if hash != nil { try session.begin(for: key, in: store) } else { session.needsNoToken() }
      return user
    }
  }

  private func signIn(_ credentials: Credentials) async throws(ClientError) -> User.ID {
    let email = credentials.email.trimmingWhitespace()
    let onFile = try await store.passwordOnFile(email: email)
    let guesses = store.signIn(email)
    let hashing = hashing.waiting(at: .stranger(guesses.place))
    let matches = try await hashing.matches(credentials.password, onFile.hash)
    let isOpen = onFile.needsNone && !session.isRemote
    let isRight = matches || (isOpen && credentials.password.value.isEmpty)
    try await store.judge(isRight, guesses)
    guard let account = onFile.account else { throw .invalidCredentials }
    // Only a person who knows the password learns this.
    guard !onFile.isDisabled else { throw .accountDisabled }
    // Otherwise the time of a try would tell which addresses have an account. If it can't be renewed
    // now, it can at the next sign-in.
    if let old = onFile.hash, PasswordHashing.isOutdated(old),
      let new = try? await hashing.hash(credentials.password)
    {
      try? await store.renewHash(new, of: account, old)
    }
    try await beginSession(account)
    guard case .signedIn(let id) = try await store.authState() else { throw .notAuthenticated }
    return id
  }

  private func beginSession(_ account: Int) async throws(ClientError) {
    try await store.atomically { [session] store throws(ClientError) in
      try session.begin(for: account, in: store)
    }
  }

  private func signOut() async throws(ClientError) {
    try await store.atomically { [session] store throws(ClientError) in
      try store.endSession()
      try session.end(isSignedOut: true, in: store)
    }
  }

  private func updatePassword(
    _ current: Secret<String>?, _ new: Secret<String>?
  ) async throws(ClientError) {
    let own = try await store.ownPassword()
    try await requirePassword(current, own)
    try await pass(.changePassword)
    guard let new else {
      guard own.isFirst, !session.isRemote else { throw .accountExists }
      return try await store.setPassword(nil, of: own.account)
    }
    guard own.hasAddress else { throw .emailRequired }
    let hash = try await own.line(of: hashing).hash(new: new)
    // The session begins first, so that the person never seems to be signed out.
    if own.hash == nil { try await beginSession(own.account) }
    try await store.setPassword(hash, of: own.account)
  }

  private func deleteAccount(_ password: Secret<String>?) async throws(ClientError) {
    let own = try await store.ownPassword()
    try await requirePassword(password, own)
    try await pass(.deleteAccount)
    try await store.atomically { [session] store throws(ClientError) in
      try store.eraseAccount(own.account)
      try session.end(isSignedOut: false, in: store)
    }
  }

  /// Throws unless the password is right, or there is none. Wrong passwords at the sign-in aren't
  /// counted here, so that a stranger can't lock out the person who is signed in (DUR-2).
  private func requirePassword(
    _ password: Secret<String>?, _ own: Store.OwnPassword
  ) async throws(ClientError) {
    guard let hash = own.hash else { return }
    // A password that wasn't typed yet isn't a wrong one.
    guard let password else { throw .invalidCredentials }
    try await store.checkUnlocked(own.guesses)
    let isRight = try await own.line(of: hashing).matches(password, hash)
    try await store.judge(isRight, own.guesses)
  }

  /// Updates the profile. Another address needs the password if there is one; replacing or removing
  /// an address needs the gate as well (AUTH-5).
  func updateProfile(_ profile: Profile) async throws(ClientError) -> User {
    let before = try await store.currentUser().profile.email
    // An invalid profile changes nothing, and is refused before anything is asked.
    let profile = try await store.checked(profile)
    if profile.email != before {
      try await requirePassword(
        TypedSecrets.password(for: .changeAddress), store.ownPassword())
      try await pass(.changeAddress) { _, _ in before != nil }
    }
    return try await store.storeProfile(profile)
  }

  private func resetPassword(
    _ email: String, _ code: String, _ new: Secret<String>
  ) async throws(ClientError) {
    let hash = try await strangers.hash(new: new)
    try await store.finishPasswordReset(email.trimmingWhitespace(), code: code, password: hash)
  }
}

extension Store.OwnPassword {
  /// The hashing for the person who is signed in.
  fileprivate func line(of hashing: PasswordHashing) -> PasswordHashing {
    hashing.waiting(at: .person("\(account)"))
  }
}

extension StoreSession {
  fileprivate func begin(
    for account: Int, in store: isolated Store
  ) throws(ClientError) {
    let token = try store.beginSession(account)
    do throws(KeychainError) { try keep(token) } catch {
      try? store.endSession(token)
      throw .keychain(error)
    }
    store.signal(.other)
  }

  fileprivate func end(
    isSignedOut: Bool, in store: isolated Store
  ) throws(ClientError) {
    do throws(KeychainError) { try forget(isSignedOut: isSignedOut) } catch {
      throw .keychain(error)
    }
    store.signal(.other)
  }
}

extension PasswordHashing {
  /// Hashes a new password after checking it against the rules.
  fileprivate func hash(new password: Secret<String>) async throws(ClientError) -> String {
    _ = try ClientError.checking { () throws(ValidationError) in
      try SecretRules.password(password.value)
    }
    return try await hash(password)
  }

  func hash(
    _ secret: Secret<String>, like sample: String? = nil
  ) async throws(ClientError) -> String {
    do throws(Failure) { return try await hash(secret.value, like: sample) } catch {
      throw ClientError(error)
    }
  }

  /// Returns whether a hash was made from a secret.
  fileprivate func matches(
    _ secret: Secret<String>, _ hash: String?
  ) async throws(ClientError) -> Bool {
    do throws(Failure) { return try await matches(secret.value, hash) } catch {
      throw ClientError(error)
    }
  }

  /// Returns which of two hashes were made from a secret.
  func matches(
    _ secret: Secret<String>, _ first: String, or second: String?
  ) async throws(ClientError) -> (first: Bool, second: Bool) {
    do throws(Failure) { return try await matches(secret.value, first, or: second) } catch {
      throw ClientError(error)
    }
  }
}

extension ClientError {
  fileprivate init(_ failure: PasswordHashing.Failure) {
    switch failure {
    case .notItsTurn: self = .storage(.busy)
    case .outOfMemory:
      self = .storage(.unknown("there is not enough memory for a password's hash"))
    }
  }
}

extension ClientError {
  static func checking<Value>(
    _ body: () throws(ValidationError) -> Value
  ) throws(ClientError) -> Value {
    do throws(ValidationError) { return try body() } catch { throw .invalid(error) }
  }
}
