import Clients
import Composable
import Domain
import SharedPlatform

/// `lifesignal join`: makes this machine use an account on a server.
struct JoinCommand: PlainCommand {
  /// The invitation; `nil` to read it from the first line of standard input.
  var link: ServerLink?
  /// The address to sign in with; `nil` for that of the account being moved.
  var email: String?
  /// The name for a new account; `nil` to sign in to an existing one.
  var name: String?
  var bringsAccount = false

  static let declaration = CommandDeclaration(
    "join", "Use an account on a server",
    discussion: [
      "LINK is an invitation: lifesignal://join/HOST/CODE#FINGERPRINT. With - instead, the first line of"
        + " standard input is the link, so that it doesn't stay in the shell's history.",
      "If the link is from a member of the server, says first who invites you and what you become to them.",
      "With --name it creates your account there: the deadline starts running now, 24 hours after this first"
        + " check-in. Without --name, it signs in to an account that you already have on the server, for another device.",
      "With --bring-account, the account of this computer moves to the server, with its deadline, contacts,"
        + " channels and their secrets, history, passphrases and documents. It is watched all the time:"
        + " the monitor here goes on until the server's has looked at your account. If it is interrupted, give"
        + " the same command again.",
      "Asks for the password, or reads it from standard input. The server's key must have the link's"
        + " fingerprint. If the link has none, it shows the key's fingerprint and asks.",
      "From then on, every command uses the server, whose monitor watches your deadline.",
    ],
    takesAccount: false
  ) { syntax in
    let link: Argument<ServerLink?> = syntax.argument("LINK", "The invitation, or -") { word in
      if word == "-" { return nil }
      do throws(ServerLink.Malformed) { return try ServerLink(word) } catch {
        throw InvalidValue("That isn't an invitation to a server. \(error.reason)")
      }
    }
    let name = syntax.option(
      "name", "NAME", "Your name, for a new account, 1 to 50 characters", read: ProfileRules.name)
    let email = syntax.option(
      "email", "ADDRESS",
      "The e-mail address that you sign in with; with --bring-account that of the account (default)",
      read: ProfileRules.email)
    let bring = syntax.flag("bring-account", "Move the account of this computer to the server")
    return { arguments in
      let isBringing = arguments.isSet(bring)
      return JoinCommand(
        link: try arguments.required(link),
        email: isBringing ? try arguments.value(of: email) : try arguments.required(email),
        name: try arguments.value(of: name), bringsAccount: isBringing)
    }
  }

  func run(_ invocation: Invocation) async throws -> Report {
    let folders = try invocation.folders()
    if bringsAccount { return try await bring(invocation, folders) }
    if let joined = try invocation.joinedServer() {
      throw CommandFailure(
        "This machine has joined the server \(joined.name).",
        advice: "Sign in there with lifesignal sign-in, or leave it first with lifesignal leave.")
    }
    try await refuseOwnAccount(invocation, folders)
    let link = try wholeLink(invocation)
    let server = try await confirmKey(of: link.server, invocation)
    let provide = try invocation.storeAccess.servers.open(folders, server, link.code, nil)
    let clients = DependencyValues(provide)
    let report = try await name == nil ? signIn(clients, invocation) : signUp(clients, invocation)
    try keep(
      server, invocation, folders,
      advice: "Then join again without --name: your account is on the server.")
    return report
  }

  private func keep(
    _ server: JoinedServer, _ invocation: Invocation, _ folders: Folders, advice: String
  ) throws {
    do { try invocation.writeFile(folders.joinedServer, server.bytes) } catch {
      throw CommandFailure(
        "\(folders.joinedServer) can't be written: \(error.reason).", advice: advice)
    }
  }

  // MARK: Moving an account

