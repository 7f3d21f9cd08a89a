import Foundation
import ServerTesting

/// Devices that wait for changes, in a process of their own: each takes one of the files that a process may have
/// open, and one more in the server's.
struct Devices {
  private let process = Process()
  private let input = Pipe()

  /// Lets devices of these people connect, and wait after the last change that is known.
  init(_ count: Int, port: Int, after known: String, people: [String]) throws {
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["hold", "\(port)", "\(count)", "\(known)"]
    process.standardInput = input
    try process.run()
    input.fileHandleForWriting.write(Data((people.joined(separator: "\n") + "\n\n").utf8))
  }

  /// Ends them all.
  func end() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// What that process does: `hold PORT COUNT AFTER`, and tokens on its standard input until an empty line. It ends
  /// with its input.
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
