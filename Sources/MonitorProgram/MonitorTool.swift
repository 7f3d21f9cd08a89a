import Clients
import Composable
import ComposableFoundation
import Delivery
public import Domain
import SQLite
public import FoundationEssentials
import Glibc
import Monitor
import PostgreSQL
import System
import Web

/// The program `lifesignal-monitor`: watches the deadlines in a store and notifies the responders.
///
///     MonitorTool.live.main()
///
/// The arguments, environment and clocks are injected; the store, the configuration and the mail
/// server belong to the user whose folders the environment names.
public struct MonitorTool<Time: Clock>: Sendable where Time.Duration == Duration {
  private let arguments: [String]
  let variables: [String: String]
  private let folder: String
  let now: @Sendable () -> Date
  let uptime: @Sendable () -> Uptime?
  let clock: Time

  /// - Parameters:
  ///   - arguments: The arguments without the program's name.
  ///   - variables: The environment.
  ///   - folder: The base of relative paths in the arguments, even if the process changes folder
  ///     later.
  ///   - now: The wall clock.
  ///   - uptime: How long the machine has been running, which judges the wall clock; `nil` if nothing
  ///     does.
  ///   - clock: The clock to sleep by.
  public init(
    arguments: [String], variables: [String: String],
    folder: String = FileManager.default.currentDirectoryPath, now: @escaping @Sendable () -> Date,
    uptime: @escaping @Sendable () -> Uptime? = { nil }, clock: Time
  ) {
    self.arguments = arguments
    self.variables = variables
    self.folder = folder
    self.now = now
    self.uptime = uptime
    self.clock = clock
  }

  /// Runs on the main thread until asked to stop, then exits.
  public func main() -> Never {
    guard hasFreeDescriptors() else {
      StandardErrorLog.output.complain(
        "This process can't open any more files.", "Raise its limit.")
      _exit(1)
    }
    // A closed terminal must not end the watch.
    let signals = ProgramSignals(waitingFor: [SIGTERM, SIGINT], ignoring: [SIGHUP])
    let leash = Leash()
    // Not on the main actor: its thread waits for signals.
    let work = Task.detached { exit(await exitCode(leash)) }
    if arguments.contains(Arguments.WatchOption.untilInputEnds.rawValue) {
      Task.detached {
        await leash.end(on: clock)
        work.cancel()
      }
    }
    _ = signals.wait()
    work.cancel()
    _exit(128 + signals.wait())  // A second signal exits without finishing anything.
  }

  private func exitCode(_ leash: Leash) async -> Int32 {
    defer { StandardErrorLog.output.flush() }
    do throws(MonitorFailure) { return try await run(leash) } catch {
      StandardErrorLog.output.flush()
      StandardErrorLog.output.complain(error.reason, error.recovery)
      return error.code
    }
  }

