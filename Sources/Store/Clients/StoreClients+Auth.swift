import Clients
import Cryptography
import Domain
import FoundationEssentials

extension StoreClients {
  var authClient: AuthClient {
    AuthClient {
      $0.requestedAddress = { [session] in session.address }
      $0.state = { [store] () async throws(ClientError) in
        let state = try await store.authState()
        if case .signedIn = state { try await store.useSession() }
        return state
      }
      $0.observeState = { [store] in store.observe { store in try store.authState() } }
      $0.createAccount = { (new: NewAccount) async throws(ClientError) in
        try await createAccount(new)
      }
      $0.checkSignUp = { [store] (credentials: Credentials) async throws(ClientError) in
        let email = try ClientError.checking { () throws(ValidationError) in
          _ = try SecretRules.password(credentials.password.value)
          return try ProfileRules.email(credentials.email)
        }
        _ = try await store.invitationOffer()
        guard try await store.isEmailFree(email) else { throw .emailAlreadyInUse }
      }
      $0.signIn = { (credentials: Credentials) async throws(ClientError) in
        try await signIn(credentials)
      }
      $0.signOut = { () async throws(ClientError) in try await signOut() }
      $0.updatePassword = {
        (current: Secret<String>?, new: Secret<String>?, passphrase: Secret<String>?)
          async throws(ClientError) in
        try await updatePassword(current, new, passphrase)
      }
      $0.sendPasswordReset = { [store] (email: String) async throws(ClientError) in
        try await store.sendPasswordReset(email)
      }
      $0.resetPassword = {
        [store, hashing] (email: String, code: String, new: Secret<String>)
          async throws(ClientError) in
        try await store.resetPassword(email, code, new, hashing)
      }
      $0.sendAddressCode = { [store] () async throws(ClientError) in
        try await store.sendAddressCode()
      }
      $0.confirmAddress = { [store] (code: String) async throws(ClientError) in
        try await store.confirmAddress(code)
      }
      $0.takeBack = { [store] (code: String) async throws(ClientError) in
        try await store.takeBack(code)
      }
      $0.sessions = { [store] () async throws(ClientError) in try await store.sessions() }
      $0.revokeSession = { [store] (id: Session.ID) async throws(ClientError) in
        try await store.revokeSession(id)
      }
      $0.revokeOtherSessions = { [store] () async throws(ClientError) in
        try await store.revokeOtherSessions()
      }
      $0.updateGate = {
        [store, hashing] (current: Secret<String>?, new: Gate?) async throws(ClientError) in
        try await store.updateGate(current, new, hashing)
      }
      $0.silentAlert = { [store, hashing] (passphrase: Secret<String>?) async throws(ClientError) in
        guard try await store.passGate(passphrase, hashing) == .open else {
          return nil
        }
        return try await store.silentAlert()
      }
      $0.endSilentAlert = {
        [store, hashing] (passphrase: Secret<String>?) async throws(ClientError) in
        let pass = try await store.pass(.endSilentAlert, passphrase, hashing)
        if pass == .open { try await store.endSilentAlert() }
      }
      $0.passGate = {
        [store, hashing] (operation: GatedOperation, passphrase: Secret<String>?)
          async throws(ClientError) in
        do throws(ClientError) {
          try await store.pass(operation, passphrase, hashing)
        } catch .notAuthenticated {
          guard try await !store.hasAnyGate() else { throw .notAuthenticated }
        }
      }
      $0.deleteAccount = {
        (password: Secret<String>?, passphrase: Secret<String>?) async throws(ClientError) in
        try await deleteAccount(password, passphrase)
      }
    }
  }
}

/// Who is signed in here. What takes a hash of a second or so is computed elsewhere while the store goes
/// on.
extension StoreClients {
  private func createAccount(_ new: NewAccount) async throws(ClientError) -> User {
    guard new.credentials != nil || !session.isRemote else { throw .emailRequired }
    // Before the work of a hash, and again with what it is for.
    _ = try await store.invitationOffer()
    var hash: String?
    if let credentials = new.credentials {
      hash = try await hashing.hash(new: credentials.password)
    }
    return try await store.together { [hash, session] store throws(ClientError) in
      let (key, user) = try store.createAccount(new, password: hash)
      if hash != nil { try session.begin(for: key, in: store) } else { session.needsNoToken() }
      return user
    }
  }

