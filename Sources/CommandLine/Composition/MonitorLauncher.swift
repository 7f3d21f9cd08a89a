import Clients
import Dispatch
import Domain
import Glibc

/// Starts the program that watches, `lifesignal-monitor` by default, from the folder of this
/// program.
package struct MonitorLauncher: Sendable {
  private let program: String
  private let arguments: [String]

  /// - Parameter arguments: The arguments before those of a monitor.
  package init(program: String = "lifesignal-monitor", arguments: [String] = []) {
    self.program = program
    self.arguments = arguments
  }

  /// Returns the path of the monitor beside the running program, wherever that was started from.
  func besideThisProgram() throws(StorageError) -> String {
    let size = Int(PATH_MAX)
    let path = withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer in
      let count = readlink("/proc/self/exe", buffer.baseAddress!, size)
      return count > 0
        ? String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
    guard let path, let slash = path.lastIndex(of: "/") else {
      throw .unknown("this program can't find its own path: \(systemReason())")
    }
    return path[...slash] + program
  }

  /// Starts a monitor that outlives this process and its terminal: in its own session, without the
  /// terminal's files, and with default signals.
  /// - Parameters:
  ///   - onlyIfNone: Whether it exits at once if another monitor is alive.
  ///   - log: The file for its output.
  func start(onlyIfNone: Bool, log: String) throws(StorageError) {
    let program = try besideThisProgram()
    guard access(program, X_OK) == 0 else {
      throw .unknown("\(program): \(systemReason())")
    }
    let log = try openLog(log)
    defer { close(log) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, log, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, log, STDERR_FILENO)

    var attributes = SpawnAttributes()
    defer { attributes.destroy() }
    var child = pid_t()
    let result = CArguments(
      [program] + arguments + (onlyIfNone ? ["--if-none"] : [])
    ).withPointers {
      posix_spawn(&child, program, &actions, &attributes.value, $0, environ)
    }
    guard result == 0 else {
      throw .unknown("\(program) cannot be started: \(systemReason(result))")
    }
    // A monitor that exits while the app runs must not stay as a zombie.
    DispatchQueue(label: "monitor").async { [child] in
      while waitpid(child, nil, 0) < 0, errno == EINTR {}
    }
  }

  /// Opens the log in this process, so that a problem with the log isn't blamed on the program.
  private func openLog(_ path: String) throws(StorageError) -> Int32 {
    // O_NONBLOCK: the file may be a pipe that nobody reads.
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let log = open(path, flags, 0o600)
    guard log < 0 else { return log }
    throw .unknown(
      errno == ELOOP
        ? "\(path) is a symbolic link, which could lead anywhere: move it away"
        : "\(path) cannot be written: \(systemReason())")
  }

  /// Replaces this process with a monitor in the foreground.
  /// - Returns: The reason, only if that failed.
  func become(_ arguments: [String]) -> String {
    let program: String
    do { program = try besideThisProgram() } catch { return error.text.sentence }
    CArguments([program] + self.arguments + arguments).withPointers { _ = execv(program, $0) }
    return "\(program): \(systemReason())"
  }
}
