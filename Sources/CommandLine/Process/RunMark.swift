import Clients
import FoundationEssentials
import Glibc

/// Marks that the app is running, so that the next run notices if this one was killed or crashed.
///
/// Each process has its own file, which it keeps locked. The lock disappears however the process
/// ends, the file only on a clean exit. Nothing leaves the machine.
final class RunMark {
  private let path: String
  private let descriptor: Int32

  private static let prefix = "running-"

  /// Creates a mark in a folder.
  /// - Returns: `nil` if that fails, which must not keep anyone from checking in.
  init?(in folder: String, process: Int32 = getpid()) {
    path = "\(folder)/\(Self.prefix)\(process)"
    descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
  }

  /// Removes the mark at a clean exit.
  func end() { unlink(path) }

  deinit { close(descriptor) }

  /// Removes the marks of runs that were killed or crashed.
  /// - Returns: When each of them started.
  static func takeAbandoned(in folder: String) -> [Date] {
    guard let entries = opendir(folder) else { return [] }
    defer { closedir(entries) }
    var begins: [Date] = []
    while let entry = readdir(entries) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name.hasPrefix(prefix) else { continue }
      if let begin = takeAbandoned("\(folder)/\(name)") { begins.append(begin) }
    }
    return begins.sorted()
  }

  private static func takeAbandoned(_ path: String) -> Date? {
    let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
      flock(descriptor, LOCK_EX | LOCK_NB) == 0, unlink(path) == 0
    else { return nil }
    return Date(timeIntervalSince1970: Double(information.st_mtim.tv_sec))
  }
}

extension LogEntry {
  /// Returns the log entry for a run of the app that was killed or crashed.
  static func uncleanEnd(ofRunBegunAt begin: Date, noticedAt now: Date) -> LogEntry {
    LogEntry(
      timestamp: now, level: .error, code: "UNCLEAN_END",
      message: "the app that was opened \(begin.ISO8601Format()) was killed or crashed",
      context: .init(function: "RunMark.takeAbandoned", file: #fileID, line: #line))
  }
}
