import Clients
import DeliveryTesting
import Domain
import Testing

@testable import Delivery

/// Ways to log in at a mail server.
@Suite(.timeLimit(.minutes(2)))
struct MailLoginTests {
  let memory = LoginMemory()

  func deliver(
    to server: SMTPServer, isToken: Bool = false, memory: LoginMemory? = nil,
    change: (inout SMTPSettings) -> Void = { _ in }
  ) async -> DeliveryOutcome {
    var smtp = SMTPSettings(
      host: "127.0.0.1", port: server.port, security: .none, username: "ada",
      from: "ada@example.org", tokenCommand: isToken ? SecretCommand(["token"]) : nil)
    change(&smtp)
    return await MailSender(
      settings: .init(smtp: smtp), secret: "secret", dateClient: .constant(start),
      memory: memory ?? self.memory
    ).deliver(.ada(.alertOn))
  }

  /// A server that knows some mechanisms, and takes the password for some of them.
  static func server(_ offered: String, taking working: Set<String>) throws -> SMTPServer {
    try SMTPServer(extensions: ["8BITMIME", "AUTH \(offered)"]) { step, _ in
      if case .auth(let name) = step, !working.contains(name) {
        .reply("535 5.7.8 no")
      } else {
        nil
      }
    }
  }

  @Test(
    "A password is sent by PLAIN or LOGIN, whatever else the server offers before them",
    arguments: [
      ("GSSAPI PLAIN LOGIN", ["PLAIN"]), ("NTLM LOGIN", ["LOGIN"]),
      ("CRAM-MD5 PLAIN LOGIN", ["PLAIN"]), ("DIGEST-MD5 CRAM-MD5 NTLM LOGIN", ["LOGIN"]),
      ("XOAUTH2 OAUTHBEARER PLAIN", ["PLAIN"]),
    ])
  func preference(offered: String, tried: [String]) async throws {
    let server = try Self.server(offered, taking: ["PLAIN", "LOGIN"])
    #expect(await deliver(to: server) == .sent)
    #expect(Self.mechanisms(server) == tried)
  }

  @Test(
    "A login mechanism refused before the password is sent is skipped at once, now and later"
  )
  func refusedMechanism() async throws {
    let server = try Self.server("PLAIN LOGIN", taking: ["LOGIN"])
    #expect(await deliver(to: server) == .sent)
    #expect(await deliver(to: server) == .sent)
    #expect(Self.mechanisms(server) == ["PLAIN", "LOGIN", "LOGIN"])
  }

  @Test("A refused password is sent once per try; the next try uses the next plain mechanism")
  func refusedPassword() async throws {
    let server = try SMTPServer(extensions: ["AUTH PLAIN LOGIN CRAM-MD5"]) { step, _ in
      if case .login(let text) = step, !text.hasPrefix("LOGIN") {
        .reply("535 5.7.8 no")
      } else {
        nil
      }
    }
    #expect(await deliver(to: server).kind == .accessRefused)
    #expect(Self.mechanisms(server) == ["PLAIN"])
    #expect(await deliver(to: server) == .sent)
    #expect(await deliver(to: server) == .sent)
    #expect(Self.mechanisms(server) == ["PLAIN", "LOGIN", "LOGIN"])
  }

  @Test("A server that refuses every login mechanism gets one try per message after the first")
  func everythingRefused() async throws {
    let server = try Self.server("PLAIN LOGIN", taking: [])
    for _ in 0..<3 { #expect(await deliver(to: server).kind == .accessRefused) }
    #expect(Self.mechanisms(server).count == 4)
  }

  @Test(
    "A server without login gets the message without one; its refusal is a settings error")
  func notOffered() async throws {
    let open = try SMTPServer()
    #expect(await deliver(to: open) == .sent)
    let strict = try SMTPServer { step, _ in
      if case .recipient = step { .reply("550 5.7.1 relaying denied") } else { nil }
    }
    let outcome = await deliver(to: strict)
    #expect(outcome.kind == .misconfigured)
    #expect(outcome.reason?.contains("the mail server offers no login") == true)
    #expect(strict.accepted.isEmpty)
  }

  @Test("If a server takes only tokens, a password fails with advice and a token command works")
  func tokens() async throws {
    let server = try SMTPServer(extensions: ["AUTH XOAUTH2"])
    let refused = await deliver(to: server)
    #expect(refused.kind == .misconfigured)
    #expect(refused.reason?.contains("set smtp.token_command") == true)
    #expect(Self.mechanisms(server) == [])
    #expect(await deliver(to: server, isToken: true) == .sent)
    #expect(server.steps.contains(.login("user=ada\u{1}auth=Bearer secret\u{1}\u{1}")))
    let bearer = try SMTPServer(extensions: ["AUTH PLAIN OAUTHBEARER"])
    #expect(await deliver(to: bearer, isToken: true) == .sent)
    #expect(Self.mechanisms(bearer) == ["OAUTHBEARER"])
    let plain = try SMTPServer(extensions: ["AUTH PLAIN"])
    #expect(
      await deliver(to: plain, isToken: true).reason
        == "the mail server takes no token, only PLAIN: remove smtp.token_command")
  }

  @Test("If a server has switched passwords off (535 5.7.139), the reason names smtp.token_command")
  func basicAuthentication() async throws {
    let server = try SMTPServer(extensions: ["AUTH LOGIN XOAUTH2"]) { step, _ in
      guard case .login = step else { return nil }
      return .reply("535 5.7.139 Authentication unsuccessful, basic authentication is disabled.")
    }
    let outcome = await deliver(to: server)
    #expect(outcome.kind == .accessRefused)
    #expect(outcome.reason?.contains("only a token: set smtp.token_command") == true)
  }

  @Test("EHLO names the sender's domain, or the name in the settings")
  func greetingName() async throws {
    var smtp = SMTPSettings(
      host: "mail.example.net", port: 587, security: .tls, username: nil, from: "ada@Example.org")
    #expect(smtp.greetingName == "example.org")
    smtp.from = "ada@home"
    #expect(smtp.greetingName == "[127.0.0.1]")
    smtp.ehlo = "box.example.org"
    #expect(smtp.greetingName == "box.example.org")
    let server = try SMTPServer()
    #expect(await deliver(to: server) { $0.ehlo = "box.example.org" } == .sent)
    #expect(server.names == ["box.example.org"])
  }

  private static func mechanisms(_ server: SMTPServer) -> [String] {
    server.steps.compactMap { if case .auth(let name) = $0 { name } else { nil } }
  }
}
