import Clients
import DeliveryTesting
import Domain
import Foundation
import Testing

@testable import Delivery

/// CHN-1: messages to a topic of an ntfy server.
@Suite(.timeLimit(.minutes(2)))
struct NtfySenderTests {
  func publish(
    _ delivery: ClaimedDelivery, _ server: HTTPServer, links: LinkSettings? = nil
  ) async throws -> [String: Any] {
    let sender = NtfySender(links: links, dateClient: .constant(start))
    #expect(await sender.deliver(delivery) == .sent)
    let body = try #require(server.requests.last?.body)
    return try #require(
      try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
  }

  @Test("A call for help on ntfy has the highest priority and buttons to respond and to call")
  func call() async throws {
    let server = try ntfyServer()
    let delivery = ClaimedDelivery.ada(
      .nonResponsive, name: "Ädä", note: "Key at No. 5.", to: server.url + "/team/7Qm2xK4v",
      channel: .ntfy, secret: "tk_secret", code: "7K3QF9ZD2M")
    let message = try await publish(
      delivery, server, links: LinkSettings(url: "https://ls.example.org"))
    let request = try #require(server.requests.first)
    #expect(request.method == "POST" && request.path == "/team/")
    #expect(request.headers["authorization"] == "Bearer tk_secret")
    #expect(message["topic"] as? String == "7Qm2xK4v")
    #expect(message["title"] as? String == "Ädä has not checked in. Try to reach them")
    let text = try #require(message["message"] as? String)
    #expect(text.hasPrefix("Try to reach Ädä now: call +49 3012 3456."))
    #expect(text.contains("Key at No. 5.") && text.contains("7K3QF9ZD2M"))
    #expect(!text.contains("Hello") && !text.contains("no substitute"))
    #expect(message["priority"] as? Int == 5)
    #expect(message["tags"] as? [String] == ["rotating_light"])
    #expect(message["click"] as? String == "https://ls.example.org/a/7K3QF9ZD2M")
    #expect(
      message["actions"] as? [[String: String]] == [
        [
          "action": "view", "label": "Open the page to respond",
          "url": "https://ls.example.org/a/7K3QF9ZD2M",
        ],
        ["action": "view", "label": "Call Ädä", "url": "tel:+4930123456"],
      ])
    #expect(message["sequence_id"] as? String == "11111111-2222-3333-4444-555555555555")
  }

  @Test(
    "CHK-8: a reminder on ntfy opens the check-in page by a button, not by a tap on the message")
  func checkIn() async throws {
    let server = try ntfyServer()
    var delivery = ClaimedDelivery.ada(
      .reminder(.minutes(30)), to: server.url + "/t", channel: .ntfy, code: "7K3QF9ZD2M")
    delivery.recipient = .owner
    let links = LinkSettings(url: "https://ls.example.org")
    let message = try await publish(delivery, server, links: links)
    #expect(message["click"] == nil)
    let link = "https://ls.example.org/c/7K3QF9ZD2M"
    #expect(
      message["actions"] as? [[String: String]]
        == [["action": "view", "label": "Open the page to check in", "url": link]])
    delivery.code = nil
    #expect(try await publish(delivery, server, links: links)["actions"] as? [String] == [])
  }

  @Test("CON-3: a new contact's ntfy message has one button, to decline, and a tap does nothing")
  func named() async throws {
    let server = try ntfyServer()
    let message = try await publish(
      .ada(.contactAdded, to: server.url + "/t", channel: .ntfy, code: "7K3QF9ZD2M"), server,
      links: LinkSettings(url: "https://ls.example.org"))
    #expect(message["click"] == nil)
    #expect((message["actions"] as? [Any])?.count == 1)
  }

  @Test("CHK-3: a silent alert on ntfy has no button to call the person")
  func silent() async throws {
    let server = try ntfyServer()
    let message = try await publish(
      .ada(.alertOn, to: server.url + "/t", kind: .duress, channel: .ntfy), server)
    #expect(message["actions"] as? [[String: String]] == [])
    #expect(server.requests.first?.headers["authorization"] == nil)
  }

  @Test(
    "Each kind of ntfy message has its own priority, and a drill has the normal one",
    arguments: [
      (Stage.deadlinePassed, 4), (.reminder(.minutes(30)), 4), (.allClear, 3), (.contactAdded, 3),
      (.alertNote(UUID()), 5),
    ])
  func quieter(stage: Stage, priority: Int) async throws {
    let server = try ntfyServer()
    let message = try await publish(
      .ada(stage, to: server.url + "/t", resolvedAt: start, channel: .ntfy), server)
    #expect(message["priority"] as? Int == priority)
    let drill = try await publish(
      .ada(.alertOn, to: server.url + "/t", kind: .drill, channel: .ntfy), server)
    #expect(drill["priority"] as? Int == 3)
    #expect((drill["title"] as? String)?.hasPrefix("DRILL") == true)
  }

  @Test("A long ntfy message is cut between characters, before it becomes an attachment")
  func long() async throws {
    let server = try ntfyServer()
    let note = String(repeating: "👩‍👩‍👧", count: 400)
    let message = try await publish(
      .ada(.alertOn, note: note, to: server.url + "/t", channel: .ntfy), server)
    let text = try #require(message["message"] as? String)
    #expect(text.utf8.count <= NtfySender.textLimit)
    #expect(text.hasSuffix("👩‍👩‍👧…"))
  }

  @Test(
    "CHN-2: only ntfy's own answers count, not those of a proxy or a login page",
    arguments: [
      (200, #"{"id":"sPs71M8A2T","event":"message"}"#, OutcomeKind.sent), (200, "", .ambiguous),
      (200, "<!DOCTYPE html><title>Sign in</title>", .retry), (302, "", .retry), (401, "", .retry),
      (403, "<html>", .retry), (404, "", .retry), (405, "", .retry),
      (401, #"{"code":40101,"http":401,"error":"unauthorized"}"#, .accessRefused),
      (403, #"{"code":40301,"http":403,"error":"forbidden"}"#, .accessRefused),
      (404, #"{"code":40401,"http":404,"error":"page not found"}"#, .permanent),
      (400, #"{"code":40009,"http":400,"error":"invalid topic"}"#, .permanent),
      (400, #"{"code":40001,"http":400}"#, .retry),
      (429, #"{"code":42908,"http":429,"error":"daily message quota"}"#, .limited),
      (429, "", .limited), (507, "", .retry),
    ])
  func status(status: Int, body: String, expected: OutcomeKind) async throws {
    let server = try HTTPServer { _, _ in
      .reply(status, headers: ["Retry-After": "7"], body: body)
    }
    let outcome = await NtfySender(dateClient: .constant(start))
      .deliver(.ada(.alertOn, to: server.url + "/t", channel: .ntfy))
    #expect(outcome.kind == expected, "\(outcome)")
    switch outcome {
    case .retry(_, let after), .limited(_, let after): #expect(after == .seconds(7))
    default: break
    }
  }

  @Test("CHN-1: a title too long for phones is cut, and the message has the whole text")
  func longTitle() async throws {
    let server = try ntfyServer()
    let text = String(repeating: "I slipped behind the old mill. ", count: 11)
      .trimmingCharacters(in: .whitespaces)
    let message = try await publish(
      .ada(.alertNote(UUID()), to: server.url + "/t", detail: text, channel: .ntfy), server)
    let title = try #require(message["title"] as? String)
    #expect(title.count <= NtfySender.titleLimit && title.hasSuffix("…"))
    #expect((message["message"] as? String)?.contains(text) == true)
  }
}

/// A server that answers as ntfy does.
private func ntfyServer() throws -> HTTPServer {
  try HTTPServer { _, _ in .reply(200, body: #"{"id":"sPs71M8A2T","event":"message"}"#) }
}

/// WCH-2: a scheduled message that ntfy sends unless it is postponed.
@Suite(.timeLimit(.minutes(2)))
struct NtfyTimerTests {
  func timer(_ server: HTTPServer, token: String? = "tk_secret") -> NtfyTimer {
    NtfyTimer(
      topic: server.url + "/7Qm2xK4v", token: token.map { Secret($0) }, identity: "deadline-1",
      dateClient: .constant(start))
  }

  @Test("WCH-2: each new deadline moves the same scheduled ntfy message")
  func moved() async throws {
    let server = try ntfyServer()
    let timer = timer(server)
    for hours in [24, 48] {
      let set = await timer.set(
        to: start + .hours(hours), title: "Ada – help?", text: "Reach Ädä.")
      #expect(set.outcome == .sent)
      #expect(set.date == start + .hours(hours))
    }
    let requests = server.requests
    #expect(requests.map(\.path) == ["/7Qm2xK4v/deadline-1", "/7Qm2xK4v/deadline-1"])
    #expect(requests.map(\.method) == ["POST", "POST"])
    #expect(requests.map { $0.headers["at"] } == ["1795086400", "1795172800"])
    let request = try #require(requests.first)
    #expect(request.headers["authorization"] == "Bearer tk_secret")
    #expect(request.headers["priority"] == "5")
    #expect(request.headers["title"].map { ParsedMail.decodeWords($0[...]) } == "Ada – help?")
    #expect(request.body == "Reach Ädä.")
  }

  @Test("WCH-2: an ntfy message is scheduled at least 10 seconds and at most 3 days ahead")
  func limits() async throws {
    let server = try ntfyServer()
    let timer = timer(server)
    #expect(await timer.set(to: start + .days(9), title: "t", text: "x").date == start + .days(3))
    #expect(
      await timer.set(to: start - .days(1), title: "t", text: "x").date == start + .seconds(10))
    #expect(server.requests.map { $0.headers["at"] } == ["1795259200", "1795000010"])
  }

  @Test("WCH-2: a scheduled ntfy message can be cancelled")
  func cancelled() async throws {
    let server = try ntfyServer()
    #expect(await timer(server, token: nil).cancel() == .sent)
    let request = try #require(server.requests.first)
    #expect(request.method == "DELETE" && request.path == "/7Qm2xK4v/deadline-1")
    #expect(request.headers["authorization"] == nil)
  }

  @Test("WCH-2: a message counts as scheduled only if ntfy says so, not a login page")
  func unsaid() async throws {
    for body in ["<html>Sign in</html>", "", "welcome"] {
      let server = try HTTPServer { _, _ in .reply(200, body: body) }
      let set = await timer(server).set(to: start + .hours(1), title: "t", text: "x")
      #expect(set.date == nil && set.outcome != .sent, "\(body)")
    }
  }

  @Test("An ntfy server that answers 404 is reported as too old to schedule messages")
  func tooOld() async throws {
    let server = try HTTPServer { _, _ in .reply(404) }
    let set = await timer(server).set(to: start + .hours(1), title: "t", text: "x")
    #expect(set.date == nil)
    #expect(
      set.outcome
        == .permanent(reason: "the ntfy server is older than 2.16 and keeps no timers"))
  }
}
