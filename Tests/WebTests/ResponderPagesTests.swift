import Clients
import ComposableTesting
import Domain
import Foundation
import Synchronization
import Testing

@testable import Web

private let start = Date(timeIntervalSince1970: 1_795_000_000)

/// ESC-2, CON-3: the pages behind the links in messages, with real requests.
@Suite(.timeLimit(.minutes(2)))
struct ResponderPagesTests {
  /// A store of a few codes, which notes what it was asked.
  final class Codes: Sendable {
    let asked = Mutex<[String]>([])
    let used = Mutex<Set<String>>([])
    let now = Mutex(start)
    let call = Mutex(
      ResponseInvitation.Call(
        alert: Alert(
          id: UUID(), kind: .manual, message: "fell on the <stairs>", raisedAt: start - .minutes(5)),
        phone: "+442071838750", note: "Key with Tom", lastCheckIn: start - .hours(3)))

    var pages: ResponderPages {
      var client = ResponseClient()
      client.look = { [self] code throws(ClientError) in
        asked.withLock { $0.append("look \(code)") }
        return try invitation(code)
      }
      client.press = { [self] code throws(ClientError) in
        asked.withLock { $0.append("press \(code)") }
        let invitation = try invitation(code)
        used.withLock { _ = $0.insert(code) }
        call.withLock { call in
          call.alert.acknowledgements.append(
            Acknowledgement(responder: UUID(), name: "Grace", date: now.withLock { $0 }))
        }
        return Response(
          kind: invitation.call == nil ? .declined : .acknowledged, person: invitation.person,
          responder: invitation.responder)
      }
      return ResponderPages(client: client, dateClient: dateClient)
    }

    var dateClient: DateClient {
      DateClient(now: { [self] in now.withLock { $0 } }, calendar: .fixed(secondsFromGMT: 3_600))
    }

    private func invitation(_ code: String) throws(ClientError) -> ResponseInvitation {
      let hasResponded = used.withLock { $0.contains(code) }
      switch code {
      case "7K3QF9ZD2M":
        return ResponseInvitation(
          person: "<b>Ada", responder: "Grace", hasResponded: hasResponded,
          call: call.withLock { $0 })
      case "DECL1NE123":
        return ResponseInvitation(person: "Ada", responder: "Grace", hasResponded: hasResponded)
      case "ENDED12345": throw .alertEnded(person: "Ada")
      case "BROKEN1234": throw .storage(.busy)
      default: throw .responseCodeUnknown
      }
    }
  }

  struct Page {
    var status: Int
    var header: String
    var body: String
  }

