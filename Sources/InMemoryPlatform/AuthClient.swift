package import Clients
package import Domain
import FoundationEssentials

extension InMemoryPlatform {
  var authClient: AuthClient {
    AuthClient {
      $0.requestedAddress = { [address = store.seat.address] in address }
      $0.state = { [store] () async throws(AuthError) in
        store.useSession()
        return store.read(\.authState)
      }
      $0.observeState = { [store] in store.observe(\.authState) }
      $0.createAccount = { [store] (new: NewAccount) async throws(AuthError) in
        try store.createAccount(new)
      }
      $0.checkSignUp = { [store] (credentials: Credentials) async throws(AuthError) in
        try store.checkSignUp(credentials)
      }
      $0.signIn = { [store] (credentials: Credentials) async throws(AuthError) in
        try store.signIn(credentials)
      }
      $0.signOut = { [store] () async throws(AuthError) in store.signOut() }
      $0.updatePassword = {
        [store] (current: Secret<String>?, new: Secret<String>?, passphrase: Secret<String>?)
          async throws(AuthError) in
        try store.updatePassword(current, new, passphrase)
      }
      $0.sendPasswordReset = { [store] (email: String) async throws(AuthError) in
        try store.sendPasswordReset(email)
      }
      $0.resetPassword = {
        [store] (email: String, code: String, new: Secret<String>) async throws(AuthError) in
        try store.resetPassword(email, code, new)
      }
      $0.sendAddressCode = { [store] () async throws(AuthError) in try store.sendAddressCode() }
      $0.confirmAddress = { [store] (code: String) async throws(AuthError) in
        try store.confirmAddress(code)
      }
      $0.takeBack = { [store] (code: String) async throws(AuthError) in
        try store.takeBack(code)
      }
      $0.sessions = { [store] () async throws(AuthError) in try store.sessions() }
      $0.revokeSession = { [store] (id: Session.ID) async throws(AuthError) in
        try store.revoke { session, _ in session.id == id }
      }
      $0.revokeOtherSessions = { [store] () async throws(AuthError) in
        try store.revoke { _, isCurrent in !isCurrent }
      }
      $0.updateGate = { [store] (current: Secret<String>?, new: Gate?) async throws(AuthError) in
        try store.updateGate(current, new)
      }
      $0.silentAlert = { [store] (passphrase: Secret<String>?) async throws(AuthError) in
        let pass = try store.passGate(passphrase)
        return pass == .open ? try store.silentAlert() : nil
      }
      $0.endSilentAlert = { [store] (passphrase: Secret<String>?) async throws(AuthError) in
        let pass = try store.pass(
          .endSilentAlert, passphrase, notAuthenticated: AuthError.notAuthenticated,
          AuthError.gate)
        if pass == .open { try store.endSilentAlert() }
      }
      $0.passGate = {
        [store] (operation: GatedOperation, passphrase: Secret<String>?) async throws(AuthError) in
        do throws(AuthError) {
          try store.pass(
            operation, passphrase, notAuthenticated: AuthError.notAuthenticated, AuthError.gate)
        } catch .notAuthenticated {
          guard store.read({ contents in contents.accounts.values.allSatisfy { $0.gate == nil } })
          else { throw .notAuthenticated }
        }
      }
      $0.deleteAccount = {
        [store] (password: Secret<String>?, passphrase: Secret<String>?) async throws(AuthError) in
        try store.deleteAccount(password, passphrase)
      }
    }
  }

  /// Opens one more account beside the signed-in one, for tests of a monitor that watches several.
  package func openFurtherAccount(_ new: NewAccount) throws(AuthError) -> User {
    let account = try Account(opening: new, at: store.now(), makeUUID: store.makeUUID)
    return store.write { contents in
      contents.accounts[account.user.id] = account
      return account.user
    }
  }
}

extension InMemoryStore.Contents {
  fileprivate var authState: AuthState {
    if let signedIn { return .signedIn(signedIn) }
    return accounts.values.contains { $0.user.deletedAt == nil } ? .signedOut : .newcomer
  }

  fileprivate func requireAccount() throws(AuthError) -> Account {
    try account(or: AuthError.notAuthenticated)
  }

  // MARK: Wrong tries

  func requireUnlocked(
    _ place: String, now: Date, _ failure: (Date) -> AuthError
  ) throws(AuthError) {
    guard let tries = wrongTries[place] else { return }
    let end = tries.last + LockOut.pause(afterWrongTries: tries.count)
    if end > now { throw failure(end) }
  }

