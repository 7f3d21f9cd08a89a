import Clients
import Composable
import ComposableFoundation
import Domain
import FoundationEssentials
import SQLite
import Synchronization
import Testing

@testable import CommandLine

/// `lifesignal invite`, and `lifesignal join` with the link that it prints.
@Suite struct InviteCommandTests {
  private static let link = "lifesignal://join/127.0.0.1:8738/0123456789abcdef0123456789abcdef?http"
  private static let readers = "The people who run family.example can read what you keep there."

  /// A machine that has joined a server.
  private func world(_ open: [Invitation] = []) -> (World, revoked: Revoked) {
    let (world, revoked) = (World(), Revoked())
    world[\.overrides] = { values in
      values.invitationClient.create = { (roles: Roles) async throws(ClientError) in
        NewInvitation(Self.invitation(1, roles), link: Secret(Self.link))
      }
      values.invitationClient.invitations = { () async throws(ClientError) in open }
      values.invitationClient.revoke = { (id: UUID) async throws(ClientError) in
        revoked.ids.withLock { $0.append(id) }
      }
      values.qrCodeClient.modules = { (text: String) async throws(QRCodeError) in
        #expect(text == Self.link)
        return [[true, false], [true, true]]
      }
    }
    return (world, revoked)
  }

  private final class Revoked: Sendable { let ids = Mutex<[UUID]>([]) }

  private static func invitation(_ number: UInt64, _ roles: Roles) -> Invitation {
    Invitation(
      id: UUID(number), roles: roles, createdAt: World.start, expiresAt: World.start + .days(7))
  }

  @Test(
    "The invite command prints a one-time link last; who joins becomes a responder by default",
    arguments: [
      ("invite", "your responder"), ("invite --role dependent", "your dependent"),
      ("invite --role both", "your responder and dependent"),
    ])
  func create(words: String, becomes: String) async {
    let (world, _) = world()
    await world.openAccount()
    await world.expect(
      words,
      .init(
        0,
        "The person who joins with this link becomes \(becomes). It works once, until 2026-11-28 07:52.\n"
          + Self.link + "\n"))
  }

  @Test(
    "With --qr, invite prints the code before the link, without escape codes if colours are off")
  func code() async {
    let (world, _) = world()
    await world.openAccount()
    let plain = await world.run("invite --qr")
    #expect(plain.output.hasSuffix("\n" + Self.link + "\n") && !plain.output.contains("\u{1B}"))
    #expect(plain.output.split(separator: "\n").count == 7, "\(plain.output)")
    world[\.hasTerminal] = true
    let colored = await world.run("invite --qr")
    #expect(colored.output.contains("\u{1B}[") && colored.output.hasSuffix("\n" + Self.link + "\n"))
    world[\.variables]["NO_COLOR"] = "1"
    #expect(await world.run("invite --qr") == plain)
  }

  @Test("Open invitations are listed; revoking by a number that fits more than one revokes none")
  func list() async {
    let open = [
      Self.invitation(0xabc, .responder), Self.invitation(0xabd, [.responder, .dependent]),
    ]
    let (world, revoked) = world(open)
    await world.openAccount()
    await world.expect(
      "invite list",
      .init(
        0,
        """
        00000000  your responder                made today 07:52  until 2026-11-28 07:52
        00000000  your responder and dependent  made today 07:52  until 2026-11-28 07:52

        """))
    let ambiguous = await world.run("invite revoke 0000")
    #expect(ambiguous.exitCode == 1 && ambiguous.errorOutput.contains("More than one"))
    let unknown = await world.run("invite revoke ff")
    #expect(unknown.exitCode == 1 && unknown.errorOutput.contains("no open invitation “ff”"))
    #expect(await world.run("invite revoke").exitCode == 2)
    #expect(revoked.ids.withLock { $0.isEmpty })
    let number = open[1].id.uuidString
    await world.expect(
      "invite revoke \(number)", .init(0, "Revoked. Nobody can join with its link any more.\n"))
    #expect(revoked.ids.withLock { $0 } == [open[1].id])
    let (empty, _) = self.world()
    await empty.openAccount()
    #expect(await empty.run("invite list").errorOutput.contains("no open invitations"))
  }

