import Clients
import Cryptography
import Domain
import FoundationEssentials
import SharedPlatform
import TestSupport
import Testing

@Suite("Invitations by members", .timeLimit(.minutes(1)))
struct InvitationContractTests {
  @Test(
    "Without a server, invitations can't be created, listed or revoked",
    arguments: Platform.all(but: .invitations))
  func oneMachine(_ platform: Platform) async throws {
    let ida = try World(platform)
    try await ida.openAccount()
    await expect(ClientError.invitationsNeedServer) { () throws(ClientError) in
      try await ida.invitations.create(.responder)
    }
    await expect(ClientError.invitationsNeedServer) { () throws(ClientError) in
      try await ida.invitations.invitations()
    }
    await expect(ClientError.invitationsNeedServer) { () throws(ClientError) in
      try await ida.invitations.revoke(UUID())
    }
  }

  @Test(
    "CON-2, CON-7: a guest sees the invitation's role before joining and is a contact at once",
    arguments: Platform.allShared, [Roles.responder, .dependent, [.responder, .dependent]])
  func joining(_ platform: Platform, _ roles: Roles) async throws {
    let ida = try World(platform)
    let user = try await ida.openAccount()
    let made = try await ida.invitations.create(roles)
    #expect(made.invitation.roles == roles)
    #expect(made.invitation.expiresAt == ida.now + .days(7))
    #expect(try await ida.invitations.invitations() == [made.invitation])

    let ben = try ida.device("ben", invite: try ServerLink(made.link.value).code)
    #expect(
      try await ben.invitations.offer() == InvitationOffer(name: "Ida", roles: roles.swapped))
    try await ben.open("Ben")
    let seen = try #require(try await ben.contacts.contacts().first)
    #expect(seen.name == "Ida" && seen.roles == roles.swapped && seen.link?.state == .active)
    #expect(seen.link?.user == user.id)
    #expect((seen.link?.dependentStatus != nil) == roles.contains(.responder))
    let own = try await ida.contact(seen.id)
    #expect(own.name == "Ben" && own.roles == roles && own.link?.state == .active)
    #expect((own.link?.dependentStatus != nil) == roles.contains(.dependent))
    #expect(try await ida.invitations.invitations() == [])

