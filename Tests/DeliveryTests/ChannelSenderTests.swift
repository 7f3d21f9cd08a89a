import Clients
import DeliveryTesting
import Domain
import Foundation
import Testing

@testable import Delivery

/// CHN-1: each kind of channel has its way, as the configuration says.
@Suite(.timeLimit(.minutes(2)))
struct ChannelSenderTests {
  func sender(_ configuration: Configuration, password: String? = nil) -> ChannelSender {
    ChannelSender(
      configuration: configuration,
      smtpPassword: { () async throws(KeychainError) in password }, dateClient: .constant(start))
  }

  @Test("Mail that is not set up holds up no other channel")
  func withoutMail() async throws {
    let sender = sender(Configuration())
    #expect(sender.kinds == [.webhook, .ntfy, .desktop])
    #expect(sender.problems == [.email: "mail is not set up in config.json5"])
    #expect(await sender.deliver(.ada(.alertOn)).kind == .misconfigured)
    let server = try HTTPServer()
    #expect(await sender.deliver(.ada(.alertOn, to: server.url, channel: .webhook)) == .sent)
    #expect(await sender.deliver(.ada(.alertOn, to: server.url + "/t", channel: .ntfy)) == .sent)
    #expect(server.requests.map(\.path) == ["/", "/"])
    #expect(server.requests.map { $0.headers["webhook-id"] != nil } == [true, false])
  }

  @Test("Mail goes to the server, with the password where a user is named")
  func smtp() async throws {
    let server = try SMTPServer(extensions: ["AUTH PLAIN"])
    let smtp = SMTPSettings(
      host: "127.0.0.1", port: server.port, security: .none, username: "ada", from: "a@example.org")
    let sender = sender(Configuration(smtp: smtp), password: "secret")
    #expect(sender.kinds == Set(Channel.Kind.allCases))
    #expect(sender.problems == [:])
    #expect(await sender.deliver(.ada(.alertOn)) == .sent)
    #expect(server.steps.contains(.login(" ada secret")))
  }

  @Test("Or to sendmail")
  func sendmail() async throws {
    let program = try ProgramSenderTests.Program("cat > message")
    let sender = sender(
      Configuration(
        sendmail: SendmailSettings(path: program.path),
        links: LinkSettings(url: "https://ls.example.org")))
    #expect(sender.problems == [:])
    #expect(await sender.deliver(.ada(.alertOn, code: "7K3QF9ZD2M")) == .sent)
    #expect(try program.said("message").contains("https://ls.example.org/a/7K3QF9ZD2M"))
  }
}
