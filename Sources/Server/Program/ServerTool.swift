import Clients
import Cryptography
public import Domain
public import FoundationEssentials
import Glibc
import SQLite
import Store
import Synchronization
import System
import Web

/// The program `lifesignal-server`.
///
///     ServerTool.live.main()
public struct ServerTool: Sendable {
  private let arguments: [String]
  private let now: @Sendable () -> Date
  private let uptime: @Sendable () -> Uptime?

  /// - Parameters:
  ///   - arguments: The arguments, without the program's name.
  ///   - now: The clock.
  ///   - uptime: How long the machine has been running, which judges the clock; `nil` if nothing
  ///     does.
  public init(
    arguments: [String], now: @escaping @Sendable () -> Date,
    uptime: @escaping @Sendable () -> Uptime? = { nil }
  ) {
    self.arguments = arguments
    self.now = now
    self.uptime = uptime
  }

  /// The tool for this process.
  public static var live: ServerTool {
    ServerTool(
      arguments: Array(CommandLine.arguments.dropFirst()), now: { Date() },
      uptime: { .ofThisMachine })
  }

  /// Runs the command until it is done or stopped by a signal, and ends the process.
  public func main() -> Never {
    let signals = ProgramSignals(waitingFor: [SIGTERM, SIGINT, SIGHUP])
    // Not on the main thread, which waits for signals.
    Task.detached { exit(await exitCode()) }
    while true {
      if signals.wait() == SIGHUP {
        Self.listening.withLock { $0?() }
        continue
      }
      Self.listening.withLock { $0 = nil }
      // A second signal ends the process at once.
      guard let end = Self.ending.withLock({ $0.take() }) else { _exit(0) }
      Task.detached {
        await end()
        _exit(0)
      }
    }
  }

  /// Ends the server after the requests it has received; `nil` if none is running.
  private static let ending = Mutex<(@Sendable () async -> Void)?>(nil)
  /// The time limit for answers once the server ends.
  private static let endTimeout = Duration.seconds(5)

  /// Listens again with the present certificate, while the server runs.
  private static let listening = Mutex<(@Sendable () -> Void)?>(nil)

  private func exitCode() async -> Int32 {
    do {
      guard let arguments = try ServerArguments(arguments) else {
        output.write(ServerArguments.usage)
        return 0
      }
      try await run(arguments)
      return 0
    } catch let error as ServerArguments.Misuse {
      output.complain("\(error.reason).", "Try lifesignal-server --help.")
      return 2
    } catch let error as ServerFolder.Fault {
      output.complain(error.reason, error.recovery)
    } catch let error as ServerSettings.Fault {
      output.complain("\(error.reason).", nil)
      return 2
    } catch let error as WebServer.Failure {
      output.complain("The server \(error.reason).", nil)
    } catch let error as any AppError {
      output.complain(error.text.description, error.text.recovery)
    } catch {
      output.complain("\(error)", nil)
    }
    return 1
  }

