import Clients
import Composable
import Domain

/// The questions that sign somebody in, or open a further account (AUTH-1).
struct PlainSignIn: Sendable {
  let dialog: PlainDialog
  @Dependency(\.authClient) var authClient

  init(_ dialog: PlainDialog) {
    var dialog = dialog
    dialog.takesCommands = false
    self.dialog = dialog
  }

  func run() async throws {
    dialog.say([
      "Nobody is signed in here. Your e-mail and password sign you in; new opens another account.",
      "LifeSignal is no substitute for emergency services.",
    ])
    while true {
      do {
        return try await signIn()
      } catch PlainDialog.Interruption.stopped {
        dialog.say("From the beginning, then.")
      } catch let failure as CommandFailure {
        dialog.say(failure)
      }
    }
  }

  private func signIn() async throws {
    guard let email = try await email(orNew: true) else { return try await signUp() }
    let password = try dialog.invocation.readPassword("Password: ", mayBeEmpty: true)
    _ = try await attempt { () async throws(AuthError) in
      try await authClient.signIn(Credentials(email: email, password: password))
    }
  }

  private func signUp() async throws {
    guard let email = try await email(orNew: false) else { return }
    let credentials = Credentials(
      email: email, password: try dialog.invocation.readNewPassword())
    try await attempt { () async throws(AuthError) in
      try await authClient.checkSignUp(credentials)
    }
    try await PlainOnboarding(dialog, credentials: credentials).run()
  }

  /// - Returns: `nil` for another account.
  private func email(orNew: Bool) async throws -> String? {
    let address = authClient.requestedAddress()
    let suggestion = address.map { ", or Enter for \($0)" } ?? ""
    return try await dialog.ask("Your e-mail\(suggestion):") {
      (text: String) throws(ValidationError) -> String? in
      if let address, text.isEmpty { return address }
      if orNew, text.lowercased() == "new" { return nil }
      return try ProfileRules.email(text)
    }
  }
}
