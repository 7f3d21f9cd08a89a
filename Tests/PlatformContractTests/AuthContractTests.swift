import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

@Suite("AuthClient", .timeLimit(.minutes(1)))
struct AuthContractTests {
  private static let bo = Credentials(
    email: "bo@example.org", password: Secret("four random words"))

  /// Creates another account with a password in the same store, with its own session.
  private func openSecond(_ world: World, email: String = "bo@example.org") async throws -> World {
    let second = try world.second(account: email)
    var credentials = Self.bo
    credentials.email = email
    _ = try await second.auth.createAccount(
      NewAccount(profile: Profile(name: "Bo"), credentials: credentials))
    return second
  }

  private func signIn(_ world: World, _ password: String, email: String = "bo@example.org")
    async throws(ClientError) -> User.ID
  {
    try await world.auth.signIn(Credentials(email: email, password: Secret(password)))
  }

  @Test("AUTH-1: the first account needs no password", arguments: Platform.allCases)
  func firstAccount(_ platform: Platform) async throws {
    let world = try World(platform)
    #expect(try await world.auth.state() == platform.stateWithoutAccounts)
    let ida = try await world.openAccount()
    #expect(try await world.auth.state() == .signedIn(ida.id))
    #expect(try await world.second().auth.state() == .signedIn(ida.id))
    #expect(ida.locks == [])
    await expect(ClientError.accountExists) { () throws(ClientError) in
      try await world.auth.createAccount(NewAccount(profile: Profile(name: "Eve")))
    }
  }

  @Test("AUTH-1: a further account signs in with e-mail and password", arguments: Platform.allCases)
  func furtherAccount(_ platform: Platform) async throws {
    let world = try World(platform)
    let ida = try await world.openAccount()
    let second = try await openSecond(world)
    let bo = try await second.user.currentUser()
    #expect(bo.profile.name == "Bo" && bo.profile.email == "bo@example.org")
    #expect(bo.locks == .password)
    #expect(try await world.user.currentUser().id == ida.id)

    try await second.auth.signOut()
    #expect(try await second.auth.state() == .signedOut)
    await expect(ClientError.notAuthenticated, second.user.currentUser)
    await expect(ClientError.invalidCredentials) { () throws(ClientError) in
      try await signIn(second, "four random word")
    }
    await expect(ClientError.invalidCredentials) { () throws(ClientError) in
      try await signIn(second, "four random words", email: "no.one@example.org")
    }
    let signedIn = try await signIn(second, "four random words", email: "BO@Example.org")
    #expect(signedIn == bo.id)
    #expect(try await second.auth.state() == .signedIn(bo.id))
    #expect(try await world.second(account: "bo@example.org").auth.state() == .signedIn(bo.id))
  }

  @Test(
    "AUTH-1: sign-up refuses a taken address, an invalid address and a short password",
    arguments: Platform.allCases)
  func signUpChecks(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    await expect(ClientError.emailAlreadyInUse) { () throws(ClientError) in
      try await world.auth.checkSignUp(
        Credentials(email: "IDA@example.org", password: Secret("four random words")))
    }
    await expect(ClientError.invalid(.passwordLength(7))) { () throws(ClientError) in
      try await world.auth.checkSignUp(Credentials(email: "x@y.z", password: Secret("1234567")))
    }
    await expect(ClientError.invalid(.email)) { () throws(ClientError) in
      try await world.auth.checkSignUp(Credentials(email: "x", password: Secret("12345678")))
    }
    try await world.auth.checkSignUp(Self.bo)
    let second = try await openSecond(world)
    await expect(ClientError.invalid(.emailTaken)) { () throws(ClientError) in
      try await second.user.updateProfile(Profile(name: "Bo", email: "ida@example.org"))
    }
  }

