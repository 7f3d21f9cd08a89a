import Clients
import Composable
import Domain

/// The questions that sign the user in, or create another account (AUTH-1).
struct PlainSignIn: Sendable {
  let dialog: PlainDialog
  @Dependency(\.authClient) var authClient
  @Dependency(\.invitationClient) var invitationClient
  @Dependency(\.accountHost) var accountHost

  init(_ dialog: PlainDialog) {
    var dialog = dialog
    dialog.takesCommands = false
    self.dialog = dialog
  }

  func run() async throws {
    dialog.say([
      "You aren't signed in. Your e-mail and password sign you in; new opens another account."
        + " If you got a message about a change you didn't make, type not me.",
      "LifeSignal is no substitute for emergency services.",
    ])
    try await dialog.untilDone { try await signIn() }
  }

  private func signIn() async throws {
    let email: String
    switch try await answer() {
    case .new: return try await signUp()
    case .notMe:
      try await takeBack()
      return try await signIn()
    case .email(let typed): email = typed
    }
    let password = try dialog.invocation.readPassword("Password: ", mayBeEmpty: true)
    _ = try await authClient.signIn(Credentials(email: email, password: password))
  }

  private func signUp() async throws {
    if accountHost != .thisMachine {
      try await invitationClient.setInvitation(
        dialog.ask("Your invitation, or Enter if the server is open to all:") { $0 })
      if let offer = try await invitationClient.offer() {
        dialog.say(offer.sentences)
      }
    }
    let email = try await dialog.ask("Your e-mail:", read: ProfileRules.email)
    let credentials = Credentials(
      email: email, password: try dialog.invocation.readNewPassword())
    try await authClient.checkSignUp(credentials)
    try await PlainOnboarding(dialog, credentials: credentials).run()
  }

  /// Undoes a change for a user who says "This wasn't me" (AUTH-5).
  private func takeBack() async throws {
    let code = try await dialog.ask("The code from the message:") { $0 }
    try await authClient.takeBack(code)
    dialog.say("The change is undone and all sessions have ended. Reset your password now.")
  }

  private enum Answer { case email(String), new, notMe }

  private func answer() async throws -> Answer {
    let address = authClient.requestedAddress()
    let suggestion = address.map { ", or Enter for \($0)" } ?? ""
    return try await dialog.ask("Your e-mail\(suggestion):") { text in
      if let address, text.isEmpty { return .email(address) }
      switch text.lowercased() {
      case "new": return .new
      case "not me": return .notMe
      default: return .email(try ProfileRules.email(text))
      }
    }
  }
}
