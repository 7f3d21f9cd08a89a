import Clients
import DeliveryTesting
import Domain
import Foundation
import Testing

@testable import Delivery

/// CHN-4: every bundled service, checked against the request and answers in its own documentation.
@Suite(.timeLimit(.minutes(2)))
struct ServiceTests {
  /// A channel of a service, the request sent on it, and the answer of a service that accepts it.
  struct Case: Sendable, CustomTestStringConvertible {
    var service: String
    var values: [String: String]
    var request: String
    /// A header field specific to the service.
    var header: (name: String, value: String)?
    /// Members of a JSON body, or pairs of a form.
    var body: [String]
    var answer: HTTPServer.Answer
    var testDescription: String { service }
  }

  static let server = "http://127.0.0.1:1"
  static let text =
    #"text":"ALERT: Ada needs help\n\nAda needs help. Try to reach them now: call +49 3012"#
  static let cases: [Case] = [
    Case(
      service: "telegram", values: ["chat": "-100123", "token": "110201543:AAHdq-TcvCH"],
      request: "POST /bot110201543:AAHdq-TcvCH/sendMessage",
      body: [#""chat_id":"-100123""#, #""is_disabled":true"#, text],
      answer: .reply(200, body: #"{"ok":true,"result":{"message_id":5}}"#)),
    Case(
      service: "signal",
      values: ["server": server, "from": "+491511234567", "to": "+491518765432"],
      request: "POST /v2/send",
      body: [
        #""number":"+491511234567""#, #""recipients":["+491518765432"]"#, #""message":"ALERT"#,
      ],
      answer: .reply(201, body: #"{"timestamp":"1711000000000"}"#)),
    Case(
      service: "matrix",
      values: ["server": server, "room": "!ab/c:example.org", "token": "syt_secret"],
      request: "PUT /_matrix/client/v3/rooms/%21ab%2Fc:example.org/send/m.room.message/ID",
      header: ("authorization", "Bearer syt_secret"),
      body: [#""msgtype":"m.text""#, #""body":"ALERT: Ada"#],
      answer: .reply(200, body: #"{"event_id":"$143273582443PhrSn"}"#)),
    Case(
      service: "slack",
      values: ["label": "family", "url": "https://hooks.slack.com/services/T0/B0/XX"],
      request: "POST /services/T0/B0/XX", body: [#""unfurl_links":false"#, text],
      answer: .reply(200, body: "ok")),
    Case(
      service: "discord",
      values: ["label": "family", "url": "https://discord.com/api/webhooks/1/XX?thread_id=7"],
      request: "POST /api/webhooks/1/XX?thread_id=7&wait=true",
      body: [#""allowed_mentions":{"parse":[]}"#, #""content":"ALERT: Ada"#],
      answer: .reply(200, body: #"{"id":"123"}"#)),
    Case(
      service: "mattermost", values: ["label": "family", "url": "\(server)/hooks/xyz"],
      request: "POST /hooks/xyz", body: [text], answer: .reply(200, body: "ok")),
    Case(
      service: "teams",
      values: ["label": "family", "url": "https://prod.westus.logic.azure.com/workflows/1?sig=x"],
      request: "POST /workflows/1?sig=x",
      body: [
        #""contentType":"application/vnd.microsoft.card.adaptive""#,
        #""text":"ALERT: Ada needs help""#, #""version":"1.4""#,
      ], answer: .reply(202)),
    Case(
      service: "gotify", values: ["server": server, "label": "phone", "token": "A.secret"],
      request: "POST /message", header: ("x-gotify-key", "A.secret"),
      body: [#""priority":10"#, #""title":"ALERT: Ada needs help""#],
      answer: .reply(200, body: #"{"id":25,"appid":1}"#)),
    Case(
      service: "pushover", values: ["label": "phone", "user": "uQiRzpo4", "token": "azGDORePK8"],
      request: "POST /1/messages.json",
      body: [
        "expire=3600", "priority=2", "retry=60", "title=ALERT:%20Ada%20needs%20help",
        "token=azGDORePK8", "user=uQiRzpo4",
      ], answer: .reply(200, body: #"{"status":1,"request":"647d2300"}"#)),
    Case(
      service: "twilio",
      values: ["account": "AC1", "from": "+15005550006", "to": "+491518765432", "token": "secret"],
      request: "POST /2010-04-01/Accounts/AC1/Messages.json",
      header: ("authorization", "Basic \(Data("AC1:secret".utf8).base64EncodedString())"),
      body: ["From=%2B15005550006", "To=%2B491518765432", "Body=ALERT:%20Ada"],
      answer: .reply(201, body: #"{"sid":"SM1","status":"queued"}"#)),
    Case(
      service: "gateway",
      values: ["url": "\(server)/send", "to": "+491518765432", "token": "secret"],
      request: "POST /send", header: ("authorization", "Bearer secret"),
      body: [#""to":"+491518765432""#, text], answer: .reply(200)),
    Case(
      service: "apprise", values: ["server": server, "label": "family", "key": "a/b"],
      request: "POST /notify/a%2Fb",
      body: [#""type":"failure""#, #""title":"ALERT: Ada needs help""#], answer: .reply(200)),
  ]

  func send(
    _ delivery: ClaimedDelivery, _ values: [String: String], by service: Service,
    to server: HTTPServer,
    total: Duration = .seconds(20)
  ) async -> DeliveryOutcome {
    var delivery = delivery
    delivery.channel = .service
    delivery.address = service.address(values)
    delivery.secret = service.secret(values)
    return await ServiceSender(
      service, links: nil, dateClient: .constant(start),
      limits: TransferLimits(connect: .seconds(20), total: total), origin: server.url
    ).deliver(delivery)
  }

  @Test("CHN-4: each service is sent what its documentation asks for", arguments: cases)
  func request(_ example: Case) async throws {
    let service = try #require(ServiceCatalog()[example.service])
    let server = try HTTPServer { _, _ in example.answer }
    defer { server.close() }
    let delivery = ClaimedDelivery.ada(.alertOn)
    #expect(await send(delivery, example.values, by: service, to: server) == .sent)
    let request = try #require(server.requests.first)
    let id = delivery.id.uuidString.lowercased()
    #expect("\(request.method) \(request.path)" == example.request.replacing("ID", with: id))
    if let header = example.header { #expect(request.headers[header.name] == header.value) }
    for part in example.body {
      #expect(request.body.contains(part), "\(part) in \(request.body)")
    }
    #expect(request.body.utf8.count < service.limit + 1_000)
  }

  @Test("CHN-4: a misbehaving service never counts as one that accepted", arguments: cases)
  func misbehaves(_ example: Case) async throws {
    let service = try #require(ServiceCatalog()[example.service])
    let answers: [(HTTPServer.Answer, isRetried: Bool?)] = [
      (.reply(500), true), (.reply(503, headers: ["Retry-After": "7"]), true), (.reply(429), true),
      (.reply(400, body: #"{"ok":false}"#), service.retried.contains(400)), (.reply(401), false),
      (.reply(404), false),
      (.reply(302, headers: ["Location": "http://127.0.0.1/"]), false), (.cut, nil),
      (.raw("nonsense\r\n\r\n"), nil), (.silence, nil),
    ]
    for (answer, isRetried) in answers {
      let server = try HTTPServer { _, _ in answer }
      defer { server.close() }
      let outcome = await send(
        .ada(.alertOn), example.values, by: service, to: server, total: .milliseconds(300))
      switch outcome {
      case .retry: #expect(isRetried == true, "\(answer)")
      case .permanent: #expect(isRetried == false, "\(answer)")
      case .ambiguous: #expect(isRetried == nil, "\(answer)")
      case .sent, .limited, .misconfigured, .accessRefused: Issue.record("\(answer): \(outcome)")
      }
      // Reasons are logged and shown, so they must not contain a secret.
      for field in service.fields where field.isSecret {
        #expect(outcome.reason?.contains(example.values[field.id] ?? "") == false, "\(outcome)")
      }
    }
  }

  @Test("CHN-4: a success that says it is none is none")
  func refusedInside() async throws {
    let services = ServiceCatalog()
    for (name, values, body) in [
      ("telegram", ["chat": "1", "token": "t"], #"{"ok":false,"description":"chat not found"}"#),
      ("pushover", ["label": "p", "user": "u", "token": "t"], #"{"status":0}"#),
    ] {
      let service = try #require(services[name])
      let refusing = try HTTPServer { _, _ in .reply(200, body: body) }
      defer { refusing.close() }
      let outcome = await send(.ada(.alertOn), values, by: service, to: refusing)
      #expect(outcome == .permanent(reason: "\(service.title) refused the message"))
      let garbled = try HTTPServer { _, _ in .reply(200, body: "<html>") }
      defer { garbled.close() }
      let unknown = await send(.ada(.alertOn), values, by: service, to: garbled)
      #expect(unknown == .ambiguous(reason: "\(service.title)'s answer could not be read"))
    }
  }

  @Test(
    "CHN-2: a service that names its wish inside the answer is left alone for as long",
    arguments: [
      ("telegram", #"{"ok":false,"parameters":{"retry_after":5}}"#, 5),
      ("matrix", #"{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":2500}"#, 3),
      ("discord", #"{"message":"You are being rate limited.","retry_after":64.57}"#, 65),
    ])
  func wish(_ name: String, _ body: String, _ seconds: Int) async throws {
    let example = try #require(Self.cases.first { $0.service == name })
    let service = try #require(ServiceCatalog()[name])
    let server = try HTTPServer { _, _ in .reply(429, body: body) }
    defer { server.close() }
    let outcome = await send(.ada(.alertOn), example.values, by: service, to: server)
    guard case .retry(_, let after) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(after == .seconds(seconds))
  }

  @Test("CHN-4: what people wrote stays a text in every encoding", arguments: cases)
  func hostile(_ example: Case) async throws {
    let service = try #require(ServiceCatalog()[example.service])
    let evil = "\"}, \"x\": <!channel> & {token} &to=1\r\nX: y"
    let server = try HTTPServer { _, _ in example.answer }
    defer { server.close() }
    let outcome = await send(
      .ada(.alertOn, name: evil, message: evil), example.values, by: service, to: server)
    #expect(outcome == .sent)
    let request = try #require(server.requests.first)
    #expect(request.headers["x"] == nil)
    if service.request.form == nil {
      let json = try JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any]
      #expect(json?["x"] == nil)
      // Placeholders within a value aren't replaced.
      #expect(!request.body.contains("{token}") == false)
    } else {
      #expect(request.body.split(separator: "&").count == service.request.form?.count)
    }
    if example.service == "slack" { #expect(!request.body.contains("<!channel>")) }
  }

  @Test("CHN-4: an urgent message is told from another one")
  func priority() async throws {
    let service = try #require(ServiceCatalog()["gotify"])
    let server = try HTTPServer()
    defer { server.close() }
    let values = ["server": server.url, "label": "phone", "token": "t"]
    _ = await send(.ada(.allClear, resolvedAt: start), values, by: service, to: server)
    #expect(server.requests.first?.body.contains(#""priority":5"#) == true)
  }

  @Test("CHN-4: long messages are cut to what a service takes")
  func long() async throws {
    for name in ["discord", "pushover", "signal"] {
      let example = try #require(Self.cases.first { $0.service == name })
      let service = try #require(ServiceCatalog()[name])
      let server = try HTTPServer { _, _ in example.answer }
      defer { server.close() }
      let note = String(repeating: "é", count: 2_000)
      let delivery = ClaimedDelivery.ada(.alertOn, note: note, code: "7K3QF-9ZD2M")
      #expect(await send(delivery, example.values, by: service, to: server) == .sent)
      let body = try #require(server.requests.first?.body)
      #expect(body.contains("…") || body.contains("%E2%80%A6"), "\(name)")
      // Even with a long note, the code for answering isn't cut off.
      #expect(body.contains("7K3QF-9ZD2M"), "\(name)")
    }
  }

  @Test("CHN-4: a success that took nothing is none, and a failure behind it is tried again")
  func apprise() async throws {
    let example = try #require(Self.cases.first { $0.service == "apprise" })
    let service = try #require(ServiceCatalog()["apprise"])
    for (status, outcome) in [
      (204, DeliveryOutcome.permanent(reason: "Apprise didn't accept the message (204)")),
      (424, .retry(reason: "Apprise asked to try later (424)", after: nil)),
    ] {
      let server = try HTTPServer { _, _ in .reply(status) }
      defer { server.close() }
      #expect(await send(.ada(.alertOn), example.values, by: service, to: server) == outcome)
    }
  }

  @Test("CHN-4: what a field may not be is not sent to, no matter who stored it")
  func unchecked() async throws {
    let service = try #require(ServiceCatalog()["slack"])
    let server = try HTTPServer()
    defer { server.close() }
    let values = ["label": "x", "url": "https://evil.example.org/x"]
    let outcome = await send(.ada(.alertOn), values, by: service, to: server)
    #expect(outcome == .permanent(reason: "Slack: the Webhook URL cannot be used"))
    #expect(server.requests.isEmpty)
  }

  @Test("CHN-4: a channel without its secret says what to do, and an unknown service waits")
  func incomplete() async throws {
    let service = try #require(ServiceCatalog()["telegram"])
    let server = try HTTPServer()
    defer { server.close() }
    let outcome = await send(.ada(.alertOn), ["chat": "1"], by: service, to: server)
    #expect(
      outcome == .permanent(reason: "Telegram needs its Bot token: add the channel again"))
    #expect(server.requests.isEmpty)
    var unknown = ClaimedDelivery.ada(.alertOn)
    (unknown.channel, unknown.address) = (.service, "pigeon:7")
    let sender = ChannelSender(
      configuration: Configuration(), smtpPassword: { nil }, dateClient: .constant(start))
    #expect(
      await sender.deliver(unknown)
        == .retry(reason: "there is no service called pigeon here", after: nil))
  }

  @Test("CHN-4: a private address is reached only where it is written out")
  func privateAddresses() {
    for address in ["10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1", "fd00::1"] {
      #expect(NetworkAddress(literal: address)?.isPrivate == true, "\(address)")
    }
    for address in ["172.32.0.1", "8.8.8.8", "2001:db8::1", "100.128.0.1"] {
      #expect(NetworkAddress(literal: address)?.isPrivate == false, "\(address)")
    }
    for (url, names) in [
      ("http://127.0.0.1:8080/x", true), ("https://[fd00::1]:443/x", true),
      ("http://localhost/x", true), ("https://gotify.example.org/10.0.0.1", false),
      ("https://10.0.0.1.example.org/", false),
    ] { #expect(url.namesItsHost == names, "\(url)") }
  }
}
