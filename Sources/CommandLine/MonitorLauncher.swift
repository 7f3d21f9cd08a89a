import Clients
import Domain
@preconcurrency import Glibc

/// Starts `lifesignal-monitor` beside this program, in a session of its own, so that it outlives the
/// terminal.
struct MonitorLauncher {
  var environment: [String: String]
  /// Where its words go.
  var log: String

  /// The monitor's program: beside the executable that runs now.
  static var program: String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    guard count > 0 else { return nil }
    let path = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard let slash = path.lastIndex(of: "/") else { return nil }
    return path[..<slash] + "/lifesignal-monitor"
  }

  /// Starts it; it ends by itself when another monitor is alive.
  /// - Throws: ``StorageError/unknown(_:)`` with the reason.
  func launch() throws(StorageError) {
    guard let program = Self.program, access(program, X_OK) == 0 else {
      throw .unknown("lifesignal-monitor is not beside lifesignal")
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Signals that this program ignores or blocks are the monitor's own business.
    var everySignal = sigset_t()
    sigfillset(&everySignal)
    var noSignal = sigset_t()
    sigemptyset(&noSignal)
    posix_spawnattr_setsigdefault(&attributes, &everySignal)
    posix_spawnattr_setsigmask(&attributes, &noSignal)
    let newSession: Int32 = 0x80  // POSIX_SPAWN_SETSID, a macro that Swift does not see
    posix_spawnattr_setflags(
      &attributes, Int16(Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK) | newSession))

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(
      &actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600)
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)

    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), strdup("--if-none"), nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in arguments + variables { free(pointer) } }
    var process: pid_t = 0
    let result = posix_spawn(&process, program, &actions, &attributes, &arguments, &variables)
    guard result == 0 else { throw .unknown(String(cString: strerror(result))) }
  }

  /// Becomes the monitor: `lifesignal monitor`. Returns only when that fails.
  static func become(_ words: [String]) -> String {
    guard let program else { return "lifesignal-monitor is not beside lifesignal" }
    var arguments: [UnsafeMutablePointer<CChar>?] = ([program] + words).map { strdup($0) } + [nil]
    execv(program, &arguments)
    return "\(program): \(String(cString: strerror(errno)))"
  }
}