  private func run(_ leash: Leash) async throws(MonitorFailure) -> Int32 {
    let arguments: Arguments
    let (server, databaseFile): (String?, String?)
    let candidate: String?
    do {
      let all = try MonitorArguments(self.arguments)
      candidate = all.candidate.map(path)
      (arguments, server) = (all.request, all.server.map(path))
      databaseFile =
        all.databaseFile.map(path) ?? server.flatMap { Self.databaseFile(ofServer: $0) }
    } catch {
      throw MonitorFailure(
        reason: "\(error.reason).", recovery: "Try “lifesignal-monitor --help”.", code: 2)
    }
    if arguments == .help {
      StandardErrorLog.output.write(Arguments.usage)
      return 0
    }
    if arguments == .version {
      StandardErrorLog.output.write("lifesignal-monitor \(Version.current)\n")
      return 0
    }
    guard let folders = server.map(Folders.init(server:)) ?? Folders(environment: variables)
    else {
      throw MonitorFailure(
        reason: "Neither HOME nor the XDG variables name a folder.", recovery: "Set HOME.")
    }
    let file = ConfigurationFile(path: candidate ?? folders.configuration)
    // A monitor that watches reports the fault and waits for the file to be fixed.
    if arguments == .once || arguments == .testDelivery, let fault = file.current().fault {
      throw MonitorFailure(fault)
    }
    // Tells monitors of each other while the store can't.
    let lock = OwnerLock(path: folders.data)
    defer { lock.give() }
    var isAlone = lock.take(else: true)
    let clients: DependencyValues
    if let databaseFile {
      clients = try openDatabase(databaseFile, ofServer: server != nil, folders, file, arguments)
    } else {
      let opened = try await openWhenPossible(
        folders, file, arguments, ofServer: server != nil
      ) {
        isAlone = isAlone || lock.take(else: true)
        return isAlone
      }
      guard let opened else { return 0 }
      clients = opened
    }
    let channels = ChannelDeliveryService(
      file: file,
      secret: { [get = clients.keychainClient.get] (name: String) async throws(KeychainError) in
        if candidate != nil, name == KeychainClient.smtpPassword,
          let secret = try await get(KeychainClient.smtpCandidate)
        {
          return secret
        }
        return try await get(name)
      }, dateClient: clients.dateClient,
      password: password, services: ServiceFiles(folders),
      isOfServer: server != nil || databaseFile != nil,
      links: LinkServer(
        pages: ResponderPages(
          client: clients.responseClient, dateClient: clients.dateClient,
          store: databaseFile ?? folders.database),
        dateClient: clients.dateClient,
        log: { StandardErrorLog.write("warning \($0)") }),
      standby: StandbyKeeper(
        client: clients.standbyClient,
        transport: StandbyTransport(
          StandbySender(dateClient: clients.dateClient) { url in
            (server != nil || databaseFile != nil)
              && !file.current().configuration.privateTargets.allows(url)
          }),
        dateClient: clients.dateClient, log: StandardErrorLog.monitorLog),
      logs: LogSender(
        outbox: clients.logOutboxClient,
        token: { [keychain = clients.keychainClient] () async throws(KeychainError) in
          try await keychain.get(KeychainClient.errorLogToken)
        }, dateClient: clients.dateClient, log: { StandardErrorLog.write("warning \($0)") }),
      recordMove: { [store = clients.monitorClient] delivery, address in
        do throws(StorageError) {
          try await store.moveChannel(delivery.id, delivery.token, address)
        } catch {
          StandardErrorLog.monitorLog.error(
            "a channel's move could not be recorded: \(error.text.code)")
        }
      })
    let loop = MonitorLoop(
      id: UUID(), store: clients.monitorClient, deliveryService: channels.deliveryService,
      dateClient: clients.dateClient, clock: clock,
      random: clients.withRandomNumberGenerator, log: StandardErrorLog.monitorLog,
      isLeaving: { leash.isOver }, upkeep: clients.upkeepClient,
      service: ServiceManager(environment: variables), fallback: clients.fallbackClient,
      damagedStore: databaseFile == nil
        ? EmbeddedPlatform.damagedStoreClient(folders: folders) : nil)
    leash.hold(clients.upkeepClient) { await loop.resign() }
    let result: Result<Int32, MonitorFailure>
    do throws(MonitorFailure) {
      let code =
        switch arguments {
        case .help, .version, .watch:
          try await watch(loop, onlyIfNone: arguments.watches(.ifNone), isAlone: isAlone)
        case .once: try await deliverOnce(loop, clients.watchClient)
        case .testDelivery: try await testDelivery(channels, clients, toSender: candidate != nil)
        }
      result = .success(code)
    } catch {
      result = .failure(error)
    }
    if arguments == .once { await channels.finish() }
    await clients.upkeepClient.close()
    return try result.get()
  }

  /// Opens a database that servers and other monitors also use. A monitor that watches waits until
  /// the database can be reached.
  private func openDatabase(
    _ path: String, ofServer: Bool, _ folders: Folders, _ file: ConfigurationFile,
    _ arguments: Arguments
  ) throws(MonitorFailure) -> DependencyValues {
    func open(waits: Bool) throws(StorageError) -> DependencyValues {
      // All machines use the database's clock.
      let platform = PostgresPlatform(
        ConnectionString(try EmbeddedPlatform.privateText(of: path)))
      let (place, now) = platform.makePlace(
        // Alerts that wait in a person's own folders belong to that person's own store.
        spools: ofServer ? EmbeddedPlatform.spools(folders: folders) : [])
      var clients = DependencyValues()
      try EmbeddedPlatform(
        place: place, folders: folders, now: now, waits: waits,
        secretCommand: { (name: String) throws(KeychainError) in
          try file.current().saved.secretCommand(name)
        }
      ).install(in: &clients)
      return clients
    }
    do throws(StorageError) {
      do throws(StorageError) { return try open(waits: false) } catch {
        guard case .unknown(let reason) = error, case .watch = arguments else { throw error }
        StandardErrorLog.write("error \(reason); trying again")
        return try open(waits: true)
      }
    } catch {
      throw MonitorFailure(error)
    }
  }

