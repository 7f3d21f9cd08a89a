import Clients
import DeliveryTesting
import Domain
import Foundation
import Testing

@testable import Delivery

/// CHN-1: webhooks that follow the Standard Webhooks convention, and their results.
@Suite(.timeLimit(.minutes(2)))
struct WebhookSenderTests {
  static let secret = "whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcY"

  func deliver(
    _ delivery: ClaimedDelivery, links: LinkSettings? = nil, timeout: Duration = .seconds(20)
  ) async -> DeliveryOutcome {
    await WebhookSender(
      links: links, dateClient: .constant(start + .minutes(3)),
      limits: .init(connect: .seconds(20), total: timeout)
    ).deliver(delivery)
  }

  func hook(_ server: HTTPServer, _ stage: Stage = .alertOn) -> ClaimedDelivery {
    .ada(stage, to: server.url + "/hook", channel: .webhook, secret: Self.secret)
  }

  @Test("A webhook's signature equals the one of the Standard Webhooks library")
  func vector() throws {
    // Computed by standardwebhooks 1.1.0 (PyPI): Webhook(secret).sign(id, 1795000000, body)
    let headers = try WebhookSignature.headers(
      id: UUID(uuidString: "11111111-2222-3333-4444-555555555555")!,
      body: Array(#"{"type":"lifesignal.alert_on","data":{"name":"Ada Šedá"}}"#.utf8),
      secret: Self.secret, now: start)
    #expect(
      headers.map { "\($0.name): \($0.value)" } == [
        "webhook-id: 11111111-2222-3333-4444-555555555555", "webhook-timestamp: 1795000000",
        "webhook-signature: v1,MOz4vRCcMsu4/dqXTzIlWoth5ZYLw5AhBJybLGTmQG4=",
      ])
  }