  @Test(
    "AUTH-1: a password can be set later; sign-in then requires the password",
    arguments: Platform.all(but: .passwordless))
  func setPassword(_ platform: Platform) async throws {
    let world = try World(platform)
    let ida = try await world.openAccount()
    let second = try world.second(account: "ida@example.org")
    #expect(try await second.auth.state() == .signedIn(ida.id))
    try await world.auth.updatePassword(nil, Secret("correct horse"))
    #expect(try await world.user.currentUser().locks == .password)
    #expect(try await second.auth.state() == .signedOut)
    let signedIn = try await signIn(second, "correct horse", email: "ida@example.org")
    #expect(signedIn == ida.id)

    await expect(ClientError.invalidCredentials) { () throws(ClientError) in
      try await world.auth.updatePassword(Secret("wrong"), Secret("battery staple"))
    }
    try await world.auth.updatePassword(Secret("correct horse"), Secret("battery staple"))
    // Sessions made with the old password have ended.
    #expect(try await second.auth.state() == .signedOut)
    try await world.auth.updatePassword(Secret("battery staple"), nil)
    #expect(try await world.user.currentUser().locks == [])
  }

  @Test(
    "AUTH-1: only the first account can have no password; a password needs an e-mail address",
    arguments: Platform.allCases)
  func passwordNeeded(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let second = try await openSecond(world)
    await expect(ClientError.accountExists) { () throws(ClientError) in
      try await second.auth.updatePassword(Secret("four random words"), nil)
    }
    _ = try await world.user.updateProfile(Profile(name: "Ida"))
    await expect(ClientError.emailRequired) { () throws(ClientError) in
      try await world.auth.updatePassword(nil, Secret("correct horse"))
    }
  }

  @Test(
    "AUTH-2: the session list names each machine; one machine can sign out another",
    arguments: Platform.allCases.filter(\.isShared))
  func devices(_ platform: Platform) async throws {
    let world = try World(platform)
    let laptop = try world.device("laptop")
    let credentials = Credentials(email: "ida@example.org", password: Secret("four random words"))
    let user = try await laptop.auth.createAccount(
      NewAccount(profile: Profile(name: "Ida", email: credentials.email), credentials: credentials))
    world.advance(.hours(1))
    let phone = try world.device("phone")
    #expect(try await phone.auth.signIn(credentials) == user.id)
    for (device, isCurrent) in [(laptop, [false, true]), (phone, [true, false])] {
      let sessions = try await device.auth.sessions()
      #expect(sessions.map(\.device) == ["phone", "laptop"])
      #expect(sessions.map(\.isCurrent) == isCurrent)
    }
    let other = try #require(try await laptop.auth.sessions().first { !$0.isCurrent })
    try await laptop.auth.revokeSession(other.id)
    await #expect(throws: platform.endedSession) { try await phone.user.currentUser() }
    #expect(try await phone.auth.state() == .signedOut)
    #expect(try await laptop.auth.sessions().map(\.device) == ["laptop"])
    #expect(try await laptop.user.currentUser().id == user.id)
  }

  @Test(
    "AUTH-2: sessions are listed, can be revoked and end after 30 days without use",
    arguments: Platform.allCases)
  func sessions(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let second = try await openSecond(world)
    world.advance(.hours(1))
    let third = try world.second()
    _ = try await signIn(third, "four random words")
    let sessions = try await second.auth.sessions()
    #expect(sessions.map(\.isCurrent) == [false, true])
    #expect(sessions.map(\.createdAt) == [world.now, world.now - .hours(1)])
    #expect(sessions.allSatisfy { !$0.device.isEmpty })

    try await third.auth.revokeSession(sessions[1].id)
    #expect(try await second.auth.state() == .signedOut)
    _ = try await signIn(second, "four random words")
    try await second.auth.revokeOtherSessions()
    #expect(try await third.auth.state() == .signedOut)
    #expect(try await second.auth.sessions().map(\.isCurrent) == [true])

    world.advance(.days(29))
    _ = try await second.auth.state()
    world.advance(.days(29))
    guard case .signedIn = try await second.auth.state() else {
      Issue.record("a session in use ended")
      return
    }
    world.advance(.days(30))
    #expect(try await second.auth.state() == .signedOut)
    await expect(platform.endedSession, second.auth.sessions)
  }