  mutating func count(_ isRight: Bool, at place: String, now: Date) {
    guard !isRight else { return wrongTries[place] = nil }
    wrongTries = wrongTries.filter { $0.value.last >= now - .days(1) }
    wrongTries[place] = ((wrongTries[place]?.count ?? 0) + 1, now)
  }

  /// Counts a password at a place, right or wrong.
  fileprivate mutating func judge(
    _ isRight: Bool, at place: String, now: Date
  ) throws(AuthError) {
    try requireUnlocked(place, now: now) { .tooManyAttempts(until: $0) }
    count(isRight, at: place, now: now)
  }
}

extension InMemoryStore {
  // MARK: Accounts

  fileprivate func createAccount(_ new: NewAccount) throws(AuthError) -> User {
    var new = new
    if let credentials = new.credentials {
      try check(credentials.password)
      new.profile.email = credentials.email
    }
    var account = try Account(opening: new, at: now(), makeUUID: makeUUID)
    account.password = new.credentials?.password.value
    account.user.locks.setPassword(account.password != nil)
    return try write { contents throws(AuthError) in
      let isFirst = !contents.accounts.values.contains { $0.user.deletedAt == nil }
      guard isFirst || account.password != nil else { throw .accountExists }
      guard contents.isFree(account.user.profile.email, at: now()) else {
        throw .invalid(.emailTaken)
      }
      account.isFirst = isFirst
      contents.accounts[account.user.id] = account
      if isFirst {
        contents.documentsByAccount[account.user.id] = contents.documentsByAccount[nil]
        contents.documentsByAccount[nil] = nil
      }
      seat.isSignedOut = false
      if account.password != nil {
        contents.beginSession(account.user.id, at: seat, now: now(), makeUUID: makeUUID)
      } else {
        contents.secrets[seat.tokenName] = nil
      }
      return account.user
    }
  }

  fileprivate func checkSignUp(_ credentials: Credentials) throws(AuthError) {
    try check(credentials.password)
    let email: String
    do { email = try ProfileRules.email(credentials.email) } catch { throw .invalid(error) }
    guard read({ $0.isFree(email, at: now()) }) else { throw .emailAlreadyInUse }
  }

  private func check(_ password: Secret<String>) throws(AuthError) {
    do { _ = try SecretRules.password(password.value) } catch { throw .invalid(error) }
  }

  // MARK: Sessions

  fileprivate func signIn(_ credentials: Credentials) throws(AuthError) -> User.ID {
    let email = credentials.email.trimmingWhitespace()
    let id = try write(.other) { contents throws(AuthError) -> User.ID? in
      let account = contents.account(withEmail: email)
      let isRight = account.map { ($0.password ?? "") == credentials.password.value } ?? false
      try contents.judge(isRight, at: "sign-in:" + email.lowercased(), now: now())
      guard isRight, let id = account?.user.id else { return nil }
      seat.isSignedOut = false
      contents.beginSession(id, at: seat, now: now(), makeUUID: makeUUID)
      return id
    }
    guard let id else { throw .invalidCredentials }
    return id
  }

  fileprivate func useSession() {
    let now = now()
    _ = write(.other, unless: { !$0 }) { contents in
      guard let token = contents.secrets[seat.tokenName], let session = contents.sessions[token],
        session.expiresAt > now, session.lastUsedAt < now - .minutes(1)
      else { return false }
      contents.sessions[token]?.lastUsedAt = now
      return true
    }
  }

  fileprivate func signOut() {
    write(.other) { contents in
      if let token = contents.secrets.removeValue(forKey: seat.tokenName) {
        contents.sessions[token] = nil
      }
      seat.isSignedOut = true
    }
  }

  fileprivate func sessions() throws(AuthError) -> [Session] {
    try read { contents throws(AuthError) in
      let account = try contents.requireAccount().user.id
      let current = contents.secrets[seat.tokenName]
      return contents.sessions
        .filter { $0.value.account == account && $0.value.expiresAt > now() }
        .sorted { ($0.value.lastUsedAt, $0.value.number) > ($1.value.lastUsedAt, $1.value.number) }
        .map { token, session in
          Session(
            id: session.id, device: "memory", createdAt: session.createdAt,
            lastUsedAt: session.lastUsedAt, isCurrent: token == current)
        }
    }
  }

