import Clients
import Domain
import FoundationEssentials

extension InMemoryStore.Contents {
  /// The signed-in account.
  func account<Failure: Error>(or failure: Failure) throws(Failure) -> Account {
    guard let signedIn, let account = accounts[signedIn] else { throw failure }
    return account
  }

  mutating func changeAccount<Value, Failure: Error>(
    or failure: Failure, _ body: (inout Account) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard let signedIn, var account = accounts[signedIn] else { throw failure }
    // Taken out while it is changed, so that its lists are not copied.
    accounts[signedIn] = nil
    defer { accounts[signedIn] = account }
    return try body(&account)
  }
}

extension InMemoryPlatform {
  var userClient: UserClient {
    UserClient(
      currentUser: { [store] () async throws(UserError) in try store.currentUser() },
      updateProfile: { [store] (profile: Profile) async throws(UserError) in
        try store.updateProfile(profile)
      },
      observeCurrentUser: { [store] in
        store.observe { try $0.account(or: UserError.notAuthenticated).user }
      })
  }

  var checkInClient: CheckInClient {
    CheckInClient(
      checkIn: {
        [store] (source: CheckIn.Source, passphrase: Secret<String>?)
          async throws(CheckInError) in
        let pass = try store.passGate(
          passphrase, notAuthenticated: CheckInError.notAuthenticated, CheckInError.gate)
        return try store.checkIn(source, pass)
      },
      history: { [store] (limit: Int) async throws(CheckInError) in try store.history(limit) },
      updateInterval: { [store] (interval: CheckInInterval) async throws(CheckInError) in
        try store.updateInterval(interval)
      },
      observeHistory: { [store] limit in
        store.observe { try $0.account(or: CheckInError.notAuthenticated).history(limit) }
      })
  }
}

extension InMemoryStore {
  /// Changes the signed-in account; the body must not have changed it when it throws.
  func changeAccount<Value: Sendable, Failure: Error>(
    or failure: Failure, _ body: (inout Account) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try write { contents throws(Failure) in
      try contents.changeAccount(or: failure, body)
    }
  }

  fileprivate func currentUser() throws(UserError) -> User {
    try read { contents throws(UserError) in
      try contents.account(or: UserError.notAuthenticated).user
    }
  }

  fileprivate func updateProfile(_ profile: Profile) throws(UserError) -> User {
    let profile = try checked(profile) { UserError.invalid($0) }
    return try write { contents throws(UserError) in
      guard contents.isFree(profile.email, except: contents.signedIn) else {
        throw .invalid(.emailTaken)
      }
      return try contents.changeAccount(or: UserError.notAuthenticated) {
        account throws(UserError) in
        account.user.profile = profile
        account.touch()
        return account.user
      }
    }
  }

  fileprivate func checkIn(
    _ source: CheckIn.Source, _ pass: GatePass
  ) throws(CheckInError) -> User {
    try changeAccount(or: CheckInError.notAuthenticated) { account throws(CheckInError) in
      if pass == .duress { account.raiseSilentAlert(at: now(), makeUUID: makeUUID) }
      return account.checkIn(source, at: now(), makeUUID: makeUUID)
    }
  }

  fileprivate func history(_ limit: Int) throws(CheckInError) -> [CheckIn] {
    try read { contents throws(CheckInError) in
      try contents.account(or: CheckInError.notAuthenticated).history(limit)
    }
  }

  fileprivate func updateInterval(_ interval: CheckInInterval) throws(CheckInError) -> User {
    try changeAccount(or: CheckInError.notAuthenticated) { account throws(CheckInError) in
      account.user.interval = interval
      account.user.reminders.removeAll { $0 >= interval.span }
      account.user.checkInSequence += 1
      account.touch()
      return account.user
    }
  }
}

/// The profile as it is stored; the store is the last to look at it.
func checked<Failure: Error>(
  _ profile: Profile, _ failure: (ValidationError) -> Failure
) throws(Failure) -> Profile {
  do {
    return try Profile(
      validating: profile.name, phone: profile.phone ?? "", note: profile.note,
      email: profile.email ?? "")
  } catch {
    throw failure(error)
  }
}

extension Account {
  /// An account whose deadline starts running now (ONB-3). A responder named twice by the same
  /// e-mail address is added once.
  init(
    opening new: NewAccount, at now: Date, makeUUID: () -> UUID
  ) throws(AuthError) {
    let reminders: [TimeSpan]
    let grace: TimeSpan
    let responders: [ContactDraft]
    do {
      reminders = try EscalationRules.reminders(new.reminders, interval: new.interval)
      grace = try EscalationRules.grace(new.grace)
      responders = try new.responders.map { draft throws(ValidationError) in try draft.checked() }
    } catch {
      throw .invalid(error)
    }
    user = User(
      id: makeUUID(), profile: try checked(new.profile) { AuthError.invalid($0) },
      interval: new.interval,
      reminders: reminders, grace: grace, lastCheckIn: now, createdAt: now,
      code: AccountCode(makeUUID()))
    for draft in responders where contact(withEmail: draft.email) == nil {
      contacts.append(Contact(draft, at: now, makeUUID: makeUUID))
    }
    checkIns = [
      CheckIn(id: makeUUID(), date: now, source: .manual, sequence: 0, margin: nil)
    ]
  }

  /// Moves the deadline – never backwards –, and ends a missed alert, never one raised by hand
  /// (CHK-1, CHK-6).
  mutating func checkIn(_ source: CheckIn.Source, at now: Date, makeUUID: () -> UUID) -> User {
    let stamp = max(now, user.lastCheckIn)
    let margin = user.deadline.secondsLeft(at: stamp)
    let isRepeat = stamp <= user.lastCheckIn + CheckIn.repeatWindow
    user.lastCheckIn = stamp
    user.checkInSequence += 1
    if isRepeat, var last = checkIns.popLast() {
      last.date = stamp
      last.sequence = user.checkInSequence
      checkIns.append(last)
    } else {
      checkIns.append(
        CheckIn(
          id: makeUUID(), date: stamp, source: source, sequence: user.checkInSequence,
          margin: .seconds(margin)))
    }
    var isAllClear = false
    for index in alerts.indices where alerts[index].alert.isActive {
      guard alerts[index].alert.kind == .missed else { continue }
      alerts[index].alert.resolvedAt = stamp
      isAllClear = true
    }
    if isAllClear { notify(.allClear, at: now, makeUUID: makeUUID) }
    touch()
    return user
  }

  func history(_ limit: Int) -> [CheckIn] { Array(checkIns.suffix(max(0, limit)).reversed()) }
}
