import Clients
import Composable
import ComposableFoundation
import Domain
import FoundationEssentials
import SQLite
import Monitor
import Synchronization
import TestSupport
import Testing

@testable import CommandLine

/// The environment for running the program: a store in memory, a clock set by hand, and records of
/// what was written, started and set aside.
final class World: Sendable {
  /// 2026-11-21 07:52:00 UTC, a Saturday.
  static let start = Date(timeIntervalSince1970: 1_795_247_520)

  static let configuration = "/home/ada/.config/lifesignal/config.json5"
  static let candidate = "/home/ada/.config/lifesignal/mail-candidate.json5"

  struct State: Sendable {
    var now = World.start
    var output = ""
    var errorOutput = ""
    /// Why standard output can't be written.
    var outputFailure: String?
    /// The files by path; at first only a config.json5 with mail set up.
    var files: [String: Result<[UInt8], FileError>] = [
      World.configuration: .success(
        Array(#"{smtp: {host: "localhost", security: "none", from: "ada@example.org"}}"#.utf8))
    ]
    var secret: Result<String, SecretError> = .failure(.empty)
    /// The answers to the first prompts for secrets, before ``secret``.
    var secrets: [String] = []
    var prompts: [String] = []
    /// Whether secrets are typed at a terminal.
    var typesSecrets = false
    /// The lines on standard input, followed by its end.
    var lines: [LineEvent] = []
    /// The error that opening the store throws until it is set aside.
    var storeFailure: StorageError?
    /// Why a spool file can't be written either.
    var spoolFailure: StorageError?
    var storesSetAside = 0
    var storesOpened = 0
    var monitorsStarted = 0
    /// The files that only their owner can read.
    var privateFiles: Set<String> = []
    /// The exit code of a monitor that ends at once; `nil` for one that runs.
    var monitorEnd: Int32?
    var isInBuildFolder = false
    var monitorFailure: StorageError?
    /// Whether a monitor ends right after it starts, unless it is started in addition to another.
    var monitorStartsDead = false
    /// Whether every monitor ends right after it starts.
    var everyMonitorStartsDead = false
    /// Delivers the messages of monitors that the program or ``World/watch(problem:)`` starts.
    var deliveryService = DeliveryService { _ in .sent }
    /// Whether a monitor is running.
    var isWatched = false
    var monitorArguments: [[String]] = []
    /// The lines of recordings, by path.
    var recordings: [String: String] = [:]
    /// Why recordings can no longer be written.
    var recordingFailure: String?
    var timeZones: [String] = []
    var variables = ["HOME": "/home/ada"]
    /// The entries by path, in addition to ``files``.
    var entries: [String: PathEntry] = [:]
    /// How others can change the settings, if they can.
    var exposure: ConfigurationExposure?
    /// The outcomes of other programs, by the first words of their command line.
    var programs: [String: ProgramOutcome] = [:]
    var programsRun: [String] = []
    var hasTerminal = false
    var hasControllingTerminal = false
    /// When something was last noted as done, by the path of the file.
    var turns: [String: Date] = [:]
    var isVirtual = false
    /// The width of the output's terminal, or `nil` if it isn't a terminal.
    var columns: Int?
    /// The backups, newest first.
    var backups: [StoreBackup] = []
    var examination = StoreExamination(schema: 2, bytes: 139_264)
    /// The error that restoring throws.
    var restoreFailure: StorageError?
    var restored: [String?] = []
    var servers = ServerAccess()
    /// Changes to the platform's clients.
    var overrides: @Sendable (inout DependencyValues) -> Void = { _ in }
  }

  struct Outcome: Equatable {
    var exitCode: Int32
    var output: String
    var errorOutput: String

    init(_ exitCode: Int32, _ output: String = "", error: String = "") {
      self.exitCode = exitCode
      self.output = output
      self.errorOutput = error
    }
  }

  private let state = Mutex(State())
  private let counter = Mutex(UInt64(0))

  private let platformBox = Mutex<EmbeddedPlatform?>(nil)

  /// The store, created on first use.
  var platform: EmbeddedPlatform {
    platformBox.withLock { box in
      if let platform = box { return platform }
      let platform = EmbeddedPlatform.inMemory(
        now: { [unowned self] in self[\.now] },
        makeUUID: { [unowned self] in
          UUID(
            counter.withLock { count in
              count += 1
              return count
            })
        },
        startMonitor: { [unowned self] (onlyIfNone: Bool) async throws(StorageError) in
          if let failure = self[\.monitorFailure] { throw failure }
          self[\.monitorsStarted] += 1
          self[\.isWatched] =
            !self[\.everyMonitorStartsDead] && (!self[\.monitorStartsDead] || !onlyIfNone)
        })
      box = platform
      return platform
    }
  }

  subscript<Value: Sendable>(keyPath: any WritableKeyPath<State, Value> & Sendable) -> Value {
    get { state.withLock { $0[keyPath: keyPath] } }
    set { state.withLock { $0[keyPath: keyPath] = newValue } }
  }

  /// Advances the clock while a monitor watches that the program can't see.
  func advanceWatched(by span: TimeSpan) async throws {
    let end = self[\.now] + span
    while self[\.now] < end {
      _ = try await values.monitorClient.heartbeat(UUID(997), self[\.now], .seconds(1), nil)
      advance(by: .seconds(min(120, Int(end.timeIntervalSince(self[\.now])))))
    }
    _ = try await values.monitorClient.heartbeat(UUID(997), self[\.now], .seconds(1), nil)
  }

  /// Advances the clock.
  func advance(by span: TimeSpan) { state.withLock { $0.now = $0.now + span } }

  /// Runs the program with a command line split at spaces.
  func run(_ words: String) async -> Outcome {
    await run(words.split(separator: " ").map(String.init))
  }

  /// Runs the program.
  func run(_ arguments: [String]) async -> Outcome {
    state.withLock {
      $0.output = ""
      $0.errorOutput = ""
    }
    let code = await CommandLineTool(invocation(arguments)).run()
    return Outcome(code.rawValue, self[\.output], error: self[\.errorOutput])
  }

  /// Runs the program and checks its output and exit code.
  func expect(
    _ words: String, _ outcome: Outcome, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let actual = await run(words)
    #expect(actual == outcome, sourceLocation: sourceLocation)
  }

  /// Runs the program and checks its output and exit code.
  func expect(
    _ arguments: [String], _ outcome: Outcome, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let actual = await run(arguments)
    #expect(actual == outcome, sourceLocation: sourceLocation)
  }

  /// The clients of the store.
  var values: DependencyValues {
    var values = DependencyValues()
    platform.install(in: &values)
    return values
  }

  /// The provider of the app's clients.
  func provide() throws -> StoreAccess.ClientProvider {
    try CompositionRoot(invocation([])).openStore(replacingDamaged: false).provide
  }

  /// Creates an account with a daily check-in and two responders.
  func openAccount() async {
    let outcome = await run([
      "init", "--name", "Ada Lovelace", "--responder", "Grace Hopper <grace@example.org>",
      "--responder", "Alan Turing <alan@example.org>",
    ])
    precondition(outcome.exitCode == 0, outcome.errorOutput)
  }

  /// Starts a monitor that watches from now on.
  func watch(problem: String? = nil) async throws {
    self[\.isWatched] = true
    if let problem {
      self[\.deliveryService] = DeliveryService(
        readiness: { .init(kinds: [], problems: [.email: problem]) }, deliver: { _ in .sent })
    }
    try await showMonitor(problem: problem.map { MonitorProblem($0, kinds: [.email]) })
  }

  private func showMonitor(problem: MonitorProblem?) async throws {
    _ = try await values.monitorClient.heartbeat(UUID(999), self[\.now], .minutes(2), problem)
  }

  /// Lets the monitor do what is due now.
  func letMonitorWork() async throws { try await wait(.zero) }

  /// Advances the clock when the program waits, and lets the monitor do what is due.
  private func wait(_ duration: Duration) async throws {
    if self[\.isWatched] {
      let values = values
      let deliveryService = self[\.deliveryService]
      let loop = MonitorLoop(
        id: UUID(998), store: values.monitorClient, deliveryService: deliveryService,
        dateClient: values.dateClient, clock: TurnClock(),
        random: WithRandomNumberGenerator(SystemRandomNumberGenerator()))
      _ = await loop.runOnce()
      try await showMonitor(problem: await deliveryService.readiness().problem)
    }
    state.withLock { $0.now += duration / .seconds(1) }
  }

  /// Recordings in memory.
  var recordingAccess: RecordingAccess {
    RecordingAccess(
      makeFile: { [self] (path: String) throws(FileError) in
        if self[\.recordings][path] != nil { throw FileError(reason: "File exists") }
        self[\.recordings][path] = ""
        return TextOutput { [self] text in
          if let failure = self[\.recordingFailure] { return failure }
          self[\.recordings][path]? += text
          return nil
        }
      },
      timeZone: { "Europe/London" }, useTimeZone: { [self] in self[\.timeZones].append($0) })
  }

  private var machine: MachineAccess {
    MachineAccess(
      run: { [self] words in
        let line = words.joined(separator: " ")
        self[\.programsRun].append(line)
        let programs = self[\.programs]
        let known = programs.keys.filter { line.hasPrefix($0) }.max { $0.count < $1.count }
        return known.flatMap { programs[$0] }
      },
      startMonitor: { [self] (_: Folders) async throws(StorageError) in
        if let failure = self[\.monitorFailure] { throw failure }
        self[\.monitorsStarted] += 1
        return self[\.monitorEnd]
      },
      monitorProgram: { () throws(StorageError) in "/usr/local/bin/lifesignal-monitor" },
      isInBuildFolder: { [self] in self[\.isInBuildFolder] },
      endsMonitors: { [self] in self[\.isInBuildFolder] },
      writePublicFile: { [self] (path: String, bytes: [UInt8]) throws(FileError) in
        self[\.files][path] = .success(bytes)
      },
      writePrivateFile: { [self] (path: String, bytes: [UInt8]) throws(FileError) in
        self[\.files][path] = .success(bytes)
        self[\.privateFiles].insert(path)
      },
      makeFoldersAbove: { (_: String) throws(FileError) in },
      removeFile: { [self] (path: String) throws(FileError) in
        let wasThere = self[\.files][path] != nil || self[\.entries][path] != nil
        self[\.files][path] = nil
        self[\.entries][path] = nil
        return wasThere
      },
      entry: { [self] path in
        if let entry = self[\.entries][path] { return entry }
        return self[\.files][path] == nil ? .nothing : .file(mode: 0o644, isOwn: true)
      },
      userName: { "ada" }, hasTerminal: { [self] in self[\.hasTerminal] },
      hasControllingTerminal: { [self] in self[\.hasControllingTerminal] },
      takeTurn: { [self] path, pause in
        if let last = self[\.turns][path], self[\.now] < last + pause { return false }
        self[\.turns][path] = self[\.now]
        return true
      },
      isVirtual: { [self] in self[\.isVirtual] })
  }

  func invocation(_ arguments: [String]) -> Invocation {
    Invocation(
      arguments: arguments, variables: self[\.variables],
      standardOutput: TextOutput(
        write: { [self] text in
          if let failure = self[\.outputFailure] { return failure }
          self[\.output] += text
          return nil
        }, columns: { [self] in self[\.columns] }),
      standardError: TextOutput(
        write: { [self] text in
          self[\.errorOutput] += text
          return nil
        }, columns: { [self] in self[\.columns] }),
      storeAccess: StoreAccess(
        open: { [self] (_: Folders, account: String?, waits: Bool) throws(StorageError) in
          if let failure = self[\.storeFailure] {
            guard waits else { throw failure }
            return { values in
              values.continuousClock = WorldClock { [self] in try await wait($0) }
              values.alertClient.history = { (_: Int) async throws(ClientError) in
                throw .storage(failure)
              }
              values.alertClient.arm = { (_, _, _) async throws(ClientError) in
                throw .storage(failure)
              }
              values.alertClient.spool = { [self] (id, message, delay) async throws(ClientError) in
                if let failure = self[\.spoolFailure] { throw .storage(failure) }
                let now = self[\.now]
                return ArmedAlert(id: id, message: message, armedAt: now, firesAt: now + delay)
              }
              values.watchClient.start = { () async throws(StorageError) in throw failure }
              values.dateClient.now = { [self] in self[\.now] }
              values.contactsClient.contacts = { () async throws(ClientError) in
                throw .storage(failure)
              }
              values.userClient.currentUser = { () async throws(ClientError) in
                throw .storage(failure)
              }
              values.uuid = .incrementing
              values.withRandomNumberGenerator = WithRandomNumberGenerator(
                SystemRandomNumberGenerator())
            }
          }
          self[\.storesOpened] += 1
          let seated = account.map { platform.with(account: $0) } ?? platform
          let overrides = self[\.overrides]
          return {
            seated.install(in: &$0)
            $0.continuousClock = WorldClock { [self] in try await wait($0) }
            $0.uuid = UUIDGenerator { UUID() }
            overrides(&$0)
          }
        },
        setAside: { [self] (folders: Folders) throws(StorageError) in
          self[\.storeFailure] = nil
          self[\.storesSetAside] += 1
          return "\(folders.database).set-aside"
        },
        backups: { [self] (_: Folders) throws(StorageError) in self[\.backups] },
        restore: { [self] (folders: Folders, name: String?) throws(StorageError) in
          if let failure = self[\.restoreFailure] { throw failure }
          guard let backup = self[\.backups].first(where: { name == nil || $0.name == name }) else {
            throw .noBackup(path: folders.backups)
          }
          self[\.restored].append(name)
          return StoreRestoration(backup: backup, previousStore: "\(folders.database).set-aside")
        },
        examine: { [self] (_: Folders) throws(StorageError) in self[\.examination] },
        servers: self[\.servers]),
      recordingAccess: recordingAccess, machine: machine,
      now: { [self] in self[\.now] },
      readFile: { [self] (path: String, limit: Int) throws(FileError) in
        try self[\.files][path].map { result throws(FileError) in
          Array(try result.get().prefix(limit + 1))
        }
      },
      readSettings: { [self] (path: String) throws(ConfigurationError) in
        switch self[\.files][path] {
        case .failure(let error):
          throw ConfigurationError(reason: "it can't be read: \(error.reason)")
        case .success(let bytes):
          SavedConfiguration(
            try Configuration(json5: Data(bytes)), exposure: self[\.exposure])
        case nil: SavedConfiguration(exposure: self[\.exposure])
        }
      },
      writeFile: { [self] (path: String, bytes: [UInt8]) throws(FileError) in
        self[\.files][path] = .success(bytes)
      },
      readSecret: { [self] (prompt: String) throws(SecretError) in
        self[\.prompts].append(prompt)
        let typed = state.withLock { $0.secrets.isEmpty ? nil : $0.secrets.removeFirst() }
        if let typed { return typed }
        return try self[\.secret].get()
      },
      typesSecrets: { [self] in self[\.typesSecrets] },
      nextLine: { [self] in
        let event = state.withLock { $0.lines.isEmpty ? .end : $0.lines.removeFirst() }
        // Echo typed lines, and let time pass while nothing is typed.
        switch event {
        case .line(let line): self[\.output] += line + "\n"
        case .nothing: advance(by: .hours(1))
        case .end: break
        }
        return event
      },
      execMonitor: { [self] arguments in
        self[\.monitorArguments].append(arguments)
        return "No such file or directory"
      })
  }
}

/// A clock whose sleeps run a closure of the world and then return at once.
private struct WorldClock: Clock {
  let now = ContinuousClock.now
  let minimumResolution = Duration.zero
  let onSleep: @Sendable (Duration) async throws -> Void

  init(onSleep: @escaping @Sendable (Duration) async throws -> Void) { self.onSleep = onSleep }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    let duration = now.duration(to: deadline)
    // All answers come at once here, so advice that is shown after a delay must never appear.
    guard duration != AlertCommand.adviceDelay else {
      for await _ in AsyncStream<Void>.makeStream().stream {}
      throw CancellationError()
    }
    try await onSleep(duration)
  }
}