  private func bring(_ invocation: Invocation, _ folders: Folders) async throws -> Report {
    let link = try wholeLink(invocation)
    let joined = try invocation.joinedServer()
    if let joined, joined.name != link.server.name {
      throw CommandFailure(
        "This machine has joined another server, \(joined.name).",
        advice: "Leave it first with lifesignal leave.")
    }
    let server: JoinedServer
    if let joined {
      server = joined
    } else {
      server = try await confirmKey(of: link.server, invocation)
    }
    let here = try DependencyValues(invocation.storeAccess.servers.openHere(folders))
    if let before = try await here.transferClient.movedTo(), before != server.name {
      throw ClientError.cannotMove(.movedBefore(to: before))
    }
    guard case .signedIn = try await here.authClient.state() else {
      throw CommandFailure(
        "There is no account on this machine to bring along, or nobody is signed in.",
        advice: "Sign in with lifesignal sign-in, or join with --name to create an account.")
    }
    let passphrase = PassphraseLine(invocation)
    let (prepare, start) = (here.transferClient.prepareMove, here.watchClient.start)
    let prepared = try await invocation.passingGate(with: passphrase) {
      try await prepare()
    } startMonitor: {
      try? await start()
    }
    let provide = try invocation.storeAccess.servers.open(folders, server, link.code, nil)
    let there = DependencyValues(provide)
    // Check first what can fail: creating an account uses up the invitation.
    if prepared.movedTo == nil { try await requireWatch(there, prepared, server.name) }
    let isNew = try await enter(there, prepared, server.name, invocation)
    let mover = AccountMover(from: here, to: there, server: server.name)
    // It prepares again what changes on the way.
    try await invocation.passingGate(with: passphrase) {
      do { try await mover.bring(prepared) } catch {
        guard prepared.movedTo == nil, let error = error as? ClientError else { throw error }
        throw CommandFailure(
          error.errorDescription,
          advice: [
            error.recoverySuggestion,
            "Your account is still here and watched.",
            isNew
              ? "The one that was opened on \(server.name) isn't watched; give the same command again to use it."
              : nil,
          ].compactMap(\.self).joined(separator: " "))
      }
    } startMonitor: {
      try? await start()
    }
    let again = "Then give the same command again to finish."
    try keep(server, invocation, folders, advice: again)
    let user = try await there.userClient.currentUser()
    let deadline = here.dateClient.describe(user.deadline.date)
    guard try await mover.arrive() else {
      throw CommandFailure(
        "Your account is on \(server.name), whose monitor hasn't looked at it yet. The monitor here goes on,"
          + " and notifies your responders at \(deadline) even if you check in on the server.",
        advice: "Give the same command again before then to finish.")
    }
    return broughtReport(prepared, server.name, deadline)
  }

  /// Throws if the server would notify nobody.
  private func requireWatch(
    _ there: DependencyValues, _ move: AccountMove, _ server: String
  ) async throws {
    let responders = move.export.contacts.filter { $0.roles.contains(.responder) }
    let kinds = Set(responders.flatMap(\.channels).map(\.kind))
    let readiness = try await there.watchClient.readiness()
    guard let reason = readiness.failureReason(on: kinds) else { return }
    throw CommandFailure(
      "Nobody would be notified by \(server): \(reason).",
      advice:
        "Nothing was moved, and no account was opened there. Ask the person who runs the server to fix that,"
        + " and give the same command again.")
  }

  private func broughtReport(
    _ move: AccountMove, _ server: String, _ deadline: String
  ) -> Report {
    let export = move.export
    let counts = [
      (export.checkIns.count, "check-in"), (export.contacts.count, "contact"),
      (export.files.count, "document"),
    ].map { count, word in "\(count) \(word)\(count == 1 ? "" : "s")" }.joinedAsList
    return Report(
      [
        "\(export.user.profile.name)'s account has moved to \(server): \(counts).",
        "The monitor there watches your deadline, \(deadline); the one here no longer does.",
        "The people who run \(server) can read what you keep there.",
      ],
      warnings: export.channels.contains { $0.kind == .desktop }
        ? ["Desktop notifications appear where the server's monitor runs. Remove that channel."]
        : [])
  }

