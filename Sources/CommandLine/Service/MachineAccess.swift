public import Clients

/// What the program may do on the machine beside its own folders.
public struct MachineAccess: Sendable {
  /// Runs a program that is found by its name to its end, and kills it after ten seconds or, for a
  /// path, after two minutes.
  /// - Returns: `nil` where there is no such program.
  public var run: @Sendable (_ words: [String]) async -> ProgramOutcome?
  /// Starts a monitor that outlives this process, unless one is alive.
  public var startMonitor: @Sendable (Folders) throws(StorageError) -> Void
  /// The path of the monitor's program.
  public var monitorProgram: @Sendable () throws(StorageError) -> String
  /// Writes a whole file that everybody may read, with the folders above it.
  public var writePublicFile: @Sendable (_ path: String, _ bytes: [UInt8]) throws(FileError) -> Void
  /// - Returns: whether there was one.
  public var removeFile: @Sendable (_ path: String) throws(FileError) -> Bool
  /// What stands at a path, without following a link.
  public var entry: @Sendable (_ path: String) -> PathEntry
  /// The name of the user whose process this is.
  public var userName: @Sendable () -> String?
  /// Whether standard output is a terminal.
  public var hasTerminal: @Sendable () -> Bool
}

/// How another program ended.
public struct ProgramOutcome: Equatable, Sendable {
  /// 137 for one that was killed.
  public var code: Int32
  /// What it said, and then what it complained of.
  public var output = ""

  public var isSuccess: Bool { code == 0 }
}

/// What stands at a path.
public enum PathEntry: Equatable, Sendable {
  case nothing
  case file(mode: UInt32, isOwn: Bool)
  case folder(mode: UInt32, isOwn: Bool)
  case link
  case other
  /// It could not be looked at, for the system's reason.
  case hidden(String)
}
