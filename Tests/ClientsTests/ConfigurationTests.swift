import Clients
import Domain
import FoundationEssentials
import Testing

@Suite struct ConfigurationTests {
  func read(_ text: String) throws(ConfigurationError) -> Configuration {
    try Configuration(json5: Data(text.utf8))
  }

  @Test("An empty configuration file is an error that says to write {}")
  func emptyFile() throws {
    #expect(try read("{}") == Configuration())
    for text in ["", " \n"] {
      let error = try #require(throws: ConfigurationError.self) { try read(text) }
      #expect(error.text.description.contains("the file is empty, write {} to have no settings"))
    }
  }

  @Test("CHN-1: an SMTP account is read with every field")
  func smtp() throws {
    let configuration = try read(
      """
      {
        // The mail account.
        smtp: { host: "mail.example.org", port: 2525, security: "starttls",
                username: 'ada', from: "ada@example.org" },
      }
      """)
    #expect(
      configuration.smtp
        == SMTPSettings(
          host: "mail.example.org", port: 2_525, security: .starttls, username: "ada",
          from: "ada@example.org"))
  }

  @Test("CHN-1: sendmail is set by its path alone, or with a sender")
  func sendmail() throws {
    #expect(
      try read(#"{sendmail: "/usr/sbin/sendmail"}"#)
        == Configuration(sendmail: SendmailSettings(path: "/usr/sbin/sendmail")))
    #expect(
      try read(#"{sendmail: {path: "/usr/sbin/sendmail", from: "a@b"}}"#)
        == Configuration(sendmail: SendmailSettings(path: "/usr/sbin/sendmail", from: "a@b")))
  }

  @Test("WCH-2: a heartbeat's URL and interval are read; a missing interval is 1 minute")
  func heartbeat() throws {
    #expect(
      try read(#"{heartbeat: {url: "https://hc-ping.com/x", every: "5m"}}"#)
        == Configuration(
          heartbeat: HeartbeatSettings(url: "https://hc-ping.com/x", every: .minutes(5))))
    #expect(try read(#"{heartbeat: {url: "http://localhost:1"}}"#).heartbeat?.every == .minutes(1))
  }

  @Test("ESC-2: the links have a URL and a listening address, which is 127.0.0.1:8737 by default")
  func links() throws {
    let links = try #require(try read(#"{links: {url: "https://LS.example.org/x/"}}"#).links)
    #expect(links == LinkSettings(url: "https://ls.example.org/x", host: "127.0.0.1", port: 8_737))
    #expect(links.link(for: "7K3QF9ZD2M") == "https://ls.example.org/x/a/7K3QF9ZD2M")
    let other = try read(#"{links: {url: "https://a.example", listen: "[::1]:80"}}"#).links
    #expect(other == LinkSettings(url: "https://a.example", host: "::1", port: 80))
    for proxy in ["127.0.0.1", "::1"] {
      let links = try read(#"{links: {url: "https://a.example", proxy: "\#(proxy)"}}"#).links
      #expect(links?.proxy == proxy)
    }
    #expect(
      throws: ConfigurationError(
        line: 1, reason: "links.proxy must be an address, such as “127.0.0.1”")
    ) { try read(#"{links: {url: "https://a.example", proxy: "caddy"}}"#) }
  }

  @Test("A command can give the password of the mail account")
  func passwordCommand() throws {
    let configuration = try read(
      #"{smtp: {host: "m", from: "a@b", username: "a", password_command: ["pass", "show", "a b"]}}"#
    )
    let command = try #require(configuration.smtp?.passwordCommand)
    #expect(command.arguments == ["pass", "show", "a b"])
    #expect(command.program == "pass")
    #expect(configuration.secretCommand(KeychainClient.smtpPassword) == command)
    #expect(configuration.secretCommand(KeychainClient.errorLogToken) == nil)
    #expect(configuration.secretCommand(KeychainClient.sessionToken) == nil)
  }

  @Test("The error log has a URL and a token command, and isn't sent if no URL is set")
  func errorLog() throws {
    #expect(try read("{}").errorLog == nil)
    let configuration = try read(
      #"{error_log: {url: "https://Logs.example.org/in?x=1", token_command: ["/bin/token"]}}"#)
    let log = try #require(configuration.errorLog)
    #expect(log.url == "https://logs.example.org/in?x=1")
    #expect(log.host == "logs.example.org")
    #expect(configuration.secretCommand(KeychainClient.errorLogToken)?.arguments == ["/bin/token"])
  }

  @Test func securityIsRequiredUnlessSaidOtherwise() throws {
    let plain = try read(#"{smtp: {host: "m.example", from: "a@b"}}"#)
    #expect(plain.smtp?.security == .starttls)
    #expect(plain.smtp?.port == 587)
    #expect(
      try read(#"{smtp: {host: "m.example", from: "a@b", security: "tls"}}"#).smtp?.port == 465)
  }

  @Test(
    "A broken configuration names the line and the reason",
    arguments: [
      ("{\n  smtp: {\n", 3 as Int?, "the file ends too early"),
      ("{\n  smtp: {\n    host: oops oops\n  }\n}", 3, "“oops” needs quotes"),
      ("{\n smtp: {host: 'm\n}}", 2, "a string has no closing quote"),
      ("{\n smtp: {host: 'm' from: 'a@b'}}", 2, "a comma or } is missing"),
      ("{\n /* smtp: {}}", 2, "a comment has no end"),
      ("{\n smtp {}}", 2, "a colon is missing"),
      ("{}\n\n}", 3, "} does not belong here"),
      ("{\n  smtp: 5\n}", 2, "smtp has the wrong type"),
      ("{\n\n  smpt: {}\n}", 3, "smpt is not a setting"),
      ("{smtp: {\n from: 'a@b'\n}}", 1, "smtp.host is missing"),
      ("{smtp: {host: 'm',\n from: 'ab'}}", 2, "smtp.from is not an e-mail address"),
      ("{smtp: {host: 'm', from: 'a@b',\n\n port: 0}}", 3, "smtp.port must be 1 to 65535"),
      ("{smtp: {host: 'm', from: 'a@b',\n port: 'x'}}", 2, "smtp.port has the wrong type"),
      (
        "{smtp: {host: 'm', from: 'a@b',\n security: 'none'}}", 2,
        "smtp.security can be “none” only for this machine (localhost)"
      ),
      (
        "{smtp: {host: 'm', from: 'a@b',\n security: 'ssl'}}", 2,
        "smtp.security must be one of “starttls”, “tls”, “none”"
      ),
      ("{smtp: {host: 'm/n', from: 'a@b'}}", 1, "smtp.host is not the name of a server"),
      (
        #"{smtp: {host: "m", from: "a@b", password_command: "pass show"}}"#, 1,
        "smtp.password_command must be a list of words that begins with a program, such as [“pass”, “show”, “mail”]"
      ),
      (
        #"{smtp: {host: "m", from: "a@b", password_command: []}}"#, 1,
        "smtp.password_command must be a list of words that begins with a program, such as [“pass”, “show”, “mail”]"
      ),
      (
        #"{smtp: {host: "m", from: "a@b", password_command: [""]}}"#, 1,
        "smtp.password_command must be a list of words that begins with a program, such as [“pass”, “show”, “mail”]"
      ),
      (
        #"{smtp: {host: "m", from: "a@b", password_command: [1]}}"#, 1,
        "smtp.password_command must be a list of words that begins with a program, such as [“pass”, “show”, “mail”]"
      ),
      (
        #"{smtp: {host: "m", from: "a@b", password_command: {}}}"#, 1,
        "smtp.password_command must be a list of words that begins with a program, such as [“pass”, “show”, “mail”]"
      ),
      (
        #"{smtp: {host: "m", from: "a@b", password_command: ["./pass"]}}"#, 1,
        "smtp.password_command must be a list of words that begins with a program, such as [“pass”, “show”, “mail”]"
      ),
      (
        #"{smtp: {host: "m", from: "a@b", password_command: ["bin/pass"]}}"#, 1,
        "smtp.password_command must be a list of words that begins with a program, such as [“pass”, “show”, “mail”]"
      ),
      (
        #"{smtp: {host: "m", from: "a@b", password_command: ["pass", "a\nb"]}}"#, 1,
        "smtp.password_command must be a list of words that begins with a program, such as [“pass”, “show”, “mail”]"
      ),
      (
        #"{smtp: {host: "m", from: "a@b", password_command: ["pass\u0000"]}}"#, 1,
        "smtp.password_command must be a list of words that begins with a program, such as [“pass”, “show”, “mail”]"
      ),
      (
        "{error_log: {url: 'https://a.b',\n token_command: []}}", 2,
        "error_log.token_command must be a list of words that begins with a program, such as [“pass”, “show”, “mail”]"
      ),
      ("{error_log: {\n url: 'http://a.b'}}", 2, "error_log.url must be an https address"),
      ("{error_log: {}}", 1, "error_log.url is missing"),
      ("{error_log: {url: 'https://a.b',\n names: 1}}", 2, "error_log.names is not a setting"),
      ("[]", nil, "the file has the wrong type"),
      (
        "{smtp: {host: 'm', from: 'a@b'},\n sendmail: '/x'}", 2,
        "smtp is already set; keep one of the two"
      ),
      ("{\n sendmail: 'sendmail'}", 2, "sendmail must be an absolute path"),
      ("{sendmail: {\n path: '/x', to: 'a'}}", 2, "sendmail.to is not a setting"),
      ("{sendmail: {path: '/x',\n from: 'ab'}}", 2, "sendmail.from is not an e-mail address"),
      (
        "{links: {url: 'https://a.b'},\n heartbeat: {\n url: 'http://a.b'}}", 3,
        "heartbeat.url must be an https address"
      ),
      (
        "{heartbeat: {url: 'https://a.b',\n every: '5'}}", 2,
        "heartbeat.every must be a time from “10s” to “1d”"
      ),
      (
        "{heartbeat: {url: 'https://a.b',\n every: '9s'}}", 2,
        "heartbeat.every must be a time from “10s” to “1d”"
      ),
      ("{heartbeat: {}}", 1, "heartbeat.url is missing"),
      ("{links: {\n url: 'ls.example.org'}}", 2, "links.url must be an https address"),
      (
        "{links: {url: 'https://a.b',\n listen: '8737'}}", 2,
        "links.listen must be an address and a port, such as “127.0.0.1:8737”"
      ),
      (
        "{links: {url: 'https://a.b',\n listen: 'localhost:0'}}", 2,
        "links.listen must be an address and a port, such as “127.0.0.1:8737”"
      ),
      ("{links: {url: 'https://a.b',\n cookies: 1}}", 2, "links.cookies is not a setting"),
    ])
  func broken(text: String, line: Int?, reason: String) {
    #expect {
      try read(text)
    } throws: { error in
      guard let error = error as? ConfigurationError else { return false }
      return error.reason == reason && (line == nil || error.line == line)
    }
  }

  @Test func aHugeFileIsRefused() {
    #expect(throws: ConfigurationError(reason: "the file is larger than 64 KiB")) {
      try read(String(repeating: " ", count: 70_000))
    }
  }
}

@Suite struct FoldersTests {
  @Test func theVariablesOfTheStandardComeFirst() {
    let folders = Folders(environment: [
      "HOME": "/home/ada", "XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "relative",
    ])
    #expect(folders?.data == "/d/lifesignal")
    #expect(folders?.config == "/home/ada/.config/lifesignal")
    #expect(folders?.state == "/home/ada/.local/state/lifesignal")
    #expect(folders?.database == "/d/lifesignal/lifesignal.db")
  }

  @Test(
    "ALT-7: waiting alerts have folders on disk and in memory, separate ones for each store")
  func spools() {
    func folders(_ data: String) -> Folders? {
      Folders(environment: [
        "HOME": "/home/ada", "XDG_DATA_HOME": data, "XDG_RUNTIME_DIR": "/run/user/1",
      ])
    }
    let one = folders("/one")
    #expect(
      one?.spools == ["/home/ada/.local/state/lifesignal/alerts", "/one/lifesignal/alerts"])
    #expect(one?.volatileSpools.count == 2)
    #expect(one?.volatileSpools[0].hasPrefix("/run/user/1/lifesignal/alerts-") == true)
    #expect(one?.volatileSpools[1].hasPrefix("/dev/shm/lifesignal-") == true)
    let shared = Set(one?.volatileSpools ?? []).intersection(folders("/two")?.volatileSpools ?? [])
    #expect(shared.isEmpty)
  }

  @Test func withoutAHomeThereAreNone() {
    #expect(Folders(environment: [:]) == nil)
    #expect(Folders(environment: ["HOME": ""]) == nil)
    #expect(
      Folders(environment: [
        "XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s",
      ]) != nil)
  }
}

@Suite struct DocumentPathTests {
  @Test(arguments: ["", "a/b", "..", "a b", "ä", String(repeating: "a", count: 65)])
  func namesThatCouldLeaveTheirPlaceAreRefused(name: String) {
    #expect(throws: StorageError.self) { try CollectionPath(name) }
    #expect(throws: StorageError.self) { try CollectionPath.settings.document(name) }
  }

  @Test func aPathIsCollectionAndId() throws {
    #expect(try CollectionPath("notes").document("n-1").description == "notes/n-1")
    #expect(DocumentPath.appearance.description == "settings/appearance")
  }
}
