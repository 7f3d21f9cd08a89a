import DeliveryTesting
import Clients
import Delivery
import Domain
import Testing

/// Encrypted conversations with a server in Python.
@Suite(
  .enabled("needs python3 and openssl") { TLSServer.obstacle == nil },
  .timeLimit(.minutes(1)))
struct MailSenderTLSTests {
  func deliver(
    to server: TLSServer, _ security: SMTPSettings.Security, host: String = "127.0.0.1",
    trusted: Bool = true, change: (inout SMTPSettings) -> Void = { _ in }
  ) async -> DeliveryOutcome {
    var smtp = SMTPSettings(
      host: host, port: server.port, security: security, username: "ada", from: "a@example.org")
    change(&smtp)
    let sender = MailSender(
      settings: .init(smtp: smtp, certificateAuthority: trusted ? server.certificate : nil),
      password: "secret", dateClient: .constant(start))
    return await sender.deliver(.ada(.alertOn))
  }

  @Test("STARTTLS comes first, then the login, then the message")
  func startTLS() async throws {
    let server = try TLSServer(.starttls)
    #expect(await deliver(to: server, .starttls) == .sent)
    #expect(
      server.conversation() == [
        "PLAIN EHLO", "PLAIN STARTTLS", "TLS EHLO", "TLS AUTH", "LOGIN  ada secret", "TLS MAIL",
        "TLS RCPT", "TLS DATA", "MESSAGE", "TLS QUIT",
      ])
  }

  @Test("With implicit TLS a mail connection is encrypted from the first byte")
  func implicitTLS() async throws {
    let server = try TLSServer(.tls)
    #expect(await deliver(to: server, .tls) == .sent)
    #expect(server.conversation().first == "TLS EHLO")
  }

  @Test(
    "A mail server with an untrusted certificate gets no login and no message",
    arguments: [TLSServer.Mode.starttls, .tls])
  func untrusted(mode: TLSServer.Mode) async throws {
    let server = try TLSServer(mode)
    let outcome = await deliver(
      to: server, mode == .tls ? .tls : .starttls, trusted: false)
    #expect(
      outcome
        == .misconfigured(reason: "the mail server's certificate isn't trusted: it's self-signed"))
    #expect(!server.conversation().contains { $0.hasPrefix("TLS") || $0.hasPrefix("LOGIN") })
  }

  @Test(
    "A mail server can be trusted by a CA file or its key's fingerprint; another key is refused")
  func ownServer() async throws {
    let byFile = try TLSServer(.tls)
    let outcome = await deliver(to: byFile, .tls, trusted: false) {
      $0.certificateAuthority = byFile.certificate
    }
    #expect(outcome == .sent)
    let byKey = try TLSServer(.starttls)
    let fingerprint = try byKey.fingerprint()
    // The key counts, whatever name the certificate is for.
    let second = await deliver(to: byKey, .starttls, host: "localhost", trusted: false) {
      $0.fingerprint = fingerprint
    }
    #expect(second == .sent)
    let other = try TLSServer(.tls)
    let third = await deliver(to: other, .tls) { $0.fingerprint = fingerprint }
    #expect(third.kind == .misconfigured && third.reason?.contains("another key") == true)
    #expect(!other.conversation().contains { $0.hasPrefix("LOGIN") })
  }

  @Test("A mail server with a certificate for another name gets no login")
  func anotherName() async throws {
    let server = try TLSServer(.tls)
    let outcome = await deliver(to: server, .tls, host: "localhost")
    #expect(outcome.kind == .misconfigured, "\(outcome)")
    #expect(!server.conversation().contains { $0.hasPrefix("LOGIN") })
  }

  @Test("A mail server without TLS gets nothing if TLS is required")
  func plainServer() async throws {
    let server = try SMTPServer()
    let smtp = SMTPSettings(
      host: "127.0.0.1", port: server.port, security: .tls, username: nil, from: "a@example.org")
    let sender = MailSender(
      settings: .init(smtp: smtp), password: nil, dateClient: .constant(start))
    #expect(await sender.deliver(.ada(.alertOn)).kind == .misconfigured)
    #expect(server.accepted.isEmpty)
  }
}
