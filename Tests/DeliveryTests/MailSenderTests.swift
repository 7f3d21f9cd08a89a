import DeliveryTesting
import Clients
import Domain
import FoundationEssentials
import Synchronization
import Testing

@testable import Delivery

/// Whole conversations with a real server on this machine.
@Suite struct MailSenderTests {
  func sender(
    _ server: SMTPServer, username: String? = nil, password: String? = nil,
    security: SMTPSettings.Security = .none, limits: SMTPLimits = .init(),
    from: String = "monitor@example.org", memory: LoginMemory = LoginMemory()
  ) -> MailSender {
    let smtp = SMTPSettings(
      host: "127.0.0.1", port: server.port, security: security, username: username,
      from: from)
    return MailSender(
      settings: .init(smtp: smtp, limits: limits), secret: password,
      dateClient: .constant(start), memory: memory)
  }

  @Test("A message arrives once, with its sender and recipient in the envelope")
  func normal() async throws {
    let server = try SMTPServer()
    let outcome = await sender(server).deliver(.ada(.nonResponsive))
    #expect(outcome == .sent)
    #expect(server.accepted.count == 1)
    let message = try #require(server.accepted.first)
    #expect(message.sender == "<monitor@example.org>")
    #expect(message.recipients == ["<bob@example.org>"])
    #expect(
      message.text.contains("Message-ID: <11111111-2222-3333-4444-555555555555@lifesignal.invalid>")
    )
  }

  @Test("DUR-1: a silent alert has no envelope sender unless the server refuses an empty one")
  func silentAlert() async throws {
    let silent = ClaimedDelivery.ada(.alertOn, kind: .duress)
    let server = try SMTPServer()
    #expect(await sender(server, from: "ada@example.org").deliver(silent) == .sent)
    #expect(server.accepted.map(\.sender) == ["<>"])
    let strict = try SMTPServer { step, _ in step == .mail("<>") ? .reply("553 who are you") : nil }
    #expect(await sender(strict, from: "ada@example.org").deliver(silent) == .sent)
    #expect(strict.accepted.map(\.sender) == ["<ada@example.org>"])
  }

  @Test("User name and password reach the mail server unchanged")
  func login() async throws {
    let server = try SMTPServer(extensions: ["AUTH PLAIN"])
    let outcome = await sender(server, username: "ada", password: "p:ä s").deliver(.ada(.alertOn))
    #expect(outcome == .sent)
    #expect(server.steps.contains(.login(" ada p:ä s")))
  }

  @Test("Login works at a server that offers only AUTH LOGIN")
  func plainLogin() async throws {
    let server = try SMTPServer(extensions: ["AUTH LOGIN"])
    let outcome = await sender(server, username: "ada", password: "p:ä s").deliver(.ada(.alertOn))
    #expect(outcome == .sent)
    #expect(server.steps.contains(.login("LOGIN ada p:ä s")))
  }

  @Test("Fault 15: a mail server that answers 450 twice and then accepts gets the message once")
  func wellAgain() async throws {
    let server = try SMTPServer { step, connection in
      step == .recipient("<bob@example.org>") && connection < 3 ? .reply("450 greylisted") : nil
    }
    let sender = sender(server)
    var kinds: [OutcomeKind] = []
    for _ in 1...3 { kinds.append(await sender.deliver(.ada(.alertOn)).kind) }
    #expect(kinds == [.limited, .limited, .sent])
    #expect(server.accepted.count == 1)
  }

  @Test("Fault 17: a message counts as possibly sent if the connection ends while it is sent")
  func cutInMessage() async throws {
    let server = try SMTPServer { step, _ in step == .data ? .replyAndCut("354 go on") : nil }
    let outcome = await sender(server).deliver(.ada(.alertOn))
    #expect(outcome.kind == .ambiguous, "\(outcome)")
    #expect(server.accepted.isEmpty)
  }

  @Test("Fault 17: a mail server that sends slow, endless replies is given up at the time limit")
  func slow() async throws {
    let server = try SMTPServer { step, _ in step == .hello ? .drip("250-wait") : nil }
    let outcome = await sender(server, limits: .init(command: .milliseconds(300))).deliver(
      .ada(.alertOn))
    #expect(outcome.kind == .retry, "\(outcome)")
  }

  @Test("A user name without a saved password is a settings error, and nothing is sent")
  func noPassword() async throws {
    let server = try SMTPServer()
    let outcome = await sender(server, username: "ada").deliver(.ada(.alertOn))
    #expect(outcome == .misconfigured(reason: "the mail server needs a password and none is saved"))
    #expect(server.connections == 0)
  }

  @Test("A refused login (535) counts as refused access, with the server's answer as the reason")
  func refusedLogin() async throws {
    let server = try SMTPServer(extensions: ["AUTH PLAIN"]) { step, _ in
      if case .login = step { .reply("535 5.7.8 wrong password") } else { nil }
    }
    let outcome = await sender(server, username: "ada", password: "x").deliver(.ada(.alertOn))
    #expect(outcome.kind == .accessRefused)
    #expect(outcome.reason?.contains("535 5.7.8 wrong password") == true)
    #expect(server.accepted.isEmpty)
  }

  @Test(
    "The refused step and its SMTP code decide whether and how a message is retried",
    arguments: [
      (SMTPServer.Step.connected, "421 busy", OutcomeKind.limited),
      (.connected, "554 go away", .misconfigured),
      (.mail("<monitor@example.org>"), "451 later", .limited),
      (.mail("<monitor@example.org>"), "530 5.7.0 log in first", .misconfigured),
      (.mail("<monitor@example.org>"), "553 not your address", .misconfigured),
      (.recipient("<bob@example.org>"), "450 greylisted", .limited),
      (.recipient("<bob@example.org>"), "550 no such user", .permanent),
      (.recipient("<bob@example.org>"), "550 5.1.1 unknown", .permanent),
      (.recipient("<bob@example.org>"), "550 5.7.1 Greylisted, come back", .limited),
      (.recipient("<bob@example.org>"), "552 5.2.2 mailbox full", .limited),
      (.recipient("<bob@example.org>"), "550 blocked for now", .retry),
      (.recipient("<bob@example.org>"), "550 5.7.1 policy", .accessRefused),
      (.recipient("<bob@example.org>"), "550 5.7.1 relaying denied", .misconfigured),
      (.data, "451 later", .limited),
      (.data, "554 no", .retry),
    ])
  func refused(at refusedStep: SMTPServer.Step, reply: String, expected: OutcomeKind) async throws {
    let server = try SMTPServer { step, _ in step == refusedStep ? .reply(reply) : nil }
    let outcome = await sender(server).deliver(.ada(.alertOn))
    #expect(outcome.kind == expected, "\(outcome)")
    #expect(outcome.reason?.contains(reply) == true, "\(outcome)")
    #expect(server.accepted.isEmpty)
  }

  @Test(
    "The SMTP reply to the message text decides between sent, limited and retry",
    arguments: [
      ("452 disk full", OutcomeKind.limited), ("554 looks like spam", .retry), ("250 ok", .sent),
      ("550 5.4.5 daily sending limit exceeded", .limited),
    ])
  func refusedMessage(reply: String, expected: OutcomeKind) async throws {
    let server = try SMTPServer { step, _ in
      if case .message = step { .reply(reply) } else { nil }
    }
    let outcome = await sender(server).deliver(.ada(.alertOn))
    #expect(outcome.kind == expected, "\(outcome)")
    #expect(server.accepted.count == (expected == .sent ? 1 : 0))
  }

  @Test("ESC-3: a message counts as possibly sent if the connection ends after the final dot")
  func cutAfterDot() async throws {
    for answer in [SMTPServer.Answer.cut, .acceptAndCut] {
      let server = try SMTPServer { step, _ in
        if case .message = step { answer } else { nil }
      }
      let outcome = await sender(server).deliver(.ada(.alertOn))
      #expect(outcome.kind == .ambiguous, "\(outcome)")
    }
  }

  @Test("A message is retried if the connection ends before the message text")
  func cutEarly() async throws {
    for cutStep in [SMTPServer.Step.connected, .hello, .data] {
      let server = try SMTPServer { step, _ in step == cutStep ? .cut : nil }
      let outcome = await sender(server).deliver(.ada(.alertOn))
      #expect(outcome.kind == .retry, "\(cutStep): \(outcome)")
    }
  }

  @Test("A mail server that says nothing is given up at the time limit")
  func silent() async throws {
    let greeting = try SMTPServer { step, _ in step == .connected ? .silence : nil }
    let first = await sender(greeting, limits: .init(greeting: .milliseconds(300))).deliver(
      .ada(.alertOn))
    #expect(first.kind == .retry, "\(first)")
    let answer = try SMTPServer { step, _ in
      if case .message = step { .silence } else { nil }
    }
    let second = await sender(answer, limits: .init(verdict: .milliseconds(300))).deliver(
      .ada(.alertOn))
    #expect(second.kind == .ambiguous, "\(second)")
  }

  @Test("A mail server whose answer never ends is cut off, and the message is retried")
  func endless() async throws {
    let server = try SMTPServer { step, _ in
      step == .hello ? .endless("250-" + String(repeating: "x", count: 200)) : nil
    }
    let outcome = await sender(server).deliver(.ada(.alertOn))
    #expect(outcome.kind == .retry, "\(outcome)")
  }

  @Test("A message is retried if no mail server is running")
  func refusedConnection() async throws {
    let server = try SMTPServer()
    let sender = sender(server)
    server.close()
    let outcome = await sender.deliver(.ada(.alertOn))
    #expect(outcome.kind == .retry, "\(outcome)")
  }

  @Test("If STARTTLS is required, a server without it gets no login and no message")
  func withoutStartTLS() async throws {
    for extensions in [["AUTH PLAIN"], ["STARTTLS", "AUTH PLAIN"]] {
      let server = try SMTPServer(extensions: extensions) { step, _ in
        step == .startTLS ? .reply("502 not here") : nil
      }
      let sender = sender(server, username: "ada", password: "secret", security: .starttls)
      let outcome = await sender.deliver(.ada(.alertOn))
      #expect(outcome.kind == .misconfigured, "\(outcome)")
      #expect(
        !server.steps.contains { step in
          if case .login = step { true } else { false }
        })
      #expect(server.accepted.isEmpty)
    }
  }

  @Test("Unencrypted mail to another machine is refused as a settings error")
  func clearTextElsewhere() async {
    let smtp = SMTPSettings(
      host: "mail.example.org", port: 25, security: .none, username: nil, from: "a@example.org")
    let sender = MailSender(
      settings: .init(smtp: smtp), password: nil, dateClient: .constant(start))
    #expect(await sender.deliver(.ada(.alertOn)).kind == .misconfigured)
  }

  @Test("A malformed mail server name is a settings error")
  func hostileHost() async {
    for host in ["a b", "a/b", "user@host", "ho\"st"] {
      let smtp = SMTPSettings(
        host: host, port: 25, security: .tls, username: nil, from: "a@example.org")
      let sender = MailSender(
        settings: .init(smtp: smtp), password: nil, dateClient: .constant(start))
      let outcome = await sender.deliver(.ada(.alertOn))
      #expect(outcome.kind == .misconfigured, "\(host): \(outcome)")
    }
  }

  @Test("An address that would break the SMTP envelope is refused for good")
  func hostileAddress() async throws {
    let server = try SMTPServer()
    let outcome = await sender(server)
      .deliver(.ada(.alertOn, to: "bob@example.org>\r\nRCPT TO:<eve@example.org"))
    #expect(outcome.kind == .permanent)
    #expect(server.connections == 0)
  }

  @Test("Eight messages at once all arrive")
  func concurrent() async throws {
    let server = try SMTPServer()
    let sender = sender(server)
    let outcomes = await withTaskGroup(of: DeliveryOutcome.self) { group in
      for number in 0..<8 {
        group.addTask { await sender.deliver(.ada(.alertOn, to: "r\(number)@example.org")) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes == Array(repeating: .sent, count: 8))
    #expect(
      Set(server.accepted.flatMap(\.recipients))
        == Set((0..<8).map { "<r\($0)@example.org>" }))
  }
}

/// An outcome without its reason.
typealias OutcomeKind = DeliveryOutcome.Kind
