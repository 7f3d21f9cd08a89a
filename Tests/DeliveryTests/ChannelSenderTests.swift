import Clients
import DeliveryTesting
import Domain
import Foundation
import Synchronization
import Testing

@testable import Delivery

/// CHN-1: each kind of channel uses the transport in the configuration.
@Suite(.timeLimit(.minutes(2)))
struct ChannelSenderTests {
  func sender(_ configuration: Configuration, password: String? = nil) -> ChannelSender {
    ChannelSender(
      configuration: configuration,
      smtpSecret: { (_: String) async throws(KeychainError) in password },
      dateClient: .constant(start))
  }

  @Test("Mail that isn't set up doesn't stop other channels")
  func withoutMail() async throws {
    let sender = sender(Configuration())
    #expect(sender.kinds == [.webhook, .ntfy, .desktop, .service])
    #expect(sender.problems == [.email: "mail is not set up; run lifesignal mail setup"])
    #expect(await sender.deliver(.ada(.alertOn)).kind == .misconfigured)
    let server = try HTTPServer { _, _ in .reply(200, body: #"{"id":"sPs71M8A2T"}"#) }
    #expect(await sender.deliver(.ada(.alertOn, to: server.url, channel: .webhook)) == .sent)
    #expect(await sender.deliver(.ada(.alertOn, to: server.url + "/t", channel: .ntfy)) == .sent)
    #expect(server.requests.map(\.path) == ["/", "/"])
    #expect(server.requests.map { $0.headers["webhook-id"] != nil } == [true, false])
  }

  @Test(
    "CHN-1: on a server, channels can't reach the machine itself unless the configuration allows",
    arguments: [Channel.Kind.webhook, .ntfy, .service])
  func ofServer(_ kind: Channel.Kind) async throws {
    let server = try HTTPServer { _, _ in .reply(200, body: #"{"id":"sPs71M8A2T"}"#) }
    var delivery = ClaimedDelivery.ada(.alertOn, to: server.url + "/topic", channel: kind)
    delivery.mayReachPrivate = false
    if kind == .service {
      let gotify = try #require(ServiceCatalog()["gotify"])
      delivery.address = gotify.address(["server": server.url, "label": "a phone"])
      delivery.secret = Secret(#"{"token":"A1b2"}"#)
    }
    func deliver(_ targets: String..., isOfServer: Bool = true) async throws -> DeliveryOutcome {
      let list = targets.map { "\"\($0)\"" }.joined(separator: ",")
      return await ChannelSender(
        configuration: try Configuration(json5: Data("{private_targets: [\(list)]}".utf8)),
        smtpSecret: { (_: String) throws(KeychainError) in nil }, dateClient: .constant(start),
        isOfServer: isOfServer
      ).deliver(delivery)
    }
    let port = try #require(server.url.split(separator: ":").last)
    for refused in [[], ["10.0.0.1"], ["127.0.0.1:1"], ["27.0.0.1"]] {
      let configured = refused.first.map { [$0] } ?? []
      let outcome =
        configured.isEmpty ? try await deliver() : try await deliver(configured[0])
      guard case .permanent(let reason) = outcome else {
        Issue.record("\(outcome)")
        continue
      }
      #expect(reason.hasSuffix("leads to this machine itself, where nothing is sent"))
    }
    #expect(server.requests.isEmpty)
    #expect(try await deliver("127.0.0.1") == .sent)
    #expect(try await deliver("127.0.0.1:\(port)") == .sent)
    #expect(try await deliver(isOfServer: false) == .sent)
    // What a field says of another place doesn't count.
    if kind == .service {
      let address = delivery.address
      delivery.address += "&x=a://hooks.internal/"
      guard case .permanent = try await deliver("hooks.internal") else {
        Issue.record("it was reached")
        return
      }
      delivery.address = address
    }
    delivery.mayReachPrivate = true
    #expect(try await deliver() == .sent)
    #expect(server.requests.count == 4)
  }

  @Test(
    "The setting private_targets takes hosts with or without a port and refuses anything else",
    arguments: ["", "a b", "https://a", "a/b", "a@b"])
  func privateTargets(_ host: String) throws {
    #expect(throws: ConfigurationError.self) {
      try Configuration(json5: Data("{private_targets: [\"\(host)\"]}".utf8))
    }
    let allowed = try Configuration(
      json5: Data(#"{private_targets: ["Hooks.internal", "[fd00::1]:8443"]}"#.utf8)
    ).privateTargets
    #expect(
      allowed.allows("https://hooks.internal/x") && allowed.allows("https://hooks.INTERNAL:9"))
    #expect(allowed.allows("https://[fd00::1]:8443/x"))
    #expect(!allowed.allows("https://[fd00::1]/x") && !allowed.allows("https://x.hooks.internal"))
    #expect(
      !allowed.allows("telegram:123") && !allowed.allows("https://a?b=https://hooks.internal"))
  }

  @Test("Mail goes through the server of the settings, with a login if a user is named")
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

  @Test(
    "Without libcurl only sendmail and the desktop work, and the other channels say why")
  func withoutLibrary() {
    let isThere = Mutex(false)
    func sender(_ configuration: Configuration) -> ChannelSender {
      ChannelSender(
        configuration: configuration, smtpSecret: { (_: String) throws(KeychainError) in nil },
        dateClient: .constant(start), hasNetworkLibrary: { isThere.withLock { $0 } })
    }
    let smtp = sender(
      Configuration(
        smtp: SMTPSettings(
          host: "127.0.0.1", port: 25, security: .none, username: nil, from: "a@example.org")))
    #expect(smtp.kinds == [.desktop])
    #expect(Set(smtp.problems.keys) == [.email, .webhook, .ntfy, .service])
    #expect(smtp.problems[.email]?.contains("libcurl can't be loaded") == true)
    let sendmail = sender(Configuration(sendmail: SendmailSettings(path: "/usr/sbin/sendmail")))
    #expect(sendmail.kinds == [.desktop, .email])
    // Each turn of the monitor asks again.
    isThere.withLock { $0 = true }
    #expect(smtp.problems == [:] && smtp.kinds == Set(Channel.Kind.allCases))
  }

  @Test("Mail goes through sendmail if no server is set")
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

  @Test("Invisible and text-reversing characters are removed from every message on every channel")
  func invisible() async throws {
    let marks = "\u{202E}\u{2066}\u{200F}\u{61C}\u{200B}\u{FEFF}"
    let server = try HTTPServer { _, _ in .reply(200, body: #"{"id":"sPs71M8A2T"}"#) }
    let program = try ProgramSenderTests.Program("cat > message")
    let sender = sender(
      Configuration(sendmail: SendmailSettings(path: program.path, from: "a@example.org")))
    let stages: [Stage] = [
      .reminder(.hours(1)), .nonResponsive, .alertOn, .alertOnAgain(1), .alertOff, .allClear,
      .contactAdded, .acknowledged(UUID()), .accountDeleted, .channelTest(UUID()),
    ]
    var texts: [String] = []
    for stage in stages {
      for kind in [Channel.Kind.email, .webhook, .ntfy] {
        let address =
          switch kind {
          case .email: "bob@example.org"
          case .ntfy: server.url + "/t"
          default: server.url
          }
        let delivery = ClaimedDelivery.ada(
          stage, name: "נועה\(marks) לוי", note: "\(marks)exe.gpj", message: "Help\(marks) me",
          to: address, recipientName: "ليلى\(marks)", detail: "Zoë\(marks)", channel: kind)
        #expect(await sender.deliver(delivery) == .sent)
      }
      let mail = try ParsedMail(Array(program.said("message").utf8))
      texts += [mail.body, mail.html ?? ""] + mail.headers.values
    }
    texts += server.requests.map(\.body)
    for text in texts {
      #expect(!text.unicodeScalars.contains { marks.unicodeScalars.contains($0) }, "\(text)")
    }
    #expect(texts.contains { $0.contains("נועה לוי") } && texts.contains { $0.contains("ليلى") })
  }
}