  fileprivate func revoke(
    _ isChosen: (StoredSession, _ isCurrent: Bool) -> Bool
  ) throws(AuthError) {
    try write(.other) { contents throws(AuthError) in
      let account = try contents.requireAccount().user.id
      contents.endSessions(of: account, at: seat, where: isChosen)
    }
  }

  // MARK: Passwords

  fileprivate func updatePassword(
    _ current: Secret<String>?, _ new: Secret<String>?, _ passphrase: Secret<String>?
  ) throws(AuthError) {
    try requirePassword(current)
    try pass(.changePassword, passphrase)
    if let new { try check(new) }
    try write(.other) { contents throws(AuthError) in
      let account = try contents.requireAccount()
      let id = account.user.id
      guard new != nil || account.isFirst else { throw .accountExists }
      guard new == nil || account.signInEmail != nil else { throw .emailRequired }
      contents.accounts[id]?.password = new?.value
      contents.accounts[id]?.user.locks.setPassword(new != nil)
      contents.accounts[id]?.showAddress()
      contents.accounts[id]?.revision += 1
      contents.passwordResets[id] = nil
      contents.endSessions(of: id, at: seat) { !$1 }
      if account.password == nil, new != nil {
        contents.beginSession(id, at: seat, now: now(), makeUUID: makeUUID)
      }
    }
  }

  /// Goes on only with the right password, or where there is none. Wrong ones at the sign-in do not
  /// count here, so that nobody locks out who is signed in (DUR-2).
  func requirePassword(_ password: Secret<String>?) throws(AuthError) {
    let isRight = try write(.other) { contents throws(AuthError) -> Bool in
      let account = try contents.requireAccount()
      guard let expected = account.password else { return true }
      // Where none was typed yet, nothing is wrong.
      guard let password else { return false }
      try contents.judge(
        password.value == expected, at: "password:\(account.user.id)", now: now())
      return password.value == expected
    }
    guard isRight else { throw .invalidCredentials }
  }

  fileprivate func sendPasswordReset(_ email: String) throws(AuthError) {
    let address: String
    do { address = try ProfileRules.email(email) } catch { throw .invalid(error) }
    write { contents in
      guard var account = contents.account(withEmail: address), account.user.profile.email != nil
      else { return }
      let id = account.user.id
      let code = String(makeUUID().uuidString.prefix(8))
      contents.passwordResets[id] = (code, now() + .hours(1))
      let planned = PlannedDelivery(
        occasion: .account, stage: .passwordReset, recipient: .owner,
        recipientName: account.user.profile.name, channel: .email,
        address: account.signInEmail ?? address, detail: code)
      account.deliveries.removeAll { $0.planned.stage == .passwordReset }
      let delivery = StoredDelivery(
        id: makeUUID(), planned: planned, plannedAt: now(), notBefore: now())
      account.deliveries.append(delivery)
      account.touch()
      contents.deliveryAccounts[delivery.id] = id
      contents.accounts[id] = account
    }
  }

  fileprivate func resetPassword(
    _ email: String, _ code: String, _ new: Secret<String>
  ) throws(AuthError) {
    try check(new)
    let email = email.trimmingWhitespace()
    let typed = code.uppercased().filter { $0.isLetter || $0.isNumber }
    let isRight = try write { contents throws(AuthError) -> Bool in
      let place = "reset:" + email.lowercased()
      try contents.requireUnlocked(place, now: now()) { .tooManyAttempts(until: $0) }
      let account = contents.account(withEmail: email)?.user.id
      let reset = account.flatMap { contents.passwordResets[$0] }
      let isRight = reset.map { $0.code == typed && $0.expiresAt > now() } ?? false
      contents.count(isRight, at: place, now: now())
      guard isRight, let account else { return false }
      contents.accounts[account]?.password = new.value
      contents.accounts[account]?.user.locks.insert(.password)
      contents.accounts[account]?.resetAt = now()
      contents.accounts[account]?.waiting = [:]
      contents.accounts[account]?.showAddress()
      contents.passwordResets[account] = nil
      contents.endSessions(of: account, at: seat) { _, _ in true }
      // A stranger at the sign-in keeps nobody out who has the code.
      contents.wrongTries["sign-in:" + email.lowercased()] = nil
      contents.accounts[account]?.noticeOwner(
        .passwordWasReset(makeUUID()), ResetRules.notice, at: now(), makeUUID: makeUUID)
      return true
    }
    guard isRight else { throw .resetCodeInvalid }
  }

