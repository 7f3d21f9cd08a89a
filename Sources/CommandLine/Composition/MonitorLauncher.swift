import Clients
import Dispatch
import Domain
import Glibc
import Processes
import Synchronization

/// Starts the program that watches, `lifesignal-monitor` by default, from the folder of this
/// program.
///
/// A debug build that runs where it was built may be built again or removed at any time, so its
/// monitors end with the program that started them.
package struct MonitorLauncher: Sendable {
  private let program: String
  private let arguments: [String]
  private let endsWithProgram: Bool
  /// The monitors that this process started.
  private static let children = Mutex<[StartedMonitor]>([])

  /// - Parameter arguments: The arguments before those of a monitor.
  package init(program: String = "lifesignal-monitor", arguments: [String] = []) {
    self.program = program
    self.arguments = arguments
    endsWithProgram = Self.endsMonitors
  }

  /// Whether a monitor that this process started runs and ends with it.
  var hasChild: Bool {
    endsWithProgram && Self.children.withLock { $0.contains(where: \.isRunning) }
  }

  /// Whether monitors end with this program.
  static var endsMonitors: Bool {
    #if DEBUG
      isInBuildFolder
    #else
      false
    #endif
  }

  /// Whether this program is where it was built, so that nothing should name its path.
  static var isInBuildFolder: Bool {
    // A build leaves the list of what it linked there.
    guard let folder = try? folder() else { return false }
    return access(folder + "lifesignal.product", F_OK) == 0
  }

  /// Returns the path of the monitor beside the running program, wherever that was started from.
  func besideThisProgram() throws(StorageError) -> String { try Self.folder() + program }

  /// Returns the folder of the running program, with a slash at its end.
  private static func folder() throws(StorageError) -> String {
    let size = Int(PATH_MAX)
    let path = withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer in
      let count = readlink("/proc/self/exe", buffer.baseAddress!, size)
      return count > 0
        ? String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
    guard let path, let slash = path.lastIndex(of: "/") else {
      throw .unknown("this program can't find its own path: \(systemReason())")
    }
    return String(path[...slash])
  }

  /// Starts a monitor in its own session, without the files that this process has or was given, and
  /// with default signals: it outlives the terminal and, unless ``endsMonitors``, this process.
  /// - Parameters:
  ///   - onlyIfNone: Whether it exits at once if another monitor is alive.
  ///   - log: The file for its output. A log that can't be written keeps nobody from being notified.
  @discardableResult
  func start(onlyIfNone: Bool, log: String) throws(StorageError) -> StartedMonitor {
    let program = try besideThisProgram()
    guard access(program, X_OK) == 0 else {
      throw .unknown("\(program): \(systemReason())")
    }
    let log = openLog(log)
    defer { close(log) }
    // The end that closes with this process, which keeps it open for all of its life.
    let leash = endsWithProgram ? openPipe() : nil
    defer { if let leash { close(leash.reading) } }
    if endsWithProgram, leash == nil {
      throw .unknown("\(program) cannot be started: \(systemReason())")
    }
    let child: pid_t
    do {
      child = try Launch(
        program,
        arguments + (onlyIfNone ? ["--if-none"] : []) + ["--wait"]
          + (endsWithProgram ? ["--until-input-ends"] : []),
        files: [
          STDIN_FILENO: leash.map { .descriptor($0.reading) } ?? .null,
          STDOUT_FILENO: .descriptor(log), STDERR_FILENO: .descriptor(log),
        ],
        // A lock of a script that started this process would stay locked as long as it watches.
        closesOtherFiles: true, group: .session
      ).start()
    } catch {
      if let leash { close(leash.writing) }
      throw .unknown("\(program) cannot be started: \(error.reason)")
    }
    let monitor = StartedMonitor()
    Self.children.withLock { $0.append(monitor) }
    // A monitor that exits while the app runs must not stay as a zombie.
    DispatchQueue(label: "monitor").async {
      monitor.noteEnd(Launch.wait(for: child))
    }
    return monitor
  }

  /// Opens the log, or else nothing: the disk may be full, or come later.
  private func openLog(_ path: String) -> Int32 {
    // O_NONBLOCK: the file may be a pipe that nobody reads.
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let log = open(path, flags, 0o600)
    return log < 0 ? open("/dev/null", O_WRONLY | O_CLOEXEC) : log
  }

  /// Replaces this process with a monitor in the foreground.
  /// - Returns: The reason, only if that failed.
  func become(_ arguments: [String]) -> String {
    let program: String
    do { program = try besideThisProgram() } catch { return error.text.sentence }
    return "\(program): \(Launch(program, self.arguments + arguments).become().reason)"
  }
}

/// A monitor that this process started.
final class StartedMonitor: Sendable {
  private let end = Mutex<Int32?>(nil)

  var isRunning: Bool { end.withLock { $0 == nil } }

  /// Waits for two seconds, in which a monitor that can't do its work ends.
  /// - Returns: The code it exited with, or 128 plus the number of the signal that ended it; `nil`
  ///   if it still runs.
  func earlyEnd() async -> Int32? {
    for _ in 0..<40 {
      if let code = end.withLock({ $0 }) { return code }
      guard (try? await Task.sleep(for: .milliseconds(50))) != nil else { break }
    }
    return end.withLock { $0 }
  }

  fileprivate func noteEnd(_ status: Int32) {
    let signal = status & 0x7F
    end.withLock { $0 = signal == 0 ? status >> 8 & 0xFF : 128 + signal }
  }
}