  @Test(
    "If the server doesn't answer, invite says that an invitation may exist and how to revoke it")
  func unanswered() async {
    let (world, _) = world()
    let overrides = world[\.overrides]
    world[\.overrides] = { values in
      overrides(&values)
      values.invitationClient.create = { (_: Roles) async throws(ClientError) in
        throw .storage(.network(.unanswered))
      }
    }
    await world.openAccount()
    await world.expect(
      "invite",
      .init(
        1,
        error:
          "lifesignal: The server hasn't answered, so the invitation may or may not have been made. Its"
          + " link is lost. Run lifesignal invite list, and revoke it with lifesignal invite revoke"
          + " NUMBER.\n"))
  }

  @Test("On an account without a server, invite says to add people by e-mail, ntfy or code")
  func oneMachine() async {
    let world = World()
    await world.openAccount()
    for words in ["invite", "invite list", "invite revoke ab"] {
      await world.expect(
        words,
        .init(
          1,
          error:
            "lifesignal: Your account is on this computer, not on a server that people can be invited"
            + " to. Add people by e-mail or ntfy, or by the code of an account here.\n"))
    }
  }

  @Test("CON-2: join names inviter and role before asking for a password, and again at the end")
  func join() async throws {
    for roles in [Roles.responder, .dependent] {
      let world = World()
      let ada = Contact(
        id: UUID(7), name: "Ada", roles: roles, addedAt: World.start,
        link: AccountLink(user: UUID(8), state: .active))
      world[\.servers].open = { (_, _, _, _) throws(StorageError) in
        { values in
          world.platform.install(in: &values)
          values.accountHost = .server(name: "family.example")
          values.invitationClient.offer = { () async throws(ClientError) in
            #expect(world[\.prompts].isEmpty)
            return InvitationOffer(name: "Ada", roles: roles)
          }
          values.contactsClient.contacts = { () async throws(ClientError) in [ada] }
        }
      }
      world[\.secrets] = ["four random words", "four random words"]
      let outcome = await world.run("join \(Self.link) --name Ben --email ben@example.org")
      let lines =
        roles == .dependent
        ? [
          "Ada invites you: you become Ada's responder.",
          "You are notified when they need help, and see their phone, address, emergency note and check-ins.",
          "Welcome, Ben. Check in by tomorrow 07:52, then every day.", Self.readers,
          "You are Ada's responder.",
        ]
        : [
          "Ada invites you: Ada becomes your responder.",
          "They are notified when you need help, and see your phone, address, emergency note and check-ins.",
          "Welcome, Ben. Check in by tomorrow 07:52, then every day.", Self.readers,
          "Ada is your responder.",
        ]
      #expect(outcome.output == lines.joined(separator: "\n") + "\n")
      #expect(outcome.errorOutput.contains("you have no responders") == (roles == .dependent))
    }
  }

  @Test(
    "A used invitation is refused before any prompt, or reported after joining an open server")
  func used() async {
    let world = World()
    world[\.servers].open = { (_, _, _, _) throws(StorageError) in
      { values in
        world.platform.install(in: &values)
        values.invitationClient.offer = { () async throws(ClientError) in
          throw .invitationOver(.used)
        }
      }
    }
    let refused = await world.run("join \(Self.link) --name Ben --email ben@example.org")
    #expect(
      refused.exitCode == 1 && refused.errorOutput.contains("has been used. If it was you, sign in")
    )
    #expect(world[\.prompts].isEmpty)
    // The invitation was already used, on a server that is open to everyone.
    world[\.servers].open = { (_, _, _, _) throws(StorageError) in
      { values in
        world.platform.install(in: &values)
        values.invitationClient.offer = { () async throws(ClientError) in
          InvitationOffer(name: "Ada", roles: .dependent)
        }
      }
    }
    world[\.secrets] = ["four random words", "four random words"]
    let late = await world.run("join \(Self.link) --name Ben --email ben@example.org")
    #expect(late.exitCode == 0 && late.errorOutput.contains("you and Ada aren't contacts"))
  }
}
