import CCurlShim
import Clients
import Delivery
import DeliveryTesting
import Domain
import FoundationEssentials
import Glibc
import ServerProtocol
import SharedPlatform
import System
import Web

private let start = Date(timeIntervalSince1970: 1_795_000_000)
private let limits = TransferLimits(connect: .seconds(20), total: .seconds(2))
private let mailLimits = SMTPLimits(command: .seconds(2), verdict: .seconds(2))

/// The number of attempts with a server. A silent one takes the whole timeout.
private func rounds(_ name: String) -> Int { name.hasSuffix("silent") ? 1 : 5 }

/// A message to Ada's responder with a text of many lines.
private func delivery(to address: String, channel: Channel.Kind) -> ClaimedDelivery {
  let user = User(
    id: UUID(), profile: Profile(name: "Ada", email: "ada@example.org"), checkInSequence: 7,
    lastCheckIn: start, createdAt: start)
  let alert = Alert(
    id: UUID(), kind: .manual, message: (0..<200).map { "Line \($0)." }.joined(separator: " "),
    raisedAt: start)
  return ClaimedDelivery(
    id: UUID(), token: UUID(), attempt: 1, stage: .alertOn, recipient: .contact(UUID()),
    recipientName: "Bob", channel: channel, address: address, inReplyTo: nil, detail: "",
    plannedAt: start, user: user, alert: alert,
    secret: Secret("whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcY"))
}

/// Loads libcurl, whose first load fails: a later attempt must load it.
@MainActor func probeMissingLibrary() async throws {
  let server = try SMTPServer()
  let sender = MailSender(
    settings: .init(
      smtp: SMTPSettings(
        host: "127.0.0.1", port: server.port, security: .none, username: nil,
        from: "monitor@example.org"), limits: mailLimits),
    password: nil, dateClient: .constant(start))
  curl_shim_set_library("libcurl-is-hidden.so")
  for _ in 0..<2 {
    let outcome = await sender.deliver(delivery(to: "bob@example.org", channel: .email))
    Report.check(outcome.kind == .retry, "without libcurl: \(outcome)")
  }
  curl_shim_set_library("libcurl.so.4")
  let outcome = await sender.deliver(delivery(to: "bob@example.org", channel: .email))
  Report.check(outcome == .sent, "once libcurl is there: \(outcome)")
  Report.check(server.accepted.count == 1, "messages once libcurl is there")
}

/// Exercises the resolver, whose list is freed, and addresses that are copied out of C's structures.
@MainActor func probeAddresses() {
  for round in 0..<200 {
    let local = NetworkAddress.addresses(of: "localhost")
    Report.check(!local.isEmpty && local.allSatisfy(\.isLoopback), "localhost \(round): \(local)")
    let bytes = (0..<4).map { _ in UInt8.random(in: 0...255) }
    let literal = bytes.map(String.init).joined(separator: ".")
    Report.check(NetworkAddress.addresses(of: literal).map(\.bytes) == [bytes], literal)
    var socket = sockaddr_in()
    socket.sin_family = sa_family_t(AF_INET)
    withUnsafeMutableBytes(of: &socket.sin_addr) { $0.copyBytes(from: bytes) }
    let copied = withUnsafeBytes(of: socket) { NetworkAddress(socketAddress: $0.baseAddress!) }
    Report.check(copied?.bytes == bytes, "socket address \(literal)")
  }
}

/// Exercises libcurl with two connections beside each other, of which one may send.
@MainActor func probeSlowGreeting() async throws {
  for _ in 0..<20 {
    let gate = Gate()
    let server = try SMTPServer { step, connection in
      guard step == .connected else { return nil }
      if connection == 1 { return .wait(gate) }
      gate.open()
      return nil
    }
    let outcome = await MailSender(
      settings: .init(
        smtp: SMTPSettings(
          host: "127.0.0.1", port: server.port, security: .none, username: nil,
          from: "monitor@example.org"),
        limits: SMTPLimits(secondConnection: .milliseconds(20))),
      password: nil, dateClient: .constant(start)
    ).deliver(delivery(to: "bob@example.org", channel: .email))
    Report.check(outcome == .sent, "a slow greeting: \(outcome)")
    Report.check(server.accepted.count == 1, "messages by two connections: \(server.steps)")
  }
}