  private func run(_ arguments: ServerArguments) async throws {
    let folder = ServerFolder(path: arguments.folder(in: FileManager.default.currentDirectoryPath))
    switch arguments.command {
    case .initialize: return try await initialize(arguments, folder)
    case .restore:
      return try await backup(arguments, folder).restore(
        from: arguments.positional[0], endsSessions: arguments.flags.contains("end-sessions"),
        readCode: Self.readRecoveryCode)
    case .backup:
      return try await backup(arguments, folder).backUp(
        to: arguments.positional[0], isPlain: arguments.flags.contains("plain"))
    case .backupKey:
      var settings = try folder.settings()
      ServerBackup.makeKey(&settings)
      return try folder.write(settings)
    default: break
    }
    let settings = try folder.settings()
    let migration = arguments.command == .migrate ? try ServerStore.migrate(settings) : nil
    let store = try ServerStore.open(settings, in: folder.path, now: now, uptime: uptime)
    let administration = store.administration
    try await folder.checkIdentity(of: administration, settings)
    switch arguments.command {
    case .initialize, .restore, .backup, .backupKey: break
    case .run:
      try await serve(
        Server(store, settings, metricsToken: nil, now: now, log: { output.log($0) }), folder)
    case .invite:
      let code = try await administration.invite(
        uses: try arguments.number("uses", 1, in: 1...1_000),
        lifetime: .days(try arguments.number("days", 7, in: 1...365)))
      let certificate = try folder.certificate(settings)?.certificate
      output.write(
        settings.joinLink(
          code: code, fingerprint: certificate.flatMap(Certificate.fingerprint(pem:))) + "\n")
    case .users: try await users(arguments.positional, administration)
    case .migrate:
      _ = try await administration.statistics()
      if let (from, to) = migration {
        output.write("The store's schema is \(to)\(from == to ? "" : "; it was \(from)").\n")
      } else {
        output.write("The store is up to date.\n")
      }
      try await listPrivateTargets(administration)
    case .check: try await check(administration, settings, folder)
    case .restored:
      let endsSessions = arguments.flags.contains("end-sessions")
      ServerBackup.report(
        try await administration.noteRestored(endsSessions: endsSessions),
        endsSessions: endsSessions)
    case .stats:
      let found = try await administration.statistics()
      output.write(
        """
        accounts            \(found.accounts)
        sessions            \(found.sessions)
        check-ins in a day  \(found.checkInsToday)
        alerts on           \(found.alertsOn)
        waiting messages    \(found.waitingDeliveries)
        files               \(found.files), \(found.fileBytes) bytes

        """)
    }
  }

  private func backup(_ arguments: ServerArguments, _ folder: ServerFolder) -> ServerBackup {
    ServerBackup(
      folder: folder, now: now,
      databaseFile: arguments.options["database-file"].map { URL(filePath: $0).path })
  }

  private static func readRecoveryCode() -> String? {
    if isatty(STDIN_FILENO) == 1 {
      output.write("The backup is sealed. Its recovery code: ", to: STDERR_FILENO)
    }
    return readLine()
  }

  private func initialize(_ arguments: ServerArguments, _ folder: ServerFolder) async throws {
    guard let url = arguments.options["url"], let listen = arguments.options["listen"] else {
      throw ServerArguments.Misuse(reason: "init needs --url URL and --listen HOST:PORT")
    }
    guard !folder.isSetUp else {
      throw ServerFolder.Fault(reason: "There is a server in \(folder.path) already.")
    }
    let registration = arguments.options["registration"] ?? "invite"
    guard let registration = ServerSettings.Registration(rawValue: registration) else {
      throw ServerArguments.Misuse(reason: "--registration is invite, open or closed")
    }
    var settings = try ServerSettings(
      url: url, listen: listen, registration: registration,
      databaseFile: arguments.options["database-file"].map { URL(filePath: $0).path })
    settings.tlsCertificate = arguments.options["tls-cert"].map { URL(filePath: $0).path }
    settings.tlsKey = arguments.options["tls-key"].map { URL(filePath: $0).path }
    settings.proxy = arguments.options["trusted-proxy"]
    guard (settings.tlsCertificate == nil) == (settings.tlsKey == nil) else {
      throw ServerArguments.Misuse(reason: "--tls-cert and --tls-key go together")
    }
    settings = try settings.checked()
    _ = try folder.certificate(settings)
    _ = try ServerStore.migrate(settings)
    let store = try ServerStore.open(settings, in: folder.path, now: now, uptime: uptime)
    _ = try await store.administration.statistics()
    settings.store = try await store.administration.identity()
    ServerBackup.makeKey(&settings)
    try folder.write(settings)
    output.write(
      """

      The server is set up in \(folder.path).
      Start it with lifesignal-server run --data \(folder.path),
      and lifesignal-monitor --data \(folder.path) beside it.
      Invite people with lifesignal-server invite --data \(folder.path).

      """)
  }

