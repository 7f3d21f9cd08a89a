import Clients
import Composable
import Domain
import SharedPlatform

/// `lifesignal join`: has this machine use an account on a server.
struct JoinCommand: PlainCommand {
  /// `nil` for the first line of standard input.
  var link: ServerLink?
  var email: String
  /// That of a new account; `nil` to sign in to one that there is.
  var name: String?

  static let declaration = CommandDeclaration(
    "join", "Use an account on a server",
    discussion: [
      "LINK is an invitation: lifesignal://join/HOST/CODE#FINGERPRINT. With - instead, the first line of"
        + " standard input is the link, so that it doesn't stay in the shell's history.",
      "With --name it creates your account there: the deadline starts running now, 24 hours after this first"
        + " check-in. Without, it signs in to an account that you have on the server, for another device.",
      "Asks for the password, or reads it from standard input. The server's key must have the link's"
        + " fingerprint. If the link has none, it shows the key's fingerprint and asks.",
      "From then on, every command uses the server, whose monitor watches your deadline.",
    ],
    takesAccount: false
  ) { words in
    let link: Argument<ServerLink?> = words.argument("LINK", "The invitation, or -") { word in
      if word == "-" { return nil }
      do throws(ServerLink.Malformed) { return try ServerLink(word) } catch {
        throw InvalidValue("That isn't an invitation to a server. \(error.reason)")
      }
    }
    let name = words.option(
      "name", "NAME", "Your name, for a new account, 2 to 50 characters", read: ProfileRules.name)
    let email = words.option(
      "email", "ADDRESS", "The e-mail address that you sign in with", isRequired: true,
      read: ProfileRules.email)
    return { arguments in
      JoinCommand(
        link: try arguments.required(link), email: try arguments.required(email),
        name: try arguments.value(of: name))
    }
  }

  func run(_ invocation: Invocation) async throws -> Report {
    let folders = try invocation.folders()
    if let joined = try invocation.joinedServer() {
      throw CommandFailure(
        "This machine has joined the server \(joined.name).",
        advice: "Sign in there with lifesignal sign-in, or leave it first with lifesignal leave.")
    }
    try await refuseOwnAccount(invocation, folders)
    let link = try link ?? readLink(invocation)
    let server = try await confirmKey(of: link.server, invocation)
    let provide = try invocation.storeAccess.servers.open(folders, server, link.code, nil)
    var clients = DependencyValues()
    provide(&clients)
    let report = try await name == nil ? signIn(clients, invocation) : signUp(clients, invocation)
    do { try invocation.writeFile(folders.joinedServer, server.bytes) } catch {
      throw CommandFailure(
        "\(folders.joinedServer) can't be written: \(error.reason).",
        advice: "Then join again without --name: your account is on the server.")
    }
    return report
  }

  private func readLink(_ invocation: Invocation) throws -> ServerLink {
    let text = try invocation.readSecret("Link: ").trimmingWhitespace()
    do throws(ServerLink.Malformed) { return try ServerLink(text) } catch {
      throw CommandFailure("That isn't an invitation to a server.", advice: error.reason)
    }
  }

  /// An account on this machine would go on being watched, and nobody could check in to it.
  private func refuseOwnAccount(_ invocation: Invocation, _ folders: Folders) async throws {
    guard invocation.machine.entry(folders.database) != .nothing else { return }
    let state = try await invocation.clients(folders)?.authClient.state()
    guard state != .newcomer else { return }
    throw CommandFailure(
      "There is an account on this machine, which would be watched on and miss its deadline.",
      advice:
        "Export it with lifesignal export, then delete it in the app, under Profile, Security.")
  }

  /// Compares the server's key, or has the person compare it.
  /// - Returns: the server with the key by which it is known from now on.
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
    // The key of a certificate that an authority renews may change with it.
    if !identity.isTrusted { server.fingerprint = identity.fingerprint }
    return server
  }

  private func signUp(
    _ clients: DependencyValues, _ invocation: Invocation
  ) async throws -> Report {
    let password = try invocation.readNewPassword()
    let new = NewAccount(
      profile: Profile(name: name ?? "", email: email),
      credentials: Credentials(email: email, password: password))
    let user = try await clients.authClient.createAccount(new)
    return Report(
      [
        "Welcome, \(user.profile.name). Check in by"
          + " \(clients.dateClient.describe(user.deadline.date)), then every"
          + " \(user.interval.displayText)."
      ],
      warnings: [
        "Nobody would be notified: you have no responders. Add one with lifesignal contacts add."
      ])
  }

  private func signIn(
    _ clients: DependencyValues, _ invocation: Invocation
  ) async throws -> Report {
    let password = try invocation.readPassword("Password: ")
    do {
      _ = try await clients.authClient.signIn(Credentials(email: email, password: password))
    } catch {
      guard error == .invalidCredentials else { throw error }
      throw CommandFailure(
        error.errorDescription, advice: "To create an account there, add --name with your name.")
    }
    let user = try await clients.userClient.currentUser()
    return Report(["Signed in as \(user.profile.name)."])
  }
}

/// `lifesignal leave`: signs out and forgets the server.
struct LeaveCommand: PlainCommand {
  static let declaration = CommandDeclaration(
    "leave", "Stop using the server",
    discussion: [
      "Signs out here and forgets the server. Your account stays there, its deadline keeps running, and your"
        + " responders are notified if you miss it. To delete it, use the app, under Profile, Security."
    ],
    takesAccount: false
  ) { _ in { _ in LeaveCommand() } }

  func run(_ invocation: Invocation) async throws -> Report {
    let folders = try invocation.folders()
    var report = Report()
    do {
      guard let server = try invocation.joinedServer() else {
        throw CommandFailure("This machine hasn't joined a server.")
      }
      report.lines = ["Left the server \(server.name)."]
      let provide = try invocation.storeAccess.servers.open(folders, server, nil, nil)
      var clients = DependencyValues()
      provide(&clients)
      do {
        try await clients.authClient.signOut()
      } catch {
        guard case .storage(.network) = error else {
          // Nobody is signed in any more.
          return try forget(invocation, folders, report)
        }
        throw CommandFailure(
          "The session here couldn't be ended: \(error.errorDescription)",
          advice: "Try again when the server can be reached.")
      }
    } catch let error as StorageError {
      // Settings that can't be read name no server to sign out from.
      report.lines = ["Forgot the server."]
      report.warnings = [error.errorDescription]
    }
    return try forget(invocation, folders, report)
  }

  private func forget(
    _ invocation: Invocation, _ folders: Folders, _ report: Report
  ) throws -> Report {
    do { _ = try invocation.machine.removeFile(folders.joinedServer) } catch {
      throw CommandFailure("\(folders.joinedServer) can't be removed: \(error.reason).")
    }
    return report
  }
}
