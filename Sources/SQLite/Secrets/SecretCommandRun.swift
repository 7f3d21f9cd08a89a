import Clients
import System

/// A run of the program that the person configured to print a secret.
struct SecretCommandRun: Sendable {
  /// The largest output in bytes; more isn't a secret.
  static let sizeLimit = 4_096

  let command: SecretCommand
  /// The time after which the program is killed. A card or a dialog may need a person.
  var limit = Duration.seconds(20)

  /// Returns the line that the program printed, without its end.
  ///
  /// If the program fails, this throws instead of looking elsewhere: an old password could lock the
  /// account. The error doesn't repeat the output, which could contain the secret.
  func secret() async throws(KeychainError) -> String {
    let result = await Subprocess.run(
      command.program, Array(command.arguments.dropFirst()), outputLimit: Self.sizeLimit,
      within: limit)
    func failure(_ what: String) -> KeychainError {
      .unavailable("the command \(command.program) of config.json5 \(what)")
    }
    guard !result.exceededOutputLimit else { throw failure("said more than a secret can hold") }
    switch result.end {
    case .exited(0): break
    case .exited(let code): throw failure("failed with \(code); run it in a terminal to see why")
    case .killed: throw failure("was killed")
    case .tookTooLong: throw failure("took longer than \(limit.components.seconds) seconds")
    case .notFound: throw failure("is not there")
    case .notStarted(let reason): throw failure("could not be started: \(reason)")
    }
    var line = result.output
    if line.last == UInt8(ascii: "\n") {
      line.removeLast()
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
    }
    guard let secret = String(validating: line, as: UTF8.self) else {
      throw failure("did not write a text")
    }
    guard !secret.isEmpty else { throw failure("wrote nothing") }
    guard !secret.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw failure("wrote more than one line of text") }
    return secret
  }
}
