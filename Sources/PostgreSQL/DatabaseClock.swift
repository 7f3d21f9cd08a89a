import Domain
package import FoundationEssentials
import Glibc
import Synchronization

/// The database's clock. The machines that use one store agree on it, whatever their own clocks
/// say.
///
/// Within a transaction it stands still at the transaction's time; between transactions it goes on
/// from there.
package final class DatabaseClock: Sendable {
  /// The SQL expression for the time of a transaction.
  static let milliseconds = "(extract(epoch FROM now()) * 1000)::bigint"

  private struct Contents {
    /// The time of the current transaction.
    var current: Date?
    var last: (date: Date, at: ContinuousClock.Instant)?
    /// Fetches the time of the current transaction, which nobody has needed yet.
    var question: Question?
  }

  /// `@unchecked Sendable`: it is called only on the thread of the transaction.
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

  /// Begins a transaction whose time isn't known yet. It arrives with the first answer, or when
  /// this closure is called.
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
