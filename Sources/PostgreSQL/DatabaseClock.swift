import Domain
package import FoundationEssentials
import Glibc
import Synchronization

/// The time as the database has it: several machines that use one store agree on it, whatever their own
/// clocks say.
///
/// Within a transaction it stands still at the transaction's time; between two it goes on from there.
package final class DatabaseClock: Sendable {
  /// What says the time of a transaction.
  static let milliseconds = "(extract(epoch FROM now()) * 1000)::bigint"

  private struct Contents {
    /// What the transaction that runs has.
    var current: Date?
    var last: (date: Date, at: ContinuousClock.Instant)?
    /// Asks for the time of the transaction that runs, which nobody has needed yet.
    var question: Question?
  }

  /// `@unchecked Sendable`: it is asked on the thread that the transaction runs on, and nowhere else.
  private struct Question: @unchecked Sendable {
    let ask: () -> Void
    let thread = pthread_self()
  }

  private let contents = Mutex(Contents())

  package init() {}

  package var now: Date {
    let question = contents.withLock(\.question)
    if let question, pthread_equal(question.thread, pthread_self()) != 0 { question.ask() }
    return contents.withLock { contents in
      if let current = contents.current { return current }
      guard let last = contents.last else { return Date() }
      let passed = last.at.duration(to: .now)
      return last.date.addingTimeInterval(passed / .seconds(1))
    }
  }

  /// A transaction begins whose time is still to come: with the first answer, or with what this asks for.
  func begin(_ ask: @escaping () -> Void) {
    let question = Question(ask: ask)
    contents.withLock { $0.question = question }
  }

  func begin(_ date: Date) {
    contents.withLock { $0 = Contents(current: date, last: (date, .now)) }
  }

  func end() {
    contents.withLock { contents in
      contents.current = nil
      contents.question = nil
    }
  }
}
