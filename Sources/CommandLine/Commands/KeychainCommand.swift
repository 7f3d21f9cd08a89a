import Clients
import Composable
import Domain

/// `lifesignal keychain`: saves and deletes secrets. A secret is never an argument, because every
/// user of the machine can read arguments.
struct KeychainCommand: StoreCommand, VerbCommand {
  let verb: Verb<Self>
  @Dependency(\.keychainClient) var keychainClient
  @Dependency(\.accountHost) var accountHost

  init(verb: Verb<Self>) { self.verb = verb }

  /// The valid names; accepting others would only hide typing mistakes.
  enum Name: String, NamedValue {
    case smtpPassword = "smtp-password"
    case errorLogToken = "error-log-token"
  }

  static let declaration = CommandDeclaration(
    "keychain", "Save or delete a secret such as the mail password",
    discussion: [
      "Asks for the secret without showing it, or reads one line from standard input. A"
        + " secret is never an argument.",
      "Saves it in a file that only you can read. A systemd credential, a command in"
        + " config.json5 and the desktop's keyring are used before the file.",
    ],
    takesAccount: false, exitCodes: [.locked]
  ) { syntax in
    let name: Argument<Name> = syntax.choice(
      [
        .smtpPassword: "The password of the mail account",
        .errorLogToken: "The token for the service that gets the error log",
      ], placeholder: "NAME", "Which secret")
    syntax.verb(
      "set", "Save the secret", name,
      Flag(
        "keyring",
        "Save it in the desktop's keyring, which a monitor can read only while you are signed in"),
      run: Self.set)
    syntax.verb("delete", "Delete the secret", name, run: Self.delete)
    return syntax.chosenVerb
  }

  private func set(
    _ invocation: Invocation, _ secretName: Name, inKeyring: Bool
  ) async throws -> Report {
    if secretName == .smtpPassword, let server = accountHost.serverName {
      throw CommandFailure(
        "This machine has joined the server \(server), which sends the mail.",
        advice: "Nothing here would use the password.")
    }
    let name = secretName.rawValue
    try await invocation.passingGate(of: .changeSecret, invocation.folders())
    let secret = try invocation.readSecret("\(name): ")
    if inKeyring {
      try await keychainClient.keepInKeyring(name, secret)
    } else {
      try await keychainClient.set(name, secret)
    }
    return Report(["Saved \(name)."], warnings: await others(name, before: true))
  }

  private func delete(_ invocation: Invocation, _ secretName: Name) async throws -> Report {
    let name = secretName.rawValue
    let isKept = try await keychainClient.source(name) != nil
    guard isKept else { return Report(["There is no secret \(name)."]) }
    try await invocation.passingGate(of: .changeSecret, invocation.folders())
    try await keychainClient.delete(name)
    return Report(["Deleted \(name)."], warnings: await others(name, before: false))
  }

  /// Warns about a secret from a source that this command doesn't manage.
  private func others(_ name: String, before isKept: Bool) async -> [String] {
    guard let source = try? await keychainClient.source(name) else { return [] }
    switch source {
    case .credentials, .command:
      return [
        isKept
          ? "It isn't used as long as \(source.text) comes first."
          : "There is still one from \(source.text)."
      ]
    case .keyring, .file, .memory: return []
    }
  }
}
