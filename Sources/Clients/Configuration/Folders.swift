/// Where LifeSignal keeps its files, after the XDG Base Directory Specification 0.8.
///
/// Only paths; making the folders with mode 0700 is the platform's part. Relative paths in the
/// variables are ignored, as the specification asks.
public struct Folders: Equatable, Sendable {
  /// The store.
  public var data: String
  /// `config.json5`, written by the person only.
  public var config: String
  /// Logs, and the marker that there was a store.
  public var state: String
  /// Where the session keeps what lasts as long as it does; `nil` where there is none.
  public var runtime: String?

  public init(data: String, config: String, state: String, runtime: String? = nil) {
    self.data = data
    self.config = config
    self.state = state
    self.runtime = runtime
  }

  /// The folders for an environment.
  /// - Returns: `nil` when neither the `XDG_…` variables nor `HOME` name an absolute path.
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
    self.init(data: data, config: config, state: state, runtime: runtime)
  }

  /// The folders of a server, all in one.
  public init(server folder: String) {
    self.init(data: folder, config: folder, state: folder + "/state")
  }

  public var database: String { data + "/lifesignal.db" }
  /// Space on the disk that is given back when it is full.
  public var reserve: String { database + "-reserve" }
  /// The bytes of documents and pictures.
  public var files: String { data + "/files" }
  /// Copies of the store, one for each of the last days on which it changed.
  public var backups: String { data + "/backups" }
  /// Names the server that this machine has joined.
  public var joinedServer: String { data + "/joined-server.json" }
  /// What that server answered last.
  public var pageCache: String { data + "/cache.db" }
  public var pageCacheFiles: [String] { ["-wal", "-shm", ""].map { pageCache + $0 } }
  public var secrets: String { data + "/secrets.json" }
  public var configuration: String { config + "/config.json5" }
  /// Says that a store was made here once, so that a missing one is never taken for a fresh start.
  public var storeMarker: String { state + "/store-exists" }
  /// Says since when a damaged store watches over nobody, and which messages have said so.
  public var unwatched: String { state + "/unwatched" }
  /// Where armed alerts wait while the store can't be written (ALT-7), the first choice first: one of
  /// them may be on a disk that is full, or that nobody may write to.
  public var spools: [String] {
    ([state, data] + (runtime.map { [$0] } ?? [])).map { $0 + "/alerts" }
  }
  /// What went wrong, as lines of JSON.
  public var errorLog: String { state + "/errors.jsonl" }
  public var monitorLog: String { state + "/monitor.log" }
}
