import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// `lifesignal invite`: invitations to the server of the user's account.
struct InviteCommand: StoreCommand, VerbCommand {
  let verb: Verb<Self>
  @Dependency(\.invitationClient) var invitationClient
  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.dateClient) var dateClient
  @Dependency(\.qrCodeClient) var qrCodeClient

  init(verb: Verb<Self>) { self.verb = verb }

  static let declaration = CommandDeclaration(
    "invite", "Invite people to the server of your account",
    discussion: [
      "Prints a link as its last line. The person who creates an account with it – lifesignal join LINK --name"
        + " NAME – becomes your responder at once: neither of you has to ask the other. The link works once, for 7"
        + " days, and is shown only once. You are notified when it is used.",
      "People who have an account on the server already need no link: add them by their code with lifesignal"
        + " contacts add.",
      "You can have \(Invitation.mostOpen) open invitations. list prints their numbers, what the person becomes, when"
        + " they were made and when they expire.",
    ]
  ) { syntax in
    let number = syntax.argument(
      "NUMBER", "With revoke: the invitation's number or its beginning", isRequired: false)
    let role = syntax.option(
      "role", "ROLE",
      "What the person becomes: responder, dependent or both (default: responder)",
      read: Roles.init(word:))
    let code = syntax.flag("qr", "Print the link as a QR code, too")
    syntax.withoutVerb(role, code, run: Self.create)
    syntax.verb("list", "List the open invitations", run: Self.list)
    syntax.verb("revoke", "Revoke one that nobody has used", number, run: Self.revoke)
    return syntax.chosenVerb
  }

  private func create(
    _ invocation: Invocation, _ roles: Roles?, drawsCode: Bool
  ) async throws -> Report {
    let made = try await create(roles ?? .responder)
    let link = made.link.value.sanitized
    let report = Report([
      "The person who joins with this link becomes \(made.invitation.roles.invitedText). It works once, until"
        + " \(dateClient.describe(made.invitation.expiresAt))."
    ])
    guard drawsCode else { return Report(report.lines + [link]) }
    let modules = try await qrCodeClient.modules(link)
    return Report(report.lines, verbatim: await draw(modules, invocation) + "\n" + link)
  }

  private func list() async throws -> Report {
    let invitations = try await invitationClient.invitations()
    guard !invitations.isEmpty else {
      return Report(warnings: ["There are no open invitations. Make one with lifesignal invite."])
    }
    return Report(
      aligned(
        invitations.map {
          [
            String($0.number.prefix(8)), $0.roles.invitedText,
            "made \(dateClient.describe($0.createdAt))",
            "until \(dateClient.describe($0.expiresAt))",
          ]
        }))
  }

  private func revoke(_ typed: String) async throws -> Report {
    let found = try await invitationClient.invitations()
      .filter { $0.number.hasPrefix(typed.lowercased()) }
    guard let invitation = found.first, found.count == 1 else {
      if found.isEmpty { try await refuseUsed(typed) }
      throw CommandFailure(
        found.isEmpty
          ? "There is no open invitation \(quoted(typed))."
          : "More than one invitation begins with \(quoted(typed)).",
        advice: "See their numbers with lifesignal invite list.")
    }
    try await invitationClient.revoke(invitation.id)
    return Report(["Revoked. Nobody can join with its link any more."])
  }

  /// Reports who has joined with an invitation. It became the relation, under the same number.
  private func refuseUsed(_ typed: String) async throws {
    guard typed.count >= 8 else { return }
    let joined = try await contactsClient.contacts()
      .filter { $0.isLinked && $0.id.uuidString.lowercased().hasPrefix(typed.lowercased()) }
    guard let contact = joined.first, joined.count == 1 else { return }
    throw ClientError.invitationUsed(by: contact.name, roles: contact.roles)
  }

  private func create(_ roles: Roles) async throws -> NewInvitation {
    do throws(ClientError) { return try await invitationClient.create(roles) } catch {
      guard error.isOutcomeUnknown else { throw error }
      throw CommandFailure(
        "The server hasn't answered, so the invitation may or may not have been made. Its link is lost.",
        advice: "Run lifesignal invite list, and revoke it with lifesignal invite revoke NUMBER.")
    }
  }

  /// Draws a code that a camera can read from the terminal, using plain characters if there are no
  /// colours.
  @MainActor private func draw(_ modules: [[Bool]], _ invocation: Invocation) -> String {
    let hasColors =
      invocation.machine.hasTerminal() && invocation.variables["NO_COLOR", default: ""].isEmpty
    let size = QRCode.smallestSize(of: modules)
    let host = ViewHost(colorDepth: hasColors ? .palette256 : .none)
    let frame = host.frame(QRCode(modules, label: ""), size: size)
    return hasColors ? frame.ansiText(colorDepth: .palette256) : frame.text
  }
}

extension Invitation {
  /// The number in the list.
  fileprivate var number: String { id.uuidString.lowercased() }
}