  @Test(
    "Python's hmac module verifies the signature of a webhook",
    .enabled("needs python3") { TLSServer.obstacle == nil })
  func verifiedByPython() async throws {
    let server = try HTTPServer()
    #expect(await deliver(hook(server)) == .sent)
    let request = try #require(server.requests.first)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      """
      import base64, hashlib, hmac, os, sys
      key = base64.b64decode(os.environ["SECRET"][6:])
      text = f"{os.environ['ID']}.{os.environ['TIME']}.".encode() + os.environ["BODY"].encode()
      print("v1," + base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode(), end="")
      """,
    ]
    process.environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "SECRET": Self.secret,
      "ID": request.headers["webhook-id"] ?? "", "TIME": request.headers["webhook-timestamp"] ?? "",
      "BODY": request.body, "PYTHONUTF8": "1",
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    process.waitUntilExit()
    let signature = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(request.headers["webhook-signature"] == signature)
  }

  @Test("ESC-3: each attempt of a webhook message has the same id and its own timestamp")
  func identity() async throws {
    let server = try HTTPServer()
    for minutes in [1, 2] {
      let sender = WebhookSender(dateClient: .constant(start + .minutes(minutes)))
      #expect(await sender.deliver(hook(server)) == .sent)
    }
    let headers = server.requests.map(\.headers)
    #expect(Set(headers.map { $0["webhook-id"] }) == ["11111111-2222-3333-4444-555555555555"])
    #expect(headers.map { $0["webhook-timestamp"] } == ["1795000060", "1795000120"])
  }

  @Test("A webhook's body says who, what, since when, how to call and how to respond")
  func body() async throws {
    let server = try HTTPServer()
    var delivery = ClaimedDelivery.ada(
      .alertOn, note: "Key at No. 5.", message: "fell", to: server.url + "/hook", channel: .webhook,
      code: "7K3QF9ZD2M")
    delivery.alert = Alert(
      id: UUID(uuidString: "00000000-0000-0000-0000-00000000000A")!, kind: .manual, message: "fell",
      raisedAt: start + .hours(1))
    #expect(await deliver(delivery, links: LinkSettings(url: "https://ls.example.org")) == .sent)
    let request = try #require(server.requests.first)
    #expect(request.headers["content-type"] == "application/json")
    #expect(request.headers["webhook-signature"] == nil, "nothing is signed without a secret")
    let object = try JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any]
    let data = try #require(object?["data"] as? [String: Any])
    #expect(object?["type"] as? String == "lifesignal.alert_on")
    #expect(object?["timestamp"] as? String == (start + .hours(1)).rfc3339)
    #expect(data["title"] as? String == "ALERT: Ada needs help")
    #expect((data["text"] as? String)?.hasPrefix("Ada needs help.") == true)
    #expect(data["drill"] as? Bool == false)
    #expect(
      data["person"] as? [String: String]
        == ["name": "Ada", "phone": "+4930123456", "note": "Key at No. 5."])
    #expect(data["recipient"] as? String == "Bob")
    #expect(data["last_check_in"] as? String == start.rfc3339)
    #expect(
      data["alert"] as? [String: String] == [
        "id": "00000000-0000-0000-0000-00000000000a", "kind": "manual", "message": "fell",
        "raised_at": (start + .hours(1)).rfc3339,
      ])
    #expect(data["code"] as? String == "7K3QF9ZD2M")
    #expect(data["link"] as? String == "https://ls.example.org/a/7K3QF9ZD2M")
  }

  @Test("ALT-6: a drill's webhook says so; the webhook of an all-clear has no emergency note")
  func drillAndEnd() throws {
    var drill = ClaimedDelivery.ada(.alertOnAgain(2), note: "Key", channel: .webhook)
    drill.alert?.kind = .drill
    let event = WebhookEvent(MessageText(delivery: drill, calendar: .utc))
    #expect(event.data.drill)
    #expect(event.data.title.hasPrefix("DRILL"))
    #expect(event.type == "lifesignal.alert_on")
    let end = WebhookEvent(
      MessageText(
        delivery: .ada(.allClear, note: "Key", resolvedAt: start + .hours(9)), calendar: .utc))
    #expect(end.data.person.note == nil)
    #expect(end.data.person.phone == "+4930123456")
    #expect(end.timestamp == (start + .hours(9)).rfc3339)
  }

  @Test(
    "CHN-2: any 2xx of a webhook is a success and only 410 is final; the rest is retried",
    arguments: [
      (200, OutcomeKind.sent), (204, .sent), (299, .sent), (301, .retry), (302, .retry),
      (400, .retry), (401, .retry), (403, .retry), (404, .retry), (405, .retry),
      (408, .retry), (410, .permanent), (413, .retry), (422, .retry), (425, .retry),
      (429, .limited), (500, .retry), (502, .retry), (503, .retry), (599, .retry),
    ])
  func status(status: Int, expected: OutcomeKind) async throws {
    let server = try HTTPServer { _, _ in .reply(status) }
    let outcome = await deliver(hook(server))
    #expect(outcome.kind == expected, "\(outcome)")
    #expect(outcome.reason?.contains("\(status)") ?? (expected == .sent), "\(outcome)")
    #expect(server.connections == 1)
  }

  @Test("The reason of a failed webhook explains a redirect (302) and a removed address (410)")
  func reasons() async throws {
    let redirect = try HTTPServer { _, _ in .reply(302, headers: ["Location": "https://x.invalid"])
    }
    #expect(
      await deliver(hook(redirect))
        == .retry(
          reason: "the webhook leads elsewhere (302); redirects are not followed", after: nil))
    let gone = try HTTPServer { _, _ in .reply(410) }
    #expect(await deliver(hook(gone)) == .permanent(reason: "the webhook is gone (410)"))
  }

  @Test(
    "CHN-2: a webhook's Retry-After is followed, in seconds or as a date",
    arguments: [
      ("120", TimeSpan.seconds(120)), ("Wed, 18 Nov 2026 11:11:40 GMT", .seconds(120)),
      ("soon", nil), ("-5", nil),
    ])
  func retryAfter(field: String, expected: TimeSpan?) async throws {
    let now = Date(timeIntervalSince1970: 1_795_000_180)
    #expect(now == start + .minutes(3))
    let server = try HTTPServer { _, _ in .reply(429, headers: ["Retry-After": field]) }
    guard case .limited(_, let after) = await deliver(hook(server)) else {
      Issue.record("not put off")
      return
    }
    #expect(after == expected)
  }

  @Test("Fault 18: a webhook that fails twice and then works gets the message")
  func wellAgain() async throws {
    let server = try HTTPServer { _, number in .reply(number < 3 ? 500 : 200) }
    var kinds: [OutcomeKind] = []
    for _ in 1...3 { kinds.append(await deliver(hook(server)).kind) }
    #expect(kinds == [.retry, .retry, .sent])
  }

  @Test("ESC-3: a webhook message counts as possibly sent if its answer doesn't come")
  func ambiguous() async throws {
    for answer in [HTTPServer.Answer.silence, .cut] {
      let server = try HTTPServer { _, _ in answer }
      let outcome = await deliver(hook(server), timeout: .milliseconds(500))
      #expect(outcome.kind == .ambiguous, "\(outcome)")
    }
  }

  @Test(
    "CHN-2: a webhook that answers with a web page has failed; a plain ok sent as HTML hasn't",
    arguments: [
      ("<!DOCTYPE html><title>Sign in</title>", OutcomeKind.retry), ("\n<html><body>", .retry),
      ("<?xml version=\"1.0\"?><!DOCTYPE html>", .retry), ("ok", .sent), ("", .sent),
      ("<ok/>", .sent),
    ])
  func page(body: String, expected: OutcomeKind) async throws {
    let server = try HTTPServer { _, _ in
      .reply(200, headers: ["Content-Type": "text/html"], body: body)
    }
    #expect(await deliver(hook(server)).kind == expected)
  }

  @Test("Fault 18: after a status of 200, a cut, huge or slow reply still counts as sent")
  func afterTheStatus() async throws {
    for answer in [
      HTTPServer.Answer.cutReply(200), .large(200, bytes: 50_000_000), .drip(200),
    ] {
      let server = try HTTPServer { _, _ in answer }
      let outcome = await deliver(hook(server), timeout: .milliseconds(1_500))
      #expect(outcome == .sent, "\(answer)")
    }
  }

  @Test("A webhook message is retried if no server is running")
  func refusedConnection() async throws {
    let server = try HTTPServer()
    server.close()
    #expect(await deliver(hook(server)).kind == .retry)
  }

  @Test("A forbidden webhook address fails for good; a name that leads to one is retried")
  func refusedAddress() async {
    let literal = await deliver(.ada(.alertOn, to: "https://169.254.169.254/", channel: .webhook))
    #expect(
      literal
        == .permanent(
          reason:
            "the webhook's address leads to a cloud's metadata service, where nothing is sent")
        || literal
          == .permanent(
            reason: "the webhook's address leads to a link-local address, where nothing is sent")
    )
    let name = await deliver(.ada(.alertOn, to: "https://x.localhost:9/", channel: .webhook))
    #expect(name.kind == .retry)
  }

  @Test(
    "A malformed webhook secret is a settings error, and nothing is sent",
    arguments: ["whsec_", "whsec_!!"])
  func badSecret(secret: String) async throws {
    let server = try HTTPServer()
    var delivery = hook(server)
    delivery.secret = Secret(secret)
    #expect(await deliver(delivery).kind == .misconfigured)
    #expect(server.connections == 0)
  }

  @Test(
    "A webhook's untrusted certificate is a settings error",
    .enabled("needs python3 and openssl") { TLSServer.obstacle == nil })
  func untrusted() async throws {
    let server = try TLSServer(.https)
    let outcome = await deliver(
      .ada(.alertOn, to: "https://127.0.0.1:\(server.port)/", channel: .webhook))
    #expect(outcome == .misconfigured(reason: "the webhook's certificate isn't trusted"))
  }
}
