import Clients
import Composable
import Domain

/// `lifesignal keychain`: keeps and deletes secrets. A secret is never an argument, because
/// arguments can be read by every user of the machine.
struct KeychainCommand: StoreCommand {
  var action: Action
  var name: Name
  var usesKeyring = false
  @Dependency(\.keychainClient) var keychainClient

  enum Action: String, NamedValue { case set, delete }

  /// The secrets that there are; another name would only hide a slip of the hand.
  enum Name: String, NamedValue {
    case smtpPassword = "smtp-password"
    case errorLogToken = "error-log-token"
  }

  static let declaration = CommandDeclaration(
    "keychain", "Keep or delete a secret such as the mail password",
    discussion: [
      "The secret is one line. It is read without being shown, and never from an argument.",
      "It is kept in a file that only you may read. What systemd hands over as a credential, a command"
        + " of config.json5 and the desktop's keyring come before the file.",
    ],
    takesAccount: false, exitCodes: [.locked]
  ) { words in
    let action: Argument<Action> = words.choice([
      .set: "Keep the secret that is typed, or piped into standard input", .delete: "Forget it",
    ])
    let name = words.argument(
      "NAME",
      "Which secret: \(KeychainClient.smtpPassword) is the password of the mail account,"
        + " \(KeychainClient.errorLogToken) goes with the error log where that is sent",
      read: Name.init(word:))
    let keyring = words.flag(
      "keyring",
      "Keep it in the desktop's keyring, which a monitor can read while you are signed in; with set"
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
      try await invocation.passingGate(of: .changeSecret, invocation.folders())
      let secret = try invocation.readSecret("\(name): ")
      if usesKeyring {
        try await keychainClient.keepInKeyring(name, secret)
      } else {
        try await keychainClient.set(name, secret)
      }
      return Report(["The secret \(name) is kept."], warnings: await others(before: true))
    case .delete:
      let isKept = try await keychainClient.source(name) != nil
      guard isKept else { return Report(["There is no secret \(name)."]) }
      try await invocation.passingGate(of: .changeSecret, invocation.folders())
      try await keychainClient.delete(name)
      return Report(["The secret \(name) is deleted."], warnings: await others(before: false))
    }
  }

  /// That a secret comes from where this command keeps none.
  private func others(before isKept: Bool) async -> [String] {
    guard let source = try? await keychainClient.source(name.rawValue) else { return [] }
    switch source {
    case .credentials, .command:
      return [
        isKept
          ? "It is not used as long as \(source.words) comes first."
          : "There still is one: it comes from \(source.words)."
      ]
    case .keyring, .file, .memory: return []
    }
  }
}
