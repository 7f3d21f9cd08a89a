import Glibc

/// Finds out whether another monitor of the same store serves the pages already.
enum PageProbe {
  /// Returns whether a server answers a path with “no content”. It waits for 2 s at most for each
  /// step, on the calling thread.
  static func answers(host: String, port: Int, path: String) -> Bool {
    WebServer.withSocketAddress(host, port) { address, length -> Bool? in
      let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      let connection = socket(Int32(address.pointee.sa_family), type, 0)
      guard connection >= 0 else { return nil }
      defer { close(connection) }
      var limit = timeval(tv_sec: 2, tv_usec: 0)
      for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
        setsockopt(
          connection, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
      }
      guard connect(connection, address, length) == 0 else { return nil }
      let request = "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
      guard send(connection, request, request.utf8.count, Int32(MSG_NOSIGNAL)) > 0 else {
        return nil
      }
      let expected = Array("HTTP/1.1 204 ".utf8)
      var answer = [UInt8](repeating: 0, count: expected.count)
      let count = recv(connection, &answer, answer.count, Int32(MSG_WAITALL))
      return count == expected.count && answer == expected
    } ?? false
  }
}
