import Foundation
import Terminal
import TerminalTesting
import TestSupport

/// A person's home in a temporary folder, in which programs can be started. What goes on in the
/// background there is killed when it is released.
final class Home {
  private let folder: TemporaryFolder
  var path: String { folder.path }

  init() throws { folder = try TemporaryFolder() }

  deinit {
    for process in monitors + processes(of: "sync\0--background") { kill(process, SIGKILL) }
  }

  var database: String { path + "/.local/share/lifesignal/lifesignal.db" }
  var configuration: String { path + "/.config/lifesignal/config.json5" }

  /// The complete environment of the programs: only what they need to start.
  var environment: [String: String] {
    ["HOME": path, "TZ": "UTC", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"]
  }

  func write(configuration text: String) throws {
    let folder = path + "/.config/lifesignal"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try Data(text.utf8).write(to: URL(fileURLWithPath: configuration))
  }

  /// The monitors running in this home.
  var monitors: [pid_t] { processes(of: "lifesignal-monitor") }

  /// The programs running in this home whose command line has a text.
  private func processes(of text: String) -> [pid_t] {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.compactMap(pid_t.init).filter { process in
      guard let command = FileManager.default.contents(atPath: "/proc/\(process)/cmdline"),
        String(decoding: command, as: UTF8.self).contains(text),
        let variables = FileManager.default.contents(atPath: "/proc/\(process)/environ")
      else { return false }
      return String(decoding: variables, as: UTF8.self).contains("HOME=\(path)\0")
    }
  }

  /// The last lines of the monitors' log.
  var monitorLog: String {
    let text = try? String(
      contentsOfFile: path + "/.local/state/lifesignal/monitor.log", encoding: .utf8)
    return (text ?? "").split(separator: "\n").suffix(20).joined(separator: "\n")
  }

  /// Locks the store, so that no program can write to it.
  func lockStore() throws -> WriteLock { try WriteLock(database + "-shm") }

  /// Opens the app in a terminal.
  func open(
    _ arguments: String..., columns: Int = 80, rows: Int = 24,
    environment changes: [String: String?] = [:]
  ) throws -> PTY {
    try open(
      program: "lifesignal", arguments, columns: columns, rows: rows, environment: changes)
  }

  /// Opens a program in a terminal, by its name or its path.
  func open(
    program: String, _ arguments: [String], columns: Int = 80, rows: Int = 24,
    environment changes: [String: String?] = [:]
  ) throws -> PTY {
    var variables: [String: String?] = [
      "HOME": path, "TZ": "UTC", "NO_COLOR": nil, "XDG_DATA_HOME": nil, "XDG_CONFIG_HOME": nil,
      "XDG_STATE_HOME": nil,
    ]
    variables.merge(changes) { $1 }
    return try PTY(
      program.hasPrefix("/") ? program : BuiltProgram.path(program), arguments,
      environment: variables,
      size: .init(columns: columns, rows: rows))
  }

  /// The output and exit code of a command.
  struct Result {
    var output: String
    var errors: String
    var code: Int32
  }

  /// Runs a command without a terminal and waits for its exit.
  @discardableResult
  func run(_ arguments: String..., environment changes: [String: String] = [:]) throws -> Result {
    try run(program: BuiltProgram.path("lifesignal"), arguments, environment: changes)
  }

  /// - Parameter input: The program's standard input.
  @discardableResult
  func run(
    program: String, _ arguments: [String], input: String = "",
    environment changes: [String: String] = [:]
  ) throws -> Result {
    let process = makeProcess(program, arguments, environment: changes)
    let lines = Pipe()
    process.standardInput = lines
    // The input always fits into the pipe's buffer.
    try lines.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try lines.fileHandleForWriting.close()
    // Use files rather than pipes: they can't fill up, and a monitor started in the meantime can't
    // keep them open.
    let output = path + "/output-" + UUID().uuidString
    let errors = path + "/errors-" + UUID().uuidString
    for file in [output, errors] {
      _ = FileManager.default.createFile(atPath: file, contents: nil)
    }
    process.standardOutput = FileHandle(forWritingAtPath: output)
    process.standardError = FileHandle(forWritingAtPath: errors)
    try process.run()
    process.waitUntilExit()
    defer {
      try? FileManager.default.removeItem(atPath: output)
      try? FileManager.default.removeItem(atPath: errors)
    }
    return Result(
      output: String(
        decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self),
      errors: String(
        decoding: FileManager.default.contents(atPath: errors) ?? Data(), as: UTF8.self),
      code: process.terminationStatus)
  }

  /// Makes a process for a program in this home without starting it.
  func makeProcess(
    _ program: String, _ arguments: [String], environment changes: [String: String]
  ) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = environment.merging(changes) { $1 }
    process.standardInput = FileHandle.nullDevice
    return process
  }

  /// All files and folders in the home, with their permissions.
  func files() throws -> [String: Int] {
    var files: [String: Int] = [:]
    for file in try FileManager.default.subpathsOfDirectory(atPath: path)
    where !file.hasPrefix("output-") && !file.hasPrefix("errors-") {
      let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + file)
      files[file] = attributes[.posixPermissions] as? Int
    }
    return files
  }
}

/// SQLite's write lock: a byte of the shared-memory file.
final class WriteLock {
  private let file: Int32
  private var lock = flock()

  init(_ shared: String) throws {
    file = open(shared, O_RDWR | O_CLOEXEC)
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = 120
    lock.l_len = 1
    guard file >= 0, fcntl(file, F_SETLKW, &lock) == 0 else {
      throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
  }

  func release() {
    lock.l_type = Int16(F_UNLCK)
    _ = fcntl(file, F_SETLK, &lock)
  }

  deinit { close(file) }
}
