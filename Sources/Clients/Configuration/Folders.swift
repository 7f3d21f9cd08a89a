/// The folders of LifeSignal's files, after the XDG Base Directory Specification 0.8.
///
/// These are only paths: the platform makes the folders, with mode 0700. Relative paths in the
/// variables are ignored, as the specification asks.
public struct Folders: Equatable, Sendable {
  /// The folder of the store.
  public var data: String
  /// The folder of `config.json5`, which only the person writes.
  public var config: String
  /// The folder of the logs, and of the marker that there was a store.
  public var state: String
  /// The folder for files that last as long as the login session, or `nil` if there is none.
  public var runtime: String?
  /// A folder in memory, which every program of this machine finds and no full disk closes, or
  /// `nil` if there is none.
  public var memory: String?

  public init(
    data: String, config: String, state: String, runtime: String? = nil, memory: String? = nil
  ) {
    self.data = data
    self.config = config
    self.state = state
    self.runtime = runtime
    self.memory = memory
  }

  /// Creates the folders for an environment.
  /// - Returns: `nil` if neither the `XDG_…` variables nor `HOME` name an absolute path.
  public init?(environment: [String: String]) {
    func folder(_ variable: String, _ fallback: String) -> String? {
      if let path = environment[variable], path.hasPrefix("/") { return path + "/lifesignal" }
      guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
      return home + "/" + fallback + "/lifesignal"
    }
    guard let data = folder("XDG_DATA_HOME", ".local/share"),
      let config = folder("XDG_CONFIG_HOME", ".config"),
      let state = folder("XDG_STATE_HOME", ".local/state")
    else { return nil }
    let runtime = environment["XDG_RUNTIME_DIR"].flatMap {
      $0.hasPrefix("/") ? $0 + "/lifesignal" : nil
    }
    self.init(data: data, config: config, state: state, runtime: runtime, memory: "/dev/shm")
  }

  /// Creates the folders of a server, all in one.
  public init(server folder: String) {
    self.init(data: folder, config: folder, state: folder + "/state")
  }

  public var database: String { data + "/lifesignal.db" }
  /// A file that holds disk space in reserve, given back when the disk is full.
  public var reserve: String { database + "-reserve" }
  /// The contents of documents and pictures.
  public var files: String { data + "/files" }
  /// Copies of the store, one for each of the last days on which it changed.
  public var backups: String { data + "/backups" }
  /// The file with the name of the server that this machine has joined.
  public var joinedServer: String { data + "/joined-server.json" }
  /// What waits for that server.
  public var outbox: String { data + "/outbox" }
  /// The same on another disk, for when the first one takes no file.
  public var outboxFallback: String { state + "/outbox" }
  /// The same for alerts that no disk takes. They don't outlive a restart of the machine.
  public var volatileOutboxes: [String] { volatile("outbox-", "lifesignal-outbox-") }
  /// What is known of that server's time.
  public var serverReference: String { outbox + "/reference.json" }
  /// The last answers of that server.
  public var pageCache: String { data + "/cache.db" }
  public var pageCacheFiles: [String] { ["-wal", "-shm", ""].map { pageCache + $0 } }
  public var secrets: String { data + "/secrets.json" }
  public var configuration: String { config + "/config.json5" }
  /// A mail account that is being tested, and isn't in use yet.
  public var mailCandidate: String { config + "/mail-candidate.json5" }
  /// A marker that a store was made here once, so that a missing one is never taken for a fresh
  /// start.
  public var storeMarker: String { state + "/store-exists" }
  /// A record of since when a damaged store has not been watched, and which messages have said so.
  public var unwatched: String { state + "/unwatched" }
  /// The folders in which armed alerts wait while the store can't be written (ALT-7), in order of
  /// preference: one of them may be on a full disk, or not writable.
  public var spools: [String] { [state, data].map { $0 + "/alerts" } }
  /// The same for when no disk takes an alert. They don't outlive a restart of the machine. Other
  /// stores may share them, so their names say which store they are for.
  public var volatileSpools: [String] { volatile("alerts-", "lifesignal-") }

  private func volatile(_ inRuntime: String, _ inMemory: String) -> [String] {
    [runtime.map { "\($0)/\(inRuntime)\(tag)" }, memory.map { "\($0)/\(inMemory)\(tag)" }]
      .compactMap(\.self)
  }

  /// The FNV-1a hash of the store's folder.
  private var tag: String {
    let hash = data.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return String(hash, radix: 16)
  }
  /// The error log, as lines of JSON.
  public var errorLog: String { state + "/errors.jsonl" }
  public var monitorLog: String { state + "/monitor.log" }
  public var syncLog: String { state + "/sync.log" }
  /// An empty file, changed when this machine last sent a sign of life (CHK-10).
  public var signStamp: String { state + "/sign" }
  /// An empty file, changed when a fish shell last asked for one to be sent.
  public var fishSignStamp: String { state + "/sign-from-fish" }
}
