import Clients
import Domain
import FoundationEssentials
import Testing

/// The mail account in `config.json5`, and the presets of providers (ONB-4).
@Suite struct MailSettingsTests {
  static let smtp = SMTPSettings(
    host: "mail.example.org", port: 2525, security: .tls, username: "ada \"the\" \\ first",
    from: "ada@example.org")

  @Test(
    "Saving mail settings replaces smtp and sendmail and keeps the rest of the file",
    arguments: [
      "", "  \n", "{}", "// mine\n{ heartbeat: { url: \"https://hc-ping.com/a\" }, }",
      "{ smtp: { host: \"old\", from: \"a@b.org\" /* } */ }, // {\n heartbeat: { url: 'https://a.org/' } }",
      "{ 'sendmail': \"/usr/sbin/sendmail\" }",
      "{ heartbeat: { url: \"https://hc-ping.com/smtp:\" }, \"smtp\": {host: 'x', from: 'a@b.org'} }",
    ])
  func replaces(_ text: String) throws {
    let result = try Configuration.json5(text, withMail: Self.smtp)
    let read = try Configuration(json5: Data(result.utf8))
    #expect(read.smtp == Self.smtp)
    #expect(read.sendmail == nil)
    if text.contains("{") {
      #expect(try read.heartbeat == Configuration(json5: Data(text.utf8)).heartbeat)
    }
    for comment in ["// mine", "// {"] where text.contains(comment) {
      #expect(result.contains(comment))
    }
    #expect(try Configuration.json5(result, withMail: Self.smtp) == result)
  }

  @Test(
    "Mail settings aren't saved into a malformed file", arguments: ["{", "[]", "{ smtpp: {} }"])
  func broken(_ text: String) {
    #expect(throws: ConfigurationError.self) {
      try Configuration.json5(text, withMail: Self.smtp)
    }
  }

  @Test("The mail server is suggested from the address's domain")
  func presets() {
    func server(_ address: String) -> String? {
      MailPreset(for: address).map { "\($0.host):\($0.port)" }
    }
    #expect(server("ada@gmail.com") == "smtp.gmail.com:465")
    #expect(server("Ada@GMX.de") == "mail.gmx.net:587")
    #expect(server("ada@yahoo.co.uk") == "smtp.mail.yahoo.com:465")
    #expect(server("ada@notyahoo.example.org") == "smtp.notyahoo.example.org:587")
    #expect(server("ada@example.org") == "smtp.example.org:587")
    #expect(server("ada") == nil)
    #expect(MailPreset(for: "ada@gmail.com")?.advice?.contains("app password") == true)
  }

  @Test("A typed mail server, its port and its encryption are checked")
  func typed() throws {
    func settings(_ server: String, _ security: SMTPSettings.Security = .tls) throws
      -> SMTPSettings
    {
      try SMTPSettings(
        validating: "ada@example.org", server: server, security: security, username: " ")
    }
    #expect(try settings("Mail.Example.org").server == "mail.example.org")
    #expect(try settings("mail.example.org:2525").port == 2525)
    #expect(try settings("localhost", .none).port == 25)
    #expect(try settings("mail.example.org").username == nil)
    for server in ["", "a b", "a@b", "a:1:2", ".a", "https://a"] {
      #expect(throws: ValidationError.mailServer) { try settings(server) }
    }
    for port in ["99999", "0", "b", ""] {
      #expect(throws: ValidationError.port(port)) { try settings("mail.example.org:\(port)") }
    }
    #expect(ValidationError.port("99999").errorDescription == "“99999” isn't a port.")
    #expect(SMTPSettings.port(in: "localhost:2525") == 2525 && SMTPSettings.port(in: "a") == nil)
    #expect(throws: ValidationError.unencryptedMail) { try settings("mail.example.org", .none) }
  }

  @Test("Without encryption a mail account has no login, and a note says so")
  func unencrypted() throws {
    let settings = try SMTPSettings(
      validating: "ada@example.org", server: "localhost", security: .none, username: "ada")
    #expect(settings.username == nil && settings.security.loginNote != nil)
    #expect(SMTPSettings.Security.starttls.loginNote == nil)
  }
}