/// Exercises libcurl with good and bad mail servers.
@MainActor func probeMail() async throws {
  let scripts: [(name: String, isSent: Bool, answer: SMTPServer.Script)] = [
    ("a good one", true, { _, _ in nil }),
    ("one that hangs up", false, { step, _ in step == .connected ? .cut : nil }),
    ("one that hangs up at the message", false, { step, _ in step == .data ? .cut : nil }),
    ("one that is full", false, { step, _ in step == .data ? .reply("452 full") : nil }),
    ("one that talks for ever", false, { step, _ in step == .hello ? .endless("250-x") : nil }),
    ("one that is silent", false, { step, _ in step == .hello ? .silence : nil }),
    (
      "one that refuses the sender", false,
      { step, _ in
        if case .mail = step {
          .replyAndCut("550 \(String(repeating: "no ", count: 150))")
        } else {
          nil
        }
      }
    ),
  ]
  for script in scripts {
    for round in 0..<rounds(script.name) {
      let server = try SMTPServer(extensions: ["AUTH PLAIN", "8BITMIME"], script: script.answer)
      let smtp = SMTPSettings(
        host: "127.0.0.1", port: server.port, security: .none, username: "ada\(round)",
        from: "monitor@example.org")
      let outcome = await MailSender(
        settings: .init(smtp: smtp, limits: mailLimits), password: "p:ä s\(round)",
        dateClient: .constant(start)
      ).deliver(delivery(to: "bob@example.org", channel: .email))
      Report.check((outcome == .sent) == script.isSent, "\(script.name) for mail: \(outcome)")
      if script.isSent {
        let message = server.accepted.first
        Report.check(
          message?.sender == "<monitor@example.org>"
            && message?.recipients == ["<bob@example.org>"]
            && message?.text.contains("Line 199.") == true
            && server.steps.contains(.login(" ada\(round) p:ä s\(round)")),
          "the mail that arrived: \(server.steps)")
      }
    }
  }
}

/// Exercises libcurl with good and bad web servers.
@MainActor func probeWebhooks() async throws {
  let answers: [(name: String, isSent: Bool, answer: HTTPServer.Answer)] = [
    ("a good one", true, .reply(200, headers: ["X-Long": String(repeating: "x", count: 9_000)])),
    ("one with a long answer", true, .large(200, bytes: 10_000_000)),
    ("one that hangs up", false, .cut), ("one that cuts its answer", false, .cutReply(500)),
    ("one that is busy", false, .reply(503, headers: ["Retry-After": "60"])),
    ("one with an endless header", true, .endlessHeader), ("one that is silent", false, .silence),
    ("one that speaks something else", false, .raw("\u{0}\u{1}nonsense\r\n\r\n")),
  ]
  for (name, isSent, answer) in answers {
    for _ in 0..<rounds(name) {
      let server = try HTTPServer { _, _ in answer }
      let delivery = delivery(to: server.url + "/hook?a=b", channel: .webhook)
      let outcome = await WebhookSender(dateClient: .constant(start), limits: limits)
        .deliver(delivery)
      Report.check((outcome == .sent) == isSent, "\(name) for webhooks: \(outcome)")
      let request = server.requests.first
      Report.check(
        request?.method == "POST" && request?.path == "/hook?a=b"
          && request?.body.contains("Line 199.") == true
          && request?.headers["webhook-id"] == delivery.id.uuidString.lowercased(),
        "what arrived at \(name) for webhooks: \(request.map { "\($0)" } ?? "nothing")")
    }
  }
}

/// Exercises libcurl with good and bad servers that an app has joined.
@MainActor func probeJoinedServer() async throws {
  let json = ["Content-Type": "application/json"]
  let body = #"{"text": "\#(String(repeating: "y", count: 20_000))"}"#
  // `unanswered` means that the request may have arrived but its outcome is unknown.
  let answers: [(name: String, error: NetworkError?, answer: HTTPServer.Answer)] = [
    ("a good one", nil, .reply(200, headers: json, body: body)),
    ("one with a long answer", .answerTooLarge, .large(200, bytes: 2 << 20)),
    ("one that hangs up", .unanswered, .cut),
    ("one that cuts its answer", .unanswered, .cutReply(200)),
    ("one with an endless header", .answerTooLarge, .endlessHeader),
    ("one that is silent", .unanswered, .silence),
    ("one that speaks something else", .unanswered, .raw("\u{0}\u{1}nonsense\r\n\r\n")),
  ]
  var limits = ServerConnection.Limits()
  limits.write = .seconds(2)
  limits.answer = 1 << 20
  limits.retries.maxRetries = 0
  for (name, error, answer) in answers {
    for round in 0..<rounds(name) {
      let server = try HTTPServer { _, _ in answer }
      let connection = try ServerConnection(
        to: JoinedServer(url: server.url), device: "probe \(round)",
        tokens: .init(
          load: { () throws(KeychainError) in "token \(round)" },
          keep: { (_: String?) throws(KeychainError) in }),
        limits: limits)
      let sent = #"{"round": \#(round), "text": "\#(String(repeating: "x", count: 30_000))"}"#
      // The second exchange reuses the first one's handle.
      for _ in 0..<2 {
        var found: NetworkError?
        do throws(NetworkError) {
          let received = try await connection.send(
            ServerRequest(.post, "/v1/check-ins", body: Data(sent.utf8), idempotencyKey: UUID()))
          Report.check(received.body == Data(body.utf8), "what came from \(name) for an app")
        } catch { found = error }
        Report.check(found == error, "\(name) for an app: \(found.map { "\($0)" } ?? "an answer")")
      }
      Report.check(
        server.requests.count == 2
          && server.requests.allSatisfy {
            $0.body == sent && $0.headers["authorization"] == "Bearer token \(round)"
          }, "what arrived at \(name) for an app")
    }
  }
}