  @Test(
    "AUTH-2: a sign-out or sign-in in one program reaches the machine's other programs at once",
    arguments: Platform.allCases)
  func observeState(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let second = try await openSecond(world)
    let id = try await second.user.currentUser().id
    var states = second.auth.observeState().makeAsyncIterator()
    #expect(try await states.next() == .signedIn(id))
    let third = try world.second(account: "bo@example.org")
    try await third.auth.signOut()
    #expect(try await states.next() == .signedOut)
    // A server's app looks after a while, which has a test of its own.
    guard !platform.isShared else { return }
    _ = try await signIn(third, "four random words")
    #expect(try await states.next() == .signedIn(id))
  }

  @Test(
    "AUTH-3: five wrong passwords lock sign-in for 1 minute, doubling up to 1 hour",
    arguments: Platform.allCases, ["bo@example.org", "no.one@example.org"])
  func lockOut(_ platform: Platform, _ email: String) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let second = try await openSecond(world)
    for minutes in [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60] {
      await expect(ClientError.invalidCredentials) { () throws(ClientError) in
        try await signIn(second, "wrong", email: email)
      }
      guard minutes > 0 else { continue }
      let end = world.now + .minutes(minutes)
      await expect(ClientError.tooManyAttempts(until: end)) { () throws(ClientError) in
        try await signIn(second, "four random words", email: email)
      }
      world.advance(.minutes(minutes))
    }
    guard email == "bo@example.org" else { return }
    _ = try await signIn(second, "four random words")
    // The right password resets the count of wrong ones.
    await expect(ClientError.invalidCredentials) { () throws(ClientError) in
      try await signIn(second, "wrong")
    }
    _ = try await signIn(second, "four random words")
  }

  @Test(
    "AUTH-1: a code sent by mail resets a forgotten password, once", arguments: Platform.allCases)
  func passwordReset(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let second = try await openSecond(world)
    try await second.auth.sendPasswordReset("no.one@example.org")
    try await second.auth.sendPasswordReset("Bo@example.org")
    for account in try await world.monitor.due(world.now, 10) {
      _ = try await world.monitor.apply(Plan(), account.user.id, account.revision, world.now)
    }
    let claimed = try await world.monitor.claim(world.now, .minutes(1), ClaimRequest(limit: 10))
    let mail = try #require(claimed.count == 1 ? claimed.first : nil)
    #expect(mail.stage == .passwordReset && mail.address == "bo@example.org")
    #expect(mail.recipient == .owner && mail.detail.count == 8)

    await expect(ClientError.resetCodeInvalid) { () throws(ClientError) in
      try await second.auth.resetPassword("bo@example.org", "AAAAAAAA", Secret("battery staple"))
    }
    let typed = mail.detail.prefix(4).lowercased() + " " + mail.detail.dropFirst(4)
    try await world.auth.resetPassword("bo@example.org", typed, Secret("battery staple"))
    #expect(try await second.auth.state() == .signedOut)
    _ = try await signIn(second, "battery staple")
    // The code works only once.
    await expect(ClientError.resetCodeInvalid) { () throws(ClientError) in
      try await world.auth.resetPassword("bo@example.org", typed, Secret("correct horse"))
    }
  }

  @Test("AUTH-1: a password reset code expires after 1 hour", arguments: Platform.allCases)
  func oldResetCode(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    try await world.auth.sendPasswordReset("ida@example.org")
    let account = try await world.dueAccount()
    _ = try await world.monitor.apply(Plan(), account.user.id, account.revision, world.now)
    let mail = try #require(
      try await world.monitor.claim(world.now, .minutes(1), ClaimRequest(limit: 10)).first)
    world.advance(.minutes(60))
    await expect(ClientError.resetCodeInvalid) { () throws(ClientError) in
      try await world.auth.resetPassword("ida@example.org", mail.detail, Secret("correct horse"))
    }
  }

  // MARK: Gate

  @Test(
    "CHK-3: checking in or cancelling an alert needs the gate's passphrase",
    arguments: Platform.allCases)
  func gate(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    try await world.auth.updateGate(Gate(passphrase: Secret("blue kettle")))
    #expect(try await world.user.currentUser().locks == .gate)
    world.advance(.hours(1))
    await expect(ClientError.gate(.required)) { () throws(ClientError) in
      try await world.checkIn.checkIn(.manual)
    }
    await expect(ClientError.gate(.wrong)) { () throws(ClientError) in
      try await world.checkIn.$checkIn(.manual, typing: Secret("blue kettles"))
    }
    #expect(try await world.user.currentUser().lastCheckIn == world.now - .hours(1))
    let user = try await world.checkIn.$checkIn(.manual, typing: Secret("blue kettle"))
    #expect(user.lastCheckIn == world.now)
    _ = try await world.alerts.raise("")
    await expect(ClientError.gate(.required), world.alerts.cancel)
    _ = try await world.alerts.$cancel(typing: Secret("blue kettle"))
    let alerts = try await world.dueAccount().alerts
    #expect(alerts.map(\.kind) == [.manual])
  }

  @Test(
    "CHK-3: removing the gate needs its passphrase; short or similar passphrases are refused",
    arguments: Platform.allCases)
  func changeGate(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    try await world.auth.updateGate(Gate(passphrase: Secret("blue kettle")))
    await expect(ClientError.gate(.required)) { () throws(ClientError) in
      try await world.auth.updateGate(nil)
    }
    await expect(ClientError.gate(.wrong)) { () throws(ClientError) in
      try await world.auth.$updateGate(nil, typing: Secret("red kettle"))
    }
    try await world.auth.$updateGate(nil, typing: Secret("blue kettle"))
    #expect(try await world.user.currentUser().locks == [])
    _ = try await world.checkIn.checkIn(.manual)
    await expect(ClientError.invalid(.passphrasesAlike)) { () throws(ClientError) in
      try await world.auth.updateGate(
        Gate(passphrase: Secret("Blue kettle"), duress: Secret("blueKettle")))
    }
    await expect(ClientError.invalid(.passphraseLength(3))) { () throws(ClientError) in
      try await world.auth.updateGate(Gate(passphrase: Secret("abc")))
    }
  }

  @Test(
    "CHK-3: checking in with the duress passphrase looks normal and raises one silent alert",
    arguments: Platform.allCases)
  func duress(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    try await world.auth.updateGate(
      Gate(passphrase: Secret("blue kettle"), duress: Secret("green kettle")))
    world.advance(.hours(1))
    let user = try await world.checkIn.$checkIn(.manual, typing: Secret("green kettle"))
    #expect(user.lastCheckIn == world.now)
    #expect(try await world.alerts.history(10).isEmpty)
    let seen = try await world.dueAccount()
    #expect(seen.alerts.map(\.kind) == [.duress])
    // A second duress check-in doesn't raise a second alert.
    world.advance(.hours(1))
    _ = try await world.checkIn.$checkIn(.manual, typing: Secret("green kettle"))
    #expect(try await world.dueAccount().alerts.count == 1)
  }

  @Test(
    "CHK-3: cancelling an alert under duress ends that alert and raises a silent alert",
    arguments: Platform.allCases)
  func duressCancel(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    try await world.auth.updateGate(
      Gate(passphrase: Secret("blue kettle"), duress: Secret("green kettle")))
    _ = try await world.alerts.raise("help")
    world.advance(.minutes(1))
    let shown = try await world.alerts.$cancel(typing: Secret("green kettle"))
    #expect(shown.resolvedAt == world.now)
    #expect(try await world.alerts.history(10).map(\.alert) == [shown])
    let alerts = try await world.dueAccount().alerts
    #expect(alerts.map(\.kind) == [.manual, .duress])
    #expect(alerts.map(\.isActive) == [false, true])
    // Nothing reveals it: another alert can be raised as usual.
    #expect(try await world.alerts.raise("again").id != shown.id)
  }

  @Test(
    "CHK-3: after a cancel under duress, responders get the silent alert, shown as the all-clear",
    arguments: Platform.allCases)
  func wordOfAnEnd(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo, .cem])
    try await world.auth.updateGate(
      Gate(passphrase: Secret("blue kettle"), duress: Secret("green kettle")))
    _ = try await world.alerts.raise("help")
    try await world.watch(.zero)
    let cem = try #require(try await world.contacts.contacts().first { $0.name == "Cem" })
    try await world.contacts.$delete(cem.id, typing: Secret("blue kettle"))
    _ = try await world.alerts.$cancel(typing: Secret("green kettle"))
    let due = try await world.claimDue()
    let call = try #require(due.first { $0.stage == .alertOn })
    _ = try await world.monitor.record(call.id, call.token, .sent, nil, world.now)
    let claimed = due.filter { $0.alert != nil && $0.id != call.id }
    let bo = try #require(claimed.first { $0.recipientName == "Bo" })
    #expect(
      bo.alert?.kind == .duress && bo.stage.isCall && bo.code != nil && bo.pretendedResult == nil)
    #expect(!bo.isHidden && bo.isSilent)
    // A responder who was removed before gets neither the silent alert nor a false message.
    let other = try #require(claimed.first { $0.id != bo.id })
    #expect(
      claimed.count == 2 && other.address == "cem@example.org" && other.pretendedResult != nil)
    for (delivery, outcome) in [
      (bo, DeliveryOutcome.permanent(reason: "550 no such user")), (other, .sent),
    ] {
      _ = try await world.monitor.record(delivery.id, delivery.token, outcome, nil, world.now)
    }
    let ends = try await world.alerts.history(1)[0].deliveries.filter(\.stage.isEnd)
    #expect(ends.map(\.state) == [.failed, .sent])
    #expect(ends[0].error == "550 no such user")
    #expect(
      try await world.notifications.notifications(9, .all).contains { $0.kind == .deliveryFailed })
    // The end of the silent alert also ends the alert that only appeared to have ended.
    try await world.auth.$endSilentAlert(typing: Secret("blue kettle"))
    #expect(
      try await world.watch(.zero).filter { $0.contains("alert_off") }.sorted()
        == ["duress alert_off Bo", "manual alert_off "])
  }

  @Test(
    "CHK-3: a responder who got a silent alert in place of an all-clear is sent its all-clear",
    arguments: Platform.allCases, [DeliveryOutcome.sent, nil])
  func toldInPlaceOfAnEnd(_ platform: Platform, _ outcome: DeliveryOutcome?) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    try await world.auth.updateGate(
      Gate(passphrase: Secret("blue kettle"), duress: Secret("green kettle")))
    _ = try await world.alerts.raise("help")
    try await world.watch(.zero)
    _ = try await world.alerts.$cancel(typing: Secret("green kettle"))
    let due = try await world.claimDue()
    let call = try #require(due.first { $0.stage == .alertOn })
    let end = try #require(due.first { $0.isInPlaceOfEnd })
    let refusal = DeliveryOutcome.permanent(reason: "550 no such user")
    _ = try await world.monitor.record(call.id, call.token, refusal, nil, world.now)
    if let outcome {
      _ = try await world.monitor.record(end.id, end.token, outcome, nil, world.now)
    }
    try await world.auth.$endSilentAlert(typing: Secret("blue kettle"))
    #expect(try await world.watch(.zero).contains("duress alert_off Bo"))
  }

  @Test(
    "CHK-3, CON-7: a responder who left gets no silent alert in place of an all-clear",
    arguments: Platform.allCases)
  func leftSince(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    try await world.auth.updateGate(
      Gate(passphrase: Secret("blue kettle"), duress: Secret("green kettle")))
    let peer = try await world.openPeer("Cem")
    let relation = try await world.befriend(peer, .responder)
    _ = try await world.alerts.raise("help")
    _ = try await world.checkIn.$checkIn(.manual, typing: Secret("green kettle"))
    try await world.watch(.zero)
    try await peer.contacts.delete(relation.theirs.id)
    _ = try await world.alerts.$cancel(typing: Secret("blue kettle"))
    let ends = try await world.claimDue().filter { $0.alert != nil }
    #expect(ends.map(\.address).sorted() == ["bo@example.org", "cem@example.org"])
    #expect(ends.filter(\.isInPlaceOfEnd).map(\.address) == ["bo@example.org"])
    #expect(ends.filter { $0.pretendedResult != nil }.map(\.address) == ["cem@example.org"])
  }

  @Test(
    "CHK-3: an all-clear still being faked when the silent alert ends is sent for real",
    arguments: Platform.allCases)
  func endUnderWay(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo, .cem])
    try await world.auth.updateGate(
      Gate(passphrase: Secret("blue kettle"), duress: Secret("green kettle")))
    _ = try await world.alerts.raise("help")
    try await world.watch(.zero)
    let cem = try #require(try await world.contacts.contacts().first { $0.name == "Cem" })
    try await world.contacts.$delete(cem.id, typing: Secret("blue kettle"))
    _ = try await world.alerts.$cancel(typing: Secret("green kettle"))
    let end = try #require(try await world.claimDue().first { $0.pretendedResult != nil })
    try await world.auth.$endSilentAlert(typing: Secret("blue kettle"))
    #expect(try await world.monitor.record(end.id, end.token, .sent, nil, world.now) == false)
    #expect(try await world.watch(.zero).contains("manual alert_off "))
  }

  @Test(
    "CHK-3: under duress a change of the gate only seems to work; the old gate returns afterwards",
    arguments: Platform.allCases)
  func duressGate(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    try await world.auth.updateGate(
      Gate(passphrase: Secret("blue kettle"), duress: Secret("green kettle")))
    try await world.auth.$updateGate(nil, typing: Secret("green kettle"))
    #expect(try await world.dueAccount().alerts.map(\.kind) == [.duress])
    // The gate appears to be gone: all requests succeed, but as under duress.
    #expect(try await world.user.currentUser().locks == [])
    _ = try await world.checkIn.checkIn(.manual)
    #expect(try await world.auth.$silentAlert(typing: Secret("whatever")) == nil)
    // Another gate appears to be set. Only its passphrase and the real one open it.
    try await world.auth.updateGate(Gate(passphrase: Secret("red kettle")))
    #expect(try await world.user.currentUser().locks == .gate)
    await expect(ClientError.gate(.required)) { () throws(ClientError) in
      try await world.checkIn.checkIn(.manual)
    }
    await expect(ClientError.gate(.wrong)) { () throws(ClientError) in
      try await world.checkIn.$checkIn(.manual, typing: Secret("green kettle"))
    }
    _ = try await world.checkIn.$checkIn(.manual, typing: Secret("red kettle"))
    #expect(try await world.auth.$silentAlert(typing: Secret("red kettle")) == nil)
    #expect(try await world.auth.$silentAlert(typing: Secret("blue kettle"))?.kind == .duress)
    // After the silent alert, the original gate is back.
    try await world.auth.$endSilentAlert(typing: Secret("blue kettle"))
    await expect(ClientError.gate(.wrong)) { () throws(ClientError) in
      try await world.checkIn.$checkIn(.manual, typing: Secret("red kettle"))
    }
    _ = try await world.checkIn.$checkIn(.manual, typing: Secret("blue kettle"))
  }

  @Test(
    "CHK-3: only the true passphrase shows and ends a silent alert",
    arguments: Platform.allCases)
  func silentAlert(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    #expect(try await world.auth.silentAlert() == nil)
    try await world.auth.updateGate(
      Gate(passphrase: Secret("blue kettle"), duress: Secret("green kettle")))
    #expect(try await world.auth.$silentAlert(typing: Secret("blue kettle")) == nil)
    _ = try await world.alerts.raise("help")
    world.advance(.minutes(1))
    _ = try await world.alerts.$cancel(typing: Secret("green kettle"))
    await expect(ClientError.gate(.required)) { () throws(ClientError) in
      try await world.auth.silentAlert()
    }
    await expect(ClientError.gate(.wrong)) { () throws(ClientError) in
      try await world.auth.$silentAlert(typing: Secret("red kettle"))
    }
    #expect(try await world.auth.$silentAlert(typing: Secret("green kettle")) == nil)
    let alert = try #require(try await world.auth.$silentAlert(typing: Secret("blue kettle")))
    #expect(alert.kind == .duress && alert.raisedAt == world.now)

    try await world.auth.$endSilentAlert(typing: Secret("green kettle"))
    #expect(try await world.dueAccount().alerts.map(\.isActive) == [false, true])
    world.advance(.minutes(1))
    try await world.auth.$endSilentAlert(typing: Secret("blue kettle"))
    #expect(try await world.auth.$silentAlert(typing: Secret("blue kettle")) == nil)
    #expect(
      try await world.dueAccount().alerts.map(\.resolvedAt)
        == [world.now - .minutes(1), world.now])
  }

  @Test("AUTH-3: five wrong passphrases lock the gate for 1 minute", arguments: Platform.allCases)
  func gateLockOut(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    try await world.auth.updateGate(Gate(passphrase: Secret("blue kettle")))
    for _ in 1...5 {
      await expect(ClientError.gate(.wrong)) { () throws(ClientError) in
        try await world.checkIn.$checkIn(.manual, typing: Secret("red kettle"))
      }
    }
    let end = world.now + .minutes(1)
    await expect(ClientError.gate(.locked(until: end))) { () throws(ClientError) in
      try await world.checkIn.$checkIn(.manual, typing: Secret("blue kettle"))
    }
    world.advance(.minutes(1))
    _ = try await world.checkIn.$checkIn(.manual, typing: Secret("blue kettle"))
  }

  // MARK: Signing out and deletion

  @Test(
    "AUTH-4: deleting an account signs out at once; its name and responders stay until notified",
    arguments: Platform.allCases)
  func deleteAccount(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    _ = try await world.alerts.raise("help")
    world.advance(.minutes(1))
    try await world.auth.deleteAccount(nil)
    #expect(try await world.auth.state() == platform.stateWithoutAccounts)
    await expect(ClientError.notAuthenticated, world.user.currentUser)

    let left = try await world.dueAccount()
    #expect(left.user.deletedAt == world.now)
    #expect(left.user.profile == Profile(name: "Ida"))
    #expect(left.alerts.allSatisfy { $0.resolvedAt == world.now })
    #expect(left.responders.map(\.name) == ["Bo"])
    #expect(try await world.apply(Plan(erasesAccount: true)))
    let due = try await world.monitor.due(world.now, 10)
    #expect(due.isEmpty)
    // A new account can be created here.
    let next = try await world.openAccount()
    #expect(try await world.auth.state() == .signedIn(next.id))
  }

  @Test(
    "AUTH-4: after an account is deleted, its pending reminders aren't sent and can be cancelled",
    arguments: Platform.allCases)
  func deleteWithEarlierDeadline(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    let reminder = PlannedDelivery(
      occasion: .deadline(sequence: try await world.dueAccount().user.checkInSequence),
      stage: .reminder(.minutes(30)), recipient: .owner, recipientName: "Ida", channel: .email,
      address: "ida@example.org")
    try await world.apply(Plan(deliveries: [reminder]))
    world.advance(.minutes(2))
    _ = try await world.checkIn.checkIn(.manual)
    try await world.auth.deleteAccount(nil)

    // It can't be claimed before a planner has seen the account.
    let claimed = try await world.monitor.claim(world.now, .seconds(60), ClaimRequest(limit: 10))
    #expect(!claimed.contains { $0.stage == reminder.stage })
    let left = try await world.dueAccount()
    let waiting = left.deliveries.filter { $0.stage == reminder.stage }
    #expect(waiting.map(\.state) == [.pending])
    try await world.apply(Plan(cancelled: waiting.map(\.id)))
    world.advance(.minutes(2))
    let later = try await world.monitor.claim(world.now, .seconds(60), ClaimRequest(limit: 10))
    #expect(!later.contains { $0.stage == reminder.stage })
  }

  @Test(
    "AUTH-4, CHK-3: deleting an account needs the passphrase; under duress a silent alert goes on",
    arguments: Platform.allCases)
  func deleteUnderDuress(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    try await world.auth.updateGate(
      Gate(passphrase: Secret("blue kettle"), duress: Secret("green kettle")))
    _ = try await world.alerts.raise("help")
    await expect(ClientError.gate(.required)) { () throws(ClientError) in
      try await world.auth.deleteAccount(nil)
    }
    try await world.auth.$deleteAccount(nil, typing: Secret("green kettle"))
    #expect(try await world.auth.state() == platform.stateWithoutAccounts)
    let left = try await world.dueAccount()
    #expect(left.user.deletedAt != nil)
    #expect(left.alerts.map(\.kind) == [.manual, .duress])
    #expect(left.alerts.map(\.isActive) == [false, true])
  }

  @Test(
    "AUTH-1: a program started for an account knows the account's address",
    arguments: Platform.allCases)
  func requestedAddress(_ platform: Platform) async throws {
    let world = try World(platform)
    #expect(world.auth.requestedAddress() == nil)
    let second = try world.second(account: "bo@example.org")
    #expect(second.auth.requestedAddress() == "bo@example.org")
  }

  @Test(
    "AUTH-4: deleting an account needs its password and frees its address",
    arguments: Platform.allCases)
  func deleteNeedsPassword(_ platform: Platform) async throws {
    let world = try World(platform)
    let ida = try await world.openAccount()
    let second = try await openSecond(world)
    await expect(ClientError.invalidCredentials) { () throws(ClientError) in
      try await second.auth.deleteAccount(nil)
    }
    try await second.auth.deleteAccount(Secret("four random words"))
    #expect(try await second.auth.state() == .signedOut)
    #expect(try await world.auth.state() == .signedIn(ida.id))
    // Its address is free again.
    try await world.auth.checkSignUp(Self.bo)
  }
}

