internal import CProcess
import Glibc

/// A program to start, and what it gets from this process. No shell reads its arguments.
///
///     let id = try Launch(
///       "/bin/date", ["--utc"], files: [STDOUT_FILENO: .path("/tmp/date", O_WRONLY | O_CREAT)]
///     ).start()
///     let status = Launch.wait(for: id)
///
/// It starts with the default actions for all signals, whatever this process ignores or blocks.
package struct Launch: Sendable {
  /// What a descriptor of the program is.
  package enum File: Sendable {
    /// A file that is opened for the program.
    case path(String, Int32, mode: UInt32 = 0o600)
    /// A copy of a descriptor: this process's, or the program's own if it has a lower number.
    case descriptor(Int32)

    package static let null = File.path("/dev/null", O_RDWR)
  }

  /// The process group of the program.
  package enum Group: Sendable {
    /// That of this process: Ctrl-C ends both.
    case shared
    /// A group of its own, which can be killed with everything that the program started.
    case own
    /// A session of its own: it outlives the terminal, or can get another one.
    case session
  }

  private let program: String
  private let arguments: [String]
  private let environment: [String]?
  private let directory: String?
  private let files: [Int32: File]
  private let closesOtherFiles: Bool
  private let group: Group

  /// - Parameters:
  ///   - program: A path, or a name to find in `PATH`.
  ///   - arguments: What follows the program's name.
  ///   - environment: All variables, as `NAME=value`; those of this process by default.
  ///   - directory: The folder that it runs in; that of this process by default.
  ///   - files: What its descriptors are, set from the lowest up. It shares the others with this
  ///     process, except those that are closed when a program is executed.
  ///   - closesOtherFiles: Whether it shares none above those, not even what somebody else has left
  ///     open in this process, such as the lock of a script.
  ///   - group: Its process group.
  package init(
    _ program: String, _ arguments: [String] = [], environment: [String]? = nil,
    directory: String? = nil, files: [Int32: File] = [:], closesOtherFiles: Bool = false,
    group: Group = .shared
  ) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
    self.directory = directory
    self.files = files
    self.closesOtherFiles = closesOtherFiles
    self.group = group
  }

  /// Why a program could not be started.
  package struct Failure: Error, Equatable {
    /// The system's number for it, such as `ENOENT`.
    package var code: Int32
    package var reason: String { String(cString: strerror(code)) }
  }

  /// Starts the program, and returns its process identifier.
  package func start() throws(Failure) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The system copies the paths.
    if let directory { _ = cprocess_add_directory(&actions, directory) }
    let files = files.sorted { $0.key < $1.key }
    for (descriptor, file) in files {
      switch file {
      case .path(let path, let flags, let mode):
        posix_spawn_file_actions_addopen(&actions, descriptor, path, flags, mode)
      case .descriptor(let original):
        posix_spawn_file_actions_adddup2(&actions, original, descriptor)
      }
    }
    if closesOtherFiles {
      let last = max(STDERR_FILENO, files.last?.key ?? STDERR_FILENO)
      _ = cprocess_add_close_from(&actions, last + 1)
    }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    let grouping: Int16 =
      switch group {
      case .shared: 0
      case .own: Int16(POSIX_SPAWN_SETPGROUP)
      case .session: cprocess_new_session
      }
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK) | grouping)

    var id: Int32 = 0
    let code = Self.withPointers([program] + arguments) { words in
      guard let environment else {
        return posix_spawnp(&id, program, &actions, &attributes, words, environ)
      }
      return Self.withPointers(environment) {
        posix_spawnp(&id, program, &actions, &attributes, words, $0)
      }
    }
    guard code == 0 else { throw Failure(code: code) }
    return id
  }

  /// Replaces this process by the program, with this process's files and variables.
  /// - Returns: The failure; nothing if it succeeds.
  package func become() -> Failure {
    Self.withPointers([program] + arguments) { _ = execvp(program, $0) }
    return Failure(code: errno)
  }

  /// Waits until a program that this process started has ended, and returns its status.
  @discardableResult
  package static func wait(for id: Int32) -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// Calls a function with texts as C expects them in `argv`. The pointers are valid until it
  /// returns.
  private static func withPointers<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    let pointers = texts.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeBufferPointer { body($0.baseAddress!) }
  }
}

/// Opens a pipe. A program that is started gets an end of it only as one of its ``Launch`` files.
/// - Returns: `nil` if there are too many open files.
package func openPipe() -> (reading: Int32, writing: Int32)? {
  var ends: [Int32] = [-1, -1]
  return cprocess_pipe(&ends) == 0 ? (ends[0], ends[1]) : nil
}
