import Clients
import Composable
import Domain

/// `lifesignal mail`: shows, sets up and tests the mail account for messages (ONB-4).
struct MailCommand: StoreCommand, LocalCommand, VerbCommand {
  let verb: Verb<Self>
  @Dependency(\.mailSettingsClient) var mailSettingsClient
  @Dependency(\.channelsClient) var channelsClient
  @Dependency(\.watchClient) var watchClient
  @Dependency(\.userClient) var userClient
  @Dependency(\.continuousClock) var clock

  init(verb: Verb<Self>) { self.verb = verb }

  static let declaration = CommandDeclaration(
    "mail", "Set up the mail account that messages are sent through",
    discussion: [
      "setup asks for your address, the server, the user name and the password, finds the server of"
        + " many providers by the address, and sends a test message to that address. Once the server"
        + " has accepted it, the settings are saved in ~/.config/lifesignal/config.json5, and the"
        + " password as with lifesignal keychain.",
      "Exits with 1 if the server didn't accept the test message.",
    ],
    exitCodes: [.locked]
  ) { syntax in
    syntax.verb("show", "Show the account", isDefault: true, run: Self.show)
    syntax.verb("setup", "Ask for the account, save it and send a test", run: Self.setUp)
    syntax.verb("test", "Send a test message to your own address", run: Self.test)
    return syntax.chosenVerb
  }

  private func show() async throws -> Report {
    switch try await mailSettingsClient.settings() {
    case nil: Report(["Mail isn't set up. Run lifesignal mail setup."], exitCode: .failure)
    case .sendmail(let sendmail): Report(["Mail is sent by \(sendmail.path)."])
    case .smtp(let smtp):
      Report([
        "Mail is sent from \(smtp.from) through \(smtp.server), \(smtp.security.displayText)."
      ])
    }
  }

  private func setUp(_ invocation: Invocation) async throws -> Report {
    let transport = try await mailSettingsClient.settings()
    let dialog = PlainDialog(invocation: invocation, takesCommands: false)
    let old: SMTPSettings? = if case .smtp(let smtp) = transport { smtp } else { nil }
    do {
      let smtp = try await ask(dialog, old)
      dialog.say("Sending a test message to \(smtp.from) through \(smtp.host) …")
      return try await testCandidate(smtp, isFirst: transport == nil)
    } catch is PlainDialog.Interruption {
      throw CommandFailure("Mail wasn't set up.", advice: "Nothing was changed.")
    }
  }

  /// Tests the new account, which replaces the old one if the server accepts the message.
  private func testCandidate(_ smtp: SMTPSettings, isFirst: Bool) async throws -> Report {
    let result = try await mailSettingsClient.test()
    let test = ChannelTest(channelsClient, watchClient, clock: clock)
    if result.isSent {
      try await test.keep(smtp.from, isTested: true)
      return Report([result.text])
    }
    // Without another account there is nothing to lose, and the network may be to blame.
    if isFirst {
      try await mailSettingsClient.keep()
      try await test.keep(smtp.from, isTested: false)
    } else {
      try await mailSettingsClient.discard()
    }
    return Report(
      warnings: [
        result.sentences,
        isFirst
          ? "The account is saved. Try again with lifesignal mail test."
          : "The account from before stays in use.",
      ], exitCode: .failure)
  }

  /// Asks for the account and keeps it as a candidate.
  private func ask(_ dialog: PlainDialog, _ old: SMTPSettings?) async throws -> SMTPSettings {
    let suggested = try await userClient.currentUser().profile.email ?? old?.from
    let address = try await dialog.ask(question("Your e-mail address", suggested)) {
      try ProfileRules.email($0.isEmpty ? suggested ?? "" : $0)
    }
    if let doubt = ProfileRules.doubt(aboutEmail: address) { dialog.say(doubt) }
    let kept = old?.from == address ? old : nil
    let preset = MailPreset(for: address)
    let server = try await dialog.ask(
      question("Mail server, such as smtp.example.org", kept?.server ?? preset?.host)
    ) { text in
      let server = text.isEmpty ? kept?.server ?? preset?.host ?? "" : text
      _ = try SMTPSettings(validating: address, server: server, security: .tls, username: "")
      return server
    }
    let usual = kept?.security ?? (server == preset?.host ? preset?.security : nil) ?? .starttls
    var smtp = try await dialog.ask(question("Security: starttls, tls or none", usual.rawValue)) {
      text in
      let security = text.isEmpty ? usual : SMTPSettings.Security(rawValue: text.lowercased())
      guard let security else { throw ValidationError.confirmation("starttls, tls or none") }
      return try SMTPSettings(
        validating: address, server: server, security: security, username: "")
    }
    if smtp.security != .none {
      let username = kept?.username ?? address
      smtp.username = try await dialog.ask(question("User name", username)) {
        $0.isEmpty ? username : $0
      }
      if let advice = preset?.advice { dialog.say(advice) }
    }
    if let kept { smtp.keepDetails(of: kept) }
    if let note = smtp.security.loginNote { dialog.say(note) }
    let password =
      smtp.username == nil ? nil : Secret(try dialog.invocation.readSecret("Password: "))
    try await dialog.invocation.passingGate {
      try await mailSettingsClient.save(smtp, password)
    }
    return smtp
  }

  private func question(_ text: String, _ suggestion: String?) -> String {
    "\(text)\(suggestion.map { ", or Enter for \($0)" } ?? ""):"
  }

  /// Sends a test message to the sender's address, or else to the user's own.
  private func test(_ invocation: Invocation) async throws -> Report {
    guard let transport = try await mailSettingsClient.settings() else {
      throw CommandFailure("Mail isn't set up.", advice: "Run lifesignal mail setup.")
    }
    var address = transport.from
    if address == nil { address = try await userClient.currentUser().profile.email }
    guard let address else {
      throw CommandFailure(
        "There is no address to send a test message to.",
        advice: "Add your e-mail under Profile in the app.")
    }
    invocation.say("Sending a test message to \(address) …")
    let test = ChannelTest(channelsClient, watchClient, clock: clock)
    let result = MailTestResult(try await test.run(to: address), transport)
    return Report(
      result.isSent ? [result.text] : [], warnings: result.isSent ? [] : [result.sentences],
      exitCode: result.isSent ? .ok : .failure)
  }
}
