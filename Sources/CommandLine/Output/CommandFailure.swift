import Domain

/// Why a command did not do what it should: a sentence, and what to do about it.
struct CommandFailure: Error, Equatable {
  var sentence: String
  var advice: String?
  var exitCode: ExitCode

  init(_ sentence: String, advice: String? = nil, exitCode: ExitCode = .failure) {
    self.sentence = sentence
    self.advice = advice
    self.exitCode = exitCode
  }

  init(_ error: some AppError, exitCode: ExitCode = .failure) {
    self.init(error.errorDescription, advice: error.recoverySuggestion, exitCode: exitCode)
  }
}

/// Does something whose failure is the command's failure.
func attempt<Value, Failure: AppError>(
  _ operation: () async throws(Failure) -> Value
) async throws(CommandFailure) -> Value {
  do { return try await operation() } catch { throw CommandFailure(error) }
}
