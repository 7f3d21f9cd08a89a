import Clients
import DeliveryTesting
import Domain
import Foundation
import Synchronization
import System
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
        #""text_mode":"normal""#,
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
      request: "POST /services/T0/B0/XX",
      body: [#""unfurl_links":false"#, #""mrkdwn":false"#, text],
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
        #""text":"ALERT: Ada needs help","type":"TextRun""#, #""version":"1.4""#,
        #"{"inlines":[{"text":"Ada needs help. Try to reach them now: call +49 3012"#,
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
      body: [#""to":"+491518765432""#, text], answer: .reply(200, body: "OK 4711")),
    Case(
      service: "apprise", values: ["server": server, "label": "family", "key": "a/b"],
      request: "POST /notify/a%2Fb",
      header: ("accept", "application/json"),
      body: [#""type":"failure""#, #""title":"ALERT: Ada needs help""#, #""format":"text""#],
      answer: .reply(200, body: #"{"error":null,"details":[["INFO","","Sent"]]}"#)),
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

  @Test("CHN-4: each service gets the request that its documentation describes", arguments: cases)
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

  static let page = "<!DOCTYPE html><html><title>Sign in</title></html>"

  @Test(
    "CHN-2: only a service's own answer is final; other answers are retried or possibly sent",
    arguments: cases)
  func misbehaves(_ example: Case) async throws {
    let service = try #require(ServiceCatalog()[example.service])
    let login = ["Location": "https://login.example.org/"]
    let answers: [(HTTPServer.Answer, DeliveryOutcome.Kind)] = [
      (.reply(500), .retry), (.reply(503, headers: ["Retry-After": "7"]), .retry),
      (.reply(429), .limited), (.reply(400, body: #"{"what":"no"}"#), .retry),
      (.reply(401, body: Self.page), .retry), (.reply(403, body: Self.page), .retry),
      (.reply(404), .retry), (.reply(404, body: Self.page), .retry), (.reply(405), .retry),
      (.reply(410), .retry), (.reply(302, headers: login), .retry),
      (.reply(200, headers: ["Content-Type": "text/html"], body: Self.page), .retry),
      (.reply(201, body: "\n  \(Self.page)"), .retry),
      (.reply(200, body: "What a nice day"), .ambiguous), (.reply(206), .ambiguous),
      (.reply(200, body: #"{"what":"ever"}"#), .ambiguous), (.cutReply(200), .ambiguous),
      (.cut, .ambiguous), (.raw("nonsense\r\n\r\n"), .ambiguous), (.silence, .ambiguous),
    ]
    for (answer, kind) in answers {
      let server = try HTTPServer { _, _ in answer }
      defer { server.close() }
      // Only the silent one may take all the time: a loaded machine makes the others slow.
      let isSilent = if case .silence = answer { true } else { false }
      let outcome = await send(
        .ada(.alertOn), example.values, by: service, to: server,
        total: isSilent ? .milliseconds(300) : .seconds(20))
      #expect(outcome.kind == kind, "\(answer): \(outcome)")
      // Reasons are logged and shown, so they must not contain a secret.
      for field in service.fields where field.isSecret {
        #expect(outcome.reason?.contains(example.values[field.id] ?? "") == false, "\(outcome)")
      }
    }
  }

  @Test(
    "CHN-2: a service's own answer tells a wrong recipient, a wrong token and a refusal apart",
    arguments: [
      (
        "telegram", 400,
        #"{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}"#, .permanent
      ),
      (
        "telegram", 403,
        #"{"ok":false,"error_code":403,"description":"Forbidden: bot was blocked by the user"}"#,
        .permanent
      ),
      (
        "telegram", 401, #"{"ok":false,"error_code":401,"description":"Unauthorized"}"#,
        .accessRefused
      ),
      ("telegram", 200, #"{"ok":false,"description":"what?"}"#, .retry),
      ("signal", 400, #"{"error":"User +491511234567 is not registered.\n"}"#, .accessRefused),
      ("signal", 400, #"{"error":"Failed to send: Unregistered user \"x\""}"#, .permanent),
      ("signal", 400, #"{"error":"Network failure"}"#, .retry),
      ("matrix", 401, #"{"errcode":"M_UNKNOWN_TOKEN","error":"x"}"#, .accessRefused),
      ("matrix", 403, #"{"errcode":"M_FORBIDDEN","error":"not in room"}"#, .permanent),
      ("slack", 404, "channel_not_found", .permanent),
      ("slack", 403, "invalid_token", .accessRefused),
      ("slack", 404, "no_service", .accessRefused),
      ("discord", 404, #"{"message":"Unknown Webhook","code":10015}"#, .permanent),
      ("discord", 401, #"{"message":"Invalid Webhook Token","code":50027}"#, .accessRefused),
      (
        "mattermost", 400, #"{"id":"web.incoming_webhook.invalid.app_error","status_code":400}"#,
        .accessRefused
      ),
      ("gotify", 401, #"{"error":"Unauthorized","errorCode":401}"#, .accessRefused),
      (
        "pushover", 400, #"{"user":"invalid","errors":["user identifier is invalid"],"status":0}"#,
        .permanent
      ),
      ("pushover", 400, #"{"token":"invalid","errors":["x"],"status":0}"#, .accessRefused),
      ("pushover", 200, #"{"status":0}"#, .retry),
      ("twilio", 401, #"{"code":20003,"message":"Authenticate","status":401}"#, .accessRefused),
      ("twilio", 400, #"{"code":21211,"message":"Invalid 'To'","status":400}"#, .permanent),
      ("twilio", 429, #"{"code":63038,"status":429}"#, .limited),
      ("apprise", 424, #"{"error":"One or more notification could not be sent"}"#, .retry),
      ("apprise", 204, "", .retry), ("apprise", 200, "Notification(s) sent.", .sent),
      ("gateway", 200, "OK 4711", .sent), ("gateway", 202, #"{"id":"7","state":"Pending"}"#, .sent),
      ("gateway", 200, #"{"error":"no credit"}"#, .retry), ("gateway", 200, "", .ambiguous),
      ("gateway", 200, #"{"error":0,"message_id":"5"}"#, .sent),
      ("gateway", 200, "4711", .ambiguous),
    ] as [(String, Int, String, DeliveryOutcome.Kind)])
  func ownWords(_ name: String, _ status: Int, _ body: String, _ kind: DeliveryOutcome.Kind)
    async throws
  {
    let example = try #require(Self.cases.first { $0.service == name })
    let service = try #require(ServiceCatalog()[name])
    let server = try HTTPServer { _, _ in .reply(status, body: body) }
    defer { server.close() }
    let outcome = await send(.ada(.alertOn), example.values, by: service, to: server)
    #expect(outcome.kind == kind, "\(outcome)")
  }

  @Test(
    "CHN-4: for a user's service without declared answers, any 2xx but a web page means sent")
  func undeclared() async throws {
    let text = """
      {title: "Pigeon", setup: "Feed it.", fields: [{name: "loft", title: "Loft"}],
       request: {url: "https://pigeon.example.org/{loft}", json: {text: "{text}"}}}
      """
    let service = try Service(id: "pigeon", json5: Array(text.utf8))
    #expect(service.acceptanceWarning?.contains("services/pigeon.json5") == true)
    for (answer, kind) in [
      (HTTPServer.Answer.reply(200, body: "OK 4711"), DeliveryOutcome.Kind.sent),
      (.reply(204), .sent), (.reply(200, body: Self.page), .retry), (.reply(404), .retry),
      (.silence, .ambiguous),
    ] {
      let server = try HTTPServer { _, _ in answer }
      defer { server.close() }
      let outcome = await send(
        .ada(.alertOn), ["loft": "7"], by: service, to: server, total: .milliseconds(500))
      #expect(outcome.kind == kind, "\(answer): \(outcome)")
    }
  }

  @Test(
    "CHN-2: a message follows a Telegram group that moved, and the new address is recorded")
  func moved() async throws {
    let service = try #require(ServiceCatalog()["telegram"])
    let body =
      #"{"ok":false,"error_code":400,"description":"Bad Request: group chat was upgraded to a supergroup chat","parameters":{"migrate_to_chat_id":-1001557912345}}"#
    let server = try HTTPServer { request, _ in
      request.body.contains("-1001557912345")
        ? .reply(200, body: #"{"ok":true,"result":{}}"#) : .reply(400, body: body)
    }
    defer { server.close() }
    let moves = Mutex<[String]>([])
    var delivery = ClaimedDelivery.ada(.alertOn)
    (delivery.channel, delivery.address) = (.service, "telegram:-4711")
    delivery.secret = service.secret(["token": "t"])
    let outcome = await ServiceSender(
      service, links: nil, dateClient: .constant(start),
      limits: TransferLimits(connect: .seconds(20)), origin: server.url,
      recordMove: { _, address in moves.withLock { $0.append(address) } }
    ).deliver(delivery)
    #expect(outcome == .sent)
    #expect(moves.withLock { $0 } == ["telegram:-1001557912345"])
    #expect(server.requests.count == 2)
  }

  @Test(
    "CHN-2: the wait that a service names inside its answer is respected",
    arguments: [
      (
        "telegram",
        #"{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 5","#
          + #""parameters":{"retry_after":5}}"#, 5
      ),
      ("matrix", #"{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":2500}"#, 3),
      ("discord", #"{"message":"You are being rate limited.","retry_after":64.57}"#, 65),
    ])
  func wish(_ name: String, _ body: String, _ seconds: Int) async throws {
    let example = try #require(Self.cases.first { $0.service == name })
    let service = try #require(ServiceCatalog()[name])
    let server = try HTTPServer { _, _ in .reply(429, body: body) }
    defer { server.close() }
    let outcome = await send(.ada(.alertOn), example.values, by: service, to: server)
    guard case .limited(_, let after) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(after == .seconds(seconds))
  }

  @Test("CHN-4: text from people stays text in the encoding of every service", arguments: cases)
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

  @Test("CHN-4: an all-clear goes to Gotify with priority 5, lower than an alert")
  func priority() async throws {
    let service = try #require(ServiceCatalog()["gotify"])
    let server = try HTTPServer()
    defer { server.close() }
    let values = ["server": server.url, "label": "phone", "token": "t"]
    _ = await send(.ada(.allClear, resolvedAt: start), values, by: service, to: server)
    #expect(server.requests.first?.body.contains(#""priority":5"#) == true)
  }

  @Test("CHN-4: a long message is cut to the service's limit and keeps the reply code")
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

  @Test("CHN-4: a long title is cut to the service's limit, and the message has the whole text")
  func titles() async throws {
    let example = try #require(Self.cases.first { $0.service == "pushover" })
    let service = try #require(ServiceCatalog()["pushover"])
    let server = try HTTPServer { _, _ in example.answer }
    defer { server.close() }
    let note = String(repeating: "I slipped on the path behind the old mill. ", count: 8)
    let outcome = await send(
      .ada(.alertNote(UUID()), detail: note.trimmingCharacters(in: .whitespaces)), example.values,
      by: service, to: server)
    #expect(outcome == .sent)
    let pairs = try #require(server.requests.first?.body.split(separator: "&"))
    func value(_ name: String) -> String? {
      pairs.first { $0.hasPrefix("\(name)=") }?.dropFirst(name.count + 1).description
        .removingPercentEncoding
    }
    let title = try #require(value("title"))
    #expect(title.utf16.count <= 250 && title.hasPrefix("Ada wrote: I slipped"))
    #expect(title.hasSuffix("…"))
    #expect(value("message")?.contains(note.trimmingCharacters(in: .whitespaces)) == true)
  }

  @Test("CHN-4: a cut title that isn't in the message continues at the start of the message")
  func longNames() {
    let title = "ALERT: " + String(repeating: "Ada ", count: 80) + "needs help"
    let short = MessageText.Short(title: title, action: "Call.", rest: "")
    let (cut, text) = short.fitting(title: 100)
    #expect(cut.utf16.count <= 100 && cut.hasSuffix(" Ada…"))
    #expect(text.hasPrefix("…Ada Ada ") && text.hasSuffix("Ada needs help\n\nCall."))
    #expect((cut.dropLast() + " " + text.dropFirst()).hasPrefix(title))
    let whole = short.fitting(title: 400)
    #expect(whole == (title, "Call."))
  }

  @Test("CHN-4: a stored webhook URL that the service doesn't allow isn't sent to")
  func unchecked() async throws {
    let service = try #require(ServiceCatalog()["slack"])
    let server = try HTTPServer()
    defer { server.close() }
    let values = ["label": "x", "url": "https://evil.example.org/x"]
    let outcome = await send(.ada(.alertOn), values, by: service, to: server)
    #expect(outcome == .permanent(reason: "Slack: the Webhook URL cannot be used"))
    #expect(server.requests.isEmpty)
  }

  @Test(
    "CHN-4: a channel without its secret says what to do; a message to an unknown service waits")
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
      configuration: Configuration(), smtpSecret: { _ in nil }, dateClient: .constant(start))
    #expect(
      await sender.deliver(unknown)
        == .retry(reason: "there is no service called pigeon here", after: nil))
  }

  @Test("CHN-4: private addresses, and URLs that write their host out, are recognized")
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
