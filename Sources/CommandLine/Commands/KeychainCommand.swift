import Clients
import Composable
import Domain

/// `lifesignal keychain set|delete NAME`.
struct KeychainCommand: Equatable {
  var isSetting: Bool
  var name: String

  init(_ arguments: ParsedArguments) throws(UsageError) {
    isSetting = arguments.arguments[0] == "set"
    name = arguments.arguments[1]
    guard name == KeychainClient.smtpPassword else {
      throw UsageError(
        message: "There is no secret “\(name.clipped)”: the mail account's password is called "
          + "\(KeychainClient.smtpPassword).", command: "keychain")
    }
  }

  func run(_ console: Console) async throws(KeychainError) -> ExitCode {
    @Dependency(\.keychainClient) var keychainClient
    if isSetting {
      guard let secret = console.readSecret("\(name): ") else {
        console.complain("Nothing was entered, so nothing was changed.")
        return .error
      }
      try await keychainClient.set(name, secret)
      console.say("Kept.")
    } else {
      try await keychainClient.delete(name)
      console.say("Deleted.")
    }
    return .ok
  }
}
