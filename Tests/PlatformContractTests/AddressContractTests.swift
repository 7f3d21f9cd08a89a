import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

/// AUTH-5: e-mail addresses, and the limits after a password reset.
@Suite struct AddressContractTests {
  private static let password = Secret("four random words")
  private static let old = "bo@example.org"
  private static let new = "new@example.org"

  /// Sends all due messages and returns the code sent to an address.
  private func code(_ world: World, _ stage: Stage, to address: String) async throws -> String {
    let sent = try await world.deliverAll()
    return try #require(sent.last { $0.stage == stage && $0.address == address }).detail
  }

  private func signIn(_ world: World, _ email: String) async -> ClientError? {
    do throws(ClientError) {
      _ = try await world.auth.signIn(Credentials(email: email, password: Self.password))
      return nil
    } catch { return error }
  }

  @Test(
    "AUTH-5: changing or removing the e-mail address needs the password, which stays in force",
    arguments: Platform.allCases)
  func needsPassword(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let bo = try await world.openPeer()
    for email in [nil, Self.new] {
      for password in [nil, Secret("wrong wrong")] {
        await expect(ClientError.invalidCredentials) { () throws(ClientError) in
          try await bo.user.$updateProfile(
            Profile(name: "Bo", email: email), typing: nil, password: password)
        }
      }
    }
    #expect(try await bo.user.currentUser().profile.email == Self.old)
    // Other changes to the profile need no password.
    _ = try await bo.user.updateProfile(Profile(name: "Bob", email: Self.old))

    _ = try await bo.user.$updateProfile(Profile(name: "Bo"), typing: nil, password: Self.password)
    #expect(try await bo.user.currentUser().profile.email == nil)
    for password in [nil, Secret("wrong wrong")] {
      await expect(ClientError.invalidCredentials) { () throws(ClientError) in
        try await bo.auth.deleteAccount(password)
      }
      await expect(ClientError.invalidCredentials) { () throws(ClientError) in
        try await bo.auth.updatePassword(password, nil)
      }
    }
    // Nobody is locked out: the old address still signs in, but gets no reset codes.
    #expect(await signIn(try world.second(), Self.old) == nil)
    try await world.auth.sendPasswordReset(Self.old)
    #expect(try await !world.deliverAll().contains { $0.stage == .passwordReset })
  }

  @Test(
    "AUTH-5: sign-in moves to a new address only when its latest confirmation code is entered",
    arguments: Platform.allCases)
  func confirmation(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let bo = try await world.openPeer()
    let user = try await bo.user.$updateProfile(
      Profile(name: "Bo", email: Self.new), typing: nil, password: Self.password)
    #expect(user.profile.email == Self.new && user.locks.contains(.unconfirmedAddress))
    let first = try await code(world, .addressCode, to: Self.new)
    #expect(await signIn(try world.second(), Self.new) == .invalidCredentials)
    #expect(await signIn(try world.second(), Self.old) == nil)
    try await world.auth.sendPasswordReset(Self.new)
    #expect(try await world.deliverAll() == [])

    try await bo.auth.sendAddressCode()
    let second = try await code(world, .addressCode, to: Self.new)
    for wrong in ["WRONG123", first] {
      await expect(ClientError.resetCodeInvalid) { () throws(ClientError) in
        try await bo.auth.confirmAddress(wrong)
      }
    }
    try await bo.auth.confirmAddress(second)
    #expect(try await bo.user.currentUser().locks == .password)
    #expect(await signIn(try world.second(), Self.new) == nil)
    #expect(await signIn(try world.second(), Self.old) == .invalidCredentials)
  }

  @Test(
    "AUTH-5: a confirmation code for a new address expires after 24 hours",
    arguments: Platform.allCases)
  func confirmationEnds(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let bo = try await world.openPeer()
    _ = try await bo.user.$updateProfile(
      Profile(name: "Bo", email: Self.new), typing: nil, password: Self.password)
    let code = try await code(world, .addressCode, to: Self.new)
    world.advance(.hours(24))
    await expect(ClientError.resetCodeInvalid) { () throws(ClientError) in
      try await bo.auth.confirmAddress(code)
    }
  }

