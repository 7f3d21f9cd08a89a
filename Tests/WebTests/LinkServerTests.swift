import Clients
import Domain
import Foundation
import Synchronization
import Testing

@testable import Web

private let start = Date(timeIntervalSince1970: 1_795_000_000)

/// ESC-2, CON-3: the pages behind the links in messages, with real requests.
@Suite(.timeLimit(.minutes(2)))
struct LinkServerTests {
  /// A store of two codes, which notes what it was asked.
  final class Codes: Sendable {
    let asked = Mutex<[String]>([])
    let used = Mutex<Set<String>>([])
    let now = Mutex(start)

    var service: LinkService {
      LinkService(
        look: { [self] code in answer("look \(code)", code) },
        respond: { [self] code in
          let answer = answer("respond \(code)", code)
          if case .done = answer { used.withLock { _ = $0.insert(code) } }
          return answer
        })
    }

    var dateClient: DateClient {
      DateClient(now: { [self] in now.withLock { $0 } }, calendar: .utc)
    }

    private func answer(_ what: String, _ code: String) -> LinkService.Answer {
      asked.withLock { $0.append(what) }
      guard !used.withLock({ $0.contains(code) }) else { return .unknown }
      return switch code {
      case "7K3QF9ZD2M": .done(.init(purpose: .acknowledge, name: "<b>Ada"))
      case "DECLINE123": .done(.init(purpose: .decline, name: "Ada"))
      case "BROKEN1234": .unavailable
      default: .unknown
      }
    }
  }

  struct Page {
    var status: Int
    var header: String
    var body: String
  }

  /// Writes bytes to the server and reads until it closes the connection.
  static func exchange(_ bytes: String, port: Int) throws -> String {
    let connection = try connect(to: port)
    defer { close(connection) }
    var rest = Array(bytes.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    return read(from: connection)
  }

  static func connect(to port: Int) throws -> Int32 {
    let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else { throw POSIXError(.ECONNREFUSED) }
    return connection
  }

  static func read(from connection: Int32) -> String {
    var answer: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = recv(connection, &chunk, chunk.count, 0)
      guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
      answer += chunk[..<count]
    }
  }

