import Clients
import Composable
import Domain

/// `lifesignal keychain`: saves and deletes secrets. A secret is never an argument, because every
/// user of the machine can read arguments.
struct KeychainCommand: StoreCommand {
  var action: Action
  var name: Name
  var usesKeyring = false
  @Dependency(\.keychainClient) var keychainClient
  @Dependency(\.accountHost) var accountHost

  enum Action: String, NamedValue { case set, delete }

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
  ) { words in
    let action: Argument<Action> = words.choice([
      .set: "Save the secret", .delete: "Delete the secret",
    ])
    let name: Argument<Name> = words.choice(
      [
        .smtpPassword: "The password of the mail account",
        .errorLogToken: "The token for the service that gets the error log",
      ], placeholder: "NAME", "Which secret")
    let keyring = words.flag(
      "keyring",
      "Save it in the desktop's keyring, which a monitor can read only while you are signed"
        + " in (with set)"
    )
    return { arguments in
      KeychainCommand(
        action: try arguments.required(action), name: try arguments.required(name),
        usesKeyring: arguments.isSet(keyring))
    }
  }

  func run(_ invocation: Invocation) async throws -> Report {
    let name = name.rawValue
    switch action {
    case .set:
      if self.name == .smtpPassword, let server = accountHost.serverName {
        throw CommandFailure(
          "This machine has joined the server \(server), which sends the mail.",
          advice: "Nothing here would use the password.")
      }
      try await invocation.passingGate(of: .changeSecret, invocation.folders())
      let secret = try invocation.readSecret("\(name): ")
      if usesKeyring {
        try await keychainClient.keepInKeyring(name, secret)
      } else {
        try await keychainClient.set(name, secret)
      }
      return Report(["Saved \(name)."], warnings: await others(before: true))
    case .delete:
      let isKept = try await keychainClient.source(name) != nil
      guard isKept else { return Report(["There is no secret \(name)."]) }
      try await invocation.passingGate(of: .changeSecret, invocation.folders())
      try await keychainClient.delete(name)
      return Report(["Deleted \(name)."], warnings: await others(before: false))
    }
  }

  /// Warns about a secret from a source that this command doesn't manage.
  private func others(before isKept: Bool) async -> [String] {
    guard let source = try? await keychainClient.source(name.rawValue) else { return [] }
    switch source {
    case .credentials, .command:
      return [
        isKept
          ? "It isn't used as long as \(source.words) comes first."
          : "There is still one from \(source.words)."
      ]
    case .keyring, .file, .memory: return []
    }
  }
}