  /// Returns an absolute path; relative ones start from the folder where the program was started.
  private func path(_ typed: String) -> String {
    typed.hasPrefix("/") ? typed : folder + "/" + typed
  }

  /// Returns the file that holds a server's database connection; `nil` if the store is in the
  /// server's folder.
  private static func databaseFile(ofServer path: String) -> String? {
    let data = FileManager.default.contents(atPath: path + "/server.json") ?? Data()
    return (try? JSONDecoder().decode(ServerPlace.self, from: data))?.databaseFile
  }

  /// The value of `LIFESIGNAL_SMTP_PASSWORD`, unless empty.
  var password: String? {
    variables["LIFESIGNAL_SMTP_PASSWORD"].flatMap { $0.isEmpty ? nil : $0 }
  }

  private func watch(
    _ loop: MonitorLoop<Time>, onlyIfNone: Bool, isAlone: Bool
  ) async throws(MonitorFailure) -> Int32 {
    if onlyIfNone {
      do throws(StorageError) {
        guard try await loop.joinIfNone() else { return 0 }
      } catch {
        // A store that can be read but not written needs a monitor more than any other.
        guard isAlone else { return 0 }
      }
    }
    await loop.run()
    return 0
  }

  /// Sends a test message to the user's own address, or else to the sender's.
  private func testDelivery(
    _ channels: ChannelDeliveryService, _ clients: DependencyValues, toSender: Bool
  ) async throws(MonitorFailure) -> Int32 {
    if let exposure = channels.mailExposure { throw MonitorFailure(exposure) }
    let user: User
    do { user = try await clients.userClient.currentUser() } catch { throw MonitorFailure(error) }
    let sender = channels.sendersAddress
    guard let address = toSender ? sender : user.profile.email ?? sender else {
      throw MonitorFailure(reason: "Mail isn't set up. Run lifesignal mail setup.")
    }
    let id = clients.uuid()
    let outcome = await channels.deliveryService.deliver(
      ClaimedDelivery(
        id: id, token: id, attempt: 1, stage: .channelTest(id), recipient: .owner,
        recipientName: user.profile.name, channel: .email, address: address, plannedAt: now(),
        user: user))
    guard let reason = outcome.reason else {
      StandardErrorLog.output.write("A test message was sent to \(address).\n")
      return 0
    }
    throw MonitorFailure(reason: "\(address): \(reason)\(reason.hasSuffix(".") ? "" : ".")")
  }

  /// Delivers what is due now, and reports messages that could not be sent and accounts that can't
  /// be watched.
  private func deliverOnce(
    _ loop: MonitorLoop<Time>, _ watchClient: WatchClient
  ) async throws(MonitorFailure) -> Int32 {
    var round = await loop.runOnce()
    // The fault that the app shows while a monitor runs (ESC-6).
    if let fault = try? await watchClient.status().fault { round.problems.append(fault) }
    if let complaint = round.complaint { throw MonitorFailure(reason: complaint) }
    return 0
  }
}

extension MonitorTool where Time == ContinuousClock {
  /// The tool with the arguments, environment and clocks of this process.
  public static var live: MonitorTool {
    MonitorTool(
      arguments: Array(CommandLine.arguments.dropFirst()),
      variables: ProcessInfo.processInfo.environment, now: { Date() },
      uptime: { .ofThisMachine }, clock: ContinuousClock())
  }
}

/// Why the program can't do its work.
struct MonitorFailure: Error {
  /// What may help, apart from the person.
  enum Kind {
    /// Everyone who can still be read is notified until the store is restored.
    case damagedStore
    /// The disk of the store may come later.
    case missingStore, noAccount
    /// The store may still be read.
    case unwritableStore
    case other
  }

  var reason: String
  var recovery: String?
  var code: Int32 = 1
  var kind = Kind.other
}

extension MonitorFailure {
  init(_ error: some AppError) {
    self.init(reason: error.text.description, recovery: error.text.recovery)
  }

  init(opening error: StorageError) {
    self.init(error)
    switch error {
    case .corrupt: kind = .damagedStore
    case .missing: kind = .missingStore
    case .full, .permissionDenied, .busy, .unknown: kind = .unwritableStore
    default: break
    }
  }
}

/// The server settings that a monitor needs.
private struct ServerPlace: Decodable {
  var databaseFile: String?
}