  @Test(
    "AUTH-5: for 7 days the old address can undo a change, even after further changes",
    arguments: Platform.allCases)
  func takenBack(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let bo = try await world.openPeer()
    _ = try await bo.user.$updateProfile(
      Profile(name: "Bo", email: Self.new), typing: nil, password: Self.password)
    let sent = try await world.deliverAll()
    let back = try #require(sent.first { $0.stage == .addressReplaced && $0.address == Self.old })
    try await bo.auth.confirmAddress(try #require(sent.first { $0.stage == .addressCode }).detail)
    _ = try await bo.user.$updateProfile(
      Profile(name: "Bo", email: "third@example.org"), typing: nil, password: Self.password)
    world.advance(.days(6))
    // Nobody else can take the address in the meantime.
    await expect(ClientError.invalid(.emailTaken)) { () throws(ClientError) in
      try await world.user.updateProfile(Profile(name: "Ida", email: Self.old))
    }
    let stranger = try world.second(account: "stranger@example.org")
    await expect(ClientError.resetCodeInvalid) { () throws(ClientError) in
      try await stranger.auth.takeBack("WRONG123")
    }
    try await stranger.auth.takeBack(back.detail)
    await expect(platform.endedSession, bo.user.currentUser)
    #expect(await signIn(try world.second(), "third@example.org") == .invalidCredentials)
    #expect(await signIn(bo, Self.old) == nil)
    #expect(try await bo.user.currentUser().profile.email == Self.old)
    await expect(ClientError.resetCodeInvalid) { () throws(ClientError) in
      try await stranger.auth.takeBack(back.detail)
    }
  }

  @Test(
    "AUTH-5: after 7 days the old address can no longer undo a change", arguments: Platform.allCases
  )
  func takenBackTooLate(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let bo = try await world.openPeer()
    _ = try await bo.user.$updateProfile(
      Profile(name: "Bo", email: Self.new), typing: nil, password: Self.password)
    let code = try await code(world, .addressReplaced, to: Self.old)
    world.advance(.days(7))
    await expect(ClientError.resetCodeInvalid) { () throws(ClientError) in
      try await world.auth.takeBack(code)
    }
  }

  // MARK: Password reset

  private func reset(_ world: World) async throws {
    try await world.auth.sendPasswordReset(Self.old)
    let code = try await code(world, .passwordReset, to: Self.old)
    try await world.auth.resetPassword(Self.old, code, Self.password)
  }

  @Test(
    "AUTH-5: a password reset ends all sessions, notifies every own channel and keeps the gate",
    arguments: Platform.allCases)
  func resetNotifies(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let bo = try await world.openPeer()
    _ = try await bo.channels.add(ChannelDraft(.ntfy, "https://ntfy.sh/bo"), nil)
    try await bo.auth.updateGate(Gate(passphrase: Secret("blue kettle")))
    try await world.deliverAll()
    try await reset(world)
    let sent = try await world.deliverAll()
    #expect(Set(sent.map(\.address)) == [Self.old, "https://ntfy.sh/bo"])
    #expect(sent.allSatisfy { if case .passwordWasReset = $0.stage { true } else { false } })
    await expect(platform.endedSession, bo.user.currentUser)
    #expect(await signIn(bo, Self.old) == nil)
    #expect(try await bo.notifications.notifications(1, .all).first?.detail == ResetRules.notice)
    // The gate works as before, immediately.
    let longer = try CheckInInterval(.days(2))
    await expect(ClientError.gate(.required)) { () throws(ClientError) in
      try await bo.checkIn.updateInterval(longer)
    }
    _ = try await bo.checkIn.$updateInterval(longer, typing: Secret("blue kettle"))
  }

  @Test(
    "AUTH-5: after a reset without a gate, weakening help waits 24 h; check-ins and alerts don't",
    arguments: Platform.all(but: .monitorsGate))
  func caution(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let bo = try await world.openPeer()
    try await reset(world)
    _ = await signIn(bo, Self.old)
    _ = try await bo.checkIn.checkIn(.manual)
    _ = try await bo.alerts.raise("help")
    _ = try await bo.checkIn.updateInterval(CheckInInterval(.hours(12)))
    world.advance(.hours(3))
    let end = world.now + .hours(24)
    let longer = try CheckInInterval(.days(3))
    for _ in 1...2 {
      await expect(ClientError.gate(.afterReset(until: end))) { () throws(ClientError) in
        try await bo.alerts.cancel()
      }
      await expect(ClientError.gate(.afterReset(until: end))) { () throws(ClientError) in
        try await bo.checkIn.updateInterval(longer)
      }
      await expect(ClientError.gate(.afterReset(until: end))) { () throws(ClientError) in
        try await bo.user.$updateProfile(
          Profile(name: "Bo", email: Self.new), typing: nil, password: Self.password)
      }
      await expect(ClientError.gate(.afterReset(until: end))) { () throws(ClientError) in
        try await bo.auth.deleteAccount(Self.password)
      }
      // A stranger must not be able to set their own gate, which would let them do all of this.
      await expect(ClientError.gate(.afterReset(until: end))) { () throws(ClientError) in
        try await bo.auth.updateGate(Gate(passphrase: Secret("blue kettle")))
      }
    }
    // Each request is reported once, however often it is repeated.
    #expect(try await waits(world).count == 5)
    world.advance(.hours(24))
    _ = try await bo.alerts.cancel()
    _ = try await bo.checkIn.updateInterval(CheckInInterval(.days(3)))
    // Operations that weren't requested still have to wait, but not longer than the period after
    // the reset.
    world.advance(.hours(40))
    let last = world.now + .hours(5)
    await expect(ClientError.gate(.afterReset(until: last))) { () throws(ClientError) in
      try await bo.auth.passGate(.stopMonitor)
    }
    world.advance(.hours(5))
    try await bo.auth.passGate(.stopMonitor)
    try await bo.auth.updateGate(Gate(passphrase: Secret("blue kettle")))
  }

  /// The messages about requests that wait.
  private func waits(_ world: World) async throws -> [ClaimedDelivery] {
    try await world.deliverAll().filter {
      if case .requestWaits = $0.stage { true } else { false }
    }
  }

  @Test(
    "AUTH-5: every own channel and the old address get a code that undoes a waiting request",
    arguments: Platform.allCases)
  func waitTakenBack(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let bo = try await world.openPeer()
    _ = try await bo.channels.add(ChannelDraft(.ntfy, "https://ntfy.sh/bo"), nil)
    _ = try await bo.user.$updateProfile(
      Profile(name: "Bo", email: Self.new), typing: nil, password: Self.password)
    try await world.deliverAll()
    try await reset(world)
    _ = await signIn(bo, Self.old)
    let longer = try CheckInInterval(.days(3))
    await expect(
      ClientError.gate(.afterReset(until: world.now + .hours(24)))
    ) { () throws(ClientError) in
      try await bo.checkIn.updateInterval(longer)
    }
    let sent = try await waits(world)
    #expect(Set(sent.map(\.address)) == [Self.old, Self.new, "https://ntfy.sh/bo"])
    let notice = try #require(sent.first).detail
    #expect(notice.hasPrefix("Someone who is signed in wants to check in less often."))
    // The code appears nowhere that someone who is signed in can see.
    let code = String(notice.split(separator: " ").last!.dropLast())
    let seen = try #require(try await bo.notifications.notifications(1, .all).first)
    #expect(notice.hasPrefix(seen.detail) && !seen.detail.contains(code))

    world.advance(.hours(23))
    let stranger = try world.second(account: "stranger@example.org")
    try await stranger.auth.takeBack(code.lowercased())
    await expect(platform.endedSession, bo.user.currentUser)
    #expect(try await world.deliverAll().last?.detail == ResetRules.undoneNotice)
    await expect(ClientError.resetCodeInvalid) { () throws(ClientError) in
      try await stranger.auth.takeBack(code)
    }
    // An attacker who still knows the password tries again, and the person is notified again.
    world.advance(.hours(1))
    _ = await signIn(bo, Self.old)
    await expect(
      ClientError.gate(.afterReset(until: world.now + .hours(24)))
    ) { () throws(ClientError) in
      try await bo.checkIn.updateInterval(longer)
    }
    let late = try #require(try await waits(world).first).detail.suffix(9).dropLast()
    world.advance(.days(7))
    await expect(ClientError.resetCodeInvalid) { () throws(ClientError) in
      try await stranger.auth.takeBack(String(late))
    }
  }

  @Test(
    "AUTH-5: another password reset restarts the 24-hour wait of a request",
    arguments: Platform.allCases)
  func waitAndReset(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let bo = try await world.openPeer()
    for _ in 1...2 {
      try await reset(world)
      _ = await signIn(bo, Self.old)
      await expect(
        ClientError.gate(.afterReset(until: world.now + .hours(24)))
      ) { () throws(ClientError) in
        try await bo.auth.deleteAccount(Self.password)
      }
      world.advance(.hours(23))
    }
  }
}