  private func signIn(_ credentials: Credentials) async throws(ClientError) -> User.ID {
    let email = credentials.email.trimmingWhitespace()
    let onFile = try await store.passwordOnFile(email: email)
    let matches = await hashing.matches(credentials.password.value, onFile.hash)
    let isOpen = onFile.needsNone && !session.isRemote
    let isRight = matches || (isOpen && credentials.password.value.isEmpty)
    try await store.judge(isRight, at: Store.place(email))
    guard let account = onFile.account else { throw .invalidCredentials }
    // Only who knows the password learns it.
    guard !onFile.isDisabled else { throw .accountDisabled }
    try await beginSession(account)
    guard case .signedIn(let id) = try await store.authState() else { throw .notAuthenticated }
    return id
  }

  private func beginSession(_ account: Int) async throws(ClientError) {
    try await store.together { [session] store throws(ClientError) in
      try session.begin(for: account, in: store)
    }
  }

  private func signOut() async throws(ClientError) {
    try await store.together { [session] store throws(ClientError) in
      try store.endSession()
      try session.end(isSignedOut: true, in: store)
    }
  }

  private func updatePassword(
    _ current: Secret<String>?, _ new: Secret<String>?, _ passphrase: Secret<String>?
  ) async throws(ClientError) {
    let own = try await store.ownPassword()
    try await store.requirePassword(current, own, hashing)
    try await store.pass(.changePassword, passphrase, hashing)
    guard let new else {
      guard own.isFirst, !session.isRemote else { throw .accountExists }
      return try await store.setPassword(nil, of: own.account)
    }
    guard own.hasAddress else { throw .emailRequired }
    let hash = try await hashing.hash(new: new)
    // First the session, so that at no moment nobody seems to be signed in.
    if own.hash == nil { try await beginSession(own.account) }
    try await store.setPassword(hash, of: own.account)
  }