  private func serve(_ server: Server, _ folder: ServerFolder) async throws {
    let running = Mutex<WebServer?>(nil)
    let listen: @Sendable () throws -> Void = {
      let certificate = try folder.certificate(server.settings)
      let next = try server.listen(certificate: certificate, proxy: server.settings.proxy)
      let last = running.withLock { running in
        defer { running = next }
        return running
      }
      // The previous listener accepts nothing more, and ends once all that it received is answered:
      // at the latest when its last waiting device has waited long enough.
      last?.refuseMore()
      Task { await last?.finish(within: ChangeHub.waitLimit + Self.endTimeout) }
    }
    let (host, port) = (server.settings.host, server.settings.port)
    // Otherwise each program would answer a part of the requests, from different stores.
    guard !WebServer.isTaken(host: host, port: port) else {
      throw ServerFolder.Fault(reason: "Another program listens on \(host):\(port).")
    }
    try listen()
    if server.settings.tlsCertificate != nil {
      Self.listening.withLock {
        $0 = {
          do { try listen() } catch {
            let reason =
              (error as? ServerFolder.Fault)?.reason
              ?? (error as? WebServer.Failure).map { "The server \($0.reason)." } ?? "\(error)"
            output.complain("The certificate wasn't read again. \(reason)", nil)
          }
        }
      }
    }
    Self.ending.withLock {
      $0 = {
        guard let web = running.withLock(\.self) else { return }
        await server.end(web, within: Self.endTimeout)
      }
    }
    output.write(
      "Listening on \(host):\(running.withLock { $0?.port ?? 0 }).\n", to: STDERR_FILENO)
    while (try? await Task.sleep(for: .seconds(3_600))) != nil {}
    withExtendedLifetime(running) {}
  }

  private func users(_ words: [String], _ administration: Store) async throws {
    let noAccount = ServerFolder.Fault(
      reason: "No account signs in with this address.", recovery: "See lifesignal-server users.")
    switch (words.first, words.dropFirst().first) {
    case (nil, _):
      for account in try await administration.accounts() {
        let last = account.lastUsedAt.map { "last used \($0.rfc3339)" } ?? "not signed in"
        output.write(
          "\(account.email ?? "no address")  \(account.name)  \(last)\(account.isDisabled ? "  disabled" : "")\n"
        )
      }
    case ("disable", let email?):
      guard try await administration.setDisabled(true, email: email) else { throw noAccount }
      output.write("Nobody can sign in to \(email) now. The account is still watched.\n")
    case ("enable", let email?):
      guard try await administration.setDisabled(false, email: email) else { throw noAccount }
      output.write("\(email) can sign in again.\n")
    case ("reset", let email?):
      guard let code = try await administration.makeResetCode(email: email) else { throw noAccount }
      output.write("For an hour, \(email) can set a new password with this code:\n\(code)\n")
    default:
      throw ServerArguments.Misuse(reason: "users takes disable, enable or reset, and an address")
    }
  }

  private func check(
    _ administration: Store, _ settings: ServerSettings, _ folder: ServerFolder
  ) async throws {
    let ready = try await administration.readiness()
    output.write("store    can be read and written\n")
    if try folder.certificate(settings) != nil {
      output.write("TLS      the certificate and its key can be read, and belong together\n")
    } else if !settings.isPlain {
      output.write("TLS      a proxy must add it\n")
    }
    // Stricter than for a load balancer, where a minute counts: a monitor that has shut down has no
    // lease.
    guard ready.monitors > 0 else {
      throw ServerFolder.Fault(
        reason: "No monitor is running: nobody is being watched.",
        recovery: "Start lifesignal-monitor --data \(folder.path).")
    }
    output.write("monitor  running\n")
    if let problem = ready.problem { output.write("messages \(problem.text)\n") }
    try await listPrivateTargets(administration)
  }

  /// Lists the members' channels that lead to this machine or its network, as they did before that
  /// was refused. Their people can remove them; `private_targets` allows others.
  private func listPrivateTargets(_ administration: Store) async throws {
    var isInside: [String: Bool] = [:]
    for (person, address) in try await administration.channelsOfBefore() {
      guard let host = PrivateTargets.host(ofAddress: address) else { continue }
      let addresses = isInside[host] == nil ? NetworkAddress.addresses(of: host) : []
      let leadsInside =
        isInside[host] ?? addresses.contains { $0.isLoopback || $0.isPrivate || $0.refusal != nil }
      isInside[host] = leadsInside
      guard leadsInside else { continue }
      let name = person.outgoing
      output.write("inside   a channel of \(name) leads to \(host.outgoing), as before\n")
    }
  }
}