  /// Writes bytes to the server and reads until it closes the connection.
  static func exchange(_ bytes: String, port: Int, from: UInt32 = 0x7F00_0001) throws -> String {
    let connection = try connect(to: port, from: from)
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

  static func connect(to port: Int, from: UInt32 = 0x7F00_0001) throws -> Int32 {
    let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    func with(
      _ host: UInt32, _ port: Int, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = UInt16(port).bigEndian
      address.sin_addr.s_addr = host.bigEndian
      let code = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          call($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      guard code == 0 else { throw POSIXError(.ECONNREFUSED) }
    }
    try with(from, 0) { Glibc.bind(connection, $0, $1) }
    try with(0x7F00_0001, port) { Glibc.connect(connection, $0, $1) }
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

  func page(
    _ request: String, _ server: WebServer, body: String = "", from: UInt32 = 0x7F00_0001
  ) throws -> Page {
    let text = try Self.exchange(
      "\(request) HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        + body, port: server.port, from: from)
    let end = try #require(text.firstRange(of: "\r\n\r\n"), "\(text)")
    let header = String(text[..<end.lowerBound])
    let status = try #require(header.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    return Page(status: status, header: header, body: String(text[end.upperBound...]))
  }

  func server(_ codes: Codes, silence: UInt32 = 5) throws -> WebServer {
    var limits = WebServer.Limits()
    limits.silence = silence
    return try WebServer(host: "127.0.0.1", port: 0, limits: limits, pages: codes.pages)
  }

  @Test("ESC-2, PAGE-1: opening a link does nothing; its button acknowledges, once")
  func acknowledge() throws {
    let codes = Codes()
    let server = try server(codes)
    for request in ["GET /a/7K3QF9ZD2M", "HEAD /a/7K3QF9ZD2M", "GET /a/7k3qf-9zd2m?utm=1"] {
      #expect(try page(request, server).status == 200)
    }
    #expect(codes.asked.withLock { $0 } == Array(repeating: "look 7K3QF9ZD2M", count: 3))
    let pressed = try page("POST /a/7K3QF9ZD2M", server)
    #expect(pressed.status == 303)
    #expect(pressed.header.contains("\r\nLocation: 7K3QF9ZD2M"))
    // Reloading shows the page, going back and pressing again does no harm.
    #expect(try page("GET /a/7K3QF9ZD2M", server).body.contains("You are responding to"))
    #expect(try page("POST /a/7K3QF9ZD2M", server).status == 303)
    #expect(codes.asked.withLock { $0 }.count { $0.hasPrefix("press") } == 1)
  }

  @Test("PAGE-1: the page answers what a responder asks, at one look")
  func call() throws {
    let codes = Codes()
    let server = try server(codes)
    let before = try page("GET /a/7K3QF9ZD2M", server).body
    for part in [
      "<h1>&lt;b&gt;Ada needs help</h1>", #"href="tel:+442071838750">Call +44 207 183 8750</a>"#,
      "<blockquote>fell on the &lt;stairs&gt;</blockquote>",
      "<dt>Since</dt><dd>Wed 2026-11-18 12:01 (11:01 UTC)</dd>",
      "<dt>Last check-in</dt><dd>Wed 2026-11-18 09:06 (08:06 UTC)</dd>",
      "<dt>Responding</dt><dd>Nobody yet</dd>", "<blockquote>Key with Tom</blockquote>",
      #"<form method="post"><button class="calm">I&#39;m responding</button></form>"#,
    ] { #expect(before.contains(part), "\(part) in\n\(before)") }
    _ = try page("POST /a/7K3QF9ZD2M", server)
    let after = try page("GET /a/7K3QF9ZD2M", server).body
    #expect(after.contains("Grace, since Wed 2026-11-18 12:06 (11:06 UTC)"))
    #expect(after.contains("<li>Call &lt;b&gt;Ada.</li>") && after.contains("999 or 112"))
    #expect(!after.contains("<form"))
  }

  @Test("PAGE-1: who is responding already is said before one presses")
  func others() throws {
    let codes = Codes()
    codes.call.withLock {
      $0.alert.acknowledgements = [
        Acknowledgement(responder: UUID(), name: "Alan", date: start - .minutes(2))
      ]
    }
    let page = try page("GET /a/7K3QF9ZD2M", server(codes)).body
    #expect(page.contains("<dd>Alan, since Wed 2026-11-18 12:04 (11:04 UTC)</dd>"))
    #expect(page.contains("I&#39;m responding, too"))
  }

  @Test("ALT-6, CHK-3: each kind of alert has a page of its own", arguments: Alert.Kind.allCases)
  func kinds(_ kind: Alert.Kind) throws {
    let codes = Codes()
    codes.call.withLock { $0.alert.kind = kind }
    let page = try page("GET /a/7K3QF9ZD2M", server(codes)).body
    let title =
      switch kind {
      case .manual: "Ada needs help"
      case .missed: "Ada has not checked in"
      case .duress: "Ada may be forced to say that all is well"
      case .drill: "Ada is rehearsing an alert"
      }
    #expect(page.contains("\(title)</h1>"))
    // Nobody calls a person who may be overheard.
    #expect(page.contains("tel:") == (kind != .duress))
    #expect(page.contains("Don&#39;t call") == (kind == .duress))
    #expect(page.contains("No help is needed") == (kind == .drill))
  }

  @Test("PAGE-1: of an alert that is over nothing is shown")
  func over() throws {
    let server = try server(Codes())
    for method in ["GET", "POST"] {
      let page = try page("\(method) /a/ENDED12345", server)
      #expect(page.status == 200 && page.body.contains("<h1>This alert is over</h1>"))
      #expect(!page.body.contains("Ada") && !page.body.contains("<form"))
    }
  }

  @Test("CON-3: so does the one to be no contact, by either path")
  func decline() throws {
    let server = try server(Codes())
    #expect(try page("GET /d/DECL1NE123", server).body.contains("Take me off the list"))
    #expect(try page("POST /d/DECL1NE123", server).status == 303)
    #expect(try page("GET /a/DECL1NE123", server).body.contains("You are off Ada&#39;s list"))
  }

  @Test("Unknown and impossible codes look the same")
  func calm() throws {
    let codes = Codes()
    let server = try server(codes)
    let pages = try [
      "GET /a/UNKNOWN123", "POST /a/UNKNOWN123", "GET /d/UNKNOWN123", "POST /d/UNKNOWN123",
    ].map { try page($0, server) }
    let elsewhere = try [
      "GET /", "GET /a/", "GET /a/../../etc/passwd", "GET /a/..%2f..%2fetc%2fpasswd",
      "GET //a/7K3QF9ZD2M", "GET /a/" + String(repeating: "A", count: 100), "GET /favicon.ico",
      "POST /a/7K3QF9ZD2M/x", "GET /c/7K3QF9ZD2M", "GET /a/%3Cscript%3E",
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
    #expect(try page("POST /a/7K3QF9ZD2M", server, body: "a=b").status == 303)
  }

  @Test("Connections that say nothing are closed, and hold up nobody")
  func slow() throws {
    let server = try server(Codes(), silence: 1)
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
    #expect(codes.asked.withLock { $0 }.count { $0.hasPrefix("press") } == 0)
    #expect(try page("GET /a/7K3QF9ZD2M", server).status == 200)
    #expect(try page("POST /a/7K3QF9ZD2M", server).status == 303)
    #expect(try page("POST /a/DECL1NE123", server).status == 303)
    codes.now.withLock { $0 = $0 + .minutes(1) }
    #expect(try page("GET /a/ZZ0000", server).status == 404)
  }

  @Test("Behind a proxy that is named, each client is counted by itself, and all of them together")
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
    #expect(ClientAddress.name(peer: "127.0.0.1", forwarded: "1.2.3.4", proxy: nil) == "127.0.0.1")
    #expect(
      ClientAddress.name(peer: "10.0.0.1", forwarded: "1.2.3.4", proxy: "127.0.0.1") == "10.0.0.1")
    #expect(
      ClientAddress.name(peer: "127.0.0.1", forwarded: "5.6.7.8 ,1.2.3.4", proxy: "127.0.0.1")
        == "1.2.3.4")
    for forwarded in [nil, "", "unknown", "1.2.3.4, x"] {
      #expect(
        ClientAddress.name(peer: "127.0.0.1", forwarded: forwarded, proxy: "127.0.0.1")
          == "127.0.0.1")
    }
    #expect(ClientAddress.name(of: "2001:db8::1") == ClientAddress.name(of: "2001:db8::ffff"))
    #expect(ClientAddress.name(of: "2001:db8::1") != ClientAddress.name(of: "2001:db8:0:1::1"))
  }

  @Test("A store that cannot be asked is said, and is no wrong code")
  func unavailable() throws {
    let server = try server(Codes())
    for _ in 0..<12 { #expect(try page("POST /a/BROKEN1234", server).status == 503) }
  }

  @Test("A store that does not answer keeps nobody waiting for ever, and holds up nobody else")
  func impatient() async throws {
    let clock = TestClock()
    let (asked, ask) = AsyncStream.makeStream(of: Void.self)
    var client = ResponseClient()
    client.look = { code throws(ClientError) in
      guard code == "BROKEN1234" else { throw .alertEnded(person: "Ada") }
      ask.yield()
      try? await Task.sleep(for: .seconds(3_600))
      throw .responseCodeUnknown
    }
    let server = try WebServer(
      host: "127.0.0.1", port: 0, clock: clock,
      pages: ResponderPages(client: client, dateClient: .constant(start)))
    let stuck = Task { try await Self.away { try page("GET /a/BROKEN1234", server) } }
    for await _ in asked.prefix(1) {}
    let other = try await Self.away { try page("GET /a/7K3QF9ZD2M", server) }
    #expect(other.body.contains("This alert is over"))
    let answer = try await Self.value(of: stuck, as: clock)
    #expect(answer.status == 503)
  }

  @Test("A server that ends answers what waits")
  func ends() async throws {
    let (asked, ask) = AsyncStream.makeStream(of: Void.self)
    var client = ResponseClient()
    client.look = { _ throws(ClientError) in
      ask.yield()
      try? await Task.sleep(for: .seconds(3_600))
      throw .responseCodeUnknown
    }
    var server: WebServer? = try WebServer(
      host: "127.0.0.1", port: 0,
      pages: ResponderPages(client: client, dateClient: .constant(start)))
    let port = try #require(server?.port)
    async let stuck = Self.away {
      try Self.exchange("GET /a/7K3QF9ZD2M HTTP/1.1\r\nHost: x\r\n\r\n", port: port)
    }
    for await _ in asked.prefix(1) {}
    server = nil
    let answer = try await stuck
    #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 503"), "\(answer)")
  }

  @Test("A request that comes byte by byte is cut off, an idle connection's next one is not")
  func dripping() async throws {
    let clock = TestClock()
    let server = try WebServer(host: "127.0.0.1", port: 0, clock: clock, pages: Codes().pages)
    let connection = try Self.connect(to: server.port)
    defer { close(connection) }
    _ = "GET /a/7K3".withCString { send(connection, $0, 10, 0) }
    // The server has seen the connection once it has answered a later one.
    #expect(try await Self.away { try page("GET /a/7K3QF9ZD2M", server) }.status == 200)
    _ = "Q".withCString { send(connection, $0, 1, 0) }
    let rest = Task { try await Self.away { Self.read(from: connection) } }
    #expect(try await Self.value(of: rest, as: clock) == "")
  }

  @Test("Hundreds of slow connections of one client keep no other from its answer")
  func crowd() throws {
    let server = try server(Codes())
    let slow = try (0..<300).map { _ in try Self.connect(to: server.port) }
    defer { for connection in slow { close(connection) } }
    for connection in slow {
      _ = "POST /a/7K3".withCString { send(connection, $0, 11, Int32(MSG_NOSIGNAL)) }
    }
    #expect(try page("GET /a/7K3QF9ZD2M", server, from: 0x7F00_0002).status == 200)
  }

  /// What comes of a task while the time goes on: a server's tasks begin to wait when they like.
  static func value<Value: Sendable>(
    of task: Task<Value, any Error>, as clock: TestClock
  ) async throws -> Value {
    let passing = Task {
      while !Task.isCancelled { await clock.advance(by: .seconds(15)) }
    }
    defer { passing.cancel() }
    return try await task.value
  }

  /// On a thread of its own: a connection blocks.
  static func away<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread { continuation.resume(with: Result(catching: body)) }.start()
    }
  }

  @Test("The server follows the configuration, and waits for a port that is taken")
  func keeper() throws {
    let codes = Codes()
    let log = Mutex<[String]>([])
    let keeper = LinkKeeper(
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

  @Test("A server goes on while only its public address changes, and moves without anybody waiting")
  func moves() async throws {
    let codes = Codes()
    let keeper = LinkKeeper(pages: codes.pages, dateClient: codes.dateClient, log: { _ in })
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
    #expect(throws: WebServer.Failure.self) {
      try WebServer(
        host: "example", port: 0, pages: Codes().pages)
    }
  }
}
