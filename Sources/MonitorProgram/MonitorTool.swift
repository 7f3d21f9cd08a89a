import Clients
import Composable
import Delivery
import Domain
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
  private let variables: [String: String]
  private let folder: String
  private let now: @Sendable () -> Date
  private let uptime: @Sendable () -> Uptime?
  private let clock: Time

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
    // A closed terminal must not end the watch.
    let signals = ProgramSignals(waitingFor: [SIGTERM, SIGINT], ignoring: [SIGHUP])
    // Not on the main actor: its thread waits for signals.
    let work = Task.detached { exit(await exitCode()) }
    _ = signals.wait()
    work.cancel()
    _exit(128 + signals.wait())  // A second signal exits without finishing anything.
  }

  private func exitCode() async -> Int32 {
    defer { StandardErrorLog.output.flush() }
    do throws(MonitorFailure) { return try await run() } catch {
      StandardErrorLog.output.flush()
      StandardErrorLog.output.complain(error.reason, error.recovery)
      return error.code
    }
  }

  private func run() async throws(MonitorFailure) -> Int32 {
    let arguments: Arguments
    let (server, databaseFile): (String?, String?)
    do {
      let all = try MonitorArguments(self.arguments)
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
    let file = ConfigurationFile(path: folders.configuration)
    // A monitor that watches reports the fault and waits for the file to be fixed.
    if arguments == .once || arguments == .testDelivery, let fault = file.current().fault {
      throw MonitorFailure(fault)
    }
    let clients =
      if let databaseFile {
        try openDatabase(databaseFile, ofServer: server != nil, folders, file, arguments)
      } else {
        try await openWhenWhole(folders, file, arguments, ofServer: server != nil)
      }
    let channels = ChannelDeliveryService(
      file: file, secret: clients.keychainClient.get, dateClient: clients.dateClient,
      password: password, services: ServiceFiles(folders),
      isOfServer: server != nil || databaseFile != nil,
      links: LinkKeeper(
        pages: ResponderPages(
          client: clients.responseClient, dateClient: clients.dateClient,
          store: databaseFile ?? folders.database),
        dateClient: clients.dateClient,
        log: { StandardErrorLog.write("warning \($0)") }),
      standby: StandbyKeeper(
        client: clients.standbyClient,
        transport: StandbyTransport(StandbySender(dateClient: clients.dateClient)),
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
          StandardErrorLog.write("error a channel's move could not be recorded: \(error.text.code)")
        }
      })
    let loop = MonitorLoop(
      id: UUID(), store: clients.monitorClient, deliveryService: channels.deliveryService,
      dateClient: clients.dateClient, clock: clock,
      random: clients.withRandomNumberGenerator, log: StandardErrorLog.monitorLog,
      upkeep: clients.upkeepClient, service: ServiceManager(environment: variables),
      fallback: clients.fallbackClient,
      damagedStore: databaseFile == nil
        ? EmbeddedPlatform.damagedStoreClient(folders: folders) : nil)
    switch arguments {
    case .help, .version, .watch:
      return try await watch(
        loop, clients.watchClient, onlyIfNone: arguments == .watch(onlyIfNone: true))
    case .once:
      let result: Result<Int32, MonitorFailure>
      do throws(MonitorFailure) {
        result = .success(try await deliverOnce(loop, clients.watchClient))
      } catch {
        result = .failure(error)
      }
      await channels.finish()
      return try result.get()
    case .testDelivery: return try await testDelivery(channels, clients)
    }
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

  /// Opens the store. If it is damaged, a monitor that watches waits until it is restored, and in
  /// the meantime notifies everyone the store still names.
  private func openWhenWhole(
    _ folders: Folders, _ file: ConfigurationFile, _ arguments: Arguments,
    ofServer isOfServer: Bool
  ) async throws(MonitorFailure) -> DependencyValues {
    var notice: Task<Void, Never>?
    defer { notice?.cancel() }
    let service = ServiceManager(environment: variables)
    let client = EmbeddedPlatform.damagedStoreClient(folders: folders)
    while true {
      do { return try await open(folders, file) } catch {
        guard error.isDamage, case .watch = arguments else { throw error }
        // Nothing can be read from a file that isn't a store.
        if notice == nil, await !client.hasReadablePeople() { throw error }
        if notice == nil, client.claimCalls() {
          StandardErrorLog.write("error \(error.reason) Nobody is being watched.")
          var clients = DependencyValues()
          clients.dateClient.now = now
          let deliveryService = ChannelDeliveryService(
            file: file,
            secret: { (name: String) async throws(KeychainError) in
              try await EmbeddedPlatform.secret(name, folders: folders) {
                (name: String) throws(KeychainError) in
                try file.current().saved.secretCommand(name)
              }
            }, dateClient: clients.dateClient, password: password, services: ServiceFiles(folders),
            isOfServer: isOfServer
          ).deliveryService
          let unwatched = DamageNotice(
            client: client, deliveryService: deliveryService, now: now, clock: clock,
            random: clients.withRandomNumberGenerator, log: StandardErrorLog.monitorLog)
          notice = Task {
            async let calls: Void = unwatched.sendCalls()
            await unwatched.send()
            await calls
          }
        }
        // Another monitor is already waiting.
        if notice == nil, arguments == .watch(onlyIfNone: true) { throw error }
        service?.notify([
          .ready, .watchdog, .status("the store is damaged, nobody is being watched"),
        ])
        guard (try? await clock.sleep(for: .seconds(30))) != nil else { throw error }
      }
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
  private var password: String? {
    variables["LIFESIGNAL_SMTP_PASSWORD"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Opens the store of a user who has an account. Only the app creates accounts.
  private func open(
    _ folders: Folders, _ file: ConfigurationFile
  ) async throws(MonitorFailure) -> DependencyValues {
    let noAccount = MonitorFailure(
      reason: "There is no account here yet.", recovery: "Run lifesignal to create one.")
    let isThere = access(folders.database, F_OK) == 0 || access(folders.storeMarker, F_OK) == 0
    guard isThere else { throw noAccount }
    var clients = DependencyValues()
    do throws(StorageError) {
      try EmbeddedPlatform(
        folders: folders, now: now, uptime: uptime,
        secretCommand: { (name: String) throws(KeychainError) in
          try file.current().saved.secretCommand(name)
        }
      ).install(in: &clients)
    } catch {
      var failure = MonitorFailure(error)
      if case .corrupt = error { failure.isDamage = true }
      throw failure
    }
    // A server's accounts belong to people elsewhere, and there may be none yet.
    if access(folders.data + "/server.json", F_OK) == 0 { return clients }
    do {
      if try await clients.authClient.currentUserID() != nil { return clients }
      // A damaged index may hide the account.
      let upkeep = clients.upkeepClient
      while case .whole(isLast: false) = try await upkeep.inspect(now()) {}
      if try await clients.authClient.currentUserID() != nil { return clients }
    } catch let error as ClientError {
      var failure = MonitorFailure(error)
      if case .storage(.corrupt) = error { failure.isDamage = true }
      throw failure
    } catch {
      throw MonitorFailure(StorageError.unknown("\(error)"))
    }
    throw noAccount
  }

  private func watch(
    _ loop: MonitorLoop<Time>, _ watchClient: WatchClient, onlyIfNone: Bool
  ) async throws(MonitorFailure) -> Int32 {
    if onlyIfNone {
      do throws(StorageError) {
        guard try await loop.joinIfNone() else { return 0 }
      } catch {
        // A store that can be read but not written needs a monitor more than any other.
        guard let monitors = try? await watchClient.status().monitors, monitors == 0 else {
          throw MonitorFailure(error)
        }
      }
    }
    await loop.run()
    return 0
  }

  /// Sends a test message to the user's own address, or else to the sender's.
  private func testDelivery(
    _ channels: ChannelDeliveryService, _ clients: DependencyValues
  ) async throws(MonitorFailure) -> Int32 {
    if let exposure = channels.mailExposure { throw MonitorFailure(exposure) }
    let user: User
    do { user = try await clients.userClient.currentUser() } catch { throw MonitorFailure(error) }
    guard let address = user.profile.email ?? channels.sendersAddress else {
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
private struct MonitorFailure: Error {
  var reason: String
  var recovery: String?
  var code: Int32 = 1
  /// Whether the store is damaged.
  var isDamage = false
}

extension MonitorFailure {
  init(_ error: some AppError) {
    self.init(reason: error.text.description, recovery: error.text.recovery)
  }
}

/// The server settings that a monitor needs.
private struct ServerPlace: Decodable {
  var databaseFile: String?
}
