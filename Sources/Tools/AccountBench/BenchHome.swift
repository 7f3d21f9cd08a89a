import Benching
import Clients
import Glibc
import Processes
import Terminal
import TerminalTesting

/// A user's folders, and the program that runs with them.
final class BenchHome {
  let program: String
  let folders: Folders
  private let path: String
  /// Whether the folder goes with this object.
  private let isTemporary: Bool

  convenience init(program: String) throws {
    var template = Array("/tmp/lifesignal-bench-XXXXXX".utf8CString)
    guard let path = mkdtemp(&template).map({ String(cString: $0) }) else {
      throw Complaint("No folder can be made in /tmp.")
    }
    try self.init(program: program, path: path, isTemporary: true)
  }

  /// - Parameter path: The folder to use as the user's home.
  init(program: String, path: String, isTemporary: Bool = false) throws {
    mkdir(path, 0o700)
    guard let folders = Folders(environment: ["HOME": path]) else {
      throw Complaint("\(path) can't be a home.")
    }
    self.program = program
    self.path = path
    self.folders = folders
    self.isTemporary = isTemporary
  }

  deinit {
    guard isTemporary else { return }
    if let id = try? Launch("rm", ["-rf", path]).start() { Launch.wait(for: id) }
  }

  /// Opens the app or runs a command, in a window of 120×40.
  func open(_ arguments: String...) throws(PTYError) -> PTY {
    try open(program: program, arguments)
  }

  func open(program: String, _ arguments: [String]) throws(PTYError) -> PTY {
    try PTY(
      program, arguments,
      environment: [
        "HOME": path, "TZ": "UTC", "COLORTERM": "truecolor", "NO_COLOR": nil,
        "XDG_DATA_HOME": nil, "XDG_CONFIG_HOME": nil, "XDG_STATE_HOME": nil,
      ],
      size: .init(columns: 120, rows: 40))
  }

  /// Evicts the program and the store from the page cache, as after booting.
  func cool() {
    for file in [program, folders.database] {
      let descriptor = Glibc.open(file, O_RDONLY)
      guard descriptor >= 0 else { continue }
      fdatasync(descriptor)
      posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
      close(descriptor)
    }
  }
}
