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

  enum Action: String, CaseIterable, Sendable { case set, delete }

  static let action = Argument(
    ArgumentDeclaration(
      placeholder: "set|delete", help: "What to do",
      choices: [
        .init(name: "set", help: "Keep the secret that is typed, or piped into standard input"),
        .init(name: "delete", help: "Forget it"),
      ]),
    read: byName(Action.self))
  /// The secrets that there are; another name would only hide a slip of the hand.
  enum Name: String, CaseIterable, Sendable {
    case smtpPassword = "smtp-password"
    case errorLogToken = "error-log-token"
  }

  static let name = Argument(
    ArgumentDeclaration(
      placeholder: "NAME",
      help: "Which secret: \(KeychainClient.smtpPassword) is the password of the mail account,"
        + " \(KeychainClient.errorLogToken) goes with the error log where that is sent"),
    read: byName(Name.self))
  static let keyring = Flag(
    "keyring",
    help: "Keep it in the desktop's keyring, which a monitor can read while you are signed in;"
      + " with set")

  static let declaration = CommandDeclaration(
    name: "keychain", summary: "Keep or delete a secret such as the mail password",
    discussion: [
      "The secret is one line. It is read without being shown, and never from an argument.",
      "It is kept in a file that only you may read. What systemd hands over as a credential, a command"
        + " of config.json5 and the desktop's keyring come before the file.",
    ],
    arguments: [action.declaration, name.declaration], options: [keyring.declaration],
    takesAccount: false, exitCodes: [.locked],
    make: { (arguments: ParsedArguments) throws(UsageError) in
      KeychainCommand(
        action: try arguments.required(action), name: try arguments.required(name, at: 1),
        usesKeyring: arguments.isSet(keyring))
    })

  func run(_ invocation: Invocation) async throws(CommandFailure) -> Report {
    let name = name.rawValue
    switch action {
    case .set:
      let secret: String
      try await invocation.passingGate(of: .changeSecret, invocation.folders())
      do { secret = try invocation.readSecret("\(name): ") } catch { throw CommandFailure(error) }
      try await attempt { () async throws(KeychainError) in
        if usesKeyring {
          try await keychainClient.keepInKeyring(name, secret)
        } else {
          try await keychainClient.set(name, secret)
        }
      }
      return Report(["The secret \(name) is kept."], warnings: await others(before: true))
    case .delete:
      let isKept = try await attempt { () async throws(KeychainError) in
        try await keychainClient.source(name) != nil
      }
      guard isKept else { return Report(["There is no secret \(name)."]) }
      try await invocation.passingGate(of: .changeSecret, invocation.folders())
      try await attempt { () async throws(KeychainError) in try await keychainClient.delete(name) }
      return Report(["The secret \(name) is deleted."], warnings: await others(before: false))
    }
  }

  /// That a secret comes from where this command keeps none.
  private func others(before isKept: Bool) async -> [String] {
    guard let source = try? await located({ try await keychainClient.source(name.rawValue) }) else {
      return []
    }
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
