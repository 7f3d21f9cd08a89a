import Clients
import Composable
import Domain
import Monitor
import Testing

@testable import CommandLine

/// `lifesignal mail` (ONB-4).
struct MailCommandTests {
  let world = World()

  private var configuration: String {
    get throws {
      String(decoding: try #require(try world[\.files][World.configuration]?.get()), as: UTF8.self)
    }
  }

  static let test = "/usr/local/bin/lifesignal-monitor --test-mail"

  @Test("ONB-4: if the test of a new mail account fails, the previous account stays in use")
  func failedTest() async throws {
    await world.openAccount()
    let before = "{smtp: {host: 'mail.example.net', from: 'ada@example.net'}}"
    world[\.files][World.configuration] = .success(Array(before.utf8))
    try await world.values.keychainClient.set("smtp-password", "old")
    world[\.lines] = ["ada@gmail.com", "", "", ""].map(LineEvent.line)
    world[\.secrets] = ["hunter2"]
    world[\.programs][Self.test] = ProgramOutcome(
      code: 1, output: "lifesignal-monitor: ada@gmail.com: the mail server can't be reached.\n")
    let outcome = await world.run("mail setup")
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.errorOutput.contains(
        "The test message wasn't sent: the mail server can't be reached."))
    #expect(outcome.errorOutput.contains("The account from before stays in use."))
    #expect(try configuration == before)
    #expect(try await world.values.keychainClient.get("smtp-password") == "old")
    #expect(try await world.values.keychainClient.get("smtp-password-candidate") == nil)
    #expect(world[\.files][World.candidate] == nil)
  }