  func page(_ request: String, _ server: LinkServer, body: String = "") throws -> Page {
    let text = try Self.exchange(
      "\(request) HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        + body, port: server.port)
    let end = try #require(text.firstRange(of: "\r\n\r\n"), "\(text)")
    let header = String(text[..<end.lowerBound])
    let status = try #require(header.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    return Page(status: status, header: header, body: String(text[end.upperBound...]))
  }

  func server(_ codes: Codes, timeout: UInt32 = 5) throws -> LinkServer {
    try LinkServer(
      host: "127.0.0.1", port: 0, service: codes.service, dateClient: codes.dateClient,
      timeout: timeout)
  }

  @Test("ESC-2: opening a link does nothing; its button acknowledges, once")
  func acknowledge() throws {
    let codes = Codes()
    let server = try server(codes)
    for request in ["GET /a/7K3QF9ZD2M", "HEAD /a/7K3QF9ZD2M", "GET /a/7k3qf-9zd2m?utm=1"] {
      #expect(try page(request, server).status == 200)
    }
    #expect(codes.asked.withLock { $0 } == Array(repeating: "look 7K3QF9ZD2M", count: 3))
    let invitation = try page("GET /a/7K3QF9ZD2M", server)
    #expect(invitation.body.contains("<h1>&lt;b&gt;Ada may need help</h1>"))
    #expect(
      invitation.body.contains(#"<form method="post"><button type="submit">I&#39;m responding"#))
    let done = try page("POST /a/7K3QF9ZD2M", server)
    #expect(done.status == 200 && done.body.contains("Thank you"))
    #expect(!done.body.contains("<form"))
    let again = try page("POST /a/7K3QF9ZD2M", server)
    #expect(again.status == 404)
    #expect(codes.used.withLock { $0 } == ["7K3QF9ZD2M"])
  }

  @Test("CON-3: so does the one to be no contact")
  func decline() throws {
    let server = try server(Codes())
    #expect(try page("GET /a/DECLINE123", server).body.contains("Take me off the list"))
    #expect(try page("POST /a/DECLINE123", server).body.contains("You are off the list"))
  }

  @Test("Unknown, used and impossible codes look the same")
  func calm() throws {
    let codes = Codes()
    let server = try server(codes)
    _ = try page("POST /a/7K3QF9ZD2M", server)
    codes.asked.withLock { $0 = [] }
    let pages = try [
      "GET /a/7K3QF9ZD2M", "POST /a/7K3QF9ZD2M", "GET /a/UNKNOWN123", "POST /a/UNKNOWN123",
    ].map { try page($0, server) }
    let elsewhere = try [
      "GET /", "GET /a/", "GET /a/../../etc/passwd", "GET /a/..%2f..%2fetc%2fpasswd",
      "GET //a/7K3QF9ZD2M", "GET /a/" + String(repeating: "A", count: 100), "GET /favicon.ico",
      "POST /a/7K3QF9ZD2M/x", "GET /a/%3Cscript%3E",
    ].map { try page($0, server) }
    for page in pages + elsewhere {
      #expect(page.status == 404)
      #expect(page.body == pages[0].body)
    }
    #expect(codes.asked.withLock { $0 }.count == 4, "paths that are no codes are not looked up")
  }

  @Test("Every page is kept nowhere, framed nowhere, runs nothing, and tells nobody")
  func headers() throws {
    let server = try server(Codes())
    for request in ["GET /a/7K3QF9ZD2M", "GET /a/UNKNOWN123", "DELETE /a/7K3QF9ZD2M"] {
      let header = try page(request, server).header.lowercased()
      for field in [
        "content-security-policy: default-src 'none';", "referrer-policy: no-referrer",
        "x-content-type-options: nosniff", "x-robots-tag: noindex", "cache-control: no-store",
        "x-frame-options: deny", "content-type: text/html; charset=utf-8",
      ] { #expect(header.contains(field), "\(request): \(field)") }
      #expect(!header.contains("set-cookie"))
    }
  }

  @Test("Other methods, and bodies that are larger than a button, are refused")
  func refused() throws {
    let codes = Codes()
    let server = try server(codes)
    for method in ["PUT", "DELETE", "OPTIONS", "TRACE", "BREW", "post"] {
      #expect(try page("\(method) /a/7K3QF9ZD2M", server).status == 405, "\(method)")
    }
    let announced = try Self.exchange(
      "POST /a/7K3QF9ZD2M HTTP/1.1\r\nHost: x\r\nContent-Length: 50000000\r\n\r\n",
      port: server.port)
    #expect(announced.hasPrefix("HTTP/1.1 413"))
    let chunk = "8000\r\n" + String(repeating: "x", count: 0x8000) + "\r\n"
    let endless = try Self.exchange(
      "POST /a/7K3QF9ZD2M HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        + String(repeating: chunk, count: 1_600), port: server.port)
    #expect(!endless.hasPrefix("HTTP/1.1 200"))
    let header = try Self.exchange(
      "GET /a/7K3QF9ZD2M HTTP/1.1\r\nHost: x\r\nX: " + String(repeating: "x", count: 100_000)
        + "\r\n\r\n", port: server.port)
    #expect(!header.hasPrefix("HTTP/1.1 200"))
    _ = try Self.exchange("\0\0nonsense\r\n\r\n", port: server.port)
    #expect(codes.used.withLock { $0 }.isEmpty)
    #expect(try page("POST /a/7K3QF9ZD2M", server, body: "a=b").status == 200)
  }

  @Test("Connections that say nothing are closed, and hold up nobody")
  func slow() throws {
    let server = try server(Codes(), timeout: 1)
    let silent = try (0..<20).map { _ in try Self.connect(to: server.port) }
    let begun = try Self.connect(to: server.port)
    _ = "POST /a/7K3".withCString { send(begun, $0, 11, 0) }
    #expect(try page("GET /a/7K3QF9ZD2M", server).status == 200)
    for connection in silent + [begun] {
      _ = Self.read(from: connection)
      close(connection)
    }
  }

  @Test("Ten wrong codes of a client are taken in a minute, and a code that is one always")
  func rate() throws {
    let codes = Codes()
    let server = try server(codes)
    let wrong = try (0..<30).map { try page("POST /a/ZZ00\(10 + $0)", server).status }
    #expect(wrong == Array(repeating: 404, count: 10) + Array(repeating: 429, count: 20))
    let limited = try page("GET /a/\(10)ABCD", server)
    #expect(limited.status == 429 && limited.header.contains("Retry-After: 60"))
    #expect(codes.asked.withLock { $0 }.count { $0.hasPrefix("respond ZZ") } == 10)
    #expect(try page("GET /a/7K3QF9ZD2M", server).status == 200)
    #expect(try page("POST /a/7K3QF9ZD2M", server).body.contains("Thank you"))
    #expect(try page("POST /a/DECLINE123", server).status == 200)
    codes.now.withLock { $0 = $0 + .minutes(1) }
    #expect(try page("GET /a/ZZ0000", server).status == 404)
  }

  @Test("Behind a proxy that is named, each client is counted by itself, and all of them together")
  func proxied() throws {
    let codes = Codes()
    let server = try LinkServer(
      host: "127.0.0.1", port: 0, proxy: "127.0.0.1", service: codes.service,
      dateClient: codes.dateClient)
    func statuses(_ forwarded: String, count: Int) throws -> [Int] {
      try (0..<count).map {
        try page("GET /a/ZZ00\(10 + $0) HTTP/1.1\r\nX-Forwarded-For: \(forwarded)\r\nX: y", server)
          .status
      }
    }
    // What a client writes itself stands before what the proxy adds.
    #expect(
      try statuses("198.51.100.9, 203.0.113.1", count: 11)
        == Array(repeating: 404, count: 10) + [429])
    #expect(try statuses("198.51.100.10, 203.0.113.1", count: 1) == [429])
    #expect(try statuses("2001:db8:0:1::1", count: 5) == Array(repeating: 404, count: 5))
    #expect(
      try statuses("2001:db8:0:1:ffff::2", count: 6) == Array(repeating: 404, count: 5) + [429])
    #expect(
      try statuses("203.0.113.2", count: 11) == Array(repeating: 404, count: 10) + [429])
    #expect(try statuses("203.0.113.3", count: 1) == [429])
    #expect(try page("GET /a/7K3QF9ZD2M", server).status == 200)
  }

  @Test("Who asks is told by nobody but the connection, unless a proxy is named")
  func clients() {
    #expect(LinkClient.name(peer: "127.0.0.1", forwarded: "1.2.3.4", proxy: nil) == "127.0.0.1")
    #expect(
      LinkClient.name(peer: "10.0.0.1", forwarded: "1.2.3.4", proxy: "127.0.0.1") == "10.0.0.1")
    #expect(
      LinkClient.name(peer: "127.0.0.1", forwarded: "5.6.7.8 ,1.2.3.4", proxy: "127.0.0.1")
        == "1.2.3.4")
    for forwarded in [nil, "", "unknown", "1.2.3.4, x"] {
      #expect(
        LinkClient.name(peer: "127.0.0.1", forwarded: forwarded, proxy: "127.0.0.1")
          == "127.0.0.1")
    }
    #expect(LinkClient.name(of: "2001:db8::1") == LinkClient.name(of: "2001:db8::ffff"))
    #expect(LinkClient.name(of: "2001:db8::1") != LinkClient.name(of: "2001:db8:0:1::1"))
  }

  @Test("A store that cannot be asked is said, and is no wrong code")
  func unavailable() throws {
    let server = try server(Codes())
    for _ in 0..<12 { #expect(try page("POST /a/BROKEN1234", server).status == 503) }
  }

  @Test("A store that does not answer keeps nobody waiting for ever")
  func impatient() throws {
    let never = LinkService(
      look: { _ in
        try? await Task.sleep(for: .seconds(3_600))
        return .unknown
      }, respond: { _ in .unknown })
    let handler = LinkHandler(
      service: never, dateClient: .constant(start), timeout: .milliseconds(50))
    #expect(handler.page(for: .get, path: "/a/7K3QF9ZD2M") == .unavailable)
  }

  @Test("The server follows the configuration, and waits for a port that is taken")
  func keeper() throws {
    let codes = Codes()
    let log = Mutex<[String]>([])
    let keeper = LinkKeeper(
      service: codes.service, dateClient: codes.dateClient,
      log: { line in log.withLock { $0.append(line) } })
    keeper.keep(nil)
    #expect(keeper.port == nil)
    var first: LinkServer? = try server(codes)
    let port = try #require(first).port
    let settings = LinkSettings(url: "https://ls.example.org", port: port)
    keeper.keep(settings)
    keeper.keep(settings)
    #expect(keeper.port == nil)
    #expect(log.withLock { $0.count } == 1)
    #expect(log.withLock { $0 }.first?.contains("cannot listen on 127.0.0.1:\(port)") == true)
    first = nil
    keeper.keep(settings)
    #expect(keeper.port == nil, "it is not tried all the time")
    codes.now.withLock { $0 = $0 + .minutes(1) }
    keeper.keep(settings)
    #expect(keeper.port == port)
    keeper.keep(nil)
    #expect(keeper.port == nil)
  }

  @Test("A server goes on while only its public address changes, and moves without anybody waiting")
  func moves() async throws {
    let codes = Codes()
    let keeper = LinkKeeper(service: codes.service, dateClient: codes.dateClient, log: { _ in })
    keeper.keep(LinkSettings(url: "https://one.example.org", port: 0))
    let port = try #require(keeper.port)
    keeper.keep(LinkSettings(url: "https://two.example.org", port: 0))
    #expect(keeper.port == port)
    let moved = LinkSettings(url: "https://two.example.org", host: "127.0.0.2", port: 0)
    keeper.keep(moved)
    #expect(keeper.port == nil)
    keeper.keep(moved)
    #expect(keeper.port != nil)
  }

  @Test("An address that is none is said")
  func badAddress() {
    #expect(throws: LinkServer.Failure.self) {
      try LinkServer(
        host: "example", port: 0, service: Codes().service, dateClient: .constant(start))
    }
  }
}
