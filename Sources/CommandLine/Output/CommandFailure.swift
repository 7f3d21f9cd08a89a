import Composable
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
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
  _ operation: () async throws(Failure) -> Value
) async throws(CommandFailure) -> Value {
  let place = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let result: Result<Value, Failure> = await EffectLocation.$current.withValue(place) {
    do throws(Failure) { return .success(try await operation()) } catch { return .failure(error) }
  }
  do { return try result.get() } catch { throw CommandFailure(error) }
}