/// Exercises libmicrohttpd with the pages behind links.
@MainActor func probeLinks() async throws {
  let invitation = ResponseInvitation(
    person: String(repeating: "Ada ", count: 500), responder: "Grace")
  var client = ResponseClient()
  client.invitation = { _ throws(ClientError) in invitation }
  client.respondByLink = { _ throws(ClientError) in
    Response(kind: .declined, person: "Ada", responder: "Grace")
  }
  client.checkInLink = { _ throws(ClientError) in
    LinkCheckIn(person: "Ada", deadline: start, state: .needsPassphrase)
  }
  let server = try WebServer(
    host: "127.0.0.1", port: 0, proxy: "127.0.0.1",
    pages: ResponderPages(client: client, dateClient: .constant(start)))
  // Repeated header lines, which are read as lists.
  let lines =
    "X-Forwarded-For: 203.0.113.1\r\nX-Forwarded-For: 203.0.113.2\r\n"
    + "x-forwarded-proto: http\r\nX-Forwarded-Proto: https\r\n"
  var pages: [String: String] = [:]
  for round in 0..<200 {
    for request in [
      "GET /a/7K3QF9ZD2M", "POST /a/7K3QF9ZD2M", "GET /c/7K3QF9ZD2M", "GET /", "PUT /",
    ] {
      let answer = exchange(
        "\(request) HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\(lines)\r\n",
        port: server.port)
      // Ignore the date.
      let page = answer.split(separator: "\r\n").filter { !$0.hasPrefix("Date:") }
        .joined(separator: "\n")
      if let first = pages[request] {
        Report.check(page == first, "\(request), time \(round): \(page)")
      } else {
        pages[request] = page
        let isPage =
          page.hasPrefix("HTTP/1.1 ")
          && (page.hasSuffix("</html>\n") || page.hasPrefix("HTTP/1.1 303"))
        Report.check(isPage, "\(request): \(page)")
        if request.hasPrefix("GET /c/") {
          Report.check(page.contains("name=\"passphrase\""), "no field in \(page)")
        }
        if request.hasPrefix("GET /a/") {
          Report.check(page.contains(invitation.person.dropLast()), "the name in \(page)")
        }
      }
    }
  }
}

/// Exercises libmicrohttpd with an API server: any method, headers, queries and delayed answers.
@MainActor func probeServer() async throws {
  for _ in 0..<50 {
    Report.check(!WebServer.fits(key: "no key", certificate: "no certificate"), "a key of nothing")
  }
  let server = try WebServer(
    host: "127.0.0.1", port: 0, unavailable: WebResponse(status: 503, html: ""),
    refusal: { WebResponse(status: $0, html: "") },
    programs: WebServer.Programs(headers: ["X-Probe"]) { request, answer in
      guard request.path == "/later" else { return false }
      Task {
        answer { query in
          WebResponse(status: 200, data: Data("later \(query["a"] ?? "")".utf8), type: "text/plain")
        }
      }
      return true
    },
    handler: { request in
      let query = request.query.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      let text = ([request.headers["X-Probe"] ?? ""] + query).joined(separator: " ")
      return WebResponse(
        status: 200, data: Data(text.utf8) + Data(request.body), type: "text/plain")
    })
  for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
    for path in ["/now?b=%C3%A9&a=1&empty", "/later?a=1"] {
      let body = method == "GET" ? "" : "body"
      for _ in 0..<100 {
        let answer = exchange(
          "\(method) \(path) HTTP/1.1\r\nHost: x\r\nX-Probe: é\r\nConnection: close\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)", port: server.port)
        let expected = path == "/later?a=1" ? "later 1" : "é a=1 b=é empty=" + body
        Report.check(answer.hasSuffix("\r\n\r\n" + expected), "\(method) \(path): \(answer)")
      }
    }
  }
  server.refuseMore()
  await server.finish(within: .seconds(5))
  let answer = exchange("GET /now HTTP/1.1\r\nHost: x\r\n\r\n", port: server.port)
  Report.check(answer.isEmpty, "after its end: \(answer)")
}

/// Writes bytes to a local server and reads until it closes the connection.
private func exchange(_ bytes: String, port: Int) -> String {
  let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(connection) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = UInt16(port).bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  let code = withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  guard code == 0, send(connection, bytes, bytes.utf8.count, Int32(MSG_NOSIGNAL)) > 0 else {
    return ""
  }
  var answer: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 16_384)
  while case let count = recv(connection, &chunk, chunk.count, 0), count > 0 {
    answer += chunk[..<count]
  }
  return String(decoding: answer, as: UTF8.self)
}
