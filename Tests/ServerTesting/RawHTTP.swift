package import Foundation
import Glibc

/// A minimal HTTP client, so that a test can send what no real client would.
package enum RawHTTP {
  package struct Answer: Equatable, Sendable {
    package var status: Int
    package var headers: [String: String]
    package var body: Data
    package var text: String { String(decoding: body, as: UTF8.self) }
  }

  package struct Failure: Error {
    package var reason: String
    package init(reason: String) { self.reason = reason }
  }

  /// An open connection.
  package final class Connection: @unchecked Sendable {
    private let socket: Int32
    private var received: [UInt8] = []

    /// Opens a connection.
    /// - Parameter source: The source address as a number; all of 127.0.0.0/8 is this machine.
    package init(port: Int, from source: UInt32? = nil) throws {
      socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      if let source {
        var own = sockaddr_in()
        own.sin_family = sa_family_t(AF_INET)
        own.sin_addr.s_addr = source.bigEndian
        let result = withUnsafeBytes(of: &own) {
          bind(socket, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
        }
        guard result == 0 else { throw Failure(reason: "no such address here") }
      }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = UInt16(port).bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var wait = timeval(tv_sec: 60, tv_usec: 0)
      setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
      let result = withUnsafeBytes(of: &address) {
        connect(socket, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
      }
      guard result == 0 else { throw Failure(reason: "no connection") }
    }

    deinit { close(socket) }

    package func send(_ bytes: some Sequence<UInt8>) throws {
      var rest = Array(bytes)[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { throw Failure(reason: "closed while sending") }
        rest = rest.dropFirst(count)
      }
    }

    package func send(_ text: String) throws { try send(text.utf8) }

    /// Whether the other side has closed the connection.
    package var isClosed: Bool {
      var byte: UInt8 = 0
      let count = recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
      return count == 0 || count < 0 && errno != EAGAIN
    }

    /// Whether part of an answer has arrived.
    package var hasAnswer: Bool {
      var byte: UInt8 = 0
      return !received.isEmpty
        || recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0
    }

    /// Waits for the next answer.
    package func receive() throws -> Answer {
      while true {
        if let answer = takeAnswer() { return answer }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 0 else { throw Failure(reason: "closed after \(received.count) bytes") }
        received += buffer[..<count]
      }
    }

    private func takeAnswer() -> Answer? {
      guard let end = received.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
      let lines = String(decoding: received[..<end.lowerBound], as: UTF8.self).split(
        separator: "\r\n")
      guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
      else { return nil }
      var headers: [String: String] = [:]
      for line in lines.dropFirst() {
        let parts = line.split(separator: ":", maxSplits: 1)
        headers[parts[0].lowercased()] =
          parts.count > 1 ? parts[1].drop { $0 == " " }.description : ""
      }
      let length =
        status == 304 || status == 204 ? 0 : headers["content-length"].flatMap { Int($0) } ?? 0
      guard received.count >= end.upperBound + length else { return nil }
      let body = Data(received[end.upperBound..<end.upperBound + length])
      received.removeFirst(end.upperBound + length)
      return Answer(status: status, headers: headers, body: body)
    }
  }

  /// Runs a blocking operation on its own thread.
  package static func blocking<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      // Don't block a thread of the concurrency pool.
      Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
  }

  /// The text of a complete request.
  package static func text(
    _ method: String, _ target: String, headers: [String: String] = [:], body: Data = Data()
  ) -> Data {
    var head = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
    if !body.isEmpty || method != "GET" { head += "Content-Length: \(body.count)\r\n" }
    return Data((head + "\r\n").utf8) + body
  }
}
