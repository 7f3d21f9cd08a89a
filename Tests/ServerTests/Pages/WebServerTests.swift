import Clients
import ComposableTesting
import Domain
import Foundation
import Synchronization
import Testing

@testable import Web

/// The server of the pages: which requests are answered or cut off, and that no client delays
/// another.
@Suite(.timeLimit(.minutes(2)))
struct WebServerTests {
  @Test("PUT, DELETE and other methods, large bodies and large headers are refused")
  func refused() throws {
    let codes = Codes()
    let server = try server(codes)
    for method in ["PUT", "DELETE", "OPTIONS", "TRACE", "BREW", "post"] {
      #expect(try page("\(method) /a/7K3QF9ZD2M", server).status == 405, "\(method)")
    }
    let announced = try exchange(
      "POST /a/7K3QF9ZD2M HTTP/1.1\r\nHost: x\r\nContent-Length: 50000000\r\n\r\n",
      port: server.port)
    #expect(announced.hasPrefix("HTTP/1.1 413"))
    let chunk = "8000\r\n" + String(repeating: "x", count: 0x8000) + "\r\n"
    let endless = try exchange(
      "POST /a/7K3QF9ZD2M HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        + String(repeating: chunk, count: 1_600), port: server.port)
    #expect(!endless.hasPrefix("HTTP/1.1 200"))
    let header = try exchange(
      "GET /a/7K3QF9ZD2M HTTP/1.1\r\nHost: x\r\nX: " + String(repeating: "x", count: 100_000)
        + "\r\n\r\n", port: server.port)
    #expect(!header.hasPrefix("HTTP/1.1 200"))
    _ = try exchange("\0\0nonsense\r\n\r\n", port: server.port)
    #expect(codes.used.withLock { $0 }.isEmpty)
    #expect(try page("POST /a/7K3QF9ZD2M", server, body: "a=b").status == 303)
  }

  @Test(
    "A request with ambiguous lengths is refused, and no request hidden in it is answered",
    arguments: [
      "Content-Length: 5\r\nTransfer-Encoding: chunked",
      "Transfer-Encoding: chunked\r\nContent-Length: 5",
      "Content-Length: 5\r\nContent-Length: 6", "Content-Length: 5\r\ncontent-length: 5",
      "Content-Length: 5, 5", "Content-Length: +5", "Transfer-Encoding: gzip, chunked",
      "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked",
      "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
    ])
  func lengths(_ headers: String) throws {
    let codes = Codes()
    let server = try server(codes)
    let answer = try exchange(
      "POST /a/7K3QF9ZD2M HTTP/1.1\r\nHost: x\r\n\(headers)\r\n\r\n0\r\n\r\n"
        + "POST /a/7K3QF9ZD2M HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", port: server.port)
    // The library begins some of its refusals twice.
    let statuses = answer.matches(of: #/(?m)^HTTP\/1\.1 ([0-9]{3})/#).map { $0.1 }
    #expect(!statuses.isEmpty && statuses.allSatisfy { $0.hasPrefix("4") }, "\(answer)")
    #expect(codes.used.withLock { $0 }.isEmpty)
  }

  @Test("Silent connections are closed and don't delay others")
  func slow() throws {
    let server = try server(Codes(), silence: 1)
    let silent = try (0..<20).map { _ in try connect(to: server.port) }
    let begun = try connect(to: server.port)
    _ = "POST /a/7K3".withCString { send(begun, $0, 11, 0) }
    #expect(try page("GET /a/7K3QF9ZD2M", server).status == 200)
    for connection in silent + [begun] {
      _ = read(from: connection)
      close(connection)
    }
  }

  @Test("After 10 wrong codes in a minute a client gets 429, but valid codes always work")
  func rate() throws {
    let codes = Codes()
    let server = try server(codes)
    let wrong = try (0..<30).map { try page("POST /a/ZZ00\(10 + $0)", server).status }
    #expect(wrong == Array(repeating: 404, count: 10) + Array(repeating: 429, count: 20))
    let limited = try page("GET /a/\(10)ABCD", server)
    #expect(limited.status == 429 && limited.header.contains("Retry-After: 60"))
    #expect(codes.asked.withLock { $0 }.count { $0.hasPrefix("press") } == 0)
    #expect(try page("GET /a/7K3QF9ZD2M", server).status == 200)
    #expect(try page("POST /a/7K3QF9ZD2M", server).status == 303)
    #expect(try page("POST /a/DECL1NE123", server).status == 303)
    codes.now.withLock { $0 = $0 + .minutes(1) }
    #expect(try page("GET /a/ZZ0000", server).status == 404)
  }

  @Test("Behind a trusted proxy, wrong codes are counted for each client and for all together")
  func proxied() throws {
    let codes = Codes()
    let server = try WebServer(
      host: "127.0.0.1", port: 0, proxy: "127.0.0.1", pages: codes.pages)
    func statuses(_ forwarded: String, count: Int) throws -> [Int] {
      try (0..<count).map {
        try page("GET /a/ZZ00\(10 + $0) HTTP/1.1\r\nX-Forwarded-For: \(forwarded)\r\nX: y", server)
          .status
      }
    }
    // Only the last address, added by the proxy, counts; the client can write the ones before it.
    #expect(
      try statuses("198.51.100.9, 203.0.113.1", count: 11)
        == Array(repeating: 404, count: 10) + [429])
    #expect(try statuses("198.51.100.10, 203.0.113.1", count: 1) == [429])
    // Two header lines form one list.
    #expect(
      try statuses("198.51.100.11\r\nX-Forwarded-For: 203.0.113.1", count: 1) == [429])
    #expect(
      try statuses("203.0.113.1\r\nx-forwarded-for: 203.0.113.7", count: 1) == [404])
    #expect(try statuses("2001:db8:0:1::1", count: 5) == Array(repeating: 404, count: 5))
    #expect(
      try statuses("2001:db8:0:1:ffff::2", count: 6) == Array(repeating: 404, count: 5) + [429])
    #expect(
      try statuses("203.0.113.2", count: 10) == Array(repeating: 404, count: 9) + [429])
    #expect(try statuses("203.0.113.3", count: 1) == [429])
    #expect(try page("GET /a/7K3QF9ZD2M", server).status == 200)
  }

  @Test("A client is known by its connection's address, or by what a trusted proxy forwards")
  func clients() {
    #expect(ClientAddress.name(peer: "127.0.0.1", forwarded: "1.2.3.4", proxy: nil) == "127.0.0.1")
    #expect(
      ClientAddress.name(peer: "10.0.0.1", forwarded: "1.2.3.4", proxy: "127.0.0.1") == "10.0.0.1")
    #expect(
      ClientAddress.name(peer: "127.0.0.1", forwarded: "5.6.7.8 ,1.2.3.4", proxy: "127.0.0.1")
        == "1.2.3.4")
    for (forwarded, client) in [
      ("1.2.3.4:5678", "1.2.3.4"), ("[::ffff:1.2.3.4]:5678", "1.2.3.4"), ("[::1]", "::1"),
    ] {
      #expect(
        ClientAddress.name(peer: "127.0.0.1", forwarded: forwarded, proxy: "127.0.0.1") == client)
    }
    for forwarded in [nil, "", "unknown", "1.2.3.4, x", "1.2.3.4, [", "1.2.3.4, :", "1.2.3.4, a:1"]
    {
      #expect(
        ClientAddress.name(peer: "127.0.0.1", forwarded: forwarded, proxy: "127.0.0.1")
          == "127.0.0.1")
    }
    #expect(ClientAddress.name(of: "2001:db8::1") == ClientAddress.name(of: "2001:db8::ffff"))
    #expect(ClientAddress.name(of: "2001:db8::1") != ClientAddress.name(of: "2001:db8:0:1::1"))
    // On a socket for both families, an IPv4 client has a mapped address.
    for mapped in ["::ffff:203.0.113.7", "::FFFF:cb00:7107", "0:0:0:0:0:ffff:203.0.113.7"] {
      #expect(ClientAddress.name(of: mapped) == "203.0.113.7")
      #expect(ClientAddress.canonical(mapped) == "203.0.113.7")
      #expect(
        ClientAddress.name(peer: mapped, forwarded: "1.2.3.4", proxy: "203.0.113.7") == "1.2.3.4")
    }
    #expect(ClientAddress.name(of: "::1") == ClientAddress.loopback)
    #expect(ClientAddress.name(of: "::2") != ClientAddress.loopback)
    #expect(ClientAddress.name(of: "::ffff:127.0.0.1") == "127.0.0.1")
  }

  @Test(
    "CHK-8: only a trusted proxy or the server's own setting makes a request count as encrypted")
  func encrypted() {
    func isEncrypted(_ peer: String, _ forwarded: String?, _ proxy: String?, _ own: Bool) -> Bool {
      ClientAddress.isEncrypted(peer: peer, forwarded: forwarded, proxy: proxy, byItself: own)
    }
    #expect(isEncrypted("10.0.0.1", nil, nil, true))
    #expect(!isEncrypted("10.0.0.1", "https", nil, false), "anybody can write it")
    #expect(isEncrypted("127.0.0.1", "https", "127.0.0.1", false))
    #expect(isEncrypted("::ffff:127.0.0.1", "https", "127.0.0.1", false))
    #expect(!isEncrypted("127.0.0.1", "http", "127.0.0.1", true))
    #expect(!isEncrypted("127.0.0.1", "https, http", "127.0.0.1", true))
    #expect(isEncrypted("127.0.0.1", nil, "127.0.0.1", true))
    #expect(!isEncrypted("10.0.0.1", "https", "127.0.0.1", true), "past the proxy")
  }

  @Test("If the store can't be read, the page answers 503 and counts no wrong code")
  func unavailable() throws {
    let server = try server(Codes())
    for _ in 0..<12 { #expect(try page("POST /a/BROKEN1234", server).status == 503) }
  }

  @Test("If the store doesn't answer, the page gives up with 503, and other requests don't wait")
  func impatient() async throws {
    let clock = TestClock()
    let (asked, ask) = AsyncStream.makeStream(of: Void.self)
    var client = ResponseClient()
    client.invitation = { code throws(ClientError) in
      guard code == "BROKEN1234" else { throw .alertEnded(person: "Ada") }
      ask.yield()
      try? await Task.sleep(for: .seconds(3_600))
      throw .responseCodeUnknown
    }
    let server = try WebServer(
      host: "127.0.0.1", port: 0, clock: clock,
      pages: ResponderPages(client: client, dateClient: .constant(start)))
    let stuck = Task { try await away { try page("GET /a/BROKEN1234", server) } }
    for await _ in asked.prefix(1) {}
    let other = try await away { try page("GET /a/7K3QF9ZD2M", server) }
    #expect(other.body.contains("This alert or drill is over"))
    let answer = try await value(of: stuck, as: clock)
    #expect(answer.status == 503)
  }

  @Test("A page server that ends answers waiting requests with 503 or closes them")
  func ends() async throws {
    let (asked, ask) = AsyncStream.makeStream(of: Void.self)
    var client = ResponseClient()
    client.invitation = { _ throws(ClientError) in
      ask.yield()
      try? await Task.sleep(for: .seconds(3_600))
      throw .responseCodeUnknown
    }
    var server: WebServer? = try WebServer(
      host: "127.0.0.1", port: 0,
      pages: ResponderPages(client: client, dateClient: .constant(start)))
    let port = try #require(server?.port)
    async let stuck = away {
      try exchange("GET /a/7K3QF9ZD2M HTTP/1.1\r\nHost: x\r\n\r\n", port: port)
    }
    for await _ in asked.prefix(1) {}
    server = nil
    let answer = try await stuck
    #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 503"), "\(answer)")
  }

  @Test("A request that arrives byte by byte is cut off")
  func dripping() async throws {
    let clock = TestClock()
    let server = try WebServer(host: "127.0.0.1", port: 0, clock: clock, pages: Codes().pages)
    let connection = try connect(to: server.port)
    defer { close(connection) }
    _ = "GET /a/7K3".withCString { send(connection, $0, 10, 0) }
    // Once the server has answered a later connection, it has seen this one.
    #expect(try await away { try page("GET /a/7K3QF9ZD2M", server) }.status == 200)
    _ = "Q".withCString { send(connection, $0, 1, 0) }
    let rest = Task { try await away { read(from: connection) } }
    #expect(try await value(of: rest, as: clock) == "")
  }

  @Test("300 slow connections of one client keep no other client from its answer")
  func crowd() throws {
    let server = try server(Codes())
    let slow = try (0..<300).map { _ in try connect(to: server.port) }
    defer { for connection in slow { close(connection) } }
    for connection in slow {
      _ = "POST /a/7K3".withCString { send(connection, $0, 11, Int32(MSG_NOSIGNAL)) }
    }
    #expect(try page("GET /a/7K3QF9ZD2M", server, from: 0x7F00_0002).status == 200)
  }

  @Test("The page server follows its settings and tries a taken port again after a minute")
  func keeper() throws {
    let codes = Codes()
    let log = Mutex<[String]>([])
    let keeper = LinkServer(
      pages: codes.pages, dateClient: codes.dateClient,
      log: { line in log.withLock { $0.append(line) } })
    keeper.keep(nil)
    #expect(keeper.port == nil)
    var first: WebServer? = try server(codes)
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

  @Test(
    "A port taken by another program is a problem; one taken by a monitor of this store isn't")
  func takenPort() async throws {
    let codes = Codes()
    func pages(_ store: String) -> ResponderPages {
      ResponderPages(client: ResponseClient(), dateClient: codes.dateClient, store: store)
    }
    for (store, isOurs) in [("/home/ada", true), ("/home/eve", false)] {
      let other = try WebServer(host: "127.0.0.1", port: 0, pages: pages(store))
      let keeper = LinkServer(
        pages: pages("/home/ada"), dateClient: codes.dateClient, log: { _ in })
      #expect(keeper.problem == nil)
      let settings = LinkSettings(url: "https://ls.example.org", port: other.port)
      await keeper.keep(settings)?.value
      #expect(keeper.port == nil)
      #expect(keeper.leadsToPage == isOurs)
      #expect((keeper.problem == nil) == isOurs)
      #expect(
        isOurs || keeper.problem?.contains("cannot listen on 127.0.0.1:\(other.port)") == true)
      keeper.keep(nil)
      #expect(keeper.problem == nil && !keeper.leadsToPage)
    }
  }

  @Test("A new public URL leaves the page server running; a new listening address restarts it")
  func moves() async throws {
    let codes = Codes()
    let keeper = LinkServer(pages: codes.pages, dateClient: codes.dateClient, log: { _ in })
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

  @Test("A name that isn't an IP address is refused as a listening address")
  func badAddress() {
    #expect(throws: WebServer.Failure.self) {
      try WebServer(
        host: "example", port: 0, pages: Codes().pages)
    }
  }
}
