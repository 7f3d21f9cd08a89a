import FoundationEssentials
import Glibc
import Processes
import ServerTesting

/// Devices that wait for changes, in a separate process, because each takes one of its open files,
/// and one of the server's.
struct Devices {
  struct Failure: Error {}

  private let pid: pid_t
  private let input: Int32

  /// Connects devices of these people, which then wait for changes after the last known one.
  init(_ count: Int, port: Int, after known: String, people: [String]) throws {
    guard let pipe = openPipe() else { throw Failure() }
    defer { close(pipe.reading) }
    let launch = Launch(
      "/proc/self/exe", ["hold", "\(port)", "\(count)", known],
      files: [STDIN_FILENO: .descriptor(pipe.reading)])
    (pid, input) = (try launch.start(), pipe.writing)
    var rest = Array((people.joined(separator: "\n") + "\n\n").utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Failure() }
      rest = rest.dropFirst(count)
    }
  }

  /// Disconnects all devices.
  func end() {
    close(input)
    waitpid(pid, nil, 0)
  }

  /// Runs the child process: `hold PORT COUNT AFTER`, with tokens on standard input up to an empty
  /// line. It exits when its input ends.
  static func hold(port: Int, count: Int, after known: String) {
    var files = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
    files.rlim_cur = files.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
    var people: [String] = []
    while let line = readLine(), !line.isEmpty { people.append(line) }
    var waiting: [RawHTTP.Connection] = []
    for number in 0..<count {
      guard let connection = try? RawHTTP.Connection(port: port) else { break }
      try? connection.send(changes(people[number % people.count], after: known))
      waiting.append(connection)
    }
    while readLine() != nil {}
    withExtendedLifetime(waiting) {}
  }
}