    let note = try #require(try await ida.notifications.notifications(1, .init()).first)
    #expect(note.kind == .invitationUsed && note.subject == "Ben")
    #expect(note.detail == roles.sentence(about: "Ben"))
    let theirs = try await ben.notifications.notifications(1, .init())
    #expect(theirs.map(\.kind) == [.contactAdded] && theirs[0].subject == "Ida")
  }

  @Test(
    "Revoking a used invitation fails and names who joined, while that person is a contact",
    arguments: Platform.allShared)
  func tooLate(_ platform: Platform) async throws {
    let ida = try World(platform)
    try await ida.openAccount()
    let bo = try await ida.openPeer()
    let made = try await ida.invitations.create([.responder, .dependent])
    let ben = try ida.device("ben", invite: try ServerLink(made.link.value).code)
    try await ben.open("Ben")
    func isUsed(_ roles: Roles) async {
      for _ in 1...2 {
        await expect(ClientError.invitationUsed(by: "Ben", roles: roles)) {
          () throws(ClientError) in
          try await ida.invitations.revoke(made.invitation.id)
        }
      }
    }
    await isUsed([.responder, .dependent])
    #expect(try await ida.contacts.contacts().map(\.name) == ["Ben"])
    // An attempt of another member to revoke it reveals nothing.
    try await bo.invitations.revoke(made.invitation.id)
    let contact = try #require(try await ida.contacts.contacts().first)
    _ = try await ida.contacts.setRoles(contact.id, .responder)
    await isUsed(.responder)
    try await ida.contacts.delete(contact.id)
    try await ida.invitations.revoke(made.invitation.id)
  }

  @Test(
    "Observers see when an invitation is made, revoked or used on another device",
    arguments: Platform.allShared)
  func observing(_ platform: Platform) async throws {
    let ida = try World(platform)
    try await ida.openAccount()
    var open = ida.invitations.observe().makeAsyncIterator()
    #expect(try await open.next() == [])
    let first = try await ida.invitations.create(.responder)
    #expect(try await open.next() == [first.invitation])
    let ben = try ida.device("ben", invite: try ServerLink(first.link.value).code)
    try await ben.open("Ben")
    #expect(try await open.next() == [])
    let second = try await ida.invitations.create(.dependent)
    #expect(try await open.next() == [second.invitation])
    try await ida.invitations.revoke(second.invitation.id)
    #expect(try await open.next() == [])
  }

  @Test(
    "Adding an invitation again with the same code returns the existing invitation",
    arguments: Platform.allShared)
  func again(_ platform: Platform) async throws {
    let ida = try World(platform)
    try await ida.openAccount()
    let bo = try await ida.openPeer()
    let code = SecureToken.invitation
    let first = try await ida.invitations.add(code.digest, .responder)
    for _ in 2...Invitation.mostOpen { _ = try await ida.invitations.create(.responder) }
    ida.advance(.hours(1))
    #expect(try await ida.invitations.add(code.digest, .responder) == first)
    #expect(try await ida.invitations.invitations().count == Invitation.mostOpen)
    // Another member can't use the same code.
    await #expect(throws: ClientError.self) {
      _ = try await bo.invitations.add(code.digest, .responder)
    }
    let ben = try ida.device("ben", invite: code.text)
    try await ben.open("Ben")
    #expect(try await ida.contacts.contacts().map(\.name) == ["Ben"])
  }

  @Test(
    "Of two guests who use an invitation at the same time, only one becomes a contact",
    arguments: Platform.allShared)
  func atOnce(_ platform: Platform) async throws {
    let ida = try World(platform)
    try await ida.openAccount()
    let code = try await ida.code(for: .responder)
    let guests = try ["ben", "eva"].map { try ida.device($0, invite: code) }
    async let ben: Void = guests[0].open("Ben")
    async let eva: Void = guests[1].open("Eva")
    _ = try await (ben, eva)
    #expect(try await ida.contacts.contacts().count == 1)
    var contacts = 0
    for guest in guests { contacts += try await guest.contacts.contacts().count }
    #expect(contacts == 1)
  }

  @Test(
    "A member can have ten open invitations; used, revoked and 7-day-old ones don't count",
    arguments: Platform.allShared)
  func limit(_ platform: Platform) async throws {
    let ida = try World(platform)
    try await ida.openAccount()
    let bo = try await ida.openPeer()
    let first = try await ida.invitations.create(.responder)
    for _ in 1...8 { _ = try await ida.invitations.create(.responder) }
    let last = try await ida.invitations.create(.dependent)
    func isFull() async {
      await expect(ClientError.tooManyInvitations) { () throws(ClientError) in
        try await ida.invitations.create(.responder)
      }
    }
    await isFull()
    // One that was used gives its place to another.
    try await ida.device("guest", invite: try ServerLink(first.link.value).code).open("Guest")
    _ = try await ida.invitations.create(.responder)
    await isFull()
    // Other members have their own limit of ten and can't revoke this one's.
    _ = try await bo.invitations.create(.responder)
    try await bo.invitations.revoke(last.invitation.id)
    await isFull()
    #expect(try await ida.invitations.invitations().count == 10)
    // Revoking twice is fine.
    for _ in 1...2 { try await ida.invitations.revoke(last.invitation.id) }
    let late = try ida.device("late", invite: try ServerLink(last.link.value).code)
    #expect(try await late.invitations.offer() == nil)
    try await late.open("Late")
    #expect(try await late.contacts.contacts() == [])
    let code = try await ida.code(for: .responder)
    await isFull()
    ida.advance(.days(7))
    #expect(try await ida.invitations.invitations() == [])
    let later = try ida.device("later", invite: code)
    #expect(try await later.invitations.offer() == nil)
    #expect(try await ida.invitations.create(.responder).invitation.roles == .responder)
  }

  @Test(
    "AUTH-4: invitations of a deleted account no longer work",
    arguments: Platform.allShared)
  func deletion(_ platform: Platform) async throws {
    let ida = try World(platform)
    try await ida.openAccount()
    let bo = try await ida.openPeer()
    let code = try await bo.code(for: .responder)
    try await bo.auth.deleteAccount(Secret("four random words"))
    let ben = try ida.device("ben", invite: code)
    #expect(try await ben.invitations.offer() == nil)
    try await ben.open("Ben")
    #expect(try await ben.contacts.contacts() == [])
  }

  @Test(
    "CHK-3: inviting needs no passphrase, and the store keeps no invitation code",
    arguments: Platform.allShared)
  func gate(_ platform: Platform) async throws {
    let ida = try World(platform)
    try await ida.openAccount()
    try await ida.auth.updateGate(
      Gate(passphrase: Secret("blue kettle"), duress: Secret("red kettle")))
    await expect(ClientError.invalid(.roleRequired)) { () throws(ClientError) in
      try await ida.invitations.create([])
    }
    let code = try await ida.code(for: .responder)
    #expect(try !ida.storeContains(code))
    // Under duress, everything works as usual.
    try await ida.auth.$endSilentAlert(typing: Secret("red kettle"))
    let second = try await ida.invitations.create(.responder)
    try await ida.invitations.revoke(second.invitation.id)
    let ben = try ida.device("ben", invite: code)
    try await ben.open("Ben")
    #expect(try await ida.contacts.contacts().map(\.name) == ["Ben"])
  }

  @Test(
    "An account moved to the server keeps the contact from the invitation",
    arguments: Platform.allShared)
  func moving(_ platform: Platform) async throws {
    let old = try World(.inMemory)
    try await old.openAccount(responders: [.bo])
    let ida = try World(platform)
    try await ida.openAccount()
    let ben = try ida.device("ben", invite: try await ida.code(for: .responder))
    try await ben.open("Ben")
    try await ben.transfer.receiveMove(try await old.transfer.prepareMove())
    #expect(try await ben.contacts.contacts().map(\.name) == ["Bo", "Ida"])
    #expect(try await ida.contacts.contacts().count == 1)
  }

  @Test(
    "CON-7: a moved account whose contact has an invitation's identifier is refused",
    arguments: Platform.allShared)
  func movedIdentifier(_ platform: Platform) async throws {
    let old = try World(.inMemory)
    try await old.openAccount(responders: [.bo])
    let ida = try World(platform)
    try await ida.openAccount()
    let ben = try ida.device("ben", invite: try await ida.code(for: .responder))
    try await ben.open("Ben")
    _ = try await ben.code(for: .responder)
    var move = try await old.transfer.prepareMove()
    move.export.contacts[0].id = try #require(try await ben.invitations.invitations().first).id
    let forged = move
    await expect(ClientError.cannotMove(.invalid)) { () throws(ClientError) in
      try await ben.transfer.receiveMove(forged)
    }
    #expect(try await ben.contacts.contacts().map(\.name) == ["Ida"])
  }
}

extension World {
  /// Creates an invitation and returns its code.
  fileprivate func code(for roles: Roles) async throws -> String {
    try ServerLink(try await invitations.create(roles).link.value).code
  }

  /// Creates an account with a password on this machine.
  fileprivate func open(_ name: String) async throws {
    _ = try await auth.createAccount(
      NewAccount(
        profile: Profile(name: name),
        credentials: Credentials(
          email: "\(name.lowercased())@example.org", password: Secret("four random words"))))
  }
}
