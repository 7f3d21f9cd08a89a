import Dispatch
import FoundationEssentials
import Glibc
import Testing

/// The test program, run as a child process with one task, so that it can be killed or limited.
struct ChildProcess {
  /// The task of a child, named like its test.
  enum Task: String {
    case checkInUntilKilled, checkInWithinFileSizeLimit, storeFilesUntilKilled
    case storeFileWithinFileSizeLimit, keepSecrets
  }

  /// In the child, the folder chosen by the parent; in the parent, `nil`.
  static func root(for task: Task) -> String? {
    guard let value = getenv("LIFESIGNAL_TEST_CHILD").map({ String(cString: $0) }),
      value.hasPrefix(task.rawValue + ":")
    else { return nil }
    return String(value.dropFirst(task.rawValue.count + 1))
  }

  /// Reports an event to the parent.
  static func report(_ byte: Character) {
    var byte = byte.asciiValue ?? 0
    _ = write(reports, &byte, 1)
  }

  private static let reports: Int32 = 9

  private let identifier: pid_t
  private let pipe: Int32

  /// Starts a child.
  /// - Parameter root: The folder for the child's store.
  init(_ task: Task, root: String) throws {
    var ends: [Int32] = [0, 0]
    try #require(Glibc.pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], Self.reports)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    let arguments = [
      CommandLine.arguments[0], "--testing-library", "swift-testing", "--filter", task.rawValue,
    ]
    let environment =
      ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
      + ["LIFESIGNAL_TEST_CHILD=\(task.rawValue):\(root)"]
    let strings = (arguments + environment).map { strdup($0) }
    defer { for string in strings { free(string) } }
    var child: pid_t = 0
    let code = posix_spawn(
      &child, "/proc/self/exe", &actions, nil, Array(strings.prefix(arguments.count)) + [nil],
      Array(strings.dropFirst(arguments.count)) + [nil])
    close(ends[1])
    try #require(code == 0, "\(String(cString: strerror(code)))")
    identifier = child
    pipe = ends[0]
  }

  /// Reads the child's reports until it exits. Kills it after `limit` reports, in the middle of
  /// whatever it is doing.
  func reports(killingAfter limit: Int = .max) async -> String {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        var text = ""
        var byte: UInt8 = 0
        while read(pipe, &byte, 1) == 1 {
          text.unicodeScalars.append(Unicode.Scalar(byte))
          if text.utf8.count == limit { kill(identifier, SIGKILL) }
        }
        close(pipe)
        var status: Int32 = 0
        waitpid(identifier, &status, 0)
        continuation.resume(returning: text)
      }
    }
  }
}
