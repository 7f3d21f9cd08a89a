import Clients
import Composable
import Domain

/// The questions that open an account, one line each (ONB-1, ONB-2).
struct PlainOnboarding: Sendable {
  let dialog: PlainDialog
  /// What will sign the person in; `nil` for the first account of a store.
  let credentials: Credentials?
  @Dependency(\.authClient) var authClient

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
    try await dialog.untilDone { try await open() }
  }

  private func open() async throws {
    let name = try await dialog.ask("Your name:", read: ProfileRules.name)
    let phone = try await dialog.ask(
      "Your phone with the country code, optional:", read: ProfileRules.phone)
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
      profile: Profile(name: name, phone: phone, note: note, email: email), interval: interval,
      credentials: credentials)
    if let responder = try await responder() { account.responders = [responder] }
    let user = try await authClient.createAccount(account)
    dialog.say("Welcome, \(user.profile.name).")
  }

  /// The first responder, or `nil` where the person goes on without one, after a warning.
  private func responder() async throws -> ContactDraft? {
    let name = try await dialog.ask(
      "Who should be notified if you don't check in? Their name:", read: optional(ProfileRules.name)
    )
    guard let name else {
      dialog.say("Nobody would be notified until you add someone.")
      return nil
    }
    let email = try await dialog.ask("Their e-mail:", read: ProfileRules.email)
    return ContactDraft(name: name, email: email, roles: .responder)
  }
}

/// A rule under which an empty answer is `nil`.
private func optional<Value>(
  _ rule: @escaping (String) throws -> Value
) -> (String) throws -> Value? {
  { $0.isEmpty ? nil : try rule($0) }
}
