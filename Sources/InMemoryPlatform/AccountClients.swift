import Clients
import Domain
import FoundationEssentials

extension InMemoryStore.Contents {
  /// The signed-in account.
  func account<Failure: Error>(or failure: Failure) throws(Failure) -> Account {
    guard let signedIn, let account = accounts[signedIn] else { throw failure }
    return account
  }

  /// Changes the signed-in account, and tells its linked responders of alerts that began or ended.
  mutating func changeAccount<Value, Failure: Error>(
    or failure: Failure, at now: Date, makeUUID: () -> UUID,
    _ body: (inout Account) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard let signedIn, var account = accounts[signedIn] else { throw failure }
    let alerts = account.activeAlerts
    // Taken out while it is changed, so that its lists are not copied.
    accounts[signedIn] = nil
    let result = Result { () throws(Failure) in try body(&account) }
    accounts[signedIn] = account
    tellResponders(of: signedIn, alertsBefore: alerts, at: now, makeUUID: makeUUID)
    return try result.get()
  }
}

extension InMemoryPlatform {
  var userClient: UserClient {
    UserClient {
      $0.currentUser = { [store] () async throws(UserError) in try store.currentUser() }
      $0.updateProfile = {
        [store] (profile: Profile, password: Secret<String>?, passphrase: Secret<String>?)
          async throws(UserError) in
        try store.updateProfile(profile, password, passphrase)
      }
      $0.updateEscalation = {
        [store]
        (
          reminders: [TimeSpan], grace: TimeSpan, repeatInterval: TimeSpan,
          passphrase: Secret<String>?
        ) async throws(UserError) in
        try store.pass(
          .weakenEscalation, passphrase, notAuthenticated: UserError.notAuthenticated,
          UserError.gate
        ) { _, account throws(UserError) in
          account.user.isWeakened(
            byReminders: reminders, grace: grace, repeatInterval: repeatInterval)
        }
        return try store.updateEscalation(reminders, grace, repeatInterval)
      }
      $0.observeCurrentUser = { [store] in
        store.observe { try $0.account(or: UserError.notAuthenticated).user }
      }
    }
  }

  var checkInClient: CheckInClient {
    CheckInClient {
      $0.checkIn = {
        [store] (source: CheckIn.Source, passphrase: Secret<String>?)
          async throws(CheckInError) in
        try store.pass(
          .checkIn, passphrase, notAuthenticated: CheckInError.notAuthenticated, CheckInError.gate)
        return try store.checkIn(source)
      }
      $0.pause = {
        [store] (until: Date, passphrase: Secret<String>?) async throws(CheckInError) in
        try store.pass(
          .pause, passphrase, notAuthenticated: CheckInError.notAuthenticated, CheckInError.gate)
        return try store.pause(until: until)
      }
      $0.resume = {
        [store] (source: CheckIn.Source, passphrase: Secret<String>?)
          async throws(CheckInError) in
        try store.pass(
          .resume, passphrase, notAuthenticated: CheckInError.notAuthenticated, CheckInError.gate)
        return try store.resume(source)
      }
      $0.history = { [store] (limit: Int) async throws(CheckInError) in try store.history(limit) }
      $0.historySince = { [store] (start: Date) async throws(CheckInError) in
        try store.read { contents throws(CheckInError) in
          try contents.account(or: CheckInError.notAuthenticated).history(since: start)
        }
      }
      $0.observeRecord = { [store] calendar in
        store.observe { [now = store.now] in
          let start = now() - CheckInRecord.length
          return CheckInRecord(
            try $0.account(or: CheckInError.notAuthenticated).history(since: start),
            calendar: calendar)
        }
      }
      $0.updateInterval = {
        [store] (interval: CheckInInterval, passphrase: Secret<String>?)
          async throws(CheckInError) in
        try store.pass(
          .lengthenInterval, passphrase, notAuthenticated: CheckInError.notAuthenticated,
          CheckInError.gate
        ) { _, account throws(CheckInError) in interval.span > account.user.interval.span }
        return try store.updateInterval(interval)
      }
      $0.observeHistory = { [store] limit in
        store.observe { try $0.account(or: CheckInError.notAuthenticated).history(limit) }
      }
    }
  }
}

