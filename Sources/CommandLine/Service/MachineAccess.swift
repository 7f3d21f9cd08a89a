public import Clients
public import Domain

/// The program's access to the machine beyond its own folders.
public struct MachineAccess: Sendable {
  /// Runs a program to its end. Kills it after ten seconds or, if it is named by a path, after
  /// twenty minutes: a mail server can be slow.
  /// - Returns: `nil` if there is no such program.
  public var run: @Sendable (_ words: [String]) async -> ProgramOutcome?
  /// Starts a monitor that outlives this process, unless one is alive.
  /// - Returns: The exit code of one that ended at once: 0 if another is alive. `nil` if it runs.
  public var startMonitor: @Sendable (Folders) async throws(StorageError) -> Int32?
  /// The path of the monitor's program.
  public var monitorProgram: @Sendable () throws(StorageError) -> String
  /// Whether the programs are where they were built, rather than installed.
  public var isInBuildFolder: @Sendable () -> Bool
  /// Whether monitors that are started here end with this program, as those of a debug build that
  /// wasn't installed.
  public var endsMonitors: @Sendable () -> Bool
  /// Writes a whole file that everyone can read, creating the folders above it.
  public var writePublicFile: @Sendable (_ path: String, _ bytes: [UInt8]) throws(FileError) -> Void
  /// Writes a whole file that only its owner can read, creating the folders above it.
  public var writePrivateFile:
    @Sendable (_ path: String, _ bytes: [UInt8]) throws(FileError) -> Void
  /// Creates the folders above a file.
  public var makeFoldersAbove: @Sendable (_ path: String) throws(FileError) -> Void
  /// - Returns: Whether the file existed.
  public var removeFile: @Sendable (_ path: String) throws(FileError) -> Bool
  /// Returns what is at a path, without following a link.
  public var entry: @Sendable (_ path: String) -> PathEntry
  /// The user name of this process.
  public var userName: @Sendable () -> String?
  /// Whether standard output is a terminal.
  public var hasTerminal: @Sendable () -> Bool
  /// Whether this process has a terminal, even if its files are others.
  public var hasControllingTerminal: @Sendable () -> Bool
  /// Notes in a file's time that something is done now, unless that was less than a while ago.
  /// - Returns: Whether it was noted. Of several programs that ask at the same time, only one gets true.
  public var takeTurn: @Sendable (_ path: String, _ pause: TimeSpan) -> Bool
  /// Whether this is a virtual machine, which its host can stop without its clocks noticing.
  public var isVirtual: @Sendable () -> Bool
}

extension MachineAccess {
  /// The line that has cron start a monitor with the machine. Cron doesn't know every folder of
  /// programs.
  var crontabLine: String {
    guard !isInBuildFolder(), let monitor = try? monitorProgram(),
      let slash = monitor.lastIndex(of: "/")
    else {
      return "@reboot lifesignal monitor --detach"
    }
    return "@reboot \((monitor[...slash] + "lifesignal").shellWord) monitor --detach"
  }
}

/// The result of another program.
public struct ProgramOutcome: Equatable, Sendable {
  /// The exit code; 137 if the program was killed.
  public var code: Int32
  /// Its standard output, followed by its standard error.
  public var output = ""

  public var isSuccess: Bool { code == 0 }
}

/// The kind of file at a path.
public enum PathEntry: Equatable, Sendable {
  case nothing
  case file(mode: UInt32, isOwn: Bool)
  case folder(mode: UInt32, isOwn: Bool)
  case link
  case other
  /// The path could not be examined, with the system's reason.
  case hidden(String)
}