extension AuthContractTests {
  @Test(
    "AUTH-3: after more than 24 h without a wrong passphrase, earlier attempts no longer count",
    arguments: Platform.allCases)
  func wrongTriesAreForgotten(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    try await world.auth.updateGate(Gate(passphrase: Secret("blue kettle")))
    func tryWrongly() async {
      await expect(ClientError.gate(.wrong)) { () throws(ClientError) in
        try await world.checkIn.$checkIn(.manual, typing: Secret("red kettle"))
      }
    }
    for _ in 1...4 { await tryWrongly() }
    // A day isn't enough to reset the count.
    world.advance(.days(1))
    await tryWrongly()
    await expect(ClientError.gate(.locked(until: world.now + .minutes(1)))) {
      () throws(ClientError) in
      try await world.checkIn.$checkIn(.manual, typing: Secret("blue kettle"))
    }
    world.advance(.seconds(86_401))
    for _ in 1...4 { await tryWrongly() }
    _ = try await world.checkIn.$checkIn(.manual, typing: Secret("blue kettle"))
  }
}

extension AuthContractTests {
  @Test(
    "AUTH-1: an empty password opens only an account without a password",
    arguments: Platform.all(but: .passwordless))
  func emptyPassword(_ platform: Platform) async throws {
    let world = try World(platform)
    let ida = try await world.openAccount()
    let peer = try await world.openPeer("Bo")
    try await peer.auth.signOut()
    func signIn(_ email: String) async throws(ClientError) -> User.ID {
      try await peer.auth.signIn(Credentials(email: email, password: Secret("")))
    }
    await expect(ClientError.invalidCredentials) { () throws(ClientError) in
      try await signIn("bo@example.org")
    }
    await expect(ClientError.invalidCredentials) { () throws(ClientError) in
      try await signIn("no.one@example.org")
    }
    #expect(try await signIn("ida@example.org") == ida.id)
  }
}