extension InMemoryStore {
  /// Changes the signed-in account; the body must not have changed it when it throws.
  func changeAccount<Value: Sendable, Failure: Error>(
    or failure: Failure, _ body: (inout Account) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try write { contents throws(Failure) in
      try contents.changeAccount(or: failure, at: now(), makeUUID: makeUUID, body)
    }
  }

  fileprivate func currentUser() throws(UserError) -> User {
    try read { contents throws(UserError) in
      try contents.account(or: UserError.notAuthenticated).user
    }
  }

  fileprivate func updateProfile(
    _ profile: Profile, _ password: Secret<String>?, _ passphrase: Secret<String>?
  ) throws(UserError) -> User {
    let profile = try checked(profile) { UserError.invalid($0) }
    let before = try currentUser().profile.email
    guard read({ $0.isFree(profile.email, except: $0.signedIn, at: now()) }) else {
      throw .invalid(.emailTaken)
    }
    if profile.email != before {
      do throws(AuthError) { try requirePassword(password) } catch {
        switch error {
        case .invalidCredentials: throw .invalidCredentials
        case .tooManyAttempts(let end): throw .tooManyAttempts(until: end)
        default: throw .notAuthenticated
        }
      }
      try pass(
        .changeAddress, passphrase, notAuthenticated: UserError.notAuthenticated, UserError.gate
      ) { _, _ throws(UserError) in before != nil }
    }
    return try write { contents throws(UserError) in
      let user = try contents.changeAccount(
        or: UserError.notAuthenticated, at: now(), makeUUID: makeUUID
      ) { account throws(UserError) in
        account.user.profile = profile
        if profile.email != before {
          account.noticeAddressChange(at: now(), makeUUID: makeUUID)
        }
        account.touch()
        return account.user
      }
      // What reaches a responder has changed.
      for peer in contents.relations.compactMap({ $0.side(of: user.id)?.peer }) {
        contents.accounts[peer]?.touch()
      }
      return user
    }
  }

  fileprivate func updateEscalation(
    _ reminders: [TimeSpan], _ grace: TimeSpan, _ repeatInterval: TimeSpan
  ) throws(UserError) -> User {
    try changeAccount(or: UserError.notAuthenticated) { account throws(UserError) in
      do throws(ValidationError) {
        let reminders = try EscalationRules.reminders(reminders, interval: account.user.interval)
        let grace = try EscalationRules.grace(grace)
        account.user.repeatInterval = try EscalationRules.repeatInterval(repeatInterval)
        account.user.grace = grace
        account.user.reminders = reminders
      } catch {
        throw .invalid(error)
      }
      account.touch()
      return account.user
    }
  }

  fileprivate func checkIn(_ source: CheckIn.Source) throws(CheckInError) -> User {
    try changeAccount(or: CheckInError.notAuthenticated) { account throws(CheckInError) in
      return account.checkIn(source, at: now(), makeUUID: makeUUID)
    }
  }

  fileprivate func pause(until end: Date) throws(CheckInError) -> User {
    let now = now()
    let pause: Pause
    do { pause = try Pause(from: now, until: end) } catch { throw .invalid(error) }
    return try changeAccount(or: CheckInError.notAuthenticated) {
      account throws(CheckInError) in
      guard !account.isMissed, now < account.user.deadline.date else { throw .checkInFirst }
      account.user.pausedAt = pause.start
      account.user.pausedUntil = pause.end
      account.user.beginSequence()
      account.touch()
      return account.user
    }
  }

