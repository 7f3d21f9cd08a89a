import Domain
import Terminal

/// Asks and tells in lines of text: no colours, no boxes, nothing that moves the cursor.
struct PlainDialog: Sendable {
  /// Why a question got no answer.
  enum Interruption: Error {
    /// The person typed a single dot.
    case stopped
    /// Input has ended.
    case ended
  }

  let invocation: Invocation
  /// Called again and again while nothing is typed.
  var whileWaiting: @Sendable () async -> Void = {}

  func say(_ line: String) { invocation.say(line) }

  func say(_ lines: [String]) {
    for line in lines { say(line) }
  }

  /// What a command had to say, warnings as lines like all others.
  func say(_ report: Report) { say(report.lines + report.warnings) }

  func say(_ failure: CommandFailure) {
    say([failure.sentence, failure.advice].compactMap { $0 }.joined(separator: " "))
  }

  /// Asks for a line.
  func line(_ prompt: String) async throws(Interruption) -> String {
    _ = invocation.standardOutput.write(prompt.sanitized + " ")
    while true {
      switch await invocation.nextLine() {
      case .line(let line): return line.trimmingWhitespace()
      case .end:
        // The prompt's line is still open.
        _ = invocation.standardOutput.write("\n")
        throw .ended
      case .nothing: await whileWaiting()
      }
    }
  }

  /// Asks until the answer is right, and says what is wrong with one that is not.
  /// - Parameter read: Reads an answer.
  func ask<Value>(
    _ question: String, read: (String) throws(ValidationError) -> Value
  ) async throws(Interruption) -> Value {
    while true {
      let answer = try await line(question)
      if answer == "." { throw .stopped }
      do throws(ValidationError) { return try read(answer) } catch { say(error.sentence) }
    }
  }

  /// Asks for a word that has to be typed as it stands before something is done that matters.
  func confirm(_ question: String, word: String) async throws(Interruption) -> Bool {
    try await line(question).lowercased() == word
  }
}
