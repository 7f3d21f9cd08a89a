import Dispatch
import FoundationEssentials
import Glibc
import Processes
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
    let ends = try #require(openPipe())
    defer { close(ends.writing) }
    let environment =
      ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
      + ["LIFESIGNAL_TEST_CHILD=\(task.rawValue):\(root)"]
    identifier = try Launch(
      "/proc/self/exe", ["--testing-library", "swift-testing", "--filter", task.rawValue],
      environment: environment,
      files: [
        STDOUT_FILENO: .null, STDERR_FILENO: .null, Self.reports: .descriptor(ends.writing),
      ]
    ).start()
    pipe = ends.reading
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
        Launch.wait(for: identifier)
        continuation.resume(returning: text)
      }
    }
  }
}
