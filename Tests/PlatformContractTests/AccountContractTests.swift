import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

@Suite("Account: AuthClient, UserClient", .timeLimit(.minutes(1)))
struct AccountContractTests {
  @Test(
    "Before the first account, operations fail with notAuthenticated", arguments: Platform.allCases)
  func noAccount(_ platform: Platform) async throws {
    let world = try World(platform)
    #expect(try await world.auth.currentUserID() == nil)
    await expect(ClientError.notAuthenticated, world.user.currentUser)
    await expect(ClientError.notAuthenticated) { () throws(ClientError) in
      try await world.checkIn.checkIn(.manual)
    }
    await expect(ClientError.notAuthenticated, world.contacts.contacts)
    await expect(ClientError.notAuthenticated) {
      () throws(ClientError) in try await world.alerts.raise("")
    }
    await #expect(throws: ClientError.notAuthenticated) {
      for try await _ in world.user.observeCurrentUser() {}
    }
  }

  @Test(
    "ONB-3: creating an account records a first check-in, which starts the deadline",
    arguments: Platform.allCases)
  func deadlineStarts(_ platform: Platform) async throws {
    let world = try World(platform)
    let new = NewAccount(
      profile: Profile(
        name: "Ida Lind", phone: "+46701740605", note: "Asthma.\nKey: Bo", email: "i@example.org"),
      interval: try CheckInInterval(.hours(36)), reminders: [.minutes(30), .hours(2)],
      grace: .minutes(20))
    let user = try await world.auth.createAccount(new)
    #expect(user.profile == new.profile)
    #expect(user.interval == new.interval)
    #expect(user.reminders == [.hours(2), .minutes(30)])
    #expect(user.grace == .minutes(20))
    #expect(user.lastCheckIn == world.now)
    #expect(user.createdAt == world.now)
    #expect(user.checkInSequence == 0)
    #expect(try await world.auth.currentUserID() == user.id)
    #expect(try await world.user.currentUser() == user)
    let history = try await world.checkIn.history(10)
    #expect(history.count == 1)
    #expect(history.first?.margin == nil)
    #expect(history.first?.date == world.now)
  }

  @Test(
    "Responders named at onboarding become contacts; a repeated address is added once",
    arguments: Platform.allCases)
  func firstResponders(_ platform: Platform) async throws {
    let world = try World(platform)
    var sameAddress = ContactDraft.bo
    sameAddress.name = "Bobo"
    sameAddress.email = "BO@example.org"
    try await world.openAccount(responders: [.cem, .bo, sameAddress])
    let contacts = try await world.contacts.contacts()
    #expect(contacts.map(\.name) == ["Bo", "Cem"])
    #expect(contacts.map(\.email) == ["bo@example.org", "cem@example.org"])
    #expect(contacts.allSatisfy { $0.roles == .responder && $0.addedAt == world.now })
  }

  @Test(
    "Creating a second account without a password fails with accountExists",
    arguments: Platform.allCases)
  func accountExists(_ platform: Platform) async throws {
    let world = try World(platform)
    let first = try await world.openAccount()
    await expect(ClientError.accountExists) { () throws(ClientError) in
      try await world.auth.createAccount(NewAccount(profile: Profile(name: "Eve")))
    }
    #expect(try await world.user.currentUser() == first)
  }

  @Test(
    "An account with an invalid name, phone, e-mail, reminder, grace or responder isn't created",
    arguments: Platform.allCases)
  func invalidAccount(_ platform: Platform) async throws {
    let world = try World(platform)
    let good = NewAccount(profile: Profile(name: "Ida"))
    var cases: [(NewAccount, ValidationError)] = []
    func add(_ error: ValidationError, _ change: (inout NewAccount) -> Void) {
      var new = good
      change(&new)
      cases.append((new, error))
    }
    add(.nameLength(0)) { $0.profile.name = " " }
    add(.phone) { $0.profile.phone = "12" }
    add(.email) { $0.profile.email = "nobody" }
    add(.reminderTooLong) { $0.reminders = [.hours(24)] }
    add(.graceRange) { $0.grace = .hours(25) }
    add(.channelRequired) { $0.responders = [ContactDraft(name: "Bo", roles: .responder)] }
    for (new, error) in cases {
      await expect(ClientError.invalid(error)) { () throws(ClientError) in
        try await world.auth.createAccount(new)
      }
    }
    #expect(try await world.auth.currentUserID() == nil)
  }

  @Test("A change of the profile is stored and is not a check-in", arguments: Platform.allCases)
  func updateProfile(_ platform: Platform) async throws {
    let world = try World(platform)
    let before = try await world.openAccount()
    world.advance(.hours(1))
    let profile = Profile(name: "Ida L.", phone: "+4670123456", note: "", email: nil)
    let after = try await world.user.updateProfile(profile)
    #expect(after.profile == profile)
    #expect(after.lastCheckIn == before.lastCheckIn)
    #expect(after.checkInSequence == before.checkInSequence)
    #expect(try await world.user.currentUser() == after)
    await expect(ClientError.invalid(.nameLength(0))) { () throws(ClientError) in
      try await world.user.updateProfile(Profile(name: " "))
    }
    #expect(try await world.user.currentUser() == after)
  }

  @Test(
    "ONB-2: omitting address or access notes from an update keeps them; empty text removes them",
    arguments: Platform.allCases)
  func address(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    var profile = Profile(
      name: "Ida", address: " 4 Mill Lane\nEly ", access: "Code *47*12#, key with Bo.")
    let stored = try await world.user.updateProfile(profile).profile
    #expect(stored.address == "4 Mill Lane\nEly")
    #expect(stored.access == "Code *47*12#, key with Bo.")
    // An older app knows neither.
    #expect(try await world.user.updateProfile(Profile(name: "Ida")).profile == stored)
    (profile.address, profile.access) = ("", nil)
    let after = try await world.user.updateProfile(profile).profile
    #expect(after.address == nil && after.access == stored.access)
    #expect(try await world.user.currentUser().profile == after)
    profile.address = String(repeating: "x", count: 201)
    await expect(ClientError.invalid(.addressLength(201))) { () throws(ClientError) in
      try await world.user.updateProfile(profile)
    }
    (profile.address, profile.access) = (nil, String(repeating: "x", count: 501))
    await expect(ClientError.invalid(.accessLength(501))) { () throws(ClientError) in
      try await world.user.updateProfile(profile)
    }
    let export = try await world.transfer.exportAccount()
    #expect(export.user.profile == after)
    #expect(try AccountExport(decoding: export.encoded()).user.profile == after)
  }

  @Test(
    "SQL and control characters in a name or note are stored unchanged",
    arguments: Platform.allCases)
  func hostileText(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let note = "'); DROP TABLE account; -- \u{202E}\u{1F480} “”\\ %s ?1 $x \u{FFFD}"
    let user = try await world.user.updateProfile(Profile(name: "O'Neill-Ñandú", note: note))
    #expect(user.profile.note == note)
    #expect(try await world.user.currentUser().profile.note == note)
  }

  @Test("An observer sees the account now and after every change", arguments: Platform.allCases)
  func observe(_ platform: Platform) async throws {
    let world = try World(platform)
    let user = try await world.openAccount()
    var changes = world.user.observeCurrentUser().makeAsyncIterator()
    #expect(try await changes.next() == user)
    world.advance(.hours(1))
    let checkedIn = try await world.checkIn.checkIn(.manual)
    #expect(try await changes.next() == checkedIn)
    // Adding a contact doesn't change the account, so the next element is the new name.
    _ = try await world.contacts.add(.bo)
    let renamed = try await world.user.updateProfile(Profile(name: "Idun"))
    #expect(try await changes.next() == renamed)
  }

  @Test(
    "An observer that is cancelled ends, and later changes still work", arguments: Platform.allCases
  )
  func observeCancelled(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let task = Task {
      var count = 0
      for try await _ in world.user.observeCurrentUser() { count += 1 }
      return count
    }
    task.cancel()
    #expect(try await task.value <= 1)
    _ = try await world.checkIn.checkIn(.manual)
  }

  @Test("The date client returns the platform's time", arguments: Platform.allCases)
  func clock(_ platform: Platform) async throws {
    let world = try World(platform)
    world.advance(.hours(3))
    #expect(world.dateClient.now() == World.start + .hours(3))
  }
}

