import Domain
import Terminal

/// A dialogue in lines of text: no colours, no boxes, no cursor movement.
struct PlainDialog: Sendable {
  /// Why a question got no answer.
  enum Interruption: Error {
    /// The user typed a dot.
    case stopped
    /// Input has ended.
    case ended
    /// The user typed a command instead.
    case said(ConversationInput)
  }

  let invocation: Invocation
  /// Whether a command can be given instead of an answer. Before there is an account, none works.
  var takesCommands = true
  /// Called repeatedly while nothing is typed.
  var whileWaiting: @Sendable () async -> Void = {}

  func say(_ line: String) { invocation.say(line) }

  func say(_ lines: [String]) {
    for line in lines { say(line) }
  }

  /// Writes a command's report, with its warnings as ordinary lines.
  func say(_ report: Report) { say(report.lines + report.warnings) }

  func say(_ failure: CommandFailure) {
    say([failure.sentence, failure.advice].compactMap { $0 }.joined(separator: " "))
  }

  /// Asks for a line.
  func line(_ prompt: String) async throws -> String {
    _ = invocation.standardOutput.write(prompt.sanitized + " ")
    while true {
      switch await invocation.nextLine() {
      case .line(let line): return line.trimmingWhitespace()
      case .end:
        // End the prompt's line.
        _ = invocation.standardOutput.write("\n")
        throw Interruption.ended
      case .nothing: await whileWaiting()
      }
    }
  }

  /// Asks for a line that isn't a command. A command typed in full is carried out instead, and
  /// `help` explains the question.
  /// - Parameter expected: A word that is an answer even though it is also a command.
  func answer(_ question: String, expecting expected: String? = nil) async throws
    -> String
  {
    while true {
      let answer = try await line(question)
      if Self.stops(answer) { throw Interruption.stopped }
      guard answer.lowercased() != expected, let sentence = ConversationInput(inFull: answer) else {
        return answer
      }
      switch sentence.verb {
      case .help:
        say("This is a question: type your answer and Enter. A single dot cancels it.")
      case .quit where !takesCommands: throw Interruption.ended
      default:
        guard !takesCommands else { throw Interruption.said(sentence) }
        say("You can say that when you have an account.")
      }
    }
  }

  /// Asks until the answer is valid, and says what is wrong with one that isn't.
  /// - Parameter read: Reads an answer.
  func ask<Value>(
    _ question: String, read: (String) throws -> Value
  ) async throws -> Value {
    while true {
      let answer = try await answer(question)
      do { return try read(answer) } catch let error as ValidationError { say(error.text.sentence) }
    }
  }

  /// Repeats the questions from the start as long as the user cancels or the request fails.
  func untilDone(_ questions: () async throws -> Void) async throws {
    while true {
      do { return try await questions() } catch Interruption.stopped {
        say("Starting over.")
      } catch let interruption as Interruption {
        throw interruption
      } catch { say(CommandFailure(error)) }
    }
  }

  /// Returns whether the line is a dot, or several: no real answer is.
  private static func stops(_ line: String) -> Bool {
    !line.isEmpty && line.allSatisfy { $0 == "." || $0 == "…" }
  }

  /// Asks for text that can be anything, even a command, such as words typed in distress.
  func askForWords<Value>(
    _ question: String, read: (String) throws -> Value
  ) async throws -> Value {
    while true {
      let words = try await line(question)
      if Self.stops(words) { throw Interruption.stopped }
      do { return try read(words) } catch let error as ValidationError { say(error.text.sentence) }
    }
  }

  /// Asks for a word that must be typed in full before something important is done. `y` is enough
  /// for `yes`.
  func confirm(_ question: String, word: String) async throws -> Bool {
    let answer = try await answer(question, expecting: word).lowercased()
    return answer == word || (word == "yes" && answer == "y")
  }

  /// Asks for such a word; any other answer cancels.
  func require(_ question: String, word: String) async throws {
    guard try await confirm(question, word: word) else { throw Interruption.stopped }
  }
}