  private func deleteAccount(
    _ password: Secret<String>?, _ passphrase: Secret<String>?
  ) async throws(ClientError) {
    let own = try await store.ownPassword()
    try await store.requirePassword(password, own, hashing)
    try await store.pass(.deleteAccount, passphrase, hashing)
    try await store.together { [session] store throws(ClientError) in
      try store.eraseAccount(own.account)
      try session.end(isSignedOut: false, in: store)
    }
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

/// What takes a hash of a second or so: it is computed elsewhere while the store goes on.
extension Store {
  /// Goes on only with the right password, or where there is none. Wrong ones at the sign-in do not
  /// count here, so that nobody locks out who is signed in (DUR-2).
  nonisolated fileprivate func requirePassword(
    _ password: Secret<String>?, _ own: OwnPassword, _ hashing: PasswordHashing
  ) async throws(ClientError) {
    guard let hash = own.hash else { return }
    // Where none was typed yet, nothing is wrong.
    guard let password else { throw .invalidCredentials }
    try await requireUnlocked(own.place)
    let isRight = await hashing.matches(password.value, hash)
    try await judge(isRight, at: own.place)
  }

  /// Another address needs the password where there is one; one that is replaced or taken away needs
  /// the gate as well (AUTH-5).
  nonisolated func updateProfile(
    _ profile: Profile, _ password: Secret<String>?, _ passphrase: Secret<String>?,
    _ hashing: PasswordHashing
  ) async throws(ClientError) -> User {
    let before = try await currentUser().profile.email
    // What is not valid changes nothing, and is said first.
    let profile = try await checked(profile)
    if profile.email != before {
      do throws(ClientError) {
        try await requirePassword(password, ownPassword(), hashing)
      } catch .invalidCredentials {
        throw .invalidCredentials
      } catch .tooManyAttempts(let end) {
        throw .tooManyAttempts(until: end)
      } catch .storage(let error) {
        throw .storage(error)
      } catch {
        throw .notAuthenticated
      }
      try await pass(.changeAddress, passphrase, hashing) { _, _ in before != nil }
    }
    return try await storeProfile(profile)
  }

  nonisolated fileprivate func updateGate(
    _ current: Secret<String>?, _ new: Gate?, _ hashing: PasswordHashing
  ) async throws(ClientError) {
    let checked = try ClientError.checking { () throws(ValidationError) in try new?.checked() }
    let own = try await ownPassword()
    guard try await pass(.changeGate, current, hashing) == .open else {
      var seeming: String?
      if let checked { seeming = try await hashing.hash(checked.passphrase) }
      // It takes as long as where the gate is changed.
      if let phrase = checked?.duress { _ = try await hashing.hash(phrase) }
      return try await pretendToSetGate(seeming, of: own.account)
    }
    guard let checked else { return try await setGate(nil, duress: nil, of: own.account) }
    let gate = try await hashing.hash(checked.passphrase)
    var duress: String?
    if let phrase = checked.duress { duress = try await hashing.hash(phrase) }
    try await setGate(gate, duress: duress, of: own.account)
  }

  /// What a passphrase opens; a hash is compared as often whether there is a duress passphrase or
  /// not, so that the time tells nothing. After the gate was changed under duress, what seems to open
  /// it now stands in for the duress passphrase.
  /// - Parameter account: Whose gate it is; `nil` for the one that is signed in.
  /// - Returns: What it opens. Under duress the silent alert is on from here (CHK-3), whatever becomes
  ///   of the request.
  @discardableResult
  nonisolated func passGate(
    _ passphrase: Secret<String>?, _ hashing: PasswordHashing, of account: Int? = nil
  ) async throws(ClientError) -> GatePass {
    // A request from elsewhere has been asked already whose it is.
    if account == nil, session.request?.hasNoGate == true { return .open }
    do {
      guard let onFile = try await gateOnFile(of: account) else { return .open }
      if passphrase == nil, onFile.seemsOpen {
        try await passUnderDuress(onFile.account)
        return .duress
      }
      guard let passphrase else { throw ClientError.gate(.required) }
      let opens = await hashing.matches(passphrase.value, onFile.gate)
      let isDuress = await hashing.matches(passphrase.value, onFile.seeming ?? onFile.duress)
      let pass: GatePass? = opens ? .open : isDuress || onFile.seemsOpen ? .duress : nil
      if !onFile.seemsOpen {
        try await judgeGate(pass, of: onFile)
      } else if !opens {
        // Where there seems to be no gate, nothing is wrong and nothing locks.
        try await passUnderDuress(onFile.account)
      }
      return opens ? .open : .duress
    } catch {
      throw .wrapping(error)
    }
  }

  nonisolated fileprivate func resetPassword(
    _ email: String, _ code: String, _ new: Secret<String>, _ hashing: PasswordHashing
  ) async throws(ClientError) {
    let hash = try await hashing.hash(new: new)
    try await finishPasswordReset(email.trimmingWhitespace(), code: code, password: hash)
  }
}

extension PasswordHashing {
  /// Hashes a new password that keeps the rules.
  fileprivate func hash(new password: Secret<String>) async throws(ClientError) -> String {
    _ = try ClientError.checking { () throws(ValidationError) in
      try SecretRules.password(password.value)
    }
    return try await hash(password)
  }

  fileprivate func hash(_ secret: Secret<String>) async throws(ClientError) -> String {
    do throws(OutOfMemory) { return try await hash(secret.value) } catch {
      throw .storage(.unknown("there is not enough memory for a password's hash"))
    }
  }
}

extension ClientError {
  fileprivate static func checking<Value>(
    _ body: () throws(ValidationError) -> Value
  ) throws(ClientError) -> Value {
    do throws(ValidationError) { return try body() } catch { throw .invalid(error) }
  }
}