  @Test("ONB-4: status reports a failed test mail until a later test mail is sent")
  func failedTestShows() async throws {
    await world.openAccount()
    world[\.lines] = ["ada@example.org", "", "", ""].map(LineEvent.line)
    world[\.secrets] = ["hunter2"]
    world[\.files] = [:]
    world[\.programs][Self.test] = ProgramOutcome(
      code: 1, output: "lifesignal-monitor: ada@example.org: the mail server didn't greet\n")
    world[\.deliveryService] = DeliveryService { _ in .retry(reason: "no greeting", after: nil) }
    #expect(await world.run("mail setup").errorOutput.contains("The account is saved."))
    #expect(await world.run("mail test").exitCode == 1)
    #expect(
      await world.run("status").errorOutput.contains(
        "The last test message to you wasn't sent: no greeting."))
    world[\.deliveryService] = DeliveryService { _ in .sent }
    #expect(await world.run("mail test").exitCode == 0)
    #expect(!(await world.run("status").errorOutput.contains("test message")))
  }

  @Test("For a Gmail address, mail setup proposes the server, sends a test and saves the account")
  func setUp() async throws {
    await world.openAccount()
    world[\.files][World.configuration] = .success(Array("// mine\n{}\n".utf8))
    world[\.lines] = ["ada@gmail.com", "", "", ""].map(LineEvent.line)
    world[\.secrets] = ["hunter2"]
    world[\.programs][Self.test] = ProgramOutcome(code: 0, output: "A test message was sent.\n")
    let outcome = await world.run("mail setup")
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(world[\.files][World.candidate] == nil)
    #expect(try await world.values.keychainClient.get("smtp-password-candidate") == nil)
    #expect(outcome.output.hasPrefix("Your e-mail address: ada@gmail.com\n"))
    #expect(outcome.output.contains("or Enter for smtp.gmail.com: \n"))
    #expect(outcome.output.contains("Gmail needs an app password"))
    #expect(
      outcome.output.contains("Sending a test message to ada@gmail.com through smtp.gmail.com …\n"))
    #expect(
      outcome.output.hasSuffix("smtp.gmail.com accepted the test message to ada@gmail.com.\n"))
    let text = try configuration
    #expect(text.hasPrefix("// mine\n{"))
    #expect(text.contains("host: \"smtp.gmail.com\"") && !text.contains("hunter2"))
    #expect(try await world.values.keychainClient.get("smtp-password") == "hunter2")
    #expect(
      try await world.values.channelsClient.overview().own.map(\.address) == ["ada@gmail.com"])
    await world.expect(
      "mail", .init(0, "Mail is sent from ada@gmail.com through smtp.gmail.com, TLS.\n"))
  }

  @Test(
    "Without encryption, mail setup says that no user name or password is saved, and saves none")
  func unencrypted() async throws {
    await world.openAccount()
    world[\.lines] = ["ada@home", "localhost:2525", "none"].map(LineEvent.line)
    let outcome = await world.run("mail setup")
    #expect(
      outcome.output.contains("Without encryption, no user name or password is sent or saved."))
    #expect(outcome.output.contains("“home” has no dot. Is ada@home right?"))
    #expect(try !configuration.contains("username"))
  }

  @Test("Port 99999 in mail setup is refused as not a port")
  func port() async {
    await world.openAccount()
    world[\.lines] = ["ada@example.org", "localhost:99999", "."].map(LineEvent.line)
    #expect(await world.run("mail setup").output.contains("“99999” isn't a port. A port is"))
  }

  @Test(
    "If the mail server rejects the login, mail test exits with 1 and gives the reason and advice")
  func refused() async throws {
    await world.openAccount()
    world[\.deliveryService] = DeliveryService { _ in
      .misconfigured(reason: "the mail server rejected the user name or password, 535")
    }
    let outcome = await world.run("mail test")
    #expect(outcome.exitCode == 1)
    #expect(outcome.errorOutput.contains("The test message wasn't sent: the mail server rejected"))
    #expect(outcome.errorOutput.contains("app password"))
  }

  @Test("Without mail, mail test says to run mail setup; a dot cancels the setup")
  func notSetUp() async throws {
    await world.openAccount()
    world[\.files] = [:]
    #expect(await world.run("mail").exitCode == 1)
    #expect(await world.run("mail test").errorOutput.contains("lifesignal mail setup"))
    world[\.lines] = [.line("ada@gmail.com"), .line(".")]
    #expect(await world.run("mail setup").exitCode == 1)
    #expect(world[\.files].isEmpty)
  }

  @Test("ONB-4: with sendmail configured, mail shows sendmail and mail test sends through sendmail")
  func sendmail() async throws {
    await world.openAccount()
    world[\.files][World.configuration] = .success(Array("{sendmail: '/usr/sbin/sendmail'}".utf8))
    await world.expect("mail", .init(0, "Mail is sent by /usr/sbin/sendmail.\n"))
    #expect(await world.run("mail test").errorOutput.contains("no address to send a test"))
    let sender = "{sendmail: {path: '/usr/sbin/sendmail', from: 'ada@example.org'}}"
    world[\.files][World.configuration] = .success(Array(sender.utf8))
    await world.expect(
      "mail test",
      .init(
        0,
        """
        Sending a test message to ada@example.org …
        /usr/sbin/sendmail accepted the test message to ada@example.org.

        """))
  }

  @Test(
    "ONB-4: a new mail account takes effect only after its test or on request")
  func candidate() async throws {
    await world.openAccount()
    world[\.files][World.configuration] = .success(Array("// mine\n{}\n".utf8))
    let before = try configuration
    var values = DependencyValues()
    try world.provide()(&values)
    let (mail, keychain) = (values.mailSettingsClient, values.keychainClient)
    try await keychain.set(KeychainClient.smtpPassword, "old")
    let smtp = SMTPSettings(
      host: "smtp.example.org", port: 587, security: .starttls, username: "ada@example.org",
      from: "ada@example.org")
    try await mail.save(smtp, Secret("hunter2"))
    #expect(try configuration == before)
    #expect(try await keychain.get(KeychainClient.smtpPassword) == "old")
    // A change made by someone else in the meantime stays.
    world[\.files][World.configuration] = .success(
      Array("{heartbeat: {url: 'https://hc-ping.com/a'}}".utf8))
    world[\.programs][Self.test] = ProgramOutcome(code: 0, output: "")
    #expect(try await mail.test().isSent)
    #expect(try configuration.contains("smtp.example.org"))
    #expect(try configuration.contains("hc-ping"))
    #expect(try await keychain.get(KeychainClient.smtpPassword) == "hunter2")
    // A second one that is discarded changes nothing.
    let now = try configuration
    try await mail.save(smtp, Secret("hunter3"))
    try await mail.discard()
    #expect(try configuration == now)
    #expect(try await keychain.get(KeychainClient.smtpPassword) == "hunter2")
    await #expect(throws: ClientError.self) { _ = try await mail.test() }
    // One that failed is put into use if the person wants it.
    try await mail.save(smtp, Secret("hunter4"))
    try await mail.keep()
    #expect(try await keychain.get(KeychainClient.smtpPassword) == "hunter4")
  }

  @Test("CHK-3: mail setup with a wrong passphrase exits with 40 and changes nothing")
  func gate() async throws {
    await world.openAccount()
    try await world.values.authClient.updateGate(Gate(passphrase: Secret("blue kettle")))
    world[\.lines] = ["ada@gmail.com", "", "", ""].map(LineEvent.line)
    world[\.secrets] = ["hunter2", "red kettle"]
    let before = try configuration
    #expect(await world.run("mail setup").exitCode == 40)
    #expect(try configuration == before)
    #expect(try await world.values.keychainClient.get("smtp-password") == nil)
  }
}
