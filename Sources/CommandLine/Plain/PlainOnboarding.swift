import Clients
import Composable
import Domain

/// The questions that create an account, one line each (ONB-1, ONB-2).
struct PlainOnboarding: Sendable {
  let dialog: PlainDialog
  /// The user's credentials; `nil` for the first account of a store.
  let credentials: Credentials?
  @Dependency(\.authClient) var authClient
  @Dependency(\.channelsClient) var channelsClient
  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.mailSettingsClient) var mailSettingsClient
  @Dependency(\.watchClient) var watchClient
  @Dependency(\.continuousClock) var clock

  init(_ dialog: PlainDialog, credentials: Credentials? = nil) {
    self.credentials = credentials
    var dialog = dialog
    dialog.takesCommands = false
    self.dialog = dialog
  }

  func run() async throws {
    dialog.say([
      (credentials == nil ? "There is no account here yet. " : "")
        + "Answer a few questions to create one. Enter skips an optional one.",
      "LifeSignal is no substitute for emergency services.",
    ])
    var responder: ContactDraft?
    try await dialog.untilDone { responder = try await open() }
    guard let responder else { return }
    do { try await sendFirstMessage(to: responder) } catch PlainDialog.Interruption.stopped {
    } catch let error as ClientError { dialog.say(CommandFailure(error)) }
  }

  /// - Returns: The first responder.
  private func open() async throws -> ContactDraft? {
    let name = try await dialog.ask("Your name:", read: ProfileRules.name)
    let phone = try await dialog.ask(
      "Your phone with the country code, optional:", read: ProfileRules.phone)
    let address = try await dialog.ask(
      "Your address, where help must go, optional:", read: ProfileRules.address)
    let note = try await dialog.ask(
      "What your responders should know in an emergency, optional:", read: ProfileRules.note)
    var email = credentials?.email
    if credentials == nil {
      email = try await dialog.ask(
        "Your own e-mail for reminders, optional:", read: optional(ProfileRules.email))
    }
    let interval = try await dialog.ask("Check in every, or Enter for 24h:") {
      $0.isEmpty ? .standard : try CheckInInterval(parsing: $0)
    }
    var account = NewAccount(
      profile: Profile(name: name, phone: phone, note: note, email: email, address: address),
      interval: interval,
      credentials: credentials)
    if let responder = try await responder() { account.responders = [responder] }
    let user = try await authClient.createAccount(account)
    dialog.say("Welcome, \(user.profile.name).")
    return account.responders.first
  }

  /// Asks for the first responder. Returns `nil` if the user goes on without one, after a warning.
  private func responder() async throws -> ContactDraft? {
    let name = try await dialog.ask(
      "Who should be notified if you don't check in? They get a message that they are your responder. Their name:",
      read: optional(ProfileRules.name))
    guard let name else {
      dialog.say("Nobody would be notified until you add someone.")
      return nil
    }
    let topic = try await channelsClient.newTopic()
    let channel = try await dialog.ask(
      "Their e-mail, or Enter for ntfy, a free app for phones without an account:"
    ) {
      try $0.isEmpty ? ChannelDraft(.ntfy, topic.name).checked() : ChannelDraft(parsing: $0)
    }
    return try ContactDraft(validating: name, channels: [channel], roles: .responder)
  }

  /// Sends the responder a test message, or says that nobody can be notified yet (ONB-4).
  private func sendFirstMessage(to responder: ContactDraft) async throws {
    guard let draft = responder.channels.first else { return }
    let name = responder.name
    if draft.kind == .email, try await mailSettingsClient.settings() == nil {
      return dialog.say(
        "Mail isn't set up: \(name) can't be notified yet. Run lifesignal mail setup.")
    }
    if draft.kind == .ntfy, let topic = NtfyTopic(draft.address) {
      dialog.say("Send this to \(name): \(topic.invitation)")
    }
    let answer = try await dialog.answer("Enter sends \(name) a test message; later skips it:")
    guard answer.isEmpty else {
      return dialog.say(
        "Until a test arrives, you can't know that \(name) gets your messages.")
    }
    guard
      let channel = try await contactsClient.contacts().first(where: { $0.name == name })?.channels
        .first
    else { throw ClientError.channelNotFound }
    let test = ChannelTest(channelsClient, watchClient, clock: clock)
    guard let reason = ChannelTest.failure(try await test.run(on: channel.id)) else {
      return dialog.say("Sent. Ask \(name) whether it arrived.")
    }
    dialog.say(
      "Not sent: \(reason)\(reason.hasSuffix(".") ? "" : ".") \(name) can't be notified yet.")
  }
}

/// Returns a rule that reads an empty answer as `nil`.
private func optional<Value>(
  _ rule: @escaping (String) throws -> Value
) -> (String) throws -> Value? {
  { $0.isEmpty ? nil : try rule($0) }
}
