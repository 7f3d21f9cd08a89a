import Glibc
import Monitor

extension ServiceManager {
  /// Creates a connection to systemd if it started this process and wants notifications: datagrams
  /// of lines to the socket that `NOTIFY_SOCKET` names (sd_notify(3), sd_watchdog_enabled(3)).
  init?(environment: [String: String]) {
    guard let socket = NotifySocket(name: environment["NOTIFY_SOCKET"] ?? "") else { return nil }
    var timeout: Duration?
    let isMeant = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
    if isMeant, let text = environment["WATCHDOG_USEC"], let time = Int64(text), time > 0 {
      timeout = .microseconds(time)
    }
    self.init(timeout: timeout) { words in
      socket.send(words.map(\.text).joined(separator: "\n"))
    }
  }
}

/// A service manager's socket. Each message opens its own descriptor, so that none stays open.
struct NotifySocket: Sendable {
  private let name: [UInt8]

  /// - Parameter name: A path, or the name of an abstract socket, which begins with `@` (unix(7)).
  init?(name: String) {
    guard name.hasPrefix("/") || name.hasPrefix("@"), name.utf8.count > 1,
      name.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path)
    else { return nil }
    self.name = Array(name.utf8)
  }

  func send(_ text: String) {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { path in
      path.copyBytes(from: name)
      if name[0] == UInt8(ascii: "@") { path[0] = 0 }
    }
    // The kernel reads an abstract name by its length, and a path up to its terminating NUL.
    let length = MemoryLayout.offset(of: \sockaddr_un.sun_path)! + name.count
    let bytes = Array(text.utf8)
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(
          descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT), $0,
          socklen_t(length))
      }
    }
  }
}
