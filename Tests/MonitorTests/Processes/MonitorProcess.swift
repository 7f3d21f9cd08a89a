import Foundation
import Glibc
import Processes
import Synchronization

/// A running process of the built program `lifesignal-monitor`.
final class MonitorProcess: Sendable {
  let pid: pid_t
  private let errors: FileHandle
  private let end = Mutex<(status: Int32?, waiting: [CheckedContinuation<Int32, Never>])>((nil, []))

  /// The path of the program, in the same folder as the tests.
  static var path: String {
    let tests = try! FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    var folder = URL(fileURLWithPath: tests).deletingLastPathComponent()
    while folder.pathComponents.count > 1 {
      let program = folder.appendingPathComponent("lifesignal-monitor").path
      if FileManager.default.isExecutableFile(atPath: program) { return program }
      folder.deleteLastPathComponent()
    }
    return "lifesignal-monitor"
  }

  /// Starts the program with exactly the given environment.
  /// - Parameter log: The descriptor for its log, in place of ``output``.
  init(_ arguments: [String] = [], environment: [String: String], log: Int32? = nil) throws {
    let errorFile = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    _ = FileManager.default.createFile(atPath: errorFile.path, contents: nil)
    errors = try FileHandle(forUpdating: errorFile)
    try FileManager.default.removeItem(at: errorFile)
    let output = Launch.File.descriptor(log ?? errors.fileDescriptor)
    pid = try Launch(
      Self.path, arguments, environment: environment.map { "\($0)=\($1)" },
      files: [STDOUT_FILENO: output, STDERR_FILENO: output]
    ).start()
    Thread.detachNewThread { [self] in
      let status = Launch.wait(for: pid)
      let waiting = end.withLock { end in
        end.status = status
        return end.waiting
      }
      for continuation in waiting { continuation.resume(returning: status) }
    }
  }

  func send(_ signal: Int32) { Glibc.kill(pid, signal) }

  /// Waits for the process to exit.
  /// - Returns: The exit code, or 128 plus the signal that killed it.
  func exitCode() async -> Int32 {
    let status = await withCheckedContinuation { continuation in
      let status = end.withLock { end -> Int32? in
        if end.status == nil { end.waiting.append(continuation) }
        return end.status
      }
      if let status { continuation.resume(returning: status) }
    }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
  }

  func kill() async {
    send(SIGKILL)
    _ = await exitCode()
  }

  /// The output so far.
  var output: String {
    try? errors.seek(toOffset: 0)
    return String(decoding: (try? errors.readToEnd()) ?? Data(), as: UTF8.self)
  }

  deinit { if end.withLock({ $0.status == nil }) { send(SIGKILL) } }
}
