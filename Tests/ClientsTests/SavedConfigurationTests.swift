import Clients
import Domain
import FoundationEssentials
import Testing

/// The settings that are used if someone else could have written them.
@Suite struct SavedConfigurationTests {
  private let open = ConfigurationExposure(path: "/c/config.json5", fault: .open)

  private func configuration(_ text: String) throws -> Configuration {
    try Configuration(json5: Data(text.utf8))
  }

  private let everything = """
    {
      smtp: {host: "mail.example.org", username: "ada", from: "ada@example.org",
             password_command: ["pass", "show", "mail"]},
      heartbeat: {url: "https://hc.example.org/7"}, links: {url: "https://ls.example.org"},
      error_log: {url: "https://logs.example.org", token_command: ["token"]},
    }
    """

  @Test("Settings that nobody else can write are used completely")
  func trusted() throws {
    let configuration = try configuration(everything)
    let saved = SavedConfiguration(configuration)
    #expect(saved.configuration == configuration)
    #expect(saved.exposure == nil)
    let password = try saved.secretCommand(KeychainClient.smtpPassword)
    #expect(password?.arguments == ["pass", "show", "mail"])
    #expect(try saved.secretCommand(KeychainClient.sessionToken) == nil)
  }

  @Test("Settings that others can write run no commands and send no secrets; the rest applies")
  func exposed() throws {
    let saved = SavedConfiguration(try configuration(everything), exposure: open)
    var harmless = try configuration(everything)
    harmless.smtp = nil
    harmless.errorLog = nil
    #expect(saved.configuration == harmless)
    #expect(saved.exposure?.withheld == [.login, .errorLog])
    for secret in [KeychainClient.smtpPassword, KeychainClient.errorLogToken] {
      #expect(
        throws: KeychainError.unavailable(
          "others can change config.json5, so no mail is sent with your password and the error"
            + " log is not sent; chmod go-w fixes it, as lifesignal doctor says")
      ) { try saved.secretCommand(secret) }
    }
    #expect(try saved.secretCommand(KeychainClient.sessionToken) == nil)
  }

  @Test("Settings that others can write don't run sendmail")
  func exposedSendmail() throws {
    let saved = SavedConfiguration(
      try configuration(#"{sendmail: "/usr/sbin/sendmail"}"#), exposure: open)
    #expect(saved.configuration == Configuration())
    #expect(saved.exposure?.withheld == [.sendmail])
    #expect(
      saved.exposure?.text.description
        == "Others can change /c/config.json5, so sendmail is not run.")
    #expect(saved.exposure?.text.recovery == "Run chmod go-w /c/config.json5.")
  }

  @Test("Withheld settings block mail only if mail needs them")
  func failureReason() throws {
    func exposure(_ text: String) throws -> ConfigurationExposure? {
      SavedConfiguration(try configuration(text), exposure: open).exposure
    }
    let smtp = #"smtp: {host: "h", username: "a", from: "a@b.example""#
    let log = #"error_log: {url: "https://l.example", token_command: ["t"]}"#
    let cases = [
      (#"{sendmail: "/bin/mail"}"#, true),
      ("{\(smtp), password_command: [\"p\"]}}", true), ("{\(smtp)}}", true),
      (#"{smtp: {host: "h", from: "a@b.example", password_command: ["p"]}}"#, false),
      ("{\(log)}", false), ("{}", false),
    ]
    for (text, blocks) in cases {
      let exposure = try #require(try exposure(text))
      #expect(exposure.blocksMail == blocks, "\(text)")
    }
  }

  @Test(
    "Every setting that runs a program or sends a secret is withheld if others can write the file")
  func everySetting() throws {
    let texts = [
      #"{sendmail: "/bin/mail"}"#, #"{smtp: {host: "h", from: "a@b.example", username: "a"}}"#,
      #"{error_log: {url: "https://l.example"}}"#,
    ]
    let withheld = try texts.flatMap {
      SavedConfiguration(try configuration($0), exposure: open).exposure?.withheld ?? []
    }
    #expect(withheld == WithheldSetting.allCases)
  }

  @Test("If others can write the file, a mail account without a login loses its password command")
  func noCommand() throws {
    let text = #"{smtp: {host: "h", from: "a@b.example", password_command: ["p"]}}"#
    let saved = SavedConfiguration(try configuration(text), exposure: open)
    #expect(saved.configuration.smtp?.host == "h")
    #expect(try saved.secretCommand(KeychainClient.smtpPassword) == nil)
  }
}
