import Clients
import Domain

/// Why a command failed: a sentence, and what to do about it.
struct CommandFailure: Error, Equatable {
  var sentence: String
  var advice: String?
  var exitCode: ExitCode

  init(_ sentence: String, advice: String? = nil, exitCode: ExitCode = .failure) {
    self.sentence = sentence
    self.advice = advice
    self.exitCode = exitCode
  }

  /// - Parameter exitCode: `nil` for the error's own.
  init(_ error: some AppError, exitCode: ExitCode? = nil) {
    self.init(
      error.errorDescription, advice: error.recoverySuggestion,
      exitCode: exitCode ?? (error as? ClientError)?.exitCode ?? .failure)
  }

  /// Describes any error for the user who gave the command.
  init(_ error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let error as UsageError:
      self.init(error.sentence, advice: error.advice, exitCode: .usage)
    case let error as SecretError: self.init(error)
    case let error as any AppError: self.init(error, exitCode: nil)
    default: self.init(ErrorTransformer.summary(of: error))
    }
  }
}

extension ClientError {
  /// The exit code of a command that fails with this error.
  var exitCode: ExitCode {
    switch self {
    case .alertIsOn, .checkInFirst, .alreadyOut, .notOut, .outingChanged, .outingMissed,
      .outingDuringAlert, .signsWithGate:
      .refused
    default: .failure
    }
  }
}