extension AccountContractTests {
  @Test(
    "REM-1, ESC-1, ESC-2: new reminders, grace and repeats are stored; reminders are sorted",
    arguments: Platform.allCases)
  func updateEscalation(_ platform: Platform) async throws {
    let world = try World(platform)
    let opened = try await world.openAccount()
    let user = try await world.user.updateEscalation(
      [.minutes(10), .hours(2), .minutes(10)], .hours(1), .minutes(10))
    #expect(user.reminders == [.hours(2), .minutes(10)])
    #expect(user.grace == .hours(1))
    #expect(opened.repeatInterval == .hours(1))
    #expect(user.repeatInterval == .minutes(10))
    #expect(user.checkInSequence == opened.checkInSequence)
    #expect(try await world.user.currentUser() == user)
    #expect(try await world.dueAccount().user == user)
    #expect(try await world.user.updateEscalation([], .zero, .hours(24)).reminders == [])
  }

  @Test(
    "REM-1, ESC-1: reminders, grace or repeats out of range are refused and change nothing",
    arguments: Platform.allCases)
  func updateEscalationChecks(_ platform: Platform) async throws {
    let world = try World(platform)
    let opened = try await world.openAccount()
    await expect(ClientError.invalid(.reminderTooLong)) { () throws(ClientError) in
      try await world.user.updateEscalation([.hours(24)], .zero, .hours(1))
    }
    await expect(ClientError.invalid(.graceRange)) { () throws(ClientError) in
      try await world.user.updateEscalation([], .hours(25), .hours(1))
    }
    for span in [TimeSpan.minutes(9), .hours(25)] {
      await expect(ClientError.invalid(.repeatRange)) { () throws(ClientError) in
        try await world.user.updateEscalation([], .hours(2), span)
      }
    }
    #expect(try await world.user.currentUser() == opened)
  }
}