  /// Signs in to the new account, or to the one that an earlier attempt created.
  /// - Returns: Whether the account was created just now.
  private func enter(
    _ there: DependencyValues, _ move: AccountMove, _ server: String, _ invocation: Invocation
  ) async throws -> Bool {
    if case .signedIn = try await there.authClient.state() { return false }
    let profile = move.export.user.profile
    guard let email = email ?? profile.email else {
      throw CommandFailure(
        "Your account has no e-mail address to sign in with.", advice: "Add --email ADDRESS.")
    }
    // After the move, a new account would be empty and take the moved one's place.
    guard move.movedTo == nil else {
      try await reenter(there, email, server, invocation)
      return false
    }
    do throws(ClientError) { try await sayOffer(there, invocation) } catch {
      // An earlier attempt may have used it.
      guard error.isOfInvitation else { throw error }
    }
    let credentials = Credentials(email: email, password: try invocation.readNewPassword())
    let refusal: ClientError
    do throws(ClientError) {
      _ = try await there.authClient.createAccount(
        NewAccount(
          profile: Profile(name: profile.name, email: email), credentials: credentials,
          isArriving: true))
      return true
    } catch { refusal = error }
    guard refusal.isOfInvitation || [.emailAlreadyInUse, .invalid(.emailTaken)].contains(refusal)
    else { throw refusal }
    do throws(ClientError) { _ = try await there.authClient.signIn(credentials) } catch {
      guard error == .invalidCredentials else { throw error }
      throw refusal.isOfInvitation
        ? CommandFailure(
          refusal.errorDescription,
          advice: "If you have used it for \(email) already, the password is wrong.")
        : CommandFailure(
          "\(email) has an account there already, and this isn't its password.",
          advice: "Type the password that you chose there, or add --email with another address.")
    }
    return false
  }

  /// Signs in to the account that was moved.
  private func reenter(
    _ there: DependencyValues, _ email: String, _ server: String, _ invocation: Invocation
  ) async throws {
    do {
      try await enterPassword(there, email, invocation)
    } catch ClientError.invalidCredentials {
      throw CommandFailure(
        "\(ClientError.accountMoved(to: server).errorDescription) This isn't the password of \(email) there.",
        advice:
          "Add --email with the address that it has there. If it was deleted there, run lifesignal leave"
          + " --use-copy.")
    }
  }

  /// Returns the link. If it may create an account, its code must be complete.
  private func wholeLink(_ invocation: Invocation) throws -> ServerLink {
    let link = try link ?? readLink(invocation)
    guard link.isWhole || name == nil && !bringsAccount else {
      throw CommandFailure(
        "The code in this link has \(link.code.count) characters instead of 32, so a part of it is missing or"
          + " doesn't belong to it.",
        advice: "Copy the whole link again. Nothing was sent.")
    }
    return link
  }

  private func readLink(_ invocation: Invocation) throws -> ServerLink {
    let text = try invocation.readSecret("Link: ").trimmingWhitespace()
    do throws(ServerLink.Malformed) { return try ServerLink(text) } catch {
      throw CommandFailure("That isn't an invitation to a server.", advice: error.reason)
    }
  }

  /// Refuses to join if there is an account on this machine: it would still be watched, but nobody
  /// could check in to it.
  private func refuseOwnAccount(_ invocation: Invocation, _ folders: Folders) async throws {
    guard invocation.machine.entry(folders.database) != .nothing else { return }
    let clients = invocation.clients(folders)
    let state = try await clients?.authClient.state()
    guard state != .newcomer else { return }
    // An account that was moved is watched by its server, so it may stay.
    guard try await clients?.transferClient.movedTo() == nil else { return }
    throw CommandFailure(
      "There is an account on this machine, which would still be watched and miss its deadline.",
      advice:
        "Add --bring-account to move it to the server. If you have an account there already, delete the one"
        + " here first, in the app under Profile, Security; then this signs in.")
  }

