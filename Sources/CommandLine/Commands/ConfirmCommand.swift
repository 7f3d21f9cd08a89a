import Clients
import Composable
import Domain

/// `lifesignal confirm`: makes a new e-mail address count, or takes a change of it back (AUTH-5).
struct ConfirmCommand: StoreCommand {
  /// As it was typed; `nil` to have one sent.
  var code: String?
  var isNotMe: Bool
  @Dependency(\.authClient) var authClient
  @Dependency(\.userClient) var userClient
  @Dependency(\.watchClient) var watchClient

  private static let code = Argument(
    ArgumentDeclaration(
      placeholder: "CODE", help: "The code from the mail (default: send another one)",
      isRequired: false),
    read: { (text: String) throws(InvalidValue) in text })
  static let notMe = Flag(
    "not-me", help: "Take back what you did not ask for, by the code from the message that told you"
  )

  static let declaration = CommandDeclaration(
    name: "confirm", summary: "Confirm a new e-mail address, or take its change back",
    discussion: [
      "A new address only gets reminders until you type the code that was mailed to it; until then"
        + " you sign in with the old one. Without CODE, mails another code.",
      "The old address gets a code that takes the change back for 7 days, with --not-me. A message about"
        + " something that waits after a reset of your password has such a code, too. You don't need to be"
        + " signed in for that; every session ends.",
    ],
    arguments: [code.declaration], options: [notMe.declaration],
    make: { (arguments: ParsedArguments) throws(UsageError) in
      let typed = try arguments.argument(code)
      let isNotMe = arguments.isSet(notMe)
      if isNotMe, typed == nil { throw .missingArgument(code.declaration, usage: arguments.usage) }
      return ConfirmCommand(code: typed, isNotMe: isNotMe)
    })

  func run(_ invocation: Invocation) async throws(CommandFailure) -> Report {
    guard let code else { return try await sendCode() }
    try await attempt { () async throws(AuthError) in
      if isNotMe {
        try await authClient.takeBack(code)
      } else {
        try await authClient.confirmAddress(code)
      }
    }
    return Report([
      isNotMe
        ? "It has been taken back, and all sessions have ended. Reset your password now: open lifesignal."
        : "Your new e-mail address is confirmed. Sign in with it from now on."
    ])
  }

  private func sendCode() async throws(CommandFailure) -> Report {
    let user = try await attempt { () async throws(UserError) in try await userClient.currentUser()
    }
    guard user.locks.contains(.unconfirmedAddress), let address = user.profile.email else {
      return Report(["There is no e-mail address to confirm."])
    }
    try await attempt { () async throws(AuthError) in try await authClient.sendAddressCode() }
    // Somebody has to send it.
    try? await located(watchClient.start)
    return Report(["A code is on its way to \(address). Type lifesignal confirm CODE."])
  }
}
