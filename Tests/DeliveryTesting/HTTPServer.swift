import FoundationEssentials
import Glibc
import Synchronization

/// A web server on a local port whose answers the test chooses.
///
/// Each connection has its own thread and carries one request.
package final class HTTPServer: Sendable {
  package struct Request: Equatable, Sendable {
    package var method: String
    /// The path with its query.
    package var path: String
    /// The header fields by their lowercase names.
    package var headers: [String: String]
    package var body: String
  }

  package enum Answer: Sendable {
    case reply(Int, headers: [String: String] = [:], body: String = "")
    /// Doesn't answer until the client disconnects.
    case silence
    /// Closes the connection without an answer.
    case cut
    /// Announces a body, begins it, and closes the connection.
    case cutReply(Int)
    /// Announces a body of this size and sends it until the client disconnects.
    case large(Int, bytes: Int)
    /// Sends header fields until the client disconnects.
    case endlessHeader
    /// Sends the status, then a byte of the body every few milliseconds.
    case drip(Int)
    /// Sends a byte of the header every few milliseconds.
    case dripHeader
    /// Sends exactly these bytes.
    case raw(String)
  }

  /// The answer to a request with the given number, counted from 1.
  package typealias Script = @Sendable (_ request: Request, _ number: Int) -> Answer

  private struct Contents {
    var connections = 0
    var requests: [Request] = []
    var bytesSent = 0
    var isClosed = false
  }

  package let port: Int
  private let socket: Int32
  private let script: Script
  private let contents = Mutex(Contents())

  /// - Parameter port: The port; 0 for a free one.
  package init(port: Int = 0, script: @escaping Script = { _, _ in .reply(200) }) throws {
    self.script = script
    (socket, self.port) = try Listener.open(port: port)
    Listener.startThread { [self] in acceptConnections() }
  }

  /// `http://127.0.0.1:port`
  package var url: String { "http://127.0.0.1:\(port)" }
  /// The requests, in order.
  package var requests: [Request] { contents.withLock { $0.requests } }
  package var connections: Int { contents.withLock { $0.connections } }
  /// An upper bound of the bytes of a large body that the client has read. Some may still be in
  /// buffers.
  package var bytesSent: Int { contents.withLock { $0.bytesSent } }

  /// Refuses connections from now on.
  package func close() {
    let wasOpen = contents.withLock { contents in
      defer { contents.isClosed = true }
      return !contents.isClosed
    }
    if wasOpen { shutdown(socket, Int32(SHUT_RDWR)) }
  }

  private func acceptConnections() {
    Listener.accept(on: socket) { connection in
      contents.withLock { $0.connections += 1 }
      Listener.startThread { [self] in
        serve(connection)
        Glibc.close(connection)
      }
    }
  }

  private func serve(_ connection: Int32) {
    guard let request = Self.readRequest(from: connection) else { return }
    let number = contents.withLock { contents in
      contents.requests.append(request)
      return contents.requests.count
    }
    func send(_ text: String) -> Bool { Listener.send(text.utf8, to: connection) }
    func sendHeader(_ status: Int, _ headers: [String: String], length: Int) -> Bool {
      let fields = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
      return send(
        "HTTP/1.1 \(status) Status\r\n\(fields)Content-Length: \(length)\r\nConnection: close\r\n\r\n"
      )
    }
    switch script(request, number) {
    case .reply(let status, let headers, let body):
      if sendHeader(status, headers, length: body.utf8.count), request.method != "HEAD" {
        _ = send(body)
      }
    case .silence: Listener.waitForEnd(of: connection)
    case .cut: break
    case .cutReply(let status):
      _ = sendHeader(status, [:], length: 1_000) && send("half a bo")
    case .large(let status, let bytes):
      let chunk = [UInt8](repeating: 0x78, count: 65_536)
      guard sendHeader(status, [:], length: bytes) else { return }
      var rest = bytes
      while rest > 0, Listener.send(chunk.prefix(rest), to: connection) {
        contents.withLock { $0.bytesSent += min(chunk.count, rest) }
        rest -= min(chunk.count, rest)
      }
    case .endlessHeader:
      var isOpen = send("HTTP/1.1 200 OK\r\n")
      let line = "X-Field: " + String(repeating: "x", count: 1_000) + "\r\n"
      while isOpen { isOpen = send(line) }
    case .drip(let status):
      guard sendHeader(status, [:], length: 1_000_000) else { return }
      while send("x"), Listener.isOpen(connection, for: 20) {}
    case .dripHeader:
      var isOpen = send("HTTP/1.1 200 OK\r\nX-Field: ")
      while isOpen { isOpen = Listener.isOpen(connection, for: 20) && send("x") }
    case .raw(let text): _ = send(text)
    }
  }

  private static func readRequest(from connection: Int32) -> Request? {
    var buffer: [UInt8] = []
    func readMore() -> Bool {
      var chunk = [UInt8](repeating: 0, count: 16_384)
      let count = recv(connection, &chunk, chunk.count, 0)
      guard count > 0 else { return false }
      buffer += chunk[..<count]
      return true
    }
    var end: Int?
    while end == nil {
      guard readMore() else { return nil }
      end = buffer.indices.first { buffer[$0...].starts(with: [0x0D, 0x0A, 0x0D, 0x0A]) }
    }
    let lines = String(decoding: buffer[..<end!], as: UTF8.self).split(separator: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count == 3 else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      headers[line[..<colon].lowercased()] = String(value)
    }
    buffer.removeFirst(end! + 4)
    let length = headers["content-length"].flatMap { Int($0) } ?? 0
    while buffer.count < length { guard readMore() else { return nil } }
    return Request(
      method: String(words[0]), path: String(words[1]), headers: headers,
      body: String(decoding: buffer[..<length], as: UTF8.self))
  }
}