  // MARK: The gate

  @discardableResult
  func passGate<Failure: Error>(
    _ passphrase: Secret<String>?, notAuthenticated: Failure, _ failure: (GateError) -> Failure
  ) throws(Failure) -> GatePass {
    let result = write { contents -> Result<GatePass, GateError>? in
      let result = contents.passGate(passphrase, at: now(), makeUUID: makeUUID)
      if case .success(.duress) = result {
        contents.raiseSilentAlert(at: now(), makeUUID: makeUUID)
      }
      return result
    }
    switch result {
    case .success(let pass): return pass
    case .failure(let error): throw failure(error)
    case nil: throw notAuthenticated
    }
  }

  @discardableResult
  fileprivate func passGate(_ passphrase: Secret<String>?) throws(AuthError) -> GatePass {
    try passGate(passphrase, notAuthenticated: AuthError.notAuthenticated, AuthError.gate)
  }

  /// ``pass(_:_:notAuthenticated:_:if:)`` of this client.
  @discardableResult
  private func pass(
    _ operation: GatedOperation, _ passphrase: Secret<String>?
  ) throws(AuthError) -> GatePass {
    try pass(
      operation, passphrase, notAuthenticated: AuthError.notAuthenticated, AuthError.gate)
  }

  fileprivate func silentAlert() throws(AuthError) -> Alert? {
    try read { contents throws(AuthError) in
      try contents.requireAccount().alerts.map(\.alert).first { $0.kind == .duress && $0.isActive }
    }
  }

  /// Ends what went on behind the screen.
  fileprivate func endSilentAlert() throws(AuthError) {
    try changeAccount(or: AuthError.notAuthenticated) { account throws(AuthError) in
      let silent = account.silentAlert?.id
      if let silent, let index = account.alerts.firstIndex(where: { $0.alert.id == silent }) {
        account.alerts[index].alert.resolvedAt = now()
        account.silenceDrills(at: now())
        account.sayWhatWasUnsaid(during: silent, at: now())
      }
      account.seemingGate = nil
      account.kept = []
      account.user.locks.setGate(account.gate != nil)
      account.touch()
    }
  }

  fileprivate func updateGate(_ current: Secret<String>?, _ new: Gate?) throws(AuthError) {
    let checked: Gate?
    do throws(ValidationError) { checked = try new?.checked() } catch { throw .invalid(error) }
    let pass = try pass(.changeGate, current)
    try changeAccount(or: AuthError.notAuthenticated) { account throws(AuthError) in
      if pass == .duress {
        account.seemingGate = checked.map { .passphrase($0.passphrase) } ?? SeemingGate.none
      } else {
        account.gate = checked
        account.seemingGate = nil
      }
      account.user.locks.setGate(checked != nil)
      account.revision += 1
    }
  }

  // MARK: Leaving

  fileprivate func deleteAccount(
    _ password: Secret<String>?, _ passphrase: Secret<String>?
  ) throws(AuthError) {
    try requirePassword(password)
    try pass(.deleteAccount, passphrase)
    try write { contents throws(AuthError) in
      let id = try contents.requireAccount().user.id
      contents.erase(id, now: now(), makeUUID: makeUUID)
      contents.secrets[seat.tokenName] = nil
    }
  }
}

extension InMemoryStore.Contents {
  /// What a passphrase opens, `nil` where nobody is signed in.
  fileprivate mutating func passGate(
    _ passphrase: Secret<String>?, at now: Date, makeUUID: () -> UUID
  ) -> Result<GatePass, GateError>? {
    guard let account = signedIn.flatMap({ accounts[$0] }) else { return nil }
    guard let gate = account.gate else { return .success(.open) }
    // Where there seems to be no gate, nothing is wrong and nothing locks.
    if let seeming = account.seemingGate, seeming == .none {
      return .success(passphrase == gate.passphrase ? .open : .duress)
    }
    guard let passphrase else { return .failure(.required) }
    var duress = gate.duress
    if case .passphrase(let seeming) = account.seemingGate { duress = seeming }
    let pass: GatePass? =
      passphrase == gate.passphrase ? .open : passphrase == duress ? .duress : nil
    let place = "gate:\(account.user.id)"
    if let tries = wrongTries[place] {
      let end = LockOut.gateEnd(
        afterWrongTries: tries.count, lastAt: tries.last, deadline: account.user.deadline.date)
      if end > now {
        // Nothing counts, but the duress passphrase is heard.
        if pass == .duress { raiseSilentAlert(at: now, makeUUID: makeUUID) }
        return .failure(.locked(until: end))
      }
    }
    count(pass != nil, at: place, now: now)
    // Once it locks, the responders are notified (DUR-2).
    if wrongTries[place]?.count == LockOut.freeTries {
      noticeResponders(of: account.user.id, ResponderNotice.locked, at: now, makeUUID: makeUUID)
      accounts[account.user.id]?.touch()
    }
    return pass.map { .success($0) } ?? .failure(.wrong)
  }