  fileprivate func resume(_ source: CheckIn.Source) throws(CheckInError) -> User {
    let now = now()
    return try changeAccount(or: CheckInError.notAuthenticated) {
      account throws(CheckInError) in
      guard account.user.deadline.isPaused(at: now) else { throw .notPaused }
      _ = account.checkIn(source, at: now, makeUUID: makeUUID)
      account.endPause()
      return account.user
    }
  }

  fileprivate func history(_ limit: Int) throws(CheckInError) -> [CheckIn] {
    try read { contents throws(CheckInError) in
      try contents.account(or: CheckInError.notAuthenticated).history(limit)
    }
  }

  fileprivate func updateInterval(_ interval: CheckInInterval) throws(CheckInError) -> User {
    try write { contents throws(CheckInError) in
      let before = try contents.account(or: CheckInError.notAuthenticated).user
      let user = try contents.changeAccount(
        or: CheckInError.notAuthenticated, at: now(), makeUUID: makeUUID
      ) { account throws(CheckInError) in
        account.user.interval = interval
        account.user.reminders.removeAll { $0 >= interval.span }
        account.user.beginSequence()
        account.touch()
        return account.user
      }
      if interval.span > before.interval.span {
        contents.noticeResponders(
          of: user.id, ResponderNotice.interval(interval, insteadOf: before.interval), at: now(),
          makeUUID: makeUUID)
      }
      return user
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
  /// address is added once.
  init(
    opening new: NewAccount, at now: Date, makeUUID: () -> UUID
  ) throws(AuthError) {
    let reminders: [TimeSpan]
    let grace: TimeSpan
    let repeatInterval: TimeSpan
    let responders: [ContactDraft]
    do {
      reminders = try EscalationRules.reminders(new.reminders, interval: new.interval)
      grace = try EscalationRules.grace(new.grace)
      repeatInterval = try EscalationRules.repeatInterval(new.repeatInterval)
      responders = try new.responders.map { draft throws(ValidationError) in try draft.checked() }
    } catch {
      throw .invalid(error)
    }
    user = User(
      id: makeUUID(), profile: try checked(new.profile) { AuthError.invalid($0) },
      interval: new.interval,
      reminders: reminders, grace: grace, repeatInterval: repeatInterval, lastCheckIn: now,
      createdAt: now,
      code: AccountCode(makeUUID()))
    signInEmail = user.profile.email
    for draft in responders where contact(reachedBy: draft.channels) == nil {
      add(draft, at: now, makeUUID: makeUUID)
    }
    checkIns = [
      CheckIn(id: makeUUID(), date: now, source: .manual, sequence: 0, margin: nil)
    ]
  }

  /// Moves the deadline – never backwards –, and ends a missed alert, never one raised by hand
  /// (CHK-1, CHK-6).
  mutating func checkIn(_ source: CheckIn.Source, at now: Date, makeUUID: () -> UUID) -> User {
    let stamp = max(now, user.lastCheckIn)
    let margin = user.deadline.margin(at: stamp)
    let isRepeat = stamp <= user.lastCheckIn + CheckIn.repeatWindow
    if let end = user.pausedUntil, end <= stamp { endPause() }
    user.lastCheckIn = stamp
    user.beginSequence()
    if isRepeat, var last = checkIns.popLast() {
      last.date = stamp
      last.sequence = user.checkInSequence
      checkIns.append(last)
    } else {
      checkIns.append(
        CheckIn(
          id: makeUUID(), date: stamp, source: source, sequence: user.checkInSequence,
          margin: margin))
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

  fileprivate mutating func endPause() {
    user.pausedAt = nil
    user.pausedUntil = nil
  }

  /// Whether the alert of a missed deadline is on.
  fileprivate var isMissed: Bool {
    alerts.contains { $0.alert.kind == .missed && $0.alert.isActive }
  }

  func history(since start: Date) -> [CheckIn] { checkIns.reversed().filter { $0.date >= start } }

  func history(_ limit: Int) -> [CheckIn] { Array(checkIns.suffix(max(0, limit)).reversed()) }
}
