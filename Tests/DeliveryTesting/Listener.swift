import Glibc

package struct POSIXFailure: Error { package var code: Int32 }

/// Socket functions shared by the test servers.
enum Listener {
  /// Opens a socket that listens on a free local port.
  /// - Parameter port: The port; 0 for a free one.
  static func open(port: Int = 0) throws(POSIXFailure) -> (socket: Int32, port: Int) {
    signal(SIGPIPE, SIG_IGN)
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    // One that was in use a moment ago.
    var reuses: Int32 = 1
    setsockopt(
      socket, SOL_SOCKET, SO_REUSEADDR, &reuses, socklen_t(MemoryLayout<Int32>.size))
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard bind(socket, address, length) == 0, listen(socket, 64) == 0 else { return Int32(-1) }
        return getsockname(socket, address, &length)
      }
    }
    guard socket >= 0, code == 0 else { throw POSIXFailure(code: errno) }
    return (socket, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// Accepts connections until the socket is shut down.
  static func accept(on socket: Int32, _ serve: (_ connection: Int32) -> Void) {
    while true {
      let connection = Glibc.accept(socket, nil, nil)
      if connection < 0 {
        if errno == EINTR { continue }
        break
      }
      serve(connection)
    }
    Glibc.close(socket)
  }

  static func startThread(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(Body(body))
    pthread_create(
      &thread, nil,
      { context in
        Unmanaged<Body>.fromOpaque(context!).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    pthread_detach(thread)
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Waits until the client disconnects, for at most `milliseconds`.
  /// - Returns: Whether it is still connected.
  static func isOpen(_ socket: Int32, for milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) == 0
  }

  static func send(_ bytes: some Collection<UInt8>, to socket: Int32) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  static func waitForEnd(of socket: Int32) {
    var byte: UInt8 = 0
    while recv(socket, &byte, 1, 0) > 0 {}
  }
}
