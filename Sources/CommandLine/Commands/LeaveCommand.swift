import Clients
import Composable
import Domain
import SharedPlatform

/// `lifesignal leave`: signs out and forgets the server.
struct LeaveCommand: PlainCommand {
  /// Whether to forget the server even if it can't be reached.
  var isForced = false
  /// Whether to use the copy of a moved account that stayed on this machine.
  var usesCopy = false

  static let declaration = CommandDeclaration(
    "leave", "Stop using the server",
    discussion: [
      "Signs out here and forgets the server. Your account stays there, its deadline keeps running, and your"
        + " responders are notified if you miss it. To delete it, use the app, under Profile, Security.",
      "With --force, forgets a server that can't be reached, such as one that is gone for good. Your account stays"
        + " watched as long as the server runs, and the session of this machine there isn't ended.",
      "With --use-copy, goes back to the copy of an account that moved from this computer to a server, as it was"
        + " then, and checks in to it. This works even if this machine has left the server. What you changed on the server"
        + " isn't in it, and the account there stays watched until you delete it.",
    ],
    takesAccount: false, exitCodes: [.locked]
  ) { syntax in
    let force = syntax.flag("force", "Forget a server that can't be reached")
    let copy = syntax.flag(
      "use-copy", "Use the copy of a moved account that stayed on this computer")
    return { LeaveCommand(isForced: $0.isSet(force), usesCopy: $0.isSet(copy)) }
  }

  func run(_ invocation: Invocation) async throws -> Report {
    let folders = try invocation.folders()
    guard usesCopy else { return try await leave(invocation, folders) }
    var here = DependencyValues()
    let isThere = invocation.machine.entry(folders.database) != .nothing
    if isThere { try invocation.storeAccess.servers.openHere(folders)(&here) }
    let nothing = CommandFailure("No account has moved from this computer to a server.")
    guard isThere else { throw nothing }
    let server = try await here.transferClient.movedTo() ?? "the server"
    guard case .signedIn = try await here.authClient.state() else {
      throw CommandFailure(
        "Nobody is signed in to the account on this computer.",
        advice: "Run lifesignal leave, then lifesignal sign-in EMAIL, and then this again.")
    }
    var report = Report()
    do { try await use(here, insteadOf: server, invocation, &report) } catch {
      throw error as? ClientError == .notAuthenticated ? nothing : error
    }
    // Leave only now: after a wrong passphrase, everything must stay as it was.
    guard (try? invocation.joinedServer()) != .some(nil) else { return report }
    // Forget even an unreachable server, or check-ins would go there and not to the copy.
    var forced = self
    forced.isForced = true
    let left = try await forced.leave(invocation, folders)
    report.lines += left.lines
    report.warnings += left.warnings
    return report
  }

  /// Takes back the account that was moved, with a check-in.
  private func use(
    _ here: DependencyValues, insteadOf server: String, _ invocation: Invocation,
    _ report: inout Report
  ) async throws {
    let (transfer, watch) = (here.transferClient, here.watchClient)
    let user = try await invocation.passingGate {
      try await transfer.reclaim(.commandLine)
    } startMonitor: {
      try? await watch.start()
    }
    report.lines += [
      "\(user.profile.name)'s account is on this computer again, as it was when it moved.",
      user.schedule?.isEarly == true
        ? "Early: still due by \(here.dateClient.describe(user.deadline.date))."
        : "Checked in. The next deadline is \(here.dateClient.describe(user.deadline.date)).",
    ]
    report.warnings.append(
      "The account on \(server) stays there: until you delete it, a missed deadline there notifies your"
        + " responders, too.")
    do throws(StorageError) { try await watch.start() } catch {
      report.warnings.append(error.errorDescription)
    }
  }

  // MARK: Leaving

  private func leave(_ invocation: Invocation, _ folders: Folders) async throws -> Report {
    let server: JoinedServer
    do {
      guard let joined = try invocation.joinedServer() else {
        throw CommandFailure("This machine hasn't joined a server.")
      }
      server = joined
    } catch let error as StorageError {
      // Without readable settings, there is no server to sign out from.
      try forget(invocation, folders)
      return Report(["Forgot the server."], warnings: [error.errorDescription])
    }
    let provide = try invocation.storeAccess.servers.open(folders, server, nil, nil)
    let clients = DependencyValues(provide)
    var warnings: [String] = []
    _ = await clients.offlineClient.sendAlerts()
    _ = await clients.offlineClient.sync()
    let outbox = clients.offlineClient.outbox()
    let waiting =
      outbox.waitingTexts(clients.dateClient)
      + outbox.refused.compactMap { $0.refusalText(clients.dateClient) }
    if !waiting.isEmpty {
      guard isForced else {
        throw CommandFailure(
          waiting.joined(separator: " "),
          advice:
            "Try again when the server can be reached, or lose it with lifesignal leave --force.")
      }
      warnings = waiting
    }
    var stays =
      "Your account stays there: your deadline keeps running, and your responders are notified if you miss it."
    do throws(ClientError) { try await clients.authClient.signOut() } catch {
      // Otherwise the session was already over, and the account may be gone.
      stays = "Nobody was signed in here. If you have an account there, it is still watched."
      if case .storage(.network) = error {
        guard isForced else {
          throw CommandFailure(
            "The session here couldn't be ended: \(error.errorDescription)",
            advice:
              "Try again when the server can be reached. If it is gone for good, run lifesignal leave --force."
          )
        }
        try await clients.keychainClient.delete(KeychainClient.sessionToken(at: server))
        try forget(invocation, folders)
        return Report(
          ["Forgot the server \(server.name), which can't be reached."],
          warnings: warnings + [
            "If the server still runs, an account that you have there is watched: your responders are notified if you"
              + " miss your deadline. The session of this machine wasn't ended; end it from another device, in the app"
              + " under Profile, Security."
          ])
      }
    }
    try forget(invocation, folders)
    return Report(["Left the server \(server.name). \(stays)"], warnings: warnings)
  }

  private func forget(_ invocation: Invocation, _ folders: Folders) throws {
    do { _ = try invocation.machine.removeFile(folders.joinedServer) } catch {
      throw CommandFailure("\(folders.joinedServer) can't be removed: \(error.reason).")
    }
    OutboxFolder(folders).removeAll()
    for file in folders.pageCacheFiles + [folders.serverReference] {
      _ = try? invocation.machine.removeFile(file)
    }
  }
}
