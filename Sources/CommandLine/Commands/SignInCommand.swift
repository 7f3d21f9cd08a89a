import Clients
import Composable
import Domain

/// `lifesignal sign-in`: begins a session without the screen (AUTH-1).
struct SignInCommand: StoreCommand {
  var email: String
  @Dependency(\.authClient) var authClient
  @Dependency(\.userClient) var userClient

  static let declaration = CommandDeclaration(
    "sign-in", "Sign in with your address and password",
    discussion: [
      "The password is asked for, or read from standard input, and never from an argument.",
      "The session is kept in the file of secrets, and ends when it is not used for 30 days. With"
        + " --as it goes beside others, so that each command with the same --as works for that"
        + " account.",
    ]
  ) { words in
    let email = words.argument(
      "EMAIL", "The address of your account; that of --as where it is left out",
      isRequired: false, read: ProfileRules.email)
    return { arguments in
      let account = try arguments.value(of: CommandDeclaration.account)
      guard let address = try arguments.value(of: email) ?? account else {
        throw arguments.missing(email)
      }
      return SignInCommand(email: address)
    }
  }

  func run(_ invocation: Invocation) async throws -> Report {
    let password = try invocation.readPassword("Password: ", mayBeEmpty: true)
    let credentials = Credentials(email: email, password: password)
    _ = try await authClient.signIn(credentials)
    let user = try await userClient.currentUser()
    return Report(["Signed in as \(user.profile.name)."])
  }
}

/// `lifesignal sign-out`: ends the session (AUTH-1).
struct SignOutCommand: StoreCommand {
  @Dependency(\.authClient) var authClient
  @Dependency(\.userClient) var userClient

  static let declaration = CommandDeclaration(
    "sign-out", "End your session here",
    discussion: ["Your deadline goes on running, and your responders are told if you miss it."]
  ) { _ in { _ in SignOutCommand() } }

  func run(_ invocation: Invocation) async throws -> Report {
    let user = try await userClient.currentUser()
    guard user.locks.contains(.password) else {
      throw CommandFailure(
        "This account has no password, so nobody signs in or out.",
        advice: "Set one in the app, under Profile, Security.")
    }
    try await authClient.signOut()
    return Report(["\(user.profile.name) has signed out."])
  }
}

extension Invocation {
  /// A password that was typed or piped in.
  /// - Parameter mayBeEmpty: Whether nothing may be given, as for an account without a password.
  func readPassword(
    _ prompt: String, mayBeEmpty: Bool = false
  ) throws -> Secret<String> {
    do throws(SecretError) { return Secret(try readSecret(prompt)) } catch {
      if error == .empty || error == .ended, mayBeEmpty { return Secret("") }
      throw error
    }
  }

  /// A new password, typed twice; a pipe may give it once, since it makes no slips.
  func readNewPassword() throws -> Secret<String> {
    let password = try readPassword("New password: ")
    _ = try SecretRules.password(password.value)
    do throws(SecretError) {
      if try readSecret("Once more: ") == password.value { return password }
    } catch {
      guard error == .ended else { throw error }
      return password
    }
    throw ValidationError.repetition
  }
}