  fileprivate mutating func raiseSilentAlert(at now: Date, makeUUID: () -> UUID) {
    _ = try? changeAccount(or: AuthError.notAuthenticated, at: now, makeUUID: makeUUID) {
      account throws(AuthError) in
      account.raiseSilently(
        Alert(id: makeUUID(), kind: .duress, raisedAt: now), makeUUID: makeUUID)
    }
    keepResponders(of: signedIn)
  }

  fileprivate mutating func beginSession(
    _ account: User.ID, at seat: Seat, now: Date, makeUUID: () -> UUID
  ) {
    sessions = sessions.filter { $0.value.expiresAt > now }
    let token = makeUUID().uuidString
    secrets[seat.tokenName] = token
    sessions[token] = StoredSession(
      id: makeUUID(), account: account, createdAt: now, lastUsedAt: now,
      number: (sessions.values.map(\.number).max() ?? 0) + 1)
  }

  fileprivate mutating func endSessions(
    of account: User.ID, at seat: Seat,
    where isChosen: (StoredSession, _ isCurrent: Bool) -> Bool
  ) {
    let current = secrets[seat.tokenName]
    sessions = sessions.filter { token, session in
      session.account != account || !isChosen(session, token == current)
    }
  }

  /// Deletes all that is the account's own (AUTH-4). What is left of it goes when the monitor has
  /// told its responders. What goes on behind the screen is not ended.
  fileprivate mutating func erase(_ id: User.ID, now: Date, makeUUID: () -> UUID) {
    guard var account = accounts[id] else { return }
    let alerts = account.activeAlerts
    for index in account.alerts.indices
    where account.alerts[index].alert.isActive && account.alerts[index].alert.kind != .duress {
      account.alerts[index].alert.resolvedAt = now
    }
    account.user.deletedAt = now
    account.isFirst = false
    account.user.profile = Profile(name: account.user.profile.name)
    account.user.locks = []
    account.user.code = AccountCode(makeUUID())
    account.password = nil
    account.signInEmail = nil
    account.addressCode = nil
    account.replacedAddresses = []
    account.waiting = [:]
    account.gate = nil
    account.seemingGate = nil
    account.notifications = []
    account.files = []
    account.user.picture = nil
    account.checkIns = []
    for index in account.contacts.indices {
      account.contacts[index].phone = nil
      account.contacts[index].note = ""
    }
    // Accounts that respond for this one are told like the others.
    let responders = linkedResponders(of: id)
    account.forgetWords()
    for responder in responders {
      var contact = Contact(
        id: responder.id, name: responder.name, roles: .responder, addedAt: responder.addedAt)
      let peer = responder.link.flatMap { accounts[$0.user] }
      for channel in responder.channels {
        let draft = ChannelDraft(channel.kind, channel.address)
        guard account.contact(reachedBy: [draft]) == nil else { continue }
        let kept = Channel(id: makeUUID(), kind: channel.kind, address: channel.address)
        account.secrets[kept.id] = peer?.secrets[channel.id]
        contact.channels.append(kept)
      }
      account.contacts.append(contact)
    }
    account.touch()
    accounts[id] = account
    if account.activeAlerts.count < alerts.count {
      for responder in responders {
        notify(
          responder.link?.user, .dependentAlertEnded, about: id, at: now, makeUUID: makeUUID)
      }
    }
    endRelations(of: id, at: now, makeUUID: makeUUID)
    sessions = sessions.filter { $0.value.account != id }
    documentsByAccount[id] = nil
    passwordResets[id] = nil
  }
}

extension User.Locks {
  fileprivate mutating func setPassword(_ isSet: Bool) {
    if isSet { insert(.password) } else { remove(.password) }
  }

  fileprivate mutating func setGate(_ isSet: Bool) {
    if isSet { insert(.gate) } else { remove(.gate) }
  }
}
