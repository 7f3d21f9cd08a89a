import Domain
import Terminal

/// Asks and tells in lines of text: no colours, no boxes, nothing that moves the cursor.
struct PlainDialog: Sendable {
  /// Why a question got no answer.
  enum Interruption: Error {
    /// The person typed a dot.
    case stopped
    /// Input has ended.
    case ended
    /// The person said a command instead.
    case said(PlainSentence)
  }

  let invocation: Invocation
  /// Whether a command may be said instead of an answer; before there is an account none works.
  var takesCommands = true
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
  func line(_ prompt: String) async throws -> String {
    _ = invocation.standardOutput.write(prompt.sanitized + " ")
    while true {
      switch await invocation.nextLine() {
      case .line(let line): return line.trimmingWhitespace()
      case .end:
        // The prompt's line is still open.
        _ = invocation.standardOutput.write("\n")
        throw Interruption.ended
      case .nothing: await whileWaiting()
      }
    }
  }

  /// Asks for a line that isn't a command: a command typed in full is carried out instead, and `help`
  /// explains the question.
  /// - Parameter expected: A word that is the answer even though it is a command's.
  func answer(_ question: String, expecting expected: String? = nil) async throws
    -> String
  {
    while true {
      let answer = try await line(question)
      if Self.stops(answer) { throw Interruption.stopped }
      guard answer.lowercased() != expected, let sentence = PlainSentence(inFull: answer) else {
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

  /// Asks until the answer is right, and says what is wrong with one that is not.
  /// - Parameter read: Reads an answer.
  func ask<Value>(
    _ question: String, read: (String) throws -> Value
  ) async throws -> Value {
    while true {
      let answer = try await answer(question)
      do { return try read(answer) } catch let error as ValidationError { say(error.text.sentence) }
    }
  }

  /// Asks questions from the first again as long as the person stops or what they ask for fails.
  func untilDone(_ questions: () async throws -> Void) async throws {
    while true {
      do { return try await questions() } catch Interruption.stopped {
        say("Starting over.")
      } catch let interruption as Interruption {
        throw interruption
      } catch { say(CommandFailure(error)) }
    }
  }

  /// A dot, also one that was typed twice: no answer is made of nothing else.
  private static func stops(_ line: String) -> Bool {
    !line.isEmpty && line.allSatisfy { $0 == "." || $0 == "…" }
  }

  /// Asks for words that may be anything, even a command's: what somebody says in distress.
  func askForWords<Value>(
    _ question: String, read: (String) throws -> Value
  ) async throws -> Value {
    while true {
      let words = try await line(question)
      if Self.stops(words) { throw Interruption.stopped }
      do { return try read(words) } catch let error as ValidationError { say(error.text.sentence) }
    }
  }

  /// Asks for a word that has to be typed in full before something is done that matters; `y` will do
  /// for `yes`.
  func confirm(_ question: String, word: String) async throws -> Bool {
    let answer = try await answer(question, expecting: word).lowercased()
    return answer == word || (word == "yes" && answer == "y")
  }

  /// Asks for such a word; any other stops what is asked about.
  func require(_ question: String, word: String) async throws {
    guard try await confirm(question, word: word) else { throw Interruption.stopped }
  }
}
