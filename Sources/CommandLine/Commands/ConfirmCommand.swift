import Clients
import Composable
import Domain

/// `lifesignal confirm`: confirms a new e-mail address, or undoes a change of address (AUTH-5).
struct ConfirmCommand: StoreCommand {
  /// The code as typed; `nil` to send a new one.
  var code: String?
  var isNotMe: Bool
  @Dependency(\.authClient) var authClient
  @Dependency(\.userClient) var userClient
  @Dependency(\.watchClient) var watchClient

  static let declaration = CommandDeclaration(
    "confirm", "Confirm a new e-mail address, or undo the change",
    discussion: [
      "A new address gets reminders at once. You sign in with it after you type the code that"
        + " was mailed to it; until then the old address counts. Without CODE, mails a new code.",
      "The old address gets a code that undoes the change for 7 days: use it with --not-me."
        + " Messages about changes that wait after a password reset have such a code, too. You"
        + " don't need to be signed in to use it, and it ends every session.",
    ]
  ) { syntax in
    let code = syntax.argument(
      "CODE", "The code from the mail (default: send a new one)", isRequired: false)
    let notMe = syntax.flag(
      "not-me", "Undo a change you didn't ask for, with the code from the message about it")
    return { arguments in
      let isNotMe = arguments.isSet(notMe)
      return ConfirmCommand(
        code: try isNotMe ? arguments.required(code) : arguments.value(of: code), isNotMe: isNotMe)
    }
  }

  func run(_ invocation: Invocation) async throws -> Report {
    guard let code else { return try await sendCode() }
    if isNotMe {
      try await authClient.takeBack(code)
    } else {
      try await authClient.confirmAddress(code)
    }
    return Report([
      isNotMe
        ? "The change is undone and all sessions have ended. Reset your password now: open"
          + " lifesignal."
        : "Your new e-mail address is confirmed. Sign in with it from now on."
    ])
  }

  private func sendCode() async throws -> Report {
    let user = try await userClient.currentUser()
    guard user.locks.contains(.unconfirmedAddress), let address = user.profile.email else {
      return Report(["There is no e-mail address to confirm."])
    }
    try await authClient.sendAddressCode()
    // A monitor must send it.
    try? await watchClient.start()
    return Report(["A code was sent to \(address). Type lifesignal confirm CODE."])
  }
}
