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
  fileID: String = #fileID, line: Int = #line, _ operation: () async throws(Failure) -> Value
) async throws(CommandFailure) -> Value {
  do throws(Failure) { return try await located(fileID: fileID, line: line, operation) } catch {
    throw CommandFailure(error)
  }
}

/// Does something whose failure stands in the error log with this place.
func located<Value, Failure: Error>(
  fileID: String = #fileID, line: Int = #line, _ operation: () async throws(Failure) -> Value
) async throws(Failure) -> Value {
  let place = IssueLocation(fileID: fileID, line: line)
  let result: Result<Value, Failure> = await EffectLocation.$current.withValue(place) {
    do throws(Failure) { return .success(try await operation()) } catch { return .failure(error) }
  }
  return try result.get()
}