  /// Compares the server's key, or asks the user to compare it.
  /// - Returns: The server with the key to expect from now on.
  private func confirmKey(
    of server: JoinedServer, _ invocation: Invocation
  ) async throws -> JoinedServer {
    guard server.isEncrypted, server.fingerprint == nil else { return server }
    let identity: ServerConnection.Identity
    do { identity = try await invocation.storeAccess.servers.identify(server) } catch {
      throw CommandFailure(error)
    }
    invocation.say("The key of \(server.name) has the fingerprint")
    invocation.say("  \(identity.fingerprint)")
    invocation.say(
      identity.isTrusted
        ? "Your system trusts its certificate."
        : "Your system doesn't trust its certificate, so compare the fingerprint by phone.")
    try await invocation.confirm("Join this server?")
    var server = server
    // The key of a certificate from an authority can change at renewal.
    if !identity.isTrusted { server.fingerprint = identity.fingerprint }
    return server
  }

  private func signUp(
    _ clients: DependencyValues, _ invocation: Invocation
  ) async throws -> Report {
    let offer = try await sayOffer(clients, invocation)
    let password = try invocation.readNewPassword()
    let new = NewAccount(
      profile: Profile(name: name ?? "", email: email),
      credentials: Credentials(email: email ?? "", password: password))
    let user = try await clients.authClient.createAccount(new)
    var report = Report([
      "Welcome, \(user.profile.name). Check in by"
        + " \(clients.dateClient.describe(user.deadline.date)), then"
        + " \(user.promiseInWords)."
    ])
    if let server = clients.accountHost.serverName {
      report.lines.append("The people who run \(server) can read what you keep there.")
    }
    // The account exists, and this machine must keep its session even if this request fails.
    let contacts = offer == nil ? [] : try? await clients.contactsClient.contacts()
    let contact = contacts?.first
    if let contact {
      report.lines.append("\(contact.roles.sentence(about: contact.name)).")
    } else if let offer, contacts != nil {
      report.warnings.append(
        "The invitation was used or revoked in the meantime: you and \(offer.name) aren't contacts."
          + " Add each other by code with lifesignal contacts add.")
    }
    if contacts != nil, contact?.isResponder != true {
      report.warnings.append(
        "Nobody would be notified: you have no responders. Add one with lifesignal contacts add.")
    } else {
      report.warnings += await watchWarnings(clients, contacts)
    }
    return report
  }

  /// Says what the link makes the user, before an account is created.
  @discardableResult
  private func sayOffer(
    _ clients: DependencyValues, _ invocation: Invocation
  ) async throws(ClientError) -> InvitationOffer? {
    guard let offer = try await clients.invitationClient.offer() else { return nil }
    for sentence in offer.sentences { invocation.say(sentence) }
    return offer
  }

  private func signIn(
    _ clients: DependencyValues, _ invocation: Invocation
  ) async throws -> Report {
    do {
      try await enterPassword(clients, email ?? "", invocation)
    } catch ClientError.invalidCredentials {
      throw CommandFailure(
        ClientError.invalidCredentials.errorDescription,
        advice: "To create an account there, add --name with your name.")
    }
    let user = try await clients.userClient.currentUser()
    return Report(
      ["Signed in as \(user.profile.name)."],
      warnings: await watchWarnings(clients, try? clients.contactsClient.contacts()))
  }

  private func enterPassword(
    _ clients: DependencyValues, _ email: String, _ invocation: Invocation
  ) async throws {
    while true {
      let password = try invocation.readPassword("Password: ")
      do throws(ClientError) {
        _ = try await clients.authClient.signIn(Credentials(email: email, password: password))
        return
      } catch {
        guard error == .invalidCredentials else { throw error }
        try invocation.reportInvalidInput(error)
      }
    }
  }

  /// Warns if the server would notify nobody.
  private func watchWarnings(
    _ clients: DependencyValues, _ contacts: [Contact]?
  ) async -> [String] {
    let kinds = ContactOverview(contacts ?? [], naming: 0).channelKinds
    guard let status = try? await clients.watchClient.status(),
      let reason = status.failureReason(on: kinds.isEmpty ? nil : kinds)
    else { return [] }
    return ["Nobody would be notified: \(reason). Tell the person who runs the server."]
  }
}

extension ClientError {
  /// Whether the error says that an invitation can't create an account.
  fileprivate var isOfInvitation: Bool {
    switch self {
    case .inviteRequired, .invitationOver, .registrationClosed: true
    default: false
    }
  }
}
