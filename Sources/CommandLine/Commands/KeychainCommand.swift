import Clients
import Composable
import Domain

/// `lifesignal keychain`: keeps and deletes secrets. A secret is never an argument, because
/// arguments can be read by every user of the machine.
struct KeychainCommand: StoreCommand {
  var action: Action
  var name: String
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
  static let name = Argument(
    ArgumentDeclaration(
      placeholder: "NAME",
      help: "Which secret: \(KeychainClient.smtpPassword) is the password of the mail account"),
    read: { (text: String) throws(InvalidValue) in try readName(text) })

  static let declaration = CommandDeclaration(
    name: "keychain", summary: "Keep or delete a secret such as the mail password",
    discussion: [
      "The secret is one line. It is read without being shown, and never from an argument."
    ],
    arguments: [action.declaration, name.declaration],
    make: { (arguments: ParsedArguments) throws(UsageError) in
      KeychainCommand(
        action: try arguments.required(action), name: try arguments.required(name, at: 1))
    })

  /// A secret's name: 1 to 64 lower-case letters, digits and hyphens.
  private static func readName(_ text: String) throws(InvalidValue) -> String {
    let isName =
      (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
    guard isName else {
      throw InvalidValue(
        "\(quoted(text)) is not the name of a secret.",
        advice: "Write \(KeychainClient.smtpPassword).")
    }
    return text
  }

  func run(_ invocation: Invocation) async throws(CommandFailure) -> Report {
    switch action {
    case .set:
      let secret: String
      do { secret = try invocation.readSecret("\(name): ") } catch { throw CommandFailure(error) }
      try await attempt { () async throws(KeychainError) in
        try await keychainClient.set(name, secret)
      }
      return Report(["The secret \(name) is kept."])
    case .delete:
      try await attempt { () async throws(KeychainError) in try await keychainClient.delete(name) }
      return Report(["The secret \(name) is deleted."])
    }
  }
}
