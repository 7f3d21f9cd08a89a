import FoundationEssentials
import Glibc
import Synchronization

/// A proxy in front of a PostgreSQL server that behaves like a bad network when a test asks for it.
package final class FaultyProxy: Sendable {
  package enum Fault: Sendable {
    /// Cuts the connection when a client commits a write: before the server gets the commit, or
    /// before its answer.
    case cutBeforeCommit, cutAfterCommit
    /// Swallows everything without an error.
    case blackHole
  }

  package let port: UInt16
  private let listener: Int32
  private let socketPath: String
  private let fault = Mutex<Fault?>(nil)

  package init(to socketPath: String) throws {
    self.socketPath = socketPath
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (listener, size) = (listener, length)
    let isBound = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size) == 0 && listen(listener, 16) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard isBound else { throw CocoaError(.fileWriteUnknown) }
    port = UInt16(bigEndian: address.sin_port)
    start { [self] in accept() }
  }

  /// Stops the proxy and cuts its connections.
  package func close() { shutdown(listener, Int32(SHUT_RDWR)) }

  package func set(_ fault: Fault?) { self.fault.withLock { $0 = fault } }

  private func start(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let boxed = Unmanaged.passRetained(Box(body)).toOpaque()
    pthread_create(
      &thread, nil,
      { box in
        Unmanaged<Box>.fromOpaque(box!).takeRetainedValue().body()
        return nil
      }, boxed)
    pthread_detach(thread)
  }

  private final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private func accept() {
    while true {
      let client = Glibc.accept(listener, nil, nil)
      guard client >= 0 else { break }
      start { [self] in forward(client) }
    }
    Glibc.close(listener)
  }

  /// Forwards one connection until either side closes it or the fault strikes.
  private func forward(_ client: Int32) {
    defer { Glibc.close(client) }
    let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { Glibc.close(server) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socketPath.utf8) }
    let isConnected = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(server, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isConnected else { return }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var writes = false
    while true {
      var ends = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&ends, 2, 200) >= 0 else { return }
      if fault.withLock({ $0 }) == .blackHole {
        usleep(20_000)
        continue
      }
      for (end, other) in [(0, server), (1, client)] where ends[end].revents != 0 {
        let count = read(ends[end].fd, &buffer, buffer.count)
        guard count > 0 else { return }
        // The end of a transaction may arrive together with the beginning of the next.
        var said = end == 0 ? Data(buffer[..<count]) : Data()
        let says = { (word: String) in said.range(of: word) }
        while let begin = says("BEGIN") {
          said = said[begin.upperBound...]
          writes = says("READ ONLY") == nil
        }
        let fault = writes && says("COMMIT") != nil ? fault.withLock { $0 } : nil
        if fault == .cutBeforeCommit { return }
        guard send(other, buffer, count, Int32(MSG_NOSIGNAL)) == count else { return }
        if fault == .cutAfterCommit {
          // Wait for the answer, to be sure that the server has committed.
          _ = read(server, &buffer, buffer.count)
          return
        }
      }
    }
  }
}

extension Data {
  fileprivate func range(of word: String) -> Range<Data.Index>? { firstRange(of: Data(word.utf8)) }
}
