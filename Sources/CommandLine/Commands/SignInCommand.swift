import Clients
import Composable
import Domain

/// `lifesignal sign-in`: starts a session without the app (AUTH-1).
struct SignInCommand: StoreCommand {
  var email: String
  @Dependency(\.authClient) var authClient
  @Dependency(\.userClient) var userClient

  static let declaration = CommandDeclaration(
    "sign-in", "Sign in with your address and password",
    discussion: [
      "Asks for the password, or reads it from standard input. A password is never an argument.",
      "A session ends after 30 days without use. With --as it is saved beside other sessions,"
        + " and each command with the same --as uses it.",
    ]
  ) { syntax in
    let email = syntax.argument(
      "EMAIL", "The address of your account (default: the address of --as)",
      isRequired: false, read: ProfileRules.email)
    return { arguments in
      let account = try arguments.value(of: CommandDeclaration.account)
      guard let address = try arguments.value(of: email) ?? account else {
        throw arguments.missingArgumentError(email)
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
    "sign-out", "Sign out",
    discussion: ["Your deadline keeps running, and your responders are notified if you miss it."]
  ) { _ in { _ in SignOutCommand() } }

  func run(_ invocation: Invocation) async throws -> Report {
    let user = try await userClient.currentUser()
    guard user.locks.contains(.password) else {
      throw CommandFailure(
        "This account has no password, so there is nothing to sign out of.",
        advice: "Set one in the app, under Profile, Security.")
    }
    try await authClient.signOut()
    return Report(["Signed out \(user.profile.name)."])
  }
}

extension Invocation {
  /// Reads a password that is typed or piped in.
  /// - Parameter mayBeEmpty: Whether it can be empty, for an account without a password.
  func readPassword(
    _ prompt: String, mayBeEmpty: Bool = false
  ) throws -> Secret<String> {
    do throws(SecretError) { return Secret(try readSecret(prompt)) } catch {
      if error == .empty || error == .ended, mayBeEmpty { return Secret("") }
      throw error
    }
  }

  /// Reads a new password. It must be typed twice; a pipe can give it once.
  func readNewPassword() throws -> Secret<String> {
    let password = try readPassword("New password: ")
    do throws(ValidationError) { _ = try SecretRules.password(password.value) } catch {
      try reportInvalidInput(error)
      return try readNewPassword()
    }
    do throws(SecretError) {
      if try readSecret("Repeat it: ") == password.value { return password }
    } catch {
      guard error == .ended else { throw error }
      return password
    }
    try reportInvalidInput(ValidationError.repetition)
    return try readNewPassword()
  }

  /// Says what is wrong with a typed value, so that the user can try again. Throws if the input is
  /// piped.
  func reportInvalidInput<Failure: AppError>(_ error: Failure) throws(Failure) {
    guard typesSecrets() else { throw error }
    _ = standardError.write(standardError.line(error.text.sentence))
  }
}
